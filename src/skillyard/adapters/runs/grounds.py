"""Where runs stand: one directory, with a root for each of them."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from skillyard.adapters.runs.ground import DiskGround, to_notes
from skillyard.adapters.runs.opening import PRIVATE_DIRECTORY, opened
from skillyard.adapters.runs.remaining import Patience
from skillyard.adapters.runs.roots import HeldRoot, opened_runs, to_run_id
from skillyard.application.ports.ground import Leftover, RunGround
from skillyard.domain.delivery import TEMPORARY, Note, Part, RunPlaces
from skillyard.domain.errors import StorageUnavailableError


class DiskGrounds:
    """See `RunGrounds`. The paths that it gives have no links in them."""

    def __init__(self, directory: Path, *, patience: Patience | None = None) -> None:
        self._directory = os.fspath(directory.absolute())
        self._patience = patience
        self._spared: set[str] = set()
        self._held: dict[str, HeldRoot] = {}

    @contextmanager
    def make(self, run_id: str) -> Iterator[RunGround]:
        """See `RunGrounds.make`.

        Raises:
            ValueError: A directory cannot be named after that id.
        """
        with ExitStack() as stack:
            with _translated(self._directory):
                runs = stack.enter_context(opened_runs(self._directory, make=True))
                held = runs.hold_new(run_id)
                stack.callback(held.let_go)
                places = self._make_root(held)
            ground = DiskGround(held, places, patience=self._patience)
            stack.callback(ground.close)
            yield ground

    def iter_leftovers(self) -> Iterator[Leftover]:
        """See `RunGrounds.iter_leftovers`.

        Raises:
            StorageUnavailableError: The directory of runs cannot be looked at.
        """
        yield from self._iter_offered(kept=False)

    def list_leftovers(self) -> Sequence[Leftover]:
        """See `RunGrounds.list_leftovers`."""
        found = []
        with suppress(OSError), opened_runs(self._directory) as runs:
            for name in runs.list_roots():
                held = runs.find_abandoned(name)
                if held is not None:
                    if held.is_there() and not held.is_kept():
                        found.append(self._to_leftover(name))
                    held.let_go()
        return found

    def keep(self, leftover: Leftover) -> None:
        """See `RunGrounds.keep`."""
        name = os.path.basename(leftover.path)  # noqa: PTH119
        self._spared.add(name)
        with _translated(leftover.path), opened_runs(self._directory) as runs:
            runs.mark_as_kept(name)

    def drop_logins(self, leftover: Leftover) -> tuple[Note, ...]:
        """See `RunGrounds.drop_logins`."""
        held = self._held.get(leftover.path)
        return to_notes(held.drop_logins(), leftover.path) if held else ()

    def is_there(self, root: str) -> bool:
        """See `RunGrounds.is_there`."""
        return os.path.lexists(root)

    def iter_kept(self) -> Iterator[Leftover]:
        """See `RunGrounds.iter_kept`.

        Raises:
            StorageUnavailableError: The directory of runs cannot be looked at.
        """
        yield from self._iter_offered(kept=True)

    def list_kept(self) -> Sequence[Leftover]:
        """See `RunGrounds.list_kept`."""
        with suppress(OSError), opened_runs(self._directory) as runs:
            return [self._to_leftover(name) for name in runs.list_kept()]
        return []

    def _make_root(self, held: HeldRoot) -> RunPlaces:
        try:
            os.mkdir(held.name, PRIVATE_DIRECTORY, dir_fd=held.runs)
            with opened(held.name, held.runs) as root:
                for path in (*Part, f"{Part.HOME}/{TEMPORARY}"):
                    os.mkdir(path, PRIVATE_DIRECTORY, dir_fd=root)
        except BaseException:
            held.remove()
            raise
        return _to_places(f"{os.path.realpath(self._directory)}/{held.name}")

    def _iter_offered(self, *, kept: bool) -> Iterator[Leftover]:
        if not os.path.lexists(self._directory):
            return
        with _translated(self._directory), opened_runs(self._directory) as runs:
            for name in runs.list_roots():
                held = runs.find_abandoned(name)
                if held is not None:
                    yield from self._offer(held, kept=kept)
            runs.sweep_locks()

    def _offer(self, held: HeldRoot, *, kept: bool) -> Iterator[Leftover]:
        try:
            if held.is_there() and held.is_kept() == kept:
                self._spared.discard(held.name)
                offered = self._to_leftover(held.name)
                self._held[offered.path] = held
                yield offered
                if held.name not in self._spared:
                    held.remove()
        finally:
            self._held.pop(self._to_leftover(held.name).path, None)
            held.let_go()

    def _to_leftover(self, name: str) -> Leftover:
        return Leftover(to_run_id(name), f"{os.path.realpath(self._directory)}/{name}")


def _to_places(root: str) -> RunPlaces:
    workspace = f"{root}/{Part.WORKSPACE}"
    return RunPlaces(
        root=root,
        workspace=workspace,
        home=f"{root}/{Part.HOME}",
        private=f"{root}/{Part.PRIVATE}",
        logs=f"{root}/{Part.LOGS}",
        directory=workspace,
    )


@contextmanager
def _translated(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageUnavailableError(path, reason=error.strerror or str(error)) from error
