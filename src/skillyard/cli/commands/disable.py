"""`skillyard disable`: keep skills from being used."""

import click

from skillyard.cli.options import dry_run_option, json_option
from skillyard.cli.several import Words, change_each
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.yard import opened_yard

_WORDS = Words(wish="disable", done="disabled", already="disabled")


@click.command("disable")
@skills_argument
@dry_run_option
@json_option
@click.pass_context
def command(ctx: click.Context, skills: tuple[str, ...], *, dry_run: bool, as_json: bool) -> None:
    """Keep each SKILL from being used by anyone; its versions and assignments stay."""
    with opened_yard() as yard:
        status = change_each(
            skills,
            lambda one: yard.disable(one, dry_run=dry_run),
            _WORDS,
            dry_run=dry_run,
            as_json=as_json,
        )
    ctx.exit(status)
