"""The estimate comes near a real tokenizer."""

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.disclosure.tokens import cost_of, estimate_tokens, warn_of_size
from skillyard.domain.resolution import Cost
from tests.unit.disclosure.making import GOLDEN

COUNTED: Final = json.loads((GOLDEN / "token_counts.json").read_text("utf-8"))
SAMPLES: Final = {one["name"]: (one["text"], one["tokens"]) for one in COUNTED["samples"]}


@pytest.mark.requirement("DIS-5")
@pytest.mark.parametrize("name", SAMPLES)
def test_the_estimate_is_within_15_hundredths_of_the_tokenizers_count(name: str) -> None:
    text, counted = SAMPLES[name]

    assert abs(estimate_tokens(text) - counted) <= 0.15 * counted


@pytest.mark.requirement("DIS-5")
def test_over_all_samples_the_estimate_is_within_5_hundredths() -> None:
    estimated = sum(estimate_tokens(text) for text, _ in SAMPLES.values())
    counted = sum(tokens for _, tokens in SAMPLES.values())

    assert abs(estimated - counted) <= 0.05 * counted


@given(st.text())
def test_any_text_has_an_estimate(text: str) -> None:
    assert (estimate_tokens(text) > 0) == bool(text)
    assert estimate_tokens(text) <= 2 * len(text)


@given(st.text(), st.text())
def test_more_text_never_takes_fewer_tokens(one: str, other: str) -> None:
    assert estimate_tokens(f"{one}\n{other}") + 1 >= estimate_tokens(one)


@pytest.mark.requirement("DIS-5")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), (" ", 1), ("word", 1), ("internationalisation", 3), ("a b c", 3), ("=" * 80, 1)],
)
def test_small_texts_have_the_estimate_that_the_formula_gives(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.requirement("DIS-5")
def test_a_cost_has_one_number_for_each_tier() -> None:
    assert cost_of("a b c", "word " * 100) == Cost(listed=3, loaded=95)


@pytest.mark.requirement("DIS-5")
def test_up_to_5000_tokens_are_no_reason_to_warn() -> None:
    assert warn_of_size("word " * 5_263) is None
    assert warn_of_size("word " * 5_265) == (
        "these instructions take about 5,002 tokens; at most 5,000 are advised"
    )
