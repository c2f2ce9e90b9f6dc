"""Plan a delivery: skills and a setting in, files and variables out.

- It reads and writes nothing, and the same input gives the same plan.
- Every skill that is not delivered as it is has a note; a required one that cannot be delivered is
  a problem, and with a problem nothing is started.
- No client is given one name twice.

What a client will make of a SKILL.md, and how prompt text is written, is not known here: skills
come prepared, and text is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from skillyard.domain.delivery import (
    ChosenSkill,
    DeliveryPlan,
    LoginFile,
    Mode,
    Note,
    NoteKind,
    Part,
    PlannedFile,
    PlannedSkill,
)
from skillyard.domain.skill import InstallStrategy
from skillyard.providers.catalogue import ForetoldCatalogue, ListedSkill, foretell_catalogue
from skillyard.providers.environment import (
    PROMPT_FILE,
    holds_secret,
    is_any_set,
    list_dropped,
    list_kept,
    set_variables,
)
from skillyard.providers.fates import Fate, PreparedSkill, find_hint, note_on, sort_out
from skillyard.providers.home import HomeSettings
from skillyard.providers.setting import DeliverySetting
from skillyard.providers.surroundings import (
    Surroundings,
    foretell_also_seen,
    foretell_directed,
)

PROMPT_PATH: Final = "SKILLS.md"
"""The prompt text, among the private files of a run."""
PLACEHOLDER: Final = "{skills}"
"""What stands for the prompt text in an argument of a command."""
_PRIVATE_SKILLS: Final = "skills"


@dataclass(frozen=True, slots=True)
class TextSkill:
    """A skill of the prompt text, and the directory that its files stand in."""

    chosen: ChosenSkill
    directory: str


@dataclass(frozen=True, slots=True)
class PlannedText:
    """Prompt text, and notes on what of it was cut."""

    text: str
    notes: tuple[Note, ...] = ()


TextWriter = Callable[[Sequence[TextSkill], Sequence[TextSkill]], PlannedText]
"""Writes the prompt text of some skills, and of some that nothing has proven."""


def plan_delivery(
    skills: Sequence[PreparedSkill], setting: DeliverySetting, *, write_text: TextWriter
) -> DeliveryPlan:
    """Plan how `skills`, the most important first, are delivered."""
    sorted_out = sort_out(skills, setting)
    planned = tuple(
        _place(one, fate, setting) for one, fate in sorted_out.fates if fate is not Fate.NOTHING
    )
    native = [one for one, fate in sorted_out.fates if fate is Fate.NATIVE]
    text = _write_text(sorted_out.fates, setting, write_text)
    told = _tell_client(native, setting)
    prompt = _plan_prompt(text)
    return DeliveryPlan(
        provider=setting.provider,
        mode=Mode.FALLBACK if sorted_out.falls_back else Mode.NATIVE,
        skills=planned,
        files=(*told.files, *prompt),
        logins=_list_logins(setting),
        directories=setting.home_directories,
        environment=_set_environment(setting, told.surroundings, has_text=bool(prompt)),
        dropped=_list_dropped(setting),
        command=tuple(one.replace(PLACEHOLDER, text.text) for one in setting.command),
        notes=(
            *sorted_out.notes,
            *_list_copied(planned, sorted_out.fates, setting),
            *text.notes,
            *told.notes,
            *_note_prompt(setting, is_text=sorted_out.falls_back),
            *_note_secrets(setting),
        ),
        problems=sorted_out.problems,
    )


def _place(skill: PreparedSkill, fate: Fate, setting: DeliverySetting) -> PlannedSkill:
    decision, package = skill.chosen.decision, skill.chosen.package
    if fate is Fate.NATIVE:
        return PlannedSkill(
            decision=decision,
            strategy=_choose_strategy(skill, setting),
            part=Part.HOME,
            path=f"{setting.skills_directory}/{skill.slug}",
            package=skill.package,
        )
    is_text = fate is Fate.TEXT
    return PlannedSkill(
        decision=decision,
        strategy=InstallStrategy.PROMPT_FALLBACK if is_text else InstallStrategy.MATERIALIZE,
        part=Part.PRIVATE,
        path=_private_path(skill),
        package=package,
    )


def _private_path(skill: PreparedSkill) -> str:
    """Give where a skill stands that the client is not given; text may be cut, and names files."""
    return f"{_PRIVATE_SKILLS}/{skill.slug}"


def _choose_strategy(skill: PreparedSkill, setting: DeliverySetting) -> InstallStrategy:
    is_linked = (
        find_hint(skill.chosen, setting) == InstallStrategy.LINK
        and setting.can_link
        and skill.package is skill.chosen.package
    )
    return InstallStrategy.LINK if is_linked else InstallStrategy.MATERIALIZE


def _list_copied(
    planned: Sequence[PlannedSkill],
    fates: Sequence[tuple[PreparedSkill, Fate]],
    setting: DeliverySetting,
) -> list[Note]:
    copied = {one.slug for one in planned if one.strategy is InstallStrategy.MATERIALIZE}
    why = "it differs from what is kept" if setting.can_link else "a run could write to the link"
    return [
        note_on(NoteKind.COPIED, skill, f"it is copied instead of linked, because {why}")
        for skill, fate in fates
        if fate is Fate.NATIVE
        and skill.slug in copied
        and find_hint(skill.chosen, setting) == InstallStrategy.LINK
    ]


def _write_text(
    fates: Sequence[tuple[PreparedSkill, Fate]], setting: DeliverySetting, write: TextWriter
) -> PlannedText:
    texts, unproven = (
        [_to_text(skill, setting) for skill, fate in fates if fate is wanted]
        for wanted in (Fate.TEXT, Fate.PRIVATE)
    )
    return write(texts, unproven) if texts or unproven else PlannedText("")


def _to_text(skill: PreparedSkill, setting: DeliverySetting) -> TextSkill:
    return TextSkill(skill.chosen, f"{setting.places.private}/{_private_path(skill)}")


def _plan_prompt(text: PlannedText) -> tuple[PlannedFile, ...]:
    if not text.text:
        return ()
    return (PlannedFile(part=Part.PRIVATE, path=PROMPT_PATH, content=text.text.encode()),)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a client is told in its home, and what has to be said about it."""

    files: tuple[PlannedFile, ...] = ()
    surroundings: Surroundings = field(default_factory=Surroundings)
    notes: tuple[Note, ...] = ()


