"""Where directories of skills are looked for."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Layer

BUNDLED: Final = Path(__file__).parents[2] / "bundled"
"""The skills that come with this program."""

_OF_USER: Final = (".agent/skills", ".agents/skills")
_OF_PROJECT: Final = (
    (Layer.CLAUDE, ".claude/skills"),
    (Layer.PROJECT, ".agent/skills"),
    (Layer.PROJECT, ".agents/skills"),
    (Layer.PROJECT, ".squad/skills"),
    (Layer.PROJECT, "skills"),
)


def list_roots(
    *,
    home: Path | None = None,
    project: Path | None = None,
    further: Iterable[tuple[Layer, Path]] = (),
) -> tuple[Root, ...]:
    """Give the roots, whether or not they exist: ours, the user's, the project's, and `further`.

    What is one directory under two names is one root; the first counts. A project's roots have to
    stay inside the project.
    """
    roots: dict[str, Root] = {}
    for root in _iter_roots(home, project, further):
        roots.setdefault(os.path.realpath(root.path), root)
    return tuple(roots.values())


def _iter_roots(
    home: Path | None, project: Path | None, further: Iterable[tuple[Layer, Path]]
) -> Iterator[Root]:
    yield Root(Layer.BUNDLED, str(BUNDLED))
    for place in _OF_USER if home else ():
        yield Root(Layer.USER, _absolute(home, place))
    for layer, place in _OF_PROJECT if project else ():
        yield Root(layer, _absolute(project, place), within=_absolute(project))
    for layer, path in further:
        yield Root(layer, _absolute(path))


def _absolute(path: Path | None, place: str = "") -> str:
    return os.path.abspath(os.path.join(path or "", place))  # noqa: PTH100, PTH118 - no links followed
