"""Finding skills: the same order and scores on every store, in whatever order they were saved."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from skillyard.adapters.search.index import LocalIndex
from skillyard.adapters.search.patterns import open_fitting
from skillyard.application.ports.search import RankSkills, SearchableSkill
from skillyard.application.ports.store import Store
from skillyard.application.save import SaveSkill
from skillyard.application.search import SearchedSkills, match_skills, search_skills
from skillyard.application.search_resolved import search_resolved
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.errors import MissingPathError
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Triggers
from skillyard.domain.package import Package
from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Layer,
    Offered,
    Resolution,
    Rule,
)
from skillyard.domain.skill import SkillStatus
from skillyard.domain.version import Version
from skillyard.ranking import SkillText
from skillyard.ranking.meaning import Meanings
from skillyard.ranking.triggers import to_cues
from skillyard.testing.clock import FixedClock
from skillyard.testing.memory import MemoryStore
from skillyard.yard import Skillyard
from tests.contract.conftest import Spoil
from tests.contract.use_cases.yards import make_yard

pytestmark = pytest.mark.requirement("DIS-7")

SKILLS = {
    "pdf": "description: Fills in forms. Use when asked about PDF files.\ntags: [office]\n",
    "deploy": (
        "description: Ships a service to production.\n"
        "triggers:\n  keywords: [go live, blue-green]\n  verbs: [ship]\n"
    ),
    "review": (
        "description: Reviews pull requests and finds bugs.\n"
        'triggers:\n  patterns: ["\\\\bLGTM\\\\b", "(?=broken)", "(("]\n'
    ),
    "zebra": "description: Counts animals in pictures.\n",
    "zoo": "description: Counts animals in pictures.\n",
}
BODIES = {"zebra": "# Stripes\n\nLook for a xylophone.\n"}


def keep(yard: Skillyard, slug: str, front: str, body: str = "# Steps\n\nDo it.\n") -> None:
    text = f"---\nname: {slug}\n{front}---\n\n{body}"
    yard.save(SaveSkill(package=Package.of({"SKILL.md": text}), directory=slug))


def fill(store: Store, order: Sequence[str] = tuple(SKILLS)) -> Skillyard:
    yard = make_yard(store)
    for slug in order:
        keep(yard, slug, SKILLS[slug], BODIES.get(slug, "# Steps\n\nDo it.\n"))
    return yard


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "search" / "index.db"


@pytest.fixture
def index(path: Path) -> Iterator[LocalIndex]:
    index = LocalIndex(path, program="1", fitting=open_fitting())
    yield index
    index.close()


def slugs(searched: SearchedSkills) -> list[str]:
    return [one.entry.slug for one in searched.found]


def test_the_order_and_the_scores_are_the_same_on_every_store(
    store: Store, index: LocalIndex
) -> None:
    fill(store)

    searched = search_skills("count the animals in a pull request", store=store, index=index)

    assert [(one.entry.slug, one.score, one.words) for one in searched.found] == [
        ("review", 42235200, ("pull", "request")),
        ("zebra", 41359400, ("count", "animals")),
        ("zoo", 41359400, ("count", "animals")),
    ]


def test_the_order_of_saving_changes_nothing(store: Store, index: LocalIndex) -> None:
    first, second = MemoryStore(), store
    fill(first, sorted(SKILLS))
    fill(second, sorted(SKILLS, reverse=True))
    beside = LocalIndex(None, program="1")

    for text in ("animals", "office forms", "ship it to production", "xylophone pulls"):
        one = match_skills(text, store=first, index=beside)
        other = match_skills(text, store=second, index=index)
        assert [(f.entry.slug, f.score, f.words, f.triggers) for f in one.found] == [
            (f.entry.slug, f.score, f.words, f.triggers) for f in other.found
        ]
        assert one.found


@pytest.mark.parametrize("seconds", [0, 60, -3600], ids=["same-moment", "later", "late-clock"])
def test_an_index_that_was_caught_up_is_like_a_new_one(
    store: Store, index: LocalIndex, seconds: int
) -> None:
    yard = fill(store)
    search_skills("animals", store=store, index=index)
    assert isinstance(yard.clock, FixedClock)
    yard.clock.advance(seconds)
    keep(yard, "zoo", "description: Feeds animals.\n")
    yard.delete("zebra")
    keep(yard, "aviary", "description: Counts birds and animals.\n")
    yard.change("pdf", FactChanges(tags=("animals",)))

    caught_up = search_skills("animals birds", store=store, index=index)

    assert caught_up == search_skills(
        "animals birds", store=store, index=LocalIndex(None, program="1")
    )
    assert slugs(caught_up) == ["aviary", "zoo", "pdf"]


def test_only_what_has_changed_is_read_again(store: Store, path: Path) -> None:
    read: list[str] = []

    def counting(ids: Iterable[str]) -> Iterator[str]:
        for one in ids:
            read.append(one)
            yield one

    index = LocalIndex(path, program="1", counting=counting)
    yard = fill(store)
    search_skills("animals", store=store, index=index)
    search_skills("animals", store=store, index=index)
    assert len(read) == len(SKILLS)

    keep(yard, "zoo", "description: Feeds animals.\n")
    search_skills("animals", store=store, index=index)
    index.close()
    again = LocalIndex(path, program="1", counting=counting)
    search_skills("animals", store=store, index=again)
    again.close()

    assert len(read) == len(SKILLS) + 1
    assert read[-1] == yard.get("zoo").skill.id


def test_words_of_the_instructions_and_slips_are_found(store: Store, index: LocalIndex) -> None:
    fill(store)

    assert slugs(search_skills("xylophones", store=store, index=index)) == ["zebra"]
    assert slugs(search_skills("xylphone", store=store, index=index)) == ["zebra"]
    assert slugs(search_skills("rollout", store=store, index=index)) == ["deploy"]


def test_archived_skills_are_not_found_and_disabled_ones_fit_no_task(
    store: Store, index: LocalIndex
) -> None:
    yard = fill(store)
    yard.change("zebra", FactChanges(status=SkillStatus.ARCHIVED))
    yard.change("zoo", FactChanges(enabled=False))

    assert slugs(search_skills("animals", store=store, index=index)) == ["zoo"]
    assert slugs(match_skills("animals", store=store, index=index)) == []
    everything = SkillFilter(archived=True)
    found = search_skills("animals", store=store, index=index, wanted=everything, most=1)
    assert slugs(found) == ["zebra"]


def test_many_who_are_not_wanted_do_not_hide_one_who_is(store: Store, index: LocalIndex) -> None:
    yard = make_yard(store)
    for number in range(30):
        keep(yard, f"animal-{number}", "description: Counts animals.\n")
        yard.change(f"animal-{number}", FactChanges(status=SkillStatus.ARCHIVED))
    keep(yard, "zoo", "description: Feeds all sorts of large and small animals every day.\n")

    assert slugs(search_skills("animals", store=store, index=index, most=1)) == ["zoo"]


def test_a_search_can_be_restricted_to_some_skills(store: Store, index: LocalIndex) -> None:
    yard = fill(store)
    zoo, pdf = (yard.get(slug).skill.id for slug in ("zoo", "pdf"))

    among = search_skills("animals", store=store, index=index, among=[zoo, pdf, "nobody"])

    assert slugs(among) == ["zoo"]
    assert slugs(search_skills("animals", store=store, index=index, among=[])) == []


@pytest.mark.parametrize("text", ["", "the of", "?", "\0", "\ud800", "nosuchword", "a" * 100_000])
def test_what_says_nothing_finds_nothing(text: str, store: Store, index: LocalIndex) -> None:
    fill(store)

    assert search_skills(text, store=store, index=index) == SearchedSkills(found=())
    assert match_skills(text, store=store, index=index) == SearchedSkills(found=())


def test_an_empty_store_has_nothing(store: Store, index: LocalIndex) -> None:
    assert slugs(search_skills("animals", store=store, index=index)) == []
    assert slugs(search_skills("animals", store=store, index=index, most=0)) == []


def test_keywords_verbs_and_patterns_call_for_a_skill(store: Store, index: LocalIndex) -> None:
    fill(store)

    [live] = match_skills("When do we go live?", store=store, index=index).found
    [shipped] = match_skills("shipped", store=store, index=index).found
    [found] = search_skills("shipped", store=store, index=index).found
    [approved] = match_skills("He wrote lgtm below", store=store, index=index).found

    assert (live.entry.slug, live.triggers) == ("deploy", ("go live",))
    assert (shipped.entry.slug, shipped.triggers) == ("deploy", ("ship",))
    assert (approved.entry.slug, approved.triggers) == ("review", ("\\bLGTM\\b",))
    assert shipped.score > found.score > 0
    assert search_skills("lgtm", store=store, index=index).found == ()


def test_a_hostile_pattern_and_a_hostile_task_take_no_time(store: Store, index: LocalIndex) -> None:
    yard = make_yard(store)
    keep(yard, "slow", 'description: Slow.\ntriggers:\n  patterns: ["(a+)+$", "(a|a)*b"]\n')

    assert match_skills("a" * 20_000 + "!", store=store, index=index).untried == 0


def test_without_what_tries_patterns_they_are_counted(store: Store, path: Path) -> None:
    index = LocalIndex(path, program="1", fitting=None)
    fill(store)

    assert match_skills("LGTM", store=store, index=index) == SearchedSkills(found=(), untried=3)
    assert search_skills("LGTM", store=store, index=index).untried == 0


def test_a_skill_whose_content_is_damaged_is_found_by_what_is_known(
    store: Store, index: LocalIndex, spoil: Spoil
) -> None:
    yard = fill(store)
    [file] = yard.get("zebra").listing.files
    spoil(file.sha256, b"damaged")

    assert slugs(search_skills("zebra", store=store, index=index)) == ["zebra"]
    assert slugs(search_skills("xylophone", store=store, index=index)) == []


@pytest.fixture
def filled() -> Store:
    """Give a store in memory: what follows is about the file, whatever the store."""
    store = MemoryStore()
    fill(store)
    return store


def search_anew(path: Path, store: Store, program: str = "1") -> list[str]:
    index = LocalIndex(path, program=program)
    try:
        return slugs(search_skills("animals", store=store, index=index))
    finally:
        index.close()


def read_version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_an_index_that_is_no_index_is_made_again(damage: bytes, path: Path, filled: Store) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)

    assert search_anew(path, filled) == ["zebra", "zoo"]
    assert path.read_bytes().startswith(b"SQLite format 3\0")
    assert search_anew(path, filled) == ["zebra", "zoo"]


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE holders",
        "UPDATE skills SET terms = x'00'",
        "UPDATE holders SET numbers = x'01'",
        "UPDATE holders SET numbers = x'ffffffff' WHERE term = 'animal'",
        "DELETE FROM skills",
        "PRAGMA user_version = 7",
    ],
)
def test_an_index_with_a_wrong_table_is_made_again(damage: str, path: Path, filled: Store) -> None:
    search_anew(path, filled)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(damage)

    found = search_anew(path, filled)

    assert found == ["zebra", "zoo"]


def test_another_version_of_the_program_weighs_again(path: Path, filled: Store) -> None:
    search_anew(path, filled, program="1")
    before = read_version(path)

    assert search_anew(path, filled, program="2") == ["zebra", "zoo"]
    assert read_version(path) != before


def test_a_damaged_index_that_another_uses_is_left_to_it(path: Path, filled: Store) -> None:
    other = LocalIndex(path, program="1")
    search_skills("animals", store=filled, index=other)
    before = read_version(path)

    assert search_anew(path, filled, program="2") == ["zebra", "zoo"]
    assert read_version(path) == before
    assert slugs(search_skills("animals", store=filled, index=other)) == ["zebra", "zoo"]
    other.close()


def test_where_no_file_can_be_kept_skills_are_found_all_the_same(
    tmp_path: Path, filled: Store
) -> None:
    (tmp_path / "file").write_text("in the way")

    assert search_anew(tmp_path / "file" / "index.db", filled) == ["zebra", "zoo"]


def test_two_who_build_at_once_find_the_same(path: Path, filled: Store) -> None:
    """The first is held in the middle of building; the second waits for it and reads nothing."""
    is_building, may_go_on = threading.Event(), threading.Event()
    read: list[str] = []

    def wait(ids: Iterable[str]) -> Iterator[str]:
        for one in ids:
            is_building.set()
            assert may_go_on.wait(30)
            yield one

    def count(ids: Iterable[str]) -> Iterator[str]:
        for one in ids:
            read.append(one)
            yield one

    found: dict[str, list[str]] = {}

    def run(name: str, index: LocalIndex) -> None:
        found[name] = slugs(search_skills("animals", store=filled, index=index))
        index.close()

    first = threading.Thread(target=run, args=("a", LocalIndex(path, program="1", counting=wait)))
    second = threading.Thread(target=run, args=("b", LocalIndex(path, program="1", counting=count)))
    first.start()
    assert is_building.wait(30)
    second.start()
    may_go_on.set()
    first.join(30)
    second.join(30)

    assert found == {"a": ["zebra", "zoo"], "b": ["zebra", "zoo"]}
    assert read == []


def test_many_changes_leave_no_gaps_for_long(path: Path, filled: Store) -> None:
    index = LocalIndex(path, program="1")
    search_skills("animals", store=filled, index=index)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE skills SET number = 1000000 WHERE number = 1")
    keep(make_yard(filled), "zoo", "description: Feeds animals.\n")

    assert slugs(search_skills("animals", store=filled, index=index)) == ["zoo", "zebra"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT max(number) FROM skills").fetchone() == (5,)
    index.close()


def test_a_ranking_asks_for_no_more_than_it_was_asked(filled: Store) -> None:
    index = LocalIndex(None, program="1")
    with filled.view() as view:
        ranking = index.rank(RankSkills(text="animals", most=1), view=view)

    assert [one.words for one in ranking.skills] == [("animals",)]


MEANINGS = Meanings(b"2\ncritter animal pull\n" + bytes((250, 128, 250, 130, 128, 250)))


def test_a_skill_that_is_about_the_same_comes_before_one_that_has_the_same_words(
    store: Store, path: Path
) -> None:
    yard = fill(store)
    keep(yard, "aged", "description: Counts old pictures of critters in a pull.\n")
    asked = "pictures of critters"
    with closing(LocalIndex(None, program="1")) as plain:
        by_words = search_skills(asked, store=store, index=plain)
    with closing(LocalIndex(path, program="1", meanings=MEANINGS)) as knowing:
        by_meaning = search_skills(asked, store=store, index=knowing)

    assert slugs(by_words) == slugs(by_meaning) == ["aged", "zebra", "zoo"]
    gained = [
        after.score - before.score
        for before, after in zip(by_words.found, by_meaning.found, strict=True)
    ]
    assert gained[0] < gained[1] == gained[2]


def test_skills_that_are_handed_over_are_ranked_by_themselves(
    store: Store, index: LocalIndex
) -> None:
    fill(store)
    skill = SearchableSkill(
        id="elsewhere",
        revision=1,
        place=("kite", ""),
        text=SkillText(name="kite", description="Flies kites on the beach."),
        cues=to_cues(Triggers(keywords=("strong wind",))),
    )

    def rank(text: str) -> list[tuple[str, ...]]:
        wish = RankSkills(text=text, triggered=True)
        ranking = index.rank_these(wish, [skill])
        return [(one.skill_id, *one.words, *one.triggers) for one in ranking.skills]

    assert rank("fly a kite in a strong wind") == [("elsewhere", "fly", "kite", "strong wind")]
    assert rank("pdf") == []
    assert slugs(search_skills("kite", store=store, index=index)) == []


def test_a_skill_that_cannot_be_read_any_more_is_found_by_what_is_known(index: LocalIndex) -> None:
    def read(candidate: Candidate) -> Package:
        raise MissingPathError(candidate.location)

    candidate = Candidate(
        slug="kite",
        layer=Layer.PROJECT,
        ref="/skills/kite",
        offered=Offered(Version(1)),
        description="Flies kites on the beach.",
    )
    decision = Decision(
        candidate=candidate,
        disposition=Disposition.LOADED,
        rule=Rule.OPEN,
        reason="",
        offered=candidate.offered,
    )
    cut = replace(decision, candidate=replace(candidate, ref="x"), disposition=Disposition.CUT)
    resolution = Resolution(decisions=(decision, cut))

    def search(among: set[str] | None = None) -> list[Decision]:
        searched = search_resolved(
            RankSkills(text="kites", among=among),
            resolution,
            store=MemoryStore(),
            index=index,
            read_package=read,
        )
        return [one.decision for one in searched.found]

    assert search() == [decision]
    assert search({"/skills/kite"}) == [decision]
    assert search({"elsewhere"}) == []
