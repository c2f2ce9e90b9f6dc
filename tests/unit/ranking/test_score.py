"""The score of a skill."""

from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.ranking import Holders, SkillText, parse_query, score, take_best, weigh
from skillyard.ranking.score import QUERY_CONCEPTS, rarity

pytestmark = pytest.mark.requirement("DIS-7")

SKILLS = {
    1: SkillText(name="pdf-forms", description="Fills in forms. Use when asked about PDF files."),
    2: SkillText(name="deploy", description="Ships a service to production."),
    3: SkillText(name="kite", description="Flies kites on the beach.", body="Mind the pdf."),
    4: SkillText(name="review", description="Reviews pull requests and finds bugs."),
}


class Index:
    """Who holds a term, in memory."""

    def __init__(self, skills: Mapping[int, SkillText], order: Sequence[int]) -> None:
        self.held: dict[str, tuple[list[int], list[int]]] = {}
        for number in order:
            for term, weight in weigh(skills[number]).items():
                numbers, weights = self.held.setdefault(term, ([], []))
                numbers.append(number)
                weights.append(weight)

    def __call__(self, terms: Iterable[str]) -> Mapping[str, Holders]:
        return {one: self.held[one] for one in terms if one in self.held}


def rank(text: str, order: Sequence[int] = (1, 2, 3, 4)) -> dict[int, int]:
    return score(parse_query(text), Index(SKILLS, order), skills=len(SKILLS))


def spell(numbers: Iterable[int]) -> Mapping[int, str]:
    return {number: str(number) for number in numbers}


def test_a_name_counts_for_more_than_a_body() -> None:
    scores = rank("pdf")

    assert scores[1] > scores[3] > 0
    assert set(scores) == {1, 3}


def test_a_word_of_a_body_is_found_where_there_are_few_skills() -> None:
    assert set(rank("mind")) == {3}


def test_a_synonym_counts_for_less_than_the_word() -> None:
    assert 0 < rank("release")[2] < rank("deploy")[2]


def test_a_word_that_no_skill_holds_gives_nothing() -> None:
    assert rank("xylophone") == {}
    assert rank("") == {}


def test_a_rare_word_tells_more() -> None:
    assert [rarity(holders, 1000) for holders in (1, 10, 100, 1000)] == [3708, 2891, 1791, 5]


@given(st.permutations((1, 2, 3, 4)), st.permutations(("pdf", "forms", "kite", "review", "ship")))
def test_neither_the_order_of_skills_nor_that_of_words_changes_a_score(
    order: Sequence[int], words: Sequence[str]
) -> None:
    # Joined neighbours depend on the order of words by design: commas do not keep them apart.
    concepts = [one for one in parse_query(" ".join(words)) if one.word]
    plain = [one for one in parse_query("pdf forms kite review ship") if one.word]

    scores = score(concepts, Index(SKILLS, order), skills=len(SKILLS))

    assert scores == score(plain, Index(SKILLS, (1, 2, 3, 4)), skills=len(SKILLS))


def test_saving_another_skill_changes_no_weight() -> None:
    alone, together = Index(SKILLS, (1,)), Index(SKILLS, (4, 3, 2, 1))

    for term, (numbers, weights) in alone.held.items():
        beside, others = together.held[term]
        assert others[beside.index(numbers[0])] == weights[0]


def test_of_very_many_concepts_the_rarest_count() -> None:
    words = [f"word{number}" for number in range(QUERY_CONCEPTS)]
    common = SkillText(name="common", description="Common.")
    skills = dict.fromkeys(range(50), common) | {
        50 + at: SkillText(name=word, description="Rare.") for at, word in enumerate(words)
    }
    concepts = [one for one in parse_query(" ".join(["common", *words])) if one.word]

    scores = score(concepts, Index(skills, sorted(skills)), skills=len(skills))

    assert set(range(50)).isdisjoint(scores)


def test_equal_scores_are_in_the_order_of_keys() -> None:
    keys = {1: "c", 2: "a", 3: "b", 4: "d"}

    assert take_best({1: 5, 2: 5, 3: 5, 4: 9}, 3, lambda _: keys) == [(4, 9), (2, 5), (3, 5)]
    assert take_best({1: 5, 2: 5, 3: 5, 4: 9}, 9, lambda _: keys)[-1] == (1, 5)


@pytest.mark.parametrize("most", [0, -1])
def test_who_wants_nothing_gets_nothing(most: int) -> None:
    assert take_best({1: 5}, most, spell) == []
    assert take_best({}, 5, spell) == []


@given(st.dictionaries(st.integers(0, 50), st.integers(0, 3)), st.integers(0, 60))
def test_the_best_are_the_beginning_of_all_in_order(scores: dict[int, int], most: int) -> None:
    ordered = sorted(scores.items(), key=lambda one: (-one[1], str(one[0])))

    assert take_best(scores, most, spell) == ordered[:most]


@given(
    st.dictionaries(
        st.sampled_from(["pdf", "form", "kite", "review", "ship", "plane", "river", "stone"]),
        st.dictionaries(st.integers(1, 60), st.integers(1, 255), min_size=1),
        min_size=1,
    ),
    st.dictionaries(st.integers(1, 70), st.integers(1, 2_000_000)),
    st.integers(1, 40),
)
def test_the_best_are_the_same_whether_the_others_are_counted_or_not(
    held: dict[str, dict[int, int]], given_points: dict[int, int], most: int
) -> None:
    sorted_holders = {
        term: ([*dict(sorted(one.items()))], [*dict(sorted(one.items())).values()])
        for term, one in held.items()
    }

    def postings(terms: Iterable[str]) -> Mapping[str, Holders]:
        return {term: sorted_holders[term] for term in terms if term in sorted_holders}

    concepts = parse_query("pdf forms kites reviews ships planes rivers stones")
    every = score(concepts, postings, skills=100, given=given_points)
    some = score(concepts, postings, skills=100, most=most, given=given_points)

    assert take_best(some, most, spell) == take_best(every, most, spell)
    assert some.items() <= every.items()
