"""Gather the facts about a skill from all the places where they may stand."""

from collections.abc import Mapping
from types import MappingProxyType

from skillyard.domain.document import Fields, Listing, Node, Scalar, SkillDocument, to_plain
from skillyard.domain.manifest import Invocation, Manifest, SidecarManifest, Triggers
from skillyard.domain.names import sanitize_name
from skillyard.domain.paths import MANIFEST_JSON
from skillyard.domain.text import shorten
from skillyard.domain.version import find_version
from skillyard.skillmd import rules
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.scalars import ScalarKind, is_false, is_true, scalar_kind
from skillyard.skillmd.values import to_mapping, to_text, to_texts, to_tools, to_words


def gather_manifest(
    document: SkillDocument,
    sidecar: SidecarManifest | None,
    *,
    directory: str | None,
    profile: Profile,
) -> Manifest | None:
    """Make the manifest, or give None where name or description cannot be had.

    Under the lenient profile a missing name is taken from the directory, and the name is sanitised.
    """
    fields = _last_of_each(document.fields)
    name = _name(fields, directory, profile)
    description = _present(fields.get("description"))
    if document.fields is None or name is None or description is None:
        return None
    metadata = _metadata(fields.get("metadata"))
    return _Gathering(fields, metadata, sidecar).manifest(name, description)


def report_differences(
    document: SkillDocument, sidecar: SidecarManifest | None, findings: Findings
) -> None:
    """Report the facts that stand in several places and differ."""
    if document.fields is None:
        return
    metadata = _metadata(document.fields.find("metadata"))
    if metadata or sidecar is not None:
        _report_differences(_last_of_each(document.fields), metadata, sidecar, findings)


def _last_of_each(fields: Fields | None) -> dict[str, Node]:
    # Of a key that stands twice the last counts, as for `Fields.find`.
    return {key.text: value for key, value in fields.entries} if fields else {}


def _name(fields: Mapping[str, Node], directory: str | None, profile: Profile) -> str | None:
    name = _present(fields.get("name"))
    if profile is Profile.LENIENT:
        return sanitize_name(name or "") or sanitize_name(directory or "")
    return name


def _present(node: Node | None) -> str | None:
    if isinstance(node, Scalar) and scalar_kind(node) is not ScalarKind.NULL:
        return node.text.strip() or None
    return None


def _metadata(node: Node | None) -> Mapping[str, str]:
    if not isinstance(node, Fields):
        return MappingProxyType({})
    return MappingProxyType(
        {key.text: one.text for key, one in node.entries if isinstance(one, Scalar)}
    )


