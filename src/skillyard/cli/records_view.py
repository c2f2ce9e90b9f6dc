"""The commands that keep records: `add`, `list`, `show`, `set` and `remove`, for every kind.

A kind is its class and its fields; everything else is the same for all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Generic

import click

from skillyard.cli.asking import is_confirmed
from skillyard.cli.assignment_view import assignment_to_json, render_assignments
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.record_fields import RecordField, field_options, read_fields
from skillyard.cli.skills_view import DONE, SAME, count, say_line, say_note
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.records import AnyRecord, Record, name_of_kind
from skillyard.domain.text import visible
from skillyard.yard import Skillyard

_DECLINED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView(Generic[AnyRecord]):
    """A kind of record, as the command line knows it."""

    kind: type[AnyRecord]
    plural: str
    about: str
    fields: tuple[RecordField, ...]

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
        return yard.assignments(subject=Subject(SubjectKind(self.word), name))


def make_group(view: RecordView[AnyRecord]) -> click.Group:
    """Make the commands for one kind."""
    group = click.Group(view.plural, help=view.about)
    for make in (_make_add, _make_list, _make_show, _make_set, _make_remove):
        group.add_command(make(view))
    return group


def record_to_json(record: Record) -> Mapping[str, object]:
    """Give a record as a value for JSON."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


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
    known = {entry.slug for entry in yard.list(EVERYTHING).entries} if named else set()
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
    @json_option
    def show_all(*, as_json: bool) -> None:
        with opened_yard() as yard:
            records = yard.list_records(view.kind)
        if as_json:
            echo_json({view.plural: [record_to_json(one) for one in records]})
            return
        if not records:
            hint = f"`skillyard {view.plural} add NAME` adds one"
            click.echo(f"There are no {view.plural}; {hint}", err=True)
            return
        columns = [one for one in view.fields if one.is_column]
        for line in _render_list(view.word, columns, records):
            click.echo(line)

    return show_all


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
    @click.command("show", help=f"Show one {view.word}, with its skills in order of precedence.")
    @click.argument("name")
    @json_option
    def show(name: str, *, as_json: bool) -> None:
        with opened_yard() as yard:
            record = yard.get_record(view.kind, name)
            assignments = view.list_assignments(name, yard=yard)
        if as_json:
            said = [assignment_to_json(one) for one in assignments]
            echo_json({**record_to_json(record), "assignments": said})
            return
        click.echo("\n".join(_describe(view.fields, record) + _describe_skills(assignments)))

    return show


def _describe(shown_fields: Sequence[RecordField], record: Record) -> list[str]:
    width = max(len(one.label) for one in shown_fields)
    shown = ((one.label, one.show(getattr(record, one.name))) for one in shown_fields)
    lines = [f"  {label:<{width}}  {visible(value)}" for label, value in shown if value]
    return [click.style(visible(record.name), bold=True), *lines]


def _describe_skills(assignments: Sequence[Assignment]) -> list[str]:
    if not assignments:
        return []
    table = [f"  {line}" for line in render_assignments(assignments)]
    return ["", f"Skills ({len(assignments)})", *table]
