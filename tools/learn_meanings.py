"""Learn the meanings of words from many skills: writes `adapters/search/meanings.bin`.

    python tools/learn_meanings.py SKILLS.jsonl [--out FILE]

SKILLS.jsonl has one skill a line: an object with `name`, `description`, `body`, and perhaps
`triggers`. It needs numpy, which nothing else here does. No text of a skill is kept: only numbers,
for terms that many skills hold.

Each term gets a direction. A text has the direction of the sum of its terms. The directions are
moved, again and again, so that a part of a skill (a sentence, an example of what a user says) comes
nearer to the name and description of that skill, and farther from those of a thousand others. Words
that both hold are often left out: what is learned is which different words belong together.
"""

import argparse
import json
import math
import random  # noqa: TID251 (learning needs chance; with a seed, always the same)
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from skillyard.ranking.words import iter_terms

OUT: Final = Path(__file__).parent.parent / "src/skillyard/adapters/search/meanings.bin"
DIMENSIONS: Final = 96
MOST_TERMS: Final = 16_384
LEAST_SKILLS: Final = 8
BATCH: Final = 1024
STEPS: Final = 1500
RATE: Final = 0.004
SHARPNESS: Final = 0.06
SEED: Final = 1

# How often a part is something quoted, or that or a sentence of the description.
_SAID: Final = 0.35
_DESCRIBED: Final = 0.55
_SENTENCE: Final = re.compile(r"(?<=[.!?:;])\s+|\n+")
_QUOTED: Final = re.compile(r'["\u201c]([^"\u201d\n]{8,160})["\u201d]')
_CODE: Final = re.compile(r"```.*?```", re.DOTALL)
_BOILERPLATE: Final = re.compile(r"Use when this capability is needed\.?")

# What is not installed here has no types either.
np: Any = None
Matrix = Any


class Parts(NamedTuple):
    """A skill in terms: its name, the sentences of its description and body, and what is quoted."""

    name: list[str]
    description: list[list[str]]
    body: list[list[str]]
    said: list[list[str]]


