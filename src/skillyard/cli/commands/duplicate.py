"""`skillyard duplicate`: copy a skill under another name."""

import click

from skillyard.cli.options import dry_run_option, json_option
from skillyard.cli.skill_options import other_limits_option, skill_argument, version_option
from skillyard.cli.skills_view import echo_saved
from skillyard.cli.yard import opened_yard
from skillyard.domain.limits import Limits
from skillyard.domain.version import Version


@click.command("duplicate")
@skill_argument
@click.argument("new_name", metavar="NEW-NAME")
@version_option("Which version to copy; by default, the current one.")
@other_limits_option
@dry_run_option
@json_option
def command(
    skill: str,
    new_name: str,
    version: Version | None,
    limits: Limits | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Copy SKILL as the new skill NEW-NAME; assignments are not copied.

    A slug never changes. To rename a skill, duplicate it and archive the old one.
    """
    with opened_yard() as yard:
        yard.limits = limits or yard.limits
        saved = yard.duplicate(skill, new_name, version=version, dry_run=dry_run)
    echo_saved(saved, dry_run=dry_run, as_json=as_json)
