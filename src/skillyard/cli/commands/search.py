"""`skillyard search`: find skills by words."""

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


@click.command("search")
@click.argument("text", nargs=-1, required=True)
@most_option
@asking_options
@json_option
def command(asked: Asked, text: tuple[str, ...], *, most: int, as_json: bool) -> None:
    """Find the skills of the store that fit some words, the best first.

    The words are looked for in name, description, tags, triggers and instructions, whatever their
    inflection. Words of one meaning count too, and slips of the keyboard are mended. Archived
    skills are left out.

    With an option that says whose skills are wanted, or where they are looked for, these are the
    skills that `resolve` gives with it, from the store and from directories.
    """
    said = " ".join(text)
    if is_for_someone():
        fitting = search_for(asked, RankSkills(text=said, most=most))
        show_fitting(fitting, as_json=as_json)
        return
    with opened_searching() as yard:
        searched = yard.search(said, most=most)
    show_found(searched, as_json=as_json)
