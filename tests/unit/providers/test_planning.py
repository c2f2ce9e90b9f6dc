"""A plan lays every skill out once, as it is, unless there is a need; and says what it does not."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillyard.domain.delivery import ChosenSkill, DeliveryPlan, Mode, NoteKind, OnInvalid, Part
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.resolution import Disposition
from skillyard.domain.skill import InstallStrategy
from skillyard.providers.clients import CLIENTS
from skillyard.providers.deliveries import HOMES
from skillyard.providers.setting import PROVIDERS
from tests.unit.providers.delivering import (
    PLACES,
    file_of,
    kinds_of,
    make_chosen,
    notes_of,
    paths_of,
    plan,
)

BROKEN = "no front matter at all\n"


@pytest.mark.requirement("DEL-1")
@pytest.mark.parametrize(
    ("provider", "directory"),
    [
        ("claude-code", ".claude/skills"),
        ("codex", ".codex/skills"),
        ("gemini-cli", ".gemini/skills"),
        ("opencode", ".config/opencode/skills"),
        ("copilot", ".copilot/skills"),
        ("agents-dir", ".agents/skills"),
    ],
)
def test_skills_stand_in_the_home_of_the_run_byte_for_byte(provider: str, directory: str) -> None:
    pdf, csv = make_chosen("pdf", files={"scripts/fill.py": "print()"}), make_chosen("csv")

    planned = plan(pdf, csv, provider=provider)

    assert planned.mode is Mode.NATIVE
    assert paths_of(planned) == [
        ("pdf", Part.HOME, f"{directory}/pdf"),
        ("csv", Part.HOME, f"{directory}/csv"),
    ]
    assert [one.package for one in planned.skills] == [pdf.package, csv.package]
    assert not any(one.is_altered for one in planned.skills)
    assert planned.notes == ()
    assert planned.problems == ()


@pytest.mark.requirement("RES-4")
def test_an_unproven_skill_stands_apart_and_is_named_in_the_text() -> None:
    planned = plan(make_chosen("pdf", disposition=Disposition.UNPROVEN))

    assert paths_of(planned) == [("pdf", Part.PRIVATE, "skills/pdf")]
    assert planned.mode is Mode.NATIVE
    assert planned.environment["SKILLYARD_PROMPT_FILE"] == f"{PLACES.private}/SKILLS.md"
    assert "- **pdf** — Fill in forms. Read: /runs/run-1/private/skills/pdf/SKILL.md" in (
        file_of(planned, "SKILLS.md")
    )


@pytest.mark.requirement("DEL-3")
def test_a_skill_says_how_it_is_delivered_to_whom() -> None:
    skill = make_chosen(
        hints={"codex": "prompt_fallback", "gemini": "exclude", "copilot": "link"},
        strategy=InstallStrategy.MATERIALIZE,
    )

    assert plan(skill, provider="codex").skills[0].strategy is InstallStrategy.PROMPT_FALLBACK
    assert plan(skill, provider="claude-code").skills[0].strategy is InstallStrategy.MATERIALIZE
    linked = plan(skill, provider="copilot", can_link=True)
    assert linked.skills[0].strategy is InstallStrategy.LINK
    excluded = plan(skill, provider="gemini-cli")
    assert excluded.skills == ()
    assert notes_of(excluded, NoteKind.EXCLUDED) == [("pdf", "it is not for Gemini CLI")]
    assert excluded.problems == ()


@pytest.mark.requirement("DEL-3")
def test_a_link_is_a_copy_where_the_run_could_write_to_it() -> None:
    skill = make_chosen(strategy=InstallStrategy.LINK)

    copied = plan(skill, can_link=False)

    assert plan(skill, can_link=True).skills[0].strategy is InstallStrategy.LINK
    assert copied.skills[0].strategy is InstallStrategy.MATERIALIZE
    assert notes_of(copied, NoteKind.COPIED) == [
        ("pdf", "it is copied instead of linked, because a run could write to the link")
    ]


@pytest.mark.requirement("DEL-3")
def test_what_is_altered_is_never_linked() -> None:
    skill = make_chosen(strategy=InstallStrategy.LINK, invocation=Invocation.USER_ONLY)

    planned = plan(skill, can_link=True)

    assert planned.skills[0].strategy is InstallStrategy.MATERIALIZE
    assert notes_of(planned, NoteKind.COPIED) == [
        ("pdf", "it is copied instead of linked, because it differs from what is kept")
    ]


@pytest.mark.requirement("DEL-2")
def test_skills_as_text_come_in_a_file_and_in_the_command() -> None:
    planned = plan(
        make_chosen("pdf", files={"references/a.md": "long"}),
        provider="prompt",
        command=("aider", "--message", "Do this.\n{skills}", "{skill}"),
    )

    text = file_of(planned, "SKILLS.md")
    assert planned.mode is Mode.FALLBACK
    assert planned.command == ("aider", "--message", f"Do this.\n{text}", "{skill}")
    assert planned.environment["SKILLYARD_PROMPT_FILE"] == "/runs/run-1/private/SKILLS.md"
    assert "<file>references/a.md</file>" in text
    assert "Skill directory: /runs/run-1/private/skills/pdf" in text
    assert "long" not in text
    assert paths_of(planned) == [("pdf", Part.PRIVATE, "skills/pdf")]
    assert planned.notes == ()


@pytest.mark.requirement("DEL-2")
def test_a_command_that_takes_no_text_is_told_of() -> None:
    planned = plan(make_chosen("pdf"), provider="prompt", command=("aider",))

    assert notes_of(planned, NoteKind.FALLBACK) == [
        ("", "its skills are text in the file that `SKILLYARD_PROMPT_FILE` names")
    ]


def test_without_skills_the_placeholder_is_nothing() -> None:
    planned = plan(provider="codex", command=("codex", "exec", "a{skills}b"))

    assert planned.command == ("codex", "exec", "ab")
    assert "SKILLYARD_PROMPT_FILE" not in planned.environment


@pytest.mark.requirement("DEL-11")
def test_a_required_skill_that_the_client_would_refuse_is_a_problem() -> None:
    planned = plan(make_chosen("bad", content=BROKEN, is_required=True), provider="codex")

    assert planned.problems == (
        "`bad` is required, and Codex will not load it: SKILL.md does not start with `---`",
    )


@pytest.mark.requirement("DEL-11")
def test_a_required_skill_that_is_not_for_the_client_is_a_problem() -> None:
    planned = plan(make_chosen(is_required=True, hints={"claude-code": "exclude"}))

    assert planned.problems == ("`pdf` is required, and it is not for Claude Code",)


@pytest.mark.requirement("DEL-11")
def test_another_one_is_left_out_with_a_word_on_it() -> None:
    planned = plan(make_chosen("bad", content=BROKEN), make_chosen("pdf"), provider="codex")

    assert [one.slug for one in planned.skills] == ["pdf"]
    assert planned.mode is Mode.NATIVE
    assert planned.problems == ()
    assert [slug for slug, _ in notes_of(planned, NoteKind.LEFT_OUT)] == ["bad"]


@pytest.mark.requirement("DEL-11")
def test_or_the_whole_run_falls_back_to_text() -> None:
    planned = plan(
        make_chosen("bad", content=BROKEN),
        make_chosen("pdf", invocation=Invocation.MODEL_ONLY),
        provider="codex",
        on_invalid=OnInvalid.FALLBACK,
    )

    assert planned.mode is Mode.FALLBACK
    assert planned.provider == "codex"
    assert [(one.slug, one.strategy) for one in planned.skills] == [
        ("bad", InstallStrategy.PROMPT_FALLBACK),
        ("pdf", InstallStrategy.PROMPT_FALLBACK),
    ]
    assert kinds_of(planned.notes) == [NoteKind.FALLBACK, NoteKind.FALLBACK]
    assert "no front matter at all" in file_of(planned, "SKILLS.md")


@pytest.mark.requirement("DEL-11")
def test_or_the_run_is_not_started() -> None:
    planned = plan(make_chosen("bad", content=BROKEN), provider="codex", on_invalid=OnInvalid.FAIL)

    assert len(planned.problems) == 1
    assert planned.problems[0].startswith("`bad`: Codex will not load it: ")


@pytest.mark.requirement("RES-2")
def test_no_client_is_given_one_name_twice() -> None:
    first = make_chosen("pdf")
    second = make_chosen("forms", content="---\nname: PDF\ndescription: Again.\n---\n")

    planned = plan(first, second, provider="codex")

    assert [one.slug for one in planned.skills] == ["pdf"]
    assert notes_of(planned, NoteKind.LEFT_OUT) == [
        ("forms", "Codex would list it under the same name as `pdf`")
    ]
    with pytest.raises(ValueError, match="pdf"):
        plan(first, first)


@pytest.mark.requirement("DEL-9")
def test_claude_code_is_told_of_the_important_ones_only_where_not_all_fit() -> None:
    few = plan(make_chosen("zz"), make_chosen("aa"))
    many = plan(*(make_chosen(f"s{n}", description="x" * 900) for n in (3, 1, 2)), window=50_000)

    assert "skillUsage" not in file_of(few, ".claude/.claude.json")
    assert [one.slug for one in many.notes] == ["s2"]
    assert (
        '  "skillUsage": {\n    "s3": {\n      "usageCount": 3,\n      "lastUsedAt": 0\n    },\n'
    ) in file_of(many, ".claude/.claude.json")


@pytest.mark.requirement("DEL-9")
def test_what_the_model_is_not_told_of_takes_no_room() -> None:
    skills = [
        make_chosen(f"s{number}", description="x" * 900, invocation=Invocation.USER_ONLY)
        for number in range(5)
    ]

    for provider in ("claude-code", "codex"):
        planned = plan(*skills, provider=provider, window=10_000)
        assert set(kinds_of(planned.notes)) == {NoteKind.ALTERED}


def test_a_skill_of_the_clients_own_is_silent_unless_the_run_has_one_of_that_name() -> None:
    bare = plan(provider="gemini-cli")
    named = plan(make_chosen("skill-creator"), provider="gemini-cli")

    assert '"skill-creator"' in file_of(bare, ".gemini/settings.json")
    assert '"skill-creator"' not in file_of(named, ".gemini/settings.json")


@st.composite
def chosen_skills(draw: st.DrawFn) -> list[ChosenSkill]:
    slugs = draw(st.lists(st.from_regex(r"[a-z]{1,3}", fullmatch=True), max_size=5, unique=True))
    return [draw(_skill_of(slug)) for slug in slugs]


@st.composite
def _skill_of(draw: st.DrawFn, slug: str) -> ChosenSkill:
    return make_chosen(
        slug,
        content=draw(st.sampled_from([None, None, None, BROKEN, "---\nname: aa\n---\nx\n"])),
        front=draw(st.sampled_from(["", "allowed-tools: Bash\n", "user-invocable: no\n"])),
        description=draw(st.sampled_from(["Do it.", "x" * 1100, "y" * 900])),
        files=draw(
            st.sampled_from([{}, {"scripts/a": "b"}, {"agents/openai.yaml": "policy: x\n"}])
        ),
        disposition=draw(st.sampled_from([Disposition.LOADED, Disposition.UNPROVEN])),
        confidence=draw(st.sampled_from(list(Confidence))),
        invocation=draw(st.sampled_from(list(Invocation))),
        hints=draw(
            st.sampled_from([{}, {"codex": "exclude", "claude": "link"}, {"prompt": "exclude"}])
        ),
        strategy=draw(st.sampled_from([None, *InstallStrategy])),
        is_required=draw(st.booleans()),
    )


any_setting = st.fixed_dictionaries(
    {
        "provider": st.sampled_from(PROVIDERS),
        "on_invalid": st.sampled_from(list(OnInvalid)),
        "can_link": st.booleans(),
        "window": st.sampled_from([None, 1_000, 200_000]),
        "command": st.sampled_from([(), ("x", "{skills}")]),
        "environment": st.sampled_from([{}, {"A_TOKEN": "1", "XDG_A": "2", "PATH": "/bin"}]),
    }
)


@pytest.mark.requirement("DEL-1", "DEL-8")
@settings(max_examples=60)
@given(chosen_skills(), any_setting)
def test_a_plan_is_sound_whatever_it_is_made_for(
    skills: list[ChosenSkill], setting: dict[str, Any]
) -> None:
    planned = plan(*skills, **setting)

    assert planned == plan(*skills, **setting)
    _assert_places_are_apart(planned)
    _assert_everything_is_said(planned, skills)
    assert set(HOMES) <= set(planned.environment)
    assert not {"A_TOKEN", "XDG_A"} & (set(setting["environment"]) - set(planned.dropped))


def _assert_places_are_apart(planned: DeliveryPlan) -> None:
    places = [(one.part, one.path) for one in planned.skills if one.path]
    places += [(one.part, one.path) for one in planned.files]
    assert len(places) == len(set(places))
    for part, path in places:
        assert not any(part == other and one.startswith(f"{path}/") for other, one in places)


def _assert_everything_is_said(planned: DeliveryPlan, skills: list[ChosenSkill]) -> None:
    delivered = {one.slug for one in planned.skills}
    said = {one.slug for one in planned.notes}
    for skill in skills:
        assert skill.decision.slug in delivered | said
        if skill.decision.is_required and skill.decision.slug not in delivered:
            assert any(f"`{skill.decision.slug}`" in one for one in planned.problems)
    for one in planned.skills:
        altered = [note for note in planned.notes if note.kind is NoteKind.ALTERED]
        assert one.is_altered == (one.slug in {note.slug for note in altered})
        assert one.strategy is not InstallStrategy.LINK or not one.is_altered


def test_the_places_of_a_run_decide_where_everything_stands() -> None:
    assert len({client.delivery.skills for client in CLIENTS.values()}) == len(CLIENTS)
    assert replace(PLACES, home="/elsewhere").of(Part.HOME) == "/elsewhere"
