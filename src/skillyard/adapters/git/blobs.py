"""The contents of a repository's files, one at a time, from one `git cat-file --batch`."""

from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from skillyard.adapters.git.process import PIECE_BYTES, Answer, Git
from skillyard.domain.errors import GitUnavailableError

# Above this much unwanted content it is quicker to end git and start it anew.
_MOST_DRAINED: Final = 1024 * 1024
_MOST_HEADER: Final = 1024


class Blobs:
    """Gives contents by their ids; git is started when the first one is asked for."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._running = ExitStack()
        self._answer: Answer | None = None
        self._buffer = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def find(self, blob: bytes, most: int) -> bytes | None:
        """Give the first `most` bytes of a content, or None where the repository lacks it.

        Raises:
            GitUnavailableError: Git does not answer as it should.
        """
        answer = self._start()
        answer.request(blob + b"\n")
        match self._read_line(answer).split(b" "):
            case [_, kind, size]:
                content = self._read(answer, min(int(size), most))
                self._skip(answer, int(size) - len(content) + len(b"\n"))
                return content if kind == b"blob" else None
            case _:  # `<id> missing`
                return None

    def _start(self) -> Answer:
        if self._answer is None:
            self._answer = self._running.enter_context(self._git.ask("cat-file", "--batch"))
        return self._answer

    def _stop(self) -> None:
        self._answer = None
        self._buffer.clear()
        self._running.close()

    def _read_line(self, answer: Answer) -> bytes:
        while b"\n" not in self._buffer and len(self._buffer) < _MOST_HEADER:
            self._fill(answer)
        line, _, rest = self._buffer.partition(b"\n")
        self._buffer = rest
        return bytes(line)

    def _read(self, answer: Answer, size: int) -> bytes:
        while len(self._buffer) < size:
            self._fill(answer)
        content = bytes(self._buffer[:size])
        del self._buffer[:size]
        return content

    def _skip(self, answer: Answer, size: int) -> None:
        if size > _MOST_DRAINED:
            self._stop()
            return
        while size:
            size -= len(self._read(answer, min(size, PIECE_BYTES)))

    def _fill(self, answer: Answer) -> None:
        piece = answer.read(PIECE_BYTES)
        if not piece:
            raise GitUnavailableError(reason="it ended too early")
        self._buffer += piece
