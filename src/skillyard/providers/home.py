"""The settings of a run's home: what a client is told in files, as trees that turn into bytes."""

import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

from skillyard.domain.client import ClientDelivery, Switch, SwitchForm
from skillyard.domain.delivery import Part, PlannedFile, RunPlaces
from skillyard.providers.toml import render_toml

Tree = dict[str, object]


@dataclass(slots=True)
class HomeSettings:
    """The settings that are being put together, by the path of their file."""

    trees: dict[str, Tree] = field(default_factory=dict)

    @classmethod
    def of(cls, delivery: ClientDelivery, places: RunPlaces) -> "HomeSettings":
        """Start with what a client is always told."""
        return cls({path: _fill_tree(tree, places) for path, tree in delivery.files.items()})

    def turn_off(self, switch: Switch, item: str) -> None:
        """Turn off the skill, file or directory `item`; saying it again changes nothing."""
        *outer, last = switch.keys
        table = self.trees.setdefault(switch.file, {})
        for key in outer:
            table = _table_in(table, key)
        match switch.form:
            case SwitchForm.MAPPING:
                _table_in(table, last)[item] = switch.word
            case SwitchForm.LIST:
                _add_once(table, last, item)
            case SwitchForm.TABLES:
                _add_once(table, last, {"path": item, "enabled": False})

    def set(self, file: str, key: str, value: object) -> None:
        """Set one value of a file."""
        self.trees.setdefault(file, {})[key] = value

    def plan(self) -> tuple[PlannedFile, ...]:
        """Give the files, in the order of their paths."""
        return tuple(
            PlannedFile(part=Part.HOME, path=path, content=_render(path, tree).encode())
            for path, tree in sorted(self.trees.items())
        )


def fill(text: str, places: RunPlaces) -> str:
    """Give a text with the places of a run in it."""
    for name in ("home", "workspace", "directory"):
        text = text.replace(f"{{{name}}}", getattr(places, name))
    return text


def _fill_tree(tree: Mapping[str, object], places: RunPlaces) -> Tree:
    return {fill(key, places): _fill_value(value, places) for key, value in tree.items()}


def _fill_value(value: object, places: RunPlaces) -> object:
    match value:
        case str():
            return fill(value, places)
        case Mapping():
            return _fill_tree(value, places)
        case Sequence():
            # The workspace may be the directory in which the program is started.
            return list(dict.fromkeys(_fill_value(one, places) for one in value))
        case _:
            return value


def _table_in(table: MutableMapping[str, object], key: str) -> Tree:
    inner = table.setdefault(key, {})
    if not isinstance(inner, dict):
        raise TypeError(key)
    return inner


def _add_once(table: MutableMapping[str, object], key: str, item: object) -> None:
    listed = table.setdefault(key, [])
    if not isinstance(listed, list):
        raise TypeError(key)
    if item not in listed:
        listed.append(item)


def _render(path: str, tree: Mapping[str, object]) -> str:
    if path.endswith(".toml"):
        return render_toml(tree)
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
