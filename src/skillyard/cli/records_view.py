"""The commands that keep records: `add`, `list`, `show`, `set` and `remove`, for every kind.

A kind is its class and its fields; everything else is the same for all of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Generic

import click

from skillyard.cli.asking import is_confirmed
from skillyard.cli.assignment_view import ReachingSkill, assignment_to_json, render_reaching
from skillyard.cli.belonging import Members, choose_records, list_reaching, list_scopes
from skillyard.cli.facts_view import render_facts
from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.record_fields import RecordField, field_options, read_fields
from skillyard.cli.skills_view import DONE, SAME, count, say_line, say_note
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.records import Agent, AnyRecord, Record, name_of_kind
from skillyard.domain.text import visible
from skillyard.yard import Skillyard

_DECLINED: Final = 1
_INDENT: Final = "  "
_PLAIN_WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView(Generic[AnyRecord]):
    """A kind of record, as the command line knows it."""

    kind: type[AnyRecord]
    plural: str
    about: str
    fields: tuple[RecordField, ...]
    list_members: Callable[[str, Skillyard], Members] | None = None

    @property
    def word(self) -> str:
        """The word for one of them."""
        return name_of_kind(self.kind)

    @property
    def one(self) -> str:
        """The word for one of them, with its article."""
        return f"{'an' if self.word[0] in 'aeiou' else 'a'} {self.word}"

    def list_assignments(self, name: str, *, yard: Skillyard) -> Sequence[Assignment]:
        """Give the assignments to the one of that name; a kind that takes none has none."""
        if self.word not in set(SubjectKind):
            return ()
        return yard.assignments(subject=self.to_subject(name))

    def to_subject(self, name: str) -> Subject:
        """Give the subject of that name."""
        return Subject(SubjectKind(self.word), name)

    @property
    def filters(self) -> Sequence[str]:
        """The fields that name another record, and by which a list can be cut down."""
        return [one.name for one in self.fields if one.name in set(SubjectKind)]


def make_group(view: RecordView[AnyRecord]) -> click.Group:
    """Make the commands for one kind."""
    group = KnowingGroup(view.plural, help=view.about)
    for make in (_make_add, _make_list, _make_show, _make_set, _make_remove):
        group.add_command(make(view))
    return group


def record_to_json(record: Record) -> Mapping[str, object]:
    """Give a record as a value for JSON."""
    return {one.name: _to_plain(getattr(record, one.name)) for one in fields(record)}


def _to_plain(value: object) -> object:
    if isinstance(value, tuple):
        return [str(one) for one in value]
    return value


def _make_add(view: RecordView[AnyRecord]) -> click.Command:
    @click.command("add", help=f"Add a new {view.word}.")
    @click.argument("name")
    @field_options(view.fields, adding=True)
    @dry_run_option
    @json_option
    def add(name: str, *, dry_run: bool, as_json: bool, **said: object) -> None:
        values: dict[str, Any] = read_fields(view.fields, said, adding=True)
        with opened_yard() as yard:
            record = yard.add_record(view.kind(name=name, **values), dry_run=dry_run)
            _say_unknown_skills(view.fields, values, yard=yard)
        if as_json:
            echo_json({view.word: record_to_json(record), "dry_run": dry_run})
            return
        which = f"{view.word} {name}"
        click.echo(visible(f"Would add {which}") if dry_run else say_line(DONE, f"{which} added"))

    return add


def _say_unknown_skills(
    fields_of_kind: Sequence[RecordField], values: Mapping[str, Any], *, yard: Skillyard
) -> None:
    named = {
        slug: None
        for one in fields_of_kind
        if one.names_skills
        for slug in values.get(one.name) or ()
    }
    known = {one.slug for one in yard.list_everything().candidates} if named else set()
    for slug in named:
        if slug not in {*known, "*"}:
            say_note(f"there is no skill {slug} in the store yet")


def _make_set(view: RecordView[AnyRecord]) -> click.Command:
    @click.command("set", help=f"Change what is said of {view.one}; the rest stays as it is.")
    @click.argument("name")
    @field_options(view.fields, adding=False)
    @dry_run_option
    @json_option
    def change(name: str, *, dry_run: bool, as_json: bool, **said: object) -> None:
        values: dict[str, Any] = read_fields(view.fields, said, adding=False)
        if not values:
            message = "say what to change"
            raise click.UsageError(message, click.get_current_context())

        def apply(record: AnyRecord) -> AnyRecord:
            return replace(record, **values)

        with opened_yard() as yard:
            changed = yard.change_record(view.kind, name, apply, dry_run=dry_run)
            _say_unknown_skills(view.fields, values, yard=yard)
        before = changed.before or changed.record
        if as_json:
            echo_json(
                {
                    view.word: record_to_json(changed.record),
                    "before": record_to_json(before),
                    "changed": before != changed.record,
                    "dry_run": dry_run,
                }
            )
            return
        for line in _describe_change(view, before, changed.record, dry_run=dry_run):
            click.echo(line)

    return change


def _describe_change(
    view: RecordView[AnyRecord], before: AnyRecord, after: AnyRecord, *, dry_run: bool
) -> list[str]:
    if before == after:
        return [say_line(SAME, f"{view.word} {after.name} is like that already")]
    said = f"{view.word} {after.name}"
    lines = [visible(f"Would change {said}") if dry_run else say_line(DONE, f"{said} changed")]
    for one in view.fields:
        old, new = getattr(before, one.name), getattr(after, one.name)
        if old != new:
            said = f"{one.show(old) or 'none'} → {one.show(new) or 'none'}"
            lines.append(f"  {one.label}: {visible(said)}")
    return lines


def _make_remove(view: RecordView[AnyRecord]) -> click.Command:
    @click.command("remove", help=f"Remove {view.one} with its assignments.")
    @click.argument("name")
    @click.option("--yes", "-y", is_flag=True, help="Do not ask.")
    @dry_run_option
    @json_option
    def remove(name: str, *, yes: bool, dry_run: bool, as_json: bool) -> None:
        with opened_yard() as yard:
            # What cannot be done is said before anyone is asked.
            yard.remove_record(view.kind, name, dry_run=True)
            taken = view.list_assignments(name, yard=yard)
            said = visible(f"{view.word} {name}{_with(taken)}")
            if not (dry_run or yes or is_confirmed(f"Remove {said}?", what=f"removing {said}")):
                click.echo("Nothing was removed", err=True)
                click.get_current_context().exit(_DECLINED)
            record = yard.remove_record(view.kind, name, dry_run=dry_run)
        if as_json:
            assignments = [assignment_to_json(one) for one in taken]
            removed = {view.word: record_to_json(record), "assignments": assignments}
            echo_json({**removed, "dry_run": dry_run})
            return
        click.echo(f"Would remove {said}" if dry_run else say_line(DONE, f"{said} removed"))

    return remove


def _with(taken: Sequence[Assignment]) -> str:
    return f" with {count(len(taken), 'assignment')}" if taken else ""


def _make_list(view: RecordView[AnyRecord]) -> click.Command:
    @click.command("list", help=f"List the {view.plural}.")
    @_filter_options(view)
    @json_option
    def show_all(*, as_json: bool, **said: str | None) -> None:
        wanted = {name: value for name, value in said.items() if value is not None}
        with opened_yard() as yard:
            records = _find_records(view, wanted, yard)
        if as_json:
            echo_json({view.plural: [record_to_json(one) for one in records]})
            return
        if not records:
            _say_there_are_none(view.plural, is_filtered=bool(wanted))
            return
        columns = [one for one in view.fields if one.is_column]
        for line in _render_list(view.word, columns, records):
            click.echo(line)

    return show_all


def _filter_options(
    view: RecordView[AnyRecord],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        for name in reversed(view.filters):
            text = f"Only those of this {name}."
            function = click.option(f"--{name}", metavar="NAME", help=text)(function)
        return function

    return decorate


def _find_records(
    view: RecordView[AnyRecord], wanted: Mapping[str, str], yard: Skillyard
) -> Sequence[AnyRecord]:
    for name, value in wanted.items():
        # A wrong name is an error, not a silence.
        yard.assignments(subject=Subject(SubjectKind(name), value))
    return choose_records(view.kind, wanted, yard)


def _say_there_are_none(plural: str, *, is_filtered: bool) -> None:
    hint = "" if is_filtered else f"; `skillyard {plural} add NAME` adds one"
    click.echo(f"There are no {plural}{' like that' * is_filtered}{hint}", err=True)


def _render_list(
    word: str, columns: Sequence[RecordField], records: Sequence[Record]
) -> Sequence[str]:
    headers = [word.capitalize(), *(column.label.capitalize() for column in columns)]
    rows = [
        [record.name, *(column.show(getattr(record, column.name)) for column in columns)]
        for record in records
    ]
    flexible = [header for header in headers if header == "Description"]
    return render_table(headers, rows, width=find_width(), flexible=flexible)


def _make_show(view: RecordView[AnyRecord]) -> click.Command:
    @click.command("show", help=f"Show one {view.word}, and which skills are assigned to it.")
    @click.argument("name")
    @json_option
    def show(name: str, *, as_json: bool) -> None:
        with opened_yard() as yard:
            shown: _Shown = _find_shown(view, name, yard)
        if as_json:
            echo_json(shown.to_json())
            return
        click.echo("\n".join([*_describe(view, shown), *_describe_skills(view, shown)]))

    return show


@dataclass(frozen=True, slots=True)
class _Shown:
    """A record, who belongs to it, and the skills of its own and of those that it belongs to."""

    record: Record
    members: Members
    own: Sequence[ReachingSkill]
    inherited: Sequence[ReachingSkill]

    def to_json(self) -> Mapping[str, object]:
        told = {
            **record_to_json(self.record),
            **self.members,
            "assignments": [one.to_json() for one in self.own],
        }
        if isinstance(self.record, Agent):
            told["inherited"] = [one.to_json() for one in self.inherited]
        return told


def _find_shown(view: RecordView[AnyRecord], name: str, yard: Skillyard) -> _Shown:
    record = yard.get_record(view.kind, name)
    own = view.list_assignments(name, yard=yard)
    inherited = [
        one for scope in list_scopes(record, yard) for one in yard.assignments(subject=scope)
    ]
    return _Shown(
        record,
        view.list_members(name, yard) if view.list_members else {},
        list_reaching(own, record=record, yard=yard),
        list_reaching(inherited, record=record, yard=yard),
    )


def _describe(view: RecordView[AnyRecord], shown: _Shown) -> Iterator[str]:
    yield click.style(visible(shown.record.name), bold=True)
    facts = [(one.label, one.show(getattr(shown.record, one.name))) for one in view.fields]
    facts += [(label, ", ".join(names) or "none") for label, names in shown.members.items()]
    labels = max(len(label) for label, _ in facts) + 1
    yield from render_facts(facts, width=find_width() or _PLAIN_WIDTH, labels=labels)


def _describe_skills(view: RecordView[AnyRecord], shown: _Shown) -> Iterator[str]:
    reaching = [*shown.own, *shown.inherited]
    yield ""
    if not reaching:
        yield "No skills are assigned"
        return
    width = find_width()
    own = view.to_subject(shown.record.name)
    yield f"Assigned skills ({len(reaching)})"
    for line in render_reaching(reaching, own=own, width=width and width - len(_INDENT)):
        yield f"{_INDENT}{line}"
