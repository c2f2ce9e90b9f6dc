"""`skillyard add`: save skills from directories and bundles."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from shlex import quote

import click

from skillyard.application.ports.source import FoundPackage
from skillyard.application.save import Outcome, RefusedSkill, SavedSkill, SaveSkill
from skillyard.cli.failures import add_hint, find_status, say_error, to_json_error
from skillyard.cli.options import PATH_HELP, dry_run_option, echo_json, json_option
from skillyard.cli.progress import Progress
from skillyard.cli.skill_options import (
    category_option,
    confidence_option,
    display_name_option,
    message_option,
    other_limits_option,
    state_facts,
    to_version,
    version_option,
)
from skillyard.cli.skills_view import (
    REFUSED,
    count,
    list_warnings,
    render_saved,
    say_hint,
    say_line,
    say_note,
    say_warning,
    to_json_saved,
)
from skillyard.cli.sources import open_place
from skillyard.cli.yard import opened_yard
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.facts import FactChanges
from skillyard.domain.limits import PRESETS, Limits
from skillyard.domain.manifest import Confidence
from skillyard.domain.version import Version
from skillyard.yard import Skillyard

_REFUSED = "refused"
_OUTCOMES = (*(one.value for one in Outcome), _REFUSED)
_MOST_NOTES = 10
_MOST_REFUSED = 20
_FOR_ONE = "--base and --display-name are for one skill, and there are several"


@click.command("add", epilog=PATH_HELP)
@click.argument("paths", metavar="PATH...", type=click.Path(), nargs=-1, required=True)
@version_option("The version's number; by default, what the skill says or the next patch number.")
@click.option(
    "--base",
    metavar="V",
    callback=to_version,
    help="The version that you started from; if another one is current, nothing is saved.",
)
@message_option
@category_option
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="A tag; may be repeated.")
@display_name_option
@confidence_option
@other_limits_option
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    *,
    version: Version | None,
    base: Version | None,
    message: str,
    category: str | None,
    tags: tuple[str, ...],
    display_name: str | None,
    confidence: Confidence | None,
    limits: Limits | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Save the skills at each PATH as your own; a known one gets a new version.

    A skill that is refused does not keep the others from being saved. The exit status is then that
    of the last one: 1 where a skill is invalid, 4 where someone else was first.
    """
    changes = state_facts(
        category=category, tags=tags, display_name=display_name, confidence=confidence
    )
    wish = _Wish(version, base, message, changes)
    progress = Progress("read")
    report = _Report(paths, _name_limits(limits), dry_run=dry_run, as_json=as_json)
    with opened_yard() as yard:
        yard.limits = limits or yard.limits
        found = _open(paths, yard.limits, only=bool(base or display_name))
        wishes = (wish.for_package(yard, one) for one in progress.counting(found))
        try:
            for saved in yard.save_all(wishes, dry_run=dry_run):
                progress.clear()
                report.include(saved)
        except BaseException:
            # What was saved stays saved. More may have been than could still be told.
            report.end(is_cut_short=True)
            raise
        report.end()
    ctx.exit(report.status)


def _name_limits(limits: Limits | None) -> list[str]:
    return [part for name, one in PRESETS.items() if one == limits for part in ("--limits", name)]


def _open(paths: tuple[str, ...], limits: Limits, *, only: bool) -> Iterator[FoundPackage]:
    """Open every path first: a bad one is bad usage, and nothing has been saved yet."""
    opened = [_start(open_place(path, limits=limits).iter_packages()) for path in paths]
    found = chain.from_iterable(opened)
    first = list(islice(found, 2))
    if only and len(first) > 1:
        raise click.UsageError(_FOR_ONE)
    return chain(first, found)


def _start(packages: Iterator[FoundPackage]) -> Iterable[FoundPackage]:
    return chain([next(packages)], packages)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the options say about every package."""

    version: Version | None
    base: Version | None
    message: str
    changes: FactChanges

    def for_package(self, yard: Skillyard, found: FoundPackage) -> SaveSkill:
        return replace(
            yard.wish(found),
            version=self.version,
            base=self.base,
            message=self.message,
            changes=self.changes,
        )


@dataclass(slots=True)
class _Report:
    """Says what became of each package, and how many there were of each kind."""

    paths: tuple[str, ...]
    limiting: list[str]
    dry_run: bool = field(kw_only=True)
    as_json: bool = field(kw_only=True)
    status: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    warnings: int = 0
    notes: int = 0
    told: list[dict[str, object]] = field(default_factory=list)

    def include(self, saved: SavedSkill | RefusedSkill) -> None:
        if isinstance(saved, RefusedSkill):
            self._refuse(saved)
            return
        self.counts[saved.outcome] += 1
        if self.as_json:
            self.told.append({"path": saved.location, **to_json_saved(saved)})
            return
        click.echo(render_saved(saved, dry_run=self.dry_run))
        if saved.outcome is not Outcome.UNCHANGED:
            self._mention(saved)

    def _mention(self, saved: SavedSkill) -> None:
        self.warnings += len(list_warnings(saved.diagnostics))
        for note in saved.notes:
            self.notes += 1
            if self.notes <= _MOST_NOTES:
                say_note(f"{saved.skill.reference}: {note}")

    def _refuse(self, refused: RefusedSkill) -> None:
        self.counts[_REFUSED] += 1
        self.status = find_status(refused.error)
        self._say_how_to_repair(refused)
        if self.as_json:
            error = to_json_error(refused.error)
            self.told.append({"path": refused.location, "outcome": _REFUSED, "error": error})
        elif self.counts[_REFUSED] <= _MOST_REFUSED:
            click.echo(say_line(REFUSED, f"{refused.location} {_REFUSED}"))
            say_error(refused.error)

    def _say_how_to_repair(self, refused: RefusedSkill) -> None:
        error = refused.error
        if not isinstance(error, InvalidPackageError) or not Path(refused.location).is_dir():
            return
        if any(one.fixable for one in error.diagnostics if one.severity is Severity.ERROR):
            said = " ".join(map(quote, (refused.location, *self.limiting)))
            add_hint(error, f"`skillyard check --fix {said}` repairs what can be repaired")

    def end(self, *, is_cut_short: bool = False) -> None:
        if self.as_json:
            counts = {one: self.counts[one] for one in _OUTCOMES}
            cut = {"interrupted": True} if is_cut_short else {}
            echo_json({"skills": self.told, **counts, "dry_run": self.dry_run, **cut})
            return
        said = ", ".join(f"{self.counts[one]:,} {one}" for one in _OUTCOMES if self.counts[one])
        said = f"Not finished: at least {said or '0'}" if is_cut_short else said
        click.echo(f"Dry run: {said}" if self.dry_run else said)
        if self.counts[_REFUSED] > _MOST_REFUSED:
            more = self.counts[_REFUSED] - _MOST_REFUSED
            say_note(f"and {more:,} more {_REFUSED}; --json has all")
        if self.notes > _MOST_NOTES:
            say_note(f"and {count(self.notes - _MOST_NOTES, 'more note')}: see --json")
        if self.warnings:
            say_warning(count(self.warnings, "warning"))
            said = " ".join(map(quote, (*self.paths, *self.limiting)))
            say_hint(f"Run `skillyard check {said}` to see them")
