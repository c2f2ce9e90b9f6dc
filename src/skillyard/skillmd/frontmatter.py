"""Cut a SKILL.md into front matter and body, with every finding on the way."""

import re
from typing import NamedTuple

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import Fields, Node, SkillDocument, span_of
from skillyard.domain.limits import Limits
from skillyard.skillmd import rules
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.lenient import recover_fields
from skillyard.skillmd.repair import read_repaired
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.yamltree import YamlTree, parse_yaml

BOM = "\ufeff"
AMBIGUOUS = re.compile("\r(?!\n)|[\x85\u2028\u2029\ufeff]")
"""What ends a line or is left out in YAML 1.1, and is a character like others in YAML 1.2."""
_FENCE = "---"
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_BLANK = re.compile(r"\s*")
_CODE = re.compile(r"---[ \t]*(?:js|javascript)[ \t\r]*$", re.IGNORECASE)


class _Cut(NamedTuple):
    """Offsets of the opening `---`, of the YAML and of the body.

    Without a closing line there is no YAML; without an opening one, no opening either, and the body
    starts with the first thing that is to be seen.
    """

    opening: int | None
    front: tuple[int, int] | None
    body: int


def read_document(content: bytes, *, limits: Limits, findings: Findings) -> SkillDocument:
    """Read the bytes of a SKILL.md; what is wrong goes to `findings`, nothing is raised."""
    text = _decode(content, findings)
    cut = _cut(text)
    _check_edges(text, cut, findings)
    if cut.opening is None or cut.front is None:
        _explain_missing(text, cut, findings)
        return SkillDocument(text=text, fields=None, body=cut.body)
    if _is_too_large(text, cut.front, limits):
        findings.add(
            rules.FRONT_MATTER_TOO_LARGE,
            f"the front matter is larger than {limits.front_matter_bytes:,} bytes",
            span=span_of(text, cut.opening, cut.opening + len(_FENCE)),
        )
        return SkillDocument(text=text, fields=None, front=cut.front, body=cut.body)
    return _read_fields(text, cut.front, cut.body, limits, findings)


def _decode(content: bytes, findings: Findings) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        text = content.decode(errors="replace")
        start = len(content[: error.start].decode())
        findings.add(
            rules.NOT_UTF8,
            f"byte 0x{content[error.start]:02x} is not UTF-8",
            span=span_of(text, start, start + 1),
            hint="Save the file as UTF-8",
        )
        # Whatever was written back would not be the bytes that stood there.
        findings.can_fix = False
        return text


def _cut(text: str) -> _Cut:
    start = len(BOM) if text.startswith(BOM) else 0
    if not text.startswith(_FENCE, start):
        blank = _BLANK.match(text, start)
        start = blank.end() if blank else start
    opening = _OPENING.match(text, start)
    if opening is None:
        return _Cut(None, None, start)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return _Cut(start, None, opening.end())
    body = min(closing.end() + 1, len(text))
    return _Cut(start, (opening.end(), closing.start()), body)


def _is_too_large(text: str, front: tuple[int, int], limits: Limits) -> bool:
    start, end = front
    # No character has more than four bytes.
    return (end - start) * 4 > limits.front_matter_bytes and (
        len(text[start:end].encode()) > limits.front_matter_bytes
    )


def _check_edges(text: str, cut: _Cut, findings: Findings) -> None:
    bom = text.startswith(BOM)
    if bom:
        findings.add(
            rules.BYTE_ORDER_MARK,
            "the file starts with a byte-order mark",
            span=Span(1, 1, 1, 2),
            hint="Save it as UTF-8 without one: Codex and Gemini CLI do not load it otherwise",
            fixable=True,
        )
    if cut.opening is not None and cut.opening > bom:
        findings.add(
            rules.LEADING_BLANK,
            "there are blank lines before the front matter",
            span=Span(1, 1, 1, 1),
            hint="Start the file with `---`",
            fixable=True,
        )
    if "\r" in text and "\r\n" in text:
        findings.add(
            rules.CARRIAGE_RETURNS,
            "lines end in carriage return and line feed",
            span=Span(1, 1, 1, 1),
            hint="Save the file with Unix line ends",
            # Two in a row are two line ends to YAML; which of them was meant is anyone's guess.
            fixable="\r\r\n" not in text,
        )


