"""Ranks the skills of a store with an index on this machine.

The index is caught up with the store before it answers: whether anything has changed is one
statement, and only what has changed is read. One that is damaged, foreign or of another version is
made again; where no file can be kept, the index lives in memory, and costs time only.
"""

import sqlite3
import threading
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from skillyard.adapters.search.file import IndexFile
from skillyard.adapters.search.opening import OpenedFile, open_file, open_memory, renew_file
from skillyard.adapters.search.patterns import Fitting
from skillyard.application.ports.search import (
    RankedSkill,
    Ranking,
    RankSkills,
    SearchableSkill,
)
from skillyard.application.ports.store import SkillsFingerprint, Transaction
from skillyard.application.searchable import read_searchable
from skillyard.ranking import Concept, mend, parse_query, score, take_best
from skillyard.ranking.meaning import Meanings, compare, to_values
from skillyard.ranking.query import QUERY_CHARACTERS
from skillyard.ranking.score import COMPARED, count_likeness, find_full, list_near
from skillyard.ranking.triggers import PATTERN_TASK_CHARACTERS, Cue, count_bonus, list_phrases
from skillyard.ranking.words import count_terms

Counting = Callable[[Iterable[str]], Iterable[str]]
"""Passes on the ids of the skills that are read, and may say how far it has come."""

_Revisions = tuple[int, int]
"""Of a skill: the revision that the index holds, and that of the store; 0 where there is none."""
_Hits = Mapping[int, Sequence[tuple[Cue, str]]]
# What reading a file that nobody here has written ends with; or no file can be kept.
_USELESS: Final = (sqlite3.Error, zlib.error, OSError, LookupError, TypeError, ValueError)


