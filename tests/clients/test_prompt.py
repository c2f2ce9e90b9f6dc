"""What each real client tells the model of its skills, seen at a model of ours on this machine."""

from pathlib import Path

import pytest

from skillyard.domain.delivery import NoteKind
from skillyard.domain.run import Run
from skillyard.providers.catalogue import ListedSkill, foretell_catalogue
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.check import check_package
from tests.clients.prompting import PROMPTS, Told, list_told
from tests.clients.running import MOST_SECONDS, run_in
from tests.clients.stub import stub
from tests.clients.trees import compare, look_at
from tests.clients.worlds import (
    AGENT,
    BY_PEOPLE_ONLY,
    CONTENTS,
    CROWD,
    CROWDED,
    DELIVERED,
    World,
    fill_crowd,
    poison_local,
    poison_project,
)

pytestmark = [
    pytest.mark.timeout(MOST_SECONDS + 60),
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1"]),
]

every_client = pytest.mark.parametrize("client", CLIENTS)


def prompt(
    world: World, client: str, mode: str, scratch: Path, *, agent: str = AGENT
) -> tuple[Run, list[Told]]:
    """Let a client send one prompt, and give the skills that the model was told of."""
    asks = PROMPTS[client]
    with stub() as model:
        ran = run_in(
            world,
            client,
            asks.command(model),
            mode=mode,
            scratch=scratch,
            environment=asks.environment(model),
            agent=agent,
        )
        assert model.heard
        own = set(CLIENTS[client].delivery.bundled)
        return ran.run, [one for one in list_told(model, asks) if one.name not in own]


@pytest.mark.requirement("DEL-1", "DEL-6", "DEL-7", "DEL-8")
@every_client
def test_the_model_is_told_of_exactly_the_resolved_skills(
    client: str, world: World, tmp_path: Path
) -> None:
    before = look_at(world.top, without=[world.yard])

    run, told = prompt(world, client, "worktree", tmp_path)

    ignored = {one.slug for one in run.notes if one.kind is NoteKind.IGNORED}
    assert ignored == ({BY_PEOPLE_ONLY} if client == "gemini-cli" else set())
    shown = (DELIVERED - {BY_PEOPLE_ONLY}) | ignored
    assert sorted((one.name, one.description) for one in told) == sorted(
        (name, description_of(name)) for name in shown
    )
    assert compare(before, look_at(world.top, without=[world.yard])) == []


@pytest.mark.requirement("DEL-5")
@pytest.mark.parametrize("mode", ["copy", "worktree"])
@every_client
def test_settings_of_the_project_neither_add_nor_forbid_skills(
    client: str, mode: str, own_world: World, tmp_path: Path
) -> None:
    poison_project(own_world)
    if mode == "copy":
        poison_local(own_world)
    before = look_at(own_world.top, without=[own_world.yard])

    run, told = prompt(own_world, client, mode, tmp_path)

    ignored = {one.slug for one in run.notes if one.kind is NoteKind.IGNORED}
    assert {one.name for one in told} == (DELIVERED - {BY_PEOPLE_ONLY}) | ignored
    assert run.workspace_ref == ""
    assert compare(before, look_at(own_world.top, without=[own_world.yard])) == []


@pytest.mark.requirement("DEL-5")
def test_claude_code_reads_local_settings_of_the_main_work_tree_and_that_is_told(
    own_world: World, tmp_path: Path
) -> None:
    poison_local(own_world)

    run, told = prompt(own_world, "claude-code", "worktree", tmp_path)

    assert told == []
    (note,) = [one.message for one in run.notes if one.kind is NoteKind.ALSO_SEEN]
    assert note.startswith(f"{own_world.project}/.claude/settings.local.json directs which skills")


@pytest.mark.requirement("DEL-5")
@every_client
def test_in_place_the_model_is_told_what_was_foretold(
    client: str, own_world: World, tmp_path: Path
) -> None:
    home = look_at(own_world.home, without=[own_world.yard, own_world.project])

    run, told = prompt(own_world, client, "in-place", tmp_path)

    also_seen = {one.slug for one in run.notes if one.kind is NoteKind.ALSO_SEEN}
    ignored = {one.slug for one in run.notes if one.kind is NoteKind.IGNORED}
    expected = (DELIVERED - {BY_PEOPLE_ONLY}) | ignored | also_seen
    assert sorted(one.name for one in told) == sorted(expected)
    ours = {name: description_of(name) for name in expected - also_seen}
    assert {one.name: one.description for one in told if one.name not in also_seen} == ours
    assert compare(home, look_at(own_world.home, without=[own_world.yard, own_world.project])) == []


@pytest.mark.requirement("DEL-9")
@every_client
def test_a_crowded_list_is_cut_as_it_was_foretold(
    client: str, world: World, tmp_path: Path
) -> None:
    fill_crowd(world)

    run, told = prompt(world, client, "empty", tmp_path, agent=CROWDED)

    order = [one.slug for one in run.skills]
    assert sorted(order) == sorted(CROWD)
    listed = [ListedSkill(one, one, CROWD[one]) for one in order]
    foretold = foretell_catalogue(CLIENTS[client], listed)
    expected = {
        one.skill.name: one.description for one in foretold.entries if one.description is not None
    }
    assert {one.name: one.description for one in told} == expected
    cut = {one.slug for one in run.notes if one.kind in (NoteKind.SHORTENED, NoteKind.CUT)}
    assert cut == {one.skill.name for one in foretold.entries if not one.is_whole}


def description_of(name: str) -> str:
    """Give the description that a delivered skill states."""
    manifest = check_package(CONTENTS[name]).manifest
    assert manifest is not None
    return manifest.description
