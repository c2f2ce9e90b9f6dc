"""Every error that Skillyard raises on purpose.

SkillyardError
├── InvalidInputError
│   ├── AmbiguousRunError
│   ├── AmbiguousSkillError
│   ├── CommandNotStartedError     there is no such program
│   ├── DuplicateInputError
│   ├── InvalidNameError
│   ├── InvalidDescriptionError
│   ├── InvalidFactError
│   ├── InvalidLockError
│   ├── InvalidReceiptError
│   ├── InvalidVersionError
│   ├── InvalidRangeError
│   ├── InvalidDigestError
│   ├── InvalidPackageError        carries every diagnostic
│   ├── InvalidProfileError
│   ├── MissingPathError
│   ├── NotFixableError
│   ├── UnknownCodeError
│   ├── UnknownFormError
│   ├── UnsafePathError
│   └── WorkspaceUnavailableError  what a run should work on cannot be had
├── NotFoundError
│   ├── SkillNotFoundError
│   ├── VersionNotFoundError
│   ├── SkillFileNotFoundError
│   ├── RecordNotFoundError
│   ├── RunNotFoundError
│   └── AssignmentNotFoundError
├── ConflictError
│   ├── ChangedByHandError
│   ├── TargetExistsError
│   ├── DriftError                 files changed by another hand
│   ├── SlugTakenError
│   ├── VersionExistsError
│   ├── StaleWriteError            someone else saved first
│   ├── RecordExistsError
│   ├── RecordInUseError
│   ├── LockDriftError             what a lock names is gone or different
│   ├── RunDriftError              what a run was given is gone or different
│   ├── ContentChangedError        a directory is not what was resolved
│   └── ConcurrentChangeError
├── ResolutionError                what is required cannot be had; carries every problem
│   ├── DeliveryError              what is required cannot be delivered
│   ├── HookAddedSkillsError       after a stage there are skills that nobody chose
│   └── HookFailedError            a stage of a run failed
├── NotAllowedError
│   ├── ReadOnlySkillError
│   └── ConfirmationNeededError
├── CorruptedContentError
├── UnavailableError
│   ├── GitUnavailableError
│   ├── StorageUnavailableError    the disk said no
│   ├── StoreUnavailableError      the database said no
│   └── SchemaOutdatedError
└── ConfigurationError
    ├── InvalidSettingError
    ├── MissingDriverError
    └── SchemaTooNewError
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


class InvalidFactError(InvalidInputError):
    """Something said about a skill or a record cannot be; `problems` holds all of it.

    Each problem is three texts: what cannot be used, why not, and what to do, which may be empty.
    """

    code = "invalid-fact"

    def __init__(self, problems: Sequence[tuple[str, str, str]]) -> None:
        said = "; ".join(f"the {what} cannot be used: {reason}" for what, reason, _ in problems)
        hints = dict.fromkeys(hint for _, _, hint in problems if hint)
        super().__init__(said, hints=hints)
        self.problems = tuple(tuple(one) for one in problems)


class InvalidLockError(InvalidInputError):
    """A file is no lock of a resolution, or no longer."""

    code = "invalid-lock"

    def __init__(self, name: str, *, reason: str) -> None:
        super().__init__(
            f"`{name}` cannot be used as a lock: {reason}",
            hints=["Write it anew with `skillyard lock`"],
        )
        self.name = name
        self.reason = reason


class InvalidRangeError(InvalidInputError):
    """A text is no range of versions."""

    code = "invalid-range"

    def __init__(self, text: str) -> None:
        super().__init__(
            f"`{text}` is not a range of versions",
            hints=["Write `1.2.3`, `^1.2`, `~1.2`, `>=1.2 <2` or `*`; `||` joins several"],
        )
        self.text = text


class DuplicateInputError(InvalidInputError):
    """Two different skills of one name were given together; the second was not saved."""

    code = "duplicate-input"

    def __init__(self, slug: str, *, first: str, second: str) -> None:
        super().__init__(
            f"there are two different skills called `{slug}`: {first} and {second}",
            hints=["Give one of them another name, or save only one of them"],
        )
        self.slug = slug


class AmbiguousSkillError(InvalidInputError):
    """Several skills have that slug."""

    code = "ambiguous-skill"

    def __init__(self, slug: str, *, references: Sequence[str]) -> None:
        super().__init__(
            f"there are several skills `{slug}`", hints=[f"Name one of {', '.join(references)}"]
        )
        self.slug = slug
        self.references = tuple(references)


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


class NotFoundError(SkillyardError):
    """What was named is not there."""

    code = "not-found"


class SkillNotFoundError(NotFoundError):
    """There is no such skill where it was looked for; the command `lister` shows those."""

    code = "skill-not-found"

    def __init__(self, reference: str, *, near: Sequence[str] = (), lister: str = "list") -> None:
        every = f"`skillyard {lister}` shows every skill"
        hint = f"Did you mean {_either(near)}?" if near else every
        super().__init__(f"there is no skill `{reference}`", hints=[hint])
        self.reference = reference
        self.near = tuple(near)


class VersionNotFoundError(NotFoundError):
    """A skill has no such version."""

    code = "version-not-found"

    def __init__(self, reference: str, version: str) -> None:
        super().__init__(
            f"`{reference}` has no version {version}",
            hints=[f"`skillyard history {reference}` shows every version"],
        )
        self.reference = reference
        self.version = version


class SkillFileNotFoundError(NotFoundError):
    """A version of a skill has no such file; the command `lister` shows those that it has."""

    code = "skill-file-not-found"

    def __init__(
        self, reference: str, version: str, path: str, *, lister: str = "files list"
    ) -> None:
        super().__init__(
            f"`{reference}` {version} has no file `{path}`",
            hints=[f"`skillyard {lister} {reference}` shows every file"],
        )
        self.path = path


class RecordNotFoundError(NotFoundError):
    """There is no such workspace, team, agent, node or sandbox."""

    code = "record-not-found"

    def __init__(self, kind: str, name: str, *, near: Sequence[str] = ()) -> None:
        hint = f"Did you mean {_either(near)}?" if near else f"`skillyard {kind}s list` shows all"
        super().__init__(f"there is no {kind} `{name}`", hints=[hint])
        self.kind = kind
        self.name = name
        self.near = tuple(near)


class AssignmentNotFoundError(NotFoundError):
    """A skill is not assigned to that subject."""

    code = "assignment-not-found"

    def __init__(self, reference: str, subject: str) -> None:
        super().__init__(
            f"`{reference}` is not assigned to {subject}",
            hints=[f"`skillyard show {reference}` shows its assignments"],
        )
        self.reference = reference
        self.subject = subject


def _either(names: Sequence[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


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


class SlugTakenError(ConflictError):
    """A new skill was wanted, and there is one of that slug."""

    code = "slug-taken"

    def __init__(self, slug: str, *, hint: str = "Choose another name") -> None:
        super().__init__(f"there is a skill `{slug}` already", hints=[hint])
        self.slug = slug


class VersionExistsError(ConflictError):
    """A version never changes, and this number is taken."""

    code = "version-exists"

    def __init__(self, reference: str, version: str, *, free: str) -> None:
        super().__init__(
            f"`{reference}` has a version {version} already, and a version never changes",
            hints=[f"Save it as {free}, or leave the number out"],
        )
        self.reference = reference
        self.version = version


class StaleWriteError(ConflictError):
    """Someone else changed the skill since the author looked at it; nothing was saved.

    `base` is the version that the author saw, or says in words what they saw.
    """

    code = "stale-write"

    def __init__(
        self, reference: str, *, base: str, version: str, by: str, at: str, revision: int
    ) -> None:
        # Between revisions the content may be the same, and of another skill there is none.
        is_version = base[:1].isdigit()
        shows = f"diff {reference} {base} {version}" if is_version else f"audit --skill {reference}"
        super().__init__(
            f"`{reference}` was changed since {base}: {by} made it {version} at {at}",
            hints=["Nothing was saved", f"`skillyard {shows}` shows the change; start from it"],
        )
        self.reference = reference
        self.base = base
        self.version = version
        self.by = by
        self.at = at
        self.revision = revision


class RecordExistsError(ConflictError):
    """A new record was wanted, and there is one of that name."""

    code = "record-exists"

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(
            f"there is {'an' if kind[0] in 'aeiou' else 'a'} {kind} `{name}` already",
            hints=[f"Change it with `skillyard {kind}s set {name}`"],
        )
        self.kind = kind
        self.name = name


class RecordInUseError(ConflictError):
    """A record cannot go while others name it."""

    code = "record-in-use"

    def __init__(self, kind: str, name: str, *, users: Sequence[str]) -> None:
        super().__init__(
            f"the {kind} `{name}` is still in use",
            hints=[f"Used by {', '.join(users)}: change or remove them first"],
        )
        self.kind = kind
        self.name = name
        self.users = tuple(users)


class LockDriftError(ConflictError):
    """What a lock names cannot be had any more as it was."""

    code = "lock-drift"

    def __init__(self, name: str, *, lost: Sequence[str]) -> None:
        super().__init__(
            f"`{name}` cannot be replayed: {'; '.join(lost)}",
            hints=["Resolve again, and write a new lock"],
        )
        self.lost = tuple(lost)


class ContentChangedError(ConflictError):
    """A directory was edited since its skill was resolved: its text is not what was promised."""

    code = "content-changed"

    def __init__(self, location: str) -> None:
        super().__init__(
            f"`{location}` was changed since its skill was resolved",
            hints=["Resolve again: then the new content is what counts"],
        )
        self.location = location


class ConcurrentChangeError(ConflictError):
    """Something that a change relies on was changed at the same moment; nothing was done."""

    code = "concurrent-change"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"`{what}`, or something that it relies on, was changed at the same moment",
            hints=["Nothing was done; run the command again"],
        )


class ResolutionError(SkillyardError):
    """Something that is required cannot be had; `problems` holds everything in words."""

    code = "resolution"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(
            f"the skills cannot be resolved: {'; '.join(problems)}",
            hints=["`skillyard explain` says what would have to change"],
        )
        self.problems = tuple(problems)


class NotAllowedError(SkillyardError):
    """It may not be done, or not like this."""

    code = "not-allowed"


class ReadOnlySkillError(NotAllowedError):
    """A plugin's skill is changed in the plugin."""

    code = "read-only-skill"

    def __init__(self, reference: str, *, plugin: str) -> None:
        super().__init__(
            f"`{reference}` is managed by the plugin `{plugin}`",
            hints=[
                "Edit the plugin's source to change it",
                f"`skillyard duplicate {reference} NEW-NAME` makes a skill of your own",
            ],
        )
        self.reference = reference
        self.plugin = plugin