def _explain_missing(text: str, cut: _Cut, findings: Findings) -> None:
    if cut.opening is not None:
        findings.add(
            rules.FRONT_MATTER_UNCLOSED,
            "the front matter has no closing `---` line",
            span=span_of(text, cut.opening, cut.opening + len(_FENCE)),
            hint="Write `---` on a line of its own after the last field",
        )
        return
    seen = text[cut.body : cut.body + 40].split("\n", 1)[0]
    if _CODE.match(seen):
        findings.add(
            rules.FRONT_MATTER_CODE,
            f"`{seen.rstrip()}` makes the front matter code, and OpenCode runs it on discovery",
            span=span_of(text, cut.body, cut.body + len(seen.rstrip())),
            hint="Write `---` alone on the line, and YAML below it",
        )
        return
    findings.add(
        rules.FRONT_MATTER_MISSING,
        "the file is empty" if not seen else "the file does not start with front matter",
        span=span_of(text, cut.body, cut.body + len(seen)),
        hint="Start with `---`, `name: …`, `description: …` and `---`, each on its own line",
    )


def _read_fields(
    text: str, front: tuple[int, int], body: int, limits: Limits, findings: Findings
) -> SkillDocument:
    tree = parse_yaml(text, limits=limits, part=front)
    front_matter = text[front[0] : front[1]]
    meant = _read_as_meant(tree, text, front, limits) if tree.problems else None
    if tree.problems:
        _report_problems(tree, findings, fixable=meant is not None)
    if not front_matter.isascii() or "\r" in front_matter:
        _report_ambiguous(text, front, findings)
    fields = tree.root if isinstance(tree.root, Fields) else None
    if fields is None and (tree.root or not tree.problems):
        _report_no_mapping(tree.root, text, front, findings)
    recovered = fields is None
    if recovered:
        # So that everything else that is wrong is found in the same pass.
        fields = meant
    if fields is None and findings.profile is Profile.LENIENT:
        fields = recover_fields(text, part=front)
        findings.can_fix = False
    return SkillDocument(text=text, fields=fields, front=front, body=body, recovered=recovered)


def _read_as_meant(
    tree: YamlTree, text: str, front: tuple[int, int], limits: Limits
) -> Fields | None:
    if tree.root is not None or tree.problems[-1].rule is not rules.YAML_SYNTAX:
        return None
    return read_repaired(text, limits=limits, part=front)


def _report_problems(tree: YamlTree, findings: Findings, *, fixable: bool) -> None:
    for problem in tree.problems:
        findings.add(
            problem.rule,
            problem.message,
            span=problem.place.span,
            hint=problem.hint,
            fixable=fixable and problem.rule is rules.YAML_SYNTAX,
        )
    # What is said twice or by reference cannot be changed in one place.
    findings.can_fix &= fixable and len(tree.problems) == 1


def _report_ambiguous(text: str, front: tuple[int, int], findings: Findings) -> None:
    found = AMBIGUOUS.search(text, *front)
    if found:
        findings.add(
            rules.HIDDEN_CHARACTER,
            f"U+{ord(found[0]):04X} has another meaning to some readers of YAML than to others",
            span=span_of(text, found.start(), found.end()),
            hint="Remove it, or write a blank or an ordinary line end",
        )


def _report_no_mapping(
    root: Node | None, text: str, front: tuple[int, int], findings: Findings
) -> None:
    findings.add(
        rules.YAML_NOT_MAPPING,
        "the front matter holds no `key: value` pairs",
        span=root.place.span if root else span_of(text, front[0], front[0]),
        hint="Write `name: …` and `description: …`",
    )
