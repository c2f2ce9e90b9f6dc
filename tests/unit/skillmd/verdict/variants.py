"""The skills that were laid before the real clients, and what each client made of them."""

import base64
import json
from pathlib import Path
from typing import Any, Final, NamedTuple

CORPUS: Final = Path(__file__).parents[3] / "corpus"
RECORDED: Final = json.loads((CORPUS / "client_variants.json").read_text(encoding="utf-8"))
MISSES: Final = {
    (one["variant"], one["client"]): one["reason"]
    for one in json.loads((CORPUS / "client_misses.json").read_text(encoding="utf-8"))
}
"""What is known to be foretold wrongly, by variant and client, with the reason."""


class Outcome(NamedTuple):
    """What came of one skill in one client; `description` is what the model sees."""

    listed: bool
    name: str | None = None
    description: str | None = None
    user_invocable: bool = True


class Variant(NamedTuple):
    """One skill."""

    id: str
    directory: str
    content: bytes | None
    expected: dict[str, Outcome]


def read_variants() -> list[Variant]:
    return [
        Variant(
            one["id"],
            one.get("directory", one["id"]),
            None if one["skill_md"] is None else to_bytes(one["skill_md"]),
            {client: to_outcome(seen) for client, seen in one["expected"].items()},
        )
        for one in RECORDED["variants"]
    ]


def to_bytes(written: Any) -> bytes:  # noqa: ANN401 (three forms of JSON)
    if isinstance(written, str):
        return written.encode()
    if "base64" in written:
        return base64.b64decode(written["base64"])
    return "".join(text * count for text, count in written["runs"]).encode()


def to_outcome(seen: dict[str, Any]) -> Outcome:
    description = seen.get("description")
    return Outcome(
        seen["listed"],
        seen.get("name"),
        None if description is None else to_bytes(description).decode(),
        seen.get("user_invocable", True),
    )


VARIANTS: Final = read_variants()
