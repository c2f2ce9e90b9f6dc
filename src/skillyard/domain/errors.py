"""Every error that Skillyard raises on purpose.

SkillyardError
├── InvalidInputError
│   ├── InvalidNameError
│   ├── InvalidDescriptionError
│   ├── InvalidVersionError
│   ├── InvalidDigestError
│   ├── InvalidPackageError        carries every diagnostic
│   ├── InvalidProfileError
│   ├── MissingPathError
│   ├── NotFixableError
│   ├── UnknownCodeError
│   ├── UnknownFormError
│   └── UnsafePathError
├── ConflictError
│   ├── TargetExistsError
│   └── DriftError                 files changed by another hand
├── CorruptedContentError
└── UnavailableError
    ├── GitUnavailableError
    └── StorageUnavailableError    the disk said no
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from skillyard.domain.diagnostic import Diagnostic, Severity


class SkillyardError(Exception):
    """Something went wrong that the caller can understand and, often, repair.

    `code` is public: clients branch on it, and it never changes. The wording of the message may.
    `hints` say what to do next; each interface decides how to show them.
    """

    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, hints: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hints = tuple(hints)

    def __reduce__(self) -> tuple[object, ...]:
        # Pickle would call a subclass with `args`, but subclasses take other arguments.
        return _restore, (type(self), self.message, self.__dict__)


def _restore(kind: type[SkillyardError], message: str, state: dict[str, object]) -> SkillyardError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(state)
    return error


class InvalidInputError(SkillyardError):
    """What was given cannot be used as it is."""

    code = "invalid-input"


class InvalidNameError(InvalidInputError):
    """A text is no skill name."""

    code = "invalid-name"

    def __init__(self, name: str, *, reason: str, suggestion: str | None = None) -> None:
        hints = [f"Use `{suggestion}`"] if suggestion else []
        super().__init__(f"`{name}` is not a skill name: {reason}", hints=hints)
        self.name = name


class InvalidDescriptionError(InvalidInputError):
    """A text cannot describe a skill."""

    code = "invalid-description"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the description cannot be used: {reason}",
            hints=["Say what the skill does and when to use it, in up to 1,024 characters"],
        )


class InvalidVersionError(InvalidInputError):
    """A text is no semantic version."""

    code = "invalid-version"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"`{text}` is not a version",
            hints=["Write three numbers, such as `1.0.0`; `v1` and `1.2` are understood too"],
        )
        self.text = text


class InvalidDigestError(InvalidInputError):
    """A text is no digest."""

    code = "invalid-digest"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"`{text}` is not a digest",
            hints=["A digest is `sha256:` and 64 lower-case hexadecimal digits"],
        )
        self.text = text


class InvalidPackageError(InvalidInputError):
    """A package cannot be taken in; `diagnostics` holds everything that was found, in order."""

    code = "invalid-package"

    def __init__(self, location: str, diagnostics: Sequence[Diagnostic]) -> None:
        errors = [one for one in diagnostics if one.severity is Severity.ERROR]
        first = errors[0] if errors else None
        more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
        reason = f": {first.message} ({first.code}){more}" if first else ""
        super().__init__(
            f"`{location}` cannot be read as a skill package{reason}",
            hints=[one.hint for one in errors[:1] if one.hint],
        )
        self.location = location
        self.diagnostics = tuple(diagnostics)


class InvalidProfileError(InvalidInputError):
    """There is no profile of that name."""

    code = "invalid-profile"

    def __init__(self, text: str, *, known: Iterable[str]) -> None:
        super().__init__(
            f"there is no profile `{text}`", hints=[f"Choose one of {', '.join(known)}"]
        )
        self.text = text


class MissingPathError(InvalidInputError):
    """A path that was named does not exist, or holds no skill."""

    code = "missing-path"

    def __init__(self, path: str, *, reason: str = "does not exist", hint: str = "") -> None:
        super().__init__(f"`{path}` {reason}", hints=[hint] if hint else [])
        self.path = path


class NotFixableError(InvalidInputError):
    """Repairs were asked for where no file can be changed."""

    code = "not-fixable"

    def __init__(self, location: str) -> None:
        super().__init__(
            f"`{location}` is not a directory, so nothing in it can be fixed",
            hints=["Lay it out first: `skillyard unpack`"],
        )
        self.location = location


class UnknownCodeError(InvalidInputError):
    """There is no diagnostic with that code."""

    code = "unknown-code"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"there is no code `{text}`", hints=["Codes look like `SY202`; `check` prints them"]
        )
        self.text = text


class UnknownFormError(InvalidInputError):
    """A file's name and content say nothing about which form of package it is."""

    code = "unknown-form"

    def __init__(self, path: str, *, known: Iterable[str]) -> None:
        super().__init__(
            f"`{path}` is in no form that Skillyard knows",
            hints=[f"Known forms: a directory, {', '.join(known)}"],
        )
        self.path = path


class UnsafePathError(InvalidInputError):
    """A path must not be used; a remote caller is told that it was not found."""

    code = "unsafe-path"

    def __init__(self, path: str, *, reason: str) -> None:
        super().__init__(f"the path `{path}` is refused: {reason}")
        self.path = path


class ConflictError(SkillyardError):
    """The world is in another state than the wish assumed."""

    code = "conflict"


class TargetExistsError(ConflictError):
    """Something is already where the result should go."""

    code = "target-exists"

    def __init__(self, path: str, *, hint: str) -> None:
        super().__init__(f"`{path}` already exists", hints=[hint])
        self.path = path


class DriftError(ConflictError):
    """A file was changed by another hand since it was read."""

    code = "drift"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{path}` was changed while it was being worked on",
            hints=["Nothing was written; run the command again"],
        )
        self.path = path


class CorruptedContentError(SkillyardError):
    """Stored bytes do not match their digest; trying again cannot help."""

    code = "corrupted-content"

    def __init__(self, place: str, *, expected: str, found: str) -> None:
        super().__init__(
            f"the content of `{place}` does not match its digest",
            hints=[f"Expected {expected}, found {found}"],
        )
        self.place = place


class UnavailableError(SkillyardError):
    """Something that is needed is not there now; it may be later."""

    code = "unavailable"


class GitUnavailableError(UnavailableError):
    """Git is not installed, or did not answer as it should."""

    code = "git-unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"git could not be asked: {reason}",
            hints=["Install git 2.31 or later, and check that `git --version` works"],
        )


class StorageUnavailableError(UnavailableError):
    """The file system refused: no room, no permission, no such device."""

    code = "storage-unavailable"

    def __init__(self, path: str, *, reason: str) -> None:
        super().__init__(
            f"`{path}` cannot be used: {reason}",
            hints=["Free the way, and run the command again"],
        )
        self.path = path
