"""Whatever can be said about a skill or a record comes back as it was said."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillyard.application.ports.store import Store
from skillyard.domain.audit import AuditEntry, AuditFilter, OutboxEvent
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.manifest import Author, Confidence, Invocation
from skillyard.domain.records import Agent, Record, Sandbox, SandboxKind
from skillyard.domain.skill import (
    Door,
    InstallStrategy,
    Provenance,
    Skill,
    SkillFacts,
    SkillStatus,
    SourceKind,
)
from skillyard.domain.version import Version
from tests.contract.making import (
    PDF,
    add_record,
    list_records,
    make_skill,
    make_version,
)

# Nothing is committed, so that every example finds the store empty.
few = settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
# PostgreSQL keeps no NUL in a text, and a surrogate alone is no character.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
WORDS = st.lists(TEXTS, max_size=4).map(tuple)
MAPPINGS = st.dictionaries(TEXTS, TEXTS, max_size=4)
COUNTS = st.integers(0, 2**31 - 2)
MOMENTS = st.integers(-(10**13), 10**14).map(
    lambda number: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=number)
)
NUMBERS = st.integers(0, 999_999_999)
IDENTIFIERS = st.from_regex(r"[1-9a-zA-Z-][0-9a-zA-Z-]{0,5}", fullmatch=True)
VERSIONS = st.builds(
    Version, NUMBERS, NUMBERS, NUMBERS, st.lists(IDENTIFIERS, max_size=3).map(tuple)
)
AUTHORS = st.builds(Author, TEXTS, st.none() | TEXTS, st.none() | TEXTS)
FACTS = st.builds(
    SkillFacts,
    display_name=TEXTS,
    description=TEXTS,
    category=TEXTS,
    status=st.sampled_from(SkillStatus),
    deprecated=st.none() | TEXTS,
    enabled=st.booleans(),
    confidence=st.sampled_from(Confidence),
    author=AUTHORS,
    tags=st.lists(TEXTS, max_size=4, unique=True).map(tuple),
    requires_tools=WORDS,
    requires=WORDS,
    agents=st.none() | WORDS,
    provider_hints=MAPPINGS,
    install_strategy=st.none() | st.sampled_from(InstallStrategy),
    invocation=st.sampled_from(Invocation),
    metadata=MAPPINGS,
)
SKILLS = st.builds(
    make_skill,
    slug=TEXTS,
    owner=TEXTS,
    source_kind=st.sampled_from(SourceKind),
    plugin_id=st.none() | TEXTS,
    provenance=st.builds(Provenance, st.sampled_from(Door), st.none() | TEXTS),
    facts=FACTS,
    current=VERSIONS,
    revision=COUNTS,
    created_at=MOMENTS,
    created_by=TEXTS,
    updated_at=MOMENTS,
    updated_by=TEXTS,
)
AGENTS = st.builds(
    Agent,
    name=TEXTS,
    description=TEXTS,
    provider=st.none() | TEXTS,
    allowlist=st.none() | WORDS,
    disabled_skills=WORDS,
    context_window=st.none() | COUNTS,
    eager_limit=st.none() | COUNTS,
    listed_limit=st.none() | COUNTS,
    lightweight=st.booleans(),
    revision=COUNTS,
)
SANDBOXES = st.builds(
    Sandbox,
    name=TEXTS,
    agent=st.just("owner"),
    kind=st.sampled_from(SandboxKind),
    prefix=WORDS,
    skills_path=TEXTS,
)


@few
@pytest.mark.requirement("STO-2")
@given(skills=st.lists(SKILLS, min_size=1, max_size=4, unique_by=lambda one: one.id))
def test_every_skill_comes_back(store: Store, skills: list[Skill]) -> None:
    with store.begin() as transaction:
        for skill in skills:
            assert transaction.skills.add_if_absent(skill) == skill
        assert [transaction.skills.find_by_id(one.id) for one in skills] == skills
        for skill in skills:
            changed = replace(skill, facts=skills[-1].facts, revision=skill.revision + 1)
            assert transaction.skills.replace(changed)
            assert transaction.skills.find(skill.slug, owner=skill.owner) == changed


@few
@pytest.mark.requirement("STO-3")
@given(
    numbers=st.lists(VERSIONS, min_size=1, max_size=5, unique=True),
    message=TEXTS,
    base=st.none() | VERSIONS,
    at=MOMENTS,
    kind=st.sampled_from(SourceKind),
    provenance=st.builds(Provenance, st.sampled_from(Door), st.none() | TEXTS),
)
def test_every_version_comes_back(
    store: Store, numbers: list[Version], at: datetime, kind: SourceKind, **said: object
) -> None:
    skill = make_skill()
    versions = [
        make_version(skill, str(number), revision=place, created_at=at, source_kind=kind, **said)
        for place, number in enumerate(numbers)
    ]
    with store.begin() as transaction:
        transaction.packages.add([PDF])
        transaction.skills.add_if_absent(skill)
        for version in versions:
            transaction.versions.add_if_absent(version)
        assert transaction.versions.list(skill.id) == versions
        for version in versions:
            assert transaction.versions.find(skill.id, version.version) == version


@few
@pytest.mark.requirement("STO-6")
@given(
    agents=st.lists(AGENTS, max_size=4, unique_by=lambda one: one.name),
    sandboxes=st.lists(SANDBOXES, max_size=4, unique_by=lambda one: one.name),
)
def test_every_record_comes_back_in_the_order_of_names(
    store: Store, agents: list[Agent], sandboxes: list[Sandbox]
) -> None:
    named = {one.name: one for one in (*agents, Agent(name="owner"))}
    with store.begin() as transaction:
        records: list[Record] = [*named.values(), *sandboxes]
        for record in records:
            assert add_record(transaction, record) == record
        assert list_records(transaction) == [
            *sorted(named.values(), key=lambda one: one.name),
            *sorted(sandboxes, key=lambda one: one.name),
        ]


@few
@pytest.mark.requirement("STO-7", "STO-10")
@given(at=MOMENTS, texts=st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), mapping=MAPPINGS)
def test_every_entry_and_event_comes_back(
    store: Store, at: datetime, texts: tuple[str, str, str, str], mapping: dict[str, str]
) -> None:
    actor, door, action, target = texts
    entry = AuditEntry(at=at, actor=actor, door=door, action=action, target=target, details=mapping)
    event = OutboxEvent(at=at, topic=action, data=mapping)
    with store.begin() as transaction:
        transaction.audit.append(entry)
        transaction.outbox.append(event)
        (kept,) = transaction.audit.list(AuditFilter(actor=actor, target=target, since=at))
        (pending,) = transaction.outbox.list_pending()
        assert replace(kept, number=0) == entry
        assert replace(pending, number=0) == event
        assert transaction.audit.list(AuditFilter(action=action)) == [kept]
        assert transaction.audit.list(AuditFilter(since=at + timedelta(milliseconds=1))) == []


@few
@pytest.mark.requirement("STO-2")
@given(skill=SKILLS, start=st.integers(0, 12), length=st.integers(0, 12), data=st.data())
def test_every_part_of_a_text_is_found(
    store: Store, skill: Skill, start: int, length: int, data: st.DataObject
) -> None:
    facts = skill.facts
    text = data.draw(st.sampled_from([skill.slug, facts.display_name, facts.description]))
    part = text[start : start + length]
    with store.begin() as transaction:
        transaction.skills.add_if_absent(skill)
        for one in (part, part.casefold()):
            wanted = SkillFilter(text=one, archived=True, owner=skill.owner, tags=facts.tags)
            assert transaction.skills.count(wanted) == 1
