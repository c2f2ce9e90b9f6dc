"""Workspaces with git; see `Workspaces` in the ports for what they promise."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from skillyard.adapters.workspace.copying import (
    MOST_BYTES,
    MOST_FILES,
    Budget,
    TooLargeError,
    opened,
    remove_path,
)
from skillyard.adapters.workspace.directing import find_settings
from skillyard.adapters.workspace.finding import (
    find_main_work_tree,
    find_root,
    find_skill_directories,
)
from skillyard.adapters.workspace.git import Git, GitRefusedError, joined
from skillyard.adapters.workspace.hiding import Hiding
from skillyard.adapters.workspace.identity import read_identity
from skillyard.adapters.workspace.minimal import make_minimal_repository
from skillyard.adapters.workspace.repository import (
    Repository,
    Standing,
    find_repository,
    has_commit,
    read_standing,
)
from skillyard.adapters.workspace.saving import SavedBranch, save_changes
from skillyard.adapters.workspace.tree import TreeCopy, identities
from skillyard.adapters.workspace.worktree import (
    Breadcrumb,
    Phase,
    WorkTree,
    add_work_tree,
    breadcrumb,
    carry_over,
    find_start,
    find_work_tree,
    finish_removal,
    held,
    hide_files,
    hide_in_work_tree,
    let_go,
    list_filtered,
    list_hidden,
    note_hidden,
    note_start,
    remove_all,
    show_empty_directories,
    tidy_repository,
)
from skillyard.application.ports.workspace import (
    ConcludedWorkspace,
    PreparedWorkspace,
    SkillSearch,
)
from skillyard.domain.client import SkillSettings
from skillyard.domain.delivery import FoundDirectory, FoundSettings, Note, NoteKind
from skillyard.domain.errors import GitUnavailableError, WorkspaceUnavailableError
from skillyard.domain.run import WorkspaceMode

_BRANCHES: Final = "skillyard"
_SHOWN: Final = 5
_OTHERWISE: Final = "Choose another one with `--workspace`"


@dataclass(frozen=True, slots=True)
class _Concealed:
    """What does not appear in a workspace: directories of skills, and settings that direct them."""

    directories: Collection[str]
    settings: Collection[SkillSettings]


@dataclass(frozen=True, slots=True, kw_only=True)
class GitWorkspaces:
    """Makes workspaces with git and the file system.

    `environment` is the user's own, by which git is configured. `apart` are directories that never
    come into a workspace, the product's own above all. `most_files` and `most_bytes` bound what is
    copied.
    """

    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    apart: tuple[Path, ...] = ()
    most_files: int = MOST_FILES
    most_bytes: int = MOST_BYTES

    def choose(self, project: str) -> WorkspaceMode:
        """See `Workspaces.choose`."""
        place = Path(project).resolve()
        try:
            found = find_repository(place, self._git(place)) if place.is_dir() else None
        except GitRefusedError:
            # Making it says why it cannot be had; an empty directory would hide that.
            return WorkspaceMode.WORKTREE
        except GitUnavailableError:
            return WorkspaceMode.EMPTY
        is_usual = found is not None and has_commit(found)
        return WorkspaceMode.WORKTREE if is_usual else WorkspaceMode.EMPTY

    def prepare(
        self,
        mode: WorkspaceMode,
        *,
        project: str,
        target: str,
        hide: Collection[str],
        name: str,
        settings: Collection[SkillSettings] = (),
    ) -> PreparedWorkspace:
        """See `Workspaces.prepare`."""
        concealed = _Concealed(hide, settings)
        place = Path(project).resolve()
        with _explained(place):
            made = self._make(mode, place, Path(target).resolve(), concealed, name)
        return replace(made, variables=read_identity(self._git(place))) if made.top else made

    def hide_again(
        self,
        workspace: PreparedWorkspace,
        *,
        hide: Collection[str],
        settings: Collection[SkillSettings] = (),
    ) -> tuple[Note, ...]:
        """See `Workspaces.hide_again`."""
        concealed, path = _Concealed(hide, settings), Path(workspace.path)
        if workspace.mode is WorkspaceMode.IN_PLACE:
            return ()
        with self._holding(path) as git, _explained(path):
            if workspace.mode is WorkspaceMode.WORKTREE:
                tree = _require(_find_tree(path, git), path)
                return _hide_again(tree, Path(workspace.directory), concealed)
            return _hide_in_copy(self._git(path), path, Path(workspace.directory), concealed)

    def conclude(
        self, workspace: PreparedWorkspace, *, name: str, keep: bool = False
    ) -> ConcludedWorkspace:
        """See `Workspaces.conclude`."""
        if workspace.mode is not WorkspaceMode.WORKTREE:
            return ConcludedWorkspace()
        path = Path(workspace.path)
        with self._holding(path) as git, _explained(path):
            tidy_repository(path)
            tree = _find_tree(path, git) or _find_from(Path(workspace.top), path, git)
            return self._end(_require(tree, path), name, keep=keep)

    def abandon(self, path: str, *, was_work_tree: bool = False) -> ConcludedWorkspace:
        """See `Workspaces.abandon`."""
        # A link in its place was put there by the run.
        place = Path(path).parent.resolve() / Path(path).name
        with self._holding(place) as git, _explained(place):
            known = Breadcrumb.find(place)
            if known is None and not was_work_tree and not os.path.lexists(breadcrumb(place)):
                return ConcludedWorkspace()
            tidy_repository(place)
            tree = _find_tree(place, git)
            if known is None or known.phase is Phase.READY:
                return self._end(_require(tree, place))
            _take_away(known, tree, place)
            return ConcludedWorkspace()

    def find_skills(self, start: str, search: SkillSearch) -> tuple[FoundDirectory, ...]:
        """See `Workspaces.find_skills`."""
        return find_skill_directories(start, search)

    def find_settings(
        self, start: str, settings: Collection[SkillSettings]
    ) -> tuple[FoundSettings, ...]:
        """See `Workspaces.find_settings`."""
        place = Path(start).resolve()
        return tuple(find_settings(place, find_root(place) or place, settings))

    def _git(self, directory: Path) -> Git:
        return Git(self.environment, str(directory))

    @contextmanager
    def _holding(self, path: Path) -> Iterator[Git]:
        """Work on the tree at `path` alone; give git that holds it, too, until it is done."""
        with held(path) as descriptors:
            yield replace(self._git(path), inherited=descriptors)

    def _budget(self) -> Budget:
        return Budget(self.most_files, self.most_bytes)

    def _make(
        self, mode: WorkspaceMode, project: Path, target: Path, hide: _Concealed, name: str
    ) -> PreparedWorkspace:
        if mode is WorkspaceMode.EMPTY:
            return _make_empty(target)
        if not project.is_dir():
            raise _unavailable(project, "there is no such directory", _OTHERWISE)
        if mode is WorkspaceMode.IN_PLACE:
            return _stay(project)
        if mode is WorkspaceMode.COPY:
            return self._copy(project, target, hide)
        with self._holding(target) as git:
            return self._add(self._get_repository(project, git), project, target, hide, name)

    def _copy(self, project: Path, target: Path, hide: _Concealed) -> PreparedWorkspace:
        apart = identities((*self.apart, target, target.parent))
        copy = TreeCopy(Hiding.of(hide.directories), apart, self._budget())
        copy.copy(project, target)
        notes = [_left_out(copy.left_out)] if copy.left_out else []
        settings = _relative(find_settings(target, target, hide.settings), target)
        for one in settings:
            (target / one.path).unlink()
        hiding = Hiding.of([*hide.directories, *_anchored(settings)])
        return PreparedWorkspace(
            mode=WorkspaceMode.COPY,
            path=str(target),
            directory=str(target),
            top=_text(find_root(project)),
            hidden=tuple(sorted([*copy.hidden, *(one.path for one in settings)])),
            notes=(*notes, *map(_hidden, settings), *self._stand_alone(target, hiding)),
        )

    def _stand_alone(self, target: Path, hiding: Hiding) -> list[Note]:
        """Let a copy be a repository that has to do with no other one."""
        try:
            if (target / ".git").is_dir() and self._is_own(target):
                _forget_hidden(self._git(target), hiding)
                return []
        except GitUnavailableError:
            return [_note("git is not installed: the copy's own git may name what is hidden")]
        had_one = (target / ".git").exists()
        remove_all(target / ".git")
        make_minimal_repository(target)
        return [
            _note("the project's repository cannot be copied, so the copy has no history")
        ] * had_one

    def _is_own(self, target: Path) -> bool:
        with suppress(GitRefusedError):
            found = find_repository(target, self._git(target))
            return found is not None and (found.top, found.common) == (target, target / ".git")
        return False

    def _add(
        self, repository: Repository, project: Path, target: Path, hide: _Concealed, name: str
    ) -> PreparedWorkspace:
        standing = read_standing(repository.git)
        if standing.base is None:
            raise _unavailable(project, "its repository has no commit", "Commit something first")
        try:
            tree = add_work_tree(repository, target, standing.base)
            return self._fill(tree, repository, standing, hide, name, project)
        except BaseException:
            self._forget(target, repository)
            raise

    def _get_repository(self, project: Path, git: Git) -> Repository:
        found = find_repository(project, git.at(str(project)).without_filters())
        if found is None:
            raise _unavailable(project, "it is in no work tree of git", _OTHERWISE)
        return found

    def _fill(
        self,
        tree: WorkTree,
        repository: Repository,
        standing: Standing,
        hide: _Concealed,
        name: str,
        project: Path,
    ) -> PreparedWorkspace:
        hiding = Hiding.of(hide.directories)
        hidden = hide_in_work_tree(tree, hiding)
        changes = self._carried(standing, repository.top, hiding)
        missing = carry_over(changes, repository.top, tree, budget=self._budget())
        show_empty_directories(tree, hide.directories)
        directory = tree.path / project.relative_to(repository.top)
        settings = _hide_settings(tree, directory, hide.settings)
        directory.mkdir(parents=True, exist_ok=True)
        note_start(
            tree,
            str(standing.base),
            [path for path in changes if path not in {one.path for one in settings}],
            name=name,
            hide=[*hide.directories, *_anchored(settings)],
        )
        return PreparedWorkspace(
            mode=WorkspaceMode.WORKTREE,
            path=str(tree.path),
            directory=str(directory),
            top=str(repository.top),
            hidden=tuple(sorted([*hidden, *(one.path for one in settings)])),
            notes=(
                *_notes(tree, [*missing, *standing.repositories]),
                *map(_hidden, settings),
                *_note_shared(tree, hide.settings),
            ),
        )

    def _carried(self, standing: Standing, top: Path, hiding: Hiding) -> list[str]:
        apart = [path.resolve() for path in self.apart]
        inner = [str(path.relative_to(top)) + "/" for path in apart if path.is_relative_to(top)]
        return [
            path
            for path in dict.fromkeys(standing.changes)
            if not path.startswith(tuple(inner)) and not _is_hidden(top, path, hiding)
        ]

    def _forget(self, path: Path, repository: Repository) -> None:
        """Take back a work tree that was begun."""
        if tree := find_work_tree(repository.common, path, repository.git):
            let_go(tree)
        breadcrumb(path).unlink(missing_ok=True)

    def _end(
        self, tree: WorkTree, name: str | None = None, *, keep: bool = False
    ) -> ConcludedWorkspace:
        start = find_start(tree)
        if start is None:
            raise _lost(tree.path, "the note of what it started from is gone")
        saved = save_changes(tree, start, f"{_BRANCHES}/{name or start.name}")
        if not keep:
            let_go(tree)
        return ConcludedWorkspace(saved.name, _told(saved)) if saved else ConcludedWorkspace()


def _hide_again(tree: WorkTree, directory: Path, hide: _Concealed) -> tuple[Note, ...]:
    start = find_start(tree)
    if start is None:
        raise _lost(tree.path, "the note of what it started from is gone")
    hide_in_work_tree(tree, Hiding.of(hide.directories))
    settings = _hide_settings(tree, directory, hide.settings)
    note_hidden(tree, start, _anchored(settings))
    show_empty_directories(tree, hide.directories)
    return tuple(map(_hidden, settings))


def _hide_in_copy(git: Git, path: Path, directory: Path, hide: _Concealed) -> tuple[Note, ...]:
    """Hide what the repository of a copy has brought back, if there is one that git can read."""
    settings = _relative(find_settings(directory, path, hide.settings), path)
    hiding = Hiding.of([*hide.directories, *_anchored(settings)])
    with suppress(GitRefusedError, GitUnavailableError), opened(path) as root:
        paths = list_hidden(git, hiding)
        _forget_hidden(git, hiding)
        for one in paths:
            remove_path(root, one)
    for found in settings:
        (path / found.path).unlink(missing_ok=True)
    return tuple(map(_hidden, settings))


def _find_tree(path: Path, git: Git) -> WorkTree | None:
    known = Breadcrumb.find(path)
    return _find_in(known.common, path, git) if known else None


def _require(tree: WorkTree | None, path: Path) -> WorkTree:
    """Give the work tree at `path`, with its files: nobody knows what became of others."""
    if tree is None:
        raise _lost(path, "its repository, or what that knew of it, is gone")
    if not path.is_dir():
        raise _lost(path, "its files are not there any more")
    return tree


def _lost(path: Path, reason: str) -> WorkspaceUnavailableError:
    hint = "Look at what is there, and remove it yourself when you do not need it"
    return _unavailable(path, reason, hint)


def _take_away(known: Breadcrumb, tree: WorkTree | None, path: Path) -> None:
    """Take away a work tree that nobody has worked in yet, or whose removal was begun."""
    if tree is not None:
        let_go(tree)
    elif known.common.is_dir():
        finish_removal(known.common, path)


def _find_from(top: Path, path: Path, git: Git) -> WorkTree | None:
    with suppress(GitRefusedError):
        found = find_repository(top, git) if top.is_dir() else None
        return _find_in(found.common, path, git) if found else None
    return None


def _find_in(common: Path, path: Path, git: Git) -> WorkTree | None:
    if not common.is_dir():
        return None
    here = git.at(str(common)).given(GIT_DIR=str(common)).without_filters()
    return find_work_tree(common, path, here)


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Say what is wrong in terms of a workspace."""
    try:
        yield
    except TooLargeError as error:
        hint = "Let git ignore what is not needed, or choose another one with `--workspace`"
        raise _unavailable(place, str(error), hint) from error
    except GitRefusedError as error:
        hint = _TRUST.format(place) if error.is_about_ownership else _OTHERWISE
        raise _unavailable(place, f"git says: {error}", hint) from error
    except OSError as error:
        where = f"`{error.filename}`: " if error.filename else ""
        raise _unavailable(place, f"{where}{error.strerror or error}", _OTHERWISE) from error


