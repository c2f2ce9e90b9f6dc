"""What saving promises, on every store."""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event

import pytest

from skillyard.application.ports.store import Store
from skillyard.application.save import Outcome, RefusedSkill, SavedSkill, SaveSkill
from skillyard.domain.audit import AuditFilter
from skillyard.domain.errors import (
    DuplicateInputError,
    InvalidFactError,
    InvalidNameError,
    InvalidPackageError,
    ReadOnlySkillError,
    SkillyardError,
    SlugTakenError,
    StaleWriteError,
    VersionExistsError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Author, Confidence
from skillyard.domain.package import Package
from skillyard.domain.skill import Actor, Door, Provenance, SkillFacts, SkillStatus, SourceKind
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.contract.use_cases.holding import LONG, HoldingStore
from tests.contract.use_cases.yards import count_rows, make_yard, save

NOW = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def stating(name: str = "pdf", **fields: str) -> Package:
    lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in fields.items())
    text = f"---\nname: {name}\ndescription: Fills forms. Use when asked.\n{lines}---\n\nFill.\n"
    return Package.of({"SKILL.md": text})


@pytest.mark.requirement("STO-2", "STO-3")
def test_the_first_save_makes_a_skill_with_the_defaults(yard: Skillyard) -> None:
    saved = save(yard, location="skills/pdf")

    assert saved.outcome is Outcome.CREATED
    assert saved.skill.facts == SkillFacts(
        display_name="pdf", description="Helps with pdf. Use when a task mentions pdf."
    )
    assert (saved.skill.source_kind, saved.skill.owner) == (SourceKind.ADMIN, "people")
    assert saved.skill.provenance == Provenance(Door.CLI, "skills/pdf")
    assert (saved.skill.created_by, saved.skill.created_at) == ("ada", NOW)
    assert (str(saved.version.version), saved.version.base) == ("1.0.0", None)
    assert yard.get("pdf").skill == saved.skill
    assert yard.package("pdf") == make_package("pdf")


@pytest.mark.requirement("STO-2")
def test_a_skill_has_what_its_front_matter_says(yard: Skillyard) -> None:
    package = stating(
        version="v2",
        display_name="PDF forms",
        category="writing",
        tags="[forms, pdf]",
        requires_tools="[bash]",
        invocation="user-only",
    )

    saved = yard.save(SaveSkill(package=package))

    facts = saved.skill.facts
    assert str(saved.version.version) == "2.0.0"
    assert (facts.display_name, facts.category) == ("PDF forms", "writing")
    assert (facts.tags, facts.requires_tools) == (("forms", "pdf"), ("bash",))
    assert facts.invocation == "user-only"


@pytest.mark.requirement("STO-2")
def test_what_a_person_says_counts_before_what_the_package_says(yard: Skillyard) -> None:
    wish = SaveSkill(
        package=stating(category="writing", version="3.0.0"),
        version=Version(1, 2),
        changes=FactChanges(category="ops", status=SkillStatus.DRAFT),
    )

    saved = yard.save(wish)

    assert (saved.skill.facts.category, saved.skill.facts.status) == ("ops", "draft")
    assert str(saved.version.version) == "1.2.0"
    assert saved.notes == ("the package says version 3.0.0, and is saved as 1.2.0",)


@pytest.mark.requirement("STO-3")
def test_saving_other_content_adds_a_version_and_keeps_the_old_one(yard: Skillyard) -> None:
    first = save(yard)
    second = save(yard, body="Another way.\n", message="Better")

    assert second.outcome is Outcome.SAVED
    assert (str(second.version.version), second.version.message) == ("1.0.1", "Better")
    assert second.version.base == first.version.version
    assert (second.skill.id, second.skill.revision) == (first.skill.id, 2)
    assert yard.history("pdf").versions == (first.version, second.version)
    assert yard.package("pdf", version="1.0.0") == make_package("pdf")


@pytest.mark.requirement("STO-3")
def test_saving_the_same_content_again_changes_nothing(yard: Skillyard, store: Store) -> None:
    first = save(yard)
    before = count_rows(store)

    again = save(yard)

    assert again.outcome is Outcome.UNCHANGED
    assert (again.skill, again.version) == (first.skill, first.version)
    assert count_rows(store) == before


