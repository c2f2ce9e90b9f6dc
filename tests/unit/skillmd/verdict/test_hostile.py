"""No SKILL.md makes a verdict take much memory, or time that grows faster than the file.

A test here that meets such growth again does not end before the time limit of the tests.
"""

import tracemalloc

import pytest

from skillyard.domain.client import FenceStyle
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.verdict import ClientVerdict
from skillyard.skillmd.verdict.fences import cut_file
from skillyard.skillmd.verdict.loading import MOST_JOINED
from skillyard.skillmd.verdict.repairs import block_top_level, quote_top_level, read_lines
from tests.unit.skillmd.verdict.judging import judge, judge_front

pytestmark = pytest.mark.requirement("PKG-3")

each_client = pytest.mark.parametrize("client", CLIENTS)

MANY = 1_000_000
MIB = 1024 * 1024


def judge_in_memory(client: str, front: str, most: int) -> ClientVerdict:
    """Ask `client`, and see that it takes no more than `most` bytes."""
    tracemalloc.start()
    try:
        verdict = judge_front(client, front)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most
    return verdict


def repeated(anchor: str, times: int) -> str:
    return f"[{', '.join([f'*{anchor}'] * times)}]"


def bomb(leaf: str, field: str) -> str:
    twice = f"b: &b {repeated('a', 500)}\n{field}: {repeated('b', 500)}"
    return f"a: &a {leaf}\n{twice}\ndescription: d"


@each_client
@pytest.mark.parametrize("field", ["name", "when_to_use", "paths", "allowed-tools", "other"])
@pytest.mark.parametrize("leaf", [f'"{"x" * 60_000}"', "1" * 60_000, "1" * 60_000 + "x", "[]"])
def test_aliases_do_not_blow_a_field_up(client: str, field: str, leaf: str) -> None:
    judge_in_memory(client, bomb(leaf, field), 4 * MIB)


def test_a_list_is_put_together_up_to_a_limit_that_all_fields_share() -> None:
    long = "x" * 60_000
    lists = f"name: {repeated('a', 2)}\nwhen_to_use: {repeated('a', 2)}"
    verdict = judge_front("claude-code", f'a: &a "{long}"\n{lists}\ndescription: d')

    assert verdict.name == f"{long},{'x' * (MOST_JOINED - len(long) - 1)}"
    assert verdict.description == "d"


def test_a_text_that_stands_alone_is_not_cut() -> None:
    long = "x" * (2 * MOST_JOINED)
    verdict = judge_front("claude-code", f"description: d\nwhen_to_use: {long}")

    assert f"of {len(long) + 4:,} UTF-16 units" in verdict.diagnostics[0].message


@pytest.mark.parametrize(
    ("client", "field"), [("claude-code", "paths"), ("copilot", "allowed-tools")]
)
@pytest.mark.parametrize("leaf", ["1" * 500_000 + "x", f'"{"**/" * 150_000}/**"'])
def test_a_value_that_aliases_repeat_is_looked_at_once(client: str, field: str, leaf: str) -> None:
    # So many values let Copilot take so many aliases.
    values = f"b: [{'c, ' * 2_000}]"
    aliases = f"a: &a {leaf}\n{field}: {repeated('a', 100_000)}"
    front = f"name: pdf\ndescription: d\n{values}\n{aliases}"

    assert judge_in_memory(client, front, 64 * MIB).loads


def test_a_list_that_holds_itself_often_takes_no_memory() -> None:
    values = f"b: [{'c, ' * 10_000}]"
    front = f"name: pdf\ndescription: d\n{values}\na: &a {repeated('a', 8_000)}"
    verdict = judge_in_memory("copilot", front, 24 * MIB)

    assert verdict.reason == "the front matter cannot be read: its aliases repeat too much"


def test_many_lines_before_a_fence_that_is_missing() -> None:
    assert cut_file("---" + "\n" * MANY, FenceStyle.ANYWHERE) is None
    assert cut_file("---" + "\n " * MANY, FenceStyle.ANYWHERE) is None
    assert cut_file("---" + " " * MANY, FenceStyle.ANYWHERE) is None


@pytest.mark.parametrize("blank", [" ", "\t", "\ufeff"])
@pytest.mark.parametrize("key", ["x", "name", "description"])
def test_many_blanks_before_a_value_that_no_pattern_takes(key: str, blank: str) -> None:
    line = f"{key}:{blank * MANY}x\u2028"

    assert quote_top_level(line) == line
    assert block_top_level(f"---\n{line}\n---\n") == f"---\n{line}\n---\n"
    assert read_lines(line) == (None, None)


@each_client
@pytest.mark.parametrize(
    "text",
    [
        "---" + "\n" * MANY,
        "---\nname: a\nd: [\nx:" + " " * MANY + "x\u2028\n---",
        "---\nd: [\nname:" + " " * MANY + "x\u2028\n---",
        "---\nd: [\ndescription:" + " " * MANY + "x\u2028\n---",
    ],
)
def test_a_long_file_is_judged(client: str, text: str) -> None:
    assert judge(client, text).client_id == client


@each_client
def test_many_handles_of_tags_are_not_read(client: str) -> None:
    handles = "".join(f"%TAG !{number}! x\n" for number in range(200_000))

    assert judge_front(client, f"{handles}--- \nname: pdf").client_id == client


@each_client
def test_a_number_of_many_digits_is_no_character(client: str) -> None:
    verdict = judge_front(client, f"name: pdf\ndescription: x &#{'1' * 900} # c")

    assert [one.code for one in verdict.diagnostics][:1] == ["SY603"]
    assert judge_front(client, f"name: pdf\ndescription: x &#{'1' * 5_000} # c").client_id == client
