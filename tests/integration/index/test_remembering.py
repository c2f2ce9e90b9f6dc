"""What was read once is not read again, in one process and in the next."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from skillyard.adapters.index.directories import IndexedDirectories
from skillyard.application.ports.discovery import Root
from skillyard.domain.limits import WIDE
from skillyard.domain.resolution import Layer
from tests.integration.index.looking import (
    Opened,
    discover,
    find_one,
    later,
    make_index,
    make_skill,
    slugs,
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("docx", "pdf", "zip"):
        make_skill(tmp_path / "skills" / name)
    (tmp_path / "skills/pdf/manifest.json").write_text('{"confidence": "high"}')
    return tmp_path / "skills"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.mark.requirement("SRC-3")
def test_unchanged_files_are_not_read_again_in_one_process(root: Path, opened: Opened) -> None:
    directories = make_index(None)
    first = discover(root, directories=directories)
    assert opened.count("SKILL.md") == 3

    again = discover(root, directories=directories)

    assert opened.count("SKILL.md") == 0
    assert again.candidates == first.candidates
    assert again.listed[0].skills is first.listed[0].skills


@pytest.mark.requirement("SRC-3")
def test_unchanged_files_are_not_read_again_by_the_next_process(
    root: Path, cache: Path, opened: Opened
) -> None:
    (root / "broken").mkdir()
    (root / "broken/SKILL.md").write_text("nothing")
    first = discover(root, directories=make_index(cache))
    opened.names.clear()

    again = discover(root, directories=make_index(cache))

    assert opened.count("SKILL.md") == 0
    assert opened.count("manifest.json") == 0
    assert again.candidates == first.candidates
    assert again.findings == first.findings != ()


_NEXT = """
import sys
from skillyard.adapters.index.directories import IndexedDirectories
from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Layer
found = IndexedDirectories(sys.argv[2]).list_root(Root(Layer.PROJECT, sys.argv[1]))
print(*found.skills.slugs, "yaml" in sys.modules)
"""


@pytest.mark.requirement("SRC-3")
def test_the_next_process_does_not_even_load_the_parser(root: Path, cache: Path) -> None:
    discover(root, directories=make_index(cache))

    answer = subprocess.run(
        [sys.executable, "-c", _NEXT, str(root), str(cache)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert answer.stdout == "docx pdf zip False\n"


def edit(root: Path) -> None:
    make_skill(root / "pdf", description="Something else.")


def edit_keeping_time_and_size(root: Path) -> None:
    path = root / "pdf/SKILL.md"
    before = path.stat()
    path.write_text(path.read_text().replace("Use", "use"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(root: Path) -> None:
    make_skill(root / "new", "pdf", description="Something else.")
    (root / "new/SKILL.md").rename(root / "pdf/SKILL.md")
    (root / "new").rmdir()


def add_sidecar(root: Path) -> None:
    (root / "zip/manifest.json").write_text('{"confidence": "low"}')


def edit_sidecar(root: Path) -> None:
    (root / "pdf/manifest.json").write_text('{"confidence": "low"}')


def remove_sidecar(root: Path) -> None:
    (root / "pdf/manifest.json").unlink()


def add(root: Path) -> None:
    make_skill(root / "csv")


def add_at_root(root: Path) -> None:
    make_skill(root, "whole")


def remove(root: Path) -> None:
    (root / "zip/SKILL.md").unlink()


def rename(root: Path) -> None:
    (root / "zip").rename(root / "zap")


def swap(root: Path) -> None:
    (root / "zip").rename(root / "old")
    (root / "docx").rename(root / "zip")
    (root / "old").rename(root / "docx")


@pytest.mark.requirement("SRC-3")
@pytest.mark.parametrize(
    "change",
    [
        edit,
        edit_keeping_time_and_size,
        replace,
        add_sidecar,
        edit_sidecar,
        remove_sidecar,
        add,
        add_at_root,
        remove,
        rename,
        swap,
    ],
)
def test_a_change_is_seen_by_the_same_process_and_by_the_next(
    root: Path, cache: Path, change: Callable[[Path], None]
) -> None:
    directories = make_index(cache)
    discover(root, directories=directories)

    change(root)

    expected = discover(root)
    for index in (directories, make_index(cache)):
        found = discover(root, directories=index)
        assert found.candidates == expected.candidates
        assert found.findings == expected.findings


@pytest.mark.requirement("SRC-3")
def test_only_what_changed_is_read_again(root: Path, cache: Path, opened: Opened) -> None:
    discover(root, directories=make_index(cache))
    edit(root)
    opened.names.clear()

    discover(root, directories=make_index(cache))

    assert opened.count("SKILL.md") == 1


@pytest.mark.requirement("SRC-3")
def test_a_file_that_was_written_a_moment_ago_is_read_again(
    root: Path, cache: Path, opened: Opened
) -> None:
    discover(root, directories=IndexedDirectories(str(cache)))
    assert opened.count("SKILL.md") == 3

    discover(root, directories=make_index(cache))
    assert opened.count("SKILL.md") == 3

    discover(root, directories=make_index(cache))
    assert opened.count("SKILL.md") == 0


def test_a_time_in_the_future_does_not_make_a_file_be_read_every_time(
    root: Path, cache: Path, opened: Opened
) -> None:
    ahead = later() + 10**15
    os.utime(root / "pdf/SKILL.md", ns=(ahead, ahead))
    discover(root, directories=make_index(cache))
    opened.names.clear()

    discover(root, directories=make_index(cache))

    assert opened.count("SKILL.md") == 0


@pytest.mark.parametrize("content", [b"", b"{}", b"\n", b"skillyard", b"\xff" * 100, None])
def test_a_damaged_index_is_silently_made_anew(
    root: Path, cache: Path, content: bytes | None
) -> None:
    first = discover(root, directories=make_index(cache))
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] if content is None else content)

    again = discover(root, directories=make_index(cache))

    assert again.candidates == first.candidates
    assert file.read_bytes() == whole


def test_an_index_of_another_version_or_limit_or_trust_is_not_used(
    root: Path, cache: Path, opened: Opened
) -> None:
    path = str(cache)
    project = Root(Layer.PROJECT, str(root))
    for directories, place in (
        (IndexedDirectories(path, now=later), project),
        (IndexedDirectories(path, now=later, program="2"), project),
        (IndexedDirectories(path, now=later, program="2", limits=WIDE), project),
        (
            IndexedDirectories(path, now=later, program="2", limits=WIDE),
            Root(Layer.BUNDLED, str(root)),
        ),
    ):
        discover(place, directories=directories)
        assert opened.count("SKILL.md") == 3


def test_an_index_that_is_no_file_of_ours_is_not_used(root: Path, cache: Path) -> None:
    discover(root, directories=make_index(cache))
    (file,) = cache.iterdir()
    file.unlink()
    os.mkfifo(file)

    assert len(discover(root, directories=make_index(cache)).candidates) == 3
    assert file.is_file()


def test_a_cache_that_cannot_be_written_costs_time_only(root: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")

    assert len(discover(root, directories=make_index(taken)).candidates) == 3
    assert taken.read_text() == ""


def test_the_index_is_nobody_elses_to_read(root: Path, cache: Path) -> None:
    discover(root, directories=make_index(cache / "deep"))

    (file,) = (cache / "deep").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((cache / "deep").stat().st_mode) == 0o700


def test_what_a_killed_process_left_behind_is_swept(root: Path, cache: Path) -> None:
    cache.mkdir()
    old, new = cache / "a.tmp", cache / "b.tmp"
    for one in (old, new):
        one.write_text("")
    os.utime(old, (0, 0))

    discover(root, directories=make_index(cache))

    assert {one.suffix for one in cache.iterdir()} == {".tmp", ".index"}
    assert new.exists()
    assert not old.exists()


def test_many_at_once_do_not_disturb_each_other(root: Path, cache: Path) -> None:
    found: list[list[str]] = []
    begin = threading.Barrier(8)

    def look() -> None:
        begin.wait()
        found.extend(slugs(discover(root, directories=make_index(cache))) for _ in range(10))

    threads = [threading.Thread(target=look) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert found == [["docx", "pdf", "zip"]] * 80
    assert [one.suffix for one in cache.iterdir()] == [".index"]


def test_what_is_remembered_is_what_would_be_read(root: Path, cache: Path) -> None:
    extra = "version: 2.0.0\ntags: [a, b]\nproviders: {codex: link}\nmetadata:\n  requires: gh"
    make_skill(root / "docx", "other", description="Ünïcode\u202e", extra=extra)
    (root / "docx/manifest.json").write_text('{"agents": [], "requires": ["pdf"]}')
    fresh = discover(root, directories=make_index(cache))

    kept = discover(root, directories=make_index(cache))

    assert kept.candidates == fresh.candidates
    assert kept.findings == fresh.findings
    assert kept.candidates[0].agents == ()


def test_one_skill_is_found_without_any_cache(root: Path) -> None:
    assert find_one(root / "pdf").slug == "pdf"


def test_a_directory_in_the_place_of_a_sidecar_is_looked_at_once(
    root: Path, cache: Path, opened: Opened
) -> None:
    (root / "zip/manifest.json").mkdir()
    discover(root, directories=make_index(cache))
    opened.names.clear()

    again = discover(root, directories=make_index(cache))

    assert slugs(again) == ["docx", "pdf", "zip"]
    assert opened.count("SKILL.md") == 0


def test_a_disk_that_is_full_leaves_nothing_behind(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_staged: str, _path: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", fail)

    assert len(discover(root, directories=make_index(cache)).candidates) == 3
    assert list(cache.iterdir()) == []
