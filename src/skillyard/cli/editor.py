"""Let a person edit a text in their own editor; what they wrote is not lost.

The text is a file in a directory of its own, which nobody else may enter. It goes away when it has
been saved, was not changed, or is given up; otherwise it stays, and the person is told where.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from shlex import quote
from shutil import rmtree
from tempfile import mkdtemp

import click

from skillyard.cli.asking import is_someone_there
from skillyard.cli.failures import report_failure
from skillyard.cli.skills_view import say_hint, say_note
from skillyard.domain.errors import (
    ConfigurationError,
    InvalidPackageError,
    InvalidSettingError,
    SkillNotFoundError,
    SkillyardError,
    StaleWriteError,
)

_VARIABLES = ("VISUAL", "EDITOR")
_DEFAULT = "vi"


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is being edited; `saving` is the command that saves it, without its path."""

    path: Path
    original: bytes
    saving: str
    base: str

    def edit(self) -> bytes:
        """Open the editor, wait for it to end, and give the text.

        Raises:
            InvalidSettingError: There is no such editor.
            click.ClickException: The editor said that something went wrong.
        """
        name, command = _find_editor()
        sys.stdout.flush()
        try:
            status = subprocess.run([*command, str(self.path)], check=False).returncode  # noqa: S603 - the user's own editor
        except OSError as error:
            reason = f"`{command[0]}` cannot be run: {error.strerror}"
            raise _refuse(name, reason) from error
        if status:
            message = f"the editor ended with status {status}: nothing was saved"
            raise click.ClickException(message)
        return self.path.read_bytes()

    @property
    def is_changed(self) -> bool:
        """Whether the file says anything else than at first."""
        return self.path.is_file() and self.path.read_bytes() != self.original

    def give_up(self) -> None:
        """Throw the text away."""
        rmtree(self.path.parent)

    def say_where(self, error: BaseException | None) -> None:
        """Tell the person where the text is, and how it can still be saved after an error."""
        say_note(f"your text is kept in {self.path}")
        saves = f"`{self.saving} {quote(str(self.path))}` saves it"
        match error:
            case SkillNotFoundError():
                pass
            case StaleWriteError():
                rest = f"with the version that you merged in the place of {self.base}"
                say_hint(f"Merge first: bring the change into the file. Then {saves}, {rest}")
            case InvalidPackageError():
                say_hint(f"Correct the file, then {saves}")
            case _:
                say_hint(saves)


def _find_editor() -> tuple[str, list[str]]:
    for name in _VARIABLES:
        if os.environ.get(name):
            return name, _split(name, os.environ[name])
    if not is_someone_there():
        message = "no editor is set: set VISUAL or EDITOR"
        raise ConfigurationError(message, hints=[f"On a terminal, `{_DEFAULT}` is used without"])
    return _VARIABLES[-1], [_DEFAULT]


def _split(name: str, text: str) -> list[str]:
    try:
        if command := shlex.split(text):
            return command
        reason = "it is empty"
    except ValueError:
        reason = "a quote in it is not closed"
    raise _refuse(name, reason)


def _refuse(name: str, reason: str) -> InvalidSettingError:
    hint = "Set VISUAL or EDITOR to the command of your editor"
    return InvalidSettingError(name, origin="the environment", reason=reason, hint=hint)


@contextmanager
def opened_draft(
    name: str, content: bytes, *, saving: str, base: str, keep: bool
) -> Iterator[Draft]:
    """Give `content` as a file that has the name of the path `name`; `keep` keeps it in any case.

    An error on the way is reported here, so that the person reads last where the text is.
    """
    directory = Path(mkdtemp(prefix="skillyard-edit-"))
    draft = Draft(directory / PurePosixPath(name).name, content, saving, base)
    draft.path.write_bytes(content)
    try:
        yield draft
    except (SkillyardError, click.ClickException, OSError) as error:
        status = report_failure(error)
        _leave(draft, error)
        raise click.exceptions.Exit(status) from error
    except BaseException as error:
        _leave(draft, error)
        raise
    _leave(draft, None, keep=keep)


def _leave(draft: Draft, error: BaseException | None, *, keep: bool = True) -> None:
    if keep and draft.is_changed:
        draft.say_where(error)
    else:
        rmtree(draft.path.parent, ignore_errors=True)
