"""Which fields are known, and which one was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.skillmd.fields import CLIENTS, KNOWN, OWN, SPECIFICATION, find_meant_field

pytestmark = pytest.mark.requirement("PKG-2")


def test_each_field_belongs_to_one_group() -> None:
    assert len(KNOWN) == len(SPECIFICATION) + len(OWN) + len(CLIENTS)
    assert {
        "name", "description", "license", "compatibility", "metadata", "allowed-tools",
    } == SPECIFICATION  # fmt: skip
    assert {
        "version", "display-name", "tags", "category", "requires-tools", "triggers", "invocation",
        "providers",
    } == OWN  # fmt: skip


@pytest.mark.parametrize(
    ("field", "meant"),
    [
        ("user-invokable", "user-invocable"),
        ("descripton", "description"),
        ("Description", "description"),
        ("allowed_tools", "allowed-tools"),
        ("allowedTools", "allowed-tools"),
        ("Allowed Tools", "allowed-tools"),
        ("metadta", "metadata"),
        ("licence", "license"),
        ("disableModelInvocation", "disable-model-invocation"),
        ("when-to-use", "when_to_use"),
        ("tag", None),
        ("slug", None),
        ("homepage", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_misspelling_is_recognised(field: str, meant: str | None) -> None:
    assert find_meant_field(field) == meant


@pytest.mark.parametrize("field", sorted(KNOWN))
def test_a_letter_that_is_lost_or_doubled_does_not_hide_the_field(field: str) -> None:
    for index in range(1, len(field)) if len(field) > 4 else ():
        assert find_meant_field(field[:index] + field[index + 1 :]) is not None
        assert find_meant_field(field[:index] + field[index - 1 :]) is not None


@given(st.text() | st.text(alphabet="name-_ "))
def test_any_text_means_a_known_field_or_none(field: str) -> None:
    assert find_meant_field(field) in {None, *KNOWN}
