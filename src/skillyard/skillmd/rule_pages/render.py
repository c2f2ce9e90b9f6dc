"""Write the pages about rules, and the list of them, as Markdown.

- What cannot be seen is spelt out: a carriage return as `<CR>`, other characters as `<U+FEFF>`,
  bytes that are no text as `<0xE9>`.
- What is long is shortened, and says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from textwrap import fill
from typing import Final

from skillyard.domain.diagnostic import Severity
from skillyard.skillmd.rule_pages.page import Example, RulePage
from skillyard.skillmd.rules import RULES, Profile, Rule

GROUPS: Final[Mapping[str, str]] = {
    "SY1": "SKILL.md as a file, and its front matter as YAML",
    "SY2": "The fields of the front matter",
    "SY3": "The tree of files",
    "SY4": "Archives and other bundles",
    "SY5": "manifest.json",
    "SY6": "What a client will do with the skill",
    "SY7": "The text",
}

_NONE: Final = "\N{EN DASH}"
_WIDTH: Final = 100
_MOST_COLUMNS: Final = 160
_MOST_LINES: Final = 30
_LINES_SHOWN: Final = 12
_MOST_FILES: Final = 4
_CODE: Final = re.compile("`[^`]+`")
_BACKTICKS: Final = re.compile("`+")
_LANGUAGES: Final = {"md": "markdown", "json": "json"}

_INDEX: Final = """\
# Diagnostics

Every finding of `skillyard check` has a code that never changes its meaning. Each code has a page
that says why it matters, shows a bad and a good example, and says how to repair it.
`skillyard check --explain SY202` prints the same page.

The columns *strict*, *standard* and *lenient* give the severity under each
[profile](../check.md#profiles); a dash means that the profile does not look. A *yes* under *fix*
means that `skillyard check --fix` repairs it.

What the pages say about clients was seen by running them in November 2026: Claude Code 2.1.325,
Codex 0.166.0, Gemini CLI 0.61.0, OpenCode 1.18.33 and GitHub Copilot CLI 1.0.102. Shares and counts
are of 121,990 different SKILL.md files from public repositories.
"""


def render_rule_page(rule: Rule, page: RulePage) -> str:
    """Write the page about one rule."""
    parts = [
        f"# {rule.code} {rule.name}",
        f"{rule.summary}.",
        _severities(rule),
        "## Why",
        _paragraph(page.why),
        "## Bad",
        *_example(page.bad, limits=page.limits),
        "## Good",
        *_example(page.good, limits=page.limits),
        "## Repair",
        _paragraph(page.repair),
        "[All diagnostics](README.md)",
    ]
    return "\n\n".join(parts) + "\n"


def render_rule_index(rules: Iterable[Rule] = RULES) -> str:
    """Write the list of all rules, in groups of a hundred, with links to their pages."""
    parts = [_INDEX.rstrip()]
    for prefix, group in groupby(rules, key=lambda rule: rule.code[:3]):
        rows = "\n".join(map(_row, group))
        head = "| code | name | finding | strict | standard | lenient | fix |"
        parts += [
            f"## {prefix}xx {GROUPS[prefix]}",
            f"{head}\n|---|---|---|---|---|---|---|\n{rows}",
        ]
    return "\n\n".join(parts) + "\n"


def _row(rule: Rule) -> str:
    levels = " | ".join(_levels(rule))
    return f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.summary} | {levels} |"


def _severities(rule: Rule) -> str:
    return (
        f"| strict | standard | lenient | fix |\n|---|---|---|---|\n| {' | '.join(_levels(rule))} |"
    )


def _levels(rule: Rule) -> Iterator[str]:
    for profile in (Profile.STRICT, Profile.STANDARD, Profile.LENIENT):
        severity: Severity | None = rule.severity(profile)
        yield severity.value if severity else _NONE
    yield "yes" if rule.fixable else "no"


def _example(example: Example, *, limits: str) -> Iterator[str]:
    if limits != "standard":
        yield f"With `--limits {limits}`:"
    if example.files is None:
        yield _fence(example.console, "console")
        return
    shown = list(example.files.items())
    if len(shown) > _MOST_FILES:
        shown = shown[: _MOST_FILES - 1]
    for path, content in shown:
        yield f"`{example.directory}/{path}`" if example.directory else f"`{path}`"
        yield _fence(_shorten(_visible(content)), _LANGUAGES.get(path.rpartition(".")[2], "text"))
    if len(shown) < len(example.files):
        yield f"… and {len(example.files) - len(shown):,} more files."


def _paragraph(text: str) -> str:
    # Lines break between words, but not inside code.
    joined = _CODE.sub(lambda match: match[0].replace(" ", "\0"), text)
    lines = fill(joined, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def _fence(text: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _visible(content: str | bytes) -> str:
    text = content.decode(errors="surrogateescape") if isinstance(content, bytes) else content
    return "".join(one if one == "\n" or one.isprintable() else _spell(one) for one in text)


def _spell(character: str) -> str:
    code = ord(character)
    if character == "\r":
        return "<CR>"
    if 0xDC80 <= code <= 0xDCFF:  # noqa: PLR2004 (how Python keeps a byte that is no text)
        return f"<0x{code - 0xDC00:02X}>"
    return f"<U+{code:04X}>"


def _shorten(text: str) -> str:
    lines = text.splitlines()
    shown = [_shorten_line(line) for line in lines]
    if len(lines) > _MOST_LINES:
        shown = [*shown[:_LINES_SHOWN], f"… ({len(lines):,} lines in all)"]
    return "\n".join(shown)


def _shorten_line(line: str) -> str:
    if len(line) <= _MOST_COLUMNS:
        return line
    return f"{line[: _MOST_COLUMNS // 2]}… ({len(line):,} characters in all)"
