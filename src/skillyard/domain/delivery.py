"""What is laid out for a run, as a plan: files, variables, and a word on everything left out.

A plan is a value. Making one reads and writes nothing; one writer carries every plan out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.package import Package
from skillyard.domain.resolution import Decision
from skillyard.domain.skill import InstallStrategy

TEMPORARY: Final = "tmp"
"""Where programs of a run put what is temporary, in its home; short, as sockets stand there."""


class Part(StrEnum):
    """A part of a run's root; paths in a plan are relative to one of them."""

    WORKSPACE = "workspace"
    HOME = "home"
    PRIVATE = "private"
    LOGS = "logs"


class Mode(StrEnum):
    """How a program gets its skills: in its own layout, or as prompt text."""

    NATIVE = "native"
    FALLBACK = "fallback"


class OnInvalid(StrEnum):
    """What becomes of a run when a skill that is not required cannot be delivered as it is."""

    LEAVE_OUT = "leave-out"
    FALLBACK = "fallback"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlaces:
    """Where a run stands: absolute paths.

    `directory` is where the program is started: the workspace, or somewhere in it. In place, the
    workspace is the project itself and is not below `root`.
    """

    root: str
    workspace: str
    home: str
    private: str
    logs: str
    directory: str

    def of(self, part: Part) -> str:
        """Give the path of a part."""
        return str(getattr(self, part.value))


@dataclass(frozen=True, slots=True)
class ChosenSkill:
    """A skill of a resolution with its content, which has the digest that was decided on."""

    decision: Decision
    package: Package


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSkill:
    """One skill with the directory that it is laid out as; `path` is empty where it is not.

    `package` is what is laid out: byte for byte what was decided on, unless the client needs
    something said in its own dialect, or something may not be said to it.
    """

    decision: Decision
    strategy: InstallStrategy
    part: Part
    path: str
    package: Package

    @property
    def slug(self) -> str:
        """The name of the skill."""
        return self.decision.slug

    @property
    def is_altered(self) -> bool:
        """Tell whether what is laid out differs from what was decided on."""
        return self.decision.offered.digest != self.delivered

    @property
    def delivered(self) -> TreeDigest:
        """The digest of what is laid out."""
        return self.package.digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file besides the skills: settings of the client, prompt text."""

    part: Part
    path: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginFile:
    """A file of the user that holds a client's login, and where its copy stands in the run's home.

    `source` may begin with `~` or with `$NAME`; where the variable is not set, the next login file
    with the same `path` counts. With `keys`, it is JSON, and only these keys are passed on, each a
    path of names with dots; they are merged into the planned file of the same path if there is one.
    """

    source: str
    path: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class FoundDirectory:
    """A directory outside the run that a client looks for skills in, and what stands there.

    `path` is absolute and without links. `names` are the names of the directories below it that
    hold a SKILL.md, in order; for a client that looks deeper, their paths relative to it. A
    `.claude/commands` is found too: its names are those of the Markdown files, without `.md`.
    `titles` are what their front matters call them, in the same order, where that is known.
    """

    path: str
    names: tuple[str, ...]
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class FoundSettings:
    """A file of the project by which skills are directed, and the keys in it that do so."""

    path: str
    keys: tuple[str, ...]


class NoteKind(StrEnum):
    """What a note of a plan is about; the value is public and never changes."""

    LEFT_OUT = "left-out"
    EXCLUDED = "excluded"
    FALLBACK = "fallback"
    ALTERED = "altered"
    IGNORED = "ignored"
    COPIED = "copied"
    SHORTENED = "shortened"
    CUT = "cut"
    ALSO_SEEN = "also-seen"
    HIDDEN = "hidden"
    LOGIN = "login"
    WORKSPACE = "workspace"
    DEPRECATED = "deprecated"
    HOOK = "hook"
    PROCESS = "process"
    RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing that whoever starts a run should know; `slug` is empty where it is about all."""

    kind: NoteKind
    message: str
    slug: str = ""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPlan:
    """Everything that is laid out for one run, and the environment that it is started in.

    `environment` is what is set, `dropped` are the variables of the user that are not passed on.
    `problems` are skills that are required and cannot be delivered: with one, nothing is started.
    `directories` are those of the run's home in which the program looks for skills, in order.
    """

    provider: str
    mode: Mode
    skills: tuple[PlannedSkill, ...] = ()
    files: tuple[PlannedFile, ...] = ()
    logins: tuple[LoginFile, ...] = ()
    directories: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    dropped: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    problems: tuple[str, ...] = ()