@pytest.mark.requirement("STO-3")
def test_the_next_number_is_free_also_after_going_back(yard: Skillyard) -> None:
    save(yard)
    save(yard, body="Two.\n")
    save(yard, body="Three.\n")
    yard.roll_back("pdf", "1.0.0")

    assert str(save(yard, body="Four.\n").version.version) == "1.0.3"


@pytest.mark.requirement("STO-3")
def test_a_version_with_a_number_of_its_own_is_taken_as_it_is(yard: Skillyard) -> None:
    save(yard)

    assert str(save(yard, body="Two.\n", version=Version(2)).version.version) == "2.0.0"
    assert str(save(yard, body="Three.\n").version.version) == "2.0.1"
    assert str(
        save(yard, body="Four.\n", version=Version(2, 1, 0, ("rc", "1"))).version.version
    ) == ("2.1.0-rc.1")
    assert str(save(yard, body="Five.\n").version.version) == "2.1.0"


@pytest.mark.requirement("STO-3")
def test_a_number_that_is_taken_is_refused_and_a_free_one_named(yard: Skillyard) -> None:
    save(yard)
    save(yard, body="Two.\n")

    with pytest.raises(VersionExistsError) as caught:
        save(yard, body="Three.\n", version=Version(1))

    assert caught.value.hints == ("Save it as 1.0.2, or leave the number out",)
    assert len(yard.history("pdf").versions) == 2


@pytest.mark.requirement("STO-3")
def test_a_stated_number_counts_where_it_is_newer_and_otherwise_the_next_one(
    yard: Skillyard,
) -> None:
    yard.save(SaveSkill(package=stating(version="1.4.0")))

    same = yard.save(SaveSkill(package=stating(version="1.4.0", category="ops")))
    newer = yard.save(SaveSkill(package=stating(version="2.0", category="ops")))
    older = yard.save(SaveSkill(package=stating(version="0.1.0", category="ops")))

    assert [str(one.version.version) for one in (same, newer, older)] == [
        "1.4.1",
        "2.0.0",
        "2.0.1",
    ]
    assert same.notes == ("the package says version 1.4.0, and is saved as 1.4.1",)


@pytest.mark.requirement("STO-2")
def test_a_fact_that_a_person_set_stays_until_a_package_states_another(yard: Skillyard) -> None:
    yard.save(SaveSkill(package=stating(category="writing", tags="[a]")))
    yard.change("pdf", FactChanges(category="ops", tags=("mine",)))

    same = yard.save(SaveSkill(package=stating(category="writing", tags="[a]", license="MIT")))
    other = yard.save(SaveSkill(package=stating(category="coding", tags="[a]")))

    assert (same.skill.facts.category, same.skill.facts.tags) == ("ops", ("mine",))
    assert (other.skill.facts.category, other.skill.facts.tags) == ("coding", ("mine",))


@pytest.mark.requirement("STO-2")
def test_tags_and_categories_of_a_package_are_brought_into_form_and_that_is_said(
    yard: Skillyard,
) -> None:
    package = stating(tags='["Machine Learning", "C++", ml, ml]', category="cooking")

    saved = yard.save(SaveSkill(package=package))

    assert saved.skill.facts.tags == ("machine-learning", "c", "ml")
    assert saved.skill.facts.category == "custom"
    assert saved.notes == (
        "the tags are kept as `machine-learning c ml`",
        "the category `cooking` is kept as `custom`",
    )


@pytest.mark.requirement("STO-2")
def test_facts_that_cannot_be_kept_are_refused_all_at_once(yard: Skillyard, store: Store) -> None:
    wish = SaveSkill(
        package=stating(),
        changes=FactChanges(display_name="", category="cooking", tags=("Bad Tag",)),
    )

    with pytest.raises(InvalidFactError) as caught:
        yard.save(wish)

    assert [what for what, _, _ in caught.value.problems] == ["display name", "category", "tag"]
    assert "Write `bad-tag`" in caught.value.hints
    assert count_rows(store) == (0, 0)


