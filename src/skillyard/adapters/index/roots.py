"""Where directories of skills are looked for."""

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Layer

BUNDLED: Final = Path(__file__).parents[2] / "bundled"
"""The skills that come with this program."""

_OF_USER: Final = (".agent/skills", ".agents/skills")
# The strongest first: what is one directory under two names belongs to it.
_OF_PROJECT: Final = (
    (Layer.PROJECT, ".agent/skills"),
    (Layer.PROJECT, ".agents/skills"),
    (Layer.PROJECT, ".squad/skills"),
    (Layer.PROJECT, "skills"),
    (Layer.CLAUDE, ".claude/skills"),
)


def list_roots(
    *,
    home: Path | None = None,
    project: Path | None = None,
    further: Iterable[Path] = (),
    project_further: Iterable[str] = (),
) -> tuple[Root, ...]:
    """Give the roots, whether or not they exist: ours, the user's, and the project's.

    `further` are more of the user's, and `project_further` more of the project's, relative to it.
    What is one directory under two names is one root; the first counts. A project's roots have to
    stay inside the project.
    """
    roots: dict[str, Root] = {}
    for root in chain(
        [Root(Layer.BUNDLED, str(BUNDLED))],
        _iter_of_user(home, further),
        _iter_of_project(project, project_further) if project else (),
    ):
        roots.setdefault(os.path.realpath(root.path), root)
    return tuple(roots.values())


def _iter_of_user(home: Path | None, further: Iterable[Path]) -> Iterator[Root]:
    for place in _OF_USER if home else ():
        yield Root(Layer.USER, _absolute(home, place))
    for path in further:
        yield Root(Layer.USER, _absolute(path))


def _iter_of_project(project: Path, further: Iterable[str]) -> Iterator[Root]:
    more = ((Layer.PROJECT, place) for place in further)
    for layer, place in (*_OF_PROJECT, *more):
        yield Root(layer, _absolute(project, place), within=_absolute(project))


def _absolute(path: Path | None, place: str = "") -> str:
    return os.path.abspath(os.path.join(path or "", place))  # noqa: PTH100, PTH118 - no links followed
