"""Keep workspaces, teams, agents, nodes and sandboxes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Generic

from skillyard.application.assign import note_assignment
from skillyard.application.journal import Journal
from skillyard.application.lookup import get_record
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.settling import settle
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.errors import (
    ConcurrentChangeError,
    InvalidFactError,
    RecordExistsError,
    RecordInUseError,
)
from skillyard.domain.facts import (
    FactProblem,
    iter_entry_problems,
    iter_text_problems,
    require_record_name,
)
from skillyard.domain.hook import Hook
from skillyard.domain.limits import ENTRY_CHARACTERS, LARGEST_NUMBER, STANDARD
from skillyard.domain.names import find_name_problem
from skillyard.domain.records import (
    Agent,
    AnyRecord,
    Record,
    Sandbox,
    Team,
    Workspace,
    name_of_kind,
)
from skillyard.domain.skill import Actor
from skillyard.domain.text import shorten, visible
from skillyard.providers.clients import CLIENTS

PROVIDERS: Final = (*CLIENTS, "agents-dir")
"""What an agent can run in: the clients, and any program that reads `.agents/skills`."""
_COUNTS: Final = ("context_window", "eager_limit", "listed_limit")
_ANY: Final = "*"


@dataclass(frozen=True, slots=True)
class ChangedRecord(Generic[AnyRecord]):
    """A record after a change; `before` is None where it is new."""

    before: AnyRecord | None
    record: AnyRecord


def add_record(
    record: AnyRecord, *, store: Store, clock: Clock, actor: Actor, dry_run: bool = False
) -> AnyRecord:
    """Keep a new record.

    Raises:
        InvalidFactError: It cannot be kept like this; every problem is named.
        RecordExistsError: There is one of its kind and name.
        RecordNotFoundError: It names one that is not there.
    """
    kind = name_of_kind(type(record))
    _require_sound(record)
    with store.begin() as transaction:
        _require_references(record, transaction)
        # Also where the one that is there says the same: it was added by someone else.
        if transaction.records.add_if_absent(record) is not record:
            raise RecordExistsError(kind, record.name)
        _note(Journal(transaction, actor, clock.now()), "added", None, record)
        if not dry_run:
            transaction.commit()
    return record


@dataclass(frozen=True, slots=True)
class ChangeRecord(Generic[AnyRecord]):
    """The wish that a record be what `change` makes of it."""

    kind: type[AnyRecord]
    name: str
    change: Callable[[AnyRecord], AnyRecord]


def change_record(
    wish: ChangeRecord[AnyRecord],
    *,
    store: Store,
    clock: Clock,
    actor: Actor,
    dry_run: bool = False,
) -> ChangedRecord[AnyRecord]:
    """Change a record; the change may be made again when others change the record too.

    Raises:
        InvalidFactError: It cannot be kept like this; every problem is named.
        RecordNotFoundError: It, or one that it names, is not there.
    """
    with store.begin() as transaction:
        journal = Journal(transaction, actor, clock.now())
        changed = settle(wish.name, lambda: _try_to_change(wish, journal))
        if not dry_run:
            transaction.commit()
    return changed


def _try_to_change(
    wish: ChangeRecord[AnyRecord], journal: Journal
) -> ChangedRecord[AnyRecord] | None:
    before = get_record(wish.kind, wish.name, transaction=journal.transaction)
    after = replace(wish.change(before), revision=before.revision)
    if after == before:
        return ChangedRecord(before, before)
    after = replace(after, revision=before.revision + 1)
    _require_sound(after)
    _require_references(after, journal.transaction)
    if not journal.transaction.records.replace(after):
        return None
    _note(journal, "changed", before, after)
    return ChangedRecord(before, after)


def remove_record(
    kind: type[AnyRecord],
    name: str,
    *,
    store: Store,
    clock: Clock,
    actor: Actor,
    dry_run: bool = False,
) -> AnyRecord:
    """Remove a record with its assignments; give what was removed.

    Raises:
        RecordNotFoundError: There is none.
        RecordInUseError: Other records name it.
    """
    with store.begin() as transaction:
        record = get_record(kind, name, transaction=transaction)
        users = transaction.records.list_users(kind, name)
        if users:
            said = [f"{name_of_kind(type(one))} {one.name}" for one in users]
            raise RecordInUseError(name_of_kind(kind), name, users=said)
        journal = Journal(transaction, actor, clock.now())
        _take_assignments(record, journal)
        if not transaction.records.remove(kind, name):
            raise ConcurrentChangeError(name)
        _note(journal, "removed", record, None)
        if not dry_run:
            transaction.commit()
    return record


def _take_assignments(record: Record, journal: Journal) -> None:
    kind = name_of_kind(type(record))
    if kind not in set(SubjectKind):
        return
    subject = Subject(SubjectKind(kind), record.name)
    journal.transaction.assignments.lock(subject)
    for one in journal.transaction.assignments.list(subjects=[subject]):
        journal.transaction.assignments.remove(one.skill_id, subject)
        skill = journal.transaction.skills.find_by_id(one.skill_id)
        if skill is not None:
            note_assignment(journal, "skill.unassigned", skill, one)


def list_records(kind: type[AnyRecord], *, store: Store) -> Sequence[AnyRecord]:
    """Give every record of a kind in the order of names."""
    with store.view() as view:
        return view.records.list(kind)


def read_record(kind: type[AnyRecord], name: str, *, store: Store) -> AnyRecord:
    """Give one record.

    Raises:
        RecordNotFoundError: There is none.
    """
    with store.view() as view:
        return get_record(kind, name, transaction=view)


def _require_sound(record: Record) -> None:
    require_record_name(name_of_kind(type(record)), record.name)
    problems = [*_description_problems(record)]
    if isinstance(record, Agent):
        problems += _agent_problems(record)
    if isinstance(record, Sandbox):
        problems += _sandbox_problems(record)
    problems += _hook_problems(getattr(record, "hooks", ()))
    if problems:
        raise InvalidFactError(problems)


def _description_problems(record: Record) -> Iterator[FactProblem]:
    text = getattr(record, "description", "")
    if text:
        yield from iter_text_problems("description", text, STANDARD.description_characters)


def _hook_problems(hooks: Sequence[Hook]) -> Iterator[FactProblem]:
    yield from iter_entry_problems("hooks", [one.command for one in hooks])
    if not all(one.command.strip() for one in hooks):
        yield FactProblem("hooks", "a command is empty", "Write it behind the stage: `init=make`")


def _sandbox_problems(sandbox: Sandbox) -> Iterator[FactProblem]:
    yield from iter_entry_problems("command", sandbox.prefix)
    yield from iter_text_problems("skills path", sandbox.skills_path, ENTRY_CHARACTERS)
    if not sandbox.skills_path.startswith("/"):
        yield FactProblem("skills path", "it is not absolute", "Start it with `/`")


def _agent_problems(agent: Agent) -> list[FactProblem]:
    problems = [
        FactProblem(name.replace("_", " "), f"it is not between 1 and {LARGEST_NUMBER}")
        for name in _COUNTS
        if (number := getattr(agent, name)) is not None and not 1 <= number <= LARGEST_NUMBER
    ]
    if agent.provider is not None and agent.provider not in PROVIDERS:
        said, known = visible(shorten(agent.provider)), ", ".join(PROVIDERS)
        problems.append(FactProblem("provider", f"there is no `{said}`", f"Choose one of {known}"))
    problems += [
        FactProblem("list of skills", f"`{visible(shorten(slug))}` is no skill name: {problem}")
        for slug in (*(agent.allowlist or ()), *agent.disabled_skills)
        if slug != _ANY and (problem := find_name_problem(slug))
    ]
    return problems


def _require_references(record: Record, transaction: Transaction) -> None:
    if (workspace := getattr(record, "workspace", None)) is not None:
        get_record(Workspace, workspace, transaction=transaction)
    if (team := getattr(record, "team", None)) is not None:
        get_record(Team, team, transaction=transaction)
    if (agent := getattr(record, "agent", None)) is not None:
        get_record(Agent, agent, transaction=transaction)


def _note(journal: Journal, verb: str, before: Record | None, after: Record | None) -> None:
    record = after or before
    if record is None:
        return
    kind = name_of_kind(type(record))
    details = _differences(before, after) if after else {}
    journal.note(f"{kind}.{verb}", f"{kind}:{record.name}", details=details)


def _differences(before: Record | None, after: Record) -> dict[str, str]:
    said = {}
    for one in fields(after):
        old = getattr(before, one.name) if before else one.default
        new = getattr(after, one.name)
        if one.name not in ("name", "revision") and old != new:
            words = _say(one.name, new)
            said[one.name] = f"{_say(one.name, old)} → {words}" if before else words
    return said


def _say(name: str, value: object) -> str:
    if name == "allowlist" and value is None:
        return _ANY
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value in (None, "") else str(value)
