"""Tell from a command which client it starts.

Only what is certain counts: a shell's script, a container or a program of another name is nothing
that can be told.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from skillyard.providers.clients import CLIENTS

_PROGRAMS: Final[Mapping[str, str]] = MappingProxyType(
    {name: client.id for client in CLIENTS.values() for name in client.delivery.programs}
)
_PACKAGES: Final[Mapping[str, str]] = MappingProxyType(
    {client.package: client.id for client in CLIENTS.values()}
)
_ENDINGS: Final = re.compile(r"\.(?:exe|cmd|bat|ps1|js|mjs|cjs)$", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_VERSION: Final = re.compile(r"(?<=.)@[^/]*$")
_IN_MODULES: Final = re.compile(r"/node_modules/((?:@[^/]+/)?[^/]+)/")

# The options that take the next word as their value.
_WRAPPERS: Final[Mapping[str, frozenset[str]]] = {
    "command": frozenset(),
    "doas": frozenset({"-C", "-u"}),
    "env": frozenset({"-C", "--chdir", "-u", "--unset"}),
    "exec": frozenset({"-a"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "nohup": frozenset(),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-e", "-i", "-o"}),
    "sudo": frozenset({"-C", "-D", "-g", "-h", "-p", "-R", "-r", "-T", "-t", "-U", "-u"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
}
_RUNNERS: Final[Mapping[str, frozenset[str]]] = {
    "bunx": frozenset({"-p", "--package"}),
    "npx": frozenset({"-p", "--package", "-w", "--workspace", "--registry"}),
    "pnpx": frozenset({"-p", "--package"}),
}
_SUBCOMMANDS: Final[Mapping[str, frozenset[str]]] = {
    "bun": frozenset({"x"}),
    "npm": frozenset({"exec", "x"}),
    "pnpm": frozenset({"dlx", "exec"}),
    "yarn": frozenset({"dlx", "exec"}),
}
_ENGINES: Final = frozenset({"bun", "node", "nodejs"})
_MANY: Final = 8
"""The most programs that start one another, before one gives up."""


def find_provider(command: Sequence[str]) -> str | None:
    """Give the id of the client that a command starts, or None where that cannot be told."""
    words = list(command)
    for _ in range(_MANY):
        if not words:
            return None
        program = _base(words[0])
        if program in _PROGRAMS:
            return _PROGRAMS[program]
        wrapped = _unwrap(program, words[1:])
        if wrapped is None:
            return _find_started(program, words[1:])
        words = wrapped
    return None


def _base(word: str) -> str:
    name = re.split(r"[/\\]", word)[-1]
    return _ENDINGS.sub("", name)


def _unwrap(program: str, words: list[str]) -> list[str] | None:
    """Give the command that a wrapper starts, or None where `program` is none."""
    if program not in _WRAPPERS:
        return None
    rest = _skip_options(words, _WRAPPERS[program])
    if program in {"env", "sudo", "doas"}:
        rest = _skip(rest, lambda word: bool(_VARIABLE.match(word)))
    # What stands before the command is a duration.
    return rest[1:] if program == "timeout" else rest


def _find_started(program: str, words: list[str]) -> str | None:
    if program in _RUNNERS:
        return _find_run(words, _RUNNERS[program])
    if program in _SUBCOMMANDS and words and words[0] in _SUBCOMMANDS[program]:
        return _find_run(words[1:], frozenset({"-p", "--package"}))
    return _find_script(words) if program in _ENGINES else None


def _find_run(words: list[str], valued: frozenset[str]) -> str | None:
    """Give the client whose package, or whose program, the first plain word names."""
    rest = _skip_options(words, valued)
    if not rest:
        return None
    name = _VERSION.sub("", rest[0])
    return _PACKAGES.get(name) or _PROGRAMS.get(name)


def _find_script(words: list[str]) -> str | None:
    rest = _skip(words, lambda word: word.startswith("-") and len(word) > 1)
    if not rest:
        return None
    script = rest[0].replace("\\", "/")
    if modules := _IN_MODULES.findall(f"/{script}"):
        return _PACKAGES.get(modules[-1])
    name = script.rsplit("/", 1)[-1]
    return _PROGRAMS.get(_base(name)) if _ENDINGS.search(name) or "/" in script else None


def _skip_options(words: list[str], valued: frozenset[str]) -> list[str]:
    while words and words[0].startswith("-") and len(words[0]) > 1:
        if words[0] == "--":
            return words[1:]
        words = words[2 if words[0] in valued else 1 :]
    return words


def _skip(words: list[str], is_skipped: Callable[[str], bool]) -> list[str]:
    while words and is_skipped(words[0]):
        words = words[1:]
    return words
