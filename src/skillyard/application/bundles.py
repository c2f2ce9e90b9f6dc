"""Pack a package into a file, and lay one out as a directory."""

from dataclasses import dataclass
from pathlib import PurePath

from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.source import FoundPackage, SkillSource
from skillyard.domain.diagnostic import Diagnostic, has_errors
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidPackageError, MissingPathError
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


def pack_skill(
    source: SkillSource,
    target: PurePath,
    *,
    form: Form,
    shelf: Shelf | None,
    replace: bool = False,
    judgement: Judgement = STANDARD_JUDGEMENT,
) -> PackedBundle:
    """Write the one package of `source` as the file `target`; without a shelf, only plan it.

    The same package gives the same bytes, whenever and wherever it is packed.

    Raises:
        InvalidPackageError: The package holds what no package may hold.
        TargetExistsError: `target` exists, and `replace` is not set.
    """
    found = get_only_package(source)
    checked = require_sound(found, judgement)
    package = checked.package
    content = render_bundle(package, form, about=_about(checked, found))
    if shelf is not None:
        shelf.put_file(content, target, replace=replace)
    return PackedBundle(
        target=target,
        form=form,
        digest=package.digest(),
        size=len(content),
        files=tuple(package.files),
        diagnostics=checked.diagnostics,
    )


def unpack_skill(
    source: SkillSource,
    target: PurePath | None,
    *,
    shelf: Shelf | None,
    judgement: Judgement = STANDARD_JUDGEMENT,
) -> LaidOutPackage:
    """Lay the one package of `source` out as the directory `target`; without a shelf, only plan.

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
    return _lay_out(checked, target, shelf)


def new_skill(
    name: SkillName,
    target: PurePath,
    *,
    description: str | None,
    directory: bool,
    shelf: Shelf | None,
) -> LaidOutPackage:
    """Make a new skill that passes the strict profile.

    Raises:
        InvalidPackageError: The description cannot be used.
        TargetExistsError: `target` exists and is not empty.
    """
    text = default_description(name) if description is None else description
    package = make_new_skill(name, description=text, directory=directory)
    strict = Judgement(profile=Profile.STRICT)
    checked = check_package(package, directory=name, judgement=strict)
    if not checked.is_valid:
        raise InvalidPackageError(str(target), checked.diagnostics)
    return _lay_out(checked, target, shelf)


def _lay_out(checked: CheckedPackage, target: PurePath, shelf: Shelf | None) -> LaidOutPackage:
    if shelf is not None:
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
                found.location,
                reason="is one of several skills there",
                hint="Name the directory of one skill",
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
    checked = check_package(
        found.taken.package,
        directory=found.directory,
        judgement=judgement,
        earlier=found.taken.diagnostics,
    )
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
