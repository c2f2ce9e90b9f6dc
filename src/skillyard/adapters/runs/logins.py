"""The logins of the user that a run gets copies of: read where they are, and nothing beside them.

What cannot be passed on is no failure: the program will ask for a login, and a note says why. A
note never holds anything of a login.
"""

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from skillyard.adapters.runs.opening import read_at_most
from skillyard.domain.delivery import LoginFile, Note, NoteKind

_MOST_BYTES: Final = 16 * 1024 * 1024
# A link is followed: people keep such files elsewhere, and link to them.
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


@dataclass(slots=True)
class GatheredLogins:
    """What is copied, by its path in the run's home.

    `merged` takes the place of what was planned at the same path.
    """

    copied: dict[str, bytes] = field(default_factory=dict)
    merged: dict[str, bytes] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)


class _NotPassedOnError(Exception):
    """Why a login is not passed on."""


def gather_logins(
    logins: Iterable[LoginFile], planned: Mapping[str, bytes], environment: Mapping[str, str]
) -> GatheredLogins:
    """Read the logins that `environment` leads to; `planned` are the files of the run's home."""
    gathered = GatheredLogins()
    for login, source in _iter_sources(logins, environment):
        try:
            _gather(login, source, planned, gathered)
        except _NotPassedOnError as error:
            message = f"the login `{login.source}` is not passed on: {error}"
            gathered.notes.append(Note(kind=NoteKind.LOGIN, message=message))
    return gathered


def _iter_sources(
    logins: Iterable[LoginFile], environment: Mapping[str, str]
) -> Iterator[tuple[LoginFile, str]]:
    """Yield for each path the first login whose place is known."""
    seen: set[str] = set()
    for login in logins:
        source = _expand(login.source, environment)
        if source is not None and login.path not in seen:
            seen.add(login.path)
            yield login, source


def _expand(source: str, environment: Mapping[str, str]) -> str | None:
    head, slash, rest = source.partition("/")
    if head == "~":
        head = "$HOME"
    if not head.startswith("$"):
        return source
    base = environment.get(head[1:])
    return f"{base}{slash}{rest}" if base else None


def _gather(
    login: LoginFile, source: str, planned: Mapping[str, bytes], gathered: GatheredLogins
) -> None:
    content = _find_content(source)
    if content is None:
        return
    before = planned.get(login.path)
    if not login.keys and before is None:
        gathered.copied[login.path] = content
    elif not login.keys:
        reason = "the run has a file of its own in its place"
        raise _NotPassedOnError(reason)
    elif picked := _pick(_to_object(content), login.keys):
        if before is None:
            gathered.copied[login.path] = _to_json(picked)
        else:
            gathered.merged[login.path] = _to_json(_merge(_to_object(before), picked))


def _find_content(source: str) -> bytes | None:
    """Give what stands in a file, or None where there is none."""
    try:
        descriptor = os.open(source, _READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _NotPassedOnError(_reason_of(error)) from error
    try:
        return _read_file(descriptor)
    except OSError as error:
        raise _NotPassedOnError(_reason_of(error)) from error
    finally:
        os.close(descriptor)


def _reason_of(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "it cannot be opened"


def _read_file(descriptor: int) -> bytes:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        reason = "it is no file"
        raise _NotPassedOnError(reason)
    content = read_at_most(descriptor, _MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        reason = f"it has more than {_MOST_BYTES:,} bytes"
        raise _NotPassedOnError(reason)
    return content


def _to_object(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        reason = "it is not JSON"
        raise _NotPassedOnError(reason) from error
    if not isinstance(value, dict):
        reason = "it is no JSON object"
        raise _NotPassedOnError(reason)
    return value


def _to_json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _pick(found: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    picked: dict[str, Any] = {}
    for key in keys:
        value: Any = found
        names = key.split(".")
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            for name in reversed(names):
                value = {name: value}
            picked = _merge(picked, value)
    return picked


def _merge(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Put two objects together; where both say something, the first one counts."""
    merged = dict(first)
    for name, value in second.items():
        before = merged.get(name)
        if name not in merged:
            merged[name] = value
        elif isinstance(before, dict) and isinstance(value, dict):
            merged[name] = _merge(before, value)
    return merged
