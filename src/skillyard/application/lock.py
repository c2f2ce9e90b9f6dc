"""Have a locked resolution again, byte for byte."""

from collections.abc import Callable
from dataclasses import dataclass

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.errors import (
    CorruptedContentError,
    InvalidPackageError,
    LockDriftError,
    MissingPathError,
)
from skillyard.domain.lock import Lock, LockedSkill
from skillyard.domain.package import Package

ReadDirectory = Callable[[LockedSkill], Package]
"""Read the package of a locked skill that stood in a directory."""


@dataclass(frozen=True, slots=True)
class ReplayedSkill:
    """A locked skill with its content, which has the digest that was locked."""

    locked: LockedSkill
    package: Package


def replay_lock(
    lock: Lock, *, name: str, store: Store, read_directory: ReadDirectory
) -> tuple[ReplayedSkill, ...]:
    """Give every skill of a lock as it was when it was locked, in order.

    Raises:
        LockDriftError: One of them is gone or different; every one is named.
    """
    replayed: list[ReplayedSkill] = []
    lost: list[str] = []
    with store.view() as view:
        for locked in lock.skills:
            package = _find(locked, view, read_directory)
            if package is None:
                lost.append(f"{locked.slug} {locked.version} is gone")
            elif package.digest() != locked.digest:
                lost.append(f"{locked.slug} {locked.version} has other content")
            else:
                replayed.append(ReplayedSkill(locked, package))
    if lost:
        raise LockDriftError(name, lost=lost)
    return tuple(replayed)


def _find(locked: LockedSkill, view: Transaction, read_directory: ReadDirectory) -> Package | None:
    try:
        if locked.layer.is_directory:
            return read_directory(locked)
        return view.packages.get(locked.digest)
    except (CorruptedContentError, InvalidPackageError, MissingPathError):
        return None
