"""Read portable JSON, format version 2.

- `skill.content` is SKILL.md; `skill.files` are the others. Both are text, or base64 where
  `encoding` says so, and executable where `executable` says so.
- Every member that does not have its shape is reported, with its place. Unknown ones are ignored.
- What the bundle says of the skill is handed on as it is: SKILL.md decides.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Final

from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd import rules
from skillyard.skillmd.bundles.bounds import check_archive_size, make_entry
from skillyard.skillmd.bundles.facts import PortableFacts
from skillyard.skillmd.intake import Entry, EntryKind, IntakeRefusedError, TakenIn, take_in
from skillyard.skillmd.jsontext import JsonRefusedError, parse_json

KNOWN_VERSIONS: Final = (2,)
_DEPTH: Final = 32


def read_portable(data: bytes, *, limits: Limits) -> tuple[TakenIn, PortableFacts]:
    """Read a portable bundle, and what it says of its skill besides the files.

    The facts are empty where the bundle is refused for its shape.
    """
    problems: list[Diagnostic] = []
    entries, facts = _read_bundle(_read_json(data, limits, problems), limits)
    if problems:
        return TakenIn(Package.of({}), tuple(problems)), PortableFacts()
    return take_in(entries, limits=limits), facts


def _read_json(data: bytes, limits: Limits, problems: list[Diagnostic]) -> "_Members":
    try:
        check_archive_size(data, limits)
        value = parse_json(data, depth=_DEPTH)
    except IntakeRefusedError as refusal:
        problems.append(refusal.diagnostic)
    except JsonRefusedError as error:
        problems.append(rules.BUNDLE_JSON.finding(f"the bundle cannot be read: {error}", path=""))
    else:
        return _to_members(value, "", problems)
    return _nothing()


def _read_bundle(bundle: "_Members", limits: Limits) -> tuple[list[Entry], PortableFacts]:
    version = bundle.value.get("formatVersion")
    if type(version) is not int or version not in KNOWN_VERSIONS:
        known = ", ".join(map(str, KNOWN_VERSIONS))
        bundle.report("formatVersion", f"is not one of the known versions ({known})")
        return [], PortableFacts()
    skill = bundle.child("skill")
    facts = _read_facts(skill, bundle.child("metadata", required=False))
    return list(_iter_entries(skill, limits)), facts


def _read_facts(skill: "_Members", metadata: "_Members") -> PortableFacts:
    return PortableFacts(
        name=skill.text("name"),
        slug=skill.text("slug"),
        description=skill.text("description"),
        category=skill.text("category"),
        tags=skill.texts("tags"),
        version=skill.text("version"),
        requires_tools=skill.texts("requiresTools"),
        exported_at=metadata.text("exportedAt"),
        exported_from=metadata.text("exportedFrom"),
        author=metadata.text("author"),
        digest=metadata.mark("digest"),
    )


def _iter_entries(skill: "_Members", limits: Limits) -> Iterator[Entry]:
    yield _read_file(skill, SKILL_MD)
    # One more than there may be, so that the intake sees that there are too many.
    for file in skill.children("files", most=limits.package_files + 1):
        path = file.required_text("path")
        file.text("contentType")
        if path == SKILL_MD:
            file.report("path", f"may not be {SKILL_MD}, which is `skill.content`")
        yield _read_file(file, path)


def _read_file(file: "_Members", path: str) -> Entry:
    executable = file.flag("executable")
    return make_entry(path, EntryKind.FILE, _read_content(file), executable=executable)


def _read_content(file: "_Members") -> bytes:
    content = file.required_text("content").encode()
    encoding = file.text("encoding")
    if encoding is None:
        return content
    if encoding != "base64":
        file.report("encoding", "is not `base64`")
        return b""
    try:
        return base64.b64decode(content, validate=True)
    except binascii.Error:
        file.report("content", "is not base64")
        return b""


class _Members:
    """The members of one JSON object, at one place; those of a wrong shape are reported."""

    def __init__(self, value: Mapping[str, object], place: str, problems: list[Diagnostic]) -> None:
        self.value = value
        self._place = place
        self._problems = problems

    def report(self, key: str, problem: str) -> None:
        """Report the member `key`."""
        self._problems.append(_shape(self._to_place(key), problem))

    def text(self, key: str) -> str | None:
        """Give a text, or None where it is absent or null."""
        value = self.value.get(key)
        if value is not None and not isinstance(value, str):
            self.report(key, "is not a text")
        return value if isinstance(value, str) else None

    def mark(self, key: str) -> str | None:
        """Give a text, or None where it is anything else: others may mean something of theirs."""
        value = self.value.get(key)
        return value if isinstance(value, str) else None

    def required_text(self, key: str) -> str:
        """Give a text; without one, nothing."""
        if self.value.get(key) is None:
            self.report(key, "is missing")
        return self.text(key) or ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Give a list of texts, empty where it is absent or null."""
        values = self._list(key)
        wrong = next((at for at, one in enumerate(values) if not isinstance(one, str)), None)
        if wrong is not None:
            self.report(f"{key}[{wrong}]", "is not a text")
        return tuple(one for one in values if isinstance(one, str))

    def flag(self, key: str) -> bool:
        """Give true or false; absent is false."""
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            self.report(key, "is not true or false")
        return value is True

    def child(self, key: str, *, required: bool = True) -> "_Members":
        """Give the members of a member."""
        value = self.value.get(key)
        if value is None:
            if required:
                self.report(key, "is missing")
            return _nothing()
        return _to_members(value, self._to_place(key), self._problems)

    def children(self, key: str, *, most: int) -> list["_Members"]:
        """Give the members of the first `most` elements of a list."""
        return [
            _to_members(one, self._to_place(f"{key}[{at}]"), self._problems)
            for at, one in enumerate(self._list(key)[:most])
        ]

    def _list(self, key: str) -> list[object]:
        value = self.value.get(key)
        if value is not None and not isinstance(value, list):
            self.report(key, "is not a list")
        return value if isinstance(value, list) else []

    def _to_place(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key


def _to_members(value: object, place: str, problems: list[Diagnostic]) -> _Members:
    if isinstance(value, dict):
        return _Members(value, place, problems)
    problems.append(_shape(place, "is not an object"))
    return _nothing()


def _nothing() -> _Members:
    # What is not there has no members that could be missing.
    return _Members({}, "", [])


def _shape(place: str, problem: str) -> Diagnostic:
    subject = f"`{place}`" if place else "the bundle"
    return rules.BUNDLE_SHAPE.finding(
        f"{subject} {problem}", path="", hint="Export the skill again as portable JSON"
    )
