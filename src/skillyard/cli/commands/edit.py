"""`skillyard edit`: edit a skill, or what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote

import click

from skillyard.application.change import ChangedSkill
from skillyard.application.editing import EditSkill
from skillyard.application.lookup import require_editable
from skillyard.application.save import SavedSkill
from skillyard.cli.asking import ask, is_someone_there
from skillyard.cli.editor import Draft, opened_draft
from skillyard.cli.failures import add_hint, find_status, say_error
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skill_options import (
    category_option,
    confidence_option,
    display_name_option,
    message_option,
    other_limits_option,
    said,
    skill_argument,
)
from skillyard.cli.skills_view import DONE, SAME, echo_saved, say_line, to_json_skill
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import (
    InvalidPackageError,
    SkillFileNotFoundError,
    SkillNotFoundError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.limits import Limits
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.skill import Skill, SkillStatus
from skillyard.domain.text import visible
from skillyard.domain.version import Version
from skillyard.yard import Skillyard

_TWO_WAYS = "--file opens an editor; the other options change facts without one"
_NO_VERSION = "--message is kept with a version; a change of facts makes none"
_BOTH = "--deprecate and --undeprecate exclude each other"


@click.command("edit")
@skill_argument
@click.option("--file", "path", metavar="PATH", help="Which file to edit.  [default: SKILL.md]")
@message_option
@display_name_option
@click.option("--description", metavar="TEXT", help="What SKILL.md says it does, and when to use.")
@category_option
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Add a tag.")
@click.option("--no-tag", "no_tags", metavar="TAG", multiple=True, help="Take a tag away.")
@confidence_option
@click.option("--deprecate", metavar="TEXT", help="Say what to use instead; it is still used.")
@click.option("--undeprecate", is_flag=True, help="It is no longer deprecated.")
@click.option(
    "--status",
    type=click.Choice([one.value for one in SkillStatus]),
    help="Where it is in its life; only active skills are used.",
)
@click.option("--requires-tool", "tools", metavar="NAME", multiple=True, help="Add a tool.")
@click.option("--no-requires-tool", "no_tools", metavar="NAME", multiple=True, help="Take it away.")
@click.option(
    "--invocation", type=click.Choice([one.value for one in Invocation]), help="Who may call it."
)
@other_limits_option
@dry_run_option
@json_option
def command(
    skill: str,
    path: str | None,
    message: str,
    limits: Limits | None,
    *,
    dry_run: bool,
    as_json: bool,
    **facts: object,
) -> None:
    """Edit SKILL in your editor ($VISUAL or $EDITOR), or change facts about it with options.

    What you wrote is checked before it is saved, and kept in a file if it cannot be: because it is
    no valid skill, or because someone else saved in the meantime.
    """
    wish = _Facts.of(facts)
    if wish.is_empty:
        with opened_yard() as yard:
            yard.limits = limits or yard.limits
            editing = _Editing(yard, skill, path or SKILL_MD, message)
            saved = editing.run(dry_run=dry_run)
        echo_saved(saved, dry_run=dry_run, as_json=as_json)
        return
    if path:
        raise click.UsageError(_TWO_WAYS)
    if message and wish.description is None:
        raise click.UsageError(_NO_VERSION)
    with opened_yard() as yard:
        yard.limits = limits or yard.limits
        _change(yard, skill, wish, message, dry_run=dry_run, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the options say."""

    display_name: str | None
    description: str | None
    category: str | None
    tags: tuple[str, ...]
    no_tags: tuple[str, ...]
    confidence: Confidence | None
    deprecate: str | None
    undeprecate: bool
    status: str | None
    tools: tuple[str, ...]
    no_tools: tuple[str, ...]
    invocation: str | None

    @classmethod
    def of(cls, options: Mapping[str, object]) -> "_Facts":
        facts = cls(**options)  # type: ignore[arg-type]
        if facts.deprecate is not None and facts.undeprecate:
            raise click.UsageError(_BOTH)
        return facts

    @property
    def is_empty(self) -> bool:
        values = (getattr(self, name) for name in self.__slots__)
        return all(value is None or value in ((), False) for value in values)

    @property
    def is_relative(self) -> bool:
        """Whether what is wanted depends on what is there."""
        return any((self.tags, self.no_tags, self.tools, self.no_tools))

    def changes(self, skill: Skill) -> FactChanges:
        kept = skill.facts
        return FactChanges(
            display_name=said(self.display_name),
            category=said(self.category),
            confidence=said(self.confidence),
            status=said(SkillStatus(self.status) if self.status else None),
            invocation=said(Invocation(self.invocation) if self.invocation else None),
            deprecated=None if self.undeprecate else said(self.deprecate),
            tags=said(_altered(kept.tags, self.tags, self.no_tags)),
            requires_tools=said(_altered(kept.requires_tools, self.tools, self.no_tools)),
        )


