"""Carry out, or show, what `skillyard check --fix` repairs."""

import difflib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import click

from skillyard.application.fix import FixedFile, apply_fix, plan_fixes
from skillyard.bootstrap import open_shelf
from skillyard.cli.failures import find_status, say_error
from skillyard.cli.progress import Progress
from skillyard.cli.sources import open_place
from skillyard.domain.errors import NotFixableError, SkillyardError
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement

_MOST_COMPARED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Repairs:
    """Repairs at several paths; what cannot be repaired does not keep the rest from being."""

    paths: tuple[str, ...]
    judgement: Judgement
    limits: Limits

    def run(self, *, apply: bool) -> int:
        """Repair each file, or print the difference; give the status of the last failure, or 0."""
        progress = Progress("compared")
        status = files = problems = 0
        for path in self.paths:
            source = open_place(path, limits=self.limits)
            for fixed in progress.counting(plan_fixes(source, judgement=self.judgement)):
                if fixed.is_changed:
                    progress.clear()
                    failed = _carry_out(fixed, apply=apply)
                    status = failed or status
                    files += not failed
                    problems += 0 if failed else len(fixed.after.fixed)
        _say_how_many(problems, files, apply=apply)
        return status


def _carry_out(fixed: FixedFile, *, apply: bool) -> int:
    if not apply:
        click.echo(render_difference(fixed, raw=_is_piped()), nl=False)
        return 0
    try:
        if fixed.found.container:
            raise NotFixableError(fixed.found.location)
        apply_fix(fixed, shelf=open_shelf())
    except SkillyardError as error:
        say_error(error)
        return find_status(error)
    return 0


def _is_piped() -> bool:
    # The log of a build acts on some lines, and is no terminal either.
    return not sys.stdout.isatty() and os.environ.get("GITHUB_ACTIONS") != "true"


def _say_how_many(problems: int, files: int, *, apply: bool) -> None:
    if not files:
        click.echo("Nothing to fix", err=True)
        return
    verb = "Fixed" if apply else "Would fix"
    click.echo(
        f"{verb} {problems:,} problem{'s' * (problems != 1)} in {files:,} file{'s' * (files != 1)}",
        err=True,
    )


def render_difference(fixed: FixedFile, *, raw: bool) -> str:
    """Give the difference as `patch` takes it; not `raw`, as a terminal may show it."""
    path = str(fixed.path).lstrip("/")
    before, after = _lines(fixed.before), _lines(fixed.after.content)
    pieces = []
    for line in _iter_difference(before, after, f"a/{path}", f"b/{path}"):
        text = line.removesuffix("\n")
        pieces.append(text if raw else visible(text))
        if text == line:
            pieces.append("\\ No newline at end of file")
    return "".join(f"{one}\n" for one in pieces)


def _iter_difference(before: list[str], after: list[str], old: str, new: str) -> Iterator[str]:
    if len(before) * len(after) <= _MOST_COMPARED:
        yield from difflib.unified_diff(before, after, old, new)
        return
    # Comparing all lines with all would take minutes: what differs is shown as one piece.
    start = 0
    while before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    yield from (f"--- {old}\n", f"+++ {new}\n")
    yield f"@@ -{start + 1},{len(gone)} +{start + 1},{len(come)} @@\n"
    yield from (f"-{line}" for line in gone)
    yield from (f"+{line}" for line in come)


def _lines(content: bytes) -> list[str]:
    # Only a line feed ends a line for `patch`.
    *lines, last = content.decode(errors="replace").split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]