_TRUST: Final = "If you trust it: `git config --global --add safe.directory {}`"


def _unavailable(place: Path, reason: str, hint: str) -> WorkspaceUnavailableError:
    return WorkspaceUnavailableError(str(place), reason=reason, hint=hint)


def _make_empty(target: Path) -> PreparedWorkspace:
    make_minimal_repository(target)
    return PreparedWorkspace(mode=WorkspaceMode.EMPTY, path=str(target), directory=str(target))


def _stay(project: Path) -> PreparedWorkspace:
    return PreparedWorkspace(
        mode=WorkspaceMode.IN_PLACE,
        path=str(project),
        directory=str(project),
        top=_text(find_root(project)),
    )


def _text(path: Path | None) -> str:
    return str(path) if path else ""


def _forget_hidden(git: Git, hiding: Hiding) -> None:
    """Let the git of a copy not miss what is hidden."""
    with suppress(GitRefusedError):
        if paths := list_hidden(git, hiding):
            git.get("update-index", "-z", "--skip-worktree", "--stdin", given=joined(paths))


def _hide_settings(
    tree: WorkTree, directory: Path, settings: Collection[SkillSettings]
) -> list[FoundSettings]:
    """Take settings that direct skills out of a work tree; give them relative to it."""
    found = _relative(find_settings(directory, tree.path, settings), tree.path)
    if found:
        hide_files(tree, [one.path for one in found])
    return found


