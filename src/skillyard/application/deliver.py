"""Lay someone's skills out in a directory, in a client's own layout, without a run.

What was delivered before is brought up to date, and removed where it is no longer wanted. What
somebody else put there is never touched, and what was changed by hand only if that is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from skillyard.application.choosing import SkillChoice, choose_skills, get_digest
from skillyard.application.ports.laid import LaidOut, mark_package
from skillyard.application.ports.shelf import Shelf
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run_plan import plan_delivered
from skillyard.application.run_wish import Outside
from skillyard.domain.delivered import (
    INDEX_FILE,
    DeliveredIndex,
    DeliveredSkill,
    Step,
    StepKind,
    WantedSkill,
    index_after,
    index_before,
    parse_index,
    plan_steps,
    render_index,
)
from skillyard.domain.delivery import Note, OnInvalid, PlannedSkill
from skillyard.domain.errors import (
    ChangedByHandError,
    InvalidInputError,
    TargetExistsError,
    UnsafePathError,
)
from skillyard.domain.resolution import Disposition
from skillyard.providers.clients import CLIENTS
from skillyard.providers.deliveries import AGENTS_DIRECTORY
from skillyard.providers.setting import AGENTS_DIR

_FOR_EVERYONE: Final = ResolveSkills()
_USUAL_NAME: Final = "skills"
_A_LINK: Final = "it is a link; deliver to where it leads, or remove it"
_NO_INDEX: Final = "It is not what Skillyard wrote there; remove it, or choose another directory"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverSkills:
    """The wish that `target` hold someone's skills as a project of the client `provider` would.

    With `force`, what was changed by hand is replaced too.
    """

    provider: str
    target: PurePath
    skills: ResolveSkills = _FOR_EVERYONE
    on_invalid: OnInvalid = OnInvalid.LEAVE_OUT
    force: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """What was done, or would be, in the directory of skills; notes are about what was left out."""

    directory: PurePath
    manifest_hash: str
    steps: tuple[Step, ...]
    notes: tuple[Note, ...] = ()

    @property
    def foreign(self) -> tuple[str, ...]:
        """The skills that could not be delivered, because somebody else's stand in their place."""
        return tuple(one.slug for one in self.steps if one.kind is StepKind.FOREIGN)


def find_skills_directory(provider: str) -> str:
    """Give where a client looks for skills in a project.

    Raises:
        InvalidInputError: There is no such client.
    """
    if provider == AGENTS_DIR:
        return AGENTS_DIRECTORY
    if provider not in CLIENTS:
        known = ", ".join((*CLIENTS, AGENTS_DIR))
        message = f"there is no client `{provider}` that has directories of skills"
        raise InvalidInputError(message, hints=[f"Choose one of {known}"])
    places = CLIENTS[provider].directories.project
    # Runs are laid out in directories of this name, too.
    return next((one for one in places if PurePath(one).name == _USUAL_NAME), places[0])


def deliver_skills(
    wish: DeliverSkills,
    *,
    choice: SkillChoice,
    outside: Outside,
    laid: LaidOut,
    dry_run: bool = False,
) -> Delivered:
    """Bring a directory up to date; each skill is there whole or not at all, at any moment.

    Raises:
        ResolutionError: Something that is required cannot be had, or not be delivered.
        ChangedByHandError: Files were changed by hand; nothing was done.
        TargetExistsError: What stands in the place of the index is none.
        UnsafePathError: On the way from the target to the skills there is a link.
    """
    directory = wish.target / find_skills_directory(wish.provider)
    _require_no_link(directory, wish.target, laid)
    chosen = choose_skills(
        wish.skills, on_invalid=wish.on_invalid, choice=choice, shelves=outside.shelves
    )
    plan = plan_delivered(
        chosen, provider=wish.provider, on_invalid=wish.on_invalid, limits=outside.limits
    )
    index = _read_index(directory, laid)
    wanted = [_to_wanted(one) for one in plan.skills if _is_shown(one)]
    steps = plan_steps(wanted, index, _look(directory, wanted, index, laid), force=wish.force)
    delivered = Delivered(
        directory=directory,
        manifest_hash=chosen.resolved.resolution.manifest_hash,
        steps=steps,
        notes=(*chosen.notes, *plan.notes),
    )
    _require_untouched(delivered)
    if not dry_run:
        _apply(delivered, index, provider=wish.provider, shelf=outside.shelf)
    return delivered


def _require_no_link(directory: PurePath, target: PurePath, laid: LaidOut) -> None:
    """Make sure that what is written below `target` stays below it; itself it may be a link."""
    for place in (*reversed(directory.parents), directory):
        if place != target and place.is_relative_to(target) and laid.is_link(str(place)):
            raise UnsafePathError(str(place), reason=_A_LINK)


def _is_shown(planned: PlannedSkill) -> bool:
    return bool(planned.path) and planned.decision.disposition is Disposition.LOADED


def _to_wanted(planned: PlannedSkill) -> WantedSkill:
    state = DeliveredSkill(
        slug=planned.slug,
        version=planned.decision.offered.version,
        digest=get_digest(planned.decision),
        delivered=planned.delivered,
        files=mark_package(planned.package),
    )
    return WantedSkill(state, planned.package)


def _read_index(directory: PurePath, laid: LaidOut) -> DeliveredIndex:
    content = laid.find_file(str(directory / INDEX_FILE))
    if content is None:
        return DeliveredIndex()
    index = parse_index(content)
    if index is None:
        raise TargetExistsError(str(directory / INDEX_FILE), hint=_NO_INDEX)
    return index


def _look(
    directory: PurePath, wanted: Sequence[WantedSkill], index: DeliveredIndex, laid: LaidOut
) -> dict[str, dict[str, str] | None]:
    names = dict.fromkeys((*(one.state.slug for one in wanted), *(s.slug for s in index.skills)))
    found = {name: laid.list_files(str(directory / name)) for name in names}
    return {name: None if files is None else dict(files) for name, files in found.items()}


def _require_untouched(delivered: Delivered) -> None:
    changed = [
        f"{one.slug}/{path}"
        for one in delivered.steps
        if one.kind is StepKind.CHANGED
        for path in one.changed
    ]
    if changed:
        raise ChangedByHandError(str(delivered.directory), paths=changed)


def _apply(delivered: Delivered, index: DeliveredIndex, *, provider: str, shelf: Shelf) -> None:
    place = delivered.directory / INDEX_FILE
    after = index_after(delivered.steps, provider=provider, manifest_hash=delivered.manifest_hash)
    if index == after and not any(one.kind.writes for one in delivered.steps):
        return
    before = index_before(delivered.steps, index)
    shelf.put_file(render_index(before).encode(), place, replace=True)
    for step in delivered.steps:
        _take(step, delivered.directory / step.slug, shelf)
    shelf.put_file(render_index(after).encode(), place, replace=True)


def _take(step: Step, target: PurePath, shelf: Shelf) -> None:
    if step.kind is StepKind.REMOVE:
        shelf.remove_directory(target)
    elif step.wanted is not None and step.kind is StepKind.ADD:
        shelf.put_package(step.wanted.package, target)
    elif step.wanted is not None and step.kind is StepKind.UPDATE:
        shelf.replace_package(step.wanted.package, target)
