"""Make a corpus of skills that looks like real ones, the same on every machine.

The sizes follow what was measured over public SKILL.md files: a median of 5.6 KB, a ninth decile of
15.7 KB, descriptions of about 200 characters, and front matter in all the styles that people use.
"""

import hashlib
from pathlib import Path

_WORDS = (
    "review",
    "change",
    "test",
    "module",
    "report",
    "value",
    "branch",
    "deploy",
    "index",
    "query",
    "release",
    "table",
    "format",
    "agent",
    "answer",
    "check",
    "schema",
    "worker",
    "bucket",
    "token",
    "render",
    "parse",
    "layout",
    "commit",
    "ticket",
    "service",
)
_SIZES = (1_200, 2_400, 3_600, 4_800, 5_600, 6_400, 8_000, 10_400, 15_700, 30_000)


def make_corpus(root: Path, count: int, *, first: int = 0) -> None:
    """Write `count` skills below `root`, a directory each; an existing corpus is kept.

    `first` is the number of the first one.
    """
    stamp = root / ".complete"
    if stamp.exists() and stamp.read_text() == str(count):
        return
    for number in range(first, first + count):
        directory = root / f"skill-{number:05d}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "SKILL.md").write_text(render_skill(number), encoding="utf-8")
    stamp.write_text(str(count))


def render_skill(number: int) -> str:
    """Give the text of skill `number`."""
    name = f"skill-{number:05d}"
    return f"---\n{_front_matter(name, number)}---\n\n{_body(name, number)}"


def _front_matter(name: str, number: int) -> str:
    description = _sentence(number, 28)
    word = _WORDS[number % 20]
    start = f"name: {name}\ndescription: {description}\n"
    folded = f"description: >-\n  {description[:90]}\n  {description[90:]}\n"
    tags = f"tags:\n  - {word}\n  - {_WORDS[number % 23]}\n"
    metadata = f'metadata:\n  author: team\n  version: "1.0"\n  tags: {word} tools\n'
    styles = (
        start,
        f'name: {name}\ndescription: "{description} Use when: asked"\nlicense: MIT\n',
        f"name: {name}\n{folded}version: 1.2.0\n",
        f"{start}license: Apache-2.0\n{metadata}",
        f"{start}allowed-tools: Read, Write, Bash(git:*)\n{tags}author: team\n",
        f'{start}version: 0.3.1\nuser-invocable: true\nmetadata: {{"note": "{word}"}}\n',
    )
    return styles[number % len(styles)]


def _body(name: str, number: int) -> str:
    size = _SIZES[number % len(_SIZES)]
    lines = [f"# {name}", ""]
    length = 0
    step = 0
    while length < size:
        line = (
            f"{step}. {_sentence(number + step, 12)}" if step % 7 else f"## {_sentence(step, 3)}\n"
        )
        lines.append(line)
        length += len(line) + 1
        step += 1
    return "\n".join(lines) + "\n"


def _sentence(seed: int, words: int) -> str:
    picks = hashlib.sha256(str(seed).encode()).digest()
    chosen = [_WORDS[picks[index % 32] % len(_WORDS)] for index in range(words)]
    return " ".join(chosen).capitalize() + "."
