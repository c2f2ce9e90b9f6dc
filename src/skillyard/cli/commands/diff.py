"""`skillyard diff`: compare two versions of a skill."""

from collections.abc import Iterator

import click

from skillyard.application.catalogue import ComparedVersions
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.skill_options import skill_argument, to_version
from skillyard.cli.skills_view import count
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width, is_piped
from skillyard.cli.yard import opened_yard
from skillyard.domain.difference import ContentChange, FileDifference, render_difference
from skillyard.domain.text import visible
from skillyard.domain.version import Version

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_HEADINGS = ("diff --git ", "--- ", "+++ ", "new file mode ", "deleted file mode ")
_HEADERS = ("Change", "File", "Lines")


@click.command("diff")
@skill_argument
@click.argument("before", metavar="[BEFORE]", required=False, callback=to_version)
@click.argument("after", metavar="[AFTER]", required=False, callback=to_version)
@click.option("--stat", is_flag=True, help="Name the files that differ, and count the lines.")
@json_option
def command(
    skill: str, before: Version | None, after: Version | None, *, stat: bool, as_json: bool
) -> None:
    """Compare the versions BEFORE and AFTER of SKILL, as `patch` and `git apply` take it.

    Without AFTER it is the current version; without BEFORE, the one that it was made from.
    """
    with opened_yard() as yard:
        compared = yard.diff(skill, before, after)
    if as_json:
        echo_json(_to_json(compared))
        return
    if compared.difference.is_empty:
        click.echo(visible(_say_nothing(compared, is_asked=before is not None)), err=True)
        return
    for line in _stat_lines(compared) if stat else _patch_lines(compared):
        click.echo(line)


def _say_nothing(compared: ComparedVersions, *, is_asked: bool) -> str:
    name, after = compared.skill.reference, compared.after.version
    if not is_asked and compared.before == compared.after:
        return f"{name} {after} is the first version: there is nothing before it"
    return f"{name} holds the same in {_versions(compared)}"


def _versions(compared: ComparedVersions) -> str:
    return f"{compared.before.version} and {compared.after.version}"


def _to_json(compared: ComparedVersions) -> dict[str, object]:
    return {
        "slug": compared.skill.slug,
        "owner": compared.skill.owner,
        "before": {
            "version": str(compared.before.version),
            "digest": str(compared.before.digest),
        },
        "after": {"version": str(compared.after.version), "digest": str(compared.after.digest)},
        **compared.difference.to_json(),
    }


def _patch_lines(compared: ComparedVersions) -> Iterator[str]:
    slug = compared.skill.slug
    text = render_difference(
        compared.difference,
        before_label=f"{slug}@{compared.before.version}",
        after_label=f"{slug}@{compared.after.version}",
    )
    lines = text.removesuffix("\n").split("\n")
    return iter(lines) if is_piped() else map(_show, lines)


def _show(line: str) -> str:
    """Give a line as a terminal may show it."""
    if line.startswith(_HEADINGS):
        return click.style(visible(line), bold=True)
    return click.style(visible(line), fg=_COLOURS.get(line[:1]))


def _stat_lines(compared: ComparedVersions) -> Iterator[str]:
    files = compared.difference.files
    rows = [(one.change.value, one.path, _count_lines(one)) for one in files]
    yield from render_table(_HEADERS, rows, width=find_width(), flexible=("File",))[1:]
    yield f"{count(len(files), 'file')} between {_versions(compared)}"


def _count_lines(file: FileDifference) -> str:
    if file.content is ContentChange.TEXT:
        come = sum(line.startswith("+") for line in file.lines)
        return f"+{come} -{sum(line.startswith('-') for line in file.lines)}"
    return "mode" if file.content is ContentChange.NONE else file.content.value
