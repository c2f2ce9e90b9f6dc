"""Compare the strict profile with the reference library, skill by skill.

Usage: python tools/compare_with_reference.py DIRECTORY...

Every directory with a SKILL.md below the ones that are named is judged by both. The two agree if
both accept it or both refuse it. Where they do not, `docs/reference-differences.md` must say why:
each disagreement is traced to the differences listed there. What cannot be traced is listed, and
the command then ends with 1.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from skills_ref.errors import ParseError
from skills_ref.parser import find_skill_md, parse_frontmatter
from skills_ref.validator import validate_metadata

from skillyard import library
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.document import Fields, Scalar, SkillDocument
from skillyard.skillmd.check import CheckedPackage

DIFFERENCES: Final = {
    "D1": "`allowed-tools` is one text, separated by blanks",
    "D2": "`metadata` is a mapping",
    "D3": "Values under `metadata` are texts",
    "D4": "`license` is text",
    "D5": "`compatibility` is not empty",
    "D6": "`null` and `~` are nothing",
    "D7": "A name is ASCII, and letter for letter that of the directory",
    "D8": "`---` stands on a line of its own",
    "D9": "A byte-order mark is a warning",
    "D10": "Blanks around a text do not count for its length",
    "D11": "Lists and mappings may stand in brackets",
    "D12": "Tabs separate, and do not indent",
    "D13": "`=` is a text like any other, and `<<` merges nothing",
    "D14": "A comment may follow `|` and `>` without a blank",
    "D15": "U+0085, U+2028, U+2029 and U+FEFF are read as libyaml reads them",
    "D16": "A carriage return alone does not end the `---` line",
    "D17": "Half a character is no character",
    "D18": "A key is text, and stands before its colon",
    "D19": "The end of the document may be marked more than once",
    "D20": "The file is called SKILL.md",
    "D21": "What the reference stops at is a finding",
    "D22": "Sizes and depths have limits",
    "D23": "Every file of the package counts",
}

_NULLS: Final = frozenset({"~", "null", "Null", "NULL"})
_LONE_RETURN: Final = re.compile("\r(?!\n)")
_ODD: Final = re.compile("[\x85\u2028\u2029\ufeff]")
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_TAB_INDENT: Final = re.compile(r"^ *\t", re.MULTILINE)
_LONE_COLON: Final = re.compile(r"\s:(?:\s|$)")

# What the reference says, and the difference that it comes from, if it is the only complaint.
_COMPLAINTS: Final = (
    ("must start with YAML frontmatter", "D9"),
    ("Description exceeds", "D10"),
    ("Compatibility exceeds", "D10"),
    ("JSONesque flow", "D11"),
    ("character '\\t' that cannot start", "D12"),
    ("must be a non-empty string", "D13"),
    ("for merging", "D13"),
    ("expected chomping or indentation indicators, but found '#'", "D14"),
    ("but found '\\t'", "D12"),
    ("expected a single document", "D19"),
)
_CODES: Final = {
    "SY102": "D20",
    "SY109": "D22",
    "SY115": "D22",
    "SY116": "D18",
    "SY210": "D5",
    "SY212": "D2",
    "SY213": "D3",
    "SY214": "D1",
    "SY501": "D23",
    **dict.fromkeys(["SY305", "SY306", "SY307"], "D22"),
    **dict.fromkeys(["SY301", "SY302", "SY303", "SY304", "SY309", "SY314"], "D23"),
}


class Reference(NamedTuple):
    """What the reference says: its complaints, or the exception that stopped it."""

    complaints: tuple[str, ...] = ()
    stopped: str = ""

    @property
    def accepts(self) -> bool:
        """Whether the reference takes the skill for valid."""
        return not self.complaints and not self.stopped


def ask_reference(content: bytes, directory: str) -> Reference:
    """Judge the bytes of a SKILL.md in a directory of this name, without a disk."""
    try:
        # The reference reads the file as text, which makes every line end a line feed.
        text = content.decode().replace("\r\n", "\n").replace("\r", "\n")
        fields, _ = parse_frontmatter(text)
        return Reference(tuple(validate_metadata(fields, Path(directory))))
    except ParseError as error:
        return Reference((str(error),))
    except Exception as error:  # noqa: BLE001 (that it stops is what is to be seen)
        return Reference(stopped=type(error).__name__)


def list_causes(content: bytes, checked: CheckedPackage, reference: Reference) -> set[str]:
    """Give the differences that the disagreement comes from; none where it has no explanation."""
    if reference.stopped:
        return {"D21"}
    text = content.decode(errors="replace")
    if not reference.accepts:
        return _trace_complaints(text, checked, reference)
    errors = [one for one in checked.diagnostics if one.severity is Severity.ERROR]
    causes = {_trace_error(one, text, checked) for one in errors}
    return set() if None in causes else {one for one in causes if one}


def _trace_complaints(text: str, checked: CheckedPackage, reference: Reference) -> set[str]:
    if _is_cut_elsewhere(text, checked.document):
        return {"D8"}
    if checked.document and _ODD.search(checked.document.front_matter):
        return {"D15"}
    causes = set()
    for complaint in reference.complaints:
        cause = next((one for words, one in _COMPLAINTS if words in complaint), None)
        if cause is None or (cause == "D9" and not text.startswith("\ufeff")):
            return set()
        causes.add(cause)
    return causes


def _trace_error(error: Diagnostic, text: str, checked: CheckedPackage) -> str | None:
    document = checked.document
    cause = _CODES.get(error.code)
    if document is None or cause in {"D20", "D22", "D23"}:
        return cause
    if _is_cut_elsewhere(text, document):
        return "D16" if _LONE_RETURN.search(text) else "D8"
    if _ODD.search(document.front_matter):
        return "D15"
    if cause is not None:
        return cause
    if error.code == "SY110":
        return _trace_syntax(document.front_matter)
    return _trace_field(error, checked, document.fields)


def _trace_syntax(front_matter: str) -> str | None:
    signs = ((_HALF, "D17"), (_TAB_INDENT, "D12"), (_LONE_COLON, "D18"))
    return next((cause for sign, cause in signs if sign.search(front_matter)), None)


def _trace_field(error: Diagnostic, checked: CheckedPackage, fields: Fields | None) -> str | None:
    name = _text_of(fields, "name")
    match error.code:
        case "SY113" if "`<<`" in error.message:
            return "D13"
        case "SY209" if "`license`" in error.message:
            return "D4"
        case "SY201" if name in _NULLS:
            return "D6"
        case "SY205" if _text_of(fields, "description") in _NULLS:
            return "D6"
        case "SY202" | "SY204" if not f"{name}{checked.directory}".isascii():
            return "D7"
        case _:
            return None


def _text_of(fields: Fields | None, key: str) -> str:
    node = fields.find(key) if fields else None
    return node.text if isinstance(node, Scalar) else ""


def _is_cut_elsewhere(text: str, document: SkillDocument | None) -> bool:
    """Tell whether the reference takes another part of the file for its front matter."""
    theirs = text.removeprefix("\ufeff").split("---", 2)[1:2]
    ours = [document.front_matter] if document and document.front[1] else []
    return [_plain(one) for one in theirs] != [_plain(one) for one in ours]


def _plain(part: str) -> str:
    return part.replace("\r\n", "\n").strip(" \t\n")


class Outcome(NamedTuple):
    """How one skill fared: whether the two agree, or what their disagreement comes from."""

    location: str
    agreed: bool
    causes: frozenset[str] = frozenset()


def compare(location: str, checked: CheckedPackage) -> Outcome:
    """Judge the skill at `location` by the reference too."""
    directory = Path(location)
    file = find_skill_md(directory)
    content = file.read_bytes() if file else b""
    reference = ask_reference(content, directory.resolve().name) if file else Reference(("none",))
    if not reference.stopped and checked.is_valid is reference.accepts:
        return Outcome(location, agreed=True)
    causes = list_causes(content, checked, reference)
    return Outcome(location, agreed=False, causes=frozenset(causes))


def iter_outcomes(places: list[str]) -> Iterator[Outcome]:
    for place in places:
        for skill in library.check(place, profile="strict"):
            yield compare(skill.found.location, skill.checked)


def render_table(counts: Counter[str], skills: int, agreed: int, unexplained: int) -> str:
    """Write what was counted as a Markdown table; a skill may count for several differences."""
    rows = [
        ("skills", "", skills),
        ("agreed", "", agreed),
        *((one, title, counts[one]) for one, title in DIFFERENCES.items() if counts[one]),
        ("unexplained", "", unexplained),
    ]
    lines = [f"| {first} | {title} | {count:,} |" for first, title, count in rows]
    return "\n".join(["| | | |", "|---|---|---:|", *lines])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare strict with the reference library.")
    parser.add_argument("places", nargs="+", metavar="DIRECTORY")
    counts: Counter[str] = Counter()
    skills = agreed = 0
    unexplained = []
    for outcome in iter_outcomes(parser.parse_args().places):
        skills += 1
        agreed += outcome.agreed
        counts.update(outcome.causes)
        if not outcome.agreed and not outcome.causes:
            unexplained.append(outcome.location)
    print(render_table(counts, skills, agreed, len(unexplained)))
    for location in unexplained:
        print(f"unexplained: {location}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main())
