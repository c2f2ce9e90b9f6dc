"""`skillyard history`: list the versions of a skill."""

import click

from skillyard.application.catalogue import SkillHistory
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.skill_options import skill_argument
from skillyard.cli.skills_view import DONE, say_moment, to_json_version
from skillyard.cli.tables import drop_columns, render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard

_HEADERS = ("", "Version", "Saved", "By", "From", "Digest", "Message")
# Before it is too narrow for who and why, a terminal does without these.
_LEAST_WIDTHS = {"From": 50, "Digest": 84}
_DIGEST_CHARACTERS = len("sha256:") + 12


@click.command("history")
@skill_argument
@json_option
def command(skill: str, *, as_json: bool) -> None:
    """List every version of SKILL, the latest saved first; a tick marks the current one."""
    with opened_yard() as yard:
        history = yard.history(skill)
    if as_json:
        echo_json(_to_json(history))
        return
    width = find_width()
    headers, rows = drop_columns(_HEADERS, _rows(history), width=width, least=_LEAST_WIDTHS)
    for line in render_table(headers, rows, width=width, flexible=("By", "Message")):
        click.echo(line)


def _to_json(history: SkillHistory) -> dict[str, object]:
    return {
        "slug": history.skill.slug,
        "owner": history.skill.owner,
        "current": str(history.skill.current),
        "versions": [to_json_version(one) for one in reversed(history.versions)],
    }


def _rows(history: SkillHistory) -> list[tuple[str, ...]]:
    return [
        (
            DONE if one.version == history.skill.current else "",
            str(one.version),
            say_moment(one.created_at),
            one.created_by,
            str(one.base or ""),
            str(one.digest)[:_DIGEST_CHARACTERS],
            one.message,
        )
        for one in reversed(history.versions)
    ]
