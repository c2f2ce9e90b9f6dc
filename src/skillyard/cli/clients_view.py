"""Which clients load a skill, in words."""

from collections.abc import Iterator, Sequence

import click

from skillyard.domain.text import visible
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client

Verdicts = Sequence[tuple[str, ClientVerdict]]
"""What each client makes of a skill, by the client's title; nothing where nobody can tell."""


def judge_for_clients(content: bytes, directory: str) -> Verdicts:
    """Give what each client makes of a SKILL.md in a directory of that name."""
    return [
        (one.title, judge_for_client(one, content=content, directory=directory))
        for one in CLIENTS.values()
    ]


def render_clients(verdicts: Verdicts) -> Iterator[str]:
    """Yield the lines that say who will load the skill."""
    yield "Clients"
    if not verdicts:
        yield "  SKILL.md could not be read, so nobody can tell"
        return
    width = max(len(title) for title, _ in verdicts)
    for title, verdict in verdicts:
        mark = click.style("✓", fg="green") if verdict.loads else click.style("✗", fg="red")
        said = f"as {verdict.name}" if verdict.loads else verdict.reason
        yield f"  {mark} {title:<{width}}  {visible(said or '')}"
