"""Write portable JSON, format version 2, the same bytes for the same package and facts.

Text is written as text. What is not UTF-8 is written as base64, and so is long text that is mostly
escapes: a bundle that is written is within the limits of the one who reads it.
"""

import base64
import json
from json.encoder import encode_basestring
from typing import Final

from skillyard.domain.contenttype import find_content_type
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd import rules
from skillyard.skillmd.bundles.facts import BundleFacts

# How many bytes escapes may add to any text; beyond, to a long one, they may add half of it.
_ESCAPES: Final = 4096

_Object = dict[str, object]


def render_portable(package: Package, about: BundleFacts) -> bytes:
    """Give `package` as portable JSON, with `about` beside it.

    Raises:
        InvalidPackageError: There is no SKILL.md, without which the format has nothing to hold.
    """
    skill_md = package.files.get(SKILL_MD)
    if skill_md is None:
        missing = rules.SKILL_MD_MISSING.finding("there is no SKILL.md")
        raise InvalidPackageError(about.slug, (missing,))
    bundle: _Object = {
        "formatVersion": 2,
        "skill": {
            **_render_facts(about),
            **_render_content(skill_md),
            "files": [
                _render_file(path, file) for path, file in package.files.items() if path != SKILL_MD
            ],
        },
        "metadata": _render_metadata(about),
    }
    text = json.dumps(bundle, ensure_ascii=False, indent=2) + "\n"
    # Facts may come from where halves of characters are possible; files never do.
    return text.encode(errors="replace")


def _render_facts(about: BundleFacts) -> _Object:
    facts: _Object = {
        "name": about.display_name,
        "slug": about.slug,
        "description": about.description,
        "category": about.category,
        "tags": list(about.tags),
        "version": about.version,
        "requiresTools": list(about.requires_tools),
    }
    return _said(facts)


def _render_metadata(about: BundleFacts) -> _Object:
    return _said(
        {
            "exportedAt": about.created_at,
            "exportedFrom": "skillyard",
            "author": about.author,
            "digest": about.digest,
        }
    )


def _said(members: _Object) -> _Object:
    return {key: value for key, value in members.items() if value is not None}


def _render_file(path: str, file: PackageFile) -> _Object:
    return {
        "path": path,
        **_render_content(file),
        "contentType": find_content_type(path, file.content),
    }


def _render_content(file: PackageFile) -> _Object:
    text = _find_text(file.content)
    rendered: _Object = {"content": text}
    if text is None or _grows(text):
        rendered = {"content": base64.b64encode(file.content).decode(), "encoding": "base64"}
    return rendered | ({"executable": True} if file.executable else {})


def _grows(text: str) -> bool:
    escaped = len(encode_basestring(text)) - len(text)
    return escaped > _ESCAPES + len(text) // 2


def _find_text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
