"""`skillyard match`: find the skills that fit a task."""

import sys
from typing import Final

import click

from skillyard.application.search import match_skills
from skillyard.cli.options import json_option
from skillyard.cli.searching import most_option, opened_index, show_found

_STDIN: Final = "-"
_MOST_BYTES: Final = 1 << 17


@click.command("match")
@click.argument("task", nargs=-1, required=True)
@most_option
@json_option
def command(task: tuple[str, ...], *, most: int, as_json: bool) -> None:
    """Find the skills of the store that fit a task, the best first; `-` reads it from stdin.

    Beside the words of the task, the triggers of the skills count: keywords, verbs and patterns.
    Skills that may not be used are left out.
    """
    said = _read_stdin() if task == (_STDIN,) else " ".join(task)
    with opened_index() as (store, index):
        searched = match_skills(said, store=store, index=index, most=most)
    show_found(searched, as_json=as_json)


def _read_stdin() -> str:
    return sys.stdin.buffer.read(_MOST_BYTES).decode(errors="replace")
