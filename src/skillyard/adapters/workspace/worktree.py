"""A work tree of git for one run: made beside the user's own, with what is not committed.

Git keeps a directory for every work tree, and what we have to remember stands in it: the state at
the start as an index, with its objects. It goes away with the work tree, and the user's repository
is then what it was.
"""

import fcntl
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Final

from skillyard.adapters.workspace.copying import (
    Budget,
    copy_path,
    find_mode,
    opened,
    opened_below,
    remove_path,
)
from skillyard.adapters.workspace.git import Git, joined, split
from skillyard.adapters.workspace.hiding import Hiding
from skillyard.adapters.workspace.repository import Repository

_STATE: Final = "skillyard"
_START: Final = "start"
_WORK_TREES: Final = "worktrees"
_FAST: Final = {"core.compression": "0", "core.looseCompression": "0", "pack.compression": "0"}
_LINK_MODE: Final = "120000"
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_SHOWN_EMPTY: Final = ".claude"
_PLACEHOLDER: Final = ".gitignore"
_IGNORES_ITSELF: Final = b"/.gitignore\n"
# What a client writes into the repository itself, and not into its work tree.
_LEFT_BY_CLIENTS: Final = frozenset({"opencode"})


@dataclass(frozen=True, slots=True)
class WorkTree:
    """A work tree at `path`; `directory` is what git keeps for it in the repository `common`."""

    path: Path
    directory: Path
    common: Path
    git: Git

    @property
    def state(self) -> Path:
        """Where we keep what was at the start."""
        return self.directory / _STATE

    def plain(self) -> Git:
        """Give git as whoever works in the tree has it."""
        return self.git.at(str(self.path)).given(
            GIT_DIR=str(self.directory), GIT_WORK_TREE=str(self.path)
        )

    def private(self, index: str) -> Git:
        """Give git with an index and objects of our own, besides those of the repository."""
        return (
            self.plain()
            .set(_FAST)
            .given(
                GIT_INDEX_FILE=str(self.state / index),
                GIT_OBJECT_DIRECTORY=str(self.state / "objects"),
                GIT_ALTERNATE_OBJECT_DIRECTORIES=_quoted(str(self.common / "objects")),
            )
        )


@dataclass(frozen=True, slots=True)
class Start:
    """What a work tree started from: a commit, and a tree with what was not committed.

    `name` is the run's, and `hide` what is hidden.
    """

    base: str
    tree: str
    name: str
    hide: tuple[str, ...]


class Phase(StrEnum):
    """How far a work tree has come: only of one that is ready can anybody have changed anything."""

    MAKING = "making"
    READY = "ready"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """What is known beside a work tree: its repository, and what was not in that at the start."""

    common: Path
    phase: Phase
    absent: frozenset[str] = frozenset()

    def write(self, path: Path) -> None:
        """Write it beside the work tree at `path`, whole or not at all."""
        parts = (os.fspath(self.common), self.phase, *sorted(self.absent))
        stage = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        stage.write_bytes(os.fsencode("\0".join(parts)))
        stage.replace(breadcrumb(path))

    @classmethod
    def find(cls, path: Path) -> "Breadcrumb | None":
        """Read the one of the work tree at `path`; None where there is none that can be read."""
        try:
            common, phase, *absent = os.fsdecode(breadcrumb(path).read_bytes()).split("\0")
            found = cls(Path(common), Phase(phase), _LEFT_BY_CLIENTS.intersection(absent))
        except (OSError, ValueError):
            return None
        return found if found.common.is_absolute() else None


def breadcrumb(path: Path) -> Path:
    """Give the file beside a work tree that names its repository."""
    return path.with_name(f"{path.name}.repository")


def tidy_repository(path: Path) -> None:
    """Remove what clients left in the repository of the work tree at `path`.

    Only what was not there before the run goes, and only once.
    """
    known = Breadcrumb.find(path)
    if known is None or not known.absent or not known.common.is_dir():
        return
    for name in known.absent:
        with suppress(OSError):
            _remove_left(known.common / name)
    replace(known, absent=frozenset()).write(path)


