"""The inverted index as a file: for every term, who holds it and with what weight.

It is an SQLite database of our own, whatever the store is. It is made whole before it gets its
name, so that whoever opens it finds its tables. Numbers are given to skills as they come; holders
of a term are kept in blocks of numbers, so that one change rewrites little.
"""

import json
import os
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from skillyard.adapters.search.packing import pack, unpack
from skillyard.application.ports.search import SearchableSkill
from skillyard.application.ports.store import SkillsFingerprint
from skillyard.ranking import Holders, SkillText
from skillyard.ranking.triggers import Cue

BLOCK: Final = 1 << 12
"""How many numbers share a row of a term."""
_BATCH: Final = 1 << 12
# Whoever waits can be interrupted between two attempts.
_PATIENCE_SECONDS: Final = 2.0
_ATTEMPTS: Final = 300
_MAPPED_BYTES: Final = 1 << 31

_SCHEMA: Final = """
PRAGMA journal_mode = wal;
CREATE TABLE state (
  skills INTEGER NOT NULL,
  revisions INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  latest INTEGER NOT NULL
);
CREATE TABLE skills (
  number INTEGER PRIMARY KEY,
  id TEXT UNIQUE NOT NULL,
  revision INTEGER NOT NULL,
  place TEXT NOT NULL,
  terms BLOB NOT NULL
);
CREATE TABLE directions (number INTEGER PRIMARY KEY, direction BLOB NOT NULL);
CREATE TABLE holders (
  term TEXT NOT NULL,
  block INTEGER NOT NULL,
  numbers BLOB NOT NULL,
  weights BLOB NOT NULL,
  PRIMARY KEY (term, block)
);
CREATE TABLE phrases (
  terms TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (terms, number, kind)
) WITHOUT ROWID;
CREATE INDEX phrases_of ON phrases (number);
CREATE TABLE patterns (
  number INTEGER NOT NULL,
  pattern TEXT NOT NULL,
  PRIMARY KEY (number, pattern)
) WITHOUT ROWID;
"""
_LIST_HOLDERS: Final = """
SELECT term, numbers, weights FROM holders
WHERE term IN (SELECT value FROM json_each(?)) ORDER BY term, block
"""
_COUNT_HOLDERS: Final = """
SELECT term, sum(length(weights)) FROM holders
WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term
"""
_LIST_PHRASES: Final = """
SELECT number, kind, said FROM phrases
WHERE terms IN (SELECT value FROM json_each(?)) ORDER BY number, kind, terms
"""
_LIST_NUMBERS: Final = "SELECT number FROM skills WHERE id IN (SELECT value FROM json_each(?))"
_LIST_SKILLS: Final = """
SELECT number, id, terms FROM skills WHERE number IN (SELECT value FROM json_each(?))
"""
_LIST_PLACES: Final = """
SELECT number, place FROM skills WHERE number IN (SELECT value FROM json_each(?))
"""
_LIST_DIRECTIONS: Final = """
SELECT number, direction FROM directions WHERE number IN (SELECT value FROM json_each(?))
"""
_ADD_HOLDERS: Final = """
INSERT INTO holders VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  numbers = CAST(numbers || excluded.numbers AS BLOB),
  weights = CAST(weights || excluded.weights AS BLOB)
"""
_Held = dict[str, tuple["array[int]", bytearray]]


def make_file(path: Path, version: int) -> None:
    """Make an empty index at `path`, unless something is there."""
    staged = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    staged.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(staged)) as connection:
            connection.executescript(f"{_SCHEMA}PRAGMA user_version = {version}")
        staged.chmod(0o600)
        os.link(staged, path)
    except FileExistsError:
        pass
    finally:
        staged.unlink(missing_ok=True)