def _altered(
    kept: tuple[str, ...], added: tuple[str, ...], removed: tuple[str, ...]
) -> tuple[str, ...] | None:
    if not added and not removed:
        return None
    return tuple(one for one in dict.fromkeys((*kept, *added)) if one not in removed)


def _change(
    yard: Skillyard, reference: str, wish: _Facts, message: str, *, dry_run: bool, as_json: bool
) -> None:
    skill = yard.get(reference).skill
    # Tags are added to those that are there: nobody else may have changed them since.
    expected = skill.revision if wish.is_relative else None
    changes = wish.changes(skill)
    if wish.description is None:
        changed = yard.change(skill.id, changes, expected=expected, dry_run=dry_run)
        _echo_changed(changed, changes, dry_run=dry_run, as_json=as_json)
        return
    edit = EditSkill(
        reference=skill.id,
        description=wish.description,
        expected=expected,
        message=message,
        changes=changes,
        judgement=yard.judgement,
    )
    echo_saved(yard.edit(edit, dry_run=dry_run), dry_run=dry_run, as_json=as_json)


def _echo_changed(
    changed: ChangedSkill, changes: FactChanges, *, dry_run: bool, as_json: bool
) -> None:
    if as_json:
        told = to_json_skill(changed.skill)
        echo_json({**told, "changed": changed.is_changed, "dry_run": dry_run})
        return
    name = changed.skill.reference
    before, after = changed.before.facts, changed.skill.facts
    different = [one for one in changes.said() if getattr(before, one) != getattr(after, one)]
    said_of = ", ".join(one.replace("_", " ") for one in different)
    if not changed.is_changed:
        click.echo(say_line(SAME, f"{name} unchanged"))
    elif dry_run:
        click.echo(visible(f"Would change {name}: {said_of}"))
    else:
        click.echo(say_line(DONE, f"{name} changed: {said_of}"))


@dataclass(frozen=True, slots=True)
class _Editing:
    """One file of a skill in the user's editor, until it is saved or given up."""

    yard: Skillyard
    reference: str
    path: str
    message: str

    def run(self, *, dry_run: bool) -> SavedSkill:
        """Edit until it can be saved; a text that cannot be saved is kept."""
        opened = self.yard.get(self.reference)
        require_editable(opened.skill, self.yard.actor)
        base = opened.version.version
        content = self._read(opened.skill, base)
        put = f"skillyard files put {opened.skill.reference} {quote(self.path)}"
        saving = f"{put} --base {base} --from"
        drafting = opened_draft(self.path, content, saving=saving, base=str(base), keep=dry_run)
        with drafting as draft:
            while True:
                wish = self._wish(opened.skill, base, draft.edit())
                try:
                    return self.yard.edit(wish, dry_run=dry_run)
                except InvalidPackageError as error:
                    _ask_whether_to_go_on(error, draft)
                except SkillNotFoundError as error:
                    raise _deleted(opened.skill) from error

    def _read(self, skill: Skill, base: Version) -> bytes:
        try:
            return self.yard.read_file(skill.id, self.path, version=base).content
        except SkillFileNotFoundError as error:
            put = f"skillyard files put {skill.reference} {quote(self.path)}"
            add_hint(error, f"`{put} --from FILE` adds it")
            raise

    def _wish(self, skill: Skill, base: Version, content: bytes) -> EditSkill:
        return EditSkill(
            reference=skill.id,
            put={self.path: content},
            base=base,
            message=self.message,
            judgement=self.yard.judgement,
        )


def _deleted(skill: Skill) -> SkillNotFoundError:
    # It is named by its id while it is being edited, which tells a person nothing.
    error = SkillNotFoundError(skill.reference)
    error.hints = ("It was deleted while you were editing; nothing was saved",)
    return error


def _ask_whether_to_go_on(error: InvalidPackageError, draft: Draft) -> None:
    if not is_someone_there():
        raise error
    say_error(error)
    if ask("Edit again, or discard? [E/d]") in {"d", "discard"}:
        draft.give_up()
        click.echo("Nothing was saved", err=True)
        raise click.exceptions.Exit(find_status(error))
