"""What a run changed in its work tree, saved as a branch of the user's repository.

The branch holds the run's commits, if it made any, and then everything that it left uncommitted.
What the user had not committed at the start is a commit of its own below that, so that the last
step is what the run did and nothing else.
"""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillyard.adapters.workspace.copying import find_mode, opened
from skillyard.adapters.workspace.git import Git, GitRefusedError, joined, split
from skillyard.adapters.workspace.hiding import Hiding
from skillyard.adapters.workspace.repository import find_commit, get_tree
from skillyard.adapters.workspace.worktree import (
    Start,
    WorkTree,
    add_to_index,
    allow_all,
    copy_index,
    is_placeholder,
    list_hidden,
)

_END: Final = "end"
_BEFORE: Final = "What was not committed when the run started"
_AFTER: Final = "What the run changed"
_MOST_NAMES: Final = 100
_NOBODY: Final = {
    "GIT_AUTHOR_EMAIL": "skillyard@localhost",
    "GIT_AUTHOR_NAME": "Skillyard run",
    "GIT_COMMITTER_EMAIL": "skillyard@localhost",
    "GIT_COMMITTER_NAME": "Skillyard run",
}
_HEAD_OF_ROW: Final = 5


@dataclass(frozen=True, slots=True)
class SavedBranch:
    """A branch, and the commit that it is compared with to see what the run did.

    `had_changes` tells whether the user had changes that were not committed.
    """

    name: str
    start: str
    had_changes: bool


def save_changes(tree: WorkTree, start: Start, branch: str) -> SavedBranch | None:
    """Save what was done in a work tree under a branch; None where nothing was.

    Saving the same state again gives the same branch.

    Raises:
        GitRefusedError: It cannot be saved; nothing is lost, the work tree stays as it is.
    """
    # What git cannot look into, it takes for removed.
    allow_all(tree.path)
    head = find_commit(tree.plain(), "HEAD") or start.base
    end = _write_end(tree, start, head)
    if end == start.tree and head == start.base:
        return None
    had_changes = get_tree(tree.plain(), start.base) != start.tree
    git = _with_identity(tree.private(_END))
    below = _commit(git, start.tree, [start.base], _BEFORE) if had_changes else start.base
    top = _top_commit(git, end, head, below, start.base)
    _bring_home(tree, top, [start.base, head])
    return SavedBranch(_point_branch(tree, branch, top), below, had_changes)


def _top_commit(git: Git, end: str, head: str, below: str, base: str) -> str:
    parents = [one for one in dict.fromkeys([head, below]) if one != base] or [base]
    if parents == [head] and get_tree(git, head) == end:
        return head
    return _commit(git, end, parents, _AFTER)


def _commit(git: Git, tree: str, parents: Sequence[str], message: str) -> str:
    words = [word for parent in parents for word in ("-p", parent)]
    return git.get("commit-tree", tree, *words, "-m", message).strip()


def _with_identity(git: Git) -> Git:
    """Commit as the user, if git knows who that is; nobody is made up."""
    known = git.set({"user.useConfigOnly": "true"}).find("var", "GIT_COMMITTER_IDENT")
    return git if known else git.given(**_NOBODY)


def _write_end(tree: WorkTree, start: Start, head: str) -> str:
    """Write the tree of what stands in the files now, and give its id."""
    hiding = Hiding.of(start.hide)
    copy_index(tree.state / "index", tree.state / _END)
    git = tree.private(_END)
    # It says no where something differs, which is what we are about to ask.
    git.find("update-index", "-q", "--refresh")
    returned = _show_again(tree, git, hiding)
    paths = {*_differing(git), *_new(tree, git), *_added_by_force(tree, git), *returned}
    _make_readable(tree.path, sorted(paths))
    add_to_index(git, sorted(paths))
    _take_hidden_commits(tree, git, hiding, (start.base, head))
    return git.get("write-tree", "--missing-ok").strip()


def _differing(git: Git) -> list[str]:
    return split(git.get("diff-files", "-z", "--name-only", "--ignore-submodules=all"))


def _new(tree: WorkTree, git: Git) -> list[str]:
    found = split(git.get("ls-files", "-z", "--others", "--exclude-standard"))
    inner = [path for one in found if one.endswith("/") for path in _files_of(tree.path, one[:-1])]
    return [path for path in found if not path.endswith("/")] + inner