class IndexFile:
    """An index that is open; with None it is kept in memory."""

    def __init__(self, path: Path | None, version: int) -> None:
        where = ":memory:" if path is None else path
        self._db = sqlite3.connect(
            where, isolation_level=None, timeout=_PATIENCE_SECONDS, check_same_thread=False
        )
        try:
            self._prepare(path, version)
        except BaseException:
            self._db.close()
            raise

    def _prepare(self, path: Path | None, version: int) -> None:
        if path is None:
            self._db.executescript(_SCHEMA)
            return
        self._db.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES}")
        self._db.execute("PRAGMA synchronous = normal")
        if self._one("PRAGMA user_version") != version:
            raise sqlite3.DatabaseError(str(path))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See one state of the index, whatever others write."""
        self._db.execute("BEGIN")
        with self._transaction():
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Wait until nobody else writes, and let nobody else; undo everything if it fails."""
        self._begin_writing()
        with self._transaction():
            yield

    def _begin_writing(self) -> None:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if attempt == _ATTEMPTS or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
            else:
                return

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            yield
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    def find_fingerprint(self) -> SkillsFingerprint | None:
        """Give the fingerprint of the store that the index is made from; None for an empty one."""
        rows = self._db.execute("SELECT skills, revisions, removed, latest FROM state").fetchall()
        return SkillsFingerprint(*rows[0]) if rows else None

    def keep_fingerprint(self, fingerprint: SkillsFingerprint) -> None:
        """Say what the index is made from."""
        self._db.execute("DELETE FROM state")
        self._db.execute("INSERT INTO state VALUES (?, ?, ?, ?)", fingerprint)

    def find_revision(self, skill_id: str) -> int:
        """Give the revision of a skill that is held; 0 where it is not."""
        asked = "SELECT revision FROM skills WHERE id = ?"
        row = self._db.execute(asked, (skill_id,)).fetchone()
        return int(row[0]) if row else 0

    def list_revisions(self) -> Mapping[str, int]:
        """Give the revision of every skill that is held, by its id."""
        return dict(self._db.execute("SELECT id, revision FROM skills"))

    def count(self) -> int:
        """Give how many skills were held when the fingerprint was kept."""
        # Counting rows takes as long as there are many.
        return self._one("SELECT coalesce(max(skills), 0) FROM state")

    def is_sparse(self) -> bool:
        """Whether so many numbers are unused that it pays to begin again."""
        return self._one("SELECT coalesce(max(number), 0) FROM skills") > 4 * (self.count() + BLOCK)

    def clear(self) -> None:
        """Forget every skill."""
        for table in ("state", "skills", "directions", "holders", "phrases", "patterns"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 (written here)

    def _one(self, statement: str) -> int:
        return int(self._db.execute(statement).fetchone()[0])

    # What a ranking asks.

    def list_holders(self, terms: Iterable[str]) -> Mapping[str, Holders]:
        """See `ranking.score.Postings`."""
        found: _Held = {}
        for term, numbers, weights in self._each(_LIST_HOLDERS, terms):
            held = found.setdefault(term, (array("I"), bytearray()))
            held[0].frombytes(numbers)
            held[1].extend(weights)
        return found

    def count_holders(self, terms: Iterable[str]) -> Mapping[str, int]:
        """See `ranking.query.Known`."""
        return dict(self._each(_COUNT_HOLDERS, terms))

    def list_phrases(self, terms: Iterable[str]) -> list[tuple[int, Cue, str]]:
        """Give the number of each skill that one of these phrases calls for, and its own words."""
        return [
            (number, Cue(kind), said) for number, kind, said in self._each(_LIST_PHRASES, terms)
        ]

    def list_patterns(self) -> list[tuple[int, str]]:
        """Give every pattern with the number of its skill."""
        return self._db.execute("SELECT number, pattern FROM patterns").fetchall()

    def list_numbers(self, ids: Collection[str]) -> frozenset[int]:
        """Give the numbers of the skills of these ids."""
        return frozenset(number for (number,) in self._each(_LIST_NUMBERS, ids))

    def list_places(self, numbers: Iterable[int]) -> Mapping[int, str]:
        """Give what orders skills whose scores are equal: slug, then owner."""
        return dict(self._each(_LIST_PLACES, numbers))

    def list_directions(self, numbers: Iterable[int]) -> Mapping[int, bytes]:
        """Give the direction of the meaning of each skill that has one."""
        return dict(self._each(_LIST_DIRECTIONS, numbers))

    def list_skills(self, numbers: Iterable[int]) -> Mapping[int, tuple[str, frozenset[str]]]:
        """Give the id and the terms of each skill, by its number."""
        return {
            number: (one, frozenset(term for term, _ in unpack(terms)))
            for number, one, terms in self._each(_LIST_SKILLS, numbers)
        }

    def _each(self, statement: str, values: Iterable[object]) -> sqlite3.Cursor:
        return self._db.execute(statement, (json.dumps(list(values)),))

    # What a change asks.

    def remove(self, ids: Iterable[str]) -> None:
        """Forget skills; those that are not held do not matter."""
        for one in ids:
            asked = "SELECT number, terms FROM skills WHERE id = ?"
            for number, terms in self._db.execute(asked, (one,)).fetchall():
                for table in ("skills", "directions", "phrases", "patterns"):
                    statement = f"DELETE FROM {table} WHERE number = ?"  # noqa: S608 (written here)
                    self._db.execute(statement, (number,))
                for term, _ in unpack(terms):
                    self._let_go(term, number)

    def _let_go(self, term: str, number: int) -> None:
        place = (term, number // BLOCK)
        asked = "SELECT numbers, weights FROM holders WHERE term = ? AND block = ?"
        kept, weights = self._db.execute(asked, place).fetchone()
        numbers = array("I", kept)
        at = numbers.index(number)
        del numbers[at]
        if not numbers:
            self._db.execute("DELETE FROM holders WHERE term = ? AND block = ?", place)
            return
        statement = "UPDATE holders SET numbers = ?, weights = ? WHERE term = ? AND block = ?"
        rest = weights[:at] + weights[at + 1 :]
        self._db.execute(statement, (numbers.tobytes(), rest, *place))

    def add(
        self, skills: Iterable[SearchableSkill], find_direction: Callable[[SkillText], bytes]
    ) -> None:
        """Hold skills that are not held, each with the direction of its meaning."""
        first = self._one("SELECT coalesce(max(number), 0) + 1 FROM skills")
        held: _Held = {}
        number = first
        for number, skill in enumerate(skills, first):
            if number % _BATCH == 0:
                self._keep_holders(held, (number - 1) // BLOCK)
            weights = skill.weights
            self._add_one(number, skill, weights)
            self._add_direction(number, find_direction(skill.text))
            for term, weight in weights.items():
                row = held.setdefault(term, (array("I"), bytearray()))
                row[0].append(number)
                row[1].append(weight)
        self._keep_holders(held, number // BLOCK)

    def _add_direction(self, number: int, direction: bytes) -> None:
        if direction:
            self._db.execute("INSERT INTO directions VALUES (?, ?)", (number, direction))

    def _add_one(self, number: int, skill: SearchableSkill, weights: Mapping[str, int]) -> None:
        row = (number, skill.id, skill.revision, "\0".join(skill.place), pack(weights))
        self._db.execute("INSERT INTO skills VALUES (?, ?, ?, ?, ?)", row)
        phrases = [(one.terms, number, int(one.kind), one.said) for one in skill.cues.phrases]
        self._db.executemany("INSERT INTO phrases VALUES (?, ?, ?, ?)", phrases)
        patterns = [(number, one) for one in skill.cues.patterns]
        self._db.executemany("INSERT INTO patterns VALUES (?, ?)", patterns)

    def _keep_holders(self, held: _Held, block: int) -> None:
        rows = (
            (term, block, numbers.tobytes(), bytes(weights))
            for term, (numbers, weights) in sorted(held.items())
        )
        self._db.executemany(_ADD_HOLDERS, rows)
        held.clear()
