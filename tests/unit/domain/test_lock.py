"""A lock is read again as it was written, and not otherwise."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidLockError
from skillyard.domain.lock import lock_resolution, parse_lock, render_lock
from skillyard.resolver import resolve
from tests.unit.resolver.worlds import World, worlds


@pytest.mark.requirement("RES-10")
@given(worlds())
def test_a_lock_is_read_again_as_it_was_written(world: World) -> None:
    candidates, request = world
    lock = lock_resolution(resolve(candidates, request), request)

    assert parse_lock(render_lock(lock).encode(), name="x") == lock
    assert render_lock(parse_lock(render_lock(lock).encode(), name="x")) == render_lock(lock)


@pytest.mark.requirement("RES-10")
@given(worlds())
def test_a_lock_has_the_hash_of_its_resolution(world: World) -> None:
    candidates, request = world
    resolution = resolve(candidates, request)

    assert lock_resolution(resolution, request).manifest_hash == resolution.manifest_hash


@pytest.mark.requirement("RES-10")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not a lock"),
        (b"{}", "it is not a lock"),
        (b"[" * 100_000, "it is not a lock"),
        (b'{"lockVersion": 2}', "its version is not 1"),
        (
            b'{"lockVersion": 1, "manifestHash": "x", "subjects": [], "skills": []}',
            "its skills do not match its hash",
        ),
        (b" " * (16 * 1024 * 1024 + 1), "it is too large"),
    ],
    ids=["empty", "no-fields", "deep", "other-version", "changed", "large"],
)
def test_what_is_no_lock_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(InvalidLockError) as caught:
        parse_lock(content, name="skills.lock")

    assert caught.value.message == f"`skills.lock` cannot be used as a lock: {reason}"


@given(st.binary(max_size=200))
def test_any_bytes_are_a_lock_or_an_error_of_ours(content: bytes) -> None:
    with pytest.raises(InvalidLockError):
        parse_lock(content, name="x")


@given(st.recursive(st.none() | st.text() | st.integers(), lambda one: st.lists(one, max_size=3)))
def test_any_values_in_the_fields_are_an_error_of_ours(value: object) -> None:
    text = json.dumps(
        {"lockVersion": 1, "manifestHash": value, "subjects": value, "skills": [value]}
    )

    with pytest.raises(InvalidLockError):
        parse_lock(text.encode(), name="x")
