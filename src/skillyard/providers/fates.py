"""Decide what is done with each skill: a place of its own among the client's, text, or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from skillyard.domain.delivery import ChosenSkill, Note, NoteKind, OnInvalid
from skillyard.domain.manifest import Invocation
from skillyard.domain.package import Package
from skillyard.domain.resolution import Disposition
from skillyard.domain.skill import InstallStrategy
from skillyard.providers.setting import PROMPT, DeliverySetting


class Fate(StrEnum):
    """What is done with a skill."""

    NATIVE = "native"
    TEXT = "text"
    PRIVATE = "private"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSkill:
    """A skill as a client would be given it, and what the client would make of that.

    `package` is what would be laid out. `refusal` says why the client would not load it, or why it
    cannot be given to it as it has to be; empty where nothing is in the way. `name` and
    `description` are what the model is shown; None where it is not told of the skill at all.
    `hides_by_name` tells that the client is told in its settings not to offer it to the model.
    """

    chosen: ChosenSkill
    package: Package
    name: str = ""
    description: str | None = None
    refusal: str = ""
    hides_by_name: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def slug(self) -> str:
        """The name of the skill, and of its directory."""
        return self.chosen.decision.slug


@dataclass(frozen=True, slots=True)
class SortedOut:
    """What is done with each skill, and whether all of them are text."""

    fates: tuple[tuple[PreparedSkill, Fate], ...]
    notes: tuple[Note, ...] = ()
    problems: tuple[str, ...] = ()
    falls_back: bool = False


def sort_out(skills: Sequence[PreparedSkill], setting: DeliverySetting) -> SortedOut:
    """Decide about every skill, in order; of two with one name the first is delivered.

    The setting says what becomes of one that is not required and cannot be delivered.
    """
    sorted_out = _sort_out(skills, setting)
    falls_back = setting.provider == PROMPT or sorted_out.falls_back
    return _turn_to_text(sorted_out) if falls_back else sorted_out


def _sort_out(skills: Sequence[PreparedSkill], setting: DeliverySetting) -> SortedOut:
    fates: list[tuple[PreparedSkill, Fate]] = []
    notes: list[Note] = []
    problems: list[str] = []
    taken: dict[str, str] = {}
    for skill in skills:
        fate, obstacle = _decide(skill, setting, taken)
        if obstacle is not None:
            notes.append(obstacle)
            problems += _list_problems(skill, obstacle, setting)
        notes += skill.notes if fate is Fate.NATIVE else _note_text(skill, fate)
        taken |= {skill.name.casefold(): skill.slug} if fate is Fate.NATIVE else {}
        fates.append((skill, fate))
    if len({skill.slug for skill in skills}) < len(skills):
        raise ValueError([skill.slug for skill in skills])
    is_refused = any(one.kind is NoteKind.LEFT_OUT for one in notes)
    falls_back = is_refused and setting.on_invalid is OnInvalid.FALLBACK
    return SortedOut(tuple(fates), tuple(notes), tuple(problems), falls_back)


def _list_problems(
    skill: PreparedSkill, obstacle: Note, setting: DeliverySetting
) -> tuple[str, ...]:
    if skill.chosen.decision.is_required:
        return (f"`{skill.slug}` is required, and {obstacle.message}",)
    if obstacle.kind is NoteKind.LEFT_OUT and setting.on_invalid is OnInvalid.FAIL:
        return (f"`{skill.slug}`: {obstacle.message}",)
    return ()


def _decide(
    skill: PreparedSkill, setting: DeliverySetting, taken: Mapping[str, str]
) -> tuple[Fate, Note | None]:
    decision = skill.chosen.decision
    if decision.disposition is Disposition.UNPROVEN:
        return Fate.PRIVATE, None
    hint = find_hint(skill.chosen, setting)
    if hint == "exclude":
        return Fate.NOTHING, note_on(NoteKind.EXCLUDED, skill, f"it is not for {setting.title}")
    if hint == InstallStrategy.PROMPT_FALLBACK or setting.provider == PROMPT:
        return Fate.TEXT, None
    if skill.refusal:
        message = f"{setting.title} will not load it: {skill.refusal}"
        return Fate.NOTHING, note_on(NoteKind.LEFT_OUT, skill, message)
    if (other := taken.get(skill.name.casefold())) is not None:
        message = f"{setting.title} would list it under the same name as `{other}`"
        return Fate.NOTHING, note_on(NoteKind.LEFT_OUT, skill, message)
    return Fate.NATIVE, None


def _note_text(skill: PreparedSkill, fate: Fate) -> tuple[Note, ...]:
    is_user_only = skill.chosen.decision.candidate.invocation is Invocation.USER_ONLY
    if fate is not Fate.TEXT or not is_user_only:
        return ()
    message = "it is user-only, and the model reads the prompt text: it may call on it"
    return (note_on(NoteKind.IGNORED, skill, message),)


def find_hint(chosen: ChosenSkill, setting: DeliverySetting) -> str:
    """Give how a skill wants to be delivered to a provider: a strategy, or `exclude`.

    What it says of the provider, by its id or its program, counts before what it says of all.
    """
    candidate = chosen.decision.candidate
    programs = setting.client.delivery.programs if setting.client else ()
    for name in (setting.provider, *programs):
        if name in candidate.provider_hints:
            return candidate.provider_hints[name]
    return candidate.install_strategy or InstallStrategy.MATERIALIZE


def _turn_to_text(sorted_out: SortedOut) -> SortedOut:
    """Deliver as text what would be native, and what the client would not load."""
    refused = {one.slug for one in sorted_out.notes if one.kind is NoteKind.LEFT_OUT}
    fates = tuple(
        (one, Fate.TEXT if fate is Fate.NATIVE or one.slug in refused else fate)
        for one, fate in sorted_out.fates
    )
    # What was said of other ways to deliver a skill does not hold any more.
    obstacles = (
        replace(one, kind=NoteKind.FALLBACK) if one.kind is NoteKind.LEFT_OUT else one
        for one in sorted_out.notes
        if one.kind in (NoteKind.LEFT_OUT, NoteKind.EXCLUDED)
    )
    ignored = (note for skill, fate in fates for note in _note_text(skill, fate))
    return replace(sorted_out, fates=fates, notes=(*obstacles, *ignored), falls_back=True)


def note_on(kind: NoteKind, skill: PreparedSkill, message: str) -> Note:
    """Give a note on a skill."""
    return Note(kind=kind, slug=skill.slug, message=message)
