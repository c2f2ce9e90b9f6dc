"""A cache on a disk gives what it was given, whatever becomes of its files."""

import errno
import fcntl
import json
import os
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from skillyard.adapters.cache.disk import DiskCache
from skillyard.application.ports.cache import SweptCache
from skillyard.domain.errors import StorageUnavailableError
from skillyard.domain.package import Package, PackageFile
from skillyard.testing.clock import FixedClock
from skillyard.testing.packages import make_package

KILLS = 60
PACKAGE = make_package(
    "pdf",
    files={
        "scripts/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
        "scripts/deep/logo.bin": bytes(range(256)) * 20,
        "references/forms.md": "Forms.\n",
    },
)
DIGEST = PACKAGE.digest()
PATHS = [str(path) for path in PACKAGE]
STEPS = ["open", "mkdir", "write", "fchmod", "rename", "utime"]


def never() -> Package:
    raise AssertionError


def give() -> Package:
    return PACKAGE


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def cache(place: Path, clock: FixedClock) -> DiskCache:
    return DiskCache(place, clock=clock)


@pytest.fixture
def entry(place: Path, cache: DiskCache) -> Path:
    """Give the directory of the package, which has been filled."""
    cache.get(DIGEST, give)
    return find_entry(place)


def find_entry(place: Path) -> Path:
    name = DIGEST.text.removeprefix("sha256:")
    return place / "sha256" / name[:2] / name


def list_stages(place: Path) -> list[str]:
    return sorted(path.name for path in (place / "staging").iterdir())


def modes_of(entry: Path) -> dict[str, int]:
    return {
        path.relative_to(entry).as_posix(): stat.S_IMODE(path.lstat().st_mode)
        for path in [entry, *entry.rglob("*")]
    }


@contextmanager
def writable(*paths: Path) -> Iterator[None]:
    """Let directories be written to, as one who tampers does."""
    for path in paths:
        path.chmod(0o755)
    yield
    for path in paths:
        with suppress(FileNotFoundError):
            path.chmod(0o555)


def require_refilled(cache: DiskCache, place: Path) -> None:
    """See that the damage is noticed, and mended by the next one who asks."""
    asked: list[str] = []

    def fill() -> Package:
        asked.append("filled")
        return PACKAGE

    assert cache.get(DIGEST, fill) == PACKAGE
    assert asked == ["filled"]
    assert cache.get(DIGEST, never) == PACKAGE
    assert list_stages(place) == []
    assert set(modes_of(find_entry(place)).values()) == {0o444, 0o555}


# How it stands there


