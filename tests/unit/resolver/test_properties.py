"""What holds for every world."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillyard.domain.resolution import Disposition, Resolution
from skillyard.resolver import explain, resolve
from skillyard.resolver.change import apply_change
from tests.unit.resolver.worlds import World, worlds

MANY = settings(max_examples=150)


def outcome(resolution: Resolution) -> tuple[str, list[str], list[str]]:
    return (
        resolution.manifest_hash,
        [one.candidate.ref for one in resolution.loaded],
        [one.candidate.ref for one in resolution.unproven],
    )


@pytest.mark.requirement("RES-1", "RES-6", "RES-8")
@MANY
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(world: World, random: object) -> None:
    candidates, request = world
    shuffled = list(candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert resolve(shuffled, request) == resolve(candidates, request)


@pytest.mark.requirement("RES-1")
@MANY
@given(worlds())
def test_every_candidate_is_decided_about_exactly_once(world: World) -> None:
    candidates, request = world

    decided = Counter(one.candidate.ref for one in resolve(candidates, request).decisions)

    assert decided == Counter(one.ref for one in candidates)


@pytest.mark.requirement("RES-2")
@MANY
@given(worlds())
def test_no_name_is_given_twice(world: World) -> None:
    resolution = resolve(*world)

    names = Counter(one.slug for one in (*resolution.loaded, *resolution.unproven))

    assert not [name for name, count in names.items() if count > 1]


@pytest.mark.requirement("RES-1", "RES-2")
@MANY
@given(worlds())
def test_taking_away_what_was_left_out_changes_nothing(world: World) -> None:
    candidates, request = world
    whole = resolve(candidates, request)
    for decision in whole.with_disposition(Disposition.SHADOWED, Disposition.EXCLUDED):
        without = [one for one in candidates if one.ref != decision.candidate.ref]

        assert outcome(resolve(without, request)) == outcome(whole)


@pytest.mark.requirement("RES-7")
@MANY
@given(worlds())
def test_what_is_cut_takes_no_room_from_the_others(world: World) -> None:
    candidates, request = world
    whole = resolve(candidates, request)
    names = {one.slug for one in whole.with_disposition(Disposition.CUT)}

    without = resolve([one for one in candidates if one.slug not in names], request)

    assert [one.candidate.ref for one in without.loaded] == [
        one.candidate.ref for one in whole.loaded
    ]


@pytest.mark.requirement("RES-9")
@MANY
@given(worlds())
def test_the_changes_that_are_named_have_the_effect_that_is_named(world: World) -> None:
    candidates, request = world
    for candidate in candidates:
        explained = explain(candidate.ref, candidates, request)
        changed, asked = candidates, request
        for change in explained.changes:
            changed, asked = apply_change(change, changed, asked)
        after = {one.candidate.ref: one.disposition for one in resolve(changed, asked).decisions}

        was_loaded = explained.decision.disposition is Disposition.LOADED
        assert explained.changes
        assert (after.get(candidate.ref) is Disposition.LOADED) is not was_loaded


@pytest.mark.requirement("RES-5")
@MANY
@given(worlds())
def test_what_is_loaded_has_everything_that_it_requires(world: World) -> None:
    resolution = resolve(*world)
    loaded = {one.slug for one in resolution.loaded}

    assert all(set(one.candidate.requires) <= loaded for one in resolution.loaded)


@pytest.mark.requirement("RES-7")
@MANY
@given(worlds())
def test_the_budgets_hold(world: World) -> None:
    _, request = world
    loaded = resolve(*world).loaded
    policy, agent = request.policy, request.agent
    if policy.eager:
        own = agent.eager_limit if agent else None
        assert len(loaded) <= (policy.eager_limit if own is None else own)
    if agent and agent.context_window is not None:
        costs = [one.candidate.cost for one in loaded]
        total = sum(one.loaded if policy.eager else one.listed for one in costs)
        assert total * 100 <= agent.context_window * policy.share
