"""Write skills of the store as files: bundles, and plain directories.

- What is written is a function of the version and of the facts that the form carries, so that the
  same version gives the same bytes on every machine and in every store.
- Archives hold the package and nothing else. Portable JSON also says what the store knows of the
  skill. So does the manifest.json of a plain directory, where the package has none of its own.
- Assignments stay: they say something about the place, not about the skill.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Final

from skillyard.application.catalogue import read_package_of, read_skill
from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.store import Store
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import TargetExistsError
from skillyard.domain.limits import PRESETS, Limits
from skillyard.domain.manifest import Manifest, SidecarManifest
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import MANIFEST_JSON, iter_collisions
from skillyard.domain.skill import Skill, SkillVersion
from skillyard.domain.version import Version
from skillyard.skillmd.bundles import BundleFacts, Form, render_bundle
from skillyard.skillmd.check import check_package
from skillyard.skillmd.sidecar import GENERATOR, render_sidecar

_ENDINGS: Final = {Form.ZIP: ".zip", Form.TAR_GZ: ".tar.gz", Form.JSON: ".json", None: ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSkill:
    """The wish to write a skill, at one of its versions, as `target`.

    Without a form it becomes a plain directory. `inside` makes `target` the directory in which the
    file, or the directory, gets the skill's name. `replace` is about files: a directory that holds
    anything is never replaced.
    """

    reference: str
    target: PurePath
    form: Form | None = None
    inside: bool = False
    version: Version | None = None
    replace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedSkill:
    """A skill that was written, or would be; `digest` is its package's, `size` that of all files.

    `generated` are the files that are no part of the package.
    """

    reference: str
    version: Version
    digest: TreeDigest
    form: Form | None
    target: PurePath
    size: int
    files: tuple[str, ...]
    generated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    """A skill at one of its versions, as the store keeps it."""

    skill: Skill
    version: SkillVersion
    package: Package


def export_skills(
    wishes: Sequence[ExportSkill], *, store: Store, shelf: Shelf, dry_run: bool = False
) -> Iterator[ExportedSkill]:
    """Write skills, each as it is asked for; a dry run writes nothing.

    Before the first is written, all are looked up, and all places are looked at.

    Raises:
        SkillNotFoundError: There is no such skill.
        VersionNotFoundError: It has no such version.
        TargetExistsError: Something is there, and is not to be replaced; or two go to one place.
        CorruptedContentError: The stored bytes are not the ones that were saved.
    """
    targets = [_find_target(wish, store) for wish in wishes]
    _require_free(wishes, targets, shelf)
    for wish, target in zip(wishes, targets, strict=True):
        kept = _read(wish.reference, store, wish.version)
        yield _export(kept, wish, target, None if dry_run else shelf)


def render_export(
    reference: str, form: Form, *, store: Store, version: Version | None = None
) -> bytes:
    """Give a skill as the bytes of one file.

    Raises:
        SkillNotFoundError: There is no such skill.
        VersionNotFoundError: It has no such version.
    """
    return _render(_read(reference, store, version), form)


def _find_target(wish: ExportSkill, store: Store) -> PurePath:
    details = read_skill(wish.reference, store=store, version=wish.version)
    if not wish.inside:
        return wish.target
    return wish.target / f"{details.skill.slug}{_ENDINGS[wish.form]}"


def _require_free(wishes: Sequence[ExportSkill], targets: Sequence[PurePath], shelf: Shelf) -> None:
    seen: set[PurePath] = set()
    for wish, target in zip(wishes, targets, strict=True):
        if target in seen:
            raise TargetExistsError(str(target), hint="Two skills would go there: write them apart")
        seen.add(target)
        if wish.form is None or not wish.replace:
            shelf.require_free(target, directory=wish.form is None)


def _read(reference: str, store: Store, version: Version | None) -> _Kept:
    return _Kept(*read_package_of(reference, store=store, version=version))


def _export(kept: _Kept, wish: ExportSkill, target: PurePath, shelf: Shelf | None) -> ExportedSkill:
    if wish.form is None:
        laid = lay_out(kept.skill, kept.version, kept.package)
        size = laid.size
        if shelf is not None:
            shelf.put_package(laid, target)
    else:
        laid = kept.package
        content = _render(kept, wish.form)
        size = len(content)
        if shelf is not None:
            shelf.put_file(content, target, replace=wish.replace)
    return ExportedSkill(
        reference=kept.skill.reference,
        version=kept.version.version,
        digest=kept.version.digest,
        form=wish.form,
        target=target,
        size=size,
        files=tuple(laid.files),
        generated=tuple(path for path in laid.files if path not in kept.package.files),
    )


def _render(kept: _Kept, form: Form) -> bytes:
    return render_bundle(kept.package, form, about=_about(kept))


def _about(kept: _Kept) -> BundleFacts:
    facts, manifest = kept.skill.facts, _manifest(kept)
    return BundleFacts(
        slug=kept.skill.slug,
        display_name=facts.display_name,
        description=manifest.description,
        category=facts.category,
        tags=facts.tags,
        version=str(kept.version.version),
        requires_tools=facts.requires_tools,
        created_at=render_moment(kept.version.created_at),
        author=manifest.author,
        digest=str(kept.version.digest),
    )


def _manifest(kept: _Kept) -> Manifest:
    said = check_package(kept.package).manifest
    return said or Manifest(name=kept.skill.slug, description=kept.skill.facts.description)


def lay_out(skill: Skill, version: SkillVersion, package: Package) -> Package:
    """Give the files of a plain directory: the package's, and a manifest.json if it has none.

    That file is left out where some file system would take it for another one, and where a package
    that is within the limits would no longer be.
    """
    if any(iter_collisions((*package.files, MANIFEST_JSON))):
        return package
    sidecar = PackageFile(render_sidecar(_state(_Kept(skill, version, package))))
    laid = Package.from_checked((dict(package.files) | {MANIFEST_JSON: sidecar}).items())
    fits = all(_fits(laid, one) for one in PRESETS.values() if _fits(package, one))
    return laid if fits else package


def _fits(package: Package, limits: Limits) -> bool:
    return len(package.files) <= limits.package_files and package.size <= limits.package_bytes


def _state(kept: _Kept) -> SidecarManifest:
    facts = kept.skill.facts
    # When this content was made is all that another store can know, and so say again.
    made = render_moment(kept.version.created_at)
    return SidecarManifest(
        name=kept.skill.slug,
        version=str(kept.version.version),
        description=_manifest(kept).description,
        confidence=facts.confidence,
        author=facts.author,
        agents=facts.agents,
        tags=facts.tags,
        created=made,
        updated=made,
        requires=facts.requires,
        generator=GENERATOR,
        digest=str(kept.version.digest),
    )


def render_moment(moment: datetime) -> str:
    """Write a moment in ISO 8601, in UTC and whole milliseconds."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"