class ConfirmationNeededError(NotAllowedError):
    """A person has to say yes, and nobody was there to be asked."""

    code = "confirmation-needed"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs a confirmation", hints=["Add `--yes` to give it"])


class CorruptedContentError(SkillyardError):
    """What is stored is not what was kept, or cannot be read; trying again cannot help.

    With a `reason` it is not about a digest.
    """

    code = "corrupted-content"

    def __init__(
        self, place: str, *, expected: str = "", found: str = "", reason: str = ""
    ) -> None:
        super().__init__(
            f"the content of `{place}` {reason or 'does not match its digest'}",
            hints=[
                f"Expected {expected}, found {found}"
                if expected
                else "Run `skillyard doctor`; what it finds can be restored from a backup"
            ],
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


class StoreUnavailableError(UnavailableError):
    """The database cannot be reached, or is too busy to answer."""

    code = "store-unavailable"

    def __init__(self, place: str, *, reason: str, hint: str = "") -> None:
        super().__init__(
            f"the database {place} cannot be used: {reason}",
            hints=[hint or "`skillyard config show` prints which database is used, and why"],
        )
        self.place = place


class SchemaOutdatedError(UnavailableError):
    """The database was made by an older Skillyard, and is not upgraded by itself."""

    code = "schema-outdated"

    def __init__(self, place: str, *, found: str, wanted: str) -> None:
        super().__init__(
            f"the database {place} has the schema {found}, and this Skillyard needs {wanted}",
            hints=["Run `skillyard db upgrade`"],
        )
        self.place = place
        self.found = found
        self.wanted = wanted


class ConfigurationError(SkillyardError):
    """Skillyard is set up in a way that cannot work."""

    code = "configuration"


class InvalidSettingError(ConfigurationError):
    """A setting has a value that it cannot have; without a name, a whole file cannot be read."""

    code = "invalid-setting"

    def __init__(self, name: str, *, origin: str, reason: str, hint: str = "") -> None:
        what = f"the setting `{name}` from {origin}" if name else f"the {origin}"
        super().__init__(
            f"{what} cannot be used: {reason}",
            hints=[hint or "`skillyard config show` prints every setting and where it comes from"],
        )
        self.name = name
        self.origin = origin


class MissingDriverError(ConfigurationError):
    """The database that was named needs a package that is not installed."""

    code = "missing-driver"

    def __init__(self, url: str, *, extra: str) -> None:
        super().__init__(
            f"the database {url} needs a driver that is not installed",
            hints=[f"Install `skillyard[{extra}]`"],
        )


class SchemaTooNewError(ConfigurationError):
    """The database was made by a newer Skillyard."""

    code = "schema-too-new"

    def __init__(self, place: str, *, found: str, known: str) -> None:
        super().__init__(
            f"the database {place} has the schema {found}, and this Skillyard knows none after"
            f" {known}",
            hints=["Install a newer Skillyard"],
        )
        self.found = found
        self.known = known


class AmbiguousRunError(InvalidInputError):
    """A text starts the ids of several runs."""

    code = "ambiguous-run"

    def __init__(self, text: str, *, ids: Sequence[str]) -> None:
        shown = ", ".join(f"`{one}`" for one in ids[:5])
        super().__init__(
            f"`{text}` may be several runs: {shown}", hints=["Write more of the run's id"]
        )
        self.text = text
        self.ids = tuple(ids)


class CommandNotStartedError(InvalidInputError):
    """A program cannot be started; `missing` tells whether there is none of that name."""

    code = "command-not-started"

    def __init__(self, program: str, *, reason: str, missing: bool) -> None:
        hint = "Install it, or write the whole path" if missing else "Look at its permissions"
        super().__init__(f"`{program}` cannot be started: {reason}", hints=[hint])
        self.program = program
        self.missing = missing


class WorkspaceUnavailableError(InvalidInputError):
    """What a run should work on cannot be had."""

    code = "workspace-unavailable"

    def __init__(self, path: str, *, reason: str, hint: str) -> None:
        super().__init__(f"`{path}` cannot be worked on: {reason}", hints=[hint])
        self.path = path


class InvalidReceiptError(InvalidInputError):
    """A file is no receipt of a run."""

    code = "invalid-receipt"

    def __init__(self, name: str, *, reason: str) -> None:
        super().__init__(
            f"`{name}` cannot be read as a receipt: {reason}",
            hints=["Name a file that `skillyard run --receipt` wrote, or a run's id"],
        )
        self.name = name
        self.reason = reason


class RunNotFoundError(NotFoundError):
    """No run of that id is known."""

    code = "run-not-found"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"there is no run `{run_id}`", hints=["`skillyard runs list` names the runs"]
        )
        self.run_id = run_id


