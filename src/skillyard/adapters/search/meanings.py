"""Reads what is known about the meanings of words: a file that comes with this program."""

from functools import cache
from pathlib import Path
from typing import Final

from skillyard.ranking.meaning import Meanings

_FILE: Final = Path(__file__).with_name("meanings.bin")


@cache
def open_meanings() -> Meanings:
    """Give the meanings of words."""
    return Meanings(_FILE.read_bytes())
