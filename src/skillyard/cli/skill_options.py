"""Arguments and options of the commands that work on skills of the store."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.errors import SkillyardError
from skillyard.domain.facts import UNSET, FactChanges, Unset
from skillyard.domain.limits import PRESETS, Limits
from skillyard.domain.manifest import CATEGORIES, Confidence
from skillyard.domain.version import Version

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Decorator = Callable[[_Function], _Function]
_MOST_COMPLETED = 50


def skill_argument(function: _Function) -> _Function:
    """Add SKILL: a slug, `OWNER/SLUG` or an id."""
    return click.argument("skill", metavar="SKILL", shell_complete=complete_skills)(function)


def skills_argument(function: _Function) -> _Function:
    """Add `SKILL...`."""
    return click.argument(
        "skills", metavar="SKILL...", nargs=-1, required=True, shell_complete=complete_skills
    )(function)


def version_option(text: str) -> Callable[[_Function], _Function]:
    """Add `--version`, and hand the command the version itself, or None."""
    return click.option("--version", metavar="V", callback=to_version, help=text)


def to_version(ctx: click.Context, param: click.Parameter, value: str | None) -> Version | None:
    """Read what the user wrote for a version; see `click.Option.callback`."""
    del ctx, param
    return None if value is None else Version.parse(value)


def message_option(function: _Function) -> _Function:
    """Add `--message`."""
    return click.option(
        "-m", "--message", metavar="TEXT", default="", help="Why; kept with the version."
    )(function)


def other_limits_option(function: _Function) -> _Function:
    """Add `--limits`, and hand the command the limits themselves, or None for the settings'."""
    return click.option(
        "--limits",
        type=click.Choice(list(PRESETS)),
        callback=_to_limits,
        help="How large files and packages may be, whatever the settings say.",
    )(function)


def _to_limits(ctx: click.Context, param: click.Parameter, value: str | None) -> Limits | None:
    del ctx, param
    return None if value is None else PRESETS[value]


def category_option(function: _Function) -> _Function:
    """Add `--category`."""
    return click.option("--category", type=click.Choice(CATEGORIES), help="What it is about.")(
        function
    )


def confidence_option(function: _Function) -> _Function:
    """Add `--confidence`, and hand the command the value itself, or None."""
    return click.option(
        "--confidence",
        type=click.Choice([one.value for one in Confidence]),
        callback=lambda _ctx, _param, value: Confidence(value) if value else None,
        help="How far it is proven.",
    )(function)


def display_name_option(function: _Function) -> _Function:
    """Add `--display-name`."""
    return click.option("--display-name", metavar="TEXT", help="What people call it.")(function)


_Value = TypeVar("_Value")


def said(value: _Value | None) -> _Value | Unset:
    """Give what an option says, or that it was not given."""
    return UNSET if value is None else value


def state_facts(
    *,
    category: str | None,
    tags: tuple[str, ...],
    display_name: str | None,
    confidence: Confidence | None,
) -> FactChanges:
    """Give the facts that the options of `skillyard add` state."""
    return FactChanges(
        category=said(category),
        tags=said(tuple(dict.fromkeys(tags)) or None),
        display_name=said(display_name),
        confidence=said(confidence),
    )


def complete_skills(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Give skills that begin with `incomplete`; none where the store does not answer."""
    del param
    # Imported late: only a shell asks.
    from skillyard.application.catalogue import list_skills
    from skillyard.cli.store import opened_store

    root = ctx.find_root()
    # A shell asks without running the front door.
    root.obj = {name.replace("_", "-"): str(one) for name, one in root.params.items() if one}
    try:
        with ctx, opened_store() as store:
            found = list_skills(
                SkillFilter(), store=store, after=(incomplete, ""), most=_MOST_COMPLETED
            ).entries
    except (SkillyardError, OSError):
        return []
    return [CompletionItem(one.reference) for one in found if one.slug.startswith(incomplete)]
