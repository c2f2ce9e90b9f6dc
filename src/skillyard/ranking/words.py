"""A text as words, and words as terms: what is compared when skills are searched.

Everything is linear in the length of the text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from skillyard.ranking.vocabulary import STOP

_CHUNK: Final = re.compile(r"\b[CcFf](?:\+\+|#)|[^\W_]+(?:[-_'.][^\W_]+)*")
_SIGNS: Final = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}
_JOINT: Final = re.compile(r"[-_'.]")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_ENDING: Final = re.compile(r"'(?:s|t|re|ve|ll|d|m)$")
_HAN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_MARK: Final = re.compile("[\u0300-\u036f]+")
_VOWELS: Final = frozenset("aeiouy")
_SIBILANT: Final = ("sses", "shes", "ches", "xes", "zes")
LONGEST_JOINED: Final = 20
LONGEST: Final = 64
"""Of a longer word the beginning counts."""

_SHORT: Final = 3


def iter_words(text: str) -> Iterator[str]:
    """Give the words of `text` in lower case, in order.

    A compound (`pre-commit`, `PostHog`, `node.js`) gives itself joined and then its parts. Text
    without blanks between its words (Chinese, Japanese, Korean) gives every two characters.
    """
    for chunk in _CHUNK.findall(_plain(text)):
        yield from _iter_chunk(chunk)


def stem(word: str) -> str:
    """Give `word` without its inflection: plural, -ing, -ed, and a last e."""
    return _stem(word[:LONGEST])


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    if len(word) <= _SHORT or not word.isascii() or word[-1].isdigit():
        return word
    return _without_last_vowel(_without_ending(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    if word.endswith(_SIBILANT):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _SHORT and not _VOWELS.isdisjoint(rest):
            is_doubled = len(rest) > _SHORT and rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if is_doubled else rest
    return word


def _without_last_vowel(word: str) -> str:
    if len(word) <= _SHORT:
        return word
    if word.endswith("e"):
        return word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") and word[-2] not in "aeiou" else word


def _plain(text: str) -> str:
    if text.isascii():
        return text
    text = text.replace("\u2019", "'")
    return unicodedata.normalize("NFC", _MARK.sub("", unicodedata.normalize("NFKD", text)))


def _iter_chunk(chunk: str) -> Iterator[str]:
    if chunk.isascii():
        yield from _iter_parts(chunk)
        return
    for run in _HAN.findall(chunk):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    yield from _HAN.sub(" ", chunk).casefold().split()


def _iter_parts(chunk: str) -> Iterator[str]:
    if chunk.isalpha() and (chunk[1:].islower() or chunk.isupper() or len(chunk) == 1):
        yield chunk.lower()
        return
    if spelt := _SIGNS.get(chunk.lower()):
        yield spelt
        return
    pieces = _JOINT.split(_ENDING.sub("", chunk))
    parts = [part.lower() for piece in pieces for part in _split_case(piece)]
    joined = "".join(parts)
    if 1 < len(parts) <= _SHORT and len(joined) <= LONGEST_JOINED:
        yield joined
    yield from parts


def _split_case(piece: str) -> Sequence[str]:
    if piece.islower() or piece.isupper() or piece.isdigit():
        return (piece,)
    return _CAMEL.findall(piece)


def iter_terms(text: str) -> Iterator[str]:
    """Give the terms of `text` in order: words that say something, without their inflection."""
    for chunk in _CHUNK.findall(_plain(text)):
        yield from _to_terms(chunk)


def count_terms(text: str) -> dict[str, int]:
    """Give how often each term of `text` stands in it."""
    # Most words stand more than once: each is taken apart once.
    counts: dict[str, int] = {}
    for chunk, times in Counter(_CHUNK.findall(_plain(text))).items():
        for term in _known_terms(chunk) if len(chunk) <= LONGEST else _split(chunk):
            counts[term] = counts.get(term, 0) + times
    return counts


def _to_terms(chunk: str) -> Sequence[str]:
    # What is long is seldom met twice, and would fill the memory.
    return _known_terms(chunk) if len(chunk) <= LONGEST else _split(chunk)


@lru_cache(maxsize=65_536)
def _known_terms(chunk: str) -> Sequence[str]:
    return _split(chunk)


def _split(chunk: str) -> Sequence[str]:
    return tuple(stem(word) for word in _iter_chunk(chunk) if word not in STOP)
