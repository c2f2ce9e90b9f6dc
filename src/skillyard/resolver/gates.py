"""Changes of one candidate: those that let it in, and those that keep it out."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from skillyard.domain.assignment import Subject
from skillyard.domain.resolution import Candidate, Layer, Request, Rule
from skillyard.resolver.change import Change, ChangeKind, apply_change
from skillyard.resolver.standing import Fate, Standing, find_assignment, judge


class Opened(NamedTuple):
    """What lets a candidate in, its standing then, and the request that goes with it."""

    changes: tuple[Change, ...]
    standing: Standing
    request: Request


def open_gates(candidate: Candidate, request: Request, *, needed_by: Candidate | None) -> Opened:
    """Find what lets a candidate in; see `judge` for `needed_by`."""
    changes: list[Change] = []
    while True:
        standing = judge(candidate, request, needed_by=needed_by)
        if standing.fate is Fate.IN:
            return Opened(tuple(changes), standing, request)
        change = _OPENING[standing.rule](candidate, request)
        changes.append(change)
        (candidate,), request = apply_change(change, (candidate,), request)


def keep_out(candidate: Candidate, request: Request, *, needed_by: Candidate | None) -> Change:
    """Find what keeps this candidate from whoever asks, and others of its name not.

    It is taken from them where that is enough. Else it is disabled for them, which also goes for
    what everybody has, and for what is required.
    """
    if candidate.layer.is_directory:
        text = f"remove {candidate.location or candidate.slug}"
        return Change(ChangeKind.REMOVE, candidate.slug, text, candidate.ref)
    subject = request.subjects[-1]
    text = f"unassign {candidate.slug} from {_say(subject)}"
    taken = _change(ChangeKind.UNASSIGN, candidate, text, subject)
    found = find_assignment(candidate, request)
    if found is not None and found.subject == subject:
        (left,), _ = apply_change(taken, (candidate,), request)
        if judge(left, request, needed_by=needed_by).fate is not Fate.IN:
            return taken
    text = f"disable {candidate.slug} for {_say(subject)}"
    return _change(ChangeKind.DISABLE_ASSIGNMENT, candidate, text, subject)


def _change(
    kind: ChangeKind, candidate: Candidate, text: str, subject: Subject | None = None
) -> Change:
    owner = "" if candidate.layer.is_directory else candidate.owner
    return Change(kind, candidate.slug, text, candidate.ref, subject=subject, owner=owner)


def _say(subject: Subject) -> str:
    return f"{subject.kind} {subject.name}" if subject.name else "everyone"


def _plainly(kind: ChangeKind, text: str) -> "_Opening":
    return lambda candidate, _: _change(kind, candidate, text.format(slug=candidate.slug))


def _of_agent(kind: ChangeKind, text: str) -> "_Opening":
    def find(candidate: Candidate, request: Request) -> Change:
        agent = request.agent.name if request.agent else ""
        said = text.format(slug=candidate.slug, agent=agent)
        return Change(kind, "" if kind is ChangeKind.LEAVE_LIGHTWEIGHT else candidate.slug, said)

    return find


def _install(candidate: Candidate, request: Request) -> Change:
    del request
    text = f"install {', '.join(candidate.missing_commands)}"
    return Change(ChangeKind.INSTALL_COMMANDS, candidate.slug, text, candidate.ref)


def _enable_assignment(candidate: Candidate, request: Request) -> Change:
    found = find_assignment(candidate, request)
    subject = found.subject if found else request.subjects[-1]
    text = f"enable the assignment of {candidate.slug} to {_say(subject)}"
    return _change(ChangeKind.ENABLE_ASSIGNMENT, candidate, text, subject)


def _assign(candidate: Candidate, request: Request) -> Change:
    if candidate.layer.is_directory:
        return _name_agent(candidate, request)
    subject = request.subjects[-1]
    return _change(
        ChangeKind.ASSIGN, candidate, f"assign {candidate.slug} to {_say(subject)}", subject
    )


def _name_agent(candidate: Candidate, request: Request) -> Change:
    agent = request.agent
    text = (
        f'add "{agent.name}" to the `agents` in {_sidecar(candidate)}'
        if agent
        else f'write `"agents": "*"` into {_sidecar(candidate)}'
    )
    return Change(ChangeKind.NAME_AGENT, candidate.slug, text, candidate.ref)


def _sidecar(candidate: Candidate) -> str:
    place = candidate.location
    return f"{place}/manifest.json" if place else f"the manifest.json of {candidate.slug}"


def _unpin(candidate: Candidate, request: Request) -> Change:
    found = find_assignment(candidate, request)
    subject = found.subject if found else request.subjects[-1]
    pin = found.constraint if found else None
    text = f"take the range `{pin}` off the assignment of {candidate.slug} to {_say(subject)}"
    if candidate.offered.version.pre:
        text += f", or pin it to {candidate.offered.version}"
    return _change(ChangeKind.UNPIN, candidate, text, subject)


def _promote(candidate: Candidate, request: Request) -> Change:
    if candidate.layer.is_directory:
        text = f'write `"confidence": "medium"` into {_sidecar(candidate)}'
        return Change(ChangeKind.PROMOTE, candidate.slug, text, candidate.ref)
    found = find_assignment(candidate, request)
    subject = found.subject if found else request.subjects[-1]
    if candidate.layer is Layer.PLUGIN:
        text = f"let the assignment of {candidate.slug} to {_say(subject)} opt in"
        return _change(ChangeKind.OPT_IN, candidate, text, subject)
    also = f", or let its assignment to {_say(subject)} opt in" if found else ""
    return _change(ChangeKind.PROMOTE, candidate, f"promote {candidate.slug} to medium{also}")


_Opening = Callable[[Candidate, Request], Change]
_OPENING: Final[Mapping[Rule, _Opening]] = {
    Rule.DISABLED_LIST: _of_agent(
        ChangeKind.TAKE_OFF_DISABLED_LIST, "take {slug} off the list of disabled skills of {agent}"
    ),
    Rule.ALLOWLIST: _of_agent(
        ChangeKind.PUT_ON_ALLOWLIST, "put {slug} on the allowlist of {agent}"
    ),
    Rule.LIGHTWEIGHT: _of_agent(
        ChangeKind.LEAVE_LIGHTWEIGHT, "take {agent} out of lightweight mode"
    ),
    Rule.SKILL_DISABLED: _plainly(ChangeKind.ENABLE_SKILL, "enable {slug}"),
    Rule.ARCHIVED: _plainly(ChangeKind.ACTIVATE, "take {slug} out of the archive"),
    Rule.DRAFT: _plainly(ChangeKind.ACTIVATE, "make {slug} active"),
    Rule.UNAVAILABLE: _install,
    Rule.ASSIGNMENT_DISABLED: _enable_assignment,
    Rule.NOT_ASSIGNED: _assign,
    Rule.NO_VERSION: _unpin,
    Rule.LOW_CONFIDENCE: _promote,
}
