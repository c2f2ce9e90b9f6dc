"""`skillyard prompt`: print what an agent is told of its skills at the start."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from skillyard.cli.options import WholeNumber, echo_json, json_option
from skillyard.cli.resolution_options import (
    Asked,
    asking_options,
    lock_option,
    project_path_option,
)
from skillyard.cli.resolution_view import say_warnings
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.disclosure import Form, Shape, SkillContext, estimate_tokens
from skillyard.disclosure.listing import limit_of

TOKENIZER: Final = "o200k_base, estimated"
_HEADERS: Final = ("Skill", "Tier 1", "Tier 2", "Tier 3")


@click.command("prompt")
@asking_options
@project_path_option
@lock_option
@click.option(
    "--form",
    type=click.Choice([one.value for one in Form]),
    default=Form.XML.value,
    show_default=True,
    help="How it is written.",
)
@click.option(
    "--limit",
    type=WholeNumber(min=0),
    help="How many skills are listed at most.  [default: as the agent's record says, or 50]",
)
@click.option("--tokens", is_flag=True, help="Say on stderr what each skill costs.")
@json_option
def command(asked: Asked, form: str, limit: int | None, *, tokens: bool, as_json: bool) -> None:
    """Print what an agent is told of its skills at the start of a session.

    A program that reads the output gets the text and not a byte more. Where something that is
    required cannot be had, nothing is printed.
    """
    with opened_yard() as yard:
        resolved = asked.resolve(yard)
        if not as_json:
            say_warnings(resolved)
        resolved.require_complete()
        most = limit_of(resolved.request) if limit is None else limit
        shape = Shape(form=Form(form), limit=most, skills_path=asked.find_skills_path(yard))
        context = yard.disclose(resolved, shape=shape, **asked.places)
        text = context.tier1()
        costs = _count(context, text) if tokens else None
    if as_json:
        hashed = resolved.resolution.manifest_hash
        echo_json({"manifest_hash": hashed, "form": form, "text": text, "tokens": costs})
        return
    click.echo(text, nl=sys.stdout.isatty())
    if costs is not None:
        click.echo("\n".join(_render(costs)), err=True)


def _count(context: SkillContext, text: str) -> dict[str, Any]:
    skills: list[dict[str, Any]] = []
    for name in context.names():
        costs = context.costs(name)
        if costs is not None:
            files = dict(costs.tier3)
            skills.append(
                {
                    "slug": name,
                    "tier1": costs.tier1,
                    "tier2": costs.tier2,
                    "tier3": sum(files.values()),
                    "files": files,
                }
            )
    return {"tokenizer": TOKENIZER, "text": estimate_tokens(text), "skills": skills} | {
        tier: sum(one[tier] for one in skills) for tier in ("tier1", "tier2", "tier3")
    }


def _render(costs: Mapping[str, Any]) -> Sequence[str]:
    tiers = ("tier1", "tier2", "tier3")
    rows = [[one["slug"], *(f"{one[tier]:,}" for tier in tiers)] for one in costs["skills"]]
    rows.append(["in all", *(f"{costs[tier]:,}" for tier in tiers)])
    lines = render_table(_HEADERS, rows, width=find_width(), right=_HEADERS[1:])
    return [*lines, "", f"The text takes about {costs['text']:,} tokens ({costs['tokenizer']})"]
