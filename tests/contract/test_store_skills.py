"""What a store promises about skills and what is left of them."""

from dataclasses import replace

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.manifest import Author, Confidence, Invocation
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
    AT,
    FIRST,
    LATER,
    OTHER_PDF,
    PDF,
    fill,
    make_assignment,
    make_id,
    make_skill,
    make_tombstone,
    make_version,
    next_revision,
    put_in,
    with_facts,
)

EVERY_FACT = SkillFacts(
    display_name="Формы PDF 📄",
    description="Füllt Formulare aus: 100 %_sicher\\, 'so' oder \"so\".\n\tZweite Zeile.",
    category="writing",
    status=SkillStatus.DRAFT,
    deprecated="Use `forms`.",
    enabled=False,
    confidence=Confidence.HIGH,
    author=Author("agent", "reviewer", "https://example.org/pdf"),
    tags=("zebra", "alpha", "z-10"),
    requires_tools=("bash", "Read"),
    requires=("ocr", "base"),
    agents=("writer", "älteste"),
    provider_hints={"codex": "kurz", "claude-code": ""},
    install_strategy=InstallStrategy.PROMPT_FALLBACK,
    invocation=Invocation.USER_ONLY,
    metadata={"größe": "42", "空": "値", "empty": "", 'quo"te': "a\\b\nc"},
)
EVERY_FIELD = Skill(
    id=make_id("full"),
    slug="pdf",
    owner="acme.tools",
    source_kind=SourceKind.PLUGIN,
    plugin_id="acme.tools@1",
    provenance=Provenance(Door.SYNC, "git:abc#straße"),
    facts=EVERY_FACT,
    current=Version.parse("2.0.0-rc.1"),
    digest=OTHER_PDF.digest(),
    revision=7,
    created_at=AT,
    created_by="ada",
    updated_at=LATER,
    updated_by="bob",
)


@pytest.mark.requirement("STO-2")
def test_every_field_of_a_skill_comes_back(store: Store) -> None:
    fill(store, EVERY_FIELD)

    with store.view() as view:
        assert view.skills.find("pdf", owner="acme.tools") == EVERY_FIELD
        assert view.skills.find_by_id(EVERY_FIELD.id) == EVERY_FIELD
        assert view.skills.list_by_slug("pdf") == [EVERY_FIELD]


@pytest.mark.requirement("STO-2")
def test_a_skill_of_which_little_is_known_comes_back(store: Store) -> None:
    fill(store, make_skill())

    with store.view() as view:
        assert view.skills.find("pdf") == make_skill()


@pytest.mark.requirement("STO-2")
def test_what_is_empty_is_not_what_is_absent(store: Store) -> None:
    given = [
        with_facts(make_skill("absent"), agents=None, deprecated=None),
        with_facts(make_skill("empty"), agents=(), deprecated=""),
        with_facts(make_skill("given"), agents=("reviewer",), deprecated="Use another."),
        make_skill("no-ref", plugin_id=None, provenance=Provenance(Door.API, None)),
        make_skill("some-ref", plugin_id="", provenance=Provenance(Door.API, "")),
    ]
    fill(store, *given)

    with store.view() as view:
        assert [view.skills.find(one.slug) for one in given] == given


def test_moments_come_back_as_moments_in_utc(store: Store) -> None:
    fill(store, make_skill(updated_at=LATER))

    with store.view() as view:
        found = view.skills.find("pdf")
        assert found is not None
        moments = (found.created_at.isoformat(), found.updated_at.isoformat())
        assert moments == ("2026-01-02T03:04:05.678000+00:00", "2026-03-04T05:06:07.001000+00:00")


def test_the_current_version_comes_back_with_its_pre_release(store: Store) -> None:
    numbers = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-0.x-y.10", "0.0.0", "999999999.0.0"]
    fill(
        store,
        *(
            make_skill(f"skill-{place}", current=Version.parse(number))
            for place, number in enumerate(numbers)
        ),
    )

    with store.view() as view:
        found = view.skills.list_entries(EVERYTHING)
        assert [str(one.version) for one in found] == numbers


def test_what_a_caller_does_to_its_mappings_later_changes_nothing(store: Store) -> None:
    metadata, hints = {"size": "1"}, {"codex": "short"}
    given = with_facts(make_skill(), metadata=metadata, provider_hints=hints)
    fill(store, given)
    metadata.clear()
    hints["codex"] = "long"

    with store.view() as view:
        found = view.skills.find("pdf")
        assert found is not None
        assert dict(found.facts.metadata) == {"size": "1"}
        assert dict(found.facts.provider_hints) == {"codex": "short"}


def test_a_skill_that_is_not_there_is_none(store: Store) -> None:
    fill(store, make_skill())

    with store.view() as view:
        assert view.skills.find("PDF") is None
        assert view.skills.find("pdf", owner="acme") is None
        assert view.skills.find_by_id(make_id("nobody")) is None
        assert view.skills.list_by_slug("docx") == []


@pytest.mark.requirement("STO-2")
def test_a_new_skill_is_the_one_that_is_kept(store: Store) -> None:
    with store.begin() as transaction:
        transaction.packages.add([PDF])
        assert transaction.skills.add_if_absent(make_skill()) == make_skill()


@pytest.mark.requirement("STO-2")
def test_a_taken_slug_keeps_its_skill(store: Store) -> None:
    fill(store, make_skill())
    late = make_skill(id=make_id("late"), created_by="bob", digest=OTHER_PDF.digest())

    with store.begin() as transaction:
        assert transaction.skills.add_if_absent(late) == make_skill()
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") == make_skill()
        assert view.skills.find_by_id(late.id) is None
        assert view.skills.count(EVERYTHING) == 1