def _files_of(root: Path, repository: str) -> list[str]:
    """Give the files of a repository that was made in the work tree, without its own `.git`."""
    found: list[str] = []
    for directory, below, files in os.walk(root / repository):
        below[:] = [name for name in below if name != ".git"]
        inner = Path(directory).relative_to(root)
        found += [str(inner / name) for name in files if name != ".git"]
    return found


def _added_by_force(tree: WorkTree, git: Git) -> list[str]:
    """Give what the run added to its own index although it is ignored."""
    theirs = tree.plain().find("ls-files", "-z")
    ours = set(split(git.get("ls-files", "-z")))
    with opened(tree.path) as root:
        added = [path for path in split(theirs or "") if path not in ours]
        return [path for path in added if _is_there(root, path) and not is_placeholder(tree, path)]


def _show_again(tree: WorkTree, git: Git, hiding: Hiding) -> list[str]:
    """Give the hidden paths at which the run itself has written something."""
    with opened(tree.path) as root:
        there = [path for path in list_hidden(git, hiding) if _is_there(root, path)]
    paths = [path for path in there if not is_placeholder(tree, path)]
    if paths:
        git.get("update-index", "-z", "--no-skip-worktree", "--stdin", given=joined(paths))
    return paths


def _is_there(root: int, path: str) -> bool:
    mode = find_mode(root, path)
    return mode is not None and not stat.S_ISDIR(mode)


def _take_hidden_commits(
    tree: WorkTree, git: Git, hiding: Hiding, commits: tuple[str, str]
) -> None:
    """Take over what the run's commits brought to hidden paths, a merge for example.

    What they lack was hidden from the run and not removed by it, and stays.
    """
    base, head = commits
    if head == base:
        return
    words = split(git.get("diff-tree", "-r", "-z", "--no-renames", "--diff-filter=d", base, head))
    rows = zip(words[::2], words[1::2], strict=True)
    taken = [
        _as_index_row(row, path)
        for row, path in rows
        if hiding.find(path) and not is_placeholder(tree, path)
    ]
    if taken:
        git.get("update-index", "-z", "--index-info", given=joined(taken))


def _as_index_row(row: str, path: str) -> str:
    _, mode, _, blob, _ = row.split(" ", _HEAD_OF_ROW)
    return f"{mode} {blob}\t{path}"


def _make_readable(root: Path, paths: Sequence[str]) -> None:
    for path in paths:
        file = root / path
        info = os.lstat(file) if os.path.lexists(file) else None
        if info and stat.S_ISREG(info.st_mode) and not info.st_mode & stat.S_IRUSR:
            file.chmod(stat.S_IMODE(info.st_mode) | stat.S_IRUSR)


def _bring_home(tree: WorkTree, commit: str, known: Sequence[str]) -> None:
    """Copy the objects of a commit from ours to the repository's."""
    wanted = "".join(f"{line}\n" for line in (commit, *(f"^{one}" for one in known)))
    place = tree.state / "pack"
    words = ("pack-objects", "-q", "--revs", "--window=0", str(place))
    packed = tree.private(_END).get(*words, given=wanted).strip()
    if packed:
        with Path(f"{place}-{packed}.pack").open("rb") as pack:
            tree.plain().get_from(pack, "unpack-objects", "-q")


def _point_branch(tree: WorkTree, name: str, commit: str) -> str:
    """Make a branch of that name, or of one like it where the name is taken."""
    for branch in _names_like(name):
        there = find_commit(tree.plain(), f"refs/heads/{branch}")
        if there and _is_the_same(tree.plain(), there, commit):
            return branch
        if not there and _is_made(tree.plain(), branch, commit):
            return branch
    message = f"there is no free name for a branch like {name}"
    raise GitRefusedError(message)


def _names_like(name: str) -> list[str]:
    # A branch `skillyard` keeps every other one from beginning with `skillyard/`.
    plain = name.replace("/", "-")
    return [name, plain, *(f"{plain}-{number}" for number in range(2, _MOST_NAMES))]


def _is_made(git: Git, branch: str, commit: str) -> bool:
    return git.find("update-ref", f"refs/heads/{branch}", commit, "") is not None


def _is_the_same(git: Git, one: str, other: str) -> bool:
    return one == other or git.find("diff-tree", "--quiet", one, other) is not None
