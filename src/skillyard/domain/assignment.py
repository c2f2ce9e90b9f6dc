"""Which skills are meant for whom."""

from dataclasses import dataclass
from enum import StrEnum

from skillyard.domain.ranges import VersionRange


class SubjectKind(StrEnum):
    """Whom a skill can be assigned to, from the least specific to the most.

    `specificity` is 0 for the global one, and more the narrower it gets.
    """

    GLOBAL = "global"
    WORKSPACE = "workspace"
    TEAM = "team"
    AGENT = "agent"
    NODE = "node"

    def __init__(self, _: str) -> None:
        self.specificity = len(type(self).__members__)


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject. `name` is empty for the global one, and for no other."""

    kind: SubjectKind
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind is SubjectKind.GLOBAL and self.name:
            message = "the global subject has no name"
            raise ValueError(message)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else str(self.kind)


GLOBAL = Subject(SubjectKind.GLOBAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A skill for a subject: higher priority first, then lower position.

    There is at most one for each skill and subject. `owner` and `slug` are the skill's. `opt_in`
    loads a skill of low confidence all the same. `constraint` pins the version.
    """

    id: str
    skill_id: str
    owner: str
    slug: str
    subject: Subject
    priority: int = 0
    position: int = 0
    auto_inject: bool = False
    enabled: bool = True
    required: bool = False
    opt_in: bool = False
    constraint: VersionRange | None = None
