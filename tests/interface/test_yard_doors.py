"""Through which door a change came, as the log of changes tells."""

from pathlib import Path

import pytest

from skillyard.application.editing import CreateSkill
from skillyard.domain.skill import Door
from skillyard.yard import Skillyard

WISH = CreateSkill(slug="pdf", description="Fills in forms.", content="Fill.\n")


@pytest.mark.requirement("STO-7")
def test_what_a_program_changes_came_through_the_api(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path, actor="ada") as yard:
        saved = yard.create(WISH)
        (entry,) = yard.audit()

    assert (entry.actor, entry.door) == ("ada", "api")
    assert saved.skill.provenance.door is Door.API


@pytest.mark.requirement("STO-7")
@pytest.mark.parametrize("door", [Door.CLI, Door.MCP])
def test_an_interface_names_its_own_door(tmp_path: Path, door: Door) -> None:
    said = {"home": str(tmp_path), "actor": "ada"}
    with Skillyard.from_settings(overrides=said, door=door) as yard:
        yard.create(WISH)

        assert [one.door for one in yard.audit()] == [door]