def test_a_package_with_errors_is_refused_with_every_finding(yard: Skillyard, store: Store) -> None:
    package = Package.of({"SKILL.md": "---\nname: Pdf_x\n---\n"})

    with pytest.raises(InvalidPackageError) as caught:
        yard.save(SaveSkill(package=package, location="here"))

    assert {"SY202", "SY205"} <= {one.code for one in caught.value.diagnostics}
    assert count_rows(store) == (0, 0)


def test_a_new_skill_of_a_person_starts_with_a_letter_and_an_imported_one_need_not(
    yard: Skillyard,
) -> None:
    with pytest.raises(InvalidNameError):
        save(yard, "3d-print")

    saved = save(yard, "3d-print", kind=SourceKind.IMPORTED)

    assert saved.outcome is Outcome.CREATED


@pytest.mark.requirement("CNF-4")
@pytest.mark.parametrize(
    ("kind", "confidence"),
    [
        (SourceKind.ADMIN, "medium"),
        (SourceKind.LEGACY, "medium"),
        (SourceKind.EARNED, "low"),
        (SourceKind.IMPORTED, "low"),
    ],
)
def test_confidence_starts_where_the_door_puts_it(
    yard: Skillyard, kind: SourceKind, confidence: str
) -> None:
    assert save(yard, kind=kind).skill.facts.confidence == confidence


@pytest.mark.requirement("TRU-1")
def test_a_package_may_claim_less_confidence_and_never_more(yard: Skillyard) -> None:
    high = '{"name": "a", "version": "1.0.0", "description": "d", "confidence": "high"}'
    low = high.replace("high", "low").replace('"a"', '"b"')

    claimed = save(yard, "a", files={"manifest.json": high}).skill.facts.confidence
    modest = save(yard, "b", files={"manifest.json": low}).skill.facts.confidence

    assert (claimed, modest) == ("medium", "low")


@pytest.mark.requirement("CNF-4")
def test_new_content_of_an_imported_skill_is_unproven_again_unless_a_person_says_so(
    yard: Skillyard,
) -> None:
    save(yard, kind=SourceKind.IMPORTED)
    yard.change("pdf", FactChanges(confidence=Confidence.HIGH))

    kept = save(yard, body="Two.\n", keep_confidence=True).skill
    fallen = save(yard, body="Three.\n").skill

    assert (kept.facts.confidence, fallen.facts.confidence) == ("high", "low")
    assert fallen.source_kind is SourceKind.IMPORTED


def test_imported_content_makes_a_persons_skill_an_imported_one(yard: Skillyard) -> None:
    save(yard)

    saved = save(yard, body="Two.\n", kind=SourceKind.IMPORTED, location="x.zip").skill

    assert (saved.source_kind, saved.facts.confidence) == (SourceKind.IMPORTED, "low")
    assert saved.provenance.ref == "x.zip"


def test_an_imported_skill_names_its_source_as_its_author(yard: Skillyard) -> None:
    saved = save(yard, kind=SourceKind.IMPORTED, location="x.zip").skill

    assert saved.facts.author == Author("imported", source="x.zip")


@pytest.mark.requirement("STO-7")
def test_each_change_is_in_the_log_with_who_when_and_from_which_content(yard: Skillyard) -> None:
    first = save(yard)
    second = save(yard, body="Two.\n", message="Better")

    newest, oldest = yard.audit()

    assert (oldest.action, oldest.actor, oldest.at) == ("skill.created", "ada", NOW)
    assert (oldest.before, oldest.after) == (None, first.version.digest)
    assert newest.action == "skill.saved"
    assert (newest.before, newest.after) == (first.version.digest, second.version.digest)
    assert newest.details == {"version": "1.0.1", "from": "1.0.0", "message": "Better"}
    assert yard.audit(AuditFilter(skill_id=first.skill.id)) == [newest, oldest]


@pytest.mark.requirement("STO-10")
def test_a_change_and_its_event_are_kept_together(yard: Skillyard, store: Store) -> None:
    saved = save(yard)

    with store.view() as view:
        (event,) = view.outbox.list_pending()
    assert (event.topic, event.data["target"]) == ("skill.created", "skill:pdf")
    assert event.data["skill_id"] == saved.skill.id