class RunDriftError(ConflictError):
    """What a run was given is gone or different.

    `lost` names all that the store does not have any more, `changed` all that is different.
    """

    code = "run-drift"

    def __init__(
        self, run_id: str, *, lost: Sequence[str] = (), changed: Sequence[str] = ()
    ) -> None:
        what = "cannot be had again" if lost else "is not as it was"
        super().__init__(f"run `{run_id}` {what}: {'; '.join((*lost, *changed))}")
        self.run_id = run_id
        self.lost = tuple(lost)
        self.changed = tuple(changed)


class ChangedByHandError(ConflictError):
    """What was delivered into a directory was changed by hand since; `paths` names all of it."""

    code = "changed-by-hand"

    def __init__(self, directory: str, *, paths: Sequence[str]) -> None:
        shown, rest = ", ".join(f"`{one}`" for one in paths[:5]), len(paths[5:])
        more = f" and {rest} more" if rest else ""
        super().__init__(
            f"`{directory}` was changed by hand since the last delivery: {shown}{more}",
            hints=["Nothing was done; `--force` replaces what was changed"],
        )
        self.directory = directory
        self.paths = tuple(paths)


class DeliveryError(ResolutionError):
    """Skills that are required cannot be delivered; `problems` holds why, for each."""

    code = "delivery"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(problems)
        self.message = f"the skills cannot be delivered: {'; '.join(problems)}"
        self.args = (self.message,)
        self.hints = ("`skillyard run --dry-run` shows the whole plan",)


