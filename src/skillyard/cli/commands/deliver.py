"""`skillyard deliver`: lay someone's skills out in a directory, as a client reads them."""

from pathlib import Path
from typing import Final

import click

from skillyard.application.deliver import Delivered, DeliverSkills
from skillyard.application.resolve import ResolveSkills
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.resolution_options import Places, place_options
from skillyard.cli.runs_view import render_notes, show_path
from skillyard.cli.skills_view import DONE, REFUSED, SAME, say_line
from skillyard.cli.yard import opened_yard
from skillyard.domain.delivered import Step, StepKind
from skillyard.domain.text import visible
from skillyard.providers.clients import CLIENTS
from skillyard.providers.setting import AGENTS_DIR

_NOT_ALL: Final = 1
_DONE: Final = {
    StepKind.ADD: (DONE, "added"),
    StepKind.UPDATE: (DONE, "updated"),
    StepKind.KEEP: (SAME, "is like that already"),
    StepKind.REMOVE: (DONE, "removed"),
    StepKind.FORGET: (SAME, "is gone already"),
    StepKind.FOREIGN: (REFUSED, "is somebody else's, and stays as it is"),
}


@click.command("deliver")
@click.option(
    "--provider",
    type=click.Choice([*CLIENTS, AGENTS_DIR]),
    required=True,
    metavar="CLIENT",
    help="The client whose layout it gets.",
)
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The directory that the client will be started in.",
)
@click.option("--agent", metavar="NAME", help="The skills of an agent.")
@click.option("--team", metavar="NAME", help="The skills of a team.")
@click.option("--node", metavar="NAME", help="The skills at a node of a workflow.")
@place_options
@click.option("--force", is_flag=True, help="Replace also what was changed by hand.")
@dry_run_option
@json_option
def command(
    provider: str,
    target: Path,
    agent: str | None,
    team: str | None,
    node: str | None,
    places: Places,
    *,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Lay someone's skills out in a directory, where a client reads them.

    What was delivered there before is brought up to date. What somebody else put there is never
    touched, and what was changed by hand since only with `--force`. The exit status is 1 where a
    skill could not be delivered because of what somebody else put there.
    """
    with opened_yard() as yard:
        wish = DeliverSkills(
            provider=provider,
            target=target,
            skills=ResolveSkills(agent=agent, team=team, node=node, provider=provider),
            on_invalid=yard.on_invalid,
            force=force,
        )
        done = yard.deliver(wish, **places, dry_run=dry_run)
    if as_json:
        echo_json(_to_json(done, dry_run=dry_run))
    else:
        _print(done, dry_run=dry_run)
    click.get_current_context().exit(_NOT_ALL if done.foreign else 0)


def _print(done: Delivered, *, dry_run: bool) -> None:
    verb = "Would deliver" if dry_run else "Delivered"
    click.echo(visible(f"{verb} to {show_path(str(done.directory))}"))
    for step in done.steps:
        mark, text = _DONE[step.kind]
        version = f" {step.wanted.state.version}" if step.wanted else ""
        click.echo(say_line(mark, f"{step.slug}{version} {text}"))
    for line in render_notes(done.notes):
        click.echo(line, err=True)


def _to_json(done: Delivered, *, dry_run: bool) -> dict[str, object]:
    return {
        "path": str(done.directory),
        "manifest_hash": done.manifest_hash,
        "skills": [_step_to_json(one) for one in done.steps],
        "notes": [
            {"kind": one.kind.value, "slug": one.slug, "message": one.message} for one in done.notes
        ],
        "dry_run": dry_run,
    }


def _step_to_json(step: Step) -> dict[str, object]:
    state = step.wanted.state if step.wanted else None
    return {
        "slug": step.slug,
        "step": step.kind.value,
        "version": str(state.version) if state else None,
        "digest": str(state.digest) if state else None,
        "delivered": str(state.delivered) if state else None,
        "changed": step.changed,
    }