@pytest.mark.requirement("STO-2")
def test_owners_have_slugs_of_their_own_and_are_listed_in_order(store: Store) -> None:
    owners = ["people", "Zeta", "alpha", "ätna", "alpha-2"]
    fill(store, *(make_skill(owner=owner) for owner in owners), make_skill("docx"))

    with store.view() as view:
        found = [one.owner for one in view.skills.list_by_slug("pdf")]
        assert found == ["Zeta", "alpha", "alpha-2", "people", "ätna"]
        assert view.skills.find("pdf") == make_skill()
        assert view.skills.find("pdf", owner="ätna") == make_skill(owner="ätna")


@pytest.mark.requirement("STO-8")
def test_the_next_revision_takes_the_place_of_its_predecessor(store: Store) -> None:
    fill(store, make_skill())
    changed = replace(
        next_revision(make_skill()), facts=EVERY_FACT, current=Version(2), digest=OTHER_PDF.digest()
    )

    with store.begin() as transaction:
        assert transaction.skills.replace(changed)
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") == changed


@pytest.mark.requirement("STO-8")
def test_of_two_with_the_same_predecessor_the_later_one_changes_nothing(store: Store) -> None:
    fill(store, make_skill())
    ours = next_revision(make_skill(), display_name="Ours")
    theirs = next_revision(make_skill(), display_name="Theirs")

    with store.begin() as transaction:
        assert transaction.skills.replace(theirs)
        transaction.commit()
    with store.begin() as transaction:
        assert not transaction.skills.replace(ours)
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") == theirs


@pytest.mark.requirement("STO-8")
def test_only_the_very_next_revision_is_taken(store: Store) -> None:
    fill(store, make_skill())

    with store.begin() as transaction:
        for revision in (0, 1, 3, 9):
            assert not transaction.skills.replace(make_skill(revision=revision, updated_by="bob"))
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") == make_skill()


def test_a_skill_that_is_gone_is_not_replaced(store: Store) -> None:
    with store.begin() as transaction:
        put_in(transaction)
        assert not transaction.skills.replace(next_revision(make_skill()))
        assert transaction.skills.find("pdf") is None


@pytest.mark.requirement("STO-5")
def test_a_removed_skill_takes_its_versions_and_assignments_with_it(store: Store) -> None:
    skill, other = make_skill(), make_skill("docx")
    fill(store, skill, other)
    with store.begin() as transaction:
        transaction.versions.add_if_absent(make_version(skill, "2.0.0", digest=OTHER_PDF.digest()))
        for one in (skill, other):
            transaction.assignments.put(make_assignment(one))
        transaction.commit()

    with store.begin() as transaction:
        assert transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") is None
        assert view.versions.list(skill.id) == []
        assert view.versions.find(skill.id, FIRST) is None
        assert view.assignments.list() == [make_assignment(other)]
        assert view.versions.list(other.id) == [make_version(other)]
        assert view.skills.list_tombstones() == [make_tombstone(skill)]


@pytest.mark.requirement("STO-5")
def test_the_packages_of_a_removed_skill_stay(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    with store.begin() as transaction:
        transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()

    with store.view() as view:
        assert view.packages.get(PDF.digest()) == PDF


@pytest.mark.requirement("STO-8")
def test_a_skill_that_was_changed_since_is_not_removed(store: Store) -> None:
    seen, changed = make_skill(), next_revision(make_skill())
    fill(store, seen)
    with store.begin() as transaction:
        transaction.assignments.put(make_assignment(seen))
        transaction.skills.replace(changed)
        transaction.commit()

    with store.begin() as transaction:
        assert not transaction.skills.remove(seen, make_tombstone(seen))
        transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") == changed
        assert view.versions.list(seen.id) == [make_version(seen)]
        assert view.assignments.find(seen.id, GLOBAL) == make_assignment(seen)
        assert view.skills.list_tombstones() == []


def test_a_skill_is_removed_once(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)

    with store.begin() as transaction:
        assert transaction.skills.remove(skill, make_tombstone(skill))
        assert not transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()

    with store.view() as view:
        assert view.skills.list_tombstones() == [make_tombstone(skill)]


@pytest.mark.requirement("STO-5")
def test_tombstones_stand_in_the_order_of_removal_and_let_the_slug_be_used_again(
    store: Store,
) -> None:
    lives = [make_skill("pdf", id=make_id("life", str(number))) for number in (3, 1, 2)]
    tombstones = [
        make_tombstone(one, deleted_at=at) for one, at in zip(lives, (LATER, AT, AT), strict=True)
    ]
    for skill, tombstone in zip(lives, tombstones, strict=True):
        fill(store, skill)
        with store.begin() as transaction:
            assert transaction.skills.remove(skill, tombstone)
            transaction.commit()

    with store.view() as view:
        assert view.skills.list_tombstones() == tombstones
        assert view.skills.count(EVERYTHING) == 0


@pytest.mark.requirement("STO-5")
def test_every_field_of_a_tombstone_comes_back(store: Store) -> None:
    fill(store, EVERY_FIELD)
    with store.begin() as transaction:
        assert transaction.skills.remove(EVERY_FIELD, make_tombstone(EVERY_FIELD))
        transaction.commit()

    with store.view() as view:
        (kept,) = view.skills.list_tombstones()
        assert kept == make_tombstone(EVERY_FIELD)
        assert str(kept.version) == "2.0.0-rc.1"
