"""Find the changes that together load a candidate which is not loaded.

Nothing is resolved once more to find them, where that can be avoided:

- The gates of a candidate are its own.
- A rival matters only under the same name.
- What can be had of a name was settled once. How to have what cannot is found once for each name.
- Only where the room is limited, the others matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from skillyard.domain.resolution import Candidate, Request
from skillyard.resolver.budget import Room, cut, find_needed_room
from skillyard.resolver.change import Change, ChangeKind, apply_changes, make_skill
from skillyard.resolver.competition import strength
from skillyard.resolver.cycles import list_components
from skillyard.resolver.gates import Opened, keep_out, open_gates
from skillyard.resolver.settling import Settled, settle
from skillyard.resolver.standing import Fate, judge

Way = tuple[Change, ...]

_LONG: Final = 100
"""So many changes are not tried out where the room is limited: all that there is shall fit."""


class Planner:
    """Ways for the candidates of one request, in which no agent is lightweight."""

    def __init__(self, candidates: Sequence[Candidate], request: Request) -> None:
        self._candidates = {one.ref: one for one in candidates}
        self._request = request
        self._settled = settle(candidates, request)
        self._shortage = self._settled.shortage
        self._named: defaultdict[str, list[Candidate]] = defaultdict(list)
        for one in candidates:
            self._named[one.slug].append(one)
        self._supplies = _Supplies(self._named, self._settled, request)
        self._rooms: dict[Way, _Fit] = {}

    def plan(self, ref: str) -> Way | None:
        """Give the changes that load a candidate: none where it is loaded, None where none do."""
        one = self._candidates[ref]
        winner = self._settled.contest.winners.get(one.slug)
        is_winner = winner is not None and winner.candidate.ref == ref
        way = () if is_winner else self._open(one)
        return self._fit(one, way)

    def _open(self, one: Candidate) -> Way:
        missing = self._shortage.list_missing(one)
        # Who requires it now may not win any more once something else has what it lacked.
        needed_by = None if missing else self._settled.needed_by.get(one.slug)
        opened = open_gates(one, self._request, needed_by=needed_by)
        rivals = self._beat(opened, needed_by, is_reviving=bool(missing))
        return _join((*opened.changes, *rivals), self._supplies.find(missing, one))

    def _beat(
        self, opened: Opened, needed_by: Candidate | None, *, is_reviving: bool
    ) -> Iterator[Change]:
        """Keep out whatever of the same name would win.

        A rival that lacks something does so no more, perhaps, once others have what they lack.
        """
        one = opened.standing.candidate
        revives = is_reviving or not self._shortage.has(one.slug)
        for rival in self._named[one.slug]:
            if rival.ref == one.ref or (rival.ref in self._shortage.lacking and not revives):
                continue
            standing = judge(rival, opened.request, needed_by=needed_by)
            if standing.fate is Fate.IN and strength(standing) < strength(opened.standing):
                yield keep_out(rival, opened.request, needed_by=needed_by)

    def _fit(self, one: Candidate, way: Way) -> Way | None:
        if Room.of(self._request).is_endless or self._has_room(one, way):
            return way
        if len(way) > _LONG:
            more = make_room(one.slug, self._find_most(way), self._request)
        else:
            if way not in self._rooms:
                self._rooms[way] = _Fit(*self._settle_after(way))
            more = self._rooms[way].find_missing(one.slug)
        return None if more is None else (*way, *more)

    def _find_most(self, way: Way) -> tuple[int, int]:
        added = sum(change.kind is ChangeKind.ADD_SKILL for change in way)
        return len(self._highest_costs) + added, sum(self._highest_costs.values())

    def _settle_after(self, way: Way) -> tuple[Settled, Request]:
        if not way:
            return self._settled, self._request
        candidates, request = apply_changes(way, self._candidates.values(), self._request)
        return settle(candidates, request), request

    def _has_room(self, one: Candidate, way: Way) -> bool:
        """Tell whether there is room for whatever could be loaded besides; False: it may be."""
        if not way or (not self._shortage.has(one.slug) and self._shortage.lacking):
            return False
        if self._shortage.list_missing(one):
            return False
        skills, tokens = self._taken
        costs = [self._highest_costs.get(name, 0) for name in self._list_new(one)]
        room = Room.of(self._request)
        return room.find_excess(skills + len(costs), tokens + sum(costs)) is None

    @cached_property
    def _taken(self) -> tuple[int, int]:
        winners, room = self._settled.contest.winners, Room.of(self._request)
        return len(winners), sum(map(room.cost, winners.values()))

    @cached_property
    def _highest_costs(self) -> dict[str, int]:
        room = Room.of(self._request)
        return {
            name: max(one.cost.loaded if room.is_eager else one.cost.listed for one in offers)
            for name, offers in self._named.items()
            if offers
        }

    def _list_new(self, one: Candidate) -> list[str]:
        """List the names that could come in with a candidate."""
        names = {one.slug: None}
        waiting = [one.slug]
        while waiting:
            for each in self._named.get(waiting.pop(), ()):
                new = {name: None for name in each.requires if name not in names}
                names |= new
                waiting += new
        return list(names)


class _Supplies:
    """How to have names that cannot be had: found once for each."""

    def __init__(
        self, named: defaultdict[str, list[Candidate]], settled: Settled, request: Request
    ) -> None:
        self._named = named
        self._shortage = settled.shortage
        self._request = request
        self._offers: dict[str, tuple[Candidate, Way, tuple[str, ...]]] = {}
        self._ways: dict[str, Way] = {}

    def find(self, missing: Sequence[str], one: Candidate) -> Way:
        """Give the changes after which all of `missing` can be had, if `one` of its name can."""
        if not missing:
            return ()
        if not self._shortage.has(one.slug) and self._find_offer(one.slug)[0].ref != one.ref:
            return _join(*(self._find_offer(name)[1] for name in self._reach(missing, one.slug)))
        self._complete(missing)
        return _join(*(self._ways[name] for name in missing))

    def _complete(self, missing: Iterable[str]) -> None:
        new = [name for name in self._reach(missing) if name not in self._ways]
        graph = {name: self._find_offer(name)[2] for name in new}
        for component in list_components(graph):
            inside = set(component)
            own = [self._find_offer(name)[1] for name in component]
            behind = (
                self._ways[other]
                for name in component
                for other in graph[name]
                if other not in inside
            )
            way = _join(*own, *behind)
            self._ways.update(dict.fromkeys(component, way))

    def _reach(self, missing: Iterable[str], without: str = "") -> list[str]:
        """List the names that have to be had for `missing`; known ways are not followed."""
        found = dict.fromkeys(name for name in missing if name != without)
        waiting = list(found)
        for name in waiting:
            if not without and name in self._ways:
                continue
            for other in self._find_offer(name)[2]:
                if other not in found and other != without:
                    found[other] = None
                    waiting.append(other)
        return waiting

    def _find_offer(self, name: str) -> tuple[Candidate, Way, tuple[str, ...]]:
        """Give the candidate that is nearest to being had, what opens it, and what it lacks."""
        if name not in self._offers:
            offers = map(self._weigh, self._named[name]) if name in self._named else ()
            nearest = min(offers, key=_distance, default=None)
            self._offers[name] = nearest or self._add(name)
        return self._offers[name]

    def _weigh(self, one: Candidate) -> tuple[Candidate, Way, tuple[str, ...]]:
        changes = open_gates(one, self._request, needed_by=one).changes
        return one, changes, self._shortage.list_missing(one)

    def _add(self, name: str) -> tuple[Candidate, Way, tuple[str, ...]]:
        made = make_skill(name)
        added = Change(ChangeKind.ADD_SKILL, name, f"add a skill named {name}")
        return made, (added, *open_gates(made, self._request, needed_by=made).changes), ()


def _distance(offer: tuple[Candidate, Way, tuple[str, ...]]) -> tuple[int, int, str]:
    one, changes, missing = offer
    return len(changes) + len(missing), one.layer.rank, one.ref


def _join(*ways: Way) -> Way:
    """Give the changes of several ways, each once; one way alone stays the same object."""
    some = [way for way in ways if way]
    if not some or all(way is some[0] for way in some):
        return some[0] if some else ()
    return tuple(dict.fromkeys(change for way in some for change in way))


class _Fit:
    """Whether the names of a settled world fit, and what has to be raised for one that does not."""

    def __init__(self, settled: Settled, request: Request) -> None:
        winners, self._request = settled.contest.winners, request
        room = Room.of(request)
        self._dropped = cut(winners, room)
        self._needed = find_needed_room(winners, room) if self._dropped else {}

    def find_missing(self, slug: str) -> Way | None:
        """Give the changes that make room for a name, or None where there are none."""
        if slug not in self._dropped:
            return ()
        return make_room(slug, self._needed[slug], self._request)


def make_room(slug: str, needed: tuple[int, int], request: Request) -> Way | None:
    """Give the changes after which so many skills with so many tokens fit, or None."""
    skills, tokens = needed
    room = Room.of(request)
    way: list[Change] = []
    if room.skills is not None and skills > room.skills:
        way.append(_raise_limit(slug, skills, request))
    if room.tokens is not None and tokens > room.tokens:
        if request.policy.share <= 0:
            return None
        number = -(-tokens * 100 // request.policy.share)
        text = f"give the agent a context window of {number:,} tokens"
        way.append(Change(ChangeKind.WIDEN_WINDOW, slug, text, number=number))
    return tuple(way)


def _raise_limit(slug: str, number: int, request: Request) -> Change:
    if request.agent is None:
        text = "do not load skills whole: leave --eager out"
        return Change(ChangeKind.LOAD_LESS, slug, text)
    text = f"raise the number of skills that {request.agent.name} loads whole to {number:,}"
    return Change(ChangeKind.RAISE_LIMIT, slug, text, number=number)
