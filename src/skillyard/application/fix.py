"""Repair the SKILL.md files of a source."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.source import FoundPackage, SkillSource
from skillyard.domain.errors import NotFixableError
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd.check import Judgement
from skillyard.skillmd.fix import FixedSkill, fix_skill_md


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedFile:
    """One SKILL.md before and after its repairs; equal where there was nothing to repair."""

    found: FoundPackage
    before: bytes
    after: FixedSkill

    @property
    def path(self) -> PurePath:
        """Where the file is, as the user would name it; not for opening it."""
        return PurePath(self.found.location) / SKILL_MD

    @property
    def is_changed(self) -> bool:
        """Whether anything was repaired."""
        return self.before != self.after.content


def plan_fixes(source: SkillSource, *, judgement: Judgement) -> Iterator[FixedFile]:
    """Work out the repairs of each package that has a SKILL.md; write nothing."""
    for found in source.iter_packages():
        before = found.taken.package.skill_md
        if before is not None:
            # A repair is written where a link leads to, and that has a name of its own.
            directory = None if found.is_alias else found.directory
            after = fix_skill_md(found.taken.package, directory=directory, judgement=judgement)
            yield FixedFile(found=found, before=before, after=after)


def apply_fix(fixed: FixedFile, *, shelf: Shelf) -> None:
    """Write one repaired SKILL.md.

    Raises:
        DriftError: The file was changed since it was read, or another one took its place.
        NotFixableError: There is no file, because the package came from a bundle or from git.
    """
    if not fixed.is_changed:
        return
    if fixed.found.path is None:
        raise NotFixableError(fixed.found.location)
    shelf.replace_file(
        PurePath(fixed.found.path) / SKILL_MD,
        expected=fixed.before,
        content=fixed.after.content,
        identity=fixed.found.identity,
    )
