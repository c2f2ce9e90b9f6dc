"""`skillyard use`: answer what an agent asks about one skill."""

import sys
from dataclasses import replace

import click

from skillyard.application.lookup import near_misses
from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_options import (
    Asked,
    asking_options,
    lock_option,
    project_path_option,
)
from skillyard.cli.yard import opened_yard
from skillyard.disclosure import SkillContext
from skillyard.disclosure.tier3 import parse_request
from skillyard.disclosure.tools import answer_use_skill
from skillyard.domain.errors import SkillFileNotFoundError, SkillNotFoundError
from skillyard.domain.resolution import Decision
from skillyard.domain.text import visible
from skillyard.yard import Skillyard


@click.command("use")
@click.argument("name")
@asking_options
@project_path_option
@lock_option
@click.option("--instructions", is_flag=True, help="Print its instructions.")
@click.option("--file", "path", metavar="PATH", help="Print one of its files.")
@json_option
def command(
    asked: Asked, name: str, path: str | None, *, instructions: bool, as_json: bool
) -> None:
    """Answer as the tool `use_skill` does: where the skill NAME is, and which files it has.

    Only loaded and unproven skills can be reached. NAME is a slug or a display name.
    """
    if instructions and path is not None:
        message = "--instructions and --file exclude each other"
        raise click.UsageError(message, click.get_current_context())
    wanted = None if path is None else parse_request(path)
    with opened_yard() as yard:
        resolved = asked.resolve(yard)
        context = yard.disclose(resolved, **asked.places)
        found = context.get(name)
        if found is None:
            if not as_json:
                # The tool's own answer, which names what there is.
                _print(f"{answer_use_skill(resolved.resolution, name)}\n")
            raise _not_found(name, context)
        text = _answer(found, resolved, context, yard, wanted=wanted, instructions=instructions)
    if as_json:
        echo_json({"slug": found.slug, "text": text})
    else:
        _print(text)


def _not_found(name: str, context: SkillContext) -> SkillNotFoundError:
    error = SkillNotFoundError(name, near=near_misses(name, context.names()), lister="skill show")
    error.hints = (*error.hints, "`skillyard explain NAME` says why a skill is not there")
    return error


def _answer(
    found: Decision,
    resolved: ResolvedSkills,
    context: SkillContext,
    yard: Skillyard,
    *,
    wanted: str | None,
    instructions: bool,
) -> str:
    if wanted is not None:
        text = context.tier3(found.slug, wanted)
        if text is None:
            raise SkillFileNotFoundError(
                found.slug, str(found.offered.version), wanted, lister="use"
            )
        return text
    if instructions:
        return context.tier2(found.slug) or ""
    alone = replace(resolved, resolution=replace(resolved.resolution, decisions=(found,)))
    return answer_use_skill(yard.with_files(alone).resolution, found.slug)


def _print(text: str) -> None:
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    for line in text.removesuffix("\n").split("\n"):
        click.echo("\t".join(map(visible, line.removesuffix("\r").split("\t"))))
