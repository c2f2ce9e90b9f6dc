"""The difference of two packages tells every change, and takes bounded time to find."""

import hashlib
import re
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from skillyard.domain.difference import (
    MOST_BYTES,
    Change,
    ContentChange,
    FileDifference,
    PackageDifference,
    compare_packages,
    render_difference,
)
from skillyard.domain.package import Package, PackageFile

pytestmark = pytest.mark.requirement("STO-4")

PATHS = st.sampled_from(["SKILL.md", "a.txt", "b c.txt", "é.txt", "scripts/run.py"])
LINES = st.sampled_from(["", "\n", "a\n", "b\n", "c\r\n", "d\u2028\n", "\x0c\n", "\n\n", "a\n" * 9])
TEXTS = st.builds(
    "{}{}".format, st.lists(LINES, max_size=12).map("".join), st.sampled_from(["", "a"])
)
CONTENTS = TEXTS.map(str.encode) | st.binary(max_size=4)
FILES = st.builds(PackageFile, CONTENTS, st.booleans())
PACKAGES = st.dictionaries(PATHS, FILES).map(Package.of)

Files = Mapping[str, PackageFile | bytes | str]


def compare(before: Files, after: Files) -> PackageDifference:
    return compare_packages(Package.of(before), Package.of(after))


def render(before: Files, after: Files) -> str:
    return render_difference(compare(before, after), before_label="1.0.0", after_label="1.1.0")


def compare_texts(before: str, after: str) -> tuple[str, ...]:
    (file,) = compare({"a": before}, {"a": after}).files
    return file.lines


def test_a_difference_reads_like_one_of_git() -> None:
    before: Files = {
        "SKILL.md": "".join(f"line {number}\n" for number in range(1, 21)),
        "gone.txt": "one\ntwo\n",
        "scripts/run.sh": "echo\n",
        "same.txt": "same\n",
    }
    after: Files = {
        "SKILL.md": "".join(
            f"line {number}{'!' * (number in {2, 18})}\n" for number in range(1, 21)
        ),
        "new file.txt": "only line",
        "scripts/run.sh": PackageFile(b"echo\n", executable=True),
        "same.txt": "same\n",
    }

    assert render(before, after) == snapshot("""\
diff --git 1.0.0/SKILL.md 1.1.0/SKILL.md
--- 1.0.0/SKILL.md
+++ 1.1.0/SKILL.md
@@ -1,5 +1,5 @@
 line 1
-line 2
+line 2!
 line 3
 line 4
 line 5
@@ -15,6 +15,6 @@
 line 15
 line 16
 line 17
-line 18
+line 18!
 line 19
 line 20
diff --git 1.0.0/gone.txt 1.1.0/gone.txt
deleted file mode 100644
--- 1.0.0/gone.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
diff --git 1.0.0/new file.txt 1.1.0/new file.txt
new file mode 100644
--- /dev/null
+++ 1.1.0/new file.txt\t
@@ -0,0 +1 @@
+only line
\\ No newline at end of file
diff --git 1.0.0/scripts/run.sh 1.1.0/scripts/run.sh
old mode 100644
new mode 100755
""")


def test_of_a_file_that_is_no_text_size_and_hash_are_told() -> None:
    assert render({"a.bin": b"\0", "b.bin": b"\xff"}, {"a.bin": b"\0\0", "c.bin": b"\xfe"}) == (
        snapshot("""\
diff --git 1.0.0/a.bin 1.1.0/a.bin
Binary files 1.0.0/a.bin and 1.1.0/a.bin differ
  before: 1 byte, sha256:6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
  after: 2 bytes, sha256:96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7
diff --git 1.0.0/b.bin 1.1.0/b.bin
deleted file mode 100644
Binary files 1.0.0/b.bin and /dev/null differ
  before: 1 byte, sha256:a8100ae6aa1940d0b663bb31cd466142ebbdbd5187131b92d93818987832eb89
diff --git 1.0.0/c.bin 1.1.0/c.bin
new file mode 100644
Binary files /dev/null and 1.1.0/c.bin differ
  after: 1 byte, sha256:aa687b58b0e73e2e383f8c500d75b591e188efe0168b3ffbcd3771caaa6dd4c7
""")
    )


def test_of_a_text_beyond_the_bound_no_lines_are_shown() -> None:
    most, more = "x" * MOST_BYTES, "x" * (MOST_BYTES + 1)

    (shown,) = compare({"a": ""}, {"a": most}).files
    (hidden,) = compare({"a": ""}, {"a": more}).files

    assert (shown.content, shown.lines) == (
        ContentChange.TEXT,
        ("@@ -0,0 +1 @@", f"+{most}", "\\ No newline at end of file"),
    )
    assert (hidden.content, hidden.lines) == (ContentChange.TOO_LARGE, ())
    assert render({"a": ""}, {"a": more}) == (
        "diff --git 1.0.0/a 1.1.0/a\n"
        "Too large to show: 1.0.0/a and 1.1.0/a differ\n"
        f"  before: 0 bytes, sha256:{hashlib.sha256().hexdigest()}\n"
        f"  after: 1,048,577 bytes, sha256:{hashlib.sha256(more.encode()).hexdigest()}\n"
    )


