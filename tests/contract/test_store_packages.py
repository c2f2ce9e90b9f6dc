"""What a store promises about contents."""

import hashlib

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.skill import PackageListing, StoredFile
from skillyard.testing.packages import make_package
from tests.contract.conftest import Spoil
from tests.contract.making import OTHER_PDF, PDF

SCRIPT = PackageFile(b"#!/bin/sh\necho ok\n", executable=True)
BINARY = bytes(range(256))
WIDE = make_package(
    "wide",
    files={
        "scripts/run.sh": SCRIPT,
        "scripts/RUN": b"plain words",
        "assets/logo.png": BINARY,
        "assets/data": BINARY,
        "assets/empty.txt": b"",
        "references/größe.md": "größe",
        "references/\U0001f4c4.md": "emoji",
        "references/\uffe5.md": "wide yen",
        "Z.json": "{}",
    },
)
NOWHERE = TreeDigest(f"sha256:{'0' * 64}")


def add(store: Store, *packages: Package) -> None:
    with store.begin() as transaction:
        transaction.packages.add(packages)
        transaction.commit()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.mark.requirement("STO-3")
def test_a_package_comes_back_with_every_byte_and_bit(store: Store) -> None:
    add(store, WIDE)

    with store.view() as view:
        found = view.packages.get(WIDE.digest())
        assert found == WIDE
        assert list(found) == list(WIDE)
        assert found.digest() == WIDE.digest()


@pytest.mark.requirement("STO-3")
def test_a_listing_says_everything_but_the_contents(store: Store) -> None:
    package = Package.of(
        {
            "b/run.sh": SCRIPT,
            "SKILL.md": "# Hi\n",
            "a.bin": b"\xff\xfe",
            "README": "words",
            "B.PNG": b"",
            "a/é.py": "1",
        }
    )
    add(store, package)

    with store.view() as view:
        assert view.packages.find(package.digest()) == PackageListing(
            package.digest(),
            (
                StoredFile("B.PNG", sha256(b""), 0, "image/png"),
                StoredFile("README", sha256(b"words"), 5, "text/plain"),
                StoredFile("SKILL.md", sha256(b"# Hi\n"), 5, "text/markdown"),
                StoredFile("a.bin", sha256(b"\xff\xfe"), 2, "application/octet-stream"),
                StoredFile("a/é.py", sha256(b"1"), 1, "text/x-python"),
                StoredFile(
                    "b/run.sh", sha256(SCRIPT.content), 18, "application/x-sh", executable=True
                ),
            ),
        )


@pytest.mark.requirement("STO-3")
def test_a_listing_stands_in_the_order_of_the_bytes_of_paths(store: Store) -> None:
    add(store, WIDE)

    with store.view() as view:
        listing = view.packages.find(WIDE.digest())
        assert listing is not None
        assert [one.path for one in listing.files] == list(WIDE)
        assert listing.size == WIDE.size


@pytest.mark.requirement("STO-3")
def test_one_content_has_the_type_of_each_name_it_has(store: Store) -> None:
    package = make_package(files={"a.json": "{}", "a.md": "{}", "a": "{}"})
    add(store, package)

    with store.view() as view:
        listing = view.packages.find(package.digest())
        assert listing is not None
        assert {one.path: one.content_type for one in listing.files} == {
            "SKILL.md": "text/markdown",
            "a": "text/plain",
            "a.json": "application/json",
            "a.md": "text/markdown",
        }


@pytest.mark.requirement("STO-3")
def test_a_file_can_be_had_alone(store: Store) -> None:
    add(store, WIDE)

    with store.view() as view:
        found = {path: view.packages.get_file(WIDE.digest(), path) for path in WIDE}
        assert found == dict(WIDE.files)


def test_a_file_that_is_not_there_is_none(store: Store) -> None:
    add(store, WIDE, PDF)

    with store.view() as view:
        assert view.packages.get_file(PDF.digest(), "scripts/run.sh") is None
        assert view.packages.get_file(WIDE.digest(), "scripts") is None
        assert view.packages.get_file(WIDE.digest(), "skill.md") is None
        assert view.packages.get_file(NOWHERE, "SKILL.md") is None


def test_a_package_that_is_not_there_has_no_listing_and_cannot_be_had(store: Store) -> None:
    add(store, PDF)

    with store.view() as view:
        assert view.packages.find(NOWHERE) is None
        with pytest.raises(CorruptedContentError) as caught:
            view.packages.get(NOWHERE)
    assert caught.value.code == "corrupted-content"


@pytest.mark.requirement("STO-3")
def test_what_is_there_already_is_left_as_it_is(store: Store) -> None:
    add(store, PDF, PDF)
    add(store, OTHER_PDF, PDF)
    add(store)

    with store.view() as view:
        assert list(view.packages.iter_digests()) == sorted([PDF.digest(), OTHER_PDF.digest()])
        assert view.packages.get(PDF.digest()) == PDF
        assert view.packages.get(OTHER_PDF.digest()) == OTHER_PDF


def test_packages_may_come_from_an_iterator(store: Store) -> None:
    with store.begin() as transaction:
        transaction.packages.add(iter([PDF, OTHER_PDF]))
        transaction.commit()

    with store.view() as view:
        assert view.packages.get(OTHER_PDF.digest()) == OTHER_PDF


@pytest.mark.requirement("STO-3")
def test_packages_that_differ_in_a_bit_or_a_name_only_are_kept_apart(store: Store) -> None:
    plain = make_package(files={"run": PackageFile(b"ls")})
    runnable = make_package(files={"run": PackageFile(b"ls", executable=True)})
    renamed = make_package(files={"walk": PackageFile(b"ls")})
    add(store, plain, runnable, renamed)

    with store.view() as view:
        for package in (plain, runnable, renamed):
            assert view.packages.get(package.digest()) == package


def test_digests_come_in_their_order(store: Store) -> None:
    packages = [make_package(body=f"Step {number}.\n") for number in range(12)]
    add(store, *packages)

    with store.view() as view:
        assert list(view.packages.iter_digests()) == sorted(one.digest() for one in packages)


@pytest.mark.requirement("STO-3")
def test_bytes_that_changed_in_the_store_are_never_given_out(store: Store, spoil: Spoil) -> None:
    add(store, WIDE)
    spoil(sha256(SCRIPT.content), b"#!/bin/sh\nrm -r ~\n")

    with store.view() as view:
        with pytest.raises(CorruptedContentError):
            view.packages.get(WIDE.digest())
        with pytest.raises(CorruptedContentError):
            view.packages.get_file(WIDE.digest(), "scripts/run.sh")


@pytest.mark.requirement("STO-3")
def test_bytes_that_changed_spoil_no_other_file(store: Store, spoil: Spoil) -> None:
    add(store, WIDE, PDF)
    spoil(sha256(SCRIPT.content), b"")

    with store.view() as view:
        assert view.packages.get_file(WIDE.digest(), "assets/data") == PackageFile(BINARY)
        assert view.packages.get(PDF.digest()) == PDF


@pytest.mark.requirement("STO-3")
def test_one_content_of_many_packages_is_kept_once(store: Store, spoil: Spoil) -> None:
    """One place in the store is spoilt, and both packages notice."""
    one, other = (
        make_package("one", files={"run": SCRIPT}),
        make_package("other", files={"walk": SCRIPT}),
    )
    add(store, one)
    add(store, other)
    spoil(sha256(SCRIPT.content), b"")

    with store.view() as view:
        for package in (one, other):
            with pytest.raises(CorruptedContentError):
                view.packages.get(package.digest())
