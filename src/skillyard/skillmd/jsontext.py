"""JSON from strangers: bounded, without duplicate keys, and nothing that is not JSON."""

import codecs
import json
import re
from typing import Any, Final, NoReturn

MOST_VALUES: Final = 100_000
"""How many texts, brackets and commas there may be, if nobody says less."""

# A text that is not closed reaches to the end, so that nothing is looked at twice.
_STRUCTURE = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER_DIGITS = 400


class JsonRefusedError(ValueError):
    """The text is not JSON that can be accepted; the message says why."""


def parse_json(content: bytes, *, depth: int, most_values: int = MOST_VALUES) -> Any:  # noqa: ANN401 (JSON has any shape)
    """Read UTF-8 JSON of at most `depth` levels, with at most `most_values` values and signs.

    Raises:
        JsonRefusedError: It is something else.
    """
    try:
        text = content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8"
        raise JsonRefusedError(message) from None
    _check_structure(text, depth, most_values)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        message = f"{error.msg[0].lower()}{error.msg[1:]} in line {error.lineno}"
        raise JsonRefusedError(message) from None
    if "\\u" in text or "\\U" in text:
        _check_texts(value)
    return value


def _check_structure(text: str, depth: int, most_values: int) -> None:
    # One pass over the text, before a reader sees it that recurses. In memory a list takes thirty
    # times the two bytes that write it.
    level = 0
    for count, match in enumerate(_STRUCTURE.finditer(text), 1):
        if count > most_values:
            message = f"it holds more than {most_values:,} values and signs"
            raise JsonRefusedError(message)
        sign = match[0]
        if sign in {"[", "{"}:
            level += 1
            if level > depth:
                message = f"it is nested more than {depth} levels deep"
                raise JsonRefusedError(message)
        elif sign in {"]", "}"}:
            level -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        message = f"the key `{twice}` stands twice"
        raise JsonRefusedError(message)
    return value


def _constant(text: str) -> NoReturn:
    message = f"`{text}` is not JSON"
    raise JsonRefusedError(message)


def _integer(text: str) -> int:
    if len(text) > _NUMBER_DIGITS:
        message = "a number is too long"
        raise JsonRefusedError(message)
    return int(text)


def _check_texts(value: object) -> None:
    # Escapes can write halves of characters that no UTF-8 text can hold.
    if isinstance(value, str):
        if _SURROGATE.search(value):
            message = "a text holds half a character"
            raise JsonRefusedError(message)
    elif isinstance(value, list):
        for one in value:
            _check_texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            _check_texts(key)
            _check_texts(one)
