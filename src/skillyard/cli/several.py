"""Do the same to several skills; one that fails does not keep the others from being done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import click

from skillyard.application.change import ChangedSkill
from skillyard.cli.failures import find_status, say_error, to_json_error
from skillyard.cli.options import echo_json
from skillyard.cli.skills_view import DONE, SAME, say_line
from skillyard.domain.errors import SkillyardError
from skillyard.domain.text import visible

_Done = TypeVar("_Done")


@dataclass(frozen=True, slots=True)
class Telling(Generic[_Done]):
    """How what was done is told; `key` is what all of them are called in JSON."""

    key: str
    render: Callable[[_Done], str]
    to_json: Callable[[str, _Done], dict[str, object]]


def do_each(
    references: Sequence[str],
    act: Callable[[str], _Done],
    telling: Telling[_Done],
    *,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Do it to each skill and say so; give the exit status of the last failure, or 0."""
    status = 0
    told: list[dict[str, object]] = []
    for reference in references:
        try:
            done = act(reference)
        except SkillyardError as error:
            status = find_status(error)
            told.append({"reference": reference, "error": to_json_error(error)})
            say_error(error)
            continue
        told.append(telling.to_json(reference, done))
        if not as_json:
            click.echo(telling.render(done))
    if as_json:
        echo_json({telling.key: told, "dry_run": dry_run})
    return status


@dataclass(frozen=True, slots=True)
class Words:
    """How a change is told: `Would enable pdf`, `pdf enabled`, `pdf is enabled already`."""

    wish: str
    done: str
    already: str

    def render(self, changed: ChangedSkill, *, dry_run: bool) -> str:
        """Say in a line what happened, or would happen."""
        name = changed.skill.reference
        if not changed.is_changed:
            return say_line(SAME, f"{name} is {self.already} already")
        if dry_run:
            return visible(f"Would {self.wish} {name}")
        return say_line(DONE, f"{name} {self.done}")


def change_each(
    references: Sequence[str],
    change: Callable[[str], ChangedSkill],
    words: Words,
    *,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Change each skill and say so; give the exit status of the last failure, or 0."""
    telling = Telling("skills", lambda one: words.render(one, dry_run=dry_run), _to_json)
    return do_each(references, change, telling, dry_run=dry_run, as_json=as_json)


def _to_json(reference: str, changed: ChangedSkill) -> dict[str, object]:
    facts = changed.skill.facts
    return {
        "reference": reference,
        "slug": changed.skill.slug,
        "owner": changed.skill.owner,
        "changed": changed.is_changed,
        "enabled": facts.enabled,
        "status": facts.status.value,
        "revision": changed.skill.revision,
    }
