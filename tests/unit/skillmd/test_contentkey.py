"""Copies that installers have marked are recognised, and nothing else is."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.contentkey import content_key, is_provenance
from tests.unit.skillmd.checking import BODY, GOOD, skill_md

pytestmark = pytest.mark.requirement("PKG-7")

PROVENANCE = (
    "  github-repo: https://github.com/a/b\n  github-ref: refs/heads/main\n"
    "  github-tree-sha: 0123456789abcdef0123456789abcdef01234567\n  github-path: skills/pdf\n"
)


def key(content: str | bytes) -> str:
    return str(content_key(Package.of({"SKILL.md": content})))


ORIGINAL = key(skill_md())


@pytest.mark.parametrize(
    "content",
    [
        skill_md(f"{GOOD}metadata:\n{PROVENANCE}"),
        skill_md(f"{GOOD}metadata:\n  local-path: /home/a/pdf\n"),
        skill_md(f"{GOOD}metadata:\n"),
        skill_md(f"{GOOD}metadata: {{}}\n"),
        skill_md("".join(f"{line}\n" for line in reversed(GOOD.splitlines()))),
        skill_md(GOOD.replace("pdf", "'pdf'") + "# a comment\n"),
        skill_md().replace("\n", "\r\n"),
        "\ufeff" + skill_md(),
        skill_md(body=f"\n{BODY}\n\n"),
    ],
)
def test_what_installers_and_editors_leave_behind_does_not_count(content: str) -> None:
    assert key(content) == ORIGINAL
    assert (
        Package.of({"SKILL.md": content}).digest() != Package.of({"SKILL.md": skill_md()}).digest()
    )


def test_other_metadata_counts() -> None:
    marked = f"{GOOD}metadata:\n  author: a\n{PROVENANCE}"

    assert key(skill_md(marked)) == key(skill_md(f"{GOOD}metadata:\n  author: a\n"))
    assert key(skill_md(marked)) != ORIGINAL
    assert key(skill_md(f"{GOOD}metadata: text\n")) != ORIGINAL


@pytest.mark.parametrize(
    "content",
    [
        skill_md(body=f"{BODY}\nMore.\n"),
        skill_md(GOOD.replace("Fills", "Fill")),
        skill_md(f"{GOOD}license: MIT\n"),
        skill_md(f"{GOOD}github-repo: x\n"),
        skill_md().replace("---\n", "", 1),
    ],
)
def test_any_other_change_gives_another_key(content: str) -> None:
    assert key(content) != ORIGINAL


def test_files_beside_it_count_byte_for_byte() -> None:
    keys = {
        content_key(Package.of({"SKILL.md": skill_md(), **beside}))
        for beside in (
            {},
            {"a.md": "a"},
            {"a.md": "b"},
            {"b.md": "a"},
            {"a.md": PackageFile(b"a", executable=True)},
        )
    }

    assert len(keys) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"---\nname: a\n---\nB\xff\n", b"---\nname: a\n---\nB\xfe\n"),
        (b"---\nname: a\nname: b\n---\n", b"---\nname: c\nname: b\n---\n"),
        (b"---\nname: *a\n---\n", b"---\nname: *b\n---\n"),
        (b"---\nname: !a b\n---\n", b"---\nname: !c b\n---\n"),
        (b"---\n? [a]\n: b\n---\n", b"---\n? [c]\n: b\n---\n"),
        (b"---\na: b: c\n---\n", b"---\na: b: d\n---\n"),
        (b"---\nname: a\n---\nB\n", b'{"name": "a"}\nB\n'),
        (b"---\nname: a b\n---\n", b"---\nname: [a, b]\n---\n"),
    ],
)
def test_what_cannot_be_read_without_a_loss_counts_byte_for_byte(one: bytes, other: bytes) -> None:
    assert key(one) != key(other)


def test_a_package_without_skill_md_has_its_digest_as_key() -> None:
    package = Package.of({"README.md": "a"})

    assert content_key(package) == package.digest()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("github-repo", True),
        ("github-anything", True),
        ("local-path", True),
        ("github", False),
        ("author", False),
        ("local-path-2", False),
    ],
)
def test_provenance_is_known_by_its_name(name: str, *, expected: bool) -> None:
    assert is_provenance(name) is expected


BODIES = st.text(alphabet="ab# -\n", max_size=20)
METADATA = st.dictionaries(
    st.sampled_from(["author", "version", "tags"]), st.sampled_from(["a", "b"]), max_size=3
)
MARKS = st.dictionaries(
    st.sampled_from(["github-repo", "github-ref", "github-x", "local-path"]),
    st.sampled_from(["a", "b"]),
    max_size=4,
)


def written(metadata: dict[str, str]) -> str:
    lines = "".join(f"  {name}: {value}\n" for name, value in metadata.items())
    return GOOD + (f"metadata:\n{lines}" if lines else "")


@given(BODIES, METADATA, MARKS, st.data())
def test_marks_never_change_the_key(
    body: str, metadata: dict[str, str], marks: dict[str, str], data: st.DataObject
) -> None:
    both = dict(data.draw(st.permutations([*metadata.items(), *marks.items()])))

    assert key(skill_md(written(both), body)) == key(skill_md(written(metadata), body))


@given(BODIES, BODIES)
def test_another_body_is_another_key(one: str, other: str) -> None:
    assume(one.strip("\n") != other.strip("\n"))

    assert key(skill_md(body=one)) != key(skill_md(body=other))
