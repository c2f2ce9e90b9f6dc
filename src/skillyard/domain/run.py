"""One execution of an agent, as it is remembered: what it was given, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from skillyard.domain.delivery import Mode, Note, Part
from skillyard.domain.digest import TreeDigest
from skillyard.domain.resolution import Disposition, Layer, Rule
from skillyard.domain.skill import InstallStrategy
from skillyard.domain.version import Version


class WorkspaceMode(StrEnum):
    """What a run works on; only in place does a client look into the user's own project."""

    EMPTY = "empty"
    COPY = "copy"
    WORKTREE = "worktree"
    IN_PLACE = "in-place"


class RunStatus(StrEnum):
    """How far a run has come; the first is the only one that a run can leave."""

    RUNNING = "running"
    ENDED = "ended"
    NOT_STARTED = "not-started"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSkill:
    """One skill of a run: what was decided on, and what was laid out where.

    `digest` is of what was decided on, `delivered` of what was laid out; they differ where the
    client needed something said in its own dialect. `path` is empty where it was prompt text only.
    """

    slug: str
    version: Version
    digest: TreeDigest
    delivered: TreeDigest
    layer: Layer
    ref: str
    disposition: Disposition
    rule: Rule
    reason: str
    strategy: InstallStrategy
    part: Part
    path: str


class ChangeKind(StrEnum):
    """What a run did to a delivered file."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, order=True)
class SeenChange:
    """A file in a delivered skill that was not at the end what it was at the start."""

    slug: str
    path: str
    kind: ChangeKind


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What is known of one run.

    `files` are the paths that were written besides the skills, and `environment` is what was set;
    neither ever holds a login. `workspace_ref` says where the changes of a work tree are kept.
    `exit_status` is None while it runs, and where no program was started.
    """

    id: str
    root: str
    host: str
    agent: str | None
    subjects: tuple[str, ...]
    provider: str
    mode: Mode
    manifest_hash: str
    workspace: WorkspaceMode
    project: str
    command: tuple[str, ...]
    skills: tuple[RunSkill, ...] = ()
    files: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    notes: tuple[Note, ...] = ()
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    status: RunStatus = RunStatus.RUNNING
    exit_status: int | None = None
    failure: str = ""
    changes: tuple[SeenChange, ...] = ()
    workspace_ref: str = ""
    is_kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs are meant; None does not restrict. `skill` is a slug, `id_prefix` starts an id."""

    agent: str | None = None
    skill: str | None = None
    status: RunStatus | None = None
    provider: str | None = None
    id_prefix: str | None = None
