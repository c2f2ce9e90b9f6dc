"""Pack a package into a file, and lay one out as a directory."""

from dataclasses import dataclass
from pathlib import PurePath

from skillyard.application.check import check_found
from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.source import FoundPackage, SkillSource
from skillyard.domain.diagnostic import Diagnostic, has_errors
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    InvalidDescriptionError,
    InvalidPackageError,
    MissingPathError,
)
from skillyard.domain.manifest import Manifest
from skillyard.domain.names import SkillName, is_name, sanitize_name
from skillyard.skillmd import rules
from skillyard.skillmd.bundles import BundleFacts, Form, render_bundle
from skillyard.skillmd.check import (
    STANDARD_JUDGEMENT,
    CheckedPackage,
    Judgement,
    check_package,
)
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.template import default_description, make_new_skill


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedBundle:
    """A bundle that was written, or would be."""

    target: PurePath
    form: Form
    digest: TreeDigest
    size: int
    files: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOutPackage:
    """A directory that was made, or would be."""

    target: PurePath
    name: str | None
    digest: TreeDigest
    files: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSkill:
    """The wish to write a package as the file `target`; a dry run writes nothing."""

    target: PurePath
    form: Form
    replace: bool = False
    dry_run: bool = False
    judgement: Judgement = STANDARD_JUDGEMENT


def pack_skill(wish: PackSkill, *, source: SkillSource, shelf: Shelf) -> PackedBundle:
    """Write the one package of `source` as one file.

    The same package gives the same bytes, whenever it is packed.

    Raises:
        InvalidPackageError: The package holds what no package may hold.
        TargetExistsError: The target exists, and is not to be replaced.
    """
    found = get_only_package(source)
    checked = require_sound(found, wish.judgement)
    package = checked.package
    content = render_bundle(package, wish.form, about=_about(checked, found))
    if not wish.dry_run:
        shelf.put_file(content, wish.target, replace=wish.replace)
    elif not wish.replace:
        shelf.require_free(wish.target, directory=False)
    return PackedBundle(
        target=wish.target,
        form=wish.form,
        digest=package.digest(),
        size=len(content),
        files=tuple(package.files),
        diagnostics=checked.diagnostics,
    )


def unpack_skill(
    source: SkillSource,
    target: PurePath | None,
    *,
    shelf: Shelf,
    dry_run: bool = False,
    judgement: Judgement = STANDARD_JUDGEMENT,
) -> LaidOutPackage:
    """Lay the one package of `source` out as the directory `target`; a dry run writes nothing.

    What is refused on the way in is never written; what is merely badly written is: a skill that
    needs repair has to be on a disk to be repaired. Without a target, the directory has the name of
    the skill and stands in the working directory.

    Raises:
        InvalidPackageError: Something in the bundle was refused.
        TargetExistsError: `target` exists and is not empty.
    """
    found = get_only_package(source)
    checked = require_sound(found, judgement)
    target = target or PurePath(_directory_for(checked, found.location))
    return _lay_out(checked, target, shelf, dry_run=dry_run)


def new_skill(
    name: SkillName,
    target: PurePath,
    *,
    description: str | None,
    directory: bool,
    shelf: Shelf,
    dry_run: bool = False,
) -> LaidOutPackage:
    """Make a new skill that passes the strict profile.

    Raises:
        InvalidDescriptionError: The description cannot be used.
        TargetExistsError: `target` exists and is not empty.
    """
    text = default_description(name) if description is None else description
    package = make_new_skill(name, description=text, directory=directory)
    strict = Judgement(profile=Profile.STRICT)
    checked = check_package(package, directory=name, judgement=strict)
    if checked.diagnostics:
        raise InvalidDescriptionError(checked.diagnostics[0].message)
    return _lay_out(checked, target, shelf, dry_run=dry_run)


def _lay_out(
    checked: CheckedPackage, target: PurePath, shelf: Shelf, *, dry_run: bool
) -> LaidOutPackage:
    if dry_run:
        shelf.require_free(target, directory=True)
    else:
        shelf.put_package(checked.package, target)
    return LaidOutPackage(
        target=target,
        name=checked.manifest.name if checked.manifest else None,
        digest=checked.package.digest(),
        files=tuple(checked.package.files),
        diagnostics=checked.diagnostics,
    )


def get_only_package(source: SkillSource) -> FoundPackage:
    """Give the one package of `source`.

    Raises:
        MissingPathError: There are several.
    """
    found = None
    for one in source.iter_packages():
        if found is not None:
            raise MissingPathError(
                PurePath(found.location).parent.as_posix(),
                reason="holds several skills",
                hint=f"Name one of them, such as `{found.location}`",
            )
        found = one
    if found is None:
        raise MissingPathError("", reason="holds no skill")
    return found


def require_sound(found: FoundPackage, judgement: Judgement) -> CheckedPackage:
    """Judge a package whose files can be laid out anywhere.

    What its author can repair in SKILL.md does not keep a package from being packed: the findings
    are in the result. Files that no package may hold do.

    Raises:
        InvalidPackageError: The tree or the bundle has errors, or there is no SKILL.md.
    """
    checked = check_found(found, judgement)
    unsound = [one for one in checked.diagnostics if one.code.startswith(_UNSOUND)]
    if has_errors(unsound):
        raise InvalidPackageError(found.location, unsound)
    return checked


_UNSOUND = ("SY3", "SY4", rules.SKILL_MD_MISSING.code, rules.SKILL_MD_MISNAMED.code)


def _directory_for(checked: CheckedPackage, location: str) -> str:
    manifest = checked.manifest
    if manifest and is_name(manifest.name):
        return manifest.name
    # A name that was not checked never becomes part of a path.
    offered = manifest.name if manifest else PurePath(location).name.split(".")[0]
    return sanitize_name(offered) or "skill"


def _about(checked: CheckedPackage, found: FoundPackage) -> BundleFacts:
    name = _directory_for(checked, found.location)
    manifest = checked.manifest or Manifest(name=name, description="")
    return BundleFacts(
        display_name=manifest.display_name or manifest.name,
        slug=name,
        description=manifest.description,
        category=manifest.category,
        tags=manifest.tags,
        version=manifest.version,
        requires_tools=manifest.requires_tools,
        created_at=None,
        author=manifest.author,
        wrapper=None,
    )
