"""What is searched for."""

from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.ranking import Concept, mend, parse_query
from skillyard.ranking.query import QUERY_CHARACTERS, respell
from skillyard.ranking.synonyms import GROUPS
from skillyard.ranking.words import stem

pytestmark = pytest.mark.requirement("DIS-7")


class Vocabulary:
    """Terms with how many skills hold each; counts how often it is asked."""

    def __init__(self, **terms: int) -> None:
        self.terms = terms
        self.asked = 0

    def __call__(self, terms: Iterable[str]) -> Mapping[str, int]:
        self.asked += 1
        return {one: self.terms[one] for one in terms if one in self.terms}


def list_terms(text: str) -> dict[str, int]:
    return dict(one.alternatives[0] for one in parse_query(text))


def test_a_query_is_its_words_without_inflection_and_neighbours_joined() -> None:
    assert list_terms("Reading zebra crossings") == {
        "read": 100,
        "zebra": 100,
        "cross": 100,
        "readingzebra": 45,
        "zebracross": 45,
    }


def test_a_word_that_any_description_may_hold_counts_half() -> None:
    assert list_terms("help zebra") == {"help": 50, "zebra": 100, "helpzebra": 45}


def test_a_word_counts_once_and_remembers_how_it_was_written() -> None:
    assert [one.word for one in parse_query("Zebras and ZEBRA.")] == ["zebras"]


@pytest.mark.parametrize("text", ["", "   ", "the of and", "?!", "\0", "\ud800"])
def test_a_query_without_a_telling_word_has_no_concepts(text: str) -> None:
    assert parse_query(text) == ()


def test_what_lies_behind_the_limit_is_not_read() -> None:
    text = " " * QUERY_CHARACTERS + "zebra"

    assert parse_query(text) == ()
    assert parse_query(text[1:]) == parse_query("z")
    assert parse_query(text[5:]) == parse_query("zebra")


def test_a_synonym_stands_for_a_word_at_less() -> None:
    alternatives = dict(parse_query("k8s")[0].alternatives)

    assert alternatives["k8s"] == 100
    assert alternatives["kubernet"] == 60


def test_synonyms_are_mutual() -> None:
    words = {word for line in GROUPS.split("\n") for word in line.split()}
    concepts = {stem(word): parse_query(word)[0] for word in sorted(words) if parse_query(word)}

    for term, concept in concepts.items():
        for other, _ in concept.alternatives[1:]:
            back = concepts.get(other)
            assert back is None or term in dict(back.alternatives)


@pytest.mark.parametrize("slip", ["zebrra", "zebr", "zerba", "zebta", "zzebra"])
def test_a_word_that_no_skill_holds_is_respelt(slip: str) -> None:
    assert respell(slip, Vocabulary(zebra=3)) == ("zebra" if len(slip) >= 5 else None)


def test_of_several_words_near_the_most_frequent_is_meant_and_then_the_first() -> None:
    assert respell("zebro", Vocabulary(zebra=3, zebru=5)) == "zebru"
    assert respell("zebro", Vocabulary(zebra=3, zebru=3)) == "zebra"


@pytest.mark.parametrize("word", ["zebr", "größe", "web33", "z" * 25])
def test_short_long_and_foreign_words_are_left_alone(word: str) -> None:
    known = Vocabulary(zebra=1)

    assert respell(word, known) is None
    assert known.asked == 0


def test_only_unknown_words_are_mended_and_they_count_less() -> None:
    concepts = parse_query("kubernetse zebra")

    mended = mend(concepts, Vocabulary(zebra=1, kubernet=2))

    assert mended[1:] == concepts[1:]
    assert mended[0].word == "kubernetse"
    assert mended[0].alternatives[0] == ("kubernet", 80)


def test_a_mended_word_brings_its_synonyms() -> None:
    mended = mend(parse_query("kubernetts"), Vocabulary(kubernet=2))

    assert dict(mended[0].alternatives)["k8s"] == 48


def test_of_very_many_unknown_words_the_first_are_tried() -> None:
    text = " ".join(
        "bcdfghjk"[at % 8] * 3 + "aeiou"[at % 5] * 4 + "xyzw"[at % 4] for at in range(40)
    )
    known = Vocabulary()

    mend(parse_query(text), known)

    assert known.asked <= 9


@given(st.text(max_size=500))
def test_every_text_is_a_query(text: str) -> None:
    concepts = parse_query(text)

    assert mend(concepts, Vocabulary(zebra=1)) is not None
    terms = [one.alternatives[0][0] for one in concepts]
    assert len(set(terms)) == len(terms)
    assert all(0 < factor <= 100 for one in concepts for _, factor in one.alternatives)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("text", ["z" * 100_000, "z-" * 50_000, "zab " * 30_000, "Zz" * 50_000])
def test_a_hostile_query_is_parsed_and_mended_soon(text: str) -> None:
    assert isinstance(mend(parse_query(text), Vocabulary())[0], Concept)
