"""`skillyard runs`: show past runs, compare them, and have their skills again."""

from collections.abc import Iterator
from pathlib import Path

import click

from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import (
    WholeNumber,
    dry_run_option,
    echo_json,
    json_option,
)
from skillyard.cli.runs_view import render_run, render_runs, shorten_id, show_path
from skillyard.cli.skills_view import DONE, count, say_line, say_note
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import InvalidReceiptError
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.receipt import MOST_BYTES, parse_receipt, to_json_run
from skillyard.domain.run import Run, RunFilter, RunSkill, RunStatus
from skillyard.domain.run_difference import RunDifference, compare_runs
from skillyard.domain.text import visible
from skillyard.yard import Skillyard

_DIFFERENT = 1

command = KnowingGroup(
    "runs",
    help="Show past runs, compare them, and have their skills again.\n\n"
    "RUN is a run's id, the start of one, `last`, or the file of a receipt.",
)


@command.command("list")
@click.option("--agent", metavar="NAME", help="Only those of this agent.")
@click.option("--skill", metavar="SLUG", help="Only those that had this skill.")
@click.option(
    "--status", type=click.Choice([one.value for one in RunStatus]), help="Only those like this."
)
@click.option("--provider", metavar="CLIENT", help="Only those of this client.")
@click.option(
    "--most",
    type=WholeNumber(1, LARGEST_NUMBER),
    default=20,
    show_default=True,
    metavar="N",
    help="How many, at most.",
)
@json_option
def show_all(
    agent: str | None,
    skill: str | None,
    status: str | None,
    provider: str | None,
    most: int,
    *,
    as_json: bool,
) -> None:
    """List runs; the newest first."""
    state = RunStatus(status) if status else None
    wanted = RunFilter(agent=agent, skill=skill, status=state, provider=provider)
    with opened_yard() as yard:
        found = yard.list_runs(wanted, most=most + 1)
    shown, more = found[:most], len(found) > most
    if as_json:
        echo_json({"runs": [to_json_run(one) for one in shown], "more": more})
        return
    if not shown:
        click.echo("There are no runs like that", err=True)
        return
    for line in render_runs(shown):
        click.echo(line)
    if more:
        say_note("there is more; `--most` shows it")


@command.command("show")
@click.argument("run")
@json_option
def show(run: str, *, as_json: bool) -> None:
    """Show all that is known of RUN."""
    with opened_yard() as yard:
        found = _find(run, yard)
    if as_json:
        echo_json(to_json_run(found))
        return
    for line in render_run(found):
        click.echo(line)


@command.command("verify")
@click.argument("run")
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Compare with this directory.  [default: the run's own, if it was kept]",
)
@json_option
def verify(run: str, root: Path | None, *, as_json: bool) -> None:
    """See whether what RUN was given is still there, and as it was."""
    with opened_yard() as yard:
        found = _find(run, yard)
        verified = yard.verify_run(found, root=root.absolute() if root else None)
    if as_json:
        changes = [{"slug": x.slug, "path": x.path, "kind": x.kind} for x in verified.changes]
        told = {"run": found.id, "root": verified.root or None, "lost": verified.lost}
        more = {"edited": verified.edited, "changes": changes, "intact": verified.is_intact}
        echo_json({**told, **more})
    verified.require_intact()
    if not as_json:
        place = f" and in {show_path(verified.root)}" if verified.root else ""
        skills = count(len(found.skills), "skill")
        click.echo(
            say_line(DONE, f"run {shorten_id(found.id)}: {skills} intact in the store{place}")
        )


@command.command("replay")
@click.argument("run")
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The directory to make.",
)
@dry_run_option
@json_option
def replay(run: str, target: Path, *, dry_run: bool, as_json: bool) -> None:
    """Lay out again what RUN was given, byte for byte, whatever became of the skills."""
    with opened_yard() as yard:
        found = _find(run, yard)
        made = yard.replay_run(found, target, dry_run=dry_run)
    if as_json:
        told = {"run": found.id, "path": str(target), "directories": made.directories}
        echo_json({**told, "dry_run": dry_run})
        return
    verb = "Would lay out" if dry_run else "Laid out"
    click.echo(
        visible(f"{verb} {count(len(made.directories), 'skill')} in {show_path(str(target))}")
    )
    for one in made.directories:
        click.echo(visible(f"  {one}"))


@command.command("diff")
@click.argument("before")
@click.argument("after")
@json_option
def diff(before: str, after: str, *, as_json: bool) -> None:
    """Say what the run AFTER was given that the run BEFORE was not, and the other way round.

    The exit status is 0 where both were given the same, and 1 otherwise.
    """
    with opened_yard() as yard:
        difference = compare_runs(_find(before, yard), _find(after, yard))
    if as_json:
        echo_json(_to_json(difference))
    else:
        for line in _render_difference(difference):
            click.echo(visible(line))
    click.get_current_context().exit(0 if difference.is_empty else _DIFFERENT)


def _render_difference(difference: RunDifference) -> Iterator[str]:
    if difference.is_empty:
        yield "Both were given the same"
    for fact in difference.facts:
        yield f"{fact.name.replace('_', ' ')}: {fact.before or 'none'} → {fact.after or 'none'}"
    for one in difference.removed:
        yield f"- {one.slug} {one.version}"
    for one in difference.added:
        yield f"+ {one.slug} {one.version}"
    for changed in difference.changed:
        old, new = changed.before, changed.after
        versions = f" {old.version} → {new.version}" if old.version != new.version else ""
        yield f"~ {changed.slug}{versions} ({', '.join(changed.fields)})"
    if difference.is_reordered:
        yield "the skills stand in another order"
    for name in difference.removed_variables:
        yield f"- variable {name}"
    for name in difference.added_variables:
        yield f"+ variable {name}"


def _to_json(difference: RunDifference) -> dict[str, object]:
    return {
        "same": difference.is_empty,
        "facts": [
            {"name": one.name, "before": one.before, "after": one.after} for one in difference.facts
        ],
        "added": [_skill_to_json(one) for one in difference.added],
        "removed": [_skill_to_json(one) for one in difference.removed],
        "changed": [
            {
                "slug": one.slug,
                "fields": one.fields,
                "before": _skill_to_json(one.before),
                "after": _skill_to_json(one.after),
            }
            for one in difference.changed
        ],
        "reordered": difference.is_reordered,
        "added_variables": difference.added_variables,
        "removed_variables": difference.removed_variables,
    }


def _skill_to_json(skill: RunSkill) -> dict[str, object]:
    return {
        "slug": skill.slug,
        "version": str(skill.version),
        "digest": str(skill.digest),
        "delivered": str(skill.delivered),
    }


def _find(text: str, yard: Skillyard) -> Run:
    path = Path(text)
    if not path.is_file():
        return yard.get_run(text)
    try:
        with path.open("rb") as file:
            return parse_receipt(file.read(MOST_BYTES + 1), name=text)
    except OSError as error:
        raise InvalidReceiptError(text, reason=error.strerror or str(error)) from error
