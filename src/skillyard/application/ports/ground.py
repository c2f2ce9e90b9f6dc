"""The ground that runs stand on: a directory for each, made whole, and removed whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from skillyard.domain.delivery import DeliveryPlan, Note, Part, PlannedSkill, RunPlaces
from skillyard.domain.run import SeenChange


@dataclass(frozen=True, slots=True)
class WrittenPlan:
    """What was written besides the skills: paths relative to the root, without the logins.

    A path outside the root is absolute. `notes` say which logins were not passed on, and why.
    """

    files: tuple[str, ...]
    notes: tuple[Note, ...] = ()


class RunGround(Protocol):
    """One run's directory, while the run lasts.

    Nobody else removes it as long as the process that made it, or one that it started, lives.
    """

    @property
    def places(self) -> RunPlaces:
        """Where everything stands."""
        ...

    def start_in(self, workspace: str, directory: str) -> None:
        """Let the run work in `workspace`, and start in `directory`, outside or below the root."""
        ...

    def lay_out(
        self,
        plan: DeliveryPlan,
        *,
        link: Callable[[PlannedSkill], Path | None],
        environment: Mapping[str, str],
    ) -> WrittenPlan:
        """Carry a plan out: skills, files and copies of the logins that `environment` leads to.

        `link` gives the directory that a skill is linked to, or None where it has to be copied.
        Nothing stands there before, and nothing that stands there is ever overwritten. Logins can
        be read by nobody else, and are not writable, unless they are part of a planned file. One
        that is not there, or cannot be read, is left out.

        Raises:
            StorageUnavailableError: The file system refused.
        """
        ...

    def find_changes(
        self, skills: Sequence[PlannedSkill], directories: Sequence[str] = ()
    ) -> tuple[SeenChange, ...]:
        """Compare what was laid out with what is there, and give what differs, in order.

        In `directories` of the run's home, everything that is none of these skills was added. It is
        named after what stands there; its path is the one in it, or in the home for a single file.
        Whatever the run left there is looked at, and never followed out of it. Of very many files
        that were added to a skill only the first are given.
        """
        ...

    def launch(
        self, command: Sequence[str], environment: Mapping[str, str], *, log: str | None = None
    ) -> int:
        """Run a program to its end, and give its status; a signal gives 128 and its number.

        It is looked for in the `PATH` of `environment`. Its streams are ours; with `log`, what it
        says goes to the end of that file among the logs, and it is asked nothing. What interrupts
        us reaches it; if it is told to end, and has not after some seconds, it is killed. With a
        `log` it is only a step, and what interrupts it interrupts us, too, when it has ended.

        Raises:
            CommandNotStartedError: There is no such program, or it cannot be started.
            KeyboardInterrupt: We were interrupted in such a step.
            SystemExit: We were told to end in such a step; it has the status of the signal.
        """
        ...

    def end_processes(self) -> tuple[Note, ...]:
        """End whatever programs of the run have left behind that still runs.

        It is asked to end, and killed after some seconds. A note tells of what goes on even so.
        """
        ...

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the root, whole or not at all; one of that name is replaced.

        Raises:
            StorageUnavailableError: The file system refused.
        """
        ...

    def keep(self) -> None:
        """Mark it as kept: no sweep removes it, even if this process dies.

        Raises:
            StorageUnavailableError: The file system refused.
        """
        ...

    def drop_logins(self) -> tuple[Note, ...]:
        """Remove the copies of the logins, and planned files that have become part of one.

        They are found wherever they stand in the root, whatever their permissions. Notes tell of
        what could not be removed.
        """
        ...

    def is_there(self) -> bool:
        """Tell whether the directory exists still: a program may have removed or moved it."""
        ...

    def remove(self) -> None:
        """Remove all of it; what cannot be removed now is for the next sweep."""
        ...


@dataclass(frozen=True, slots=True)
class Leftover:
    """The root of a run that nobody looks after any more; `run_id` is what its name says."""

    run_id: str
    path: str


class RunGrounds(Protocol):
    """Where runs stand."""

    def make(self, run_id: str) -> AbstractContextManager[RunGround]:
        """Make `run-<id>-<token>/` with its parts, held by this process until the context ends.

        Raises:
            StorageUnavailableError: It cannot be made.
        """
        ...

    def iter_leftovers(self) -> Iterator[Leftover]:
        """Give the roots whose processes are all gone; each is removed when the loop goes on.

        One that is marked as kept stays. Nobody else is given the same one at the same time.
        """
        ...

    def list_leftovers(self) -> Sequence[Leftover]:
        """Give the roots that `iter_leftovers` would give now, in order; none is removed."""
        ...

    def keep(self, leftover: Leftover) -> None:
        """Mark a root that an iterator has given as kept: it is not removed."""
        ...

    def drop_logins(self, leftover: Leftover) -> tuple[Note, ...]:
        """Remove the logins from a root that an iterator has given; see `RunGround.drop_logins`."""
        ...

    def is_there(self, root: str) -> bool:
        """Tell whether anything stands where a root was."""
        ...

    def iter_kept(self) -> Iterator[Leftover]:
        """Give the roots that were kept on purpose; each is removed when the loop goes on.

        One whose processes are not all gone is left out.
        """
        ...

    def list_kept(self) -> Sequence[Leftover]:
        """Give the roots that were kept on purpose, in order."""
        ...


def path_in(places: RunPlaces, part: Part, path: str) -> str:
    """Give the absolute path of something in a part of a run."""
    return f"{places.of(part)}/{path}" if path else places.of(part)
