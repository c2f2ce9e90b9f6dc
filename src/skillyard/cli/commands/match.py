"""`skillyard match`: find the skills that fit a task."""

import sys
from typing import Final

import click

from skillyard.application.ports.search import RankSkills
from skillyard.cli.options import json_option
from skillyard.cli.resolution_options import Asked, asking_options
from skillyard.cli.searching import (
    is_for_someone,
    most_option,
    opened_searching,
    search_for,
    show_fitting,
    show_found,
)

_STDIN: Final = "-"
_MOST_BYTES: Final = 1 << 17


@click.command("match")
@click.argument("task", nargs=-1, required=True)
@most_option
@asking_options
@json_option
def command(asked: Asked, task: tuple[str, ...], *, most: int, as_json: bool) -> None:
    """Find the skills of the store that fit a task, the best first; `-` reads it from stdin.

    Beside the words of the task, the triggers of the skills count: keywords, verbs and patterns.
    Skills that may not be used are left out.

    With an option that says whose skills are wanted, or where they are looked for, these are the
    skills that `resolve` gives with it, from the store and from directories.
    """
    said = _read_stdin() if task == (_STDIN,) else " ".join(task)
    if is_for_someone():
        fitting = search_for(asked, RankSkills(text=said, most=most, triggered=True))
        show_fitting(fitting, as_json=as_json)
        return
    with opened_searching() as yard:
        searched = yard.match(said, most=most)
    show_found(searched, as_json=as_json)


def _read_stdin() -> str:
    return sys.stdin.buffer.read(_MOST_BYTES).decode(errors="replace")
