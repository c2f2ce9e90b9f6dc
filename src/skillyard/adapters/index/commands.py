"""Look for programs on the path.

A directory on the path may be on a network that does not answer, and nothing can be done about
a thread that waits for it. One thread looks into all of them; if that takes long, each directory
gets a thread of its own, which a process does not wait for when it ends. One that is stuck is not
asked again until it has answered.
"""

import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

PATIENCE_SECONDS: Final = 5.0
_QUICK_SECONDS: Final = 0.25

IsCommand = Callable[[str], bool]


def is_command(path: str) -> bool:
    """Tell whether `path` is a file that may be executed."""
    return os.access(path, os.X_OK) and os.path.isfile(path)  # noqa: PTH113


class PathCommands:
    """See `Commands`. `path` is written like the variable PATH."""

    def __init__(
        self,
        path: str,
        *,
        patience: float = PATIENCE_SECONDS,
        is_command: IsCommand = is_command,
    ) -> None:
        self._directories = tuple(dict.fromkeys(filter(None, path.split(os.pathsep))))
        self._patience = patience
        self._is_command = is_command
        self._stuck: dict[str, threading.Thread] = {}
        self._is_slow = False

    def find_missing(self, names: Collection[str]) -> frozenset[str]:
        """See `Commands.find_missing`. What has a slash in it is no name of a command."""
        search = _Search(frozenset(one for one in names if "/" not in one), self._is_command)
        if not self._is_slow:
            thread = search.start(*self._directories)
            thread.join(_QUICK_SECONDS)
            if not thread.is_alive():
                return frozenset(names) - search.found
            self._is_slow = True
            self._stuck[search.directory] = thread
        self._search_apart(search)
        return frozenset(names) - search.found

    def _search_apart(self, search: "_Search") -> None:
        """Look into each directory by itself, for so long."""
        threads = {one: search.start(one) for one in self._directories if not self._is_stuck(one)}
        search.wait(list(threads.values()), time.monotonic() + self._patience)
        self._stuck |= {one: thread for one, thread in threads.items() if thread.is_alive()}

    def _is_stuck(self, directory: str) -> bool:
        thread = self._stuck.get(directory)
        return thread is not None and thread.is_alive()


class _Search:
    """One look for some names in many directories."""

    def __init__(self, names: frozenset[str], is_command: IsCommand) -> None:
        self.found: set[str] = set()
        self.directory = ""
        self._names = names
        self._is_command = is_command
        self._is_over = threading.Event()

    def start(self, *directories: str) -> threading.Thread:
        thread = threading.Thread(target=self._search_all, args=(directories,), daemon=True)
        thread.start()
        return thread

    def _search_all(self, directories: Sequence[str]) -> None:
        for directory in directories:
            self.directory = directory
            self._search(directory)

    def wait(self, threads: list[threading.Thread], deadline: float) -> None:
        """Wait until every name is found, every thread is done, or time is up."""
        for thread in threads:
            while thread.is_alive() and len(self.found) < len(self._names):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                thread.join(min(left, 0.05))
        self._is_over.set()

    def _search(self, directory: str) -> None:
        for name in self._names:
            if self._is_over.is_set():
                return
            # A name may hold what no file name can.
            with suppress(ValueError):
                if self._is_command(f"{directory}/{name}"):
                    self.found.add(name)
