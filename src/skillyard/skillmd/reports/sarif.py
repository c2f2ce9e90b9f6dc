"""Findings as SARIF 2.1.0, which code scanners and editors read.

- Every rule is listed, found or not, so that results can be written before all are known.
- A file inside an archive or git tree is a logical location; the archive is the artifact.
- Messages pass through `visible`, and cannot hold links or placeholders: viewers follow those.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.text import visible
from skillyard.skillmd.reports.jsontext import iter_elements, render_value
from skillyard.skillmd.reports.reported import ReportedPackage, inner_place
from skillyard.skillmd.rules import RULES, Rule

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT: Final = "skillyard/v1"

_INDEX: Final = {rule.code: index for index, rule in enumerate(RULES)}
_RESERVED: Final = re.compile(rb"[^A-Za-z0-9._~/-]")


def render_sarif(packages: Iterable[ReportedPackage], *, version: str) -> Iterator[str]:
    """Yield one SARIF log with one run, a result at a time; `version` is Skillyard's own."""
    results = (_to_result(package, one) for package in packages for one in package.diagnostics)
    yield "{"
    yield f'  "$schema": {render_value(SCHEMA)},'
    yield '  "version": "2.1.0",'
    yield '  "runs": ['
    yield "    {"
    yield f'      "tool": {render_value(_to_tool(version), depth=3)},'
    yield '      "columnKind": "unicodeCodePoints",'
    yield '      "results": ['
    yield from iter_elements(results, depth=4)
    yield "      ]"
    yield "    }"
    yield "  ]"
    yield "}"


def _to_tool(version: str) -> dict[str, object]:
    rules = [_to_rule(rule) for rule in RULES]
    return {"driver": {"name": "Skillyard", "semanticVersion": version, "rules": rules}}


def _to_rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": _to_message(rule.summary),
        "defaultConfiguration": {"level": rule.standard or Severity.NOTE},
    }


def _to_result(package: ReportedPackage, one: Diagnostic) -> dict[str, object]:
    index = {"ruleIndex": _INDEX[one.code]} if one.code in _INDEX else {}
    sentences = f"{one.message}. {one.hint}" if one.hint else one.message
    return {
        "ruleId": one.code,
        **index,
        "level": one.severity,
        "message": _to_message(sentences),
        "locations": [_to_location(package, one)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(package, one)},
        "properties": _to_properties(package, one),
    }


def _to_message(text: str) -> dict[str, object]:
    # `](` alone makes a link, and 2.1.0 has no escape for it; braces are doubled (3.11.5).
    plain = visible(text).replace("](", "] (").replace("{", "{{").replace("}", "}}")
    return {"text": plain}


def _to_location(package: ReportedPackage, one: Diagnostic) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": _to_uri(package.file_of(one))}}
    if not package.container:
        region = {"region": _to_region(one.span)} if one.span else {}
        return {"physicalLocation": physical | region}
    if not one.path:
        return {"physicalLocation": physical}
    # A region would be one of the archive.
    return {
        "physicalLocation": physical,
        "logicalLocations": [{"fullyQualifiedName": visible(one.path), "kind": "resource"}],
        "message": _to_message(inner_place(one)),
    }


def _to_region(span: Span) -> dict[str, object]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _to_uri(path: str) -> str:
    scheme = "file://" if path.startswith("/") else ""
    return scheme + _RESERVED.sub(lambda found: b"%%%02X" % found[0][0], _encode(path)).decode()


def _encode(path: str) -> bytes:
    try:
        # Names on disk that are not UTF-8 arrive like this, and get their own bytes back.
        return path.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return path.encode(errors="surrogatepass")


def _fingerprint(package: ReportedPackage, one: Diagnostic) -> str:
    parts = "\0".join((one.code, package.file_of(one), one.path, one.message))
    return hashlib.sha256(parts.encode(errors="surrogatepass")).hexdigest()


def _to_properties(package: ReportedPackage, one: Diagnostic) -> dict[str, object]:
    facts = {"package": package.name, "digest": package.digest, "fixable": one.fixable}
    return {key: value for key, value in facts.items() if value is not None}