class LocalIndex:
    """See `SearchIndex`. The file is at `path`; with None, nothing is kept.

    `program` is the version of what weighs skills: another one weighs them again, and so do other
    `meanings`. Without those, only words count. `fitting` tries patterns; without it they
    are counted.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        program: str,
        counting: Counting = iter,
        meanings: Meanings | None = None,
        fitting: Fitting | None = None,
    ) -> None:
        self._path = path
        self._meanings = meanings or Meanings.nothing()
        self._program = f"{program} {self._meanings.name}"
        self._fitting = fitting
        self._counting = counting
        self._lock = threading.Lock()
        self._opened: OpenedFile | None = None

    def rank(self, wish: RankSkills, *, view: Transaction) -> Ranking:
        """See `SearchIndex.rank`."""
        with self._lock:
            for opening in (open_file, renew_file):
                try:
                    return self._rank(wish, view, self._open(opening))
                except _USELESS:
                    self._close()
            return self._rank(wish, view, self._open(open_memory))

    def rank_these(self, wish: RankSkills, skills: Iterable[SearchableSkill]) -> Ranking:
        """See `SearchIndex.rank_these`."""
        with closing(open_memory(None, self._program)) as opened:
            these = list(skills)
            opened.file.add(these, self._meanings.find_skill)
            opened.file.keep_fingerprint(SkillsFingerprint(skills=len(these)))
            return _answer(wish, opened.file, self._meanings, self._fitting)

    def close(self) -> None:
        """See `SearchIndex.close`."""
        with self._lock:
            self._close()

    def _open(self, opening: Callable[[Path | None, str], OpenedFile]) -> IndexFile:
        if self._opened is None:
            self._opened = opening(self._path, self._program)
        return self._opened.file

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _rank(self, wish: RankSkills, view: Transaction, file: IndexFile) -> Ranking:
        fingerprint = view.skills.fingerprint()
        with file.reading():
            if file.find_fingerprint() == fingerprint:
                return _answer(wish, file, self._meanings, self._fitting)
        # Others may have caught up meanwhile, from this view or from another.
        with file.writing():
            before = file.find_fingerprint()
            if before != fingerprint:
                self._catch_up(file, view, before, fingerprint)
                file.keep_fingerprint(fingerprint)
            return _answer(wish, file, self._meanings, self._fitting)

    def _catch_up(
        self,
        file: IndexFile,
        view: Transaction,
        before: SkillsFingerprint | None,
        now: SkillsFingerprint,
    ) -> None:
        if before is None or file.is_sparse():
            file.clear()
            self._bring(file, view, _compare_all(file, view))
            return
        changes = _list_changes(file, view, before)
        if not _explain(changes, before, now):
            changes = _compare_all(file, view)
        self._bring(file, view, changes)

    def _bring(self, file: IndexFile, view: Transaction, changes: Mapping[str, _Revisions]) -> None:
        file.remove(one for one, (held, _) in changes.items() if held)
        changed = [one for one, (_, there) in changes.items() if there]
        found = (read_searchable(one, view=view) for one in self._counting(changed))
        file.add((one for one in found if one is not None), self._meanings.find_skill)


def _list_changes(
    file: IndexFile, view: Transaction, before: SkillsFingerprint
) -> dict[str, _Revisions]:
    changed = dict(view.skills.list_changed(before))
    both = {one: (file.find_revision(one), there) for one, there in changed.items()}
    return {one: (held, there) for one, (held, there) in both.items() if held != there}


def _explain(
    changes: Mapping[str, _Revisions], before: SkillsFingerprint, now: SkillsFingerprint
) -> bool:
    """Tell whether nothing else has changed: a clock may be late, and a list incomplete."""
    skills = sum(bool(there) - bool(held) for held, there in changes.values())
    revisions = sum(there - held for held, there in changes.values())
    return (before.skills + skills, before.revisions + revisions) == (now.skills, now.revisions)


def _compare_all(file: IndexFile, view: Transaction) -> dict[str, _Revisions]:
    held, there = file.list_revisions(), dict(view.skills.iter_revisions())
    both = {one: (held.get(one, 0), there.get(one, 0)) for one in (*there, *held)}
    return {one: (old, new) for one, (old, new) in both.items() if old != new}


def _answer(
    wish: RankSkills, file: IndexFile, meanings: Meanings, fitting: Fitting | None
) -> Ranking:
    concepts = mend(parse_query(wish.text), file.count_holders)
    skills = file.count()
    hits, untried = _find_hits(wish.text, file, fitting) if wish.triggered else ({}, 0)
    given = {
        number: count_bonus((kind for kind, _ in found), skills=skills)
        for number, found in hits.items()
    }
    scores = _score(wish, file, concepts, given, skills)
    _add_meaning(scores, wish.text, file, concepts, meanings)
    best = take_best(scores, wish.most, file.list_places)
    return Ranking(skills=tuple(_describe(best, concepts, hits, file)), untried=untried)


def _score(
    wish: RankSkills,
    file: IndexFile,
    concepts: Sequence[Concept],
    given: Mapping[int, int],
    skills: int,
) -> dict[int, int]:
    if wish.among is None:
        most = max(wish.most, COMPARED)
        return score(concepts, file.list_holders, skills=skills, most=most, given=given)
    scores = score(concepts, file.list_holders, skills=skills, given=given)
    allowed = file.list_numbers(wish.among)
    return {number: points for number, points in scores.items() if number in allowed}


def _add_meaning(
    scores: dict[int, int],
    text: str,
    file: IndexFile,
    concepts: Sequence[Concept],
    meanings: Meanings,
) -> None:
    values = to_values(meanings.find(count_terms(text[:QUERY_CHARACTERS])))
    if not values:
        return
    known = file.count_holders(one.alternatives[0][0] for one in concepts)
    full = find_full(concepts, known, skills=file.count())
    near = list_near(scores)
    directions = file.list_directions(near)
    for number in near:
        scores[number] += count_likeness(compare(values, directions.get(number, b"")), full)


def _find_hits(task: str, file: IndexFile, fitting: Fitting | None) -> tuple[_Hits, int]:
    hits = defaultdict(list)
    for number, kind, said in file.list_phrases(list_phrases(task)):
        hits[number].append((kind, said))
    patterns = file.list_patterns()
    if not patterns or fitting is None:
        return hits, len(patterns)
    found = fitting({pattern for _, pattern in patterns}, task[:PATTERN_TASK_CHARACTERS])
    for number, pattern in patterns:
        if pattern in found:
            hits[number].append((Cue.PATTERN, pattern))
    return hits, 0


def _describe(
    best: Sequence[tuple[int, int]], concepts: Sequence[Concept], hits: _Hits, file: IndexFile
) -> Iterable[RankedSkill]:
    skills = file.list_skills(number for number, _ in best)
    for number, points in best:
        skill_id, terms = skills[number]
        yield RankedSkill(
            skill_id=skill_id,
            score=points,
            words=tuple(one.word for one in concepts if one.word and _is_held(one, terms)),
            triggers=tuple(said for _, said in hits.get(number, ())),
        )


def _is_held(concept: Concept, terms: frozenset[str]) -> bool:
    return any(term in terms for term, _ in concept.alternatives)
