"""How many tokens a text takes, by an estimate.

The estimate counts what OpenAI's tokenizer `o200k_base` cuts a text into, without its vocabulary:

    0.95 for each word of Latin letters (`camelCase` is two), and 0.13 for each letter beyond six
    1.65 for each group of up to three digits
    0.80 for each run of ASCII punctuation, and 0.20 for each further sign, unless all are the same
    1.05 for each line end with the white space behind it, and for each run of several blanks
    0.74 for each Chinese, Japanese or Korean character
    0.27 for each Greek or Cyrillic letter, and 0.36 for each letter of another alphabet
    0.65 for each other character that is not ASCII

It takes one pass over the text. How near it comes is on the page about disclosure.
"""

import re
from typing import Final

from skillyard.domain.resolution import Cost

ADVISED: Final = 5_000
"""The most tokens that instructions should take."""

_PIECE: Final = re.compile(
    r"([A-Z]?[a-z\u00df-\u024f]+|[A-Z\u00c0-\u00de]+)"
    r"|([0-9]{1,3})"
    r"|([!-/:-@\[-`{-~]+)"
    r"|(\n\s*|[ \t]{2,})"
    r"|([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|([\u0370-\u052f])"
    r"|([\u0530-\u1fff])"
    r"|([^\x00-\x7f])"
)
_WORD: Final = 1
_SIGNS: Final = 3
_PRICES: Final = (0, 95, 165, 80, 105, 74, 27, 36, 65)
_PER_LETTER: Final = 13
_PER_SIGN: Final = 20
_SHORT_WORD: Final = 6


def estimate_tokens(text: str) -> int:
    """Give about how many tokens `text` takes: 0 for nothing, and at least 1 for anything."""
    price = sum(map(_price, _PIECE.finditer(text)))
    return max(1, (price + 50) // 100) if text else 0


def _price(piece: re.Match[str]) -> int:
    """Give a piece's price in hundredths of a token."""
    kind = piece.lastindex or 0
    price = _PRICES[kind]
    if kind == _WORD:
        price += _PER_LETTER * max(0, piece.end() - piece.start() - _SHORT_WORD)
    elif kind == _SIGNS:
        signs = piece[0]
        price += _PER_SIGN * (len(signs) - 1) if signs.strip(signs[0]) else 0
    return price


def warn_of_size(instructions: str) -> str | None:
    """Say that instructions take more tokens than they should, or None."""
    tokens = estimate_tokens(instructions)
    if tokens <= ADVISED:
        return None
    return f"these instructions take about {tokens:,} tokens; at most {ADVISED:,} are advised"


def cost_of(entry: str, instructions: str) -> Cost:
    """Give what a skill takes in a list, where `entry` stands for it, and with instructions."""
    return Cost(listed=estimate_tokens(entry), loaded=estimate_tokens(instructions))