class HookAddedSkillsError(ResolutionError):
    """After a hook the program would see other skills than its own, so that it was not started.

    `paths` are where they stand, in the run's home or in what it works on.
    """

    code = "hook-added-skills"

    def __init__(self, stage: str, *, paths: Sequence[str]) -> None:
        shown, rest = ", ".join(f"`{one}`" for one in paths[:5]), len(paths[5:])
        more = f" and {rest} more" if rest else ""
        super().__init__([f"after the hook `{stage}` there are skills nobody chose: {shown}{more}"])
        self.message = f"the run was not started: {self.problems[0]}"
        self.args = (self.message,)
        self.hints = ("Save them with `skillyard add` and assign them, so that they are chosen",)
        self.stage = stage
        self.paths = tuple(paths)


class HookFailedError(ResolutionError):
    """A hook ended with a status other than 0, so that the program was not started.

    `log` is the file that holds its output, or empty where that is gone with the run.
    """

    code = "hook-failed"

    def __init__(self, stage: str, *, status: int, log: str) -> None:
        super().__init__([f"the hook `{stage}` ended with status {status}"])
        self.message = f"the run was not started: {self.problems[0]}"
        self.args = (self.message,)
        see = f"Its output is in `{log}`" if log else "Run it with `--keep` to have its output"
        self.hints = (see,)
        self.stage = stage
        self.status = status
