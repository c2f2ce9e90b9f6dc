"""Directories of skills for tests, and a look into them."""

import os
import time
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from skillyard.adapters.index.directories import IndexedDirectories
from skillyard.application.discover import Discovered, discover_skills
from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Candidate, Layer
from skillyard.testing.packages import make_skill_md

_LATER = 10_000_000_000


def later() -> int:
    """Give a time at which what was written before is settled."""
    return time.time_ns() + _LATER


class HereCommands:
    """See `Commands`: knows a few, and remembers what it was asked."""

    def __init__(self, *names: str) -> None:
        self.asked: list[list[str]] = []
        self._names = frozenset(names)

    def find_missing(self, names: Collection[str]) -> frozenset[str]:
        """See `Commands.find_missing`."""
        self.asked.append(sorted(names))
        return frozenset(names) - self._names


def make_skill(directory: Path, name: str = "", *, description: str = "", extra: str = "") -> Path:
    """Write a skill; it is called like its directory, unless it has another name."""
    directory.mkdir(parents=True, exist_ok=True)
    text = make_skill_md(name or directory.name, description=description)
    if extra:
        text = text.replace("\n---\n", f"\n{extra}\n---\n", 1)
    (directory / "SKILL.md").write_text(text)
    return directory


def make_index(cache: Path | None) -> IndexedDirectories:
    """Give an index as a new process has it, a while after the files were written."""
    return IndexedDirectories(str(cache) if cache else None, now=later)


def discover(
    *roots: Path | Root,
    directories: IndexedDirectories | None = None,
    commands: HereCommands | None = None,
) -> Discovered:
    """Look into roots; a path is one of the project's."""
    return discover_skills(
        [one if isinstance(one, Root) else Root(Layer.PROJECT, str(one)) for one in roots],
        directories=directories or make_index(None),
        commands=commands or HereCommands(),
    )


def slugs(discovered: Discovered) -> list[str]:
    """Give the names of what was found, in order."""
    return [one.slug for one in discovered.candidates]


def find_one(root: Path) -> Candidate:
    """Give the one skill of a root."""
    (candidate,) = discover(root).candidates
    return candidate


def findings(discovered: Discovered, root: Path) -> list[tuple[str, str, str]]:
    """Give where something was found, its code, and how bad it is."""
    return [
        (one.location.removeprefix(f"{root}/"), one.diagnostic.code, one.diagnostic.severity.value)
        for one in discovered.findings
    ]


class Opened:
    """Records which names are opened, and can do something just before one is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self._before: dict[str, list[Callable[[], object]]] = {}
        self._open = os.open
        monkeypatch.setattr(os, "open", self._record)

    def before(self, name: str, act: Callable[[], object], *, after: int = 0) -> None:
        """Do something once, before `name` is opened; `after` that happened so many times."""
        self._before[name] = [*[_nothing] * after, act]

    def refuse(self, name: str, number: int, *, after: int = 0) -> None:
        """Fail once to open `name`."""

        def fail() -> None:
            raise OSError(number, os.strerror(number))

        self.before(name, fail, after=after)

    def count(self, name: str) -> int:
        """Give how often `name` was opened, and forget it."""
        counted = self.names.count(name)
        self.names.clear()
        return counted

    def _record(
        self, path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        acts = self._before.get(path)
        if acts:
            acts.pop(0)()
        descriptor = self._open(path, flags, mode, dir_fd=dir_fd)
        self.names.append(path)
        return descriptor


def _nothing() -> None:
    pass
