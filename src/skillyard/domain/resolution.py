"""Which skills someone has now, and why: the words of the answer.

A candidate is one skill as one source offers it. The resolver decides about every candidate exactly
once, and says by which rule.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.digest import TreeDigest
from skillyard.domain.limits import EAGER_SKILLS, LISTED_SKILLS, WINDOW_SHARE
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.records import Agent
from skillyard.domain.skill import InstallStrategy, SkillStatus, SourceKind
from skillyard.domain.version import Version


class Layer(StrEnum):
    """Where a candidate comes from, the strongest first: of one name the first layer wins.

    `rank` is how weak it is: 0 for the strongest. The skills of `is_directory` are directories that
    someone else looks after.
    """

    STORE = "store"
    PLUGIN = "plugin"
    PROJECT = "project"
    CLAUDE = "claude"
    USER = "user"
    BUNDLED = "bundled"

    def __init__(self, name: str) -> None:
        self.rank = len(type(self).__members__)
        self.is_directory = name not in ("store", "plugin")


NOWHERE: Final = ""
"""What stands for the workspace of those who are in none: no workspace has this name."""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Offered:
    """One version that a candidate can be had at; the digest is None until it is asked for."""

    version: Version
    digest: TreeDigest | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """How many tokens a skill takes: in a list of skills, and with all of its instructions."""

    listed: int = 0
    loaded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One skill as one source offers it, with all that decides about it.

    `ref` tells candidates apart: a skill's id in the store, a directory's path elsewhere.
    `offered` is the current version, or the one that a pin has chosen already: the facts are its
    own. `others` are those that a pin may choose instead, and need only be there where an
    assignment has one. `assignments` are those to the subjects of the request. `workspaces` are
    those that the skill is used in, and `NOWHERE` where someone outside of all of them uses it: one
    of high confidence is for every agent there. None means everywhere. `agents` is None where
    assignments alone decide, or, for a directory, where it is meant for everyone.
    `missing_commands` are those of `requires_commands` that this machine does not have.
    `source_kind` counts in the store only. `location` is the skill's directory as the agent sees
    it, or empty where it sees none; `files` are the paths in it.
    """

    slug: str
    layer: Layer
    ref: str
    offered: Offered
    owner: str = ""
    source_kind: SourceKind = SourceKind.ADMIN
    display_name: str = ""
    description: str = ""
    location: str = ""
    others: tuple[Offered, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    workspaces: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    enabled: bool = True
    status: SkillStatus = SkillStatus.ACTIVE
    deprecated: str | None = None
    confidence: Confidence = Confidence.MEDIUM
    requires: tuple[str, ...] = ()
    requires_commands: tuple[str, ...] = ()
    missing_commands: tuple[str, ...] = ()
    cost: Cost = Cost()
    tags: tuple[str, ...] = ()
    category: str = "general"
    requires_tools: tuple[str, ...] = ()
    provider_hints: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    install_strategy: InstallStrategy | None = None
    invocation: Invocation = Invocation.AUTO
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a request is answered.

    `widen` gives skills of high confidence to every agent of their workspace. `eager` means that
    whole instructions are loaded at the start, so that only `eager_limit` skills are. `share` is
    how much of an agent's context window skills may take, in hundredths.
    """

    widen: bool = True
    eager: bool = False
    eager_limit: int = EAGER_SKILLS
    listed_limit: int = LISTED_SKILLS
    share: int = WINDOW_SHARE
    include_unavailable: bool = False
    include_disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who asks; None and nothing where it does not matter.

    `subjects` are those whose assignments count, from the least specific to the most.
    """

    workspace: str | None = None
    team: str | None = None
    agent: Agent | None = None
    node: str | None = None
    provider: str | None = None
    policy: Policy = Policy()
    subjects: tuple[Subject, ...] = field(init=False, repr=False, compare=False)
    _names: Mapping[SubjectKind, str | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = {
            SubjectKind.GLOBAL: "",
            SubjectKind.WORKSPACE: self.workspace,
            SubjectKind.TEAM: self.team,
            SubjectKind.AGENT: self.agent.name if self.agent else None,
            SubjectKind.NODE: self.node,
        }
        found = (Subject(kind, name) for kind, name in names.items() if name is not None)
        # Both are asked for once for each candidate, and never change.
        object.__setattr__(self, "subjects", tuple(found))
        object.__setattr__(self, "_names", names)

    @property
    def place(self) -> str | None:
        """The workspace, `NOWHERE` for someone who is in none, or None where everyone asks."""
        is_everyone = len(self.subjects) == 1
        return NOWHERE if self.workspace is None and not is_everyone else self.workspace

    def includes(self, subject: Subject) -> bool:
        """Tell whether assignments to `subject` count."""
        return self._names[subject.kind] == subject.name


class Disposition(StrEnum):
    """What became of a candidate."""

    LOADED = "loaded"
    UNPROVEN = "unproven"
    CUT = "cut"
    SHADOWED = "shadowed"
    EXCLUDED = "excluded"


class Rule(StrEnum):
    """The rule that decided about a candidate; the value is public and never changes."""

    ASSIGNED = "assigned"
    NAMED = "named"
    OPEN = "open"
    WIDENED = "widened"
    REQUIRED = "required"
    LOW_CONFIDENCE = "low-confidence"
    DISABLED_LIST = "disabled-list"
    ALLOWLIST = "allowlist"
    LIGHTWEIGHT = "lightweight"
    SKILL_DISABLED = "skill-disabled"
    ARCHIVED = "archived"
    DRAFT = "draft"
    UNAVAILABLE = "unavailable"
    ASSIGNMENT_DISABLED = "assignment-disabled"
    NOT_ASSIGNED = "not-assigned"
    NO_VERSION = "no-version"
    REQUIREMENT_MISSING = "requirement-missing"
    SHADOWED = "shadowed"
    EAGER_LIMIT = "eager-limit"
    CONTEXT_SHARE = "context-share"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What became of one candidate, by which rule, and in words.

    `offered` is the version that was chosen. `assignment` is the one that supplied its values. `by`
    is the `ref` of the candidate that shadows it, or requires it.
    """

    candidate: Candidate
    disposition: Disposition
    rule: Rule
    reason: str
    offered: Offered
    assignment: Assignment | None = None
    by: str | None = None
    is_required: bool = False

    @property
    def slug(self) -> str:
        """The name of the skill."""
        return self.candidate.slug


class ProblemKind(StrEnum):
    """What stands in the way of a resolution, or may."""

    REQUIRED_MISSING = "required-missing"
    REQUIREMENT_MISSING = "requirement-missing"
    REQUIREMENT_CYCLE = "requirement-cycle"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that whoever asked should know; only an error keeps a run from starting."""

    kind: ProblemKind
    slug: str
    message: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The answer: every candidate once.

    Loaded ones come first, in the order in which they are shown and delivered, then unproven, cut,
    shadowed and excluded ones, each in the same order.
    """

    decisions: tuple[Decision, ...]
    problems: tuple[Problem, ...] = ()

    def with_disposition(self, *dispositions: Disposition) -> tuple[Decision, ...]:
        """Give the decisions of these dispositions, in order."""
        return tuple(one for one in self.decisions if one.disposition in dispositions)

    @property
    def loaded(self) -> tuple[Decision, ...]:
        """The skills that are shown and delivered, in order."""
        return self.with_disposition(Disposition.LOADED)

    @property
    def unproven(self) -> tuple[Decision, ...]:
        """The skills that are only named, because nothing has proven them yet."""
        return self.with_disposition(Disposition.UNPROVEN)

    @property
    def manifest_hash(self) -> str:
        """The identity of what is loaded and named: equal if, and only if, all of that is.

        Candidates that were left out do not count.
        """
        return hash_manifest(
            (one.slug, one.offered.version, one.offered.digest, one.disposition)
            for one in (*self.loaded, *self.unproven)
        )


def hash_manifest(
    skills: Iterable[tuple[str, Version, TreeDigest | None, Disposition]],
) -> str:
    """Give the hash of skills in their order: name, version, digest, place and disposition."""
    rows = [
        [slug, str(version), str(digest) if digest else None, place, disposition.value]
        for place, (slug, version, digest, disposition) in enumerate(skills)
    ]
    text = json.dumps(rows, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
