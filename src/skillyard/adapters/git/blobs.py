"""The contents of a repository's files, one at a time, from one `git cat-file --batch`.

Another git is asked for the size first: to give the beginning of a content, git may unpack all of
it in memory.
"""

from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from skillyard.adapters.git.process import PIECE_BYTES, Answer, GaveUpError, Git

_MOST_HEADER: Final = 1024


class Blobs:
    """Gives contents by their ids; git is started when the first one is asked for."""

    def __init__(self, git: Git) -> None:
        self._sizes = _Talk(git, "--batch-check")
        self._contents = _Talk(git, "--batch")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._sizes.stop()
        self._contents.stop()

    def find(self, blob: bytes, most: int) -> bytes | None:
        """Give a content, or None where the repository lacks it.

        One that has more than `most` bytes is not read: `most` zeros stand for it.

        Raises:
            GaveUpError: Git holds the content, and cannot unpack it.
            GitUnavailableError: Git does not answer as it should.
        """
        try:
            size = self._sizes.ask(blob)
        except GaveUpError:  # so an older git says that it may not fetch what is missing
            return None
        if size is None or size > most:
            return None if size is None else bytes(most)
        if self._contents.ask(blob) != size:
            self._contents.stop()
            return None
        return self._contents.read(size)


class _Talk:
    """A git that is asked about one object after the other; one that ended is started anew."""

    def __init__(self, git: Git, mode: str) -> None:
        self._git = git
        self._mode = mode
        self._running = ExitStack()
        self._answer: Answer | None = None
        self._buffer = bytearray()

    def ask(self, blob: bytes) -> int | None:
        """Give the size of a content, or None where there is no such content."""
        if self._answer is None:
            self._answer = self._running.enter_context(self._git.ask("cat-file", self._mode))
        self._answer.request(blob + b"\n")
        match self._read_line(self._answer).split(b" "):
            case [_, b"blob", size]:
                return int(size)
            case _:  # `<id> missing`, or `<id> tree <size>`
                return None

    def read(self, size: int) -> bytes:
        """Give the content whose size was just given."""
        # A line feed follows.
        while self._answer is not None and len(self._buffer) <= size:
            self._fill(self._answer)
        content = bytes(self._buffer[:size])
        del self._buffer[: size + 1]
        return content

    def stop(self) -> None:
        """End git."""
        self._answer = None
        self._buffer.clear()
        self._running.close()

    def _read_line(self, answer: Answer) -> bytes:
        while b"\n" not in self._buffer and len(self._buffer) < _MOST_HEADER:
            self._fill(answer)
        line, _, rest = self._buffer.partition(b"\n")
        self._buffer = rest
        return bytes(line)

    def _fill(self, answer: Answer) -> None:
        piece = answer.read(PIECE_BYTES)
        if not piece:
            try:
                answer.require_more()
            finally:
                self.stop()
        self._buffer += piece
