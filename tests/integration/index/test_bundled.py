"""The skills that come with the program."""

import shutil
from pathlib import Path

import pytest

from skillyard.adapters.fs.packages import DiskPackages
from skillyard.adapters.index.roots import BUNDLED, list_roots
from skillyard.application.check import CheckSkills, check_skills
from skillyard.application.discover import add_digest
from skillyard.application.ports.discovery import Root
from skillyard.bootstrap import open_source
from skillyard.domain.resolution import Layer
from skillyard.skillmd.check import Judgement
from skillyard.skillmd.rules import Profile
from tests.integration.index.looking import HereCommands, discover, slugs


def test_they_pass_the_strictest_check_without_any_finding() -> None:
    wish = CheckSkills(judgement=Judgement(profile=Profile.STRICT, strict_tree=True))

    checked = list(check_skills(wish, source=open_source(str(BUNDLED))))

    assert [one.found.directory for one in checked] == ["gh", "hello-world", "skill-authoring"]
    assert [one.checked.diagnostics for one in checked] == [(), (), ()]


@pytest.mark.requirement("SRC-1")
def test_they_are_found_wherever_one_is() -> None:
    discovered = discover(*list_roots())

    assert slugs(discovered) == ["gh", "hello-world", "skill-authoring"]
    assert {one.layer for one in discovered.candidates} == {Layer.BUNDLED}
    assert discovered.findings == ()


@pytest.mark.requirement("SRC-6")
def test_the_one_that_needs_a_command_says_when_it_is_missing() -> None:
    assert [one.missing_commands for one in discover(*list_roots()).candidates] == [("gh",), (), ()]
    there = discover(*list_roots(), commands=HereCommands("gh"))
    assert [one.missing_commands for one in there.candidates] == [(), (), ()]


def test_they_can_be_read_although_an_installer_shares_their_files(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(BUNDLED, tmp_path / "cache")
    shutil.copytree(tmp_path / "cache", copy, copy_function=lambda a, b: Path(b).hardlink_to(a))
    roots = [Root(Layer.BUNDLED, str(copy))]

    candidates = discover(*roots).candidates

    digests = [
        add_digest(one, roots=roots, packages=DiskPackages()).offered.digest for one in candidates
    ]
    assert len(set(digests)) == 3
    assert None not in digests
