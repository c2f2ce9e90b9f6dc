"""A package is a value: its files, in one order, with checked paths."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import UnsafePathError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath

FILES = st.dictionaries(
    st.from_regex(r"[a-m]{1,3}(/[a-m]{1,3}){0,2}", fullmatch=True),
    st.builds(PackageFile, st.binary(max_size=4), st.booleans()),
    max_size=5,
)


def test_plain_contents_become_files_that_cannot_be_executed() -> None:
    package = Package.of({"b": "é", "a": b"1", "c": PackageFile(b"", executable=True)})

    assert dict(package.files) == {
        "a": PackageFile(b"1", executable=False),
        "b": PackageFile(b"\xc3\xa9", executable=False),
        "c": PackageFile(b"", executable=True),
    }


@pytest.mark.requirement("PKG-7")
def test_files_stand_in_the_order_of_their_paths_bytes() -> None:
    package = Package.of({"é": "", "a/b": "", "a.b": "", "Z": "", "\U0001f600": "", "\uff0d": ""})

    assert list(package) == ["Z", "a.b", "a/b", "é", "\uff0d", "\U0001f600"]


@pytest.mark.requirement("PKG-8")
@pytest.mark.parametrize("path", ["../a", "/a", "a//b", "con", "a\u202eb", ""])
def test_a_path_that_may_not_stand_in_a_package_is_refused(path: str) -> None:
    with pytest.raises(UnsafePathError) as caught:
        Package.of({path: ""})

    assert caught.value.code == "unsafe-path"
    assert caught.value.path == path


def test_a_package_knows_its_skill_md_and_its_size() -> None:
    assert Package.of({"SKILL.md": "abc", "a": "de"}).skill_md == b"abc"
    assert Package.of({"SKILL.md": "abc", "a": "de"}).size == 5
    assert Package.of({"skill.md": "abc"}).skill_md is None
    assert Package.of({}).size == 0


def test_a_package_cannot_be_changed() -> None:
    package = Package.of({"a": "1"})

    with pytest.raises(TypeError):
        package.files[PackagePath("b")] = PackageFile(b"")  # type: ignore[index]


@given(FILES, st.data())
def test_packages_with_equal_files_are_equal_and_travel(
    files: dict[str, PackageFile], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(list(files.items())))

    package, other = Package.of(files), Package.of(dict(shuffled))

    assert package == other
    assert list(package) == list(other)
    assert hash(package) == hash(other)
    assert package.digest() == other.digest()
    assert pickle.loads(pickle.dumps(package)) == package  # noqa: S301 (our own bytes)


@given(FILES, FILES)
def test_packages_are_equal_if_and_only_if_their_digests_are(
    one: dict[str, PackageFile], other: dict[str, PackageFile]
) -> None:
    assert (Package.of(one) == Package.of(other)) is (
        Package.of(one).digest() == Package.of(other).digest()
    )
