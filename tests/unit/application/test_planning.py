"""What a client is given is judged by the very bytes that it is given, and altered only at need."""

import json

import pytest

from skillyard.application.planning import plan_run, search_of
from skillyard.application.ports.workspace import SkillSearch, Walk
from skillyard.domain.delivery import ChosenSkill, DeliveryPlan, NoteKind
from skillyard.domain.limits import STANDARD
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.package import Package
from skillyard.providers.clients import CLIENTS
from skillyard.providers.setting import DeliverySetting
from skillyard.skillmd.verdict.judge import judge_for_client
from tests.unit.providers.delivering import PLACES, file_of, make_chosen, notes_of, plan

USER_ONLY = make_chosen("pdf", invocation=Invocation.USER_ONLY)
MODEL_ONLY = make_chosen("pdf", invocation=Invocation.MODEL_ONLY)


def skill_md_of(planned: DeliveryPlan) -> str:
    return (planned.skills[0].package.skill_md or b"").decode()


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize("provider", ["claude-code", "copilot"])
def test_front_matter_says_who_may_call_on_a_skill(provider: str) -> None:
    user, model = plan(USER_ONLY, provider=provider), plan(MODEL_ONLY, provider=provider)

    assert skill_md_of(user) == (
        "---\ndisable-model-invocation: true\nname: pdf\ndescription: Fill in forms.\n---\n# pdf\n"
    )
    assert skill_md_of(model) == (
        "---\nuser-invocable: false\nname: pdf\ndescription: Fill in forms.\n---\n# pdf\n"
    )
    assert notes_of(user, NoteKind.ALTERED) == [
        ("pdf", "`disable-model-invocation: true` is written into it, as it is user-only")
    ]
    for planned, (user_may, model_may) in ((user, (True, False)), (model, (False, True))):
        verdict = judge_for_client(
            CLIENTS[provider], content=planned.skills[0].package.skill_md, directory="pdf"
        )
        assert (verdict.user_invocable, verdict.model_invocable) == (user_may, model_may)


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize(
    ("skill", "provider"),
    [
        (
            make_chosen(front="disable-model-invocation: true\n", invocation=Invocation.USER_ONLY),
            "claude-code",
        ),
        (make_chosen(front="user-invocable: false\n", invocation=Invocation.MODEL_ONLY), "copilot"),
        (
            make_chosen(
                files={"agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n"},
                invocation=Invocation.USER_ONLY,
            ),
            "codex",
        ),
    ],
)
def test_what_is_said_already_is_not_said_again(skill: ChosenSkill, provider: str) -> None:
    planned = plan(skill, provider=provider)

    assert planned.skills[0].package == skill.package
    assert not planned.skills[0].is_altered
    assert planned.notes == ()


@pytest.mark.requirement("DEL-8")
def test_two_statements_that_contradict_each_other_are_both_put_right() -> None:
    skill = make_chosen(
        front="disable-model-invocation: true\nuser-invocable: true\n",
        invocation=Invocation.MODEL_ONLY,
    )

    text = skill_md_of(plan(skill))

    assert "disable-model-invocation: false\nuser-invocable: false\n" in text


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize(
    ("files", "policy"),
    [
        ({}, "policy:\n  allow_implicit_invocation: false\n"),
        (
            {"agents/openai.yaml": "interface:\n  display_name: PDF\n"},
            ("policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: PDF\n"),
        ),
    ],
)
def test_codex_is_told_in_a_file_of_its_own(files: dict[str, str], policy: str) -> None:
    skill = make_chosen(files=files, invocation=Invocation.USER_ONLY)

    planned = plan(skill, provider="codex")

    assert planned.skills[0].package == Package.of(
        {"SKILL.md": skill.package.skill_md or b"", "agents/openai.yaml": policy}
    )
    assert planned.skills[0].is_altered
    assert notes_of(planned, NoteKind.ALTERED) == [
        (
            "pdf",
            (
                "`policy.allow_implicit_invocation: false` is written into `agents/openai.yaml`, "
                "as it is user-only"
            ),
        )
    ]


@pytest.mark.requirement("DEL-8")
def test_opencode_is_told_in_its_settings_and_the_skill_stays_as_it_is() -> None:
    planned = plan(USER_ONLY, provider="opencode")

    settings = json.loads(file_of(planned, ".config/opencode/opencode.json"))
    assert settings["permission"]["skill"]["pdf"] == "deny"
    assert planned.skills[0].package == USER_ONLY.package


