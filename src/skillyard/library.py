"""Skillyard as a library: the commands as functions.

A location is what the command line takes: a skill's directory, a directory of skills, a SKILL.md, a
bundle, or `git:REPO[@REVISION][:PATH]`.
"""

from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import PurePath

from skillyard.application.bundles import (
    LaidOutPackage,
    PackedBundle,
    PackSkill,
    get_only_package,
    new_skill,
    pack_skill,
    unpack_skill,
)
from skillyard.application.check import CheckedSkill, CheckSkills, check_skills
from skillyard.application.fix import FixedFile, apply_fix, plan_fixes
from skillyard.application.profiles import parse_profile
from skillyard.bootstrap import open_shelf, open_source
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import UnknownFormError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.names import parse_name
from skillyard.domain.package import Package
from skillyard.skillmd.bundles import WRITTEN_ENDINGS, find_form_to_write
from skillyard.skillmd.check import Judgement

Location = str | PathLike[str]


def check(
    location: Location, *, profile: str = "standard", limits: Limits = STANDARD
) -> Iterator[CheckedSkill]:
    """Yield every skill at `location` with everything that was found about it.

    Raises:
        InvalidProfileError: There is no such profile.
        MissingPathError: There is no skill at the location.
    """
    chosen = parse_profile(profile)
    wish = CheckSkills(
        judgement=Judgement(profile=chosen.profile, limits=limits), client=chosen.client
    )
    return check_skills(wish, source=open_source(fspath(location), limits=limits))


def read_package(location: Location, *, limits: Limits = STANDARD) -> Package:
    """Read the one package at `location` into memory.

    Raises:
        InvalidPackageError: Something in it was refused; the error carries every diagnostic.
        MissingPathError: There is no package, or several.
    """
    found = get_only_package(open_source(fspath(location), limits=limits))
    return found.taken.require(found.location)


def digest(location: Location, *, limits: Limits = STANDARD) -> TreeDigest:
    """Compute the digest of the one package at `location`."""
    return read_package(location, limits=limits).digest()


def fix(
    location: Location, *, profile: str = "standard", dry_run: bool = False
) -> tuple[FixedFile, ...]:
    """Repair the SKILL.md files at `location`; give those that were, or would be, changed.

    Raises:
        DriftError: A file was changed while it was being repaired.
    """
    judgement = Judgement(profile=parse_profile(profile).profile)
    planned = plan_fixes(open_source(fspath(location)), judgement=judgement)
    changed = tuple(one for one in planned if one.is_changed)
    if not dry_run:
        shelf = open_shelf()
        for one in changed:
            apply_fix(one, shelf=shelf)
    return changed


def pack(location: Location, target: Location, *, replace: bool = False) -> PackedBundle:
    """Write the one package at `location` as the file `target`; its ending chooses the form.

    Raises:
        UnknownFormError: The ending says nothing.
        TargetExistsError: `target` exists, and `replace` is not set.
    """
    path = PurePath(target)
    form = find_form_to_write(path.name)
    if form is None:
        raise UnknownFormError(str(path), known=WRITTEN_ENDINGS)
    wish = PackSkill(target=path, form=form, replace=replace)
    return pack_skill(wish, source=open_source(fspath(location)), shelf=open_shelf())


def unpack(location: Location, target: Location | None = None) -> LaidOutPackage:
    """Lay the one package at `location` out as the directory `target`.

    Raises:
        InvalidPackageError: Something in it was refused; nothing was written.
        TargetExistsError: `target` exists and is not empty.
    """
    path = PurePath(target) if target is not None else None
    return unpack_skill(open_source(fspath(location)), path, shelf=open_shelf())


def new(
    name: str, *, to: Location = ".", description: str | None = None, directory: bool = False
) -> LaidOutPackage:
    """Start a skill in a directory of its name below `to`.

    Raises:
        InvalidNameError: `name` is no name for a new skill.
        TargetExistsError: The directory exists and is not empty.
    """
    skill = parse_name(name, new=True)
    return new_skill(
        skill,
        PurePath(to) / skill,
        description=description,
        directory=directory,
        shelf=open_shelf(),
    )