def test_an_empty_file_comes_and_goes_without_lines() -> None:
    assert render({"a": ""}, {"b": PackageFile(b"", executable=True)}) == (
        "diff --git 1.0.0/a 1.1.0/a\ndeleted file mode 100644\n"
        "diff --git 1.0.0/b 1.1.0/b\nnew file mode 100755\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a", "a\n", ("-a", "\\ No newline at end of file", "+a")),
        ("a\n", "a", ("-a", "+a", "\\ No newline at end of file")),
        ("a\r\n", "a\n", ("-a\r", "+a")),
        ("a\u2028b\n", "a\x0cb\n", ("-a\u2028b", "+a\x0cb")),
        ("\x1b[31m\n", "b\n", ("-\x1b[31m", "+b")),
    ],
)
def test_a_line_is_kept_as_it_is(before: str, after: str, lines: tuple[str, ...]) -> None:
    assert compare_texts(before, after) == ("@@ -1 +1 @@", *lines)


def test_one_changed_line_in_a_large_file_is_one_small_hunk() -> None:
    numbers = [f"{number}\n" for number in range(50_000)]
    changed = [*numbers[:30_000], "new\n", *numbers[30_001:]]

    assert compare_texts("".join(numbers), "".join(changed)) == (
        "@@ -29998,7 +29998,7 @@",
        *(" 29997", " 29998", " 29999"),
        *("-30000", "+new"),
        *(" 30001", " 30002", " 30003"),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x\n" * 5000, "y\nx\n" * 99),
        ("".join(f"{n}\n" for n in range(50_000)), "".join(f"{-n}\n" for n in range(50_000))),
        ("\n" * 100_000, "x" + "\n" * 50_000 + "y"),
    ],
)
def test_files_made_to_be_slow_are_shown_as_one_piece(before: str, after: str) -> None:
    kept = [line for line in compare_texts(before, after)[1:] if line[0] == " "]

    assert len(kept) <= 6


def test_the_effort_is_one_for_all_files() -> None:
    before = {f"{number:03}": "x\n" * 500 for number in range(5)}
    after = dict.fromkeys(before, "y\n" + "x\ny\n" * 99)

    compared = compare(before, after)
    first, last = compared.files[0].lines, compared.files[-1].lines

    assert sum(line == " x" for line in first) == 99
    assert sum(line == " x" for line in last) == 0


def test_files_stand_in_the_order_of_their_paths_bytes() -> None:
    names = ["z", "Z", "é", "\U0001f600", "\uff01", "a/b", "a-b"]

    compared = compare({}, dict.fromkeys(names, "x"))

    assert [file.path for file in compared.files] == sorted(names, key=str.encode)


def test_a_difference_can_be_had_as_json() -> None:
    script = PackageFile(b"b\n", executable=True)

    def facts(content: bytes, *, executable: bool = False) -> dict[str, object]:
        sha256 = hashlib.sha256(content).hexdigest()
        return {"size": 2, "sha256": sha256, "executable": executable}

    assert compare({"a": "a\n", "b": "b\n"}, {"b": script}).to_json() == {
        "files": [
            {
                "path": "a",
                "change": "removed",
                "before": facts(b"a\n"),
                "after": None,
                "content": "text",
                "lines": ["@@ -1 +0,0 @@", "-a"],
            },
            {
                "path": "b",
                "change": "changed",
                "before": facts(b"b\n"),
                "after": facts(b"b\n", executable=True),
                "content": "none",
                "lines": [],
            },
        ]
    }


@given(PACKAGES)
def test_equal_packages_have_an_empty_difference(package: Package) -> None:
    again = Package.from_checked(package.files.items())

    assert compare_packages(package, again) == PackageDifference()
    assert compare_packages(package, again).is_empty


@given(PACKAGES, PACKAGES)
def test_every_change_is_told_and_nothing_else(before: Package, after: Package) -> None:
    compared = compare_packages(before, after)
    changes = {file.path: file.change for file in compared.files}

    assert compared.is_empty is (before.digest() == after.digest())
    assert changes == {
        path: Change.ADDED
        if path not in before.files
        else Change.REMOVED
        if path not in after.files
        else Change.CHANGED
        for path in {*before, *after}
        if before.files.get(path) != after.files.get(path)
    }


@given(TEXTS, TEXTS)
def test_the_lines_lead_from_the_one_text_to_the_other(before: str, after: str) -> None:
    for file in compare({"a": before}, {"a": after}).files:
        assert apply_lines(before, file) == after


def apply_lines(before: str, file: FileDifference) -> str:
    """Patch a text as `patch` would; the place of each hunk and the lines around it must fit."""
    old, new, at = re.findall(r"[^\n]*\n|[^\n]+", before), list[str](), 0
    for line, following in pairwise((*file.lines, "")):
        text = line[1:] + ("" if following.startswith("\\") else "\n")
        if line.startswith("@@"):
            start, _, length = line.split()[1][1:].partition(",")
            new += old[at : int(start) - (length != "0")]
            at = int(start) - (length != "0")
        if line[0] in " -":
            assert old[at] == text
            at += 1
        if line[0] in " +":
            new.append(text)
    return "".join([*new, *old[at:]])
