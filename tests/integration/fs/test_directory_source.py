"""Finding skills on a real disk, with real links, pipes and hard links."""

import errno
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillyard.adapters.fs.handle import Kind, close, list_directory, open_root
from skillyard.adapters.fs.source import DirectorySource
from skillyard.adapters.fs.tree import MOST_NAMES
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import MissingPathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import BundleFacts, Form, render_bundle

TEXT = "---\nname: pdf\ndescription: Fill in forms.\n---\nFill in forms.\n"
ABOUT = BundleFacts(slug="pdf", display_name="PDF")


def make_skill(directory: Path, name: str = "SKILL.md") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(TEXT)
    return directory


def read_all(root: Path, limits: Limits = STANDARD) -> list[FoundPackage]:
    return list(DirectorySource(root, limits).iter_packages())


def read_one(root: Path, limits: Limits = STANDARD) -> FoundPackage:
    (found,) = read_all(root, limits)
    return found


def codes(found: FoundPackage) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in found.taken.diagnostics]


def names(found: list[FoundPackage], root: Path) -> list[str]:
    return [one.location.removeprefix(f"{root}/") for one in found]


class Opened:
    """Records which names are opened, and can do something just before one is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self._before: dict[str, Callable[[], object]] = {}
        self._open = os.open
        monkeypatch.setattr(os, "open", self._record)

    def before(self, name: str, act: Callable[[], object]) -> None:
        self._before[name] = act

    def _record(
        self, path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        self.names.append(path)
        act = self._before.pop(path, None)
        if act is not None:
            act()
        return self._open(path, flags, mode, dir_fd=dir_fd)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(monkeypatch)


def refuse_with(number: int) -> Callable[[], None]:
    def act() -> None:
        raise OSError(number, os.strerror(number))

    return act


# What is found, and how it is called


def test_a_root_with_a_skill_md_is_the_one_package(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "scripts").mkdir()
    (root / "scripts" / "fill.py").write_text("print()\n")

    found = read_one(root)

    assert (found.location, found.directory) == (str(root), "pdf")
    assert found.taken.package == Package.of({"SKILL.md": TEXT, "scripts/fill.py": "print()\n"})
    assert found.taken.diagnostics == ()


def test_packages_are_yielded_in_the_order_of_their_locations_bytes(tmp_path: Path) -> None:
    for name in ["b", "a/x", "a-b", "A", "a.c", "é", "a/x-y", "z/1/2"]:
        make_skill(tmp_path / name)

    found = names(read_all(tmp_path), tmp_path)

    assert found == ["A", "a-b", "a.c", "a/x", "a/x-y", "b", "z/1/2", "é"]


# A short alphabet makes neighbours that differ only in what follows: `a`, `a-`, `a/a`.
PATHS = st.lists(st.text("a-.é~", min_size=1, max_size=2).filter(lambda one: one.strip(".")))


@settings(max_examples=60, deadline=None)
@given(st.lists(PATHS.filter(bool).map("/".join), min_size=1, max_size=8))
def test_any_tree_is_walked_in_order_and_each_package_once(directories: list[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        for directory in directories:
            make_skill(Path(place, directory))
        outermost = {
            one for one in directories if not any(one.startswith(f"{up}/") for up in directories)
        }

        found = names(read_all(Path(place)), Path(place))

        assert found == sorted(outermost, key=str.encode)


def test_what_stands_below_a_package_belongs_to_it(tmp_path: Path) -> None:
    make_skill(tmp_path / "outer")
    make_skill(tmp_path / "outer" / "examples" / "inner")

    found = read_one(tmp_path)

    assert found.directory == "outer"
    assert list(found.taken.package) == ["SKILL.md", "examples/inner/SKILL.md"]


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
def test_a_skill_md_in_other_letters_makes_a_package_too(tmp_path: Path, name: str) -> None:
    make_skill(tmp_path / "pdf", name)

    assert list(read_one(tmp_path).taken.package) == [name]


def test_a_directory_that_is_called_skill_md_makes_no_package(tmp_path: Path) -> None:
    make_skill(tmp_path / "SKILL.md" / "pdf")

    assert names(read_all(tmp_path), tmp_path) == ["SKILL.md/pdf"]


def test_the_path_of_a_skill_md_means_its_directory(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")

    found = read_one(root / "SKILL.md")

    assert (found.location, found.directory) == (str(root), "pdf")


@pytest.mark.parametrize("given_path", [".", "SKILL.md", "../pdf/scripts/.."])
def test_a_package_has_its_directorys_real_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_path: str
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "scripts").mkdir()
    monkeypatch.chdir(root)

    found = read_one(Path(given_path))

    assert found.directory == "pdf"
    assert found.location == (given_path if given_path != "SKILL.md" else ".")


def test_below_the_working_directory_locations_start_with_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(tmp_path / "skills" / "pdf")
    monkeypatch.chdir(tmp_path)

    assert read_one(Path()).location == "skills/pdf"


def test_hidden_directories_are_looked_into(tmp_path: Path) -> None:
    make_skill(tmp_path / ".claude" / "skills" / "pdf")

    assert read_one(tmp_path).directory == "pdf"


@pytest.mark.parametrize("name", [".git", "node_modules", "__pycache__"])
def test_what_belongs_to_tools_is_not_looked_into(tmp_path: Path, name: str) -> None:
    make_skill(tmp_path / name / "vendored")
    make_skill(tmp_path / "pdf")

    assert names(read_all(tmp_path), tmp_path) == ["pdf"]


def test_a_place_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError) as caught:
        read_all(tmp_path / "nowhere")

    assert caught.value.message == f"`{tmp_path}/nowhere` does not exist"


def test_a_missing_skill_md_does_not_mean_its_directory(tmp_path: Path) -> None:
    make_skill(tmp_path / "pdf")

    with pytest.raises(MissingPathError):
        read_all(tmp_path / "SKILL.md")


def test_a_place_without_any_skill_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()

    with pytest.raises(MissingPathError) as caught:
        read_all(tmp_path)

    assert caught.value.message == f"`{tmp_path}` holds no skill"
    assert caught.value.hints == (
        "A skill is a directory with a SKILL.md in it; linked directories are not entered",
    )


def test_a_file_that_is_no_skill_md_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.md").touch()

    with pytest.raises(MissingPathError) as caught:
        read_all(tmp_path / "notes.md")

    assert caught.value.message == f"`{tmp_path}/notes.md` is not a directory"


# What a package holds


def test_the_executable_bit_is_read(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "run.sh").write_text("true\n")
    (root / "run.sh").chmod(0o744)

    files = read_one(root).taken.package.files

    assert [file.executable for file in files.values()] == [False, True]


def test_git_is_left_out_without_a_word(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".git" / "config").touch()
    (root / "vendor").mkdir()
    (root / "vendor" / ".git").write_text("gitdir: /elsewhere\n")

    found = read_one(root)

    assert list(found.taken.package) == ["SKILL.md"]
    assert found.taken.diagnostics == ()


def test_what_tools_leave_behind_is_named_and_not_entered(tmp_path: Path, opened: Opened) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "node_modules" / "left-pad").mkdir(parents=True)
    (root / "scripts" / "__pycache__").mkdir(parents=True)
    (root / ".DS_Store").touch()

    found = read_one(root)

    assert [one.message for one in found.taken.diagnostics] == [
        "`.DS_Store` is left out of the package",
        "`node_modules` is left out of the package",
        "`__pycache__` is left out of the package",
    ]
    assert not {"node_modules", "__pycache__", ".DS_Store"} & set(opened.names)


def test_skill_md_is_read_even_if_the_rest_is_too_large(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    for name in ["A.txt", "B.txt"]:
        (root / name).write_bytes(b"x" * 60)

    found = read_one(root, Limits(package_bytes=len(TEXT) + 100))

    assert found.taken.package.skill_md == TEXT.encode()
    assert codes(found) == [("SY306", "")]


# Links


def test_a_linked_file_is_refused_and_never_opened(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "secret").write_text("secret")
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").symlink_to(tmp_path / "secret")

    found = read_one(root)

    assert codes(found) == [("SY303", "notes.md")]
    assert list(found.taken.package) == ["SKILL.md"]
    assert "notes.md" not in opened.names


def test_a_linked_directory_in_a_package_is_refused(tmp_path: Path, opened: Opened) -> None:
    make_skill(tmp_path / "elsewhere")
    root = make_skill(tmp_path / "pdf")
    (root / "scripts").symlink_to(tmp_path / "elsewhere", target_is_directory=True)

    assert codes(read_one(root)) == [("SY303", "scripts")]
    assert "scripts" not in opened.names


def test_a_linked_skill_md_makes_a_package_that_is_refused(tmp_path: Path) -> None:
    outside = make_skill(tmp_path / "outside")
    (tmp_path / "skills" / "pdf").mkdir(parents=True)
    (tmp_path / "skills" / "pdf" / "SKILL.md").symlink_to(outside / "SKILL.md")

    found = read_one(tmp_path / "skills")

    assert codes(found) == [("SY303", "SKILL.md")]
    assert found.taken.package == Package.of({})


def test_a_linked_directory_is_never_followed_by_the_walk(tmp_path: Path) -> None:
    make_skill(tmp_path / "outside" / "secret")
    skills = tmp_path / "skills"
    make_skill(skills / "pdf")
    (skills / "linked").symlink_to(tmp_path / "outside", target_is_directory=True)
    (skills / "loop").symlink_to(skills, target_is_directory=True)

    assert names(read_all(skills), skills) == ["pdf"]


def test_a_link_that_the_user_names_is_followed_and_gives_its_name(tmp_path: Path) -> None:
    make_skill(tmp_path / "pdf-1.2")
    (tmp_path / "pdf").symlink_to(tmp_path / "pdf-1.2", target_is_directory=True)

    found = read_one(tmp_path / "pdf")

    assert (found.directory, found.taken.diagnostics) == ("pdf", ())


def test_a_hard_link_is_refused_with_the_way_to_repair_it(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    (tmp_path / "secret").write_text("secret")
    (root / "notes.md").hardlink_to(tmp_path / "secret")

    found = read_one(root)

    (finding,) = found.taken.diagnostics
    assert (finding.code, finding.path, finding.severity) == ("SY303", "notes.md", Severity.ERROR)
    assert finding.message == "`notes.md` is a hard link: 2 names share its content"
    assert finding.hint == "Put a copy of the file in its place, for example with `cp` and `mv`"
    assert list(found.taken.package) == ["SKILL.md"]


# Pipes, sockets and devices


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path, opened: Opened) -> None:
    root = make_skill(tmp_path / "pdf")
    os.mkfifo(root / "pipe")

    assert codes(read_one(root)) == [("SY304", "pipe")]
    assert "pipe" not in opened.names


def test_a_pipe_that_takes_the_place_of_a_file_does_not_block(
    tmp_path: Path, opened: Opened
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").touch()

    def swap() -> None:
        (root / "notes.md").unlink()
        os.mkfifo(root / "notes.md")

    opened.before("notes.md", swap)

    assert codes(read_one(root)) == [("SY304", "notes.md")]


def test_a_skill_md_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "SKILL.md")

    assert codes(read_one(tmp_path)) == [("SY304", "SKILL.md")]


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = make_skill(tmp_path / "pdf")
    monkeypatch.chdir(root)  # a socket's address may not be long
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("door")

        assert codes(read_one(root)) == [("SY304", "door")]


def test_a_socket_that_takes_the_place_of_a_file_is_refused(
    tmp_path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").touch()
    monkeypatch.chdir(root)

    with socket.socket(socket.AF_UNIX) as listener:

        def swap() -> None:
            (root / "notes.md").unlink()
            listener.bind("notes.md")

        opened.before("notes.md", swap)

        assert codes(read_one(root)) == [("SY304", "notes.md")]


def test_a_device_is_refused_and_never_opened(tmp_path: Path, opened: Opened) -> None:
    root = make_skill(tmp_path / "pdf")
    if os.geteuid() == 0:
        os.mknod(root / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        assert codes(read_one(root)) == [("SY304", "null")]
    else:
        # Only root makes devices; the ones that are there are told apart by the same function.
        devices = open_root("/dev")
        assert list_directory(devices, most=MOST_NAMES)["null"] is Kind.SPECIAL
        close(devices)
    assert "null" not in opened.names


# What cannot be read


def test_a_file_that_may_not_be_read_is_a_finding_and_hides_nothing(
    tmp_path: Path, opened: Opened
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "a.md").touch()
    (root / "b.md").touch()
    opened.before("a.md", refuse_with(errno.EACCES))

    found = read_one(root)

    (finding,) = found.taken.diagnostics
    assert (finding.code, finding.path) == ("SY314", "a.md")
    assert finding.message == "`a.md` cannot be read: Permission denied"
    assert finding.hint == "Give yourself the right to read it, for example with `chmod -R u+rX`"
    assert list(found.taken.package) == ["SKILL.md", "b.md"]


READ_AS_NOBODY = """
import json, os, sys
from pathlib import Path
from skillyard.adapters.fs.source import DirectorySource

