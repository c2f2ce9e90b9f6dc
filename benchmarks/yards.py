"""Stores to measure on, filled from the corpus."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import make_corpus
from skillyard import Skillyard
from skillyard.application.save import SavedSkill, SaveSkill
from skillyard.bootstrap import open_source


@contextmanager
def temporary_directory(parent: Path | None = None) -> Iterator[Path]:
    """Give a directory that is removed in the end."""
    with TemporaryDirectory(prefix="skillyard-bench-", dir=parent) as directory:
        yield Path(directory)


@contextmanager
def filled_yard(skills: int) -> Iterator[tuple[Path, Path]]:
    """Give a corpus, and the file of a store that holds it."""
    with temporary_directory() as directory:
        corpus, path = directory / "corpus", directory / "skillyard.db"
        make_corpus(corpus, skills)
        with open_yard(to_url(path)) as yard:
            fill(yard, corpus)
        settle(path)
        yield corpus, path


def to_url(path: Path) -> str:
    """Give the URL of a database in a file."""
    return f"sqlite:///{path}"


def open_yard(url: str) -> Skillyard:
    """Open the store at `url`, whatever the user's settings are; the schema is made."""
    return Skillyard.open(database_url=url, actor="bench")


def fill(yard: Skillyard, corpus: Path) -> None:
    """Save every skill of a corpus."""
    for saved in yard.save_all(iter_wishes(yard, corpus)):
        if not isinstance(saved, SavedSkill):
            raise saved.error


def iter_wishes(yard: Skillyard, corpus: Path) -> Iterator[SaveSkill]:
    """Read the skills of a corpus as `skillyard add` does."""
    return (yard.wish(found) for found in open_source(str(corpus)).iter_packages())


def settle(path: Path) -> None:
    """Move everything that SQLite has noted beside the file into it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copy_store(path: Path, directory: Path) -> Path:
    """Copy a settled store into a directory; the copy takes the place of an earlier one."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    return Path(shutil.copy(path, directory))
