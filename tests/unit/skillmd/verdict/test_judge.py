"""A verdict says what a client does with a skill, and each surprise is a finding with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.client import Client
from skillyard.domain.diagnostic import Severity, Span
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client
from tests.unit.skillmd.verdict.judging import codes, findings, judge, judge_front
from tests.unit.skillmd.verdict.variants import VARIANTS

pytestmark = pytest.mark.requirement("PKG-3")

each_client = pytest.mark.parametrize("client", CLIENTS)

GOOD = "name: pdf\ndescription: Fills in forms."
COLON = "name: pdf\ndescription: Fills in: forms."
NOT_QUOTED = "the front matter is not YAML: a value that holds `: ` must stand in quotes"


@each_client
def test_a_portable_skill_loads_without_a_finding(client: str) -> None:
    assert judge_front(client, GOOD) == ClientVerdict(
        client_id=client,
        loads=True,
        name="pdf",
        description="Fills in forms.",
        user_invocable=True,
        model_invocable=True,
    )


@each_client
def test_a_verdict_is_given_as_json(client: str) -> None:
    assert judge_front(client, f"{GOOD}\nlicense: MIT").to_json() == {
        "id": client,
        "loads": True,
        "name": "pdf",
        "description": "Fills in forms.",
        "user_invocable": True,
        "model_invocable": True,
        "ignored": ["license"],
        "reason": "",
    }


@each_client
def test_without_a_file_nothing_is_loaded_and_the_package_is_at_fault(client: str) -> None:
    verdict = judge(client, None)

    assert (verdict.loads, verdict.name, verdict.reason) == (False, None, "there is no SKILL.md")
    assert [(one.code, one.path, one.span) for one in verdict.diagnostics] == [("SY601", "", None)]


def test_a_refusal_stands_where_the_fault_is() -> None:
    (found,) = judge_front("copilot", COLON).diagnostics

    assert found.code == "SY601"
    assert found.severity is Severity.ERROR
    assert found.span == Span(3, 22, 3, 23)
    assert found.message == (f"GitHub Copilot will not load it: {NOT_QUOTED}")
    assert found.hint == "Put the value in double quotes"


def test_every_reason_for_a_refusal_is_given() -> None:
    front = "name: a/b\ndescription: [x]\nuser-invocable: maybe\nargument-hint: [y]"
    verdict = judge_front("copilot", front)

    assert [one.line for one in verdict.diagnostics] == [2, 3, 4, 5]
    assert verdict.reason == (
        "it does not take `a/b` for a name; `description` is a list, not text;"
        " `user-invocable` is neither `true` nor `false`; `argument-hint` is a list, not text"
    )


@pytest.mark.parametrize(
    ("client", "how"),
    [
        ("claude-code", "Claude Code puts values in quotes and reads again"),
        ("codex", "Codex puts values in quotes and reads again"),
        ("gemini-cli", "Gemini CLI looks for `name:` and `description:` line by line"),
        ("opencode", "OpenCode takes values with a colon as they are"),
    ],
)
def test_a_repair_is_reported_with_what_made_it_necessary(client: str, how: str) -> None:
    verdict = judge_front(client, COLON)

    assert verdict.description == "Fills in: forms."
    assert findings(verdict) == [
        (
            "SY605",
            "warning",
            3,
            f"{how}, because {NOT_QUOTED}",
        )
    ]


def test_a_description_is_cut_where_the_client_cuts_it() -> None:
    front = f"name: pdf\ndescription: {'x' * 2000}"
    codex, claude = judge_front("codex", front), judge_front("claude-code", front)

    assert codex.description == "x" * 1021 + "..."
    assert claude.description == "x" * 1535 + "…"
    assert findings(codex) == [
        (
            "SY603",
            "warning",
            3,
            "Codex shows the model 1,024 of 2,000 characters of the description",
        )
    ]
    assert codes(claude) == ["SY603"]


def test_three_hyphens_inside_a_value_end_the_front_matter_for_claude_code() -> None:
    verdict = judge_front("claude-code", "name: pdf\ndescription: Fills in --- forms.")

    assert verdict.description == "Fills in"
    (found,) = verdict.diagnostics
    assert (found.code, found.span) == ("SY603", Span(3, 23, 3, 26))
    assert codes(judge_front("codex", "name: pdf\ndescription: Fills in --- forms.")) == []


@each_client
def test_a_comment_that_swallows_half_a_description_is_reported(client: str) -> None:
    verdict = judge_front(client, "name: pdf\ndescription: Fills in # forms.")

    assert (verdict.description, codes(verdict)) == ("Fills in", ["SY603"])
    assert codes(judge_front(client, 'name: pdf\ndescription: "Fills in # forms."')) == []


def test_a_comment_that_a_repair_keeps_is_not_lost() -> None:
    verdict = judge_front("claude-code", "name: pdf\ndescription: Fills in: forms # with <b>.")

    assert verdict.description == "Fills in: forms # with &lt;b&gt;."
    assert codes(verdict) == ["SY605"]


def test_a_switch_that_changes_nothing_is_not_missed() -> None:
    front = f"{GOOD}\ndisable-model-invocation: false\nuser-invocable: true"
    verdict = judge_front("codex", front)

    assert verdict.ignored == ("disable-model-invocation", "user-invocable")
    assert codes(verdict) == []


@pytest.mark.parametrize(
    ("client", "ignored"),
    [
        ("claude-code", ()),
        ("codex", ("disable-model-invocation", "allowed-tools")),
        ("gemini-cli", ("disable-model-invocation", "allowed-tools")),
        ("opencode", ("disable-model-invocation", "allowed-tools")),
        ("copilot", ()),
    ],
)
def test_fields_that_would_matter_are_noted_where_they_are_ignored(
    client: str, ignored: tuple[str, ...]
) -> None:
    verdict = judge_front(client, f"{GOOD}\ndisable-model-invocation: true\nallowed-tools: Read")

    assert verdict.ignored == ignored
    assert ("SY604" in codes(verdict)) is bool(ignored)
    assert verdict.model_invocable is bool(ignored)
    assert (verdict.description is None) is not bool(ignored)


@pytest.mark.parametrize(
    ("client", "front", "name", "message"),
    [
        ("claude-code", "name: forms", "forms", "Claude Code calls it `pdf`, by its directory"),
        ("claude-code", "name: <b>", "pdf", "Claude Code does not show this `name`"),
        ("gemini-cli", "name: a/b", "a-b", "Gemini CLI lists it as `a-b`"),
        ("copilot", "name: a  b", "a-b", "GitHub Copilot lists it as `a-b`"),
        ("codex", "name: 'a  b'", "a b", "Codex lists it as `a b`"),
    ],
)
def test_another_name_than_was_written_is_reported(
    client: str, front: str, name: str, message: str
) -> None:
    verdict = judge_front(client, f"{front}\ndescription: Fills in forms.")

    assert verdict.name == name
    (found,) = verdict.diagnostics
    assert (found.code, found.line) == ("SY602", 2)
    assert found.message.startswith(message)


@pytest.mark.parametrize(
    ("client", "front", "user", "model", "severity"),
    [
        ("opencode", "name: pdf", True, False, "warning"),
        ("claude-code", f'{GOOD}\npaths: "*.pdf"', False, False, "warning"),
        ("claude-code", f"{GOOD}\nuser-invocable: maybe", False, True, "warning"),
        ("claude-code", f"{GOOD}\nuser-invocable: false", False, True, "note"),
        ("claude-code", f"{GOOD}\ndisable-model-invocation: yes", True, False, "note"),
        ("copilot", f"{GOOD}\nuser-invocable: false", False, True, "note"),
        (
            "copilot",
            f"{GOOD}\nuser-invocable: false\ndisable-model-invocation: true",
            False,
            False,
            "warning",
        ),
    ],
)
def test_a_skill_that_is_kept_from_somebody_is_reported(
    client: str, front: str, severity: str, *, user: bool, model: bool
) -> None:
    verdict = judge_front(client, front)

    assert (verdict.loads, verdict.user_invocable, verdict.model_invocable) == (True, user, model)
    assert [(code, how) for code, how, _, _ in findings(verdict)] == [("SY606", severity)]


@pytest.mark.parametrize(
    ("client", "loads"),
    [("claude-code", True), ("codex", True), ("gemini-cli", False), ("copilot", True)],
)
def test_a_missing_name_is_taken_from_the_directory_or_is_fatal(
    client: str, *, loads: bool
) -> None:
    verdict = judge_front(client, "description: Fills in forms.")

    assert (verdict.loads, verdict.name) == (loads, "pdf" if loads else None)


@each_client
def test_without_name_and_directory_there_is_nothing_to_load_it_under(client: str) -> None:
    assert not judge_front(client, "description: Fills in forms.", directory=None).loads
    assert judge_front(client, GOOD, directory=None).name == "pdf"


def test_front_matter_in_code_is_said_to_be_run() -> None:
    verdict = judge("opencode", "---js\n{name: 'pdf'}\n---\n")

    assert not verdict.loads
    assert findings(verdict) == [
        ("SY601", "error", 1, "OpenCode runs the front matter as code whenever it looks for skills")
    ]


MUTATIONS = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=300).map(lambda text: f"---\nname: a\n{text}\n---\n".encode()),
    st.lists(
        st.sampled_from(
            [
                *("---", "\n", " ", ":", ": ", "- ", "? ", "#", "&a ", "*a", "!!str ", "!x ", "<<"),
                *("|", ">", "'", '"', "[", "]", "{", "}", ",", "\t", "\r", "\ufeff", "\0", "\x85"),
                *("name", "description", "metadata", "paths", "user-invocable", "0x1f", "1e999"),
                *("a", "\\uD83D\\uDD2E", "\U000f0020", "---js\n", ".inf", "null", "2026-01-02"),
            ]
        ),
        max_size=40,
    ).map(lambda parts: "".join(parts).encode()),
)


def mutate(content: bytes, data: st.DataObject) -> bytes:
    place = data.draw(st.integers(0, len(content)))
    removed = data.draw(st.integers(0, 8))
    return content[:place] + data.draw(MUTATIONS)[:20] + content[place + removed :]


SMALL = [one.content for one in VARIANTS if one.content is not None and len(one.content) < 2000]


@given(st.sampled_from(list(CLIENTS.values())), MUTATIONS, st.one_of(st.none(), st.text()))
def test_nothing_is_raised_whatever_the_bytes(
    client: Client, content: bytes, directory: str | None
) -> None:
    check_invariants(judge_for_client(client, content=content, directory=directory))


@given(st.sampled_from(list(CLIENTS.values())), st.sampled_from(SMALL), st.data())
def test_nothing_is_raised_for_what_is_nearly_a_skill(
    client: Client, content: bytes, data: st.DataObject
) -> None:
    check_invariants(judge_for_client(client, content=mutate(content, data), directory="pdf"))


def check_invariants(verdict: ClientVerdict) -> None:
    assert (verdict.name is not None) is verdict.loads
    assert bool(verdict.reason) is not verdict.loads
    assert any(one.severity is Severity.ERROR for one in verdict.diagnostics) is not verdict.loads
    if verdict.description is not None:
        assert verdict.model_invocable
    for one in verdict.diagnostics:
        assert one.span is None or (one.span.line >= 1 and one.span.column >= 1)
