"""Feed bytes to everything that reads a SKILL.md; `make fuzz` runs it.

Nothing may be raised, findings stand inside the file, and a repair keeps its promises: what it
marked as fixable is gone, the body stays, and repairing again changes nothing.
"""

import sys
from typing import Final

import atheris

with atheris.instrument_imports():
    from skillyard.domain.package import Package, PackageFile
    from skillyard.domain.paths import SKILL_MD
    from skillyard.skillmd.check import CheckedPackage, Judgement, check_package
    from skillyard.skillmd.contentkey import content_key
    from skillyard.skillmd.fix import fix_skill_md
    from skillyard.skillmd.rules import Profile

DIRECTORY: Final = "pdf"
JUDGEMENTS: Final = [Judgement(profile=profile) for profile in Profile]
# One byte of input stands for one of these, so that most inputs are nearly front matter.
PIECES: Final = [
    b"---\n", b"\n", b" ", b"  ", b"- ", b": ", b"? ", b":", b"'", b'"', b"#", b" # c\n", b"\\",
    b"|", b">", b">-\n", b"|+\n", b"|2\n", b"[", b"]", b"{", b"}", b",", b", ", b"&a ", b"*a",
    b"!t ", b"!!str ", b"<<: ", b"=", b"~", b"null", b"true", b"1.0", b"2026-11-15", b"%", b"@",
    b"`", b"...\n", b"--- ", b"\r\n", b"\r", b"\t", b"\0", b"\x07", b"\xff", b"\xc2\x85",
    b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"\xc3\xa9", b"\\ud83d\\ude00",
    b"\\x1b", b"\\U000e0073", b"\\d", b"a", b"B", b"pdf", b"name: ", b"name: pdf\n",
    b"description: ", b"description: Fills in forms\n", b"license: ", b"compatibility: ",
    b"metadata:\n", b"metadata: ", b"allowed-tools: ", b"Read, Write", b"Read Write", b"version: ",
    b"tags: ", b"slug: ", b"author: x\n", b"model: opus\n", b"triggers: ", b"providers: ",
    b"category: ops\n", b"display-name: ", b"github-repo: x\n", b"  a: b\n", b"  - c\n", b"x" * 65,
]  # fmt: skip


class BrokenPromiseError(Exception):
    """Something that must hold for every input does not hold for this one."""


def expect(holds: bool, promise: str) -> None:  # noqa: FBT001 (as short as an assertion)
    if not holds:
        raise BrokenPromiseError(promise)


def check(content: bytes, judgement: Judgement) -> CheckedPackage:
    return check_package(to_package(content), directory=DIRECTORY, judgement=judgement)


def to_package(content: bytes) -> Package:
    return Package.from_checked([(SKILL_MD, PackageFile(content))])


def try_content(content: bytes, judgement: Judgement) -> None:
    checked = check(content, judgement)
    lines = content.decode(errors="replace").split("\n")
    for one in checked.diagnostics:
        if one.span is not None:
            first, last = one.span.line, one.span.end_line
            expect(1 <= first <= last <= len(lines), "a finding stands in the file")
            expect(one.span.column <= len(lines[first - 1]) + 1, "a finding stands in its line")
            expect(one.span.end_column <= len(lines[last - 1]) + 1, "a finding ends in its line")
    expect(checked.manifest is None or bool(checked.manifest.name), "a manifest has a name")
    content_key(checked.package)
    try_fix(content, checked, judgement)


def try_fix(content: bytes, checked: CheckedPackage, judgement: Judgement) -> None:
    fixed = fix_skill_md(checked.package, directory=DIRECTORY, judgement=judgement).content
    after = check(fixed, judgement)
    expect(not any(one.fixable for one in after.diagnostics), "what is fixable is gone")
    again = fix_skill_md(after.package, directory=DIRECTORY, judgement=judgement).content
    expect(again == fixed, "repairing again changes nothing")
    if not any(one.fixable for one in checked.diagnostics):
        expect(fixed == content, "without a finding nothing changes")
    if checked.document and after.document and checked.document.fields:
        expect(body_of(checked) == body_of(after), "the body stays")


def body_of(checked: CheckedPackage) -> str:
    text = checked.document.instructions if checked.document else ""
    return text.replace("\r\n", "\n")


def try_input(data: bytes) -> None:
    kind, rest = data[0] if data else 0, data[1:]
    if kind & 1:
        rest = b"".join(PIECES[one % len(PIECES)] for one in rest)
    if kind & 2:
        rest = b"---\n" + rest + b"\n---\nBody\n"
    try_content(rest, JUDGEMENTS[kind // 4 % len(JUDGEMENTS)])


def main() -> None:
    atheris.Setup(sys.argv, try_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
