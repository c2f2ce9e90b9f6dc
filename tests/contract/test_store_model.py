"""The store in a database does what the one in memory does, whatever is done to both."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from skillyard.adapters.db.opening import open_store
from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import EVERYTHING, SkillFilter
from skillyard.domain.errors import SkillyardError
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from skillyard.domain.skill import Skill, SkillStatus
from skillyard.domain.version import Version
from skillyard.testing.ids import CountingIds
from skillyard.testing.memory import MemoryStore
from tests.contract.making import (
    OTHER_PDF,
    PDF,
    list_records,
    make_assignment,
    make_entry,
    make_event,
    make_skill,
    make_tombstone,
    make_version,
    with_facts,
)
from tests.databases import fresh_sqlite_url

SLUGS = st.sampled_from(["a-b", "ab"])
OWNERS = st.sampled_from(["people", "Acme"])
NAMES = st.sampled_from(["x", "Y"])
MAYBE = st.none() | NAMES
STEPS = st.sampled_from([1, 1, 1, 0, 2])
PACKAGES = st.sampled_from([PDF, OTHER_PDF])
SUBJECTS = st.just(Subject(SubjectKind.GLOBAL)) | st.builds(
    Subject, st.sampled_from(list(SubjectKind)[1:]), NAMES
)
WORKSPACES = [Subject(SubjectKind.WORKSPACE, name) for name in ("x", "Y", "elsewhere")]
CONFIDENCES = st.sampled_from([Confidence.MEDIUM, Confidence.HIGH])
KINDS = st.sampled_from([Workspace, Team, Agent, Node, Sandbox])
COMMITS = st.sampled_from([True, True, True, False])


def look(transaction: Transaction) -> tuple[object, ...]:
    """Give what can be listed."""
    skills = transaction.skills.list_entries(EVERYTHING)
    return (
        skills,
        [transaction.skills.find_by_id(one.id) for one in skills],
        [transaction.versions.list(one.id) for one in skills],
        transaction.skills.list_tombstones(),
        list(transaction.packages.iter_digests()),
        transaction.assignments.list(),
        list_records(transaction),
        transaction.audit.list(AuditFilter()),
        transaction.outbox.list_pending(),
        transaction.candidates.list_named(["a-b", "ab"], subjects=()),
        *(transaction.candidates.list_for([one], agent=None, widened=True) for one in WORKSPACES),
    )


def answer(store: Store, act: Callable[[Transaction], object], *, commit: bool) -> object:
    """Give what a transaction gives, or the code of its error."""
    try:
        with store.begin() as transaction:
            got = act(transaction)
            if commit:
                transaction.commit()
    except SkillyardError as error:
        return error.code
    return got


class TwoStores(RuleBasedStateMachine):
    """Everything is done to both, and both answer alike."""

    directory: Path

    def __init__(self) -> None:
        super().__init__()
        self.model = MemoryStore()
        self.store = open_store(fresh_sqlite_url(self.directory))
        self.ids = CountingIds()
        self.revisions = count(1)

    @initialize()
    def fill(self) -> None:
        """Put something into both, so that most of what is done has an effect."""
        self.add_skill("a-b", "people", PDF, commit=True)
        self.add_skill("ab", "people", OTHER_PDF, commit=True)
        self.add_skill("ab", "Acme", PDF, commit=True)
        for kind in (Workspace, Team, Agent):
            self.add_record("x", None, None, None, kind, commit=True)

    def teardown(self) -> None:
        self.store.close()

    def both(self, act: Callable[[Transaction], object], *, commit: bool = True) -> None:
        assert answer(self.store, act, commit=commit) == answer(self.model, act, commit=commit)

    def find(self, slug: str, owner: str) -> Skill:
        """Give a skill that is there, or one that is nowhere."""
        with self.model.view() as view:
            found = view.skills.find(slug, owner=owner)
        return found or make_skill(slug, owner=owner, id=self.ids.new_id())

    @rule(slug=SLUGS, owner=OWNERS, package=PACKAGES, confidence=CONFIDENCES, commit=COMMITS)
    def add_skill(
        self,
        slug: str,
        owner: str,
        package: Any,  # noqa: ANN401
        confidence: Confidence = Confidence.HIGH,
        *,
        commit: bool,
    ) -> None:
        skill = make_skill(slug, owner=owner, id=self.ids.new_id(), digest=package.digest())
        skill = with_facts(skill, confidence=confidence)

        def act(transaction: Transaction) -> object:
            transaction.packages.add([package])
            kept = transaction.skills.add_if_absent(skill)
            version = make_version(kept, digest=package.digest(), revision=0)
            return kept, transaction.versions.add_if_absent(version)

        self.both(act, commit=commit)

    @rule(
        slug=SLUGS,
        owner=OWNERS,
        step=STEPS,
        status=st.sampled_from(SkillStatus),
        confidence=CONFIDENCES,
        tags=st.sets(NAMES).map(sorted).map(tuple),
        commit=COMMITS,
    )
    def replace_skill(
        self,
        slug: str,
        owner: str,
        step: int,
        status: SkillStatus,
        confidence: Confidence,
        tags: tuple[str, ...],
        *,
        commit: bool,
    ) -> None:
        skill = self.find(slug, owner)
        changed = make_skill(
            slug, owner=owner, id=skill.id, revision=skill.revision + step, digest=skill.digest
        )
        changed = with_facts(changed, status=status, confidence=confidence, tags=tags)
        self.both(lambda one: one.skills.replace(changed), commit=commit)

    @rule(slug=SLUGS, owner=OWNERS, number=st.sampled_from(["1.0.0", "1.1.0-rc.1", "2.0.0"]))
    def add_version(self, slug: str, owner: str, number: str) -> None:
        skill = self.find(slug, owner)
        version = make_version(skill, number, revision=next(self.revisions))
        self.both(lambda one: one.versions.add_if_absent(version))
        self.both(lambda one: one.versions.find(skill.id, Version.parse(number)))
        self.both(lambda one: one.versions.find_highest(skill.id, Version.parse(number)))

    @rule(slug=SLUGS, owner=OWNERS, step=st.sampled_from([0, 0, 1]), commit=COMMITS)
    def remove_skill(self, slug: str, owner: str, step: int, *, commit: bool) -> None:
        skill = self.find(slug, owner)
        seen = make_skill(slug, owner=owner, id=skill.id, revision=skill.revision + step)
        self.both(lambda one: one.skills.remove(seen, make_tombstone(seen)), commit=commit)

    @rule(slug=SLUGS, owner=OWNERS, subject=SUBJECTS, number=st.integers(-1, 1), commit=COMMITS)
    def put_assignment(
        self, slug: str, owner: str, subject: Subject, number: int, *, commit: bool
    ) -> None:
        one_more = make_assignment(
            self.find(slug, owner), subject, id=self.ids.new_id(), priority=number, position=-number
        )
        self.both(lambda one: one.assignments.put(one_more), commit=commit)
        self.both(lambda one: one.assignments.next_position(subject))

    @rule(slug=SLUGS, owner=OWNERS, subject=SUBJECTS)
    def remove_assignment(self, slug: str, owner: str, subject: Subject) -> None:
        skill = self.find(slug, owner)
        self.both(lambda one: one.assignments.remove(skill.id, subject))

    @rule(name=NAMES, workspace=MAYBE, team=MAYBE, agent=MAYBE, kind=KINDS, commit=COMMITS)
    def add_record(
        self,
        name: str,
        workspace: str | None,
        team: str | None,
        agent: str | None,
        kind: Any,  # noqa: ANN401
        *,
        commit: bool,
    ) -> None:
        record: Any = {
            Workspace: Workspace(name=name),
            Team: Team(name=name, workspace=workspace),
            Agent: Agent(name=name, workspace=workspace, team=team),
            Node: Node(name=name, workspace=workspace, agent=agent),
            Sandbox: Sandbox(name=name, agent=agent or name),
        }[kind]
        self.both(lambda one: one.records.add_if_absent(record), commit=commit)

    @rule(name=NAMES, workspace=MAYBE, revision=st.integers(2, 3), commit=COMMITS)
    def replace_team(
        self, name: str, workspace: str | None, revision: int, *, commit: bool
    ) -> None:
        team = Team(name=name, workspace=workspace, revision=revision)
        self.both(lambda one: one.records.replace(team), commit=commit)

    @rule(name=NAMES, workspace=MAYBE, team=MAYBE, revision=st.integers(2, 3), commit=COMMITS)
    def replace_agent(
        self, name: str, workspace: str | None, team: str | None, revision: int, *, commit: bool
    ) -> None:
        agent = Agent(name=name, workspace=workspace, team=team, revision=revision)
        self.both(lambda one: one.records.replace(agent), commit=commit)

    @rule(kind=KINDS, name=NAMES, commit=COMMITS)
    def remove_record(self, kind: Any, name: str, *, commit: bool) -> None:  # noqa: ANN401
        self.both(lambda one: one.records.list_users(kind, name))
        self.both(lambda one: one.records.remove(kind, name), commit=commit)

    @rule(commit=COMMITS)
    def say_what_happened(self, *, commit: bool) -> None:
        def act(transaction: Transaction) -> None:
            transaction.audit.append(make_entry())
            transaction.outbox.append(make_event())

        self.both(act, commit=commit)

    @rule(most=st.integers(0, 2), commit=COMMITS)
    def do_what_is_pending(self, most: int, *, commit: bool) -> None:
        def act(transaction: Transaction) -> None:
            pending = transaction.outbox.list_pending(most=most)
            transaction.outbox.mark_done([event.number for event in pending])

        self.both(act, commit=commit)

    @rule(after=st.none() | st.tuples(SLUGS, OWNERS), most=st.integers(0, 3), tag=NAMES)
    def turn_a_page(self, after: tuple[str, str] | None, most: int, tag: str) -> None:
        self.both(lambda one: one.skills.list_entries(EVERYTHING, after=after, most=most))
        self.both(lambda one: one.skills.list_entries(SkillFilter(tags=(tag,)), after=after))
        self.both(lambda one: one.skills.count(SkillFilter(text=tag)))

    @invariant()
    def look_alike(self) -> None:
        with self.store.view() as view, self.model.view() as model:
            assert look(view) == look(model)


@pytest.mark.requirement("STO-1")
def test_the_stores_answer_alike(tmp_path: Path) -> None:
    machine = type("TwoStoresHere", (TwoStores,), {"directory": tmp_path})

    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=25))