def _tell_client(skills: Sequence[PreparedSkill], setting: DeliverySetting) -> _Told:
    ours = [skill.name for skill in skills]
    untold = [skill.name for skill in skills if skill.description is None]
    around = foretell_also_seen(setting.client, setting.found, ours=ours, untold=untold)
    directed = foretell_directed(setting.title, setting.directed, around)
    client = setting.client
    if client is None:
        return _Told(surroundings=around, notes=(*around.notes, *directed))
    settings = HomeSettings.of(client.delivery, setting.places)
    _silence(settings, skills, setting)
    for one in around.turned_off:
        settings.turn_off(one.switch, one.item)
    listed = [_to_listed(one) for one in skills if one.description is not None]
    catalogue = foretell_catalogue(client, listed, window=setting.window)
    _order(settings, catalogue, setting)
    return _Told(settings.plan(), around, (*catalogue.notes, *around.notes, *directed))


def _silence(
    settings: HomeSettings, skills: Sequence[PreparedSkill], setting: DeliverySetting
) -> None:
    """Turn off the client's own skills, and those that the model may not call on."""
    delivery = setting.client.delivery if setting.client else None
    if delivery is None or delivery.name_switch is None:
        return
    names = {one.name.casefold() for one in skills}
    hidden = [one.name for one in skills if one.hides_by_name]
    for name in (*(one for one in delivery.bundled if one not in names), *hidden):
        settings.turn_off(delivery.name_switch, name)


def _to_listed(skill: PreparedSkill) -> ListedSkill:
    return ListedSkill(skill.slug, skill.name, skill.description or "")


def _order(settings: HomeSettings, catalogue: ForetoldCatalogue, setting: DeliverySetting) -> None:
    """Let the important skills come first, where not all fit and the client can be told."""
    facts = setting.client.delivery.catalogue if setting.client else None
    if facts is None or facts.usage is None or catalogue.is_whole:
        return
    file, key = facts.usage
    count = len(catalogue.entries)
    # The client weighs the count by the age of the last use; a use at the beginning of time weighs
    # the same for all, on every day.
    settings.set(
        file,
        key,
        {
            entry.skill.directory: {"usageCount": count - place, "lastUsedAt": 0}
            for place, entry in enumerate(catalogue.entries)
        },
    )


def _set_environment(
    setting: DeliverySetting, surroundings: Surroundings, *, has_text: bool
) -> Mapping[str, str]:
    delivery = setting.client.delivery if setting.client else None
    found = set_variables(delivery, setting.places)
    found |= surroundings.variables
    if has_text:
        found[PROMPT_FILE] = f"{setting.places.private}/{PROMPT_PATH}"
    return MappingProxyType(dict(sorted(found.items())))


def _list_dropped(setting: DeliverySetting) -> tuple[str, ...]:
    delivery = setting.client.delivery if setting.client else None
    return list_dropped(setting.environment, kept=list_kept(delivery, setting.passing))


def _list_logins(setting: DeliverySetting) -> tuple[LoginFile, ...]:
    client = setting.client
    return tuple(
        LoginFile(source=one.source, path=one.path, keys=one.keys)
        for one in (client.delivery.logins if client else ())
        if is_any_set(one.when, setting.environment)
    )


def _note_prompt(setting: DeliverySetting, *, is_text: bool) -> tuple[Note, ...]:
    if not is_text or any(PLACEHOLDER in one for one in setting.command):
        return ()
    message = f"its skills are text in the file that `{PROMPT_FILE}` names"
    return (Note(kind=NoteKind.FALLBACK, message=message),)


def _note_secrets(setting: DeliverySetting) -> tuple[Note, ...]:
    environment = setting.environment
    held = [one for one in _list_dropped(setting) if holds_secret(one, environment[one])]
    if not held:
        return ()
    message = f"variables that look like secrets are not passed on: {', '.join(held)}"
    return (Note(kind=NoteKind.LOGIN, message=message),)