def _remove_left(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_all(path)
    else:
        path.unlink(missing_ok=True)


def _list_absent(common: Path) -> frozenset[str]:
    """Give what is not in a repository yet, or is there only because of other runs of ours."""
    links = (_find_link(directory) for directory in _listed(common / _WORK_TREES))
    known = (Breadcrumb.find(Path(os.fsdecode(link)).parent) for link in links if link)
    left = {name for one in known if one for name in one.absent}
    return frozenset(
        name for name in _LEFT_BY_CLIENTS if name in left or not os.path.lexists(common / name)
    )


def _find_link(directory: Path) -> bytes | None:
    """Give the `.git` of the work tree that git keeps a directory for."""
    with suppress(OSError):
        return (directory / "gitdir").read_bytes().removesuffix(b"\n")
    return None


@contextmanager
def one_at_a_time(common: Path) -> Iterator[None]:
    """Let one of us at a time add or remove work trees: the last one out removes their parent."""
    with opened(common) as descriptor:
        # Some network file systems have no locks; git itself takes none here.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


@contextmanager
def held(path: Path) -> Iterator[tuple[int, ...]]:
    """Let one of us at a time work on the tree at `path`; give what our git has to keep open.

    If we are killed, what git is doing goes on: whoever comes next waits for it.
    """
    with ExitStack() as stack:
        descriptors = []
        with suppress(OSError):  # there is nothing to be held, or there are no locks
            descriptors.append(stack.enter_context(opened(path.parent)))
            fcntl.flock(descriptors[0], fcntl.LOCK_EX)
        yield tuple(descriptors)


def add_work_tree(repository: Repository, path: Path, base: str) -> WorkTree:
    """Make the work tree of a commit at an empty directory.

    The breadcrumb is first: whenever we are stopped, what was begun can be found.

    Raises:
        GitRefusedError: Git cannot make it.
    """
    absent = _list_absent(repository.common)
    Breadcrumb(repository.common, Phase.MAKING, absent).write(path)
    with one_at_a_time(repository.common):
        repository.git.get(
            "worktree", "add", "--quiet", "--detach", "--no-checkout", str(path), base
        )
        made = find_work_tree(repository.common, path, repository.git)
    if made is None:
        message = f"git made no work tree at {path}"
        raise FileNotFoundError(message)
    made.plain().get("reset", "--quiet", "--hard", "--no-recurse-submodules", base)
    return made


def find_work_tree(common: Path, path: Path, git: Git) -> WorkTree | None:
    """Give what a repository knows of the work tree at a path, whatever stands there now."""
    link = os.fsencode(path / ".git")
    for directory in _listed(common / _WORK_TREES):
        if _find_link(directory) == link:
            return WorkTree(path, directory, common, git)
    return None


def hide_in_work_tree(tree: WorkTree, hiding: Hiding) -> list[str]:
    """Take what is hidden out of the files, but not out of the index; give what that is."""
    paths = list_hidden(tree.plain(), hiding)
    if paths:
        tree.plain().get("update-index", "-z", "--skip-worktree", "--stdin", given=joined(paths))
    with opened(tree.path) as root:
        for path in paths:
            remove_path(root, path)
    return sorted({hiding.find(path) or path for path in paths})


def hide_files(tree: WorkTree, paths: Collection[str]) -> None:
    """Take files out of a work tree, whether git knows them or not; it misses none of them."""
    hide_in_work_tree(tree, Hiding.of([f"/{path}" for path in paths]))
    with opened(tree.path) as root:
        for path in paths:
            remove_path(root, path)


def list_hidden(git: Git, hiding: Hiding) -> list[str]:
    """Give the paths in an index that are hidden."""
    if not hiding.patterns and not hiding.anchored:
        return []
    rows = split(git.get("ls-files", "-z", "--stage", "--", *hiding.pathspecs()))
    told = [row.partition("\t") for row in rows]
    return [path for head, _, path in told if _is_hidden(path, head, hiding)]


def list_filtered(tree: WorkTree) -> list[str]:
    """Give the paths that git would pass through a filter, LFS for example."""
    names = sorted({"lfs", *tree.git.filters()})
    specs = [f":(top,attr:filter={name})" for name in names if _PLAIN.fullmatch(name)]
    return split(tree.plain().get("ls-files", "-z", "--", *specs))


def _is_hidden(path: str, head: str, hiding: Hiding) -> bool:
    return hiding.hides_link(path) if head.startswith(_LINK_MODE) else bool(hiding.find(path))


def show_empty_directories(tree: WorkTree, hide: Collection[str]) -> None:
    """Let the directories of Claude Code's skills stand there with nothing in them.

    Where the root of a linked work tree has none, it reads those of the main one instead. Git
    removes directories that become empty, so each has a file that git neither shows nor removes.
    """
    with opened(tree.path) as root:
        for path in hide:
            if path.split("/")[0] == _SHOWN_EMPTY:
                with (
                    suppress(OSError),
                    opened_below(root, PurePosixPath(path), make=True) as directory,
                ):
                    _write_placeholder(directory)


def _write_placeholder(directory: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(_PLACEHOLDER, flags, 0o644, dir_fd=directory)
    try:
        os.write(descriptor, _IGNORES_ITSELF)
    finally:
        os.close(descriptor)


def is_placeholder(tree: WorkTree, path: str) -> bool:
    """Tell whether a file is one of ours that keeps a directory from being removed."""
    parts = PurePosixPath(path).parts
    if parts[0] != _SHOWN_EMPTY or parts[-1] != _PLACEHOLDER:
        return False
    with suppress(OSError):
        return (tree.path / path).read_bytes() == _IGNORES_ITSELF
    return False


def carry_over(
    paths: Collection[str], source: Path, tree: WorkTree, *, budget: Budget
) -> list[str]:
    """Bring what is not committed into a work tree; give what cannot be brought.

    Everything that changed goes first, so that a file can stand where a directory was.

    Raises:
        TooLargeError: There is too much of it.
    """
    with opened(source) as here, opened(tree.path) as there:
        for path in paths:
            remove_path(there, path)
        copied = {path for path in paths if copy_path(path, here, there, budget=budget)}
        return [path for path in paths if path not in copied and find_mode(here, path) is not None]


def note_start(
    tree: WorkTree, base: str, changes: Collection[str], *, name: str, hide: Collection[str]
) -> None:
    """Remember the state at the start, with what was carried over; the work tree is then ready."""
    (tree.state / "objects").mkdir(parents=True)
    copy_index(tree.directory / "index", tree.state / "index")
    private = tree.private("index")
    add_to_index(private, changes)
    start = Start(base, private.get("write-tree", "--missing-ok").strip(), name, tuple(hide))
    (tree.state / _START).write_text(json.dumps(asdict(start)))
    _enter(Phase.READY, tree)


def _enter(phase: Phase, tree: WorkTree) -> None:
    known = Breadcrumb.find(tree.path) or Breadcrumb(tree.common, phase)
    replace(known, phase=phase).write(tree.path)


def note_hidden(tree: WorkTree, start: Start, hide: Collection[str]) -> None:
    """Remember what else is hidden."""
    noted = replace(start, hide=tuple(dict.fromkeys((*start.hide, *hide))))
    stage = tree.state / f"{_START}.new"
    stage.write_text(json.dumps(asdict(noted)))
    stage.replace(tree.state / _START)


def copy_index(source: Path, target: Path) -> None:
    """Copy an index with its time.

    Git compares that with the times of files: those of the same second may have changed unseen.
    """
    shutil.copy2(source, target)


def add_to_index(git: Git, paths: Collection[str]) -> None:
    """Let an index have what stands in the files, at these paths."""
    if paths:
        words = ("update-index", "-z", "--add", "--remove", "--replace", "--stdin")
        git.get(*words, given=joined(list(paths)))


def find_start(tree: WorkTree) -> Start | None:
    """Give the state at the start, or None where it was never noted, or somebody removed it."""
    try:
        noted = json.loads((tree.state / _START).read_text())
        return Start(noted["base"], noted["tree"], noted["name"], tuple(noted["hide"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def let_go(tree: WorkTree) -> None:
    """Remove a work tree, and what the repository knows of it; nothing else is touched."""
    # First: what is half removed must not be taken for what the run has done.
    _enter(Phase.LEAVING, tree)
    remove_all(tree.path)
    with one_at_a_time(tree.common), suppress(FileNotFoundError):
        # In one step: by its link it is found before, and by its new name afterwards.
        tree.directory.rename(_on_its_way_out(tree.common, tree.path))
    finish_removal(tree.common, tree.path)


def finish_removal(common: Path, path: Path) -> None:
    """Remove the rest of what a repository knew of the work tree at `path`.

    The breadcrumb stays: it says that nothing has to be saved any more.
    """
    remove_all(_on_its_way_out(common, path))
    with one_at_a_time(common), suppress(OSError):
        (common / _WORK_TREES).rmdir()


def _on_its_way_out(common: Path, path: Path) -> Path:
    return common / f"{_STATE}-{path.parent.name}"


def remove_all(path: Path) -> None:
    """Remove a directory, also where somebody took the right to do so from themselves."""
    allow_all(path)
    with suppress(FileNotFoundError):
        shutil.rmtree(path)


def allow_all(path: Path) -> None:
    """Let us look into every directory below one, whatever its owner was forbidden there."""
    _allow(path)
    for directory, below, _ in os.walk(path):
        for name in below:
            _allow(Path(directory, name))


def _allow(path: Path) -> None:
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
            path.chmod(stat.S_IRWXU)


def _listed(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except OSError:
        return []


def _quoted(path: str) -> str:
    """Write a path so that git takes a colon, a quote or a line feed in it for what it is."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
