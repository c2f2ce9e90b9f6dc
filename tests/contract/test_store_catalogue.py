"""What a store promises about the list of skills."""

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.catalogue import EVERYTHING, SkillFilter
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Team
from skillyard.domain.skill import Skill, SkillStatus, SourceKind
from skillyard.domain.version import Version
from tests.contract.making import (
    LATER,
    OTHER_PDF,
    PDF,
    fill,
    make_assignment,
    make_skill,
    next_revision,
    to_catalogue_entry,
    with_facts,
)


def described(slug: str, *, name: str = "-", text: str = "-") -> Skill:
    return with_facts(make_skill(slug), display_name=name, description=text)


def find_slugs(store: Store, wanted: SkillFilter) -> list[str]:
    """Give the slugs that are found, after seeing that as many are counted."""
    with store.view() as view:
        found = [one.slug for one in view.skills.list_entries(wanted)]
        assert view.skills.count(wanted) == len(found)
    return found


@pytest.mark.requirement("STO-2")
def test_an_entry_says_what_a_list_shows(store: Store) -> None:
    full = with_facts(
        make_skill(
            "pdf",
            owner="acme",
            source_kind=SourceKind.PLUGIN,
            current=Version.parse("2.1.0-rc.1"),
            digest=OTHER_PDF.digest(),
            updated_at=LATER,
        ),
        display_name="PDF-Formulare für alle",
        category="writing",
        status=SkillStatus.DRAFT,
        enabled=False,
        deprecated="",
        confidence=Confidence.LOW,
        tags=("z", "a"),
    )
    fill(store, make_skill(), full)
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        for subject in (GLOBAL, Subject(SubjectKind.TEAM, "red")):
            transaction.assignments.put(make_assignment(full, subject))
        transaction.commit()

    with store.view() as view:
        assert view.skills.list_entries(EVERYTHING) == [
            to_catalogue_entry(full, OTHER_PDF, assignments=2),
            to_catalogue_entry(make_skill(), PDF),
        ]


def test_an_entry_follows_its_skill(store: Store) -> None:
    fill(store, make_skill())
    changed = next_revision(make_skill(), display_name="New", tags=("new",))
    with store.begin() as transaction:
        transaction.skills.replace(changed)
        transaction.commit()

    with store.view() as view:
        assert view.skills.list_entries(EVERYTHING) == [to_catalogue_entry(changed, PDF)]
    assert find_slugs(store, SkillFilter(tags=("new",))) == ["pdf"]
    assert find_slugs(store, SkillFilter(text="new")) == ["pdf"]


def test_skills_stand_in_the_order_of_slug_and_owner_by_code_points(store: Store) -> None:
    places = [
        ("10", "people"),
        ("2", "people"),
        ("a", "people"),
        ("a-b", "Zeta"),
        ("a-b", "people"),
        ("a-b", "~"),
        ("a-b", "étude"),
        ("a-b", "\U0001f4c4"),
        ("a-c", "people"),
        ("a1", "people"),
        ("ab", "people"),
    ]
    fill(store, *(make_skill(slug, owner=owner) for slug, owner in reversed(places)))

    with store.view() as view:
        assert [one.place for one in view.skills.list_entries(EVERYTHING)] == places


def test_pages_follow_each_other_without_a_gap_or_a_repetition(store: Store) -> None:
    places = [(slug, owner) for slug in ("a", "a-b", "b") for owner in ("Acme", "people", "ätna")]
    fill(store, *(make_skill(slug, owner=owner) for slug, owner in places))

    with store.view() as view:
        found: list[tuple[str, str]] = []
        while page := view.skills.list_entries(
            EVERYTHING, after=found[-1] if found else None, most=2
        ):
            assert len(page) <= 2
            found += [one.place for one in page]
    assert found == places


def test_a_page_may_start_behind_a_place_that_is_empty_now(store: Store) -> None:
    fill(store, make_skill("a"), make_skill("c"))

    with store.view() as view:
        assert [one.slug for one in view.skills.list_entries(EVERYTHING, after=("b", "x"))] == ["c"]
        assert view.skills.list_entries(EVERYTHING, after=("c", "people")) == []


def test_the_filter_applies_before_the_page_is_cut(store: Store) -> None:
    skills = [with_facts(make_skill(slug), enabled=slug in "bd") for slug in "abcd"]
    fill(store, *skills)

    with store.view() as view:
        wanted = SkillFilter(enabled=True)
        assert [one.slug for one in view.skills.list_entries(wanted, most=1)] == ["b"]
        behind = view.skills.list_entries(wanted, after=("b", "people"), most=1)
        assert [one.slug for one in behind] == ["d"]
        assert view.skills.count(wanted) == 2


def test_an_empty_store_lists_and_counts_nothing(store: Store) -> None:
    assert find_slugs(store, EVERYTHING) == []


