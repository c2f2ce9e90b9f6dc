"""`skillyard check`: find what is wrong with skills."""

import difflib
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from skillyard import __version__
from skillyard.application.check import CheckedSkill, CheckSkills, check_skills
from skillyard.application.fix import FixedFile, apply_fix, plan_fixes
from skillyard.application.profiles import PROFILE_NAMES, ChosenProfile, parse_profile
from skillyard.bootstrap import open_shelf, open_source
from skillyard.cli.options import PATH_HELP, limits_option
from skillyard.cli.progress import with_progress
from skillyard.cli.reporting import report_skill
from skillyard.domain.errors import NotFixableError, UnknownCodeError
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement
from skillyard.skillmd.reports.github import render_github
from skillyard.skillmd.reports.jsonreport import render_json
from skillyard.skillmd.reports.reported import ReportedPackage, Totals
from skillyard.skillmd.reports.sarif import render_sarif
from skillyard.skillmd.reports.text import render_text, render_totals

_ERRORS_FOUND = 1
_EXCLUSIVE = "--fix and --diff exclude each other"


@click.command("check", epilog=PATH_HELP)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--profile",
    "profile_name",
    default="standard",
    show_default=True,
    metavar="PROFILE",
    help=f"How to judge: {', '.join(PROFILE_NAMES)}.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="How to print what was found.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired safely, then check.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--strict-tree", is_flag=True, help="Accept files in the usual directories only.")
@click.option("--quiet", "-q", is_flag=True, help="Leave out notes.")
@click.option("--explain", metavar="CODE", help="Print what a code such as SY202 means, and stop.")
@limits_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    profile_name: str,
    form: str,
    explain: str | None,
    limits: Limits,
    *,
    as_json: bool,
    fix: bool,
    diff: bool,
    strict_tree: bool,
    quiet: bool,
) -> None:
    """Find everything that is wrong with the skills at each PATH (default: here).

    The exit status is 0 where there are no errors, 1 where there are, and 2 where the command
    itself could not be understood.
    """
    if explain is not None:
        _explain(explain)
        return
    if fix and diff:
        raise click.UsageError(_EXCLUSIVE)
    chosen = parse_profile(profile_name)
    wish = _Wish(paths or (".",), chosen, limits, strict_tree=strict_tree, quiet=quiet)
    if fix or diff:
        _fix(wish, apply=fix)
        if diff:
            return
    form = "json" if as_json else form
    count = _Count()
    for piece in _render(form, count.passing(wish.reported()), chosen):
        click.echo(piece)
    if form == "text":
        click.echo(render_totals(count.totals))
    ctx.exit(_ERRORS_FOUND if count.totals.errors else 0)


class _Count:
    """Counts what passes."""

    def __init__(self) -> None:
        self.totals = Totals()

    def passing(self, packages: Iterable[ReportedPackage]) -> Iterator[ReportedPackage]:
        for package in packages:
            self.totals = self.totals.including(package)
            yield package


@dataclass(frozen=True, slots=True)
class _Wish:
    """What to check, and how."""

    paths: tuple[str, ...]
    chosen: ChosenProfile
    limits: Limits
    strict_tree: bool
    quiet: bool

    @property
    def judgement(self) -> Judgement:
        return Judgement(
            profile=self.chosen.profile, limits=self.limits, strict_tree=self.strict_tree
        )

    def checked(self) -> Iterator[CheckedSkill]:
        wish = CheckSkills(judgement=self.judgement, client=self.chosen.client)
        for path in self.paths:
            yield from check_skills(wish, source=open_source(path, limits=self.limits))

    def reported(self) -> Iterator[ReportedPackage]:
        for one in with_progress(self.checked(), label="checked"):
            yield report_skill(one, notes=not self.quiet)


def _render(form: str, packages: Iterable[ReportedPackage], chosen: ChosenProfile) -> Iterator[str]:
    match form:
        case "json":
            return iter(render_json(packages, profile=chosen.name))
        case "sarif":
            return iter(render_sarif(packages, version=__version__))
        case "github":
            return iter(render_github(packages))
        case _:
            width = shutil.get_terminal_size((100, 24)).columns
            return iter(render_text(packages, colour=_colour(), width=width))


def _colour() -> bool:
    from os import environ

    return sys.stdout.isatty() and "NO_COLOR" not in environ


def _fix(wish: _Wish, *, apply: bool) -> None:
    shelf = open_shelf()
    files = problems = 0
    for path in wish.paths:
        source = open_source(path, limits=wish.limits)
        for fixed in with_progress(plan_fixes(source, judgement=wish.judgement), label="fixed"):
            if not fixed.is_changed:
                continue
            _require_file(fixed)
            files += 1
            problems += len(fixed.after.fixed)
            if apply:
                apply_fix(fixed, shelf=shelf)
            else:
                click.echo(_diff(fixed), nl=False)
    verb = "Fixed" if apply else "Would fix"
    click.echo(
        f"{verb} {problems} problem{'s' * (problems != 1)} in {files} file{'s' * (files != 1)}",
        err=True,
    )


def _require_file(fixed: FixedFile) -> None:
    if fixed.found.container:
        raise NotFixableError(fixed.found.location)


def _diff(fixed: FixedFile) -> str:
    before = fixed.before.decode(errors="replace").splitlines(keepends=True)
    after = fixed.after.content.decode(errors="replace").splitlines(keepends=True)
    path = str(fixed.path)
    lines = difflib.unified_diff(before, after, f"a/{path}", f"b/{path}")
    return "".join(visible(line.rstrip("\n")) + "\n" for line in lines)


def _explain(code: str) -> None:
    from skillyard.skillmd.rule_pages import find_page_text

    text = find_page_text(code.upper())
    if text is None:
        raise UnknownCodeError(code)
    click.echo(text)
