"""The directory of one run, while the run lasts."""

import os
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from skillyard.adapters.runs.changes import find_changes, find_foreign
from skillyard.adapters.runs.dropping import KnownLogin
from skillyard.adapters.runs.launch import launch
from skillyard.adapters.runs.layout import Layout
from skillyard.adapters.runs.logins import GatheredLogins, gather_logins
from skillyard.adapters.runs.opening import (
    CREATE,
    DIRECTORY,
    descended,
    opened,
    split_path,
    unlink_if_there,
    write_all,
)
from skillyard.adapters.runs.remaining import Patience, Tether, find_processes
from skillyard.adapters.runs.roots import HeldRoot, to_run_id
from skillyard.application.ports.ground import WrittenPlan
from skillyard.domain.delivery import (
    DeliveryPlan,
    Note,
    NoteKind,
    Part,
    PlannedFile,
    PlannedSkill,
    RunPlaces,
)
from skillyard.domain.errors import StorageUnavailableError
from skillyard.domain.run import ChangeKind, SeenChange

_LOGIN_MODE: Final = 0o400
# What a run put there could be a pipe: it must not hold us up.
_APPEND: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
)


class DiskGround:
    """See `RunGround`."""

    def __init__(
        self, root: HeldRoot, places: RunPlaces, *, patience: Patience | None = None
    ) -> None:
        self._root = root
        self._patience = patience or Patience()
        self._tether = Tether(root.lock)
        self._places = places
        self._links: dict[tuple[Part, str], str] = {}
        self._logins: tuple[KnownLogin, ...] = ()

    @property
    def places(self) -> RunPlaces:
        """See `RunGround.places`."""
        return self._places

    def start_in(self, workspace: str, directory: str) -> None:
        """See `RunGround.start_in`."""
        self._places = replace(self._places, workspace=workspace, directory=directory)

    def lay_out(
        self,
        plan: DeliveryPlan,
        *,
        link: Callable[[PlannedSkill], Path | None],
        environment: Mapping[str, str],
    ) -> WrittenPlan:
        """See `RunGround.lay_out`."""
        planned = {one.path: one.content for one in plan.files if one.part is Part.HOME}
        logins = gather_logins(plan.logins, planned, environment)
        self._note_logins([*logins.copied.items(), *logins.merged.items()])
        with Layout(self._places) as layout:
            for skill in plan.skills:
                if skill.path:
                    self._put_skill(skill, link(skill), layout)
            for file in plan.files:
                self._put_file(file, logins, layout)
            for path, content in logins.copied.items():
                self._put_login(path, content, layout)
        self._note_where_logins_are()
        files = tuple(self._relative(one.part, one.path) for one in plan.files)
        return WrittenPlan(files, tuple(logins.notes))

    def find_changes(
        self, skills: Sequence[PlannedSkill], directories: Sequence[str] = ()
    ) -> tuple[SeenChange, ...]:
        """See `RunGround.find_changes`."""
        found = [
            SeenChange(skill.slug, path, kind)
            for skill in skills
            if skill.path
            for path, kind in self._find_changes(skill)
        ]
        ours = {skill.path for skill in skills if skill.part is Part.HOME}
        for directory in directories:
            found += self._iter_added(directory, ours)
        return tuple(sorted(found))

    def _iter_added(self, directory: str, ours: Collection[str]) -> Iterator[SeenChange]:
        """Yield what stands in a directory of skills and is none of ours."""
        known = {
            name for parent, _, name in (one.rpartition("/") for one in ours) if parent == directory
        }
        try:
            with descended(self._places.home, directory) as opened_one:
                for name, path in find_foreign(opened_one, known):
                    where = path or f"{directory}/{name}"
                    yield SeenChange(name, where, ChangeKind.ADDED)
        except FileNotFoundError:
            return
        except OSError:
            # It is no directory any more, or a link on the way leads to another one.
            yield SeenChange(directory.rpartition("/")[2], directory, ChangeKind.ADDED)

    def launch(
        self, command: Sequence[str], environment: Mapping[str, str], *, log: str | None = None
    ) -> int:
        """See `RunGround.launch`."""
        with self._opened_log(log) as output:
            return launch(
                command,
                environment,
                directory=self._places.directory,
                inherited=self._tether.inherited(),
                output=output,
                patience=self._patience.told,
            )

    def end_processes(self) -> tuple[Note, ...]:
        """See `RunGround.end_processes`."""
        run_id = to_run_id(self._root.name)
        if self._tether.end_all(run_id, self._patience.left):
            return ()
        which = ", ".join(map(str, find_processes(run_id))) or "it is not known which"
        message = f"a process that the run started could not be ended, and goes on: {which}"
        return (Note(kind=NoteKind.PROCESS, message=message),)

    def close(self) -> None:
        """Let go of what programs of the run inherit."""
        self._tether.close()

    def write(self, name: str, content: bytes) -> None:
        """See `RunGround.write`."""
        (plain,) = split_path(name)
        stage = f".{plain}-{secrets.token_hex(8)}"
        with (
            _translated(f"{self._places.root}/{plain}"),
            opened(self._root.name, self._root.runs) as root,
        ):
            try:
                with opened(stage, root, CREATE) as descriptor:
                    write_all(descriptor, content)
                os.rename(stage, plain, src_dir_fd=root, dst_dir_fd=root)
            finally:
                unlink_if_there(stage, root)

    def keep(self) -> None:
        """See `RunGround.keep`."""
        with _translated(self._places.root):
            self._root.mark_as_kept()

    def drop_logins(self) -> tuple[Note, ...]:
        """See `RunGround.drop_logins`."""
        return to_notes(self._root.drop_logins(), self._places.root)

    def is_there(self) -> bool:
        """See `RunGround.is_there`."""
        return self._root.is_there()

    def remove(self) -> None:
        """See `RunGround.remove`."""
        self._root.remove()

    def _put_skill(self, skill: PlannedSkill, target: Path | None, layout: Layout) -> None:
        with _translated(f"{self._places.of(skill.part)}/{skill.path}"):
            if target is None:
                layout.put_package(skill.package, skill.part, skill.path)
            else:
                layout.put_link(str(target), skill.part, skill.path)
                self._links[skill.part, skill.path] = str(target)

    def _note_logins(self, contents: Sequence[tuple[str, bytes]]) -> None:
        self._logins = tuple(KnownLogin.of(path, content) for path, content in contents)
        if self._logins:
            with _translated(self._places.root):
                self._root.note_logins(self._logins)

    def _note_where_logins_are(self) -> None:
        if self._logins:
            with _translated(self._places.root):
                self._root.note_logins([one.located(self._places.home) for one in self._logins])

    def _put_file(self, file: PlannedFile, logins: GatheredLogins, layout: Layout) -> None:
        merged = logins.merged.get(file.path) if file.part is Part.HOME else None
        with _translated(f"{self._places.of(file.part)}/{file.path}"):
            content = file.content if merged is None else merged
            layout.put_file(content, file.part, file.path)

    def _put_login(self, path: str, content: bytes, layout: Layout) -> None:
        with _translated(f"{self._places.home}/{path}"):
            layout.put_file(content, Part.HOME, path, mode=_LOGIN_MODE)

    def _relative(self, part: Part, path: str) -> str:
        absolute = f"{self._places.of(part)}/{path}"
        return absolute.removeprefix(f"{self._places.root}/")

    def _find_changes(self, skill: PlannedSkill) -> list[tuple[str, ChangeKind]]:
        try:
            with self._opened_skill(skill) as directory:
                return list(find_changes(skill.package, directory).items())
        except OSError:
            return list(find_changes(skill.package, None).items())

    @contextmanager
    def _opened_skill(self, skill: PlannedSkill) -> Iterator[int]:
        """Open what was delivered; a link only where it is the one that was laid out."""
        parent, _, name = skill.path.rpartition("/")
        target = self._links.get((skill.part, skill.path))
        with descended(self._places.of(skill.part), parent) as within:
            is_ours = target is not None and _is_link_to(target, name, within)
            with opened(target if target and is_ours else name, within) as directory:
                yield directory

    @contextmanager
    def _opened_log(self, log: str | None) -> Iterator[int | None]:
        if log is None:
            yield None
            return
        (name,) = split_path(log)
        with _translated(f"{self._places.logs}/{name}"):
            logs = os.open(self._places.logs, DIRECTORY)
            try:
                output = os.open(name, _APPEND, 0o600, dir_fd=logs)
            finally:
                os.close(logs)
        try:
            yield output
        finally:
            os.close(output)


def to_notes(left: Sequence[str], root: str) -> tuple[Note, ...]:
    """Say what of a root may still hold a login."""
    return tuple(
        Note(kind=NoteKind.LOGIN, message=f"a login could not be removed: look at `{root}/{one}`")
        for one in left
    )


def _is_link_to(target: str, name: str, parent: int) -> bool:
    try:
        return os.readlink(name, dir_fd=parent) == target
    except OSError:
        return False


@contextmanager
def _translated(path: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise StorageUnavailableError(path, reason="something stands there already") from error
    except OSError as error:
        raise StorageUnavailableError(path, reason=error.strerror or str(error)) from error
