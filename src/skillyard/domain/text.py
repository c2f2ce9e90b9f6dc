r"""Text from elsewhere, made fit to be shown to a person.

- What acts on a terminal, turns the order of letters round or cannot be seen is shown as an
  escape, such as `\x1b` or `\u202e`. That takes in line ends and tabs: a value stays on its line.
- So is what the log of a build takes for a command: `##[` (GitHub) and `##vso[` (Azure) wherever in
  a line they stand, and `::` (GitHub) at its start.
- Escapes are for reading. They cannot be told from the same characters in the text itself.
"""

import re
from typing import Final

# Every control character, surrogate and line separator, and all that Unicode lets a program leave
# out (Default_Ignorable_Code_Point), joiners too. U+FE0E and U+FE0F stay: they come with emoji.
_HIDDEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    r"|(?<=#)#(?=(?i:vso)?\[)"
)
# At the start of a line, behind blanks: `::error::`.
_COMMAND: Final = re.compile(r"\A( *+):(?=:)")
_COLON: Final = r"\x3a"
_COMMAND_SHOWN: Final = r"\1\\x3a"
_SHORT: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
_ONE_BYTE: Final = 0xFF
_TWO_BYTES: Final = 0xFFFF


def visible(text: str) -> str:
    """Give `text` as one line that is safe to print, with every hidden character as an escape."""
    # Most text is plain, and looking at it once tells so.
    if text.isascii() and text.isprintable() and "##" not in text and "::" not in text:
        return text
    return _COMMAND.sub(_COMMAND_SHOWN, _HIDDEN.sub(_escape, text), count=1)


def list_visible(text: str) -> list[str]:
    """Give what each character of `text` is shown as; joined, that is `visible(text)`."""
    shown = list(text)
    for found in _HIDDEN.finditer(text):
        shown[found.start()] = _escape(found)
    if command := _COMMAND.match(text):
        shown[command.end() - 1] = _COLON
    return shown


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if short := _SHORT.get(found[0]):
        return short
    if code <= _ONE_BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _TWO_BYTES else f"\\U{code:08x}"


def shorten(text: str, most: int = 80) -> str:
    """Give `text` for a message: cut where it is longer than anyone would read there."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
