"""Write settings as TOML: tables, texts, truths, numbers and lists of tables."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED: Final = re.compile("[\x7f-\x9f]")


def render_toml(tree: Mapping[str, object]) -> str:
    """Give a tree as TOML, in its order: values of a table first, then the tables in it."""
    return "\n".join(_iter_table(tree, ())).strip("\n") + "\n"


def _iter_table(table: Mapping[str, object], keys: tuple[str, ...]) -> Iterator[str]:
    values = {key: one for key, one in table.items() if not _is_nested(one)}
    if keys and values:
        yield f"\n[{_path(keys)}]"
    for key, value in values.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _iter_table(value, (*keys, key))
        for one in _list_tables(value):
            yield f"\n[[{_path((*keys, key))}]]"
            yield from (f"{_key(name)} = {_value(said)}" for name, said in one.items())


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping) or bool(_list_tables(value))


def _list_tables(value: object) -> Sequence[Mapping[str, object]]:
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        return ()
    return value


def _path(keys: Sequence[str]) -> str:
    return ".".join(map(_key, keys))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _text(value)
        case Sequence():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            raise TypeError(value)


def _text(text: str) -> str:
    # The escapes of JSON are those of TOML, which also wants the characters of DEL and beyond.
    return _ESCAPED.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(text, ensure_ascii=False))
