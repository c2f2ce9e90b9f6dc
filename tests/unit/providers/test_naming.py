"""The client is told from the command, where that is certain."""

import shlex

import pytest

from skillyard.providers.naming import find_provider

pytestmark = pytest.mark.requirement("DEL-15")


@pytest.mark.parametrize(
    ("command", "provider"),
    [
        ("claude -p hello", "claude-code"),
        ("codex exec hello", "codex"),
        ("gemini -p hello", "gemini-cli"),
        ("opencode run hello", "opencode"),
        ("copilot -p hello", "copilot"),
        ("/usr/local/bin/codex exec hello", "codex"),
        ("./node_modules/.bin/gemini", "gemini-cli"),
        (r"C:\\tools\\claude.cmd -p hello", "claude-code"),
        ("claude.exe", "claude-code"),
        ("npx @openai/codex exec hello", "codex"),
        ("npx @openai/codex@1 exec hello", "codex"),
        ("npx -y @anthropic-ai/claude-code@latest -p hello", "claude-code"),
        ("npx --yes --package @google/gemini-cli gemini -p hello", "gemini-cli"),
        ("npx --package=@google/gemini-cli -- gemini -p hello", "gemini-cli"),
        ("npx codex", "codex"),
        ("npm exec --yes -- @github/copilot@1.0.102 -p hello", "copilot"),
        ("npm x opencode-ai run hello", "opencode"),
        ("bunx @google/gemini-cli", "gemini-cli"),
        ("bun x opencode-ai@1.18", "opencode"),
        ("pnpm dlx @openai/codex exec", "codex"),
        ("pnpm exec codex", "codex"),
        ("yarn dlx @openai/codex", "codex"),
        ("pnpx @openai/codex", "codex"),
        ("node /opt/gemini.js -p hello", "gemini-cli"),
        ("node --no-warnings x/node_modules/@google/gemini-cli/bundle/main.js", "gemini-cli"),
        ("node node_modules/@openai/codex/bin/codex.js", "codex"),
        ("bun /opt/bin/codex.mjs", "codex"),
        ("env codex", "codex"),
        ("env A=b C= codex exec", "codex"),
        ("env -i -u HOME PATH=/bin claude", "claude-code"),
        ("env -- codex", "codex"),
        ("sudo -u x codex", "codex"),
        ("sudo -E A=b claude -p hello", "claude-code"),
        ("timeout 10 codex exec", "codex"),
        ("timeout -k 5 10m codex exec", "codex"),
        ("nice -n 5 nohup claude", "claude-code"),
        ("time env A=b npx -y @openai/codex", "codex"),
        ("stdbuf -o L gemini", "gemini-cli"),
        ("exec codex", "codex"),
    ],
)
def test_a_client_is_told_from_its_command(command: str, provider: str) -> None:
    assert find_provider(shlex.split(command)) == provider


@pytest.mark.parametrize(
    "command",
    [
        "",
        "aider --model x",
        "sh -c 'codex exec hello'",
        "bash codex",
        "docker run image codex",
        "my-codex exec",
        "codex-wrapper",
        "Codex",
        "cat codex",
        "python -m codex",
        "node server.js",
        "node x/node_modules/other/gemini.js",
        "node gemini",
        "node",
        "npx",
        "npx -y",
        "npx cowsay codex",
        "npx @someone/codex",
        "npm run codex",
        "npm install @openai/codex",
        "pnpm codex",
        "bun run codex",
        "env",
        "env A=b",
        "sudo",
        "timeout 10",
        "env env env env env env env env env codex",
    ],
)
def test_nothing_is_told_where_it_is_not_certain(command: str) -> None:
    assert find_provider(shlex.split(command)) is None