@pytest.mark.requirement("DEL-8")
@pytest.mark.parametrize(
    ("provider", "skill", "message"),
    [
        (
            "gemini-cli",
            USER_ONLY,
            "Gemini CLI cannot be told that it is user-only: the model may call it",
        ),
        (
            "gemini-cli",
            MODEL_ONLY,
            "Gemini CLI cannot be told that it is model-only: the user may call it",
        ),
        ("codex", MODEL_ONLY, "Codex cannot be told that it is model-only: the user may call it"),
        (
            "opencode",
            MODEL_ONLY,
            "OpenCode cannot be told that it is model-only: the user may call it",
        ),
        (
            "agents-dir",
            USER_ONLY,
            "the program cannot be told that it is user-only: the model may call it",
        ),
        (
            "prompt",
            USER_ONLY,
            "it is user-only, and the model reads the prompt text: it may call on it",
        ),
    ],
)
def test_what_a_client_ignores_is_said(provider: str, skill: ChosenSkill, message: str) -> None:
    planned = plan(skill, provider=provider, command=("x", "{skills}"))

    assert notes_of(planned, NoteKind.IGNORED) == [("pdf", message)]
    assert not planned.skills[0].is_altered


@pytest.mark.requirement("DEL-8", "DEL-11")
@pytest.mark.parametrize(
    ("provider", "skill", "why"),
    [
        (
            "claude-code",
            make_chosen(
                content="---\n{name: pdf, description: x}\n---\n", invocation=Invocation.USER_ONLY
            ),
            "that it is user-only cannot be written into its front matter",
        ),
        (
            "codex",
            make_chosen(
                files={"agents/openai.yaml": "policy: x\n"}, invocation=Invocation.USER_ONLY
            ),
            "that it is user-only cannot be written into its `agents/openai.yaml`",
        ),
        (
            "claude-code",
            make_chosen(
                content="---\n{name: pdf, allowed-tools: Bash}\n---\n", confidence=Confidence.LOW
            ),
            "`allowed-tools` cannot be taken out of its front matter",
        ),
    ],
)
def test_what_cannot_be_said_safely_is_left_out(
    provider: str, skill: ChosenSkill, why: str
) -> None:
    planned = plan(skill, provider=provider)

    assert planned.skills == ()
    assert [
        message.partition(" it: ")[2] for _, message in notes_of(planned, NoteKind.LEFT_OUT)
    ] == [why]


@pytest.mark.requirement("TRU-6")
@pytest.mark.parametrize("provider", [*CLIENTS, "agents-dir"])
def test_a_skill_that_nothing_has_proven_gives_itself_no_permissions(provider: str) -> None:
    front = "allowed-tools: Bash(rm:*)\nhooks:\n  PreToolUse: []\nlicense: MIT\n"

    low = plan(make_chosen(front=front, confidence=Confidence.LOW), provider=provider)
    medium = plan(make_chosen(front=front), provider=provider)

    assert skill_md_of(low) == (
        "---\nname: pdf\ndescription: Fill in forms.\nlicense: MIT\n---\n# pdf\n"
    )
    assert notes_of(low, NoteKind.ALTERED) == [
        ("pdf", "`allowed-tools` is taken out, because nothing has proven it yet"),
        ("pdf", "`hooks` is taken out, because nothing has proven it yet"),
    ]
    assert not medium.skills[0].is_altered


@pytest.mark.requirement("DEL-11")
def test_a_skill_is_judged_by_the_directory_that_it_gets() -> None:
    nameless = make_chosen("pdf", content="---\ndescription: x\n---\n")

    assert [one.slug for one in plan(nameless, provider="codex").skills] == ["pdf"]
    assert plan(nameless, provider="gemini-cli").skills == ()


@pytest.mark.requirement("PKG-9", "DEL-11")
def test_front_matter_that_is_code_is_never_given_to_a_client_that_runs_it() -> None:
    code = make_chosen("pdf", content="---js\n{name: 'pdf', description: 'x'}\n---\n")

    planned = plan(code, provider="opencode")

    assert planned.skills == ()
    assert [slug for slug, _ in notes_of(planned, NoteKind.LEFT_OUT)] == ["pdf"]


def test_a_directory_without_a_skill_is_not_laid_out_for_anyone() -> None:
    skill = make_chosen("pdf")
    empty = ChosenSkill(skill.decision, Package.of({"README.md": "x"}))
    setting = DeliverySetting(provider="agents-dir", places=PLACES)

    planned = plan_run([empty], setting, limits=STANDARD)

    assert notes_of(planned, NoteKind.LEFT_OUT) == [
        ("pdf", "the program will not load it: there is no SKILL.md")
    ]


@pytest.mark.requirement("DEL-5")
@pytest.mark.parametrize(
    ("provider", "search"),
    [
        (
            "claude-code",
            SkillSearch(
                relative=(".claude/skills", ".claude/commands"),
                walk=Walk.ON_UP,
                absolute=("/etc/claude-code/.claude/skills",),
                falls_back=True,
            ),
        ),
        (
            "codex",
            SkillSearch(
                relative=(".agents/skills", ".codex/skills"),
                walk=Walk.TO_ROOT,
                absolute=("/etc/codex/skills",),
                is_deep=True,
            ),
        ),
        (
            "gemini-cli",
            SkillSearch(relative=(".gemini/skills", ".agents/skills"), walk=Walk.NEVER),
        ),
    ],
)
def test_where_a_client_looks_is_what_is_searched(provider: str, search: SkillSearch) -> None:
    assert search_of(CLIENTS[provider]) == search
