"""Read the SKILL.md and the manifest.json of one directory, and nothing else of it.

No link is followed, nothing blocks, and no more is read than the limits allow.
"""

import os
import stat
from typing import Final, NamedTuple

from skillyard.adapters.index.row import NO_FILE, Reading, Signature, sign
from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.paths import MANIFEST_JSON, SKILL_MD, PackagePath
from skillyard.skillmd import rules

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class ReadFile(NamedTuple):
    """One of the two files; where it was refused, it has a finding and no content."""

    path: PackagePath
    signature: Signature
    content: bytes | None = None
    finding: Diagnostic | None = None


def read_files(place: str, reading: Reading) -> list[ReadFile]:
    """Read SKILL.md, and manifest.json if there is one; nothing where there is no SKILL.md.

    Raises:
        OSError: The directory cannot be looked into.
    """
    directory = _open_directory(place, reading.handle)
    try:
        skill_md = _read_file(SKILL_MD, directory, reading)
        if skill_md is None:
            return []
        # Most have none, and to ask takes less time than to try.
        has_sidecar = os.access(MANIFEST_JSON, os.F_OK, dir_fd=directory)
        sidecar = _read_file(MANIFEST_JSON, directory, reading) if has_sidecar else None
        return [skill_md] if sidecar is None else [skill_md, sidecar]
    finally:
        os.close(directory)


def _open_directory(place: str, root: int) -> int:
    first, *others = place.split("/")
    handle = os.open(first, _DIRECTORY, dir_fd=root)
    for part in others:
        try:
            inner = os.open(part, _DIRECTORY, dir_fd=handle)
        finally:
            os.close(handle)
        handle = inner
    return handle


def _read_file(name: PackagePath, directory: int, reading: Reading) -> ReadFile | None:
    try:
        descriptor = os.open(name, _FILE, dir_fd=directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        return _refuse_unopened(name, directory, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or (status.st_nlink > 1 and not reading.is_ours):
            return _refuse(name, status)
        most = reading.limits.file_limit(name)
        if status.st_size > most:
            return ReadFile(name, sign(status), finding=_too_large(name, most))
        content = _read_whole(descriptor, status.st_size)
        # What is being written right now is read again next time: it was changed a moment ago.
        return ReadFile(name, sign(status), content)
    except OSError as error:
        return ReadFile(name, NO_FILE, finding=_unreadable(name, error))
    finally:
        os.close(descriptor)


def _read_whole(descriptor: int, size: int) -> bytes:
    content = os.read(descriptor, size)
    # A short answer is no proof of the end: network file systems answer in pieces.
    while len(content) < size and (more := os.read(descriptor, size - len(content))):
        content += more
    return content


def _refuse_unopened(name: PackagePath, directory: int, error: OSError) -> ReadFile | None:
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError:
        return ReadFile(name, NO_FILE, finding=_unreadable(name, error))
    if stat.S_ISREG(status.st_mode):
        return ReadFile(name, sign(status), finding=_unreadable(name, error))
    return _refuse(name, status)


def _refuse(name: PackagePath, status: os.stat_result) -> ReadFile | None:
    if stat.S_ISDIR(status.st_mode):
        return None if name == SKILL_MD else ReadFile(name, sign(status))
    if stat.S_ISLNK(status.st_mode) or stat.S_ISREG(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "a hard link"
        finding = rules.LINK.finding(
            f"`{name}` is {kind}", path=name, hint="Put a copy of the file in its place"
        )
    else:
        finding = rules.SPECIAL_FILE.finding(
            f"`{name}` is neither a file nor a directory", path=name
        )
    return ReadFile(name, sign(status), finding=finding)


def _too_large(name: str, most: int) -> Diagnostic:
    return rules.FILE_TOO_LARGE.finding(
        f"`{name}` is larger than {most:,} bytes",
        path=name,
        hint="Shorten it, split it, or choose the `wide` limits",
    )


def _unreadable(name: str, error: OSError) -> Diagnostic:
    return rules.UNREADABLE.finding(
        f"`{name}` cannot be read: {error.strerror or error}",
        path=name,
        hint="Give yourself the right to read it, for example with `chmod -R u+rX`",
    )
