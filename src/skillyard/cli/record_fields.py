"""What a record says, and the options that say it.

A field is said in one of several ways: `--team red`, `--no-team`. At most one of them may be used
at a time, and a field that is not said stays as it is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import click

from skillyard.cli.hook_option import HookText
from skillyard.cli.options import WholeNumber
from skillyard.domain.facts import UNSET
from skillyard.domain.limits import LARGEST_NUMBER

_COUNT: Final = WholeNumber(1, LARGEST_NUMBER)


@dataclass(frozen=True, slots=True)
class Way:
    """An option that says a field: its own value, or, where it is a flag, what it `means`.

    `takes_back` is for a flag that makes sense only where something was said before.
    """

    spelling: str
    settings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    means: object = UNSET
    takes_back: bool = False

    @property
    def key(self) -> str:
        """The name under which the command gets the option."""
        return self.spelling.partition("/")[0].lstrip("-").replace("-", "_")

    def to_option(self) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Give the decorator that adds the option."""
        settings: dict[str, Any] = {"default": None, **self.settings}
        if self.means is not UNSET:
            settings |= {"is_flag": True, "default": False}
        return click.option(self.spelling, self.key, **settings)

    def read(self, said: Mapping[str, object]) -> object:
        """Give the value that the option gives its field, or UNSET."""
        value = said[self.key]
        if self.means is not UNSET:
            return self.means if value else UNSET
        return UNSET if value is None or value == () else value


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordField:
    """One field: its name in the record, what people call it, and how it is said and shown."""

    name: str
    label: str
    ways: tuple[Way, ...]
    is_column: bool = False
    names_skills: bool = False
    nothing: str = ""

    def show(self, value: object) -> str:
        """Give a value in words; what says nothing is empty, or what `nothing` says."""
        if isinstance(value, bool):
            return "yes" if value else self.nothing
        if isinstance(value, tuple):
            return ", ".join(map(str, value)) or ("none" if self.names_skills else self.nothing)
        return self.nothing if value is None else str(value)


def text_field(name: str) -> RecordField:
    """Make a field for a text, which is taken back by an empty one."""
    way = Way(f"--{name}", {"metavar": "TEXT", "help": f"Its {name}."})
    return RecordField(name=name, label=name, ways=(way,), is_column=True)


def reference_field(name: str, text: str, *, metavar: str = "NAME") -> RecordField:
    """Make a field that names something else, or nothing."""
    says = Way(f"--{name}", {"metavar": metavar, "help": text})
    none = Way(f"--no-{name}", {"help": f"No {name} any more."}, means=None, takes_back=True)
    return RecordField(name=name, label=name, ways=(says, none), is_column=True)


def count_field(name: str, text: str) -> RecordField:
    """Make a field for a positive number, or none."""
    label, spelling = name.replace("_", " "), name.replace("_", "-")
    says = Way(f"--{spelling}", {"type": _COUNT, "metavar": "N", "help": text})
    none = Way(f"--no-{spelling}", {"help": "The default again."}, means=None, takes_back=True)
    return RecordField(name=name, label=label, ways=(says, none))


def hooks_field() -> RecordField:
    """Make the field for the commands that are run around each run."""
    text = "Run COMMAND at a STAGE of each run; say it for each."
    says = Way(
        "--hook",
        {"type": HookText(), "metavar": "STAGE=COMMAND", "multiple": True, "help": text},
    )
    none = Way("--no-hooks", {"help": "No hooks any more."}, means=(), takes_back=True)
    return RecordField(name="hooks", label="hooks", ways=(says, none))


def field_options(
    fields: Iterable[RecordField], *, adding: bool
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of every field; those that take something back are not for a new record."""
    ways = [way for one in fields for way in one.ways if not (adding and way.takes_back)]

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        for way in reversed(ways):
            function = way.to_option()(function)
        return function

    return decorate


def read_fields(
    fields: Iterable[RecordField], said: Mapping[str, object], *, adding: bool
) -> dict[str, object]:
    """Give the values that were said, by the names of fields.

    Raises:
        UsageError: A field was said in two ways.
    """
    return {
        one.name: value
        for one in fields
        for value in _values(one, said, adding=adding)
        if value is not UNSET
    }


def _values(one: RecordField, said: Mapping[str, object], *, adding: bool) -> Iterator[object]:
    ways = [way for way in one.ways if not (adding and way.takes_back)]
    used = [way for way in ways if way.read(said) is not UNSET]
    if len(used) > 1:
        message = f"use only one of {', '.join(way.spelling for way in used)}"
        raise click.UsageError(message, click.get_current_context())
    return (way.read(said) for way in used)
