"""What each kind of source is called where skills are listed: its label and its heading."""

from dataclasses import dataclass
from typing import Final

from skillyard.disclosure.escaping import name_to_markdown
from skillyard.domain.resolution import Candidate, Layer

SANDBOX: Final = "Sandbox skills"
PROJECT: Final = "Project skills (discovered from repo)"
USER: Final = "User skills (for every project)"
BUNDLED: Final = "Bundled skills (part of Skillyard)"


@dataclass(frozen=True, slots=True)
class Source:
    """One kind: `{owner}` in its label stands for the plugin's name."""

    kind: str
    label: str
    heading: str


SOURCES: Final = (
    Source("admin", "admin", SANDBOX),
    Source("earned", "earned", SANDBOX),
    Source("imported", "imported", SANDBOX),
    Source("legacy", "legacy", SANDBOX),
    Source("plugin", "plugin: {owner}", SANDBOX),
    Source("project", "repo", PROJECT),
    Source("claude", "repo", PROJECT),
    Source("user", "user", USER),
    Source("bundled", "bundled", BUNDLED),
)
"""Every kind, in the order in which their headings are shown."""

_BY_KIND: Final = {one.kind: one for one in SOURCES}


def source_of(candidate: Candidate) -> Source:
    """Give the kind of source that offers a candidate."""
    in_store = candidate.layer is Layer.STORE
    return _BY_KIND[candidate.source_kind.value if in_store else candidate.layer.value]


def label_of(candidate: Candidate) -> str:
    """Give what stands between the brackets behind a candidate."""
    return source_of(candidate).label.format(owner=name_to_markdown(candidate.owner))
