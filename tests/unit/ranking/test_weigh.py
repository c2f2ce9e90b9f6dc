"""What the terms of a skill weigh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.ranking import SkillText, weigh

pytestmark = pytest.mark.requirement("DIS-7")

PDF = SkillText(
    name="pdf-forms",
    description="Fills in forms. Use when asked about PDF files.",
    labels=("office", "acroform"),
    body="# Steps\n\nOpen the document with a reader.\n",
)


def test_the_weights_of_a_skill_are_as_written_down() -> None:
    """Where they change, every index has to be made again: see `program` of `LocalIndex`."""
    assert dict(weigh(PDF)) == {
        "pdfform": 196,
        "pdf": 232,
        "form": 232,
        "fill": 222,
        "use": 222,
        "ask": 222,
        "fil": 222,
        "offic": 209,
        "acroform": 209,
        "step": 192,
        "open": 88,
        "document": 88,
        "reader": 88,
    }


def test_a_name_outweighs_a_description_a_label_a_heading_and_a_body() -> None:
    filler = " ".join(f"filler{number}" for number in range(30))
    weights = [
        weigh(SkillText(name="zebra", description=filler, body=filler))["zebra"],
        weigh(SkillText(name="x", description=f"zebra {filler}", body=filler))["zebra"],
        weigh(SkillText(name="x", description=filler, labels=("zebra", *filler.split()[:8])))[
            "zebra"
        ],
        weigh(SkillText(name="x", description=filler, body=f"# zebra {filler}"))["zebra"],
        weigh(SkillText(name="x", description=filler, body=f"zebra {filler}"))["zebra"],
    ]

    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)


def test_of_a_long_body_the_most_frequent_terms_count() -> None:
    words = " ".join(f"word{number}" for number in range(1000))

    weights = weigh(SkillText(name="long", description="Long.", body=f"{words} zebra zebra"))

    assert "zebra" in weights
    assert len(weights) == 161


texts = st.text(max_size=300)


@given(texts, texts, st.lists(texts, max_size=4), texts)
def test_every_weight_is_a_whole_number_of_one_byte(
    name: str, description: str, labels: list[str], body: str
) -> None:
    text = SkillText(name=name, description=description, labels=labels, body=body)

    weights = weigh(text)

    assert all(type(one) is int and 1 <= one <= 255 for one in weights.values())
    assert weights == weigh(text)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("body", ["#" * 100_000, "# " * 50_000, "# a\n" * 25_000, "\t" * 100_000])
def test_a_hostile_body_is_weighed_soon(body: str) -> None:
    assert "pdf" in weigh(SkillText(name="pdf", description="", body=body))
