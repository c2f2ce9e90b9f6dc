r"""What changed between two packages, file by file.

- Lines end at a line feed and nowhere else, as they do for `patch`. They are kept as they are: code
  that prints them makes each one safe to show.
- A file is text where it is UTF-8 without a zero byte. Of any other, size and SHA-256 are told.
- Comparing lines takes time that grows with the square of their number, and with the cube in a file
  that is made for it. All files share `MOST_EFFORT`. A file for which it does not suffice is shown
  as one piece that goes and one that comes, without looking for what both have in common.
- Of a text beyond `MOST_BYTES`, no lines are shown.
"""

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from skillyard.domain.limits import MIB
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath

MOST_BYTES: Final = MIB
# Measured: less than a second, for the worst files that we could think of.
MOST_EFFORT: Final = 20_000_000

_CONTEXT: Final = 3
_NO_NEWLINE: Final = "\\ No newline at end of file"
_NOWHERE: Final = "/dev/null"
# `difflib` passes over the lines that are frequent in a text of at least this many.
_LINES_WITH_FREQUENT: Final = 200

_Step = tuple[str, int, int, int, int]


class Change(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class ContentChange(StrEnum):
    """How the difference of a file's content is told."""

    NONE = "none"
    TEXT = "text"
    BINARY = "binary"
    TOO_LARGE = "too-large"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What there is to say about a file without showing it."""

    size: int
    sha256: str
    executable: bool

    @property
    def mode(self) -> str:
        """The mode as git writes it."""
        return "100755" if self.executable else "100644"

    def to_json(self) -> dict[str, object]:
        """Give the facts as JSON can hold them."""
        return {"size": self.size, "sha256": self.sha256, "executable": self.executable}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDifference:
    """One file that is not the same in both; None where it is missing.

    `lines` are those of a unified difference from the first `@@` on, without line ends; there are
    none unless `content` is `TEXT`.
    """

    path: PackagePath
    before: FileFacts | None
    after: FileFacts | None
    content: ContentChange
    lines: tuple[str, ...] = ()

    @property
    def change(self) -> Change:
        """What happened to the file."""
        if self.before is None:
            return Change.ADDED
        return Change.REMOVED if self.after is None else Change.CHANGED

    def to_json(self) -> dict[str, object]:
        """Give the difference as JSON can hold it."""
        return {
            "path": self.path,
            "change": self.change.value,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
            "content": self.content.value,
            "lines": list(self.lines),
        }


@dataclass(frozen=True, slots=True)
class PackageDifference:
    """The files that are not the same in two packages, in the order of their paths' bytes."""

    files: tuple[FileDifference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the packages hold the same."""
        return not self.files

    def to_json(self) -> dict[str, object]:
        """Give the difference as JSON can hold it."""
        return {"files": [file.to_json() for file in self.files]}


@dataclass(slots=True)
class _Effort:
    """How much may still be spent on comparing lines."""

    left: int = MOST_EFFORT

    def spend(self, effort: int) -> bool:
        """Take `effort` off, or tell that there is too little left."""
        enough = effort <= self.left
        self.left -= effort if enough else 0
        return enough


def compare_packages(before: Package, after: Package) -> PackageDifference:
    """Give every file that was added, removed or changed; a new name is a new file."""
    effort = _Effort()
    paths = sorted({*before.files, *after.files}, key=str.encode)
    return PackageDifference(
        tuple(
            _compare_files(path, before.files.get(path), after.files.get(path), effort)
            for path in paths
            if before.files.get(path) != after.files.get(path)
        )
    )


def _compare_files(
    path: PackagePath, before: PackageFile | None, after: PackageFile | None, effort: _Effort
) -> FileDifference:
    content = _find_content_change(before, after)
    lines: tuple[str, ...] = ()
    if content is ContentChange.TEXT:
        lines = tuple(_iter_unified(_split(before), _split(after), effort))
    return FileDifference(
        path=path,
        before=_to_facts(before),
        after=_to_facts(after),
        content=content,
        lines=lines,
    )


def _find_content_change(before: PackageFile | None, after: PackageFile | None) -> ContentChange:
    contents = [file.content for file in (before, after) if file]
    if before and after and before.content == after.content:
        return ContentChange.NONE
    if not all(map(_is_text, contents)):
        return ContentChange.BINARY
    too_large = any(len(content) > MOST_BYTES for content in contents)
    return ContentChange.TOO_LARGE if too_large else ContentChange.TEXT


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _to_facts(file: PackageFile | None) -> FileFacts | None:
    if file is None:
        return None
    return FileFacts(len(file.content), sha256(file.content).hexdigest(), file.executable)


def _split(file: PackageFile | None) -> list[str]:
    *lines, last = (file.content if file else b"").decode().split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def _iter_unified(before: list[str], after: list[str], effort: _Effort) -> Iterator[str]:
    if before == after:  # an empty file came or went
        return
    for hunk in _iter_hunks(_list_steps(before, after, effort)):
        yield _render_header(hunk)
        for line in _iter_hunk(hunk, before, after):
            yield line.removesuffix("\n")
            if not line.endswith("\n"):
                yield _NO_NEWLINE


def _list_steps(before: list[str], after: list[str], effort: _Effort) -> list[_Step]:
    """Give the steps from the one to the other, with a few equal lines before and behind."""
    # What both start and end with needs no comparing: a large file with a small change is cheap.
    head = _count_common(before, after)
    tail = _count_common(before[head:][::-1], after[head:][::-1])
    old, new = len(before) - tail, len(after) - tail
    start, more = max(0, head - _CONTEXT), min(tail, _CONTEXT)
    return [
        ("equal", start, head, start, head),
        *(
            (tag, head + old_start, head + old_end, head + new_start, head + new_end)
            for tag, old_start, old_end, new_start, new_end in _compare_lines(
                before[head:old], after[head:new], effort
            )
        ),
        ("equal", old, old + more, new, new + more),
    ]


def _count_common(before: list[str], after: list[str]) -> int:
    shorter = min(len(before), len(after))
    return next((at for at in range(shorter) if before[at] != after[at]), shorter)


def _compare_lines(before: list[str], after: list[str], effort: _Effort) -> list[_Step]:
    if effort.spend(_estimate(before, after)):
        return list(difflib.SequenceMatcher(None, before, after).get_opcodes())
    return [("replace", 0, len(before), 0, len(after))]


def _iter_hunks(steps: list[_Step]) -> Iterator[list[_Step]]:
    """Yield the steps in groups, apart where many equal lines stand between two changes."""
    hunk: list[_Step] = []
    for step in steps:
        tag, old_start, old_end, new_start, new_end = step
        if tag == "equal" and old_end - old_start > 2 * _CONTEXT:
            yield [*hunk, (tag, old_start, old_start + _CONTEXT, new_start, new_start + _CONTEXT)]
            hunk = [(tag, old_end - _CONTEXT, old_end, new_end - _CONTEXT, new_end)]
        else:
            hunk.append(step)
    yield hunk


def _estimate(before: list[str], after: list[str]) -> int:
    """Give how many steps `difflib` takes at most: all equal pairs, again for each line."""
    counts = Counter(after)
    frequent = len(after) // 100 + 1 if len(after) >= _LINES_WITH_FREQUENT else len(after)
    pairs = sum(count for count in map(counts.__getitem__, before) if count <= frequent)
    return (len(before) + pairs) * min(len(before), len(after))


def _render_header(hunk: list[_Step]) -> str:
    (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = hunk[0], hunk[-1]
    old = _render_span(old_start, old_end - old_start)
    return f"@@ -{old} +{_render_span(new_start, new_end - new_start)} @@"


def _render_span(start: int, length: int) -> str:
    if length == 1:
        return f"{start + 1}"
    # An empty span stands behind the line that it names.
    return f"{start + 1 if length else start},{length}"


def _iter_hunk(hunk: list[_Step], before: list[str], after: list[str]) -> Iterator[str]:
    for tag, old_start, old_end, new_start, new_end in hunk:
        if tag == "equal":
            yield from (f" {line}" for line in before[old_start:old_end])
            continue
        yield from (f"-{line}" for line in before[old_start:old_end])
        yield from (f"+{line}" for line in after[new_start:new_end])


def render_difference(difference: PackageDifference, *, before_label: str, after_label: str) -> str:
    """Write a difference as git does, with the labels in the place of git's `a` and `b`.

    `git apply` and `patch -p1` take it where the labels hold no `/` and every file is a text. Only
    a line feed ends a line.
    """
    return "".join(
        f"{line}\n"
        for file in difference.files
        for line in _iter_rendered(
            file, f"{before_label}/{file.path}", f"{after_label}/{file.path}"
        )
    )


def _iter_rendered(file: FileDifference, old: str, new: str) -> Iterator[str]:
    yield f"diff --git {old} {new}"
    yield from _iter_modes(file)
    old, new = old if file.before else _NOWHERE, new if file.after else _NOWHERE
    if file.lines:
        yield f"--- {_end_name(old)}"
        yield f"+++ {_end_name(new)}"
        yield from file.lines
    if file.content in {ContentChange.BINARY, ContentChange.TOO_LARGE}:
        kind = "Binary files" if file.content is ContentChange.BINARY else "Too large to show:"
        yield f"{kind} {old} and {new} differ"
        yield from _iter_facts(file)


def _iter_modes(file: FileDifference) -> Iterator[str]:
    if file.after and not file.before:
        yield f"new file mode {file.after.mode}"
    if file.before and not file.after:
        yield f"deleted file mode {file.before.mode}"
    if file.before and file.after and file.before.mode != file.after.mode:
        yield f"old mode {file.before.mode}"
        yield f"new mode {file.after.mode}"


def _end_name(name: str) -> str:
    # A tab says where a name with blanks ends.
    return f"{name}\t" if " " in name else name


def _iter_facts(file: FileDifference) -> Iterator[str]:
    for label, facts in (("before", file.before), ("after", file.after)):
        if facts:
            unit = "byte" if facts.size == 1 else "bytes"
            yield f"  {label}: {facts.size:,} {unit}, sha256:{facts.sha256}"