def test_a_dry_run_says_what_would_be_and_keeps_nothing(yard: Skillyard, store: Store) -> None:
    wish = SaveSkill(package=make_package("pdf"))

    saved = yard.save(wish, dry_run=True)

    assert (saved.outcome, str(saved.version.version)) == (Outcome.CREATED, "1.0.0")
    assert yard.list().entries == ()
    assert count_rows(store) == (0, 0)


@pytest.mark.requirement("STO-8")
def test_the_second_of_two_who_started_from_one_version_is_told_who_was_first(
    store: Store,
) -> None:
    ada, bob = make_yard(store), make_yard(store, actor="bob")
    save(ada)
    save(bob, body="Bob's.\n", base=Version(1))

    with pytest.raises(StaleWriteError) as caught:
        save(ada, body="Ada's.\n", base=Version(1))

    assert caught.value.message == (
        "`pdf` was changed since 1.0.0: bob made it 1.0.1 at 2026-01-02T03:04:05+00:00"
    )
    assert "`skillyard diff pdf 1.0.0 1.0.1` shows the change; start from it" in caught.value.hints
    assert ada.package("pdf") == make_package("pdf", body="Bob's.\n")


@pytest.mark.requirement("STO-8")
def test_a_change_of_facts_is_no_conflict_for_one_who_changes_content(yard: Skillyard) -> None:
    save(yard)
    yard.change("pdf", FactChanges(category="ops"))

    saved = save(yard, body="Two.\n", base=Version(1))

    assert (str(saved.version.version), saved.skill.facts.category) == ("1.0.1", "ops")


@pytest.mark.requirement("STO-8")
def test_one_who_names_the_revision_is_held_to_it(yard: Skillyard) -> None:
    save(yard)
    yard.change("pdf", FactChanges(category="ops"))

    with pytest.raises(StaleWriteError):
        save(yard, body="Two.\n", expected=1)
    with pytest.raises(StaleWriteError):
        yard.change("pdf", FactChanges(category="coding"), expected=1)
    assert save(yard, body="Two.\n", expected=2).skill.revision == 3


def test_what_must_be_new_is_refused_where_it_is_known(yard: Skillyard) -> None:
    save(yard)

    with pytest.raises(SlugTakenError):
        save(yard, body="Two.\n", must_be_new=True)


def test_a_plugins_skill_is_changed_by_its_plugin_only(store: Store) -> None:
    plugin = make_yard(store)
    plugin.actor = Actor("acme", Door.PLUGIN)
    wish = SaveSkill(
        package=make_package("pdf"), kind=SourceKind.PLUGIN, owner="acme", plugin_id="acme"
    )
    plugin.save(wish)
    changed = replace(wish, package=make_package("pdf", body="Two.\n"))

    with pytest.raises(ReadOnlySkillError) as caught:
        make_yard(store).save(changed)

    assert caught.value.message == "`acme/pdf` is managed by the plugin `acme`"
    assert str(plugin.save(changed).version.version) == "1.0.1"
    assert make_yard(store).disable("acme/pdf").skill.facts.enabled is False


def test_people_and_a_plugin_may_have_a_skill_of_one_name(store: Store) -> None:
    yard = make_yard(store)
    yard.actor = Actor("acme", Door.PLUGIN)
    yard.save(SaveSkill(package=make_package("pdf"), kind=SourceKind.PLUGIN, owner="acme"))
    save(yard, body="Ours.\n")

    assert yard.get("pdf").skill.owner == "people"
    assert yard.get("acme/pdf").skill.owner == "acme"


def test_many_are_saved_together_and_a_refused_one_stops_no_other(yard: Skillyard) -> None:
    broken = SaveSkill(package=Package.of({"SKILL.md": "no front matter"}), location="broken")
    wishes = [
        SaveSkill(package=make_package("b"), location="b"),
        broken,
        SaveSkill(package=make_package("a"), location="a"),
    ]

    done = list(yard.save_all(iter(wishes)))

    assert [one.location for one in done] == ["b", "broken", "a"]
    assert [isinstance(one, RefusedSkill) for one in done] == [False, True, False]
    assert [one.slug for one in yard.list().entries] == ["a", "b"]


