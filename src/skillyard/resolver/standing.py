"""Whether a candidate may be loaded at all, before it meets the others.

The gates stand in a fixed order, and the first that a candidate does not pass decides. What a
person said about an agent comes first: no other rule overrides it.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

from skillyard.domain.assignment import Assignment
from skillyard.domain.manifest import Confidence
from skillyard.domain.resolution import Candidate, Offered, Request, Rule
from skillyard.domain.skill import SkillStatus

_ANY: Final = "*"


class Fate(Enum):
    """Whether a candidate competes for its name, is only named, or is out."""

    IN = "in"
    LOW = "low"
    OUT = "out"


class Standing(NamedTuple):
    """A candidate's fate, with the rule and the reason."""

    candidate: Candidate
    fate: Fate
    rule: Rule
    reason: str
    offered: Offered
    assignment: Assignment | None = None
    by: str | None = None

    @property
    def specificity(self) -> int:
        """How specific the subject is that it is assigned to; -1 where it is not assigned."""
        return self.assignment.subject.kind.specificity if self.assignment else -1


_Refusal = tuple[Rule, str]
_Gate = Callable[[Candidate, Request], _Refusal | None]


def judge(candidate: Candidate, request: Request, *, needed_by: Candidate | None) -> Standing:
    """Say whether a candidate may be loaded; `needed_by` requires it, which makes it meant."""
    for gate in _GATES:
        refusal = gate(candidate, request)
        if refusal is not None:
            return _out(candidate, refusal)
    assignment = find_assignment(candidate, request)
    if assignment is not None and not assignment.enabled:
        reason = f"its assignment to {assignment.subject} is disabled"
        return _out(candidate, (Rule.ASSIGNMENT_DISABLED, reason))
    meant = _find_meaning(candidate, request, assignment, needed_by)
    if meant is None:
        reason = f"it is not assigned to {_name(request)}"
        return _out(candidate, (Rule.NOT_ASSIGNED, reason))
    return _admit(candidate, assignment, meant, needed_by)


def _out(candidate: Candidate, refusal: _Refusal) -> Standing:
    rule, reason = refusal
    return Standing(
        candidate=candidate, fate=Fate.OUT, rule=rule, reason=reason, offered=candidate.offered
    )


def _admit(
    candidate: Candidate,
    assignment: Assignment | None,
    meant: _Refusal,
    needed_by: Candidate | None,
) -> Standing:
    offered = choose_version(candidate, assignment)
    if offered is None:
        pin = assignment.constraint if assignment else None
        return _out(candidate, (Rule.NO_VERSION, f"no version of it is in `{pin}`"))
    rule, reason = meant
    fate = Fate.IN
    if candidate.confidence is Confidence.LOW and not (assignment and assignment.opt_in):
        fate, rule, reason = Fate.LOW, Rule.LOW_CONFIDENCE, "its confidence is low"
    return Standing(
        candidate=candidate,
        fate=fate,
        rule=rule,
        reason=reason,
        offered=offered,
        assignment=assignment,
        by=needed_by.ref if needed_by and rule is Rule.REQUIRED else None,
    )


def find_assignment(candidate: Candidate, request: Request) -> Assignment | None:
    """Give the most specific assignment that counts here: it masks the others."""
    found = None
    for one in candidate.assignments:
        is_narrower = found is None or one.subject.kind.specificity > found.subject.kind.specificity
        if is_narrower and request.includes(one.subject):
            found = one
    return found


def is_required(candidate: Candidate, request: Request) -> bool:
    """Tell whether whoever asks cannot do without a candidate."""
    assignment = find_assignment(candidate, request)
    return assignment is not None and assignment.enabled and assignment.required


def _find_meaning(
    candidate: Candidate,
    request: Request,
    assignment: Assignment | None,
    needed_by: Candidate | None,
) -> _Refusal | None:
    """Say why a candidate is meant for whoever asks, or None."""
    if assignment is not None:
        return Rule.ASSIGNED, f"it is assigned to {assignment.subject}"
    agent = request.agent
    if candidate.agents is not None and agent is not None and agent.name in candidate.agents:
        return Rule.NAMED, f"it names the agent {agent.name}"
    if candidate.layer.is_directory and candidate.agents is None:
        return Rule.OPEN, f"it is a {candidate.layer} skill, and meant for everyone"
    if _is_widened(candidate, request):
        return Rule.WIDENED, "its confidence is high, so every agent of its workspace has it"
    if needed_by is not None:
        return Rule.REQUIRED, f"{needed_by.slug} requires it"
    return None


def _is_widened(candidate: Candidate, request: Request) -> bool:
    # A directory says itself whom it is meant for.
    if candidate.layer.is_directory or not request.policy.widen:
        return False
    if candidate.confidence is not Confidence.HIGH:
        return False
    return candidate.workspaces is None or request.place in candidate.workspaces


def choose_version(candidate: Candidate, assignment: Assignment | None) -> Offered | None:
    """Give the version that an assignment allows: the current one if it may be, or None."""
    pin = assignment.constraint if assignment else None
    if pin is None or pin.admits(candidate.offered.version):
        return candidate.offered
    fitting = [one for one in candidate.others if pin.admits(one.version)]
    return max(fitting, key=lambda one: one.version, default=None)


def _name(request: Request) -> str:
    subject = request.subjects[-1]
    return f"{subject.kind} {subject.name}" if subject.name else "everyone"


def _on_disabled_list(candidate: Candidate, request: Request) -> _Refusal | None:
    agent = request.agent
    if agent is None or candidate.slug not in agent.disabled_skills:
        return None
    return Rule.DISABLED_LIST, f"the agent {agent.name} has it on its list of disabled skills"


def _off_allowlist(candidate: Candidate, request: Request) -> _Refusal | None:
    agent = request.agent
    allowed = agent.allowlist if agent else None
    if agent is None or allowed is None or _ANY in allowed or candidate.slug in allowed:
        return None
    return Rule.ALLOWLIST, f"it is not on the allowlist of the agent {agent.name}"


def _in_lightweight(candidate: Candidate, request: Request) -> _Refusal | None:
    del candidate
    if request.agent is None or not request.agent.lightweight:
        return None
    return Rule.LIGHTWEIGHT, f"the agent {request.agent.name} is lightweight, and loads no skills"


def _is_disabled(candidate: Candidate, request: Request) -> _Refusal | None:
    if candidate.enabled or request.policy.include_disabled:
        return None
    return Rule.SKILL_DISABLED, "it is disabled"


def _has_status(candidate: Candidate, request: Request) -> _Refusal | None:
    del request
    return _BY_STATUS[candidate.status]


_BY_STATUS: Final[dict[SkillStatus, _Refusal | None]] = {
    SkillStatus.ACTIVE: None,
    SkillStatus.ARCHIVED: (Rule.ARCHIVED, "it is archived"),
    SkillStatus.DRAFT: (Rule.DRAFT, "it is a draft"),
}


def _is_unavailable(candidate: Candidate, request: Request) -> _Refusal | None:
    if not candidate.missing_commands or request.policy.include_unavailable:
        return None
    return Rule.UNAVAILABLE, f"missing commands: {', '.join(candidate.missing_commands)}"


_GATES: Final[tuple[_Gate, ...]] = (
    _on_disabled_list,
    _off_allowlist,
    _in_lightweight,
    _is_disabled,
    _has_status,
    _is_unavailable,
)
