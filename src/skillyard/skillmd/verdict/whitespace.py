"""What clients take for white space, which is not what Python takes for it."""

import re
from typing import Final

# The White_Space property of Unicode. str.strip() would take the separators U+001C to U+001F too.
_CLASS: Final = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
BLANKS: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + ("\u2028\u2029\u202f\u205f\u3000")
)
JS_BLANKS: Final = BLANKS.replace("\x85", "") + "\ufeff"
"""What JavaScript's `trim` and `\\s` take; the byte-order mark is among it."""
JS_BLANK: Final = f"[{re.escape(JS_BLANKS)}]"
"""The same, as part of a regular expression."""

_RUN: Final = re.compile(f"[{_CLASS}]+")


def collapse(text: str) -> str:
    """Give `text` with each run of white space as one blank, and none at its ends."""
    return _RUN.sub(" ", text).strip(" ")
