"""Stored packages are checked whenever they are read."""

import pytest

from skillyard.adapters.db.store import SqlStore
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.skill import StoredFile
from tests.databases import spoil_content
from tests.integration.db.behind import ask, run
from tests.integration.db.samples import PDF, fill


@pytest.mark.requirement("STO-3")
def test_a_package_that_lost_a_file_is_never_given_out(url: str, store: SqlStore) -> None:
    fill(store)
    run(url, "DELETE FROM package_files WHERE path = 'run'")

    with store.view() as view, pytest.raises(CorruptedContentError) as caught:
        view.packages.get(PDF.digest())

    assert caught.value.place == str(PDF.digest())


@pytest.mark.requirement("STO-3")
def test_a_spoilt_file_is_named(url: str, store: SqlStore) -> None:
    fill(store)
    (sha256,) = {file.sha256 for file in _list_files(store) if file.path == "run"}
    spoil_content(url, sha256, b"other")

    with store.view() as view, pytest.raises(CorruptedContentError) as caught:
        view.packages.get_file(PDF.digest(), "run")

    assert caught.value.place == "run"


@pytest.mark.requirement("STO-3")
def test_the_same_bytes_take_up_room_once(url: str, store: SqlStore) -> None:
    twice = Package.of({"a": b"x", "b": PackageFile(b"x", executable=True), "c": b""})
    with store.begin() as transaction:
        transaction.packages.add([twice, PDF, twice])
        transaction.packages.add([PDF])
        transaction.commit()

    assert ask(url, "SELECT count(*) FROM contents") == [(4,)]
    assert ask(url, "SELECT count(*) FROM packages") == [(2,)]
    assert ask(url, "SELECT files, size FROM packages ORDER BY size") == [
        (3, 2),
        (2, PDF.size),
    ]


def _list_files(store: SqlStore) -> tuple[StoredFile, ...]:
    with store.view() as view:
        listing = view.packages.find(PDF.digest())
    assert listing
    return listing.files
