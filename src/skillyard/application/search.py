"""Find skills by words, or by the task that they are wanted for."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skillyard.application.ports.search import RankedSkill, RankSkills, SearchIndex
from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.skill import SkillStatus

MOST: Final = 10
"""How many skills are given where nobody says."""
SHOWN: Final = SkillFilter()
"""Every skill that is not archived."""
USABLE: Final = SkillFilter(status=SkillStatus.ACTIVE, enabled=True)
"""What an agent may be given."""

_LOOKED_UP: Final = 500
_WIDER: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBySearch:
    """A skill that fits: its score, the words that it answers, and which of its triggers fit."""

    entry: CatalogueEntry
    score: int
    words: tuple[str, ...]
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedSkills:
    """The skills that fit, the best first; `untried` patterns need the extra `patterns`."""

    found: tuple[FoundBySearch, ...]
    untried: int = 0


def search_skills(
    text: str,
    *,
    store: Store,
    index: SearchIndex,
    most: int = MOST,
    wanted: SkillFilter = SHOWN,
    among: Collection[str] | None = None,
) -> SearchedSkills:
    """Give the skills that fit some words best.

    Equal scores are in the order of slug and owner. `among` restricts to skills of these ids.
    """
    wish = RankSkills(text=text, most=most, among=among)
    return _search(wish, wanted, store, index)


def match_skills(
    task: str,
    *,
    store: Store,
    index: SearchIndex,
    most: int = MOST,
    wanted: SkillFilter = USABLE,
    among: Collection[str] | None = None,
) -> SearchedSkills:
    """Give the skills that fit a task best: by their words, and by their triggers.

    Those that may not be used are left out. Otherwise as `search_skills`.
    """
    wish = RankSkills(text=task, most=most, triggered=True, among=among)
    return _search(wish, wanted, store, index)


def _search(
    wish: RankSkills, wanted: SkillFilter, store: Store, index: SearchIndex
) -> SearchedSkills:
    if wish.most < 1:
        return SearchedSkills(found=())
    with store.view() as view:
        asked = wish.most
        while True:
            ranking = index.rank(replace(wish, most=asked), view=view)
            found = tuple(_iter_found(ranking.skills, wanted, view))
            # The index does not know who is wanted: where many are not, it is asked for more.
            if len(found) >= wish.most or len(ranking.skills) < asked:
                return SearchedSkills(found=found[: wish.most], untried=ranking.untried)
            asked *= _WIDER


def _iter_found(
    ranked: Sequence[RankedSkill], wanted: SkillFilter, view: Transaction
) -> Iterator[FoundBySearch]:
    for start in range(0, len(ranked), _LOOKED_UP):
        part = ranked[start : start + _LOOKED_UP]
        ids = tuple(one.skill_id for one in part)
        entries = {one.id: one for one in view.skills.list_entries(replace(wanted, ids=ids))}
        for one in part:
            if one.skill_id in entries:
                yield FoundBySearch(
                    entry=entries[one.skill_id],
                    score=one.score,
                    words=one.words,
                    triggers=one.triggers,
                )
