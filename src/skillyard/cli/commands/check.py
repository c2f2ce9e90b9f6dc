"""`skillyard check`: find what is wrong with skills."""

import shutil
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import click

from skillyard import __version__
from skillyard.application.check import CheckedSkill, CheckSkills, check_skills
from skillyard.application.profiles import PROFILE_NAMES, ChosenProfile, parse_profile
from skillyard.cli.colours import wants_colours
from skillyard.cli.failures import note_json_wanted, note_told
from skillyard.cli.options import PATH_HELP, limits_option
from skillyard.cli.progress import Progress
from skillyard.cli.repairs import Repairs
from skillyard.cli.reporting import report_skill
from skillyard.cli.sources import open_place
from skillyard.domain.errors import UnknownCodeError
from skillyard.domain.limits import Limits
from skillyard.skillmd.check import Judgement
from skillyard.skillmd.reports.github import render_github
from skillyard.skillmd.reports.jsonreport import render_json
from skillyard.skillmd.reports.reported import ReportedPackage, Totals
from skillyard.skillmd.reports.sarif import render_sarif
from skillyard.skillmd.reports.text import render_text, render_totals
from skillyard.skillmd.rules import RULES, Profile

_ERRORS_FOUND = 1


def complete_profile(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Give the profiles that start as what was typed does."""
    del ctx, param
    return [one for one in PROFILE_NAMES if one.startswith(incomplete)]


_EXCLUSIVE = "--fix and --diff exclude each other"
_TWO_FORMATS = "--json and another --format exclude each other"


@click.command("check", epilog=PATH_HELP)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "--profile",
    "profile_name",
    default="standard",
    show_default=True,
    metavar="PROFILE",
    shell_complete=complete_profile,
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
@click.option(
    "--explain", metavar="CODE", help="Print what a code or name such as SY202 means, and stop."
)
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
    if as_json and form not in {"text", "json"}:
        raise click.UsageError(_TWO_FORMATS)
    form = "json" if as_json else form
    if form == "json":
        note_json_wanted(ctx)
    chosen = parse_profile(profile_name)
    wish = _Wish(paths or (".",), chosen, limits, strict_tree=strict_tree, quiet=quiet)
    status = Repairs(wish.paths, wish.fixing, wish.limits).run(apply=fix) if fix or diff else 0
    progress = Progress("checked")
    count = _Count()
    here = Path.cwd() if form in {"sarif", "github"} else None
    reported = count.passing(progress.counting(wish.reported(here)))
    for piece in [] if diff else _render(form, reported, chosen):
        progress.clear()
        note_told()
        click.echo(piece)
    if diff:
        deque(reported, maxlen=0)
    elif form == "text":
        click.echo(render_totals(count.totals))
    ctx.exit(status or (_ERRORS_FOUND if count.totals.errors else 0))


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

    @property
    def fixing(self) -> Judgement:
        """What a client makes of a skill is no measure for repairs."""
        standard = replace(self.judgement, profile=Profile.STANDARD)
        return standard if self.chosen.client else self.judgement

    def reported(self, here: Path | None) -> Iterator[ReportedPackage]:
        """Open every path first: a bad one is bad usage, and nothing has been printed yet."""
        opened = [_start(self._checked(path)) for path in self.paths]
        skills = chain.from_iterable(opened)
        return (report_skill(one, notes=not self.quiet, here=here) for one in skills)

    def _checked(self, path: str) -> Iterator[CheckedSkill]:
        wish = CheckSkills(judgement=self.judgement, client=self.chosen.client)
        return check_skills(wish, source=open_place(path, limits=self.limits))


def _start(skills: Iterator[CheckedSkill]) -> Iterator[CheckedSkill]:
    return chain([next(skills)], skills)


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
            return iter(render_text(packages, colour=wants_colours(), width=width))


def _explain(code: str) -> None:
    from skillyard.skillmd.rule_pages import find_page_text

    known = {rule.name: rule.code for rule in RULES}
    text = find_page_text(known.get(code.lower(), code.upper()))
    if text is None:
        raise UnknownCodeError(code)
    click.echo(text)
