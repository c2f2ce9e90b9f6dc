"""Texts as words, and words as terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.ranking.words import LONGEST, count_terms, iter_terms, iter_words, stem

pytestmark = pytest.mark.requirement("DIS-7")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Reads a PDF.", "reads a pdf"),
        ("pre-commit", "precommit pre commit"),
        ("snake_case", "snakecase snake case"),
        ("node.js", "nodejs node js"),
        ("PostHog", "posthog post hog"),
        ("parseJSONFile", "parsejsonfile parse json file"),
        ("HTTPServer2", "httpserver2 http server 2"),
        ("one-two-three-four", "one two three four"),
        ("user's don't", "user don"),
        ("user’s", "user"),
        ("C++ and c# and F#", "cpp and csharp and fsharp"),
        ("abc++", "abc"),
        ("GPT4", "gpt4"),
        ("Gpt4", "gpt4 gpt 4"),
        ("Überprüfung café", "uberprufung cafe"),
        ("ﬁle", "file"),
        ("代码审查", "代码 码审 审查"),
        ("中", "中"),
        ("テスト", "テス スト"),
        ("코드 리뷰", "코드 리뷰"),
        ("用Python写", "用 写 python"),
        ("Straße", "strasse"),
        ("- -- ___ ...", ""),
        ("", ""),
    ],
)
def test_a_text_is_cut_into_words(text: str, words: str) -> None:
    assert " ".join(iter_words(text)) == words


@pytest.mark.parametrize(
    ("word", "term"),
    [
        ("forms", "form"),
        ("queries", "queri"),
        ("query", "queri"),
        ("classes", "class"),
        ("class", "class"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("boxes", "box"),
        ("running", "run"),
        ("run", "run"),
        ("deployed", "deploy"),
        ("filling", "fill"),
        ("image", "imag"),
        ("images", "imag"),
        ("ties", "tie"),
        ("bus", "bus"),
        ("sing", "sing"),
        ("web3", "web3"),
        ("größen", "größen"),
    ],
)
def test_an_inflection_is_taken_off(word: str, term: str) -> None:
    assert stem(word) == term


def test_terms_are_words_that_say_something_without_their_inflection() -> None:
    assert list(iter_terms("The tests of pre-commit hooks")) == [
        "test",
        "precommit",
        "pre",
        "commit",
        "hook",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "A" * 100_000 + "a",
        "Aa" * 50_000,
        "a-" * 50_000,
        "-" * 100_000,
        "a'" * 50_000,
        "a." * 50_000,
        "中" * 100_000,
        "\u0301" * 100_000,
        "e\u0301" * 50_000,
        "\ufdfa" * 10_000,
        "c++" * 30_000,
        "C#" * 50_000,
        "1" * 100_000,
        "é-" * 50_000,
    ],
)
@pytest.mark.timeout(10)
def test_a_hostile_text_takes_time_in_proportion_to_its_length(text: str) -> None:
    terms = count_terms(text)

    assert all(len(one) <= LONGEST for one in terms)


@given(st.text())
def test_every_text_has_terms_that_can_be_written_down(text: str) -> None:
    terms = list(iter_terms(text))

    assert sum(count_terms(text).values()) == len(terms)
    assert all(one and not one.isspace() and "\0" not in one for one in terms)
    "\n".join(terms).encode()


@given(st.text(), st.text())
def test_words_do_not_depend_on_what_stands_before_a_blank(before: str, text: str) -> None:
    both = list(iter_words(f"{before}\n{text}"))

    assert both == [*iter_words(before), *iter_words(text)]
