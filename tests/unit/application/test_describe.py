"""What a directory's SKILL.md and manifest.json make of a skill."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.application.describe import describe_skill
from skillyard.application.stated import state_facts
from skillyard.domain.diagnostic import Severity
from skillyard.domain.limits import STANDARD
from skillyard.domain.manifest import Confidence
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.intake import take_in_files
from skillyard.skillmd.rules import Profile
from skillyard.testing.packages import make_skill_md

LINES = st.sampled_from(
    [
        "name: pdf",
        "name: PDF Forms",
        "description: Fills in forms.",
        "description: 'a: b'",
        "description: caf\u00e9",
        'description: "\\u202e"',
        "description: >-\n  two\n  lines",
        "version: 1.2",
        "tags: [a, B]",
        "category: ops",
        "unknown: 1",
        "metadata:\n  requires: gh gh docker\n  version: '3'",
        "[broken",
        "disable-model-invocation: true",
    ]
)


@given(st.lists(LINES, max_size=5, unique=True))
def test_a_plain_skill_is_described_as_a_full_check_would(lines: list[str]) -> None:
    text = "---\n" + "\n".join(lines) + "\n---\nInstructions.\n"
    taken = take_in_files({"SKILL.md": text})

    described = describe_skill(taken, "pdf")

    checked = check_package(
        taken.package, directory="pdf", judgement=Judgement(profile=Profile.LENIENT)
    )
    manifest = checked.manifest
    assert described.facts == (state_facts(manifest) if manifest else None)
    assert described.slug == (manifest.name if manifest else "")
    assert described.characters == len(text)
    if any(one.severity is Severity.WARNING for one in described.diagnostics):
        assert described.diagnostics == checked.diagnostics


@pytest.mark.parametrize(
    "text",
    [
        make_skill_md("pdf", description="caf\u00e9 \u202e"),
        make_skill_md("pdf", description="x" * 1025),
        make_skill_md("zip"),
        "---\nname: PDF\ndescription: x\n---\nx\n",
        "---\nname: pdf\ndescription: [x\n---\nx\n",
        "---\ndescription: x\n---\nx\n",
    ],
)
def test_what_is_not_plain_is_told_why(text: str) -> None:
    described = describe_skill(take_in_files({"SKILL.md": text}), "pdf")

    assert described.facts is not None
    assert Severity.WARNING in {one.severity for one in described.diagnostics}


@pytest.mark.requirement("DIS-1", "SRC-4")
@pytest.mark.parametrize(
    ("description", "kept"),
    [
        ("word " * 400, "word " * 204 + "…"),
        ("x" * 5_000, "x" * 1_023 + "…"),
        ("x" * 1_024, "x" * 1_024),
        ("a " + "x" * 5_000, "a " + "x" * 1_021 + "…"),
    ],
    ids=["words", "one word", "as long as may be", "a long word"],
)
def test_a_description_that_is_too_long_is_cut_at_a_word(description: str, kept: str) -> None:
    text = make_skill_md("pdf", description=description.strip())

    described = describe_skill(take_in_files({"SKILL.md": text}), "pdf")

    assert described.facts is not None
    assert described.facts.description == kept.replace(" …", "…")
    told = [one.message for one in described.diagnostics]
    cut = "agents are shown the beginning of it"
    assert told == [] if kept == description else told[0].endswith(f"are allowed; {cut}")


@pytest.mark.requirement("SRC-4")
def test_a_display_name_that_is_too_long_is_cut() -> None:
    text = f"---\nname: pdf\ndescription: x\ndisplay-name: {'x' * 500}\n---\nDo.\n"

    described = describe_skill(take_in_files({"SKILL.md": text}), "pdf")

    assert described.facts is not None
    assert described.facts.display_name == "x" * 127 + "…"
    assert described.diagnostics


def test_limits_that_are_set_otherwise_cut_elsewhere() -> None:
    taken = take_in_files({"SKILL.md": make_skill_md("pdf", description="x" * 2_000)})
    limits = replace(STANDARD, description_characters=1_500)

    described = describe_skill(taken, "pdf", limits=limits)

    assert described.facts is not None
    assert len(described.facts.description) == 1_500


def test_nothing_in_somebody_elses_directory_is_an_error() -> None:
    taken = take_in_files({"SKILL.md": b"x" * 100_000, "manifest.json": b"{"})

    described = describe_skill(taken, "pdf")

    assert described.facts is None
    assert {one.severity for one in described.diagnostics} == {Severity.WARNING}


def test_a_sidecar_says_how_far_a_skill_is_proven_and_for_whom() -> None:
    sidecar = '{"confidence": "high", "agents": ["writer"], "version": "4.0.0"}'

    described = describe_skill(
        take_in_files({"SKILL.md": make_skill_md("pdf"), "manifest.json": sidecar}), "pdf"
    )

    assert described.facts is not None
    assert described.facts.confidence is Confidence.HIGH
    assert described.facts.agents == ("writer",)
    assert described.version == "4.0.0"
