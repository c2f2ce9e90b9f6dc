"""The options that say whom a skill is meant for."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

import click

from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind

_HELP: Final = {
    SubjectKind.AGENT: "An agent.",
    SubjectKind.TEAM: "A team.",
    SubjectKind.NODE: "A node of a workflow.",
    SubjectKind.WORKSPACE: "A workspace.",
}
_SPELLINGS: Final = ", ".join(f"--{kind}" for kind in (*_HELP, SubjectKind.GLOBAL))


def subject_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add `--agent`, `--team`, `--node`, `--workspace` and `--global`; hand over one `subject`."""

    @wraps(function)
    def with_subject(**said: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        names = {kind: said.pop(kind) for kind in _HELP}
        is_global = said.pop("is_global")
        function(subject=_get_subject(names, is_global=is_global), **said)

    decorated = click.option("--global", "is_global", is_flag=True, help="Everyone.")(with_subject)
    for kind, text in reversed(_HELP.items()):
        decorated = click.option(f"--{kind}", str(kind), metavar="NAME", help=text)(decorated)
    return decorated


def _get_subject(names: Mapping[SubjectKind, str | None], *, is_global: bool) -> Subject:
    said = [Subject(kind, name) for kind, name in names.items() if name is not None]
    said += [GLOBAL] if is_global else []
    if len(said) != 1:
        number = "only one" if said else "one"
        message = f"say for whom with {number} of {_SPELLINGS}"
        raise click.UsageError(message, click.get_current_context())
    return said[0]


def name_subject(subject: Subject) -> str:
    """Say who a subject is, in words for a person."""
    return f"{subject.kind} {subject.name}" if subject.name else "everyone"
