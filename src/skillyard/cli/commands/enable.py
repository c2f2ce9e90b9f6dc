"""`skillyard enable`: let skills be used again."""

import click

from skillyard.cli.options import dry_run_option, json_option
from skillyard.cli.several import Words, change_each
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.yard import opened_yard

_WORDS = Words(wish="enable", done="enabled", already="enabled")


@click.command("enable")
@skills_argument
@dry_run_option
@json_option
@click.pass_context
def command(ctx: click.Context, skills: tuple[str, ...], *, dry_run: bool, as_json: bool) -> None:
    """Let each SKILL be used again; nothing else about it changes."""
    with opened_yard() as yard:
        status = change_each(
            skills,
            lambda one: yard.enable(one, dry_run=dry_run),
            _WORDS,
            dry_run=dry_run,
            as_json=as_json,
        )
    ctx.exit(status)
