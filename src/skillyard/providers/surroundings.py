"""Foretell which skills a client finds besides those of the run, and turn them off where it can."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from skillyard.domain.client import Clash, Client, Identity, Switch, SwitchBy
from skillyard.domain.delivery import FoundDirectory, FoundSettings, Note, NoteKind


class TurnedOff(NamedTuple):
    """A skill, file or directory that is turned off, and by which setting."""

    switch: Switch
    item: str


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a client finds besides: what is turned off, and a word on each of it."""

    turned_off: tuple[TurnedOff, ...] = ()
    variables: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    notes: tuple[Note, ...] = ()


def foretell_also_seen(
    client: Client | None,
    found: Iterable[FoundDirectory],
    *,
    ours: Collection[str],
    untold: Collection[str] = (),
) -> Surroundings:
    """Tell what becomes of the skills in `found`, beside `ours`, which are names.

    Of `untold`, some of ours, the model is not told, and so it is told of others of that name.
    Whatever the model would be told of besides has a note of `ALSO_SEEN`; what is turned off has
    one of `HIDDEN`. Without a client, nothing is known, and all of it may be seen.
    """
    directories = sorted({one for one in found if one.names})
    if client is None:
        return Surroundings(notes=tuple(map(_may_be_seen, directories)))
    read = [one for one in directories if not _is_silenced(client, one)]
    names = _Ours(*(frozenset(one.casefold() for one in some) for some in (ours, untold)))
    fates = [fate for one in read for fate in _iter_fates(client, one, names)]
    return Surroundings(
        turned_off=tuple(dict.fromkeys(one for fate in fates for one in fate.turned_off)),
        variables=_unclash(client, fates),
        notes=tuple(fate.note for fate in fates),
    )


def foretell_directed(
    title: str, directed: Iterable[FoundSettings], around: Surroundings
) -> tuple[Note, ...]:
    """Say which settings of the project may change what was foretold; unread ones do not."""
    return () if around.variables else tuple(_may_direct(title, one) for one in directed)


class _Ours(NamedTuple):
    """The names of the run's skills, and of those the model is not told of."""

    names: frozenset[str]
    untold: frozenset[str]


class _Fate(NamedTuple):
    note: Note
    turned_off: tuple[TurnedOff, ...] = ()
    clashes: bool = False


def _is_silenced(client: Client, found: FoundDirectory) -> bool:
    return any(_ends_with(found.path, one) for one in client.delivery.silenced)


def _are_commands(client: Client, found: FoundDirectory) -> bool:
    return any(_ends_with(found.path, one) for one in client.delivery.commands)


def _ends_with(path: str, directory: str) -> bool:
    return path == directory or path.endswith(f"/{directory}")


def _iter_fates(client: Client, found: FoundDirectory, ours: _Ours) -> Iterator[_Fate]:
    delivery = client.delivery
    switch = delivery.switches[0] if delivery.switches else None
    if _are_commands(client, found):
        # Files of commands are no directories of skills: they are known by their names only.
        switch = delivery.name_switch
    if switch is not None and switch.by is SwitchBy.DIRECTORY:
        item = TurnedOff(switch, found.path)
        yield _Fate(_hidden(client, found, _list(found.names)), (item,))
        return
    titles = found.titles or tuple(map(posixpath.basename, found.names))
    for name, title in zip(found.names, titles, strict=True):
        yield _decide(client, found, _Found(name, title), switch, ours)


class _Found(NamedTuple):
    path: str
    title: str


def _decide(
    client: Client,
    found: FoundDirectory,
    skill: _Found,
    switch: Switch | None,
    ours: _Ours,
) -> _Fate:
    if switch is not None and switch.by is SwitchBy.FILE:
        item = TurnedOff(switch, f"{found.path}/{skill.path}/SKILL.md")
        return _Fate(_hidden(client, found, f"`{skill.path}`"), (item,))
    goes_by_name = client.reading.identity is Identity.NAME
    name = skill.title if goes_by_name else posixpath.basename(skill.path)
    if name.casefold() in ours.names:
        return _decide_clash(client, found, name, is_told=name.casefold() not in ours.untold)
    if switch is None:
        return _Fate(_seen(client, found, name))
    return _Fate(_hidden(client, found, f"`{name}`"), (TurnedOff(switch, name),))


def _decide_clash(client: Client, found: FoundDirectory, name: str, *, is_told: bool) -> _Fate:
    delivery = client.delivery
    # What an administrator put there counts before anything else.
    is_managed = found.path in client.directories.other
    ours_counts = _are_commands(client, found) if delivery.clash is not Clash.OURS else is_told
    if ours_counts and not is_managed:
        return _Fate(_shadowed(client, found, name))
    if delivery.unclashed and not is_managed:
        return _Fate(_unread(client, found, name), clashes=True)
    return _Fate(_replaces(client, found, name))


def _unclash(client: Client, fates: Iterable[_Fate]) -> Mapping[str, str]:
    needed = any(fate.clashes for fate in fates)
    return client.delivery.unclashed if needed else _nothing()


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _hidden(client: Client, found: FoundDirectory, what: str) -> Note:
    message = f"{client.title} also finds {what} in {found.path}; it is told to leave that out"
    return Note(kind=NoteKind.HIDDEN, message=message)


def _shadowed(client: Client, found: FoundDirectory, name: str) -> Note:
    message = f"{client.title} also finds `{name}` in {found.path}, and takes that of the run"
    return Note(kind=NoteKind.HIDDEN, message=message, slug=name)


def _unread(client: Client, found: FoundDirectory, name: str) -> Note:
    message = (
        f"{client.title} also finds `{name}` in {found.path}; so that it takes that of the run, "
        "it reads no settings of the project"
    )
    return Note(kind=NoteKind.HIDDEN, message=message, slug=name)


def _replaces(client: Client, found: FoundDirectory, name: str) -> Note:
    message = f"{client.title} takes `{name}` in {found.path} instead of that of the run"
    return Note(kind=NoteKind.ALSO_SEEN, message=message, slug=name)


def _may_direct(title: str, settings: FoundSettings) -> Note:
    keys = ", ".join(f"`{key}`" for key in settings.keys)
    message = f"{settings.path} directs which skills {title} sees ({keys}): they may be others"
    return Note(kind=NoteKind.ALSO_SEEN, message=message)


def _seen(client: Client, found: FoundDirectory, name: str) -> Note:
    message = f"{client.title} also sees `{name}` in {found.path}"
    return Note(kind=NoteKind.ALSO_SEEN, message=message, slug=name)


def _may_be_seen(found: FoundDirectory) -> Note:
    message = f"the program may also see {_list(found.names)} in {found.path}"
    return Note(kind=NoteKind.ALSO_SEEN, message=message)
