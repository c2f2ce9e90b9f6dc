"""What the list of skills shows to the model is what the real programs were seen to show."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.client import Client
from skillyard.domain.delivery import NoteKind
from skillyard.providers.catalogue import ListedSkill, foretell_catalogue
from skillyard.providers.clients import CLIENTS

pytestmark = pytest.mark.requirement("DEL-9")

SEEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "corpus" / "client_catalogues.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("seen", SEEN, ids=lambda one: f"{one['client']}-{one['case']}")
def test_the_list_is_foretold_as_the_program_showed_it(seen: dict[str, Any]) -> None:
    client = CLIENTS[seen["client"]]
    assert seen["version"] == client.version
    skills = [ListedSkill(name, name, unit * count) for name, unit, count, _ in seen["skills"]]

    foretold = foretell_catalogue(client, skills, window=seen["window"])

    shown = [None if one.description is None else len(one.description) for one in foretold.entries]
    assert shown == [length for _, _, _, length in seen["skills"]]


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda one: one.id)
def test_a_few_skills_are_shown_whole(client: Client) -> None:
    skills = [ListedSkill("pdf", "pdf", "Fill in forms."), ListedSkill("csv", "csv", "")]

    foretold = foretell_catalogue(client, skills)

    assert foretold.is_whole
    assert [one.description for one in foretold.entries] == ["Fill in forms.", ""]


@pytest.mark.parametrize("provider", ["gemini-cli", "opencode"])
def test_a_client_without_a_budget_shows_everything(provider: str) -> None:
    skills = [ListedSkill(f"s{number}", f"s{number}", "x" * 1000) for number in range(300)]

    assert foretell_catalogue(CLIENTS[provider], skills).is_whole


def test_every_description_that_is_not_whole_has_a_note() -> None:
    skills = [ListedSkill(f"s{number:02}", f"s{number:02}", "x" * 900) for number in range(12)]

    claude = foretell_catalogue(CLIENTS["claude-code"], skills, window=100_000)
    codex = foretell_catalogue(CLIENTS["codex"], skills, window=100_000)
    tiny = foretell_catalogue(CLIENTS["codex"], skills, window=1_000)

    assert [(one.kind, one.slug) for one in claude.notes] == [
        (NoteKind.CUT, f"s{number:02}") for number in range(4, 12)
    ]
    assert claude.notes[0].message == (
        "Claude Code shows the model its name only, because the list of all skills takes more than "
        "4,000 characters"
    )
    assert codex.notes[0].kind is NoteKind.SHORTENED
    assert codex.notes[0].message == (
        "Codex shows the model 636 of the 900 characters of its description, because the list of "
        "all skills takes more than 2,000 tokens"
    )
    assert tiny.notes[-1].message == (
        "Codex does not list it, because the list of all skills takes more than 20 tokens"
    )


def test_in_claude_code_the_important_ones_survive_whatever_they_are_called() -> None:
    skills = [ListedSkill(name, name, "x" * 1500) for name in "zyxwvutsr"]

    foretold = foretell_catalogue(CLIENTS["claude-code"], skills)

    assert [one.skill.name for one in foretold.entries if one.description] == list("zyxwv")


skills_of_any_kind = st.lists(
    st.builds(
        lambda name, description: ListedSkill(name, name, description),
        st.text("abc", min_size=1, max_size=12),
        st.text(st.characters(codec="utf-8"), max_size=60),
    ),
    max_size=12,
    unique_by=lambda one: one.name,
)


@given(skills_of_any_kind, st.sampled_from(list(CLIENTS.values())), st.integers(1, 20_000))
def test_what_is_shown_is_the_start_of_what_was_written(
    skills: list[ListedSkill], client: Client, window: int
) -> None:
    foretold = foretell_catalogue(client, skills, window=window)

    assert [one.skill for one in foretold.entries] == skills
    for one in foretold.entries:
        assert one.description is None or one.skill.description.startswith(one.description)
    missing = {one.skill.directory for one in foretold.entries if not one.is_whole}
    assert {note.slug for note in foretold.notes} == missing
