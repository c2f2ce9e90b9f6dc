"""Make a skill from texts, and change single files of one; each change is a new version."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from skillyard.application.lookup import get_skill, get_version
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.store import Store
from skillyard.application.save import SavedSkill, SaveSkill, save_skill
from skillyard.application.settling import settle
from skillyard.domain.errors import (
    InvalidInputError,
    SkillFileNotFoundError,
    SkillNotFoundError,
    StaleWriteError,
)
from skillyard.domain.facts import NO_CHANGES, FactChanges, require_encodable, require_storable
from skillyard.domain.names import parse_name
from skillyard.domain.package import Package, PackageFile, to_file
from skillyard.domain.paths import SKILL_MD, show_path
from skillyard.domain.skill import Actor, Skill
from skillyard.domain.version import Version
from skillyard.skillmd.check import STANDARD_JUDGEMENT, Judgement
from skillyard.skillmd.compose import add_front_matter, describe_package
from skillyard.skillmd.intake import take_in_files
from skillyard.skillmd.sidecar import take_off_exported

FilesToPut = Mapping[str, PackageFile | bytes | str]
NOTHING: Final[FilesToPut] = MappingProxyType({})


def _nothing() -> FilesToPut:
    return NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateSkill:
    """The wish to make a skill from a text and, perhaps, files beside it.

    A text without front matter gets one from `slug` and `description`.
    """

    slug: str
    content: str
    description: str = ""
    files: FilesToPut = field(default_factory=_nothing)
    version: Version | None = None
    message: str = ""
    changes: FactChanges = NO_CHANGES
    judgement: Judgement = STANDARD_JUDGEMENT


def create_skill(
    wish: CreateSkill,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> SavedSkill:
    """Make a new skill.

    Raises:
        InvalidNameError: The slug is none for a new skill.
        InvalidFactError: A text holds what no text can hold.
        InvalidPackageError: The files cannot be a skill.
        InvalidInputError: The manifest.json of an export is to be a file of the skill.
        SlugTakenError: There is a skill of that slug.
    """
    slug = parse_name(wish.slug, new=True)
    require_storable("description", wish.description)
    text = add_front_matter(wish.content, name=slug, description=wish.description)
    files = {**wish.files, SKILL_MD: text}
    _require_texts(files)
    taken = take_in_files(files, limits=wish.judgement.limits)
    _require_no_export(taken.package, wish.judgement)
    save = SaveSkill(
        package=taken.package,
        earlier=taken.diagnostics,
        directory=slug,
        version=wish.version,
        message=wish.message,
        changes=wish.changes,
        judgement=wish.judgement,
        must_be_new=True,
    )
    return save_skill(save, store=store, clock=clock, ids=ids, actor=actor, dry_run=dry_run)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditSkill:
    """The wish to change files of a skill, from the version `base` on.

    Without a base, the change is made to whatever is current. `put` are files that are to be there
    with this content, `removed` files that are to be gone. A new description goes into SKILL.md.
    """

    reference: str
    put: FilesToPut = field(default_factory=_nothing)
    removed: tuple[str, ...] = ()
    description: str | None = None
    base: Version | None = None
    expected: int | None = None
    version: Version | None = None
    message: str = ""
    changes: FactChanges = NO_CHANGES
    keep_confidence: bool = False
    judgement: Judgement = STANDARD_JUDGEMENT


def edit_skill(
    wish: EditSkill,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> SavedSkill:
    """Save a new version of a skill with some files changed.

    Without a base, and without an expected revision, it is made again where someone else was first.

    Raises:
        InvalidInputError: The manifest.json of an export is to be a file of the skill.
        InvalidPackageError: The changed files cannot be a skill; nothing is saved.
        InvalidFactError: A text holds what no text can hold.
        SkillFileNotFoundError: A file that is to go is not there.
        SkillNotFoundError: There is no such skill, or no longer.
        StaleWriteError: Someone else saved since `base`.
    """

    def try_to_edit() -> SavedSkill | None:
        save = _plan_edit(wish, store)
        try:
            return save_skill(save, store=store, clock=clock, ids=ids, actor=actor, dry_run=dry_run)
        except (StaleWriteError, SkillNotFoundError):
            if wish.base is not None or wish.expected is not None:
                raise
            return None

    return settle(wish.reference, try_to_edit)


def _plan_edit(wish: EditSkill, store: Store) -> SaveSkill:
    with store.view() as view:
        skill = get_skill(wish.reference, transaction=view)
        version = get_version(skill, wish.base, transaction=view)
        before = view.packages.get(version.digest)
    return replace(
        _make_edit(wish, skill, before),
        base=version.version,
        skill_id=skill.id,
        owner=skill.owner,
    )


def _make_edit(wish: EditSkill, skill: Skill, before: Package) -> SaveSkill:
    _require_texts(wish.put)
    described = before
    if wish.description is not None:
        require_storable("description", wish.description)
        described = describe_package(before, wish.description, limits=wish.judgement.limits)
    files: dict[str, PackageFile | bytes | str] = {
        str(one): file for one, file in described.files.items()
    }
    for path in wish.removed:
        if path not in files:
            raise SkillFileNotFoundError(skill.reference, str(wish.base or skill.current), path)
        del files[path]
    taken = take_in_files({**files, **_keep_modes(before, wish.put)}, limits=wish.judgement.limits)
    _require_no_export(taken.package, wish.judgement)
    return SaveSkill(
        package=taken.package,
        earlier=taken.diagnostics,
        directory=skill.slug,
        location=skill.reference,
        expected=wish.expected,
        version=wish.version,
        message=wish.message,
        changes=wish.changes,
        keep_confidence=wish.keep_confidence,
        judgement=wish.judgement,
    )


def _require_texts(files: FilesToPut) -> None:
    for path, content in files.items():
        if isinstance(content, str):
            require_encodable(f"text of `{show_path(path)}`", content)


def _require_no_export(package: Package, judgement: Judgement) -> None:
    """Refuse what would be taken off again, rather than say that it was saved."""
    if take_off_exported(package, limits=judgement.limits)[1] is not None:
        message = "an export wrote this manifest.json: it describes a skill, and is no file of one"
        raise InvalidInputError(message, hints=["Take `generator` out of it to keep it as a file"])


def _keep_modes(before: Package, put: FilesToPut) -> FilesToPut:
    """Let a text that replaces an executable file be executable too; a file says for itself."""
    executable = {str(path) for path, file in before.files.items() if file.executable}
    return {
        path: replace(to_file(content), executable=True)
        if path in executable and not isinstance(content, PackageFile)
        else content
        for path, content in put.items()
    }