def read_parts(path: Path) -> Iterator[Parts]:
    """Take apart every skill of the file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            skill = json.loads(line)
            description = _BOILERPLATE.sub("", skill["description"])
            body = _CODE.sub(" \n ", skill["body"][:9000])[:6000]
            quoted = (*_QUOTED.findall(description), *_QUOTED.findall(body))
            yield Parts(
                name=list(iter_terms(skill["name"])),
                description=_list_terms(_SENTENCE.split(description), 1)[:40],
                body=_list_terms(_SENTENCE.split(body), 3)[:80],
                said=_list_terms((*quoted, *skill.get("triggers", ())), 2)[:30],
            )


def _list_terms(texts: Iterable[str], least: int) -> list[list[str]]:
    found = (list(iter_terms(text)) for text in texts)
    return [terms for terms in found if len(terms) >= least]


def count_skills(skills: Sequence[Parts]) -> Counter[str]:
    """Give how many skills hold each term."""
    counts: Counter[str] = Counter()
    for one in skills:
        counts.update(set(one.name).union(*one.description, *one.body[:40]))
    return counts


def draw_pair(skill: Parts, chance: random.Random) -> tuple[list[str], list[str]] | None:
    """Give a part of a skill, and its name and description; None where too little is left."""
    described = [term for sentence in skill.description for term in sentence]
    draw = chance.random()
    if skill.said and draw < _SAID:
        part = chance.choice(skill.said)
    elif len(skill.description) > 1 and draw < _DESCRIBED:
        at = chance.randrange(len(skill.description))
        part = skill.description[at]
        rest = (*skill.description[:at], *skill.description[at + 1 :])
        described = [term for sentence in rest for term in sentence]
    elif skill.body:
        at = chance.randrange(len(skill.body))
        part = [term for sentence in skill.body[at : at + 2] for term in sentence][:24]
    else:
        return None
    whole = [*skill.name, *skill.name, *described]
    shared, left_out = set(whole), chance.choice((0, 0.5, 0.9))
    part = [one for one in part if one not in shared or chance.random() > left_out]
    return (part, whole) if len(part) > 1 and len(whole) > 2 else None  # noqa: PLR2004 (too few)


class Learner:
    """The directions of terms, and how they are moved (Adam, on a contrastive loss)."""

    def __init__(self, terms: Sequence[str], rarity: Sequence[float]) -> None:
        draw = np.random.RandomState(SEED)
        shape = (len(terms), DIMENSIONS)
        self.places = {term: at for at, term in enumerate(terms)}
        self.rarity = np.array(rarity, np.float32)
        self.rows = (draw.randn(*shape) / math.sqrt(DIMENSIONS)).astype(np.float32)
        self.mean = np.zeros(shape, np.float32)
        self.square = np.zeros(shape, np.float32)

    def learn(self, pairs: Sequence[tuple[list[str], list[str]]], step: int) -> float:
        """Move the directions once; give the loss."""
        part, whole = (self._gather(texts) for texts in zip(*pairs, strict=True))
        first, first_length = self._point(part)
        second, second_length = self._point(whole)
        sizes = np.arange(len(pairs))
        likeness = first @ second.T / SHARPNESS
        by_part, by_whole = _soften(likeness, 1), _soften(likeness, 0)
        pull = (by_part + by_whole) / 2
        pull[sizes, sizes] -= 1
        pull /= len(pairs) * SHARPNESS
        moved = np.zeros_like(self.rows)
        self._scatter(moved, part, _turn(pull @ second, first, first_length))
        self._scatter(moved, whole, _turn(pull.T @ first, second, second_length))
        self._step(moved, step)
        return float(-np.log(by_part[sizes, sizes] + 1e-9).mean())

    def _gather(self, texts: Iterable[list[str]]) -> tuple[Matrix, Matrix, Matrix]:
        ids: list[int] = []
        times: list[float] = []
        starts: list[int] = []
        for text in texts:
            starts.append(len(ids))
            known = Counter(self.places[one] for one in text if one in self.places)
            for term, count in (known or {0: 1}).items():
                ids.append(term)
                times.append(1 + math.log(count))
        place = np.array(ids)
        weight = np.array(times, np.float32) * self.rarity[place] / 5
        return place, weight[:, None], np.array(starts)

    def _point(self, gathered: tuple[Matrix, Matrix, Matrix]) -> tuple[Matrix, Matrix]:
        place, weight, starts = gathered
        sums = np.add.reduceat(self.rows[place] * weight, starts)
        length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
        return sums / length, length

    @staticmethod
    def _scatter(moved: Matrix, gathered: tuple[Matrix, Matrix, Matrix], turned: Matrix) -> None:
        place, weight, starts = gathered
        sizes = np.diff(np.append(starts, len(place)))
        each = np.repeat(turned, sizes, axis=0) * weight
        order = np.argsort(place, kind="stable")
        distinct, first = np.unique(place[order], return_index=True)
        moved[distinct] += np.add.reduceat(each[order], first)

    def _step(self, moved: Matrix, step: int) -> None:
        self.mean += 0.1 * (moved - self.mean)
        self.square += 0.001 * (moved * moved - self.square)
        rate = RATE * min(1, step / 100) * math.sqrt(1 - (step - 1) / STEPS)
        mean = self.mean / (1 - 0.9**step)
        self.rows -= rate * mean / (np.sqrt(self.square / (1 - 0.999**step)) + 1e-8)

    def to_bytes(self) -> bytes:
        """Give the file; see `ranking.meaning.Meanings`."""
        rows = self.rows * self.rarity[:, None]
        scaled = np.rint(rows * (127 / np.percentile(np.abs(rows), 99.9)))
        body = (np.clip(scaled, -127, 127) + 128).astype(np.uint8).tobytes()
        return b"%d\n%s\n%b" % (DIMENSIONS, " ".join(self.places).encode(), body)


def _soften(likeness: Matrix, axis: int) -> Matrix:
    powers = np.exp(likeness - likeness.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def _turn(pulled: Matrix, direction: Matrix, length: Matrix) -> Matrix:
    along = (pulled * direction).sum(1, keepdims=True)
    return (pulled - along * direction) / length


def learn(skills: Sequence[Parts]) -> Learner:
    """Learn the directions of the terms that most skills hold."""
    counts = count_skills(skills)
    kept = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST_TERMS]
    terms = [term for term, count in kept if count >= LEAST_SKILLS and term.isprintable()]
    learner = Learner(terms, [math.log(1 + len(skills) / counts[term]) for term in terms])
    chance = random.Random(SEED)  # noqa: S311 (nothing is secret)
    for step in range(1, STEPS + 1):
        drawn = (draw_pair(one, chance) for one in chance.sample(skills, BATCH))
        loss = learner.learn([pair for pair in drawn if pair], step)
        if step % 100 == 0:
            print(f"{step}: {loss:.3f}", file=sys.stderr, flush=True)
    return learner


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("skills", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    wish = parser.parse_args()
    globals()["np"] = import_module("numpy")
    learner = learn(list(read_parts(wish.skills)))
    wish.out.write_bytes(learner.to_bytes())
    print(f"{len(learner.places):,} terms, {wish.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
