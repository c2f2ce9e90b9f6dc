"""Ways round: names that lead back to themselves."""

from collections.abc import Iterator, Mapping, Sequence

Graph = Mapping[str, Sequence[str]]
"""Each name with those that it leads to; what is no name of the graph leads nowhere."""


def list_components(graph: Graph) -> list[tuple[str, ...]]:
    """Give the names in groups: two are in one group if each leads to the other.

    A group comes behind those that it leads to. Its names are in order. The work is one look at
    every name and at everything that it leads to (Tarjan).
    """
    walk = _Walk(graph)
    for name in graph:
        if name not in walk.numbers:
            walk.run(name)
    return walk.components


class _Walk:
    """A walk in depth, written without recursion: a way may be longer than Python's stack."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.numbers: dict[str, int] = {}
        self.components: list[tuple[str, ...]] = []
        self._lowest: dict[str, int] = {}
        self._open: dict[str, None] = {}
        self._trail: list[tuple[str, Iterator[str]]] = []

    def run(self, start: str) -> None:
        self._enter(start)
        while self._trail:
            here, others = self._trail[-1]
            other = next(others, None)
            if other is None:
                self._leave(here)
            elif other not in self.numbers:
                self._enter(other)
            elif other in self._open:
                self._lowest[here] = min(self._lowest[here], self.numbers[other])

    def _enter(self, name: str) -> None:
        self.numbers[name] = self._lowest[name] = len(self.numbers)
        self._open[name] = None
        self._trail.append((name, (one for one in self.graph[name] if one in self.graph)))

    def _leave(self, name: str) -> None:
        self._trail.pop()
        if self._trail:
            above = self._trail[-1][0]
            self._lowest[above] = min(self._lowest[above], self._lowest[name])
        if self._lowest[name] != self.numbers[name]:
            return
        found: list[str] = []
        while not found or found[-1] != name:
            found.append(self._open.popitem()[0])
        self.components.append(tuple(sorted(found)))


def is_ring(component: Sequence[str], graph: Graph) -> bool:
    """Tell whether the names of a group lead back to themselves."""
    return len(component) > 1 or component[0] in graph[component[0]]


def find_way_round(start: str, component: Sequence[str], graph: Graph) -> tuple[str, ...]:
    """Give the names on a shortest way from `start` back to itself, inside its group.

    Among equals it is the first by name.
    """
    inside, before, waiting = set(component), {start: ""}, [start]
    for here in waiting:
        for other in sorted(inside.intersection(graph[here])):
            if other == start:
                return _go_back(here, before)
            if other not in before:
                before[other] = here
                waiting.append(other)
    return (start,)


def _go_back(name: str, before: Mapping[str, str]) -> tuple[str, ...]:
    way = []
    while name:
        way.append(name)
        name = before[name]
    return tuple(reversed(way))
