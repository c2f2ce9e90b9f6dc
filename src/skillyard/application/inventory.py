"""List every skill that there is, in the store and in directories, whoever it is meant for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from skillyard.application.discover import Discovered
from skillyard.application.ports.commands import Commands
from skillyard.application.ports.discovery import LocatedFinding
from skillyard.application.ports.store import Store
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.resolution import Candidate


@dataclass(frozen=True, slots=True)
class ListedSkills:
    """Every skill by source, the strongest source first, then by name; and what is wrong."""

    candidates: tuple[Candidate, ...]
    findings: tuple[LocatedFinding, ...]


def list_every_skill(discovered: Discovered, *, store: Store, commands: Commands) -> ListedSkills:
    """Give the skills of the store and those that were discovered, with the commands they lack."""
    with store.view() as view:
        slugs = {one.slug for one in view.skills.list_entries(EVERYTHING)}
        stored = view.candidates.list_named(sorted(slugs), subjects=())
    known = _find_missing((*stored, *discovered.candidates), commands)
    ordered = sorted(known, key=lambda one: (one.layer.rank, one.slug, one.ref))
    return ListedSkills(tuple(ordered), discovered.findings)


def _find_missing(candidates: Sequence[Candidate], commands: Commands) -> list[Candidate]:
    needed = {name for one in candidates for name in one.requires_commands}
    missing = commands.find_missing(needed) if needed else frozenset()
    return [
        replace(one, missing_commands=tuple(filter(missing.__contains__, one.requires_commands)))
        for one in candidates
    ]
