"""The settings of a project that direct which skills a client sees, as they stand in it."""

import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from skillyard.domain.client import SkillSettings
from skillyard.domain.delivery import FoundSettings
from skillyard.providers.directing import find_directing_keys

_MOST_BYTES: Final = 1024 * 1024
# A link is followed, as clients do; a pipe must not hold us up.
_READ: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def find_settings(
    start: Path, top: Path, settings: Collection[SkillSettings]
) -> list[FoundSettings]:
    """Give the files from `start` up to `top` that direct skills, the nearest first.

    One that is too large to be looked at counts as one that does.
    """
    way = [place for place in (start, *start.parents) if place.is_relative_to(top)]
    return [found for place in way for found in _iter_found(place, settings)]


def _iter_found(place: Path, settings: Collection[SkillSettings]) -> Iterator[FoundSettings]:
    for one in settings:
        content = _read(place / one.file)
        if content is None:
            continue
        is_whole = len(content) <= _MOST_BYTES
        if keys := find_directing_keys(one, content) if is_whole else one.keys:
            yield FoundSettings(str(place / one.file), keys)


def _read(path: Path) -> bytes | None:
    """Give the content of a file, or a little more of it than is ever looked at."""
    with suppress(OSError):
        descriptor = os.open(path, _READ)
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read(_MOST_BYTES + 1)
    return None