if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.setgid(65534)
    os.setuid(65534)
found = DirectorySource(Path(sys.argv[1])).iter_packages()
print(json.dumps([[(one.code, one.path) for one in each.taken.diagnostics] for each in found]))
"""


def read_all_as_nobody(root: Path) -> list[list[tuple[str, str]]]:
    """Read as a user who is not root; root may read everything."""
    done = subprocess.run(
        [sys.executable, "-c", READ_AS_NOBODY, str(root)],
        check=True,
        capture_output=True,
        text=True,
    )
    return [[(code, path) for code, path in one] for one in json.loads(done.stdout)]


def test_real_permissions_give_findings() -> None:
    # pytest's own directories are closed to others.
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        closed = make_skill(root / "closed")
        partly = make_skill(root / "partly")
        (partly / "notes.md").touch(mode=0o000)
        (partly / "inner").mkdir(mode=0o000)
        closed.chmod(0o000)

        found = read_all_as_nobody(root)
        closed.chmod(0o700)

    assert found == [
        [("SY314", "")],
        [("SY314", "notes.md"), ("SY314", "inner")],
    ]


def test_a_directory_that_may_not_be_read_is_reported_and_hides_no_other(
    tmp_path: Path, opened: Opened
) -> None:
    for name in ["a", "b", "c"]:
        make_skill(tmp_path / name)
    opened.before("b", refuse_with(errno.EACCES))

    found = read_all(tmp_path)

    assert names(found, tmp_path) == ["a", "b", "c"]
    assert [codes(one) for one in found] == [[], [("SY314", "")], []]


def test_a_root_that_may_not_be_read_is_reported(tmp_path: Path, opened: Opened) -> None:
    opened.before(str(tmp_path), refuse_with(errno.EACCES))

    found = read_one(tmp_path)

    assert found.location == str(tmp_path)
    assert codes(found) == [("SY314", "")]


def test_a_directory_inside_a_package_that_may_not_be_read_is_a_finding(
    tmp_path: Path, opened: Opened
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "scripts").mkdir()
    opened.before("scripts", refuse_with(errno.EACCES))

    assert codes(read_one(root)) == [("SY314", "scripts")]


def test_a_file_that_vanishes_is_a_finding(tmp_path: Path, opened: Opened) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").touch()
    opened.before("notes.md", (root / "notes.md").unlink)

    found = read_one(root)

    assert [one.message for one in found.taken.diagnostics] == [
        "`notes.md` cannot be read: No such file or directory"
    ]
    assert list(found.taken.package) == ["SKILL.md"]


def test_a_package_that_vanishes_during_the_walk_is_no_package(
    tmp_path: Path, opened: Opened
) -> None:
    for name in ["a", "b"]:
        make_skill(tmp_path / name)
    opened.before("b", lambda: (tmp_path / "b").rename(tmp_path.parent / "away"))

    assert names(read_all(tmp_path), tmp_path) == ["a"]


@pytest.mark.parametrize("size_then", [0, len(TEXT) - 1, len(TEXT) + 1, 1_000_000])
def test_a_file_that_changes_its_size_while_it_is_read_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size_then: int
) -> None:
    root = make_skill(tmp_path / "pdf")
    look = os.fstat

    def look_and_resize(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        os.truncate(root / "SKILL.md", size_then)
        return status

    monkeypatch.setattr(os, "fstat", look_and_resize)

    found = read_one(root)

    assert [one.message for one in found.taken.diagnostics] == [
        "`SKILL.md` cannot be read: it was changed meanwhile"
    ]
    assert found.taken.package == Package.of({})


def test_a_huge_file_costs_no_more_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_skill(tmp_path / "pdf")
    with (root / "huge.bin").open("wb") as huge:
        huge.truncate(1 << 40)
    asked: list[int] = []
    read = os.read

    def read_and_count(descriptor: int, most: int) -> bytes:
        asked.append(most)
        return read(descriptor, most)

    monkeypatch.setattr(os, "read", read_and_count)

    assert codes(read_one(root)) == [("SY305", "huge.bin")]
    assert sum(asked) <= STANDARD.file_bytes + 1 + len(TEXT) + 1


def test_a_file_that_comes_in_pieces_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_skill(tmp_path / "pdf")
    read = os.read
    monkeypatch.setattr(os, "read", lambda descriptor, most: read(descriptor, min(most, 7)))

    assert read_one(root).taken.package.skill_md == TEXT.encode()


def test_a_disk_that_fails_gives_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_skill(tmp_path / "pdf")

    def fail(descriptor: int, most: int) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO), descriptor, most)

    monkeypatch.setattr(os, "read", fail)

    assert [one.message for one in read_one(tmp_path).taken.diagnostics] == [
        "`SKILL.md` cannot be read: Input/output error"
    ]


# Names that are no text


def make_unencodable(directory: Path, name: bytes) -> Path:
    path = directory / os.fsdecode(name)
    path.touch()
    return path


def test_a_name_that_is_not_utf_8_is_refused_in_a_printable_form(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    make_unencodable(root, b"caf\xe9.md")

    found = read_one(root)

    (finding,) = found.taken.diagnostics
    assert (finding.code, finding.path) == ("SY301", "caf\\xe9.md")
    assert finding.message == "the path `caf\\xe9.md` is refused: it is not UTF-8"


def test_a_directory_inside_whose_name_is_not_utf_8_is_refused_once(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    place = make_unencodable(root, b"\xff")
    place.unlink()
    make_skill(place)

    assert codes(read_one(root)) == [("SY301", "\\xff")]


def test_a_package_whose_own_name_is_not_utf_8_is_found_in_order(tmp_path: Path) -> None:
    place = make_unencodable(tmp_path, b"a\xff")
    place.unlink()
    make_skill(place)
    make_skill(tmp_path / "a\ue000")  # its bytes come first, though its surrogate form does not
    make_skill(tmp_path / "b")

    found = read_all(tmp_path)

    assert [one.directory for one in found] == ["a\ue000", "a\\xff", "b"]
    assert found[1].location == f"{tmp_path}/a\\xff"


def test_a_name_that_could_steer_a_terminal_is_shown_escaped(
    tmp_path: Path, opened: Opened
) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "\x1b[2J").touch()
    opened.before("\x1b[2J", refuse_with(errno.EACCES))

    assert codes(read_one(root)) == [("SY314", "\\x1b[2J")]


# Somebody swaps what is being read


def swap_for_link(directory: Path, target: Path) -> Callable[[], None]:
    def act() -> None:
        directory.rename(directory.with_name("moved"))
        directory.symlink_to(target, target_is_directory=True)

    return act


def test_a_package_swapped_for_a_link_after_the_scan_is_not_followed(
    tmp_path: Path, opened: Opened
) -> None:
    secret = make_skill(tmp_path / "secret")
    skills = tmp_path / "skills"
    for name in ["a", "b"]:
        make_skill(skills / name)
    opened.before("b", swap_for_link(skills / "b", secret))

    assert names(read_all(skills), skills) == ["a"]


def test_a_directory_above_packages_swapped_for_a_link_is_not_followed(
    tmp_path: Path, opened: Opened
) -> None:
    make_skill(tmp_path / "secret" / "x" / "y")
    skills = tmp_path / "skills"
    for name in ["group/x/y", "zulu"]:
        make_skill(skills / name)
    # `x` is listed; before `x/y` is opened, the way to it leads elsewhere.
    opened.before("x", swap_for_link(skills / "group", tmp_path / "secret"))

    found = read_all(skills)

    assert names(found, skills)[-1] == "zulu"
    assert all("secret" not in str(Path(one.location).resolve()) for one in found)


def test_a_way_that_breaks_off_half_way_does_not_lead_the_walk_astray(
    tmp_path: Path, opened: Opened
) -> None:
    for name in ["group/inner/x", "zulu"]:
        make_skill(tmp_path / name)
    (tmp_path / "elsewhere").mkdir()
    swap = swap_for_link(tmp_path / "group" / "inner", tmp_path / "elsewhere")
    # The first opening lists it; the second is on the way to `x`.
    opened.before("inner", lambda: opened.before("inner", swap))

    assert names(read_all(tmp_path), tmp_path) == ["zulu"]


def test_a_directory_inside_a_package_swapped_for_a_link_is_not_followed(
    tmp_path: Path, opened: Opened
) -> None:
    secret = make_skill(tmp_path / "secret")
    root = make_skill(tmp_path / "pdf")
    (root / "scripts").mkdir()
    opened.before("scripts", swap_for_link(root / "scripts", secret))

    found = read_one(root)

    assert codes(found) == [("SY314", "scripts")]
    assert list(found.taken.package) == ["SKILL.md"]


def test_a_file_swapped_for_a_link_is_not_followed(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "secret").write_text("secret")
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").touch()
    opened.before("notes.md", swap_for_link(root / "notes.md", tmp_path / "secret"))

    assert codes(read_one(root)) == [("SY303", "notes.md")]


# Bounds


def test_a_package_is_read_only_when_it_is_asked_for(tmp_path: Path, opened: Opened) -> None:
    for name in ["a", "b", "c"]:
        make_skill(tmp_path / name)
    packages = DirectorySource(tmp_path, STANDARD).iter_packages()

    next(packages)
    after_one = opened.names.count("SKILL.md")
    next(packages)
    after_two = opened.names.count("SKILL.md")

    assert (after_one, after_two) == (1, 2)


def test_memory_does_not_grow_with_the_number_of_packages(tmp_path: Path) -> None:
    for number in range(100):
        package = make_skill(tmp_path / f"skill-{number}")
        (package / "notes.md").write_bytes(b"x" * 100_000)
    for _ in DirectorySource(tmp_path, STANDARD).iter_packages():
        pass  # so that what is loaded once is not measured

    tracemalloc.start()
    try:
        for _ in DirectorySource(tmp_path, STANDARD).iter_packages():
            pass
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 1_000_000


def test_nothing_stays_open_when_the_reader_stops_half_way(tmp_path: Path) -> None:
    for name in ["a/b/c", "a/b/d"]:
        make_skill(tmp_path / name)
    before = sorted(os.listdir("/dev/fd"))  # noqa: PTH208 - a count, no paths

    packages = DirectorySource(tmp_path, STANDARD).iter_packages()
    next(packages)
    del packages

    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208


def test_a_package_full_of_files_is_refused_at_the_limit(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    for number in range(4):
        (root / f"{number}.md").touch()

    assert codes(read_one(root, Limits(package_files=5))) == []
    assert codes(read_one(root, Limits(package_files=4))) == [("SY307", "")]


def test_a_package_full_of_empty_directories_is_refused_at_the_limit(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    for number in range(5):
        (root / f"{number}").mkdir()

    assert codes(read_one(root, Limits(package_files=5))) == []
    assert codes(read_one(root, Limits(package_files=4))) == [("SY307", "")]


def test_a_package_full_of_hard_links_is_refused_at_the_limit(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    (root / "0.md").touch()
    for number in range(1, 10):
        (root / f"{number}.md").hardlink_to(root / "0.md")

    found = read_one(root, Limits(package_files=4))

    assert [code for code, _ in codes(found)] == ["SY307", *["SY303"] * 4]


def test_a_package_may_be_as_deep_as_the_limit_and_no_deeper(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "pdf")
    deep = root / "a" / "b"
    (deep / "c" / "d").mkdir(parents=True)
    (deep / "ok.md").touch()

    assert codes(read_one(root, Limits(package_depth=4))) == []
    assert codes(read_one(root, Limits(package_depth=3))) == [("SY301", "a/b/c/d")]


def test_the_walk_goes_no_deeper_than_64_levels_and_says_so(tmp_path: Path) -> None:
    make_skill(tmp_path / "/".join("x" * 64))
    make_skill(tmp_path / "/".join(["y", *"x" * 64]))

    found = read_all(tmp_path)

    assert [codes(one) for one in found] == [[], [("SY301", "")]]


def test_a_directory_with_too_many_names_is_reported_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_skill(tmp_path / "a")
    for number in range(4):
        make_skill(tmp_path / "b" / str(number))
    monkeypatch.setattr("skillyard.adapters.fs.source.MOST_NAMES", 3)

    found = read_all(tmp_path)

    assert names(found, tmp_path) == ["a", "b"]
    assert [one.message for one in found[1].taken.diagnostics] == [
        "the package cannot be read: it holds more than 3 names"
    ]


def test_more_directories_than_anybody_would_wait_for_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        make_skill(tmp_path / str(number))
    monkeypatch.setattr("skillyard.adapters.fs.source._MOST_DIRECTORIES", 4)

    with pytest.raises(MissingPathError) as caught:
        read_all(tmp_path)

    assert caught.value.message == f"`{tmp_path}` holds more than 4 directories"


# Platforms without directory descriptors


@pytest.fixture
def _no_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skillyard.adapters.fs.handle._HAS_DESCRIPTORS", False)


@pytest.mark.usefixtures("_no_descriptors")
def test_without_directory_descriptors_the_same_is_found(tmp_path: Path) -> None:
    root = make_skill(tmp_path / "group" / "pdf")
    (root / "scripts").mkdir()
    (root / "scripts" / "run.sh").write_text("true\n")
    (root / "scripts" / "run.sh").chmod(0o755)
    (root / "link").symlink_to("/")

    found = read_one(tmp_path)

    assert codes(found) == [("SY303", "link")]
    assert found.taken.package == Package.of(
        {"SKILL.md": TEXT, "scripts/run.sh": PackageFile(b"true\n", executable=True)}
    )


@pytest.mark.usefixtures("_no_descriptors")
def test_without_directory_descriptors_a_file_swapped_for_a_link_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("secret")
    root = make_skill(tmp_path / "pdf")
    (root / "notes.md").touch()
    swap = swap_for_link(root / "notes.md", tmp_path / "secret")
    is_link = os.path.islink

    def swap_and_look(path: str) -> bool:
        if path.endswith("notes.md"):
            swap()
        return is_link(path)

    monkeypatch.setattr("os.path.islink", swap_and_look)

    assert codes(read_one(root)) == [("SY303", "notes.md")]


def test_a_directory_of_bundles_is_read_as_those(tmp_path: Path) -> None:
    package = Package.of({"SKILL.md": TEXT})
    for name, form in (("b.json", Form.JSON), ("c.zip", Form.ZIP), ("a.tar.gz", Form.TAR_GZ)):
        (tmp_path / name).write_bytes(render_bundle(package, form, about=ABOUT))
    (tmp_path / "package.json").write_text('{"name": "not-a-bundle"}')
    (tmp_path / "notes.zip").write_text("not an archive")
    (tmp_path / "link.json").symlink_to(tmp_path / "b.json")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "d.json").write_bytes(render_bundle(package, Form.JSON, about=ABOUT))

    found = read_all(tmp_path)

    assert names(found, tmp_path) == ["a.tar.gz", "b.json", "c.zip"]
    assert [one.taken.package for one in found] == [package] * 3


def test_bundles_beside_skills_are_no_skills(tmp_path: Path) -> None:
    make_skill(tmp_path / "pdf")
    bundle = render_bundle(Package.of({"SKILL.md": TEXT}), Form.JSON, about=ABOUT)
    (tmp_path / "b.json").write_bytes(bundle)

    assert names(read_all(tmp_path), tmp_path) == ["pdf"]


def test_a_directory_of_other_json_holds_no_skill(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "not-a-bundle"}')

    with pytest.raises(MissingPathError, match="holds no skill"):
        read_all(tmp_path)
