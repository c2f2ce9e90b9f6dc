"""What each real client lists in a run is what was resolved, and nothing else is touched.

The home, the project and every directory above are full of skills with the same names; see
`tests/clients/worlds.py`.
"""

from pathlib import Path

import pytest

from skillyard.domain.delivery import NoteKind, Part
from skillyard.providers.clients import CLIENTS
from tests.clients.running import MOST_SECONDS, Asked, Ran, ask
from tests.clients.trees import compare, look_at
from tests.clients.worlds import (
    BY_PEOPLE_ONLY,
    CONTENTS,
    DELIVERED,
    NAMES,
    UNPROVEN,
    World,
)

pytestmark = pytest.mark.timeout(MOST_SECONDS + 60)

APART = ("empty", "copy", "worktree")
"""The modes in which a run sees nothing but its own skills."""

every_client = pytest.mark.parametrize("client", CLIENTS)


@pytest.mark.requirement("DEL-1", "DEL-4", "DEL-5", "DEL-7", "DEL-13")
@pytest.mark.parametrize("mode", APART)
@every_client
def test_a_client_lists_exactly_the_resolved_skills_and_leaves_all_else_alone(
    client: str, mode: str, world: World, tmp_path: Path
) -> None:
    before = look_at(world.top, without=[world.yard])

    asked = ask(world, client, mode, tmp_path)

    assert asked.ran.run.provider == client
    assert {one.slug for one in asked.ran.run.skills} == NAMES
    assert_lists_what_was_delivered(asked)
    assert_content_is_as_delivered(asked.ran)
    assert_only_known_skills_are_built_in(asked, client)
    assert compare(before, look_at(world.top, without=[world.yard])) == []


def assert_lists_what_was_delivered(asked: Asked) -> None:
    assert [one.name for one in asked.own] == sorted(DELIVERED)
    places = {one.slug: str(asked.ran.directory_of(one)) for one in asked.ran.run.skills}
    # Claude Code does not say where a skill stands that only people start.
    told = {one.name: one.directory for one in asked.own if one.directory}
    assert told == {name: places[name] for name in told}
    assert told.keys() >= DELIVERED - {BY_PEOPLE_ONLY}
    assert [one.description for one in asked.own if "DECOY" in one.description] == []


def assert_content_is_as_delivered(ran: Ran) -> None:
    """Everything that stands there is what the record says, and what was to be delivered."""
    run = ran.run
    laid_out = {one.slug: ran.read(one) for one in run.skills}
    assert {name: one.digest() for name, one in laid_out.items()} == {
        one.slug: one.delivered for one in run.skills
    }
    altered = {note.slug for note in run.notes if note.kind is NoteKind.ALTERED}
    assert altered <= {BY_PEOPLE_ONLY}
    for name in NAMES - altered:
        assert laid_out[name] == CONTENTS[name]
    assert [one.slug for one in run.skills if one.part is Part.PRIVATE] == [UNPROVEN]
    assert run.changes == ()


def assert_only_known_skills_are_built_in(asked: Asked, client: str) -> None:
    built_in = {one.name for one in asked.listed if one.built_in}
    assert built_in <= set(CLIENTS[client].delivery.bundled)