def _note_shared(tree: WorkTree, settings: Collection[SkillSettings]) -> Iterator[Note]:
    """Tell of settings that a client reads in the main work tree, whatever stands in this one."""
    main = find_main_work_tree(tree.path)
    shared = [one for one in settings if one.is_shared]
    for one in find_settings(main, main, shared) if main else ():
        keys = ", ".join(f"`{key}`" for key in one.keys)
        message = (
            f"{one.path} directs which skills are seen ({keys}), also in a work tree; "
            "`--workspace copy` hides it"
        )
        yield Note(kind=NoteKind.ALSO_SEEN, message=message)


def _relative(found: Collection[FoundSettings], top: Path) -> list[FoundSettings]:
    return [replace(one, path=str(Path(one.path).relative_to(top))) for one in found]


def _anchored(settings: Collection[FoundSettings]) -> list[str]:
    return [f"/{one.path}" for one in settings]


def _hidden(settings: FoundSettings) -> Note:
    keys = ", ".join(f"`{key}`" for key in settings.keys)
    message = (
        f"`{settings.path}` is hidden, because it directs which skills are seen ({keys}); "
        "`--workspace in-place` keeps it"
    )
    return Note(kind=NoteKind.HIDDEN, message=message)


def _is_hidden(top: Path, path: str, hiding: Hiding) -> bool:
    is_link = (top / path).is_symlink()
    return hiding.hides_link(path) if is_link else hiding.find(path) is not None


def _note(message: str) -> Note:
    return Note(kind=NoteKind.WORKSPACE, message=message)


def _left_out(paths: list[str]) -> Note:
    shown = ", ".join(f"`{path}`" for path in paths[:_SHOWN])
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return _note(f"left out, because it leads out of the workspace or is no file: {shown}{more}")


def _notes(tree: WorkTree, missing: list[str]) -> Iterator[Note]:
    if missing:
        yield _left_out(missing)
    if (tree.path / ".gitmodules").exists():
        yield _note("submodules are not in the work tree: their directories are empty")
    if filtered := list_filtered(tree):
        yield _note(
            f"{len(filtered)} files hold what git stores and not what a filter makes of it, such as"
            f" `{filtered[0]}`; `--workspace copy` has them as they stand"
        )


def _told(saved: SavedBranch) -> tuple[Note, ...]:
    see = f"git diff {saved.start[:12]} {saved.name}"
    take = f"git merge {saved.name}"
    if saved.had_changes:
        take = f"git diff --binary {saved.start[:12]} {saved.name} | git apply"
    return (
        _note(f"what the run changed is in the branch `{saved.name}`; to see it: `{see}`"),
        _note(f"to take it over, in the root of the repository: `{take}`"),
    )
