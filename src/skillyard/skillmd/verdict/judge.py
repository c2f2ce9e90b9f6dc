"""Foresee what a client will do with a skill."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skillyard.domain.client import Client
from skillyard.domain.diagnostic import Diagnostic, Span
from skillyard.skillmd import rules
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.claude_code import load_claude_code
from skillyard.skillmd.verdict.codex import load_codex
from skillyard.skillmd.verdict.copilot import load_copilot
from skillyard.skillmd.verdict.gemini_cli import load_gemini_cli
from skillyard.skillmd.verdict.loading import Loaded, Loader, Skill
from skillyard.skillmd.verdict.opencode import load_opencode
from skillyard.skillmd.verdict.refusal import BOM, QUOTE, RefusedError
from skillyard.skillmd.verdict.whitespace import collapse

LOADERS: Final[Mapping[str, Loader]] = {
    "claude-code": load_claude_code,
    "codex": load_codex,
    "gemini-cli": load_gemini_cli,
    "opencode": load_opencode,
    "copilot": load_copilot,
}
"""How each client loads a skill, by the client's id."""

MATTERING: Final = frozenset(
    {
        "agent",
        "allowed-tools",
        "argument-hint",
        "arguments",
        "context",
        "disable-model-invocation",
        "disallowed-tools",
        "effort",
        "hooks",
        "model",
        "paths",
        "shell",
        "user-invocable",
        "when_to_use",
    }
)
"""The fields that change what a client does, where it reads them."""

# Switches that say what is so without them.
_DEFAULTS: Final = {
    "disable-model-invocation": ("false", "no", "off"),
    "user-invocable": ("true", "yes", "on"),
}
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientVerdict:
    """What one client will do with one skill.

    `description` is what the model sees, and None where it sees nothing. `ignored` are the fields
    in the front matter that the client does not read. `reason` says why it does not load the skill.
    """

    client_id: str
    loads: bool
    name: str | None = None
    description: str | None = None
    user_invocable: bool = False
    model_invocable: bool = False
    ignored: tuple[str, ...] = ()
    reason: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Give everything but the diagnostics, as JSON can hold it."""
        return {
            "id": self.client_id,
            "loads": self.loads,
            "name": self.name,
            "description": self.description,
            "user_invocable": self.user_invocable,
            "model_invocable": self.model_invocable,
            "ignored": list(self.ignored),
            "reason": self.reason,
        }


def judge_for_client(
    client: Client, *, content: bytes | None, directory: str | None
) -> ClientVerdict:
    """Foresee what `client` does with a SKILL.md of these bytes; None where there is no such file.

    `directory` is the name of the directory that holds it, None where that is not known. Nothing
    is raised for what the file holds.
    """
    path = "" if content is None else "SKILL.md"
    skill = Skill(client=client, text="", directory=directory, path=path)
    try:
        text = _decode(client, content, directory)
        skill.had_bom = client.reading.strips_bom and text.startswith(BOM)
        skill.text = text.removeprefix(BOM) if skill.had_bom else text
        loaded = LOADERS[client.id](skill)
    except RefusedError as fault:
        return _refused(skill, fault)
    return _accepted(skill, loaded)


def _decode(client: Client, content: bytes | None, directory: str | None) -> str:
    reading = client.reading
    if content is None:
        raise refusal.no_file()
    if directory is not None and reading.skips_directory(directory):
        raise refusal.directory_skipped(directory)
    if reading.file_bytes is not None and len(content) > reading.file_bytes:
        raise refusal.too_large(len(content), reading.file_bytes)
    try:
        text = content.decode(errors="strict" if reading.utf8_only else "replace")
    except UnicodeDecodeError:
        raise refusal.not_utf8() from None
    return text


def _refused(skill: Skill, fault: RefusedError) -> ClientVerdict:
    told = [skill.explain(one) for one in (fault, *fault.also)]
    return ClientVerdict(
        client_id=skill.client.id,
        loads=False,
        reason="; ".join(one.reason for one in told),
        diagnostics=tuple(sorted((_rejection(skill, one) for one in told), key=_order)),
    )


def _rejection(skill: Skill, told: RefusedError) -> Diagnostic:
    span = told.span or skill.find_span(told.field) or Span(1, 1, 1, 1)
    return rules.CLIENT_REJECTS.finding(
        told.message or f"{skill.client.title} will not load it: {told.reason}",
        path=skill.path,
        span=span if skill.path else None,
        hint=told.hint,
    )


def _accepted(skill: Skill, loaded: Loaded) -> ClientVerdict:
    honours = skill.client.reading.honours
    ignored = tuple(one for one in loaded.fields if one not in honours)
    _report_comment(skill, loaded.description)
    description = _shorten(skill, loaded.description)
    _report_ignored(skill, ignored)
    return ClientVerdict(
        client_id=skill.client.id,
        loads=True,
        name=loaded.name,
        description=description,
        user_invocable=loaded.user_invocable,
        model_invocable=loaded.model_invocable,
        ignored=ignored,
        diagnostics=tuple(sorted(skill.diagnostics, key=_order)),
    )


def _shorten(skill: Skill, description: str | None) -> str | None:
    reading = skill.client.reading
    limit = reading.shown_limit
    if description is None or limit is None or not limit.exceeded_by(description):
        return description
    skill.add(
        rules.CLIENT_SHORTENS,
        f"{skill.client.title} shows the model {limit.limit:,} of"
        f" {limit.of(description):,} {limit.unit} of the description",
        field="description",
        hint="Shorten it, and say first when to use the skill",
    )
    return limit.cut(description, ending=reading.shown_ending)


def _report_comment(skill: Skill, description: str | None) -> None:
    written = skill.find_written("description")
    comment = _COMMENT.search(written)
    if description is None or comment is None or written.startswith(("'", '"', "|", ">")):
        return
    if _as_written(comment[0]) not in _as_written(description):
        skill.add(
            rules.CLIENT_SHORTENS,
            f"{skill.client.title} takes `#` and what follows it in the description for a comment",
            field="description",
            hint=QUOTE,
        )


def _as_written(text: str) -> str:
    # Claude Code shows `<` and `>` as entities.
    return collapse(text.replace("&lt;", "<").replace("&gt;", ">"))


def _report_ignored(skill: Skill, ignored: tuple[str, ...]) -> None:
    fields = [
        one
        for one in ignored
        if one in MATTERING and skill.find_written(one).lower() not in _DEFAULTS.get(one, ())
    ]
    if fields:
        names = ", ".join(f"`{one}`" for one in fields)
        message = f"{skill.client.title} ignores {names}"
        called = "disable-model-invocation" in fields
        hint = "The model can call the skill all the same" if called else ""
        skill.add(rules.CLIENT_IGNORES, message, field=fields[0], hint=hint)


def _order(one: Diagnostic) -> tuple[int, int, str]:
    return (one.line or 0, one.column or 0, one.code)
