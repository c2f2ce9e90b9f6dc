"""Recognise copies of a skill that installers have marked with where they came from.

The content key is no identity: it leaves out what installers write into the front matter, how the
front matter is laid out, and the blank lines around the body. Two packages with one key are copies
of each other for a person.
"""

import json
from typing import Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.document import Fields, to_plain
from skillyard.domain.limits import WIDE
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.rules import Profile


def is_provenance(key: str) -> bool:
    """Tell whether a key under `metadata` says where an installer found the skill."""
    return key.startswith("github-") or key == "local-path"


# No file of a package can have this path, so what was read is never taken for a file.
_FACTS: Final = f"{SKILL_MD}:facts"


def content_key(package: Package) -> TreeDigest:
    """Compute the digest of the package as it was before an installer marked it.

    A SKILL.md that cannot be read without a loss counts byte for byte.
    """
    return TreeDigest.of(
        _strip(file) if path == SKILL_MD else (path, file.executable, file.content)
        for path, file in package.files.items()
    )


def _strip(file: PackageFile) -> tuple[str, bool, bytes]:
    findings = Findings(Profile.STANDARD)
    document = read_document(file.content, limits=WIDE, findings=findings)
    if document.fields is None or not findings.can_fix:
        return SKILL_MD, file.executable, file.content
    front = json.dumps(_facts(document.fields), sort_keys=True, ensure_ascii=False)
    body = document.instructions.replace("\r\n", "\n").strip("\n")
    return _FACTS, file.executable, f"{front}\n{body}\n".encode()


def _facts(fields: Fields) -> dict[str, object]:
    facts = {key.text: to_plain(value) for key, value in fields.entries}
    metadata = facts.pop("metadata", None)
    if isinstance(metadata, dict):
        kept = {key: value for key, value in metadata.items() if not is_provenance(key)}
        if kept:
            facts["metadata"] = kept
    elif metadata:
        facts["metadata"] = metadata
    return facts