@pytest.mark.requirement("DEL-3", "SYN-1")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_an_entry_is_read_only_under_every_umask(cache: DiskCache, place: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        place.mkdir(mode=0o777)
        place.chmod(0o755)
        for name in ("sha256", "staging"):
            (place / name).mkdir()
            (place / name).chmod(0o755)
        cache.get(DIGEST, give)
    finally:
        os.umask(before)

    if umask != 0o277:  # that one takes from us what we make ourselves
        assert modes_of(find_entry(place)) == {
            ".": 0o555,
            "SKILL.md": 0o444,
            "references": 0o555,
            "references/forms.md": 0o444,
            "scripts": 0o555,
            "scripts/deep": 0o555,
            "scripts/deep/logo.bin": 0o444,
            "scripts/run.sh": 0o555,
        }
    assert cache.get(DIGEST, give) == PACKAGE


def test_the_cache_may_be_a_link_that_the_user_made(
    tmp_path: Path, place: Path, cache: DiskCache
) -> None:
    (tmp_path / "elsewhere").mkdir()
    place.symlink_to(tmp_path / "elsewhere")

    assert cache.get(DIGEST, give) == cache.get(DIGEST, never) == PACKAGE
    assert find_entry(tmp_path / "elsewhere").is_dir()


# Damage


@pytest.mark.requirement("SYN-1")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("byte", [0, -1])
def test_a_flipped_bit_is_noticed(
    cache: DiskCache, place: Path, entry: Path, path: str, byte: int
) -> None:
    file = entry / path
    mode = stat.S_IMODE(file.stat().st_mode)
    content = bytearray(file.read_bytes())
    content[byte] ^= 1
    file.chmod(0o644)
    file.write_bytes(content)
    file.chmod(mode)

    require_refilled(cache, place)


@pytest.mark.parametrize("path", PATHS)
def test_a_missing_file_is_noticed(cache: DiskCache, place: Path, entry: Path, path: str) -> None:
    file = entry / path
    with writable(file.parent):
        file.unlink()

    require_refilled(cache, place)


@pytest.mark.parametrize("path", PATHS)
def test_a_link_to_the_same_content_is_noticed(
    cache: DiskCache, place: Path, entry: Path, tmp_path: Path, path: str
) -> None:
    file = entry / path
    shutil.copy2(file, tmp_path / "same")
    with writable(file.parent):
        file.unlink()
        file.symlink_to(tmp_path / "same")

    require_refilled(cache, place)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("mode", [0o644, 0o555, 0o444, 0o4555, 0o400])
def test_another_mode_is_noticed(
    cache: DiskCache, place: Path, entry: Path, path: str, mode: int
) -> None:
    file = entry / path
    if stat.S_IMODE(file.stat().st_mode) == mode:
        mode = 0o000
    file.chmod(mode)

    require_refilled(cache, place)


@pytest.mark.parametrize("parent", [".", "scripts", "scripts/deep"])
@pytest.mark.parametrize("kind", ["file", "directory", "link", "pipe"])
def test_something_besides_is_noticed(
    cache: DiskCache, place: Path, entry: Path, parent: str, kind: str
) -> None:
    made = entry / parent / "more"
    with writable(made.parent):
        match kind:
            case "file":
                made.touch(0o444)
            case "directory":
                made.mkdir(0o555)
            case "link":
                made.symlink_to("SKILL.md")
            case _:
                os.mkfifo(made)

    require_refilled(cache, place)


@pytest.mark.parametrize("path", ["scripts", "scripts/deep"])
@pytest.mark.parametrize("mode", [0o755, 0o000, 0o700])
def test_a_directory_of_another_mode_is_noticed(
    cache: DiskCache, place: Path, entry: Path, path: str, mode: int
) -> None:
    (entry / path).chmod(mode)

    require_refilled(cache, place)


@pytest.mark.parametrize("kind", ["link", "file", "pipe", "nowhere"])
def test_an_entry_that_is_no_directory_is_replaced_and_nothing_is_followed(
    cache: DiskCache, place: Path, entry: Path, tmp_path: Path, kind: str
) -> None:
    entry.chmod(0o755)
    entry.rename(tmp_path / "moved")
    before = modes_of(tmp_path / "moved")
    match kind:
        case "link":
            entry.symlink_to(tmp_path / "moved")
        case "nowhere":
            entry.symlink_to(tmp_path / "nowhere")
        case "file":
            entry.write_text("no directory")
        case _:
            os.mkfifo(entry)

    require_refilled(cache, place)
    assert modes_of(tmp_path / "moved") == before


def test_a_name_that_is_no_text_is_noticed(cache: DiskCache, place: Path, entry: Path) -> None:
    with writable(entry):
        (entry / os.fsdecode(b"\xff")).touch(0o444)

    require_refilled(cache, place)


def test_a_huge_file_is_not_read(
    cache: DiskCache, place: Path, entry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = entry / "SKILL.md"
    file.chmod(0o644)
    os.truncate(file, 2**40)
    file.chmod(0o444)
    most: list[int] = []
    read = os.read

    def look_and_read(descriptor: int, size: int) -> bytes:
        most.append(size)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", look_and_read)

    require_refilled(cache, place)
    assert max(most) < 2**20


@pytest.mark.usefixtures("entry")
def test_a_disk_that_answers_in_pieces_is_read_to_the_end(
    cache: DiskCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, size: read(descriptor, min(size, 100)))

    assert cache.get(DIGEST, never) == PACKAGE


@pytest.mark.usefixtures("entry")
def test_a_file_that_shrinks_while_it_is_read_is_noticed(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", lambda *_: b"")
        assert cache.get(DIGEST, give) == PACKAGE

    assert cache.get(DIGEST, never) == PACKAGE
    assert list_stages(place) == []


def test_very_many_files_are_not_read(cache: DiskCache, place: Path, entry: Path) -> None:
    with writable(entry):
        for number in range(4200):
            (entry / f"{number}.md").touch(0o444)

    require_refilled(cache, place)


def test_a_tree_without_end_is_not_read(cache: DiskCache, place: Path, entry: Path) -> None:
    with writable(entry):
        (entry / ("x/" * 60)).mkdir(parents=True)

    require_refilled(cache, place)


def test_an_entry_whose_filler_died_before_the_last_step_is_used_and_closed(
    cache: DiskCache, entry: Path
) -> None:
    entry.chmod(0o700)

    assert cache.get(DIGEST, never) == PACKAGE
    assert stat.S_IMODE(entry.stat().st_mode) == 0o555


def test_a_package_beyond_every_limit_is_given_though_it_cannot_be_kept(cache: DiskCache) -> None:
    big = Package.of({f"{number}.bin": b"\0" * 2**20 for number in range(20)})

    assert cache.get(big.digest(), lambda: big) == big
    assert cache.get(big.digest(), lambda: big) == big


# Where nothing can be kept


def test_without_a_place_it_gives_what_it_is_given(tmp_path: Path, clock: FixedClock) -> None:
    (tmp_path / "file").touch()
    cache = DiskCache(tmp_path / "file" / "cache", clock=clock)

    assert cache.get(DIGEST, give) == PACKAGE
    assert cache.sweep(unused_seconds=0, in_use=frozenset()) == SweptCache(0, 0, 0)
    with pytest.raises(StorageUnavailableError):
        cache.lay_down(DIGEST, give)


@pytest.mark.requirement("SYN-1")
def test_on_a_full_disk_it_gives_what_it_is_given_and_leaves_nothing(
    cache: DiskCache, place: Path
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        given = cache.get(DIGEST, give)
        with pytest.raises(StorageUnavailableError) as caught:
            cache.lay_down(DIGEST, give)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert given == PACKAGE
    assert caught.value.message.endswith("cannot be used: File too large")
    assert not find_entry(place).exists()
    assert list_stages(place) == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_whatever_step_is_refused_it_gives_what_it_is_given(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch, step: str, number: int
) -> None:
    call = getattr(os, step)
    for at in range(1, 50):
        calls: list[int] = []

        def fail_or_call(*arguments: Any, _at: int = at, **keywords: Any) -> Any:  # noqa: ANN401
            calls.append(1)  # noqa: B023 - it is used within this round
            if len(calls) == _at:  # noqa: B023
                raise OSError(number, os.strerror(number))
            return call(*arguments, **keywords)

        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail_or_call)
            assert cache.get(DIGEST, give) == PACKAGE
        assert cache.get(DIGEST, give) == PACKAGE
        cache.sweep(unused_seconds=-1, in_use=frozenset())
        assert list_stages(place) == []
        if len(calls) < at:
            return
    pytest.fail("it never came to an end")


def test_another_users_entry_is_served_and_not_touched(
    cache: DiskCache, entry: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only root gives files away; who may not touch them gets this from the system.
    def refuse(*_arguments: object, **_keywords: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    clock.advance(1e6)
    entry.chmod(0o755)
    monkeypatch.setattr(os, "utime", refuse)
    monkeypatch.setattr(os, "fchmod", refuse)

    assert cache.get(DIGEST, never) == PACKAGE


# The directory itself


LAY_DOWN = """
import os, sys
from pathlib import Path
from skillyard.adapters.cache.disk import DiskCache
from skillyard.testing.clock import FixedClock
from skillyard.testing.packages import make_package

place, change = Path(sys.argv[1]), sys.argv[2]
if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.chown(place, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
package = make_package("pdf", files={"scripts/run.sh": "#!/bin/sh"})
cache = DiskCache(place / "cache", clock=FixedClock())
entry = cache.lay_down(package.digest(), lambda: package)
assert cache.lay_down(package.digest(), lambda: 0 / 0) == entry
assert entry is not None and (entry / "scripts/run.sh").read_text() == "#!/bin/sh"
for path in (entry / "more", entry / "SKILL.md", entry / "scripts/more"):
    try:
        path.write_text("x")
    except PermissionError:
        continue
    raise SystemExit("it is writable")
if change == "sweep":
    assert cache.sweep(unused_seconds=-1, in_use=frozenset()).packages == 1
    assert not entry.exists() and not list((place / "cache" / "staging").iterdir())
if change == "damage":
    (entry / "SKILL.md").chmod(0o644)
    (entry / "SKILL.md").write_text("x")
    assert cache.lay_down(package.digest(), lambda: package) == entry
    assert (entry / "SKILL.md").read_bytes() == package.skill_md
if change == "close":
    entry.chmod(0)
    assert cache.lay_down(package.digest(), lambda: package) == entry
    assert not list((place / "cache" / "staging").iterdir())
if change == "foreign":
    os.geteuid = lambda: 12345
    assert cache.lay_down(package.digest(), lambda: package) is None
"""


@pytest.mark.requirement("DEL-3")
@pytest.mark.parametrize("change", ["sweep", "damage", "close", "foreign"])
def test_a_directory_that_is_laid_down_is_not_writable_by_a_user(change: str) -> None:
    # Not below the directory of the test: only its owner may go there.
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [sys.executable, "-c", LAY_DOWN, place, change],
            check=False,
            capture_output=True,
            text=True,
        )
        subprocess.run(["chmod", "-R", "u+rwX", place], check=True)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.requirement("DEL-3")
def test_whoever_may_write_everywhere_gets_no_directory(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_arguments, **_keywords: True)

    assert cache.lay_down(DIGEST, give) is None
    assert find_entry(place).is_dir()


def test_a_link_on_the_way_to_an_entry_is_not_laid_down(
    cache: DiskCache, entry: Path, tmp_path: Path
) -> None:
    shard = entry.parent
    shard.rename(tmp_path / "moved")
    shard.symlink_to(tmp_path / "moved")

    with pytest.raises(StorageUnavailableError):
        cache.lay_down(DIGEST, give)
    assert cache.get(DIGEST, never) == PACKAGE


# Several at once


@pytest.mark.requirement("SYN-1")
def test_of_two_who_fill_at_once_the_second_drops_its_own(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, both_are_staged = os.rename, Barrier(2)

    def meet_and_rename(*arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
        with suppress(OSError):
            both_are_staged.wait(10)
        rename(*arguments, **keywords)

    monkeypatch.setattr(os, "rename", meet_and_rename)
    with ThreadPoolExecutor(2) as pool:
        given = list(pool.map(lambda _: cache.get(DIGEST, give), range(2)))

    assert given == [PACKAGE, PACKAGE]
    assert cache.get(DIGEST, never) == PACKAGE
    assert list_stages(place) == []


def act_before(
    monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object], at: int = 1
) -> None:
    """Let something happen just before one call of a function of `os`."""
    call, calls = getattr(os, name), [0]

    def act_and_call(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
        calls[0] += 1
        if calls[0] == at:
            act()
        return call(*arguments, **keywords)

    monkeypatch.setattr(os, name, act_and_call)


@pytest.mark.requirement("SYN-1")
@pytest.mark.parametrize("step", ["scandir", "read", "open"])
@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.usefixtures("entry")
def test_a_reader_from_under_whom_an_entry_is_swept_still_gets_the_package(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch, step: str, at: int
) -> None:
    act_before(monkeypatch, step, lambda: cache.sweep(unused_seconds=-1, in_use=frozenset()), at)

    assert cache.get(DIGEST, give) == PACKAGE
    assert cache.get(DIGEST, never) == PACKAGE
    assert list_stages(place) == []


@pytest.mark.parametrize("step", ["mkdir", "open", "write", "fchmod", "rename"])
def test_a_sweep_takes_nothing_from_one_who_fills(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def sweep() -> None:
        cache.sweep(unused_seconds=60, in_use=frozenset())

    for at in range(1, 30):
        with monkeypatch.context() as patch:
            act_before(patch, step, sweep, at)
            assert cache.get(DIGEST, give) == PACKAGE
        assert cache.get(DIGEST, never) == PACKAGE
        cache.sweep(unused_seconds=-1, in_use=frozenset())
        assert list_stages(place) == []


def test_a_stage_that_a_sweep_takes_before_it_is_locked_is_made_again(
    cache: DiskCache, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock, swept = fcntl.flock, list[SweptCache]()

    def sweep_and_lock(descriptor: int, operation: int) -> None:
        if not swept:
            swept.append(SweptCache(0, 0, 0))
            swept[0] = cache.sweep(unused_seconds=60, in_use=frozenset())
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_and_lock)

    assert cache.get(DIGEST, give) == PACKAGE
    assert swept == [SweptCache(packages=0, leftovers=1, bytes=0)]
    assert cache.get(DIGEST, never) == PACKAGE
    assert list_stages(place) == []


@pytest.mark.usefixtures("entry")
def test_an_entry_that_is_used_while_it_is_swept_stands_again(
    cache: DiskCache, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    clock.advance(7200)
    act_before(monkeypatch, "rename", lambda: cache.get(DIGEST, never))

    swept = cache.sweep(unused_seconds=3600, in_use=frozenset())

    assert swept == SweptCache(0, 0, 0)
    assert stat.S_IMODE(find_entry(place).stat().st_mode) == 0o555
    assert cache.get(DIGEST, never) == PACKAGE


@pytest.mark.usefixtures("entry")
def test_what_is_not_ours_stays(cache: DiskCache, place: Path) -> None:
    for name in ("sha256/notes", "sha256/ab", "staging/notes"):
        (place / name).mkdir(exist_ok=True)
    (place / "sha256/ab/notes").touch()
    (place / "staging/notes/file").touch()

    cache.sweep(unused_seconds=-1, in_use=frozenset())

    assert (place / "sha256/ab/notes").exists()
    assert (place / "sha256/notes").exists()
    assert (place / "staging/notes/file").exists()


@pytest.mark.requirement("SYN-1")
def test_sixty_kills_within_a_filling_lose_nothing_and_leave_nothing(tmp_path: Path) -> None:
    script = Path(__file__).with_name("kill_fills.py")

    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "cache"), str(KILLS)],
        check=False,
        capture_output=True,
        text=True,
        timeout=55,
    )

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["lost"] == 0
    assert said["stages"] == []
    # Otherwise the moments were chosen badly, and nothing was shown.
    assert said["within"] >= KILLS // 4
    assert said["leftovers"] >= KILLS // 10
