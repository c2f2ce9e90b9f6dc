"""How often the right skill is among the first: recall on labelled tasks, beside plain BM25.

    python -m benchmarks.retrieval SKILLS LABELS

SKILLS is a directory; every SKILL.md below it is one skill. LABELS is a table with tabs between its
columns: the directory of the right skill below SKILLS, the part that the row belongs to, and last
the task. Collections hold copies: a skill is right too when its description shares half of its
words with that of the labelled one, or a quarter where the names are the same. No data is part of
this repository.
"""

import argparse
import heapq
import math
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from skillyard.adapters.search.index import LocalIndex
from skillyard.adapters.search.meanings import open_meanings
from skillyard.adapters.search.patterns import open_fitting
from skillyard.application.ports.search import RankSkills
from skillyard.domain.digest import TreeDigest
from skillyard.domain.limits import WIDE
from skillyard.domain.manifest import Manifest
from skillyard.domain.package import Package
from skillyard.domain.skill import Skill, SkillFacts
from skillyard.domain.version import Version
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.manifest import gather_manifest
from skillyard.skillmd.rules import Profile
from skillyard.testing.memory import MemoryStore

DEPTHS: Final = (1, 5, 10, 50)
_K1: Final = 1.2
_B: Final = 0.75
_HALF: Final = 0.5
_QUARTER: Final = 0.25
_EMPTY: Final = frozenset(
    [
        "use",
        "when",
        "user",
        "users",
        "asks",
        "ask",
        "for",
        "the",
        "a",
        "an",
        "and",
        "or",
        "to",
        "of",
        "in",
        "with",
        "on",
        "by",
        "from",
        "this",
        "that",
        "is",
        "are",
        "be",
        "as",
        "it",
        "its",
        "any",
        "skill",
        "skills",
        "agent",
        "agents",
        "needed",
        "capability",
        "wants",
    ]
)
Rank = Callable[[str, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Read:
    """A skill that was read: its directory, its SKILL.md, and what that says."""

    place: str
    content: bytes
    manifest: Manifest


class Label(NamedTuple):
    """A task, and the directory of the skill that is right for it."""

    place: str
    part: str
    task: str


def read_skills(root: Path) -> Iterator[Read]:
    """Read every skill below `root` that has a description."""
    for path in sorted(root.rglob("SKILL.md")):
        content = path.read_bytes()
        document = read_document(content, limits=WIDE, findings=Findings(Profile.LENIENT))
        manifest = gather_manifest(
            document, None, directory=path.parent.name, profile=Profile.LENIENT
        )
        if manifest is not None:
            yield Read(path.parent.relative_to(root).as_posix(), content, manifest)


def read_labels(path: Path) -> list[Label]:
    """Read the labels, in their order."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [Label(row[0], row[1], row[-1]) for row in rows]


def find_right(skills: Sequence[Read], labels: Sequence[Label]) -> list[frozenset[str]]:
    """Give, for each label, the directories of the skills that are right."""
    words = {one.place: _list_words(one.manifest.description) - _EMPTY for one in skills}
    names = {one.place: "".join(_list_words(one.manifest.name)) for one in skills}

    def is_copy(one: str, other: str) -> bool:
        shared = len(words[one] & words[other]) / max(1, len(words[one] | words[other]))
        return shared >= _HALF or (shared >= _QUARTER and names[one] == names[other])

    return [
        frozenset({label.place, *(one for one in words if is_copy(label.place, one))})
        for label in labels
    ]


def _list_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def rank_plainly(skills: Sequence[Read]) -> Rank:
    """Give BM25 over name and description: no stems, no stop words, no synonyms."""
    holders: dict[str, dict[str, float]] = defaultdict(dict)
    texts = {one.place: f"{one.manifest.name} {one.manifest.description}" for one in skills}
    counts = {at: Counter(re.findall(r"[a-z0-9]+", text.lower())) for at, text in texts.items()}
    usual = statistics.mean(one.total() for one in counts.values())
    for at, terms in counts.items():
        length = _K1 * (1 - _B + _B * terms.total() / usual)
        for term, times in terms.items():
            holders[term][at] = times / (times + length)

    def rank(task: str, most: int) -> Sequence[str]:
        scores: dict[str, float] = defaultdict(float)
        for term, times in Counter(re.findall(r"[a-z0-9]+", task.lower())).items():
            held = holders.get(term, {})
            rarity = math.log(1 + (len(counts) - len(held) + 0.5) / (len(held) + 0.5))
            for at, weight in held.items():
                scores[at] += times * rarity * weight
        best = heapq.nsmallest(most, scores.items(), key=lambda one: (-one[1], one[0]))
        return [at for at, _ in best]

    return rank


def fill_store(skills: Sequence[Read]) -> MemoryStore:
    """Keep the skills in memory; the directory is the id, so that copies of a name have room."""
    store = MemoryStore()
    with store.begin() as transaction:
        for one in skills:
            package = Package.of({"SKILL.md": one.content})
            transaction.packages.add([package])
            transaction.skills.add_if_absent(_to_skill(one, package.digest()))
        transaction.commit()
    return store


def _to_skill(read: Read, digest: TreeDigest) -> Skill:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    manifest = read.manifest
    return Skill(
        id=read.place,
        slug=manifest.name,
        owner=read.place,
        facts=SkillFacts(
            display_name=manifest.display_name or manifest.name,
            description=manifest.description,
            tags=manifest.tags,
        ),
        current=Version(1),
        digest=digest,
        created_at=at,
        created_by="bench",
        updated_at=at,
        updated_by="bench",
    )


def measure(rank: Rank, labels: Sequence[Label], right: Sequence[frozenset[str]]) -> list[str]:
    """Give the lines of the table for one ranking."""
    found: dict[str, list[int]] = defaultdict(list)
    for label, wanted in zip(labels, right, strict=True):
        ranked = rank(label.task, DEPTHS[-1])
        places = (at for at, one in enumerate(ranked, 1) if one in wanted)
        found[label.part].append(next(places, sys.maxsize))
    return [
        f"{part} | {len(places)} | {' | '.join(_recall(places, depth) for depth in DEPTHS)} |"
        for part, places in found.items()
    ]


def _recall(places: Sequence[int], depth: int) -> str:
    return f"{sum(one <= depth for one in places) / len(places):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("skills", type=Path)
    parser.add_argument("labels", type=Path)
    wish = parser.parse_args()
    skills, labels = list(read_skills(wish.skills)), read_labels(wish.labels)
    right = find_right(skills, labels)
    store, fitting = fill_store(skills), open_fitting()
    by_words = LocalIndex(None, program="bench", fitting=fitting)
    index = LocalIndex(None, program="bench", meanings=open_meanings(), fitting=fitting)
    print(f"{len(skills):,} skills, {len(labels)} tasks\n")
    print(f"| ranking | part | tasks | {' | '.join(f'recall@{one}' for one in DEPTHS)} |")
    print(f"|---|---|---|{'---|' * len(DEPTHS)}")
    with store.view() as view:

        def ours(index: LocalIndex, *, triggered: bool = False) -> Rank:
            def rank(task: str, most: int) -> Sequence[str]:
                wish = RankSkills(text=task, most=most, triggered=triggered)
                return [one.skill_id for one in index.rank(wish, view=view).skills]

            return rank

        rankings: dict[str, Rank] = {
            "BM25, name and description": rank_plainly(skills),
            "`search`, words alone": ours(by_words),
            "`search`": ours(index),
            "`match`": ours(index, triggered=True),
        }
        for name, rank in rankings.items():
            start = time.perf_counter()
            lines = measure(rank, labels, right)
            print("\n".join(f"| {name} | {line}" for line in lines))
            print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
