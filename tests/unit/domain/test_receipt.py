"""A receipt says everything that is known of a run, and reading it gives an equal value."""

import json
from dataclasses import fields
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.delivery import Note
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidReceiptError
from skillyard.domain.receipt import (
    have_clash,
    parse_document,
    parse_receipt,
    render_document,
    render_receipt,
    to_json_run,
)
from skillyard.domain.run import Run, RunSkill
from skillyard.domain.version import Version
from tests.contract.making import make_run

pytestmark = pytest.mark.requirement("DEL-10")

ANY_TEXT = st.text(st.characters(), max_size=20)
PATHS = st.lists(st.sampled_from(["a", ".codex", "ä", "skills"]), max_size=4).map("/".join)
DIGESTS = st.binary(min_size=32, max_size=32).map(lambda raw: TreeDigest(f"sha256:{raw.hex()}"))
MOMENTS = st.datetimes(timezones=st.just(UTC))
NAMES = st.text(
    st.characters(exclude_characters="/.", exclude_categories=["Cc", "Cs"]),
    min_size=1,
    max_size=20,
)
SKILLS = st.builds(
    RunSkill,
    slug=NAMES,
    version=st.builds(Version, st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)),
    digest=DIGESTS,
    delivered=DIGESTS,
    ref=ANY_TEXT,
    reason=ANY_TEXT,
    path=PATHS,
)
RUNS = st.builds(
    Run,
    id=ANY_TEXT,
    agent=st.none() | ANY_TEXT,
    skills=st.lists(SKILLS, max_size=3).map(tuple).filter(lambda some: not have_clash(some)),
    command=st.lists(ANY_TEXT, max_size=3).map(tuple),
    environment=st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3),
    notes=st.lists(st.builds(Note, message=ANY_TEXT, slug=ANY_TEXT), max_size=3).map(tuple),
    created_at=MOMENTS,
    started_at=st.none() | MOMENTS,
    ended_at=st.none() | MOMENTS,
    exit_status=st.none() | st.integers(0, 255),
)


@given(RUNS)
def test_reading_gives_what_was_written(run: Run) -> None:
    assert parse_receipt(render_receipt(run).encode(), name="x") == run
    assert parse_document(render_document(run)) == run
    assert render_receipt(run).isascii()


def test_every_field_of_a_run_is_written() -> None:
    written = to_json_run(make_run())

    renamed = {"is_kept": "kept"}
    assert set(written) == {
        "receipt_version",
        *(renamed.get(one.name, one.name) for one in fields(Run)),
    }


@given(st.binary(max_size=100))
def test_whatever_is_no_receipt_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidReceiptError) as caught:
        parse_receipt(content, name="receipt.json")

    assert caught.value.code == "invalid-receipt"


@pytest.mark.parametrize("field", sorted(to_json_run(make_run())))
@pytest.mark.parametrize("value", [[1], {"a": 1}, 1.5, "nonsense"])
def test_a_value_of_another_kind_is_refused(field: str, value: object) -> None:
    told = to_json_run(make_run())
    is_text = isinstance(told[field], str) and field not in ENUMS
    if (value == "nonsense" and (is_text or field == "agent")) or field == "kept":
        return
    if field == "environment" and value == {"a": 1}:
        value = {"a": [1]}

    with pytest.raises(InvalidReceiptError):
        parse_receipt(json.dumps({**told, field: value}).encode(), name="x")


ENUMS = {"status", "mode", "workspace", "created_at"}


@pytest.mark.parametrize("field", ["path", "slug"])
@pytest.mark.parametrize(
    "text",
    [
        *("/etc", "../x", "a/../../x", "a\0", "..", ".", "a//b", "skills/"),
        *("a\nb", "\x1b[m", "\x9b", "\ud800", "a/\udcff", "a" * 256),
    ],
)
def test_a_path_that_no_run_has_is_refused(field: str, text: str) -> None:
    told = json.loads(render_receipt(make_run()))
    told["skills"][0][field] = text

    with pytest.raises(InvalidReceiptError):
        parse_receipt(json.dumps(told).encode(), name="x")


@pytest.mark.parametrize(
    ("first", "second"), [("a/b", "a/b"), ("a", "a/b"), ("a/b/c", "a/b"), ("", "")]
)
def test_skills_in_one_place_are_refused(first: str, second: str) -> None:
    told = json.loads(render_receipt(make_run()))
    told["skills"] = [{**told["skills"][0], "path": one} for one in (first, second)]

    with pytest.raises(InvalidReceiptError, match="stand in the same place"):
        parse_receipt(json.dumps(told).encode(), name="x")


def test_names_that_start_alike_are_two_places() -> None:
    told = json.loads(render_receipt(make_run()))
    told["skills"] = [{**told["skills"][0], "path": one} for one in ("a", "a-b", "ab")]

    assert len(parse_receipt(json.dumps(told).encode(), name="x").skills) == 3


def test_another_version_and_a_huge_file_are_told_apart() -> None:
    told = json.dumps({**to_json_run(make_run()), "receipt_version": 2})

    with pytest.raises(InvalidReceiptError, match="its version is not 1"):
        parse_receipt(told.encode(), name="x")
    with pytest.raises(InvalidReceiptError, match="too large"):
        parse_receipt(b" " * (16 * 1024 * 1024 + 1), name="x")