class _Gathering:
    """Looks each fact up in its homes, the strongest first."""

    def __init__(
        self,
        fields: Mapping[str, Node],
        metadata: Mapping[str, str],
        sidecar: SidecarManifest | None,
    ) -> None:
        self.find = fields.get
        self.fields = fields
        self.metadata = metadata
        self.sidecar = sidecar or _NO_SIDECAR
        self.has_sidecar = sidecar

    def manifest(self, name: str, description: str) -> Manifest:
        find = self.find
        return Manifest(
            name=name,
            description=description,
            license=to_text(find("license")),
            compatibility=to_text(find("compatibility")),
            metadata=self.metadata,
            allowed_tools=to_tools(find("allowed-tools")) or (),
            version=self._version(),
            display_name=self._text("display-name"),
            author=self._text("author"),
            tags=self._words("tags") or self.sidecar.tags,
            category=self._text("category"),
            requires_tools=self._words("requires-tools"),
            requires_commands=tuple(self.metadata.get("requires", "").split()),
            requires=self.sidecar.requires,
            triggers=self._triggers(),
            invocation=self._invocation(),
            providers=self._providers(),
            sidecar=self.has_sidecar,
            fields=MappingProxyType({key: to_plain(value) for key, value in self.fields.items()}),
        )

    def _text(self, key: str) -> str | None:
        return to_text(self.find(key)) or self.metadata.get(key)

    def _words(self, key: str) -> tuple[str, ...]:
        words = to_words(self.find(key))
        return words or tuple(self.metadata.get(key, "").replace(",", " ").split())

    def _version(self) -> str | None:
        homes = (to_text(self.find("version")), self.metadata.get("version"), self.sidecar.version)
        for text in filter(None, homes):
            version = find_version(text)
            if version is not None:
                return str(version)
        return None

    def _triggers(self) -> Triggers:
        node = self.find("triggers")
        if node is None:
            return _NO_TRIGGERS
        if isinstance(node, Fields):
            return Triggers(
                to_texts(node.find("keywords")) or (),
                to_texts(node.find("verbs")) or (),
                to_texts(node.find("patterns")) or (),
            )
        return Triggers(to_texts(node) or ())

    def _invocation(self) -> Invocation:
        text = self._text("invocation")
        if text in _INVOCATIONS:
            return Invocation(text)
        if is_true(self.find("disable-model-invocation")):
            return Invocation.USER_ONLY
        if is_false(self.find("user-invocable")):
            return Invocation.MODEL_ONLY
        return Invocation.AUTO

    def _providers(self) -> Mapping[str, str]:
        node = self.find("providers")
        mapping = to_mapping(node)
        if mapping is not None:
            return MappingProxyType(
                {key.text: one.text for key, one in mapping.entries if isinstance(one, Scalar)}
            )
        return MappingProxyType(dict.fromkeys(to_words(node) or (), "materialize"))


_NO_SIDECAR = SidecarManifest()
_NO_TRIGGERS = Triggers()
_INVOCATIONS = frozenset(Invocation)
_SHARED = ("version", "tags", "display-name", "category", "author")


def _report_differences(
    fields: Mapping[str, Node],
    metadata: Mapping[str, str],
    sidecar: SidecarManifest | None,
    findings: Findings,
) -> None:
    for key in _SHARED if metadata else ():
        if key not in fields or key not in metadata:
            continue
        said, there = _as_text(fields[key]), metadata[key]
        # Where the field says nothing, `metadata` counts.
        if said and not _is_same(key, said, there):
            findings.add(
                rules.FACTS_DIFFER,
                f"`{key}` is `{shorten(said, 60)}`, but `metadata.{key}` is `{shorten(there, 60)}`",
                span=fields[key].place.span,
                hint=f"The first counts; remove `metadata.{key}` or make them equal",
            )
    if sidecar is not None:
        _report_drift(fields, metadata, sidecar, findings)


def _report_drift(
    fields: Mapping[str, Node],
    metadata: Mapping[str, str],
    sidecar: SidecarManifest,
    findings: Findings,
) -> None:
    ours = {
        "name": to_text(fields.get("name")),
        "version": to_text(fields.get("version")) or metadata.get("version"),
        "description": to_text(fields.get("description")),
        "tags": _as_text(fields.get("tags")) or metadata.get("tags"),
    }
    theirs = {
        "name": sidecar.name,
        "version": sidecar.version,
        "description": sidecar.description,
        "tags": " ".join(sidecar.tags),
    }
    for key, said in ours.items():
        there = theirs[key]
        if said and there and not _is_same(key, said, there):
            findings.add(
                rules.MANIFEST_DRIFT,
                f"`{key}` is `{shorten(there, 60)}` here and `{shorten(said, 60)}` in SKILL.md",
                path=MANIFEST_JSON,
                hint="SKILL.md counts; make manifest.json say the same",
            )


def _as_text(node: Node | None) -> str:
    if isinstance(node, Listing):
        return " ".join(to_words(node) or ())
    return to_text(node) or ""


def _is_same(key: str, one: str, other: str) -> bool:
    if key == "version":
        return find_version(one) == find_version(other) if find_version(one) else one == other
    if key == "tags":
        return set(one.replace(",", " ").split()) == set(other.replace(",", " ").split())
    return one.split() == other.split()
