"""The terms of a skill as bytes."""

from hypothesis import given
from hypothesis import strategies as st

from skillyard.adapters.search.packing import pack, unpack
from skillyard.ranking import SkillText, weigh


@given(st.text(max_size=200))
def test_what_is_packed_is_unpacked(text: str) -> None:
    weights = dict(weigh(SkillText(name=text, description=text, body=text)))

    assert dict(unpack(pack(weights))) == weights


def test_the_order_of_terms_does_not_change_the_bytes() -> None:
    assert pack({"a": 1, "b": 2}) == pack({"b": 2, "a": 1})