@pytest.mark.requirement("STO-3")
@pytest.mark.parametrize("between", [0, 250])
def test_of_two_different_skills_of_one_name_the_second_is_refused(
    yard: Skillyard, between: int
) -> None:
    def iter_wishes() -> Iterator[SaveSkill]:
        yield SaveSkill(package=make_package("a"), location="x/a")
        yield from (SaveSkill(package=make_package(f"s{number}")) for number in range(between))
        yield SaveSkill(package=make_package("a", body="Two.\n"), location="y/a")
        yield SaveSkill(package=make_package("a"), location="z/a")

    first, *_, second, copy = yard.save_all(iter_wishes())

    assert isinstance(first, SavedSkill)
    assert isinstance(second, RefusedSkill)
    assert isinstance(copy, SavedSkill)
    assert isinstance(second.error, DuplicateInputError)
    assert second.error.message == "there are two different skills called `a`: x/a and y/a"
    assert (first.outcome, copy.outcome) == (Outcome.CREATED, Outcome.UNCHANGED)
    assert [str(one.version) for one in yard.history("a").versions] == ["1.0.0"]


def test_many_are_saved_in_groups_and_each_group_is_kept_when_it_is_given_back(
    yard: Skillyard,
) -> None:
    wishes = (SaveSkill(package=make_package(f"s{number}")) for number in range(250))

    first = next(iter(yard.save_all(wishes)))

    assert isinstance(first, SavedSkill)
    assert len(yard.list().entries) == 200


def save_beside_one_who_has_written(
    store: Store, *, base: Version | None
) -> list[SavedSkill | SkillyardError]:
    """Let one writer write and wait; let fifteen come meanwhile; then let the first commit."""
    held = HoldingStore(store)
    arrived = [Event() for _ in range(15)]

    def write(number: int) -> SavedSkill | SkillyardError:
        yard = make_yard(store, actor=f"writer-{number}")
        arrived[number].set()
        try:
            return save(yard, body=f"By {number}.\n", base=base)
        except SkillyardError as error:
            return error

    with ThreadPoolExecutor(16) as pool:
        first = pool.submit(save, make_yard(held, actor="first"), body="By the first.\n", base=base)
        assert held.has_written.wait(LONG)
        others = [pool.submit(write, number) for number in range(15)]
        assert all(event.wait(LONG) for event in arrived)
        # A store that does not isolate lets some of them pass now.
        done, _ = wait(others, timeout=0.3, return_when=FIRST_COMPLETED)
        held.may_commit.set()
        assert not done
        return [first.result(LONG), *(one.result(LONG) for one in others)]


@pytest.mark.requirement("STO-8")
def test_of_sixteen_who_save_from_one_version_one_wins_and_all_others_learn_who(
    store: Store,
) -> None:
    save(make_yard(store))

    winner, *losers = save_beside_one_who_has_written(store, base=Version(1))

    assert isinstance(winner, SavedSkill)
    assert {type(one) for one in losers} == {StaleWriteError}
    assert {(one.by, one.version) for one in losers if isinstance(one, StaleWriteError)} == {
        ("first", "1.0.1")
    }
    assert [str(one.version) for one in make_yard(store).history("pdf").versions] == [
        "1.0.0",
        "1.0.1",
    ]


@pytest.mark.requirement("STO-3", "STO-8")
@pytest.mark.parametrize("is_new", [True, False])
def test_of_sixteen_who_save_without_a_base_none_is_lost_and_no_number_is_given_twice(
    store: Store, *, is_new: bool
) -> None:
    if not is_new:
        save(make_yard(store))

    done = save_beside_one_who_has_written(store, base=None)

    saved = [one for one in done if isinstance(one, SavedSkill)]
    versions = [one for one in make_yard(store).history("pdf").versions if one.created_by != "ada"]
    assert len(saved) == 16
    assert {one.version for one in saved} == set(versions)
    assert len({one.version for one in versions}) == len({one.digest for one in versions}) == 16
