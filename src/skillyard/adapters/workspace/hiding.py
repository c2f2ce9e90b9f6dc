"""Which paths of a project are hidden from a run: directories of skills, at any depth, and files.

Case does not count: on some file systems `.Claude/Skills` is the same directory.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

_SPECIAL = frozenset("*?[]\\")


@dataclass(frozen=True, slots=True)
class Hiding:
    """What is hidden, as lower-case parts: `patterns` at any depth, `anchored` from the root."""

    patterns: tuple[tuple[str, ...], ...]
    anchored: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, hide: Collection[str]) -> "Hiding":
        """Take paths that are relative to any directory, or with `/` before them to the root."""
        anchored = [path for path in hide if path.startswith("/")]
        return cls(_split({*hide} - {*anchored}), _split(anchored))

    def find(self, path: str) -> str | None:
        """Give what is hidden that a path is, or stands in; None where there is nothing."""
        parts = path.split("/")
        folded = [part.lower() for part in parts]
        ends = [
            start + len(pattern)
            for pattern in self.patterns
            for start in range(len(parts) - len(pattern) + 1)
            if tuple(folded[start : start + len(pattern)]) == pattern
        ]
        ends += [len(one) for one in self.anchored if tuple(folded[: len(one)]) == one]
        return "/".join(parts[: min(ends)]) if ends else None

    def hides_link(self, path: str) -> bool:
        """Tell whether a link at a path could lead to skills: it is hidden, or on the way there."""
        parts = tuple(path.lower().split("/"))
        return self.find(path) is not None or any(
            parts[-length:] == pattern[:length]
            for pattern in self.patterns
            for length in range(1, len(pattern))
        )

    def pathspecs(self) -> list[str]:
        """Give patterns by which git finds every path that might be hidden."""
        ways = {
            "/".join(pattern[:length]) for pattern in self.patterns for length in _ways(pattern)
        }
        globs = [f"**/{_escaped(way)}" for way in sorted(ways)]
        globs += [_escaped("/".join(one)) for one in self.anchored]
        return [f":(top,glob,icase){one}{end}" for one in globs for end in ("", "/**")]


def _ways(pattern: Sequence[str]) -> range:
    return range(1, len(pattern) + 1)


def _split(paths: Collection[str]) -> tuple[tuple[str, ...], ...]:
    split = {tuple(_parts(path)) for path in paths}
    return tuple(sorted(parts for parts in split if parts and ".." not in parts))


def _parts(path: str) -> list[str]:
    return [part for part in path.lower().split("/") if part not in {"", "."}]


def _escaped(path: str) -> str:
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in path)
