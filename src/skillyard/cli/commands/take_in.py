"""`skillyard import`: take skills in from elsewhere, after a look at them."""

from collections import Counter
from collections.abc import Mapping, Sequence

import click

from skillyard.application.importing import (
    ImportedSkill,
    ImportOutcome,
    ImportPlan,
    OnConflict,
    PlanImport,
    Standing,
    plan_import,
    require_decided,
    require_harmless,
)
from skillyard.application.ports.source import SkillSource
from skillyard.cli.asking import ask, is_confirmed, is_someone_there
from skillyard.cli.failures import say_error
from skillyard.cli.import_view import (
    render_imported,
    render_plan,
    to_json_imported,
    to_json_refused,
)
from skillyard.cli.options import PATH_HELP, dry_run_option, echo_json, json_option
from skillyard.cli.progress import Progress
from skillyard.cli.skill_options import message_option, other_limits_option
from skillyard.cli.skills_view import count, say_note
from skillyard.cli.sources import STDIN, InputSource, open_place
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.domain.limits import Limits
from skillyard.domain.manifest import Confidence
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement
from skillyard.yard import Skillyard

_DECLINED = 1
_FILE_HELP = f"{PATH_HELP.replace('PATH is', 'FILE is', 1)} `-` reads a bundle from standard input."
_LEFT_OUT = 1
_PLAIN_WIDTH = 100
_REFUSED = "refused"
_ANSWERS = {answer: one for one in OnConflict for answer in (one.value, one.value[0])}


@click.command("import", epilog=_FILE_HELP)
@click.argument("files", metavar="FILE...", type=click.Path(), nargs=-1, required=True)
@click.option(
    "--on-conflict",
    type=click.Choice([one.value for one in OnConflict]),
    callback=lambda _ctx, _param, value: OnConflict(value) if value else None,
    help="What to do where a name is taken: save a new version, leave it, or add a number.",
)
@click.option("--name", metavar="NEW", help="What the skill is to be called here.")
@click.option(
    "--confidence",
    type=click.Choice([Confidence.LOW.value, Confidence.MEDIUM.value]),
    default=Confidence.LOW.value,
    show_default=True,
    help="How far you trust what you have looked at.",
)
@message_option
@other_limits_option
@click.option("--yes", "-y", is_flag=True, help="Do not ask: you have looked at the files.")
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    on_conflict: OnConflict | None,
    name: str | None,
    *,
    confidence: str,
    message: str,
    limits: Limits | None,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Take in the skills of each FILE, after showing what they hold.

    Nothing is saved before you have agreed, and then all of it or nothing. What cannot be a skill
    is named and left out; the exit status is then 1. What comes in is marked as imported, and
    agents are not given it unless someone decides so.
    """
    with opened_yard() as yard:
        wish = PlanImport(
            name=name,
            confidence=Confidence(confidence),
            message=message,
            judgement=Judgement(limits=limits or yard.limits),
        )
        plan = _plan(wish, files, yard)
        _show(plan, on_stderr=as_json, silent=as_json and (yes or dry_run))
        choices = _choose(plan, on_conflict, may_ask=not (yes or dry_run))
        if not (dry_run or _is_agreed(plan, choices, yes=yes)):
            click.echo("Nothing was imported", err=True)
            ctx.exit(_DECLINED)
        imported = yard.apply_import(plan, choices, dry_run=dry_run)
    _report(plan, imported, dry_run=dry_run, as_json=as_json)
    ctx.exit(_LEFT_OUT if plan.refused else 0)


def _plan(wish: PlanImport, files: tuple[str, ...], yard: Skillyard) -> ImportPlan:
    """Look at every file; all are opened first, so that a bad path is found at once."""
    sources = [_open(one, wish.judgement.limits) for one in files]
    found = (one for source in sources for one in source.iter_packages())
    counted = Progress("read").counting(found)
    return plan_import(wish, counted, store=yard.store, scanner=yard.scanner)


def _open(file: str, limits: Limits) -> SkillSource:
    return InputSource(limits) if file == STDIN else open_place(file, limits=limits)


def _show(plan: ImportPlan, *, on_stderr: bool, silent: bool) -> None:
    width = find_width() or _PLAIN_WIDTH
    for line in () if silent else render_plan(plan, width=width):
        click.echo(line, err=on_stderr)


def _choose(
    plan: ImportPlan, on_conflict: OnConflict | None, *, may_ask: bool
) -> Mapping[str, OnConflict]:
    """Give the answer for every name that is taken; without anyone to ask, there may be none."""
    choices = dict(plan.decide_all(on_conflict)) if on_conflict else {}
    if not on_conflict and may_ask and is_someone_there():
        choices = {one.slug: _ask_about(one.slug) for one in plan.conflicts}
    require_decided(plan, choices)
    return choices


def _ask_about(slug: str) -> OnConflict:
    question = f"There is a skill {slug} already: (o)verwrite, (s)kip or (r)ename?"
    while (answer := ask(visible(question))) not in _ANSWERS:
        click.echo("Answer o, s or r", err=True)
    return _ANSWERS[answer]


def _is_agreed(plan: ImportPlan, choices: Mapping[str, OnConflict], *, yes: bool) -> bool:
    coming = [
        one.slug
        for one in plan.offers
        if one.standing is not Standing.UNCHANGED and choices.get(one.slug) is not OnConflict.SKIP
    ]
    if not coming:
        return True
    if yes:
        require_harmless(plan)
        return True
    what = f"importing {', '.join(coming)}"
    return is_confirmed(f"Import {count(len(coming), 'skill')}?", what=visible(what))


def _report(
    plan: ImportPlan, imported: Sequence[ImportedSkill], *, dry_run: bool, as_json: bool
) -> None:
    counts = Counter(one.outcome.value for one in imported)
    counts[_REFUSED] = len(plan.refused)
    outcomes = (*(one.value for one in ImportOutcome), _REFUSED)
    if as_json:
        told = [to_json_imported(one) for one in imported]
        numbers = {one: counts[one] for one in outcomes}
        refused = to_json_refused(plan)
        echo_json({"skills": told, "left_out": refused, **numbers, "dry_run": dry_run})
        return
    for one in imported:
        click.echo(render_imported(one, dry_run=dry_run))
        for note in one.saved.notes if one.saved else ():
            say_note(f"{one.slug}: {note}")
    said = ", ".join(f"{counts[one]:,} {one}" for one in outcomes if counts[one])
    click.echo(f"Dry run: {said}" if dry_run else said)
    for refused_one in plan.refused:
        say_error(refused_one.error)
