"""Ask each real client which skills it sees, without a network and without a login.

Every program is asked in its own way, and answers in its own words; here they become one `Listed`
for each skill. A question is a command and, for the programs that converse, what is said to them.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True, order=True)
class Listed:
    """A skill that a client names; `directory` is empty where it does not say where it stands."""

    name: str
    directory: str
    description: str
    built_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a client is asked.

    `says` are the lines that it is told, and `answered` is in the last line of its answer; both are
    empty for a program that answers unasked. `reads` turns what it printed into skills. Where
    `into_file` is set, the command writes its answer into the file that its last argument names.
    """

    command: tuple[str, ...]
    reads: Callable[[str], list[Listed]]
    says: tuple[str, ...] = ()
    answered: str = ""
    into_file: bool = False


def read_codex(printed: str) -> list[Listed]:
    """Read the answer to `skills/list`; a skill that could not be read is a failure."""
    answer = next(one for one in _list_json(printed) if one.get("id") == 2)
    found = []
    for place in answer["result"]["data"]:
        assert place["errors"] == []
        found += [
            Listed(one["name"], _parent(one["path"]), one["description"], one["scope"] == "system")
            for one in place["skills"]
            if one["enabled"]
        ]
    return sorted(found)


def read_claude(printed: str) -> list[Listed]:
    """Read the answers to `initialize`, `reload_skills` and `get_context_usage`.

    The first names every command that a person can type, the last where each skill stands. What
    only a person can start is not among the last.
    """
    answers = {
        one["response"]["request_id"]: one["response"].get("response") or {}
        for one in _list_json(printed)
        if one.get("type") == "control_response"
    }
    skills = answers["3"]["skills"]["skillFrontmatter"]
    paths = {one["name"]: _parent(one.get("path", "")) for one in skills}
    typed = {one["name"]: one for one in answers["1"]["commands"] if not one.get("builtin")}
    own = {one["name"] for one in skills if one["source"] == "built-in"}
    described = typed | {one["name"]: one for one in answers["2"]["skills"]}
    return sorted(
        Listed(name, paths.get(name, ""), _claude_description(described, name), name in own)
        for name in {*typed, *paths}
    )


def _claude_description(described: Mapping[str, dict[str, str]], name: str) -> str:
    says = described.get(name, {}).get("description", "")
    return re.sub(r" \((?:user|project|managed)\)$", "", says)


_GEMINI: Final = re.compile(
    r"^(?P<name>.+) \[(?P<state>Enabled|Disabled)\](?P<own> \[Built-in\])?\n"
    r"  Description: (?P<description>[\s\S]*?)\n"
    r"  Location:    (?P<path>/.*/SKILL\.md)$",
    re.MULTILINE,
)


def read_gemini(printed: str) -> list[Listed]:
    """Read what `skills list --all` printed."""
    return sorted(
        Listed(one["name"], _parent(one["path"]), one["description"], one["own"] is not None)
        for one in _GEMINI.finditer(printed)
        if one["state"] == "Enabled"
    )


def read_opencode(printed: str) -> list[Listed]:
    """Read what `debug skill` wrote."""
    return sorted(
        Listed(
            one["name"],
            _parent(one["location"]),
            one.get("description") or "",
            one["location"] == "<built-in>",
        )
        for one in json.loads(printed)
    )


def read_copilot(printed: str) -> list[Listed]:
    """Read what `skill list --json` printed."""
    return sorted(
        Listed(one["name"], one["path"], one["description"], one["source"] == "builtin")
        for one in json.loads(printed[printed.index("[") :])
        if one["enabled"]
    )


def _list_json(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def _parent(path: str) -> str:
    return str(Path(path).parent) if path.startswith("/") else ""


def _request(number: int, subtype: str) -> str:
    wish = {"type": "control_request", "request_id": str(number), "request": {"subtype": subtype}}
    return json.dumps(wish)


_WHO: Final = {"clientInfo": {"name": "skillyard", "version": "1"}}
_CODEX_SAYS: Final = tuple(
    json.dumps({"jsonrpc": "2.0", **one})
    for one in (
        {"id": 1, "method": "initialize", "params": _WHO},
        {"method": "initialized"},
        {"id": 2, "method": "skills/list", "params": {"forceReload": True}},
    )
)

QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        "claude-code": Question(
            command=(
                *("claude", "-p", "--verbose"),
                *("--input-format", "stream-json", "--output-format", "stream-json"),
            ),
            says=(
                _request(1, "initialize"),
                _request(2, "reload_skills"),
                _request(3, "get_context_usage"),
            ),
            answered='"request_id":"3"',
            reads=read_claude,
        ),
        "codex": Question(
            command=("codex", "app-server"), says=_CODEX_SAYS, answered='"id":2', reads=read_codex
        ),
        "gemini-cli": Question(command=("gemini", "skills", "list", "--all"), reads=read_gemini),
        # Through a pipe it cuts its answer short.
        "opencode": Question(
            command=("sh", "-c", 'exec opencode debug skill >"$1"', "sh"),
            reads=read_opencode,
            into_file=True,
        ),
        "copilot": Question(command=("copilot", "skill", "list", "--json"), reads=read_copilot),
    }
)
"""How each client is asked."""
