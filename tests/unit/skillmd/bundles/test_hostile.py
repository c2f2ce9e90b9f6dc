"""Hostile bundles get one clear error, little memory, and no way to the disk."""

import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.limits import STANDARD
from skillyard.domain.paths import find_path_problem
from skillyard.domain.text import visible
from skillyard.skillmd.bundles import Form, read_bundle
from tests.corpus.hostile_archives import HostileArchive, list_hostile_archives

CASES = list_hostile_archives()
MEMORY_BYTES = 40 * 1024 * 1024
_WATCHED = ("open", "os.", "shutil.", "tempfile.", "subprocess.", "socket.", "glob.", "import")

_seen: list[str] = []
_watching = False


def _watch(event: str, _: tuple[object, ...]) -> None:
    if _watching and event.startswith(_WATCHED):
        _seen.append(event)


sys.addaudithook(_watch)


@contextmanager
def nothing_outside() -> Iterator[None]:
    """Fail if anything outside the process is touched, or anything is imported."""
    global _watching  # noqa: PLW0603 (an audit hook cannot be removed)
    _seen.clear()
    _watching = True
    try:
        yield
    finally:
        _watching = False
    assert _seen == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case.name))
def test_a_hostile_bundle_gets_one_clear_error(case: HostileArchive) -> None:
    data = case.build()

    tracemalloc.start()
    try:
        with nothing_outside():
            taken = read_bundle(data, case.form, limits=STANDARD)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    errors = [one for one in taken.diagnostics if one.severity is Severity.ERROR]
    assert [one.code for one in errors] == [case.code]
    assert peak < MEMORY_BYTES
    assert all(find_path_problem(path) is None for path in taken.package)
    with pytest.raises(InvalidPackageError):
        taken.require("bundle")
    assert all(is_printable(one) for one in taken.diagnostics)


def is_printable(one: Diagnostic) -> bool:
    said = one.message + one.path + one.hint
    return visible(said) == said and len(one.message) < 600


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in CASES]

    assert len(set(names)) == len(names)
    assert {case.form for case in CASES} == set(Form)


def test_a_bundle_of_one_astral_text_stays_within_bounds() -> None:
    text = "x" * (STANDARD.archive_bytes - 100) + "\U0001f600"
    data = f'{{"formatVersion": 2, "skill": {{"content": "{text}"}}}}'.encode()

    tracemalloc.start()
    try:
        taken = read_bundle(data, Form.JSON, limits=STANDARD)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert [one.code for one in taken.diagnostics] == ["SY305"]
    # Four bytes for each character, in the text and in its value.
    assert peak < 100 * 1024 * 1024
