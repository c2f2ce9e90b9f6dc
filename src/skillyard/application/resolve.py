"""Say which skills someone has now, and why: gather what there is, and let the resolver decide."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from skillyard.application.lookup import get_record
from skillyard.application.pinned import restate_pinned
from skillyard.application.ports.commands import Commands
from skillyard.application.ports.discovery import LocatedFinding
from skillyard.application.ports.store import Store, Transaction
from skillyard.disclosure.tier1 import render_entry
from skillyard.disclosure.tokens import estimate_tokens
from skillyard.domain.errors import (
    InvalidFactError,
    InvalidPackageError,
    MissingPathError,
    ResolutionError,
)
from skillyard.domain.records import (
    Agent,
    AnyRecord,
    Node,
    Record,
    Team,
    Workspace,
    name_of_kind,
)
from skillyard.domain.resolution import (
    Candidate,
    Cost,
    Decision,
    Disposition,
    Policy,
    Request,
    Resolution,
)
from skillyard.resolver import resolve

USUAL_POLICY = Policy()
_DELIVERED = frozenset({Disposition.LOADED, Disposition.UNPROVEN})

Seal = Callable[[Candidate], Candidate]
"""Give a candidate of a directory with the digest and the files of its package as it is now."""
Measure = Callable[[Candidate], int]
"""Say how many tokens the instructions of a candidate take."""


def _unmeasured(candidate: Candidate) -> int:
    return candidate.cost.loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveSkills:
    """The wish to know the skills of someone; what is None follows from the records, or is not.

    Without a `policy` it is the usual one. `named` are slugs of the store that are decided about
    even where nobody meant them for whoever asks. `skills_path` is where the agent sees the skills
    of the store, if it sees them.
    """

    agent: str | None = None
    team: str | None = None
    workspace: str | None = None
    node: str | None = None
    provider: str | None = None
    policy: Policy | None = None
    named: tuple[str, ...] = ()
    skills_path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedSkills:
    """The answer, with what it was made from.

    `broken` are the directory skills that would have been loaded but cannot be read, with the
    reason. `findings` are what looking through the directories found wrong.
    """

    request: Request
    candidates: tuple[Candidate, ...]
    resolution: Resolution
    broken: tuple[tuple[Candidate, str], ...] = ()
    findings: tuple[LocatedFinding, ...] = ()

    def require_complete(self) -> None:
        """Make sure that nothing keeps a run from starting.

        Raises:
            ResolutionError: Something that is required cannot be had.
        """
        errors = [one.message for one in self.resolution.problems if one.is_error]
        if errors:
            raise ResolutionError(errors)


def resolve_skills(
    wish: ResolveSkills,
    *,
    store: Store,
    commands: Commands,
    directories: Sequence[Candidate] = (),
    seal: Seal,
    measure: Measure = _unmeasured,
) -> ResolvedSkills:
    """Resolve; `directories` are the candidates that stand in directories here.

    Instructions are measured only where whole ones are loaded into a window of a known size.

    Raises:
        RecordNotFoundError: There is no such agent, team, workspace or node.
        InvalidFactError: The wish says something else than the records of those whom it names.
    """
    with store.view() as view:
        request = to_request(wish, transaction=view)
        stored = _list_stored(request, directories, set(wish.named), view)
    kept = (*_place(stored, wish.skills_path), *directories)
    candidates = _price(_find_missing(kept, commands), request, measure)
    return _settle(candidates, request, seal)


def to_request(wish: ResolveSkills, *, transaction: Transaction) -> Request:
    """Fill a wish in from the records: an agent works in its own workspace, or in its team's.

    Raises:
        RecordNotFoundError: There is no such agent, team, workspace or node.
        InvalidFactError: The wish says something else than the records of those whom it names.
    """
    node = _find_record(Node, wish.node, transaction)
    agent = _find_record(Agent, _first(wish.agent, node.agent if node else None), transaction)
    team = _find_record(Team, _first(wish.team, agent.team if agent else None), transaction)
    # What a record names is there: the store sees to that.
    _find_record(Workspace, wish.workspace, transaction)
    home = next((one for one in (node, agent, team) if one and one.workspace is not None), None)
    problems = (
        _contradict(wish.agent, "agent", node, node.agent if node else None),
        _contradict(wish.team, "team", agent, agent.team if agent else None),
        _contradict(wish.workspace, "workspace", home, home.workspace if home else None),
    )
    if any(problems):
        raise InvalidFactError(list(filter(None, problems)))
    return Request(
        workspace=_first(wish.workspace, home.workspace if home else None),
        team=team.name if team else None,
        agent=agent,
        node=wish.node,
        provider=_first(wish.provider, agent.provider if agent else None),
        policy=wish.policy or USUAL_POLICY,
    )


def _find_record(
    kind: type[AnyRecord], name: str | None, transaction: Transaction
) -> AnyRecord | None:
    return None if name is None else get_record(kind, name, transaction=transaction)


def _contradict(
    said: str | None, what: str, record: Record | None, recorded: str | None
) -> tuple[str, str, str] | None:
    """Say that a record has something else, or None; what it does not say may be said."""
    if record is None or said is None or recorded is None or said == recorded:
        return None
    kind = name_of_kind(type(record))
    how = "for" if what == "agent" else "in"
    hint = f"`skillyard {kind}s set {record.name} --{what} {said}`"
    return (
        f"{what} `{said}`",
        f"the {kind} `{record.name}` is {how} the {what} `{recorded}`",
        f"Leave it out, or change the record: {hint}",
    )


def _first(*names: str | None) -> str | None:
    return next((one for one in names if one is not None), None)


def _list_stored(
    request: Request, directories: Sequence[Candidate], named: set[str], view: Transaction
) -> tuple[Candidate, ...]:
    """Give the candidates of the store: meant, `named`, or required by any candidate."""
    subjects, agent = request.subjects, request.agent
    meant = view.candidates.list_for(
        subjects, agent=agent.name if agent else None, widened=request.policy.widen
    )
    found = {one.ref: restate_pinned(one, request, transaction=view) for one in meant}
    asked: set[str] = set()
    while wanted := (named | _list_required((*found.values(), *directories))) - asked:
        asked |= wanted
        for one in view.candidates.list_named(sorted(wanted), subjects=subjects):
            if one.ref not in found:
                found[one.ref] = restate_pinned(one, request, transaction=view)
    return tuple(found.values())


def _place(candidates: tuple[Candidate, ...], skills_path: str | None) -> tuple[Candidate, ...]:
    if skills_path is None:
        return candidates
    root = skills_path.rstrip("/")
    return tuple(replace(one, location=f"{root}/{one.slug}") for one in candidates)


def _list_required(candidates: Iterable[Candidate]) -> set[str]:
    return {slug for one in candidates for slug in one.requires}


def _find_missing(candidates: Sequence[Candidate], commands: Commands) -> tuple[Candidate, ...]:
    needed = {name for one in candidates for name in one.requires_commands}
    missing = commands.find_missing(needed) if needed else frozenset()
    if not missing:
        return tuple(candidates)
    return tuple(_without(one, missing) for one in candidates)


def _without(candidate: Candidate, missing: frozenset[str]) -> Candidate:
    lacking = tuple(name for name in candidate.requires_commands if name in missing)
    return replace(candidate, missing_commands=lacking) if lacking else candidate


def _price(
    candidates: tuple[Candidate, ...], request: Request, measure: Measure
) -> tuple[Candidate, ...]:
    # What skills cost is asked only where there is a window to fit them into.
    if request.agent is None or request.agent.context_window is None:
        return candidates
    load = measure if request.policy.eager else _unmeasured
    return tuple(
        replace(one, cost=Cost(estimate_tokens(render_entry(one)), load(one))) for one in candidates
    )


def _settle(candidates: tuple[Candidate, ...], request: Request, seal: Seal) -> ResolvedSkills:
    """Resolve, and give what was chosen its digest; without what cannot be read, do it again."""
    broken: dict[str, tuple[Candidate, str]] = {}
    while True:
        usable = tuple(one for one in candidates if one.ref not in broken) if broken else candidates
        resolution = resolve(usable, request)
        sealed, failed = _seal_all(resolution.decisions, seal)
        if not failed:
            return ResolvedSkills(
                request=request,
                candidates=usable,
                resolution=_with_sealed(resolution, sealed),
                broken=tuple(broken.values()),
            )
        broken |= failed


def _seal_all(
    decisions: Iterable[Decision], seal: Seal
) -> tuple[Mapping[str, Candidate], Mapping[str, tuple[Candidate, str]]]:
    sealed: dict[str, Candidate] = {}
    failed: dict[str, tuple[Candidate, str]] = {}
    for decision in decisions:
        if decision.offered.digest is not None or decision.disposition not in _DELIVERED:
            continue
        candidate = decision.candidate
        try:
            sealed[candidate.ref] = seal(candidate)
        except (InvalidPackageError, MissingPathError) as error:
            failed[candidate.ref] = (candidate, error.message)
    return sealed, failed


def _with_sealed(resolution: Resolution, sealed: Mapping[str, Candidate]) -> Resolution:
    if not sealed:
        return resolution
    decisions = tuple(
        replace(one, candidate=sealed[one.candidate.ref], offered=sealed[one.candidate.ref].offered)
        if one.candidate.ref in sealed
        else one
        for one in resolution.decisions
    )
    return replace(resolution, decisions=decisions)
