"""What a client finds on the disk besides what it is given: skills around a project."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from skillyard.application.ports.workspace import SkillSearch, Walk
from skillyard.domain.delivery import FoundDirectory

_COMMANDS: Final = "commands"
_DEEPEST: Final = 10
_MOST_NAMES: Final = 1000
_POINTER: Final = b"gitdir: "
_SKILL: Final = "SKILL.md"


def find_skill_directories(start: str, search: SkillSearch) -> tuple[FoundDirectory, ...]:
    """Give the directories with skills that a search from `start` comes by, the nearest first.

    Each is given once. One that cannot be read is passed over, as a client does.
    """
    found: dict[str, FoundDirectory] = {}
    for path in _candidates(Path(start).resolve(), search):
        place = path.resolve()
        names = _names(place, is_deep=search.is_deep) if str(place) not in found else ()
        if names:
            found[str(place)] = FoundDirectory(str(place), names)
    return tuple(found.values())


def find_root(start: Path) -> Path | None:
    """Give the nearest directory from `start` upwards that is the root of a repository."""
    return next((place for place in (start, *start.parents) if _is_repository(place)), None)


def _candidates(start: Path, search: SkillSearch) -> Iterator[Path]:
    root = find_root(start)
    for place in _way(start, root, search.walk):
        yield from (place / path for path in search.relative)
    if search.falls_back and root is not None and (main := find_main_work_tree(root)):
        yield from (main / path for path in search.relative if not (root / path).is_dir())
    yield from (Path(path) for path in search.absolute)


def _way(start: Path, root: Path | None, walk: Walk) -> list[Path]:
    upwards = [start, *start.parents]
    if walk is Walk.NEVER or (root is None and walk is Walk.TO_ROOT):
        return [start]
    return upwards if root is None else upwards[: upwards.index(root) + 1]


def _is_repository(place: Path) -> bool:
    git = place / ".git"
    if git.is_dir():
        return (git / "HEAD").is_file() and (git / "objects").is_dir()
    target = _pointed(git)
    return target is not None and (target / "HEAD").is_file()


def find_main_work_tree(root: Path) -> Path | None:
    """Give the main work tree of a linked one."""
    target = _pointed(root / ".git")
    try:
        told = (target / "commondir").read_bytes() if target else None
    except OSError:
        return None
    if target is None or told is None:
        return None
    common = (target / os.fsdecode(told.removesuffix(b"\n"))).resolve()
    return common.parent if common.name == ".git" else None


def _pointed(git: Path) -> Path | None:
    try:
        content = git.read_bytes()
    except OSError:
        return None
    if not content.startswith(_POINTER):
        return None
    return git.parent / os.fsdecode(content.removeprefix(_POINTER).removesuffix(b"\n"))


def _names(place: Path, *, is_deep: bool) -> tuple[str, ...]:
    if place.name == _COMMANDS:
        return tuple(path.stem for path in _listed(place) if path.suffix == ".md")
    found = _iter_skills(place, _DEEPEST if is_deep else 1)
    return tuple(sorted(str(path.relative_to(place)) for path in found)[:_MOST_NAMES])


def _iter_skills(place: Path, depth: int) -> Iterator[Path]:
    for path in _listed(place):
        if (path / _SKILL).is_file():
            yield path
        if depth > 1 and path.is_dir() and not path.is_symlink():
            yield from _iter_skills(path, depth - 1)


def _listed(place: Path) -> list[Path]:
    try:
        return sorted(place.iterdir())[:_MOST_NAMES]
    except OSError:
        return []
