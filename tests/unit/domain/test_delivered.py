"""What was delivered is known from its index; what is somebody else's is left alone."""

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.application.ports.laid import mark_package
from skillyard.domain.delivered import (
    DeliveredIndex,
    DeliveredSkill,
    Found,
    Step,
    StepKind,
    WantedSkill,
    index_after,
    index_before,
    parse_index,
    plan_steps,
    render_index,
)
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

SLUGS = ("a", "b", "c")
CONTENTS = {
    (slug, number): make_package(slug, body=f"{number}\n") for slug in SLUGS for number in range(3)
}


def want(slug: str, number: int) -> WantedSkill:
    package = CONTENTS[slug, number]
    digest = package.digest()
    state = DeliveredSkill(
        slug=slug,
        version=Version(1, number),
        digest=digest,
        delivered=digest,
        files=mark_package(package),
    )
    return WantedSkill(state, package)


WANTED = st.dictionaries(st.sampled_from(SLUGS), st.integers(0, 2)).map(
    lambda chosen: [want(slug, number) for slug, number in sorted(chosen.items())]
)
INDEXES = st.lists(
    st.builds(
        lambda slug, number: want(slug, number).state, st.sampled_from(SLUGS), st.integers(0, 2)
    ),
    max_size=4,
).map(lambda states: DeliveredIndex("codex", "sha256:0", tuple(states)))
THERE = st.dictionaries(
    st.sampled_from(SLUGS),
    st.none()
    | st.builds(lambda number: dict(want("a", number).state.files), st.integers(0, 2))
    | st.just({"own.md": "mark"}),
)


def take(steps: tuple[Step, ...], found: Found, *, most: int = 99) -> Found:
    """Give what stands there after the first of the steps were taken."""
    there = dict(found)
    for step in [one for one in steps if one.kind not in LOOKS][:most]:
        there[step.slug] = step.wanted.state.files if step.wanted else None
    return there


LOOKS = {StepKind.KEEP, StepKind.FOREIGN, StepKind.FORGET, StepKind.CHANGED}


@given(INDEXES)
def test_an_index_is_read_as_it_was_written(index: DeliveredIndex) -> None:
    assert parse_index(render_index(index).encode()) == index


@given(st.binary(max_size=60) | st.sampled_from([b"{}", b"[]", b"1", b'{"index_version": 2}']))
def test_whatever_is_no_index_is_none(content: bytes) -> None:
    assert parse_index(content) is None


@pytest.mark.parametrize("slug", ["", ".", "..", "a/b", "/etc", "a\0"])
def test_an_index_cannot_name_what_is_elsewhere(slug: str) -> None:
    told = json.loads(render_index(DeliveredIndex(skills=(want("a", 0).state,))))
    told["skills"][0]["slug"] = slug

    assert parse_index(json.dumps(told).encode()) is None


@given(WANTED, INDEXES, THERE, st.booleans())
def test_delivering_twice_is_delivering_once(
    wanted: list[WantedSkill],
    index: DeliveredIndex,
    found: Mapping[str, Mapping[str, str] | None],
    force: bool,  # noqa: FBT001
) -> None:
    steps = plan_steps(wanted, index, found, force=force)
    if any(one.kind is StepKind.CHANGED for one in steps):
        return
    after = index_after(steps, provider="codex", manifest_hash="sha256:0")
    there = take(steps, found)

    again = plan_steps(wanted, after, there, force=force)

    assert {one.kind for one in again} <= {StepKind.KEEP, StepKind.FOREIGN}
    assert index_after(again, provider="codex", manifest_hash="sha256:0") == after


@given(WANTED, INDEXES, THERE, st.integers(0, 3))
def test_a_delivery_that_was_killed_is_finished_by_the_next(
    wanted: list[WantedSkill],
    index: DeliveredIndex,
    found: Mapping[str, Mapping[str, str] | None],
    taken: int,
) -> None:
    steps = plan_steps(wanted, index, found)
    if any(one.kind is StepKind.CHANGED for one in steps):
        return
    there = take(steps, found, most=taken)

    again = plan_steps(wanted, index_before(steps, index), there)

    assert not any(one.kind is StepKind.CHANGED for one in again)
    assert take(again, there) == {**take(again, there), **take(steps, found)}
    foreign = {one.slug for one in steps if one.kind is StepKind.FOREIGN}
    assert {one.slug for one in again if one.kind is StepKind.FOREIGN} == foreign


@given(WANTED, INDEXES, THERE)
def test_what_the_index_does_not_name_is_never_written_to(
    wanted: list[WantedSkill],
    index: DeliveredIndex,
    found: Mapping[str, Mapping[str, str] | None],
) -> None:
    ours = {one.slug for one in index.skills}

    for step in plan_steps(wanted, index, found, force=True):
        if step.slug not in ours and found.get(step.slug) is not None:
            is_equal = step.wanted is not None and found[step.slug] == step.wanted.state.files
            assert step.kind is (StepKind.KEEP if is_equal else StepKind.FOREIGN)


def test_a_state_that_is_ours_is_no_change_by_hand() -> None:
    old, new = want("a", 0), want("a", 1)
    index = DeliveredIndex(skills=(old.state,))

    (step,) = plan_steps([new], index, {"a": {**old.state.files, "x": "mark"}})
    assert (step.kind, step.changed) == (StepKind.CHANGED, ("x",))
    (step,) = plan_steps([new], index, {"a": old.state.files})
    assert (step.kind, step.changed) == (StepKind.UPDATE, ())
    (step,) = plan_steps([], index, {})
    assert step == Step(slug="a", kind=StepKind.FORGET)
