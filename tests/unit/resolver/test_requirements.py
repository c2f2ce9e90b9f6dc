"""Skills that require each other, few and many."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from skillyard.domain.records import Agent
from skillyard.domain.resolution import Candidate, ProblemKind, Request
from skillyard.resolver import Explainer, explain, resolve
from skillyard.resolver.change import Change
from tests.unit.resolver.making import assigned, directory, stored

MANY = 2_000
pytestmark = pytest.mark.requirement("RES-5")


def ring(count: int, *more: str) -> list[Candidate]:
    names = [f"s{number:04}" for number in range(count)]
    first = directory(names[0], names[1 % count], *more)
    return [
        first,
        *(directory(names[one], names[(one + 1) % count]) for one in range(1, count)),
    ]


def chain(count: int) -> list[Candidate]:
    return [directory(f"s{one:04}", f"s{one + 1:04}") for one in range(count)]


@pytest.mark.requirement("RES-9")
def test_a_cycle_that_lacks_something_is_explained() -> None:
    world = [directory("a", "b", "c"), directory("b", "a")]

    explained = explain("project-b", world, Request())

    assert explained.decision.reason == "it requires a, which is not there"
    assert [one.text for one in explained.changes] == ["add a skill named c"]


def test_the_reason_names_everything_that_is_missing() -> None:
    few = resolve([directory("a", "x", "y", "z")], Request()).decisions[0]
    many = resolve([directory("a", *(f"n{one}" for one in range(260)))], Request()).decisions[0]

    assert few.reason == "it requires x, y and z, which are not there"
    assert many.reason == ("it requires n0, n1, n2, n3, n4, n5 and 254 more, which are not there")


def test_a_cycle_is_one_problem() -> None:
    ours = assigned("agent", "ada", required=True)
    world = [*ring(3), directory("x", "y"), directory("y", "x"), directory("self", "self")]
    needed = [stored("r", "q", given=ours), directory("q", "r")]

    problems = resolve([*world, *needed], Request(agent=Agent(name="ada"))).problems

    assert [(one.slug, one.message, one.is_error) for one in problems] == [
        ("q", "q requires itself: q → r → q", True),
        ("s0000", "s0000 requires itself: s0000 → s0001 → s0002 → s0000", False),
        ("self", "self requires itself: self → self", False),
        ("x", "x requires itself: x → y → x", False),
    ]
    assert {one.kind for one in problems} == {ProblemKind.REQUIREMENT_CYCLE}


def test_a_long_cycle_names_six_and_says_how_many_more() -> None:
    (problem,) = resolve(ring(MANY), Request()).problems

    assert problem.message == (
        "s0000 requires itself: s0000 → s0001 → s0002 → s0003 → s0004 → s0005 → …,"
        " and 1,994 more skills with it"
    )


def test_rings_that_share_a_skill_are_one_cycle() -> None:
    world = [directory("a", "b", "c"), directory("b", "a"), directory("c", "a")]

    (problem,) = resolve(world, Request()).problems

    assert problem.message == "a requires itself: a → b → a, and 1 more skill with it"


def count_calls(work: Callable[[], object]) -> int:
    """Give how many functions `work` calls: the same number on every machine."""
    calls = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        del frame, argument
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def explain_all(world: list[Candidate], request: Request) -> set[tuple[Change, ...]]:
    explainer = Explainer(world, request, resolution=resolve(world, request))
    return {tuple(explainer.explain(one.ref).changes) for one in world}


ALLOWS_NONE = Request(agent=Agent(name="ada", allowlist=()))


@pytest.mark.requirement("RES-9")
@pytest.mark.parametrize(
    ("make", "request_"),
    [
        (chain, Request()),
        (ring, Request()),
        (lambda size: ring(size, "none"), Request()),
        (lambda size: [directory(f"s{one:04}") for one in range(size)], ALLOWS_NONE),
    ],
    ids=["chain", "ring", "broken-ring", "nothing-allowed"],
)
def test_the_work_grows_with_the_number_of_skills_and_not_with_its_square(
    make: Callable[[int], list[Candidate]], request_: Request
) -> None:
    explain_all(make(10), request_)  # what is done once is done
    some = count_calls(lambda: explain_all(make(100), request_))
    many = count_calls(lambda: explain_all(make(400), request_))

    assert many < 6 * some


@pytest.mark.requirement("RES-9")
def test_what_an_agent_that_allows_none_needs_is_named_for_every_skill() -> None:
    world = [directory(f"s{one:04}") for one in range(MANY)]

    kinds = {one.kind for changes in explain_all(world, ALLOWS_NONE) for one in changes}

    assert kinds == {"put-on-allowlist"}


@pytest.mark.requirement("RES-9")
def test_a_long_way_is_told_whole() -> None:
    world = [directory("a", *(f"n{one}" for one in range(260)))]

    changes = explain("project-a", world, Request()).changes

    assert [one.slug for one in changes] == [f"n{one}" for one in range(260)]
