"""A lock is read again as it was written, and not otherwise."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidLockError
from skillyard.domain.lock import Lock, lock_resolution, parse_lock, render_lock
from skillyard.domain.manifest import Confidence
from skillyard.domain.resolution import Candidate, Request
from skillyard.resolver import resolve
from tests.unit.resolver.making import assigned, directory, stored
from tests.unit.resolver.worlds import World, worlds


def lock_world(candidates: tuple[Candidate, ...], request: Request) -> Lock:
    return lock_resolution(resolve(candidates, request), request, find_place=lambda one: one.slug)


def written() -> dict[str, Any]:
    """Give a lock as JSON has it: two loaded skills, and an unproven one."""
    low = replace(stored("xlsx", given=assigned("global")), confidence=Confidence.LOW)
    world = (stored("pdf", given=assigned("global")), directory("deploy"), low)
    value: dict[str, Any] = json.loads(render_lock(lock_world(world, Request())))
    return value


def sign(value: dict[str, Any]) -> bytes:
    """Give a lock with the hashes that it has to have, as someone who knows how writes them."""
    rows = [
        [one["slug"], one["version"], one["digest"], place, one["disposition"]]
        for place, one in enumerate(value["skills"])
    ]
    value["manifestHash"] = _hash(json.dumps(rows, separators=(",", ":")))
    value.pop("lockHash")
    value["lockHash"] = _hash(json.dumps(value, sort_keys=True, separators=(",", ":")))
    return json.dumps(value).encode()


def _hash(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


@pytest.mark.requirement("RES-10")
@given(worlds())
def test_a_lock_is_read_again_as_it_was_written(world: World) -> None:
    candidates, request = world
    lock = lock_world(candidates, request)

    assert parse_lock(render_lock(lock).encode(), name="x") == lock
    assert render_lock(parse_lock(render_lock(lock).encode(), name="x")) == render_lock(lock)


@pytest.mark.requirement("RES-10")
@given(worlds())
def test_a_lock_has_the_hash_of_its_resolution(world: World) -> None:
    candidates, request = world
    resolution = resolve(candidates, request)

    assert lock_world(candidates, request).manifest_hash == resolution.manifest_hash


@pytest.mark.requirement("RES-10")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is not a lock"),
        (b"{}", "it is not a lock"),
        (b"[" * 100_000, "it is not a lock"),
        (b'{"lockVersion": 1}', "its version is not 2"),
        (b'{"lockVersion": true}', "its version is not 2"),
        (b'{"lockVersion": 2.0}', "its version is not 2"),
        (
            b'{"lockVersion": 2, "manifestHash": "x", "subjects": [], "skills": []}',
            "it was changed by hand: it does not match its hash",
        ),
        (b" " * (16 * 1024 * 1024 + 1), "it is too large"),
    ],
    ids=["empty", "no-fields", "deep", "other-version", "true", "no-int", "changed", "large"],
)
def test_what_is_no_lock_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(InvalidLockError) as caught:
        parse_lock(content, name="skills.lock")

    assert caught.value.message == f"`skills.lock` cannot be used as a lock: {reason}"


@pytest.mark.requirement("RES-10")
@pytest.mark.parametrize(
    ("field", "forged"),
    [
        ("slug", "docx"),
        ("version", "9.9.9"),
        ("digest", f"sha256:{'1' * 64}"),
        ("source", "plugin"),
        ("owner", "acme"),
        ("disposition", "unproven"),
        ("rule", "open"),
        ("reason", "an admin says so"),
        ("required", True),
        ("autoInject", True),
        ("location", "/etc"),
    ],
)
def test_a_lock_with_any_field_changed_is_refused(field: str, forged: object) -> None:
    value = written()
    value["skills"][0][field] = forged

    with pytest.raises(InvalidLockError, match=r"changed by hand|no |before"):
        parse_lock(json.dumps(value).encode(), name="x")


@pytest.mark.requirement("RES-10")
def test_for_whom_a_lock_was_cannot_be_changed_either() -> None:
    value = written()
    value["subjects"] = ["agent:ada"]

    with pytest.raises(InvalidLockError, match="changed by hand"):
        parse_lock(json.dumps(value).encode(), name="x")


def _rename(value: list[dict[str, Any]]) -> None:
    value[0]["slug"] = "../../etc/passwd\nforged"


def _double(value: list[dict[str, Any]]) -> None:
    value[0]["slug"] = value[1]["slug"]


def _exclude(value: list[dict[str, Any]]) -> None:
    value[2]["disposition"] = "excluded"


def _turn_round(value: list[dict[str, Any]]) -> None:
    value.reverse()


def _lead_out(value: list[dict[str, Any]]) -> None:
    next(one for one in value if "place" in one)["place"] = "../deploy"


def _add(value: list[dict[str, Any]]) -> None:
    value[0]["location"] = "/etc"


def _coerce(value: list[dict[str, Any]]) -> None:
    value[0]["required"] = 0


@pytest.mark.requirement("RES-10")
@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (_rename, "one of its names is no name of a skill"),
        (_double, "one of its names is there twice"),
        (_exclude, "it holds a skill that is neither loaded nor unproven"),
        (_turn_round, "an unproven skill stands before a loaded one"),
        (_lead_out, "a directory of it leads elsewhere"),
        (_add, "it was changed by hand: it does not match its hash"),
        (_coerce, "it was changed by hand: it does not match its hash"),
    ],
)
def test_what_no_resolution_gives_is_refused_whatever_its_hash(
    forge: Callable[[list[dict[str, Any]]], None], reason: str
) -> None:
    value = written()
    assert parse_lock(sign(value), name="x").skills
    forge(value["skills"])

    with pytest.raises(InvalidLockError) as caught:
        parse_lock(sign(value), name="x")

    assert caught.value.reason == reason


@pytest.mark.requirement("RES-10")
def test_no_path_of_a_machine_is_in_a_lock() -> None:
    assert '"/' not in json.dumps(written())


@given(st.binary(max_size=200))
def test_any_bytes_are_a_lock_or_an_error_of_ours(content: bytes) -> None:
    with pytest.raises(InvalidLockError):
        parse_lock(content, name="x")


@given(st.recursive(st.none() | st.text() | st.integers(), lambda one: st.lists(one, max_size=3)))
def test_any_values_in_the_fields_are_an_error_of_ours(value: object) -> None:
    text = json.dumps(
        {"lockVersion": 2, "manifestHash": value, "subjects": value, "skills": [value]}
    )

    with pytest.raises(InvalidLockError):
        parse_lock(text.encode(), name="x")
