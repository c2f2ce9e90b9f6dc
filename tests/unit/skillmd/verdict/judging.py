"""Write a SKILL.md, ask one client about it, and say what was found."""

from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client

BODY = "\n# Forms\n\nFill in the form.\n"


def judge(client: str, content: str | bytes | None, directory: str | None = "pdf") -> ClientVerdict:
    """Ask `client` about a whole file."""
    raw = content.encode() if isinstance(content, str) else content
    return judge_for_client(CLIENTS[client], content=raw, directory=directory)


def judge_front(client: str, front: str, directory: str | None = "pdf") -> ClientVerdict:
    """Ask `client` about a file with this front matter."""
    return judge(client, f"---\n{front}\n---\n{BODY}", directory)


def findings(verdict: ClientVerdict) -> list[tuple[str, str, int | None, str]]:
    """List code, severity, line and message of what was found."""
    return [(one.code, one.severity.value, one.line, one.message) for one in verdict.diagnostics]


def codes(verdict: ClientVerdict) -> list[str]:
    """List the codes of what was found, in order."""
    return [one.code for one in verdict.diagnostics]
