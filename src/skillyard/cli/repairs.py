"""Carry out, or show, what `skillyard check --fix` repairs."""

import difflib
import sys
from dataclasses import dataclass

import click

from skillyard.application.fix import FixedFile, apply_fix, plan_fixes
from skillyard.bootstrap import open_shelf, open_source
from skillyard.cli.failures import find_status, say_error
from skillyard.cli.progress import Progress
from skillyard.domain.errors import NotFixableError, SkillyardError
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement


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
            source = open_source(path, limits=self.limits)
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
        click.echo(render_difference(fixed, raw=not sys.stdout.isatty()), nl=False)
        return 0
    try:
        if fixed.found.container:
            raise NotFixableError(fixed.found.location)
        apply_fix(fixed, shelf=open_shelf())
    except SkillyardError as error:
        say_error(error)
        return find_status(error)
    return 0


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
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{path}"):
        text = line.removesuffix("\n")
        pieces.append(text if raw else visible(text))
        if text == line:
            pieces.append("\\ No newline at end of file")
    return "".join(f"{one}\n" for one in pieces)


def _lines(content: bytes) -> list[str]:
    # Only a line feed ends a line for `patch`.
    *lines, last = content.decode(errors="replace").split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]
