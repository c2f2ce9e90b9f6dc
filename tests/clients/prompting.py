"""Let each real client send one prompt to a model of ours, and read which skills it speaks of."""

import html
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tests.clients.stub import Stub


@dataclass(frozen=True, slots=True)
class Told:
    """A skill that the model was told of, with its description as it was sent."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """How a client is given one prompt: its command, the user's variables, and how it is read."""

    command: Callable[[Stub], tuple[str, ...]]
    environment: Callable[[Stub], Mapping[str, str]]
    reads: Callable[[str], list[Told]]


def list_told(stub: Stub, prompt: Prompt) -> list[Told]:
    """Give the skills that the model was told of, in order."""
    return list(dict.fromkeys(one for text in stub.list_texts() for one in prompt.reads(text)))


_DASHED: Final = re.compile(
    r"^- (?P<name>[^\s:(]+)(?: \([^)]*\))?(?:: (?P<says>.*))?$", re.MULTILINE
)
_TAGGED: Final = re.compile(
    r"<skill>\s*<name>(?P<name>.*?)</name>\s*<description>(?P<says>[\s\S]*?)</description>"
)


def read_claude(text: str) -> list[Told]:
    """Read the reminder that lists skills: one line each."""
    if "skills are available" not in text:
        return []
    return [Told(one["name"], one["says"] or "") for one in _DASHED.finditer(text)]


def read_codex(text: str) -> list[Told]:
    """Read the lines of the skills' section, each of which ends with the file."""
    lines = re.finditer(r"^- (\S+):(?: (.*))? \(file: [^)]*\)$", text, re.MULTILINE)
    return [Told(name, says) for name, says in (one.groups(default="") for one in lines)]


def read_tags(text: str) -> list[Told]:
    """Read skills that are written as tags."""
    return [
        Told(html.unescape(one["name"].strip()), html.unescape(one["says"].strip()))
        for one in _TAGGED.finditer(text)
    ]


def read_copilot(text: str) -> list[Told]:
    """Read skills that are written as tags, and the names of those that are not."""
    names = re.findall(
        r"^Additional skills available \(invoke by name\): (.*)$", text, re.MULTILINE
    )
    return [*read_tags(text), *(Told(one, "") for line in names for one in line.split(", "))]


def _claude(stub: Stub) -> tuple[str, ...]:
    del stub
    return ("claude", "-p", "hi", "--model", "claude-sonnet-4-5", "--no-session-persistence")


def _codex(stub: Stub) -> tuple[str, ...]:
    provider = f'{{name="stub",base_url="{stub.url}/v1",wire_api="responses"}}'
    settings = ("-c", 'model_provider="stub"', "-c", f"model_providers.stub={provider}")
    return ("codex", "exec", *settings, "-c", 'model="stub"', "hi")


def _opencode_environment(stub: Stub) -> dict[str, str]:
    model = {"stub": {"name": "stub"}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{stub.url}/v1", "apiKey": "key-of-a-test"},
        "models": model,
    }
    settings = {"provider": {"stub": provider}, "model": "stub/stub"}
    return {"OPENCODE_CONFIG_CONTENT": json.dumps(settings)}


PROMPTS: Final[Mapping[str, Prompt]] = MappingProxyType(
    {
        "claude-code": Prompt(_claude, lambda stub: {"ANTHROPIC_BASE_URL": stub.url}, read_claude),
        "codex": Prompt(_codex, lambda _: {}, read_codex),
        "gemini-cli": Prompt(
            lambda _: ("gemini", "-m", "gemini-2.5-pro", "-p", "hi"),
            lambda stub: {"GOOGLE_GEMINI_BASE_URL": stub.url},
            read_tags,
        ),
        "opencode": Prompt(lambda _: ("opencode", "run", "hi"), _opencode_environment, read_tags),
        "copilot": Prompt(
            lambda _: ("copilot", "-p", "hi"),
            lambda stub: {
                "COPILOT_MODEL": "stub",
                "COPILOT_OFFLINE": "true",
                "COPILOT_PROVIDER_BASE_URL": f"{stub.url}/v1",
            },
            read_copilot,
        ),
    }
)
"""How each client is given a prompt."""
