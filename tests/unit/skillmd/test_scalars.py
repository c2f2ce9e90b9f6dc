"""What a plain value is to the programs that read YAML."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.document import Fields, Listing, Place, Scalar
from skillyard.skillmd.scalars import ScalarKind, is_false, is_true, scalar_kind

PLACE = Place(0, 0, "")


def plain(text: str) -> Scalar:
    return Scalar(text, "", PLACE)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((one, ScalarKind.NULL) for one in ["", "~", "null", "Null", "NULL"]),
        *((one, ScalarKind.BOOLEAN) for one in ["true", "False", "TRUE"]),
        *(
            (one, ScalarKind.NUMBER)
            for one in ["0", "1", "-1", "+7", "1.0", ".5", "1.", "1e3", "1.5E-3", "0x1f", "0o17",
                        "0b11", "1_000", ".inf", "-.INF", ".nan", "1:30", "1:30:00.5", "007"]
        ),
        *((one, ScalarKind.DATE) for one in ["2026-11-15", "2026-1-5", "2026-11-15T10:00:00Z",
                                             "2026-11-15 10:00:00.5 +02:00"]),
        *((one, ScalarKind.TEXT) for one in ["pdf", "1.0.0", "v1", "nULL", "truth", "1a", "-", ".",
                                             "+", "2026-11", "10:00 o'clock", "1.0-beta", "e3"]),
    ],
)  # fmt: skip
def test_a_plain_value_has_a_kind(text: str, kind: ScalarKind) -> None:
    assert scalar_kind(plain(text)) is kind
    assert scalar_kind(plain(text), old=True) is kind


@pytest.mark.parametrize("text", ["yes", "No", "ON", "off", "y", "N"])
def test_old_readers_know_more_truth_values(text: str) -> None:
    assert scalar_kind(plain(text)) is ScalarKind.TEXT
    assert scalar_kind(plain(text), old=True) is ScalarKind.BOOLEAN


@pytest.mark.parametrize("style", ["'", '"', "|", ">", "!", "&", "*"])
def test_what_is_quoted_or_marked_is_text(style: str) -> None:
    assert scalar_kind(Scalar("1.0", style, PLACE), old=True) is ScalarKind.TEXT
    assert scalar_kind(Scalar("", style, PLACE), old=True) is ScalarKind.TEXT


VALUES = st.text(alphabet="0123456789+-.:_eExobTtZ nulysfar~INF", max_size=12).map(str.strip)
TEXT_TAG = "tag:yaml.org,2002:str"
# `=` and `<<` have a meaning of their own in old YAML, and are text in the new.
SPECIAL = {"tag:yaml.org,2002:value", "tag:yaml.org,2002:merge"}


@given(VALUES | st.from_regex(r"[-+]?[0-9._:eE]{1,8}", fullmatch=True))
def test_what_pyyaml_does_not_take_for_text_is_not_text(text: str) -> None:
    tag = yaml.SafeLoader("").resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]

    if tag not in {TEXT_TAG, *SPECIAL}:
        assert scalar_kind(plain(text), old=True) is not ScalarKind.TEXT


@pytest.mark.parametrize("text", ["true", "True", "yes", "ON", "1"])
def test_a_switch_is_on(text: str) -> None:
    assert (is_true(plain(text)), is_false(plain(text))) == (True, False)


@pytest.mark.parametrize("text", ["false", "FALSE", "no", "Off", "0"])
def test_a_switch_is_off(text: str) -> None:
    assert (is_true(plain(text)), is_false(plain(text))) == (False, True)


@pytest.mark.parametrize(
    "node",
    [
        None,
        plain(""),
        plain("maybe"),
        Listing((plain("true"),), flow=True, place=PLACE),
        Fields((), flow=True, place=PLACE),
    ],
)
def test_anything_else_is_neither_on_nor_off(node: Scalar | Listing | Fields | None) -> None:
    assert (is_true(node), is_false(node)) == (False, False)
