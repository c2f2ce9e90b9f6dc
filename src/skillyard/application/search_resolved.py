"""Find, among the skills that someone has, those that fit some words or a task."""

from collections.abc import Iterator
from dataclasses import dataclass

from skillyard.application.opening import ReadPackage
from skillyard.application.ports.search import (
    RankedSkill,
    RankSkills,
    SearchableSkill,
    SearchIndex,
)
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.searchable import make_searchable_candidate
from skillyard.domain.errors import CorruptedContentError, InvalidPackageError, MissingPathError
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Decision, Resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingSkill:
    """A skill that someone has and that fits; otherwise as `FoundBySearch`."""

    decision: Decision
    score: int
    words: tuple[str, ...]
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingSkills:
    """The skills that fit, the best first; `untried` patterns need the extra `patterns`."""

    found: tuple[FittingSkill, ...]
    untried: int = 0


def search_resolved(
    wish: RankSkills,
    resolution: Resolution,
    *,
    store: Store,
    index: SearchIndex,
    read_package: ReadPackage,
) -> FittingSkills:
    """Give those that fit best of the skills that are loaded or named, wherever they come from.

    Each is read as the version that was chosen. One that cannot be read is found by what is known
    about it. Equal scores are in the order of names. `among` names candidates by their `ref`.
    """
    usable = {one.candidate.ref: one for one in (*resolution.loaded, *resolution.unproven)}
    asked = [one for ref, one in usable.items() if wish.among is None or ref in wish.among]
    with store.view() as view:
        skills = list(_iter_searchable(asked, view, read_package))
    ranking = index.rank_these(wish, skills)
    found = tuple(_to_fitting(one, usable[one.skill_id]) for one in ranking.skills)
    return FittingSkills(found=found, untried=ranking.untried)


def _iter_searchable(
    decisions: list[Decision], view: Transaction, read_package: ReadPackage
) -> Iterator[SearchableSkill]:
    for one in decisions:
        try:
            skill_md = _read_skill_md(one, view, read_package)
        except (CorruptedContentError, InvalidPackageError, MissingPathError):
            skill_md = b""
        yield make_searchable_candidate(one.candidate, skill_md)


def _read_skill_md(decision: Decision, view: Transaction, read_package: ReadPackage) -> bytes:
    digest = decision.offered.digest
    if decision.candidate.layer.is_directory or digest is None:
        return read_package(decision.candidate).skill_md or b""
    file = view.packages.get_file(digest, SKILL_MD)
    return file.content if file else b""


def _to_fitting(ranked: RankedSkill, decision: Decision) -> FittingSkill:
    return FittingSkill(
        decision=decision, score=ranked.score, words=ranked.words, triggers=ranked.triggers
    )
