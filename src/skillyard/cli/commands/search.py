"""`skillyard search`: find skills by words."""

import click

from skillyard.application.search import search_skills
from skillyard.cli.options import json_option
from skillyard.cli.searching import most_option, opened_index, show_found


@click.command("search")
@click.argument("text", nargs=-1, required=True)
@most_option
@json_option
def command(text: tuple[str, ...], *, most: int, as_json: bool) -> None:
    """Find the skills of the store that fit some words, the best first.

    The words are looked for in name, description, tags, triggers and instructions, whatever their
    inflection. Words of one meaning count too, and slips of the keyboard are mended. Archived
    skills are left out.
    """
    with opened_index() as (store, index):
        searched = search_skills(" ".join(text), store=store, index=index, most=most)
    show_found(searched, as_json=as_json)