def test_each_wish_restricts_and_wishes_add_up(store: Store) -> None:
    expected: dict[SkillFilter, list[str]] = {
        SkillFilter(): ["draft", "off", "plain", "special"],
        EVERYTHING: ["draft", "gone", "off", "plain", "special"],
        SkillFilter(status=SkillStatus.ARCHIVED): ["gone"],
        SkillFilter(status=SkillStatus.DRAFT): ["draft"],
        SkillFilter(status=SkillStatus.ACTIVE): ["off", "plain", "special"],
        SkillFilter(status=SkillStatus.ACTIVE, archived=True): ["off", "plain", "special"],
        SkillFilter(owner="people"): ["draft", "off", "plain"],
        SkillFilter(owner="acme"): ["special"],
        SkillFilter(owner="ACME"): [],
        SkillFilter(category="ops"): ["special"],
        SkillFilter(category="general"): ["draft", "off", "plain"],
        SkillFilter(source_kind=SourceKind.PLUGIN): ["special"],
        SkillFilter(source_kind=SourceKind.EARNED): [],
        SkillFilter(enabled=False): ["off"],
        SkillFilter(enabled=True): ["draft", "plain", "special"],
        SkillFilter(confidence=Confidence.HIGH): ["special"],
        SkillFilter(confidence=Confidence.MEDIUM, enabled=True): ["draft", "plain"],
        SkillFilter(owner="acme", category="general"): [],
    }
    fill(
        store,
        make_skill("plain"),
        with_facts(make_skill("off"), enabled=False),
        with_facts(make_skill("draft"), status=SkillStatus.DRAFT),
        with_facts(make_skill("gone", owner="old"), status=SkillStatus.ARCHIVED),
        with_facts(
            make_skill("special", owner="acme", source_kind=SourceKind.PLUGIN),
            category="ops",
            confidence=Confidence.HIGH,
        ),
    )

    assert {one: find_slugs(store, one) for one in expected} == expected


def test_every_tag_must_be_there_whole(store: Store) -> None:
    expected: dict[tuple[str, ...], list[str]] = {
        (): ["both", "long", "none", "one"],
        ("a",): ["both", "one"],
        ("b", "a"): ["both"],
        ("a", "a"): ["both", "one"],
        ("aa",): ["long"],
        ("A",): [],
        ("a", "missing"): [],
        ("%",): [],
        ("_",): [],
        ('a","b',): [],
    }
    fill(
        store,
        with_facts(make_skill("one"), tags=("a",)),
        with_facts(make_skill("both"), tags=("a", "b")),
        with_facts(make_skill("long"), tags=("aa", "a-b")),
        make_skill("none"),
    )

    assert {one: find_slugs(store, SkillFilter(tags=one)) for one in expected} == expected


def test_text_is_looked_for_in_slug_name_and_description(store: Store) -> None:
    expected: dict[str, list[str]] = {
        "": ["described", "named", "slugged-pdf"],
        "pdf": ["described", "named", "slugged-pdf"],
        "PDF": ["described", "named", "slugged-pdf"],
        "slugged-p": ["slugged-pdf"],
        "pdf forms": ["named"],
        "forms fill": [],
        "fill in pdf": ["described"],
        "absent": [],
    }
    fill(
        store,
        described("slugged-pdf"),
        described("named", name="PDF Forms", text="Fill"),
        described("described", text="Can fill in Pdf files"),
    )

    assert {one: find_slugs(store, SkillFilter(text=one)) for one in expected} == expected


def test_text_is_taken_as_it_is_written(store: Store) -> None:
    expected: dict[str, list[str]] = {
        "%": ["percent"],
        "100%": ["percent"],
        "1%0": [],
        "_": ["underscore"],
        "A_B": ["underscore"],
        "a\\b": ["backslash"],
        "\\": ["backslash"],
        "*": ["star"],
        "?": [],
        "it's": ["quote"],
        '"': ["quote"],
        "[": ["bracket"],
    }
    fill(
        store,
        described("percent", text="100% sure"),
        described("underscore", text="a_b"),
        described("neither", text="axb 1000"),
        described("backslash", text="a\\b"),
        described("star", name="2*3"),
        described("quote", name='it\'s "so"'),
        described("bracket", name="[x]"),
    )

    assert {one: find_slugs(store, SkillFilter(text=one)) for one in expected} == expected


def test_the_case_of_letters_does_not_matter_in_any_script(store: Store) -> None:
    expected: dict[str, list[str]] = {
        "über": ["german"],
        "ÜBER": ["german"],
        "ФОРМЫ": ["russian"],
        "формы": ["russian"],
        "ΛΌΓΟ": ["greek"],
        "値": ["japanese"],
        "uber": [],
    }
    fill(
        store,
        described("german", text="Fragt die Überschrift ab"),
        described("russian", name="Формы"),
        described("greek", text="λόγος"),
        described("japanese", name="値の表"),
    )

    assert {one: find_slugs(store, SkillFilter(text=one)) for one in expected} == expected
