"""manifest.json is read, checked and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.limits import STANDARD
from skillyard.domain.manifest import Author, Confidence, SidecarManifest
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.sidecar import AUTHOR_TYPES, read_sidecar, render_sidecar
from tests.unit.skillmd.checking import GOOD, check, codes, skill_md

pytestmark = pytest.mark.requirement("PKG-6")

FULL = SidecarManifest(
    name="pdf",
    version="1.2.0",
    description="Fills in forms",
    confidence=Confidence.MEDIUM,
    author=Author("earned", agent="coder", source="run 7"),
    agents=("coder", "writer"),
    tags=("pdf", "forms"),
    created="2026-11-15",
    updated="2026-11-16",
    requires=("office",),
)
FULL_TEXT = """\
{
  "name": "pdf",
  "version": "1.2.0",
  "description": "Fills in forms",
  "confidence": "medium",
  "author": {
    "type": "earned",
    "agent": "coder",
    "source": "run 7"
  },
  "agents": [
    "coder",
    "writer"
  ],
  "tags": [
    "pdf",
    "forms"
  ],
  "created": "2026-11-15",
  "updated": "2026-11-16",
  "requires": [
    "office"
  ]
}
"""


def read(content: bytes | str) -> tuple[SidecarManifest | None, list[str]]:
    findings = Findings(Profile.STANDARD)
    raw = content.encode() if isinstance(content, str) else content
    sidecar = read_sidecar(raw, limits=STANDARD, findings=findings)
    return sidecar, [one.message for one in findings.items]


def test_a_full_manifest_is_read_and_written() -> None:
    assert render_sidecar(FULL) == FULL_TEXT.encode()
    assert read(FULL_TEXT) == (FULL, [])


@pytest.mark.parametrize(
    ("content", "agents"),
    [
        ("{}", None),
        ('{"agents": "*"}', None),
        ('{"agents": null}', None),
        ('{"agents": []}', ()),
        ('{"agents": ["a"]}', ("a",)),
    ],
)
def test_a_manifest_that_names_no_agents_is_for_all_of_them(
    content: str, agents: tuple[str, ...] | None
) -> None:
    assert read(content) == (SidecarManifest(agents=agents), [])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "manifest.json cannot be read: expecting value in line 1"),
        (b"\xff", "manifest.json cannot be read: byte 0 is not UTF-8"),
        (b"[]", "manifest.json does not hold an object"),
        (b'"a"', "manifest.json does not hold an object"),
        (
            b"[" * 100_000,
            "manifest.json cannot be read: it is nested more than 16 levels deep",
        ),
        (
            b"[" + b"{}," * 3_000_000 + b"{}]",
            "manifest.json cannot be read: it holds more than 100,000 values and signs",
        ),
    ],
)
def test_what_is_no_object_is_one_finding(content: bytes, message: str) -> None:
    assert read(content) == (None, [message])


def test_every_field_of_another_shape_is_reported_and_left_out() -> None:
    content = (
        '{"name": 1, "version": "latest", "description": [], "confidence": "huge", "author": "me",'
        ' "agents": 3, "tags": ["a", 1], "created": {}, "updated": false, "requires": "office"}'
    )

    assert read(content) == (
        SidecarManifest(agents=()),
        [
            "`name` in manifest.json is not text",
            "`version` in manifest.json is not a semantic version, such as `1.0.0`",
            "`description` in manifest.json is not text",
            "`confidence` in manifest.json is not one of low, medium and high",
            "`author` in manifest.json is not an object with a `type` of system, earned, imported",
            "`agents` in manifest.json is not a list of texts",
            "`tags` in manifest.json is not a list of texts",
            "`created` in manifest.json is not text",
            "`updated` in manifest.json is not text",
            "`requires` in manifest.json is not a list of texts",
        ],
    )


def test_fields_that_are_not_known_are_left_alone() -> None:
    assert read('{"name": "a", "x": {"y": 1}}') == (SidecarManifest(name="a"), [])


def test_an_author_may_leave_out_agent_and_source() -> None:
    assert read('{"author": {"type": "imported", "agent": 3}}') == (
        SidecarManifest(author=Author("imported")),
        [],
    )


TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
TUPLES = st.lists(TEXTS, max_size=3).map(tuple)


@given(
    st.builds(
        SidecarManifest,
        name=st.none() | TEXTS,
        version=st.sampled_from([None, "1.0.0", "v2"]),
        description=st.none() | TEXTS,
        confidence=st.sampled_from([None, *Confidence]),
        author=st.none()
        | st.builds(Author, st.sampled_from(AUTHOR_TYPES), st.none() | TEXTS, st.none() | TEXTS),
        agents=st.none() | TUPLES,
        tags=TUPLES,
        created=st.none() | TEXTS,
        updated=st.none() | TEXTS,
        requires=TUPLES,
    )
)
def test_what_is_written_is_read_back(sidecar: SidecarManifest) -> None:
    assert read(render_sidecar(sidecar)) == (sidecar, [])


@given(st.binary(max_size=60))
def test_any_bytes_give_a_manifest_or_a_finding(content: bytes) -> None:
    sidecar, messages = read(content)

    assert (sidecar is None) <= (len(messages) == 1)


@pytest.mark.parametrize(
    ("manifest", "key", "there", "here"),
    [
        ('{"name": "forms"}', "name", "forms", "pdf"),
        ('{"version": "2.0.0"}', "version", "2.0.0", "1.0"),
        ('{"tags": ["a", "c"]}', "tags", "a c", "a b"),
        (
            '{"description": "' + "x" * 70 + '"}',
            "description",
            "x" * 59 + "…",
            "Fills in forms. Use when a form is to be filled in.",
        ),
    ],
)
def test_drift_from_skill_md_is_a_warning(manifest: str, key: str, there: str, here: str) -> None:
    content = skill_md(GOOD + "version: '1.0'\ntags: [a, b]\n")

    checked = check(content, beside={"manifest.json": manifest})

    assert checked.diagnostics == (
        Diagnostic(
            code="SY503",
            severity=Severity.WARNING,
            message=f"`{key}` is `{there}` here and `{here}` in SKILL.md",
            path="manifest.json",
            hint="SKILL.md counts; make manifest.json say the same",
        ),
    )


def test_what_says_the_same_in_other_words_is_no_drift() -> None:
    content = skill_md(GOOD + "metadata:\n  version: v1\n  tags: b a\n")

    checked = check(content, beside={"manifest.json": '{"version": "1.0.0", "tags": ["a", "b"]}'})

    assert codes(checked) == []
