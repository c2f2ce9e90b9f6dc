"""Judge a package: everything that is wrong with it, in one pass."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from skillyard.domain.diagnostic import Diagnostic, Severity, Span, has_errors
from skillyard.domain.document import SkillDocument, span_of
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import Manifest, SidecarManifest
from skillyard.domain.package import Package
from skillyard.domain.paths import MANIFEST_JSON, SKILL_MD, PackagePath
from skillyard.skillmd import rules
from skillyard.skillmd.checks import check_fields
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.manifest import gather_manifest, report_differences
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.sidecar import read_sidecar

FOLDERS = frozenset({"scripts", "references", "assets", "templates", "examples"})
"""The directories that a package is expected to hold."""

_VISIBLE = re.compile(r"\S")
_ROOT_FILE = re.compile(
    r"SKILL\.md|manifest\.json|skill\.oms\.sig|(?:LICENSE|NOTICE|README|CHANGELOG)(?:\.[a-z]+)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How to judge: the profile, the limits, and whether only the usual folders are accepted."""

    profile: Profile = Profile.STANDARD
    limits: Limits = STANDARD
    strict_tree: bool = False


STANDARD_JUDGEMENT = Judgement()


@dataclass(frozen=True, kw_only=True)
class CheckedPackage:
    """A package with all that was found about it.

    `document` is None where there is no SKILL.md at all.
    """

    package: Package
    directory: str | None
    profile: Profile
    document: SkillDocument | None
    sidecar: SidecarManifest | None
    diagnostics: tuple[Diagnostic, ...]

    @cached_property
    def manifest(self) -> Manifest | None:
        """What the skill says about itself; None where name or description cannot be had."""
        if self.document is None:
            return None
        return gather_manifest(
            self.document, self.sidecar, directory=self.directory, profile=self.profile
        )

    @property
    def is_valid(self) -> bool:
        """Whether nothing that was found is an error."""
        return not has_errors(self.diagnostics)


def check_package(
    package: Package,
    *,
    directory: str | None = None,
    judgement: Judgement = STANDARD_JUDGEMENT,
    earlier: tuple[Diagnostic, ...] = (),
) -> CheckedPackage:
    """Judge `package`; `directory` is the name that it must have, `earlier` what intake found."""
    findings = Findings(judgement.profile)
    findings.extend(earlier)
    path = _find_skill_md(package, findings)
    _check_tree(package, path, judgement, findings)
    document = sidecar = None
    if path is not None:
        content = package.files[path].content
        document = read_document(content, limits=judgement.limits, findings=findings)
        sidecar = _read_sidecar(package, judgement, findings)
        check_fields(document, directory=directory, limits=judgement.limits, findings=findings)
        report_differences(document, sidecar, findings)
        _check_text(document, content, judgement.limits, findings)
    if path not in (None, SKILL_MD):
        findings.items = [
            replace(one, path=path) if one.path == SKILL_MD else one for one in findings.items
        ]
    return CheckedPackage(
        package=package,
        directory=directory,
        profile=judgement.profile,
        document=document,
        sidecar=sidecar,
        diagnostics=findings.ordered(),
    )


def _find_skill_md(package: Package, findings: Findings) -> PackagePath | None:
    if SKILL_MD in package.files:
        return SKILL_MD
    for path in package:
        if path.casefold() == SKILL_MD.casefold():
            findings.add(
                rules.SKILL_MD_MISNAMED,
                f"the file is called `{path}`, but clients look for `SKILL.md`",
                path=path,
                hint="Rename it to SKILL.md",
            )
            # What is repaired is SKILL.md, and this file is not.
            findings.can_fix = False
            return path
    # What was refused on the way in may have been SKILL.md, or the whole package.
    if not has_errors(findings.items):
        findings.add(
            rules.SKILL_MD_MISSING,
            "there is no SKILL.md",
            path="",
            hint="Create one, for example with `skillyard new`",
        )
    return None


def _read_sidecar(
    package: Package, judgement: Judgement, findings: Findings
) -> SidecarManifest | None:
    file = package.files.get(MANIFEST_JSON)
    if file is None:
        return None
    return read_sidecar(file.content, limits=judgement.limits, findings=findings)


def _check_text(
    document: SkillDocument, content: bytes, limits: Limits, findings: Findings
) -> None:
    if document.fields is None:
        return
    text = document.text
    if not _VISIBLE.search(text, document.body):
        findings.add(
            rules.BODY_EMPTY,
            "there are no instructions after the front matter",
            span=span_of(text, document.body, document.body),
            hint="Write what the agent should do, in Markdown",
        )
    lines = text.count("\n") + (not text.endswith("\n"))
    if len(content) > limits.skill_md_bytes_noted or lines > limits.skill_md_lines_noted:
        findings.add(
            rules.BODY_LONG,
            f"SKILL.md has {lines:,} lines and {len(content):,} bytes",
            span=Span(1, 1, 1, 1),
            hint=f"Stay below {limits.skill_md_lines_noted} lines and"
            f" {limits.skill_md_bytes_noted:,} bytes; move details to `references/`",
        )


def _check_tree(
    package: Package, skill_md: PackagePath | None, judgement: Judgement, findings: Findings
) -> None:
    if len(package.files) == 1 and skill_md:
        return
    unusual: set[str] = set()
    for path, file in package.files.items():
        if path == skill_md:
            continue
        top, _, rest = path.partition("/")
        if path.endswith("/SKILL.md"):
            _report_nested(path, findings)
        if not (top == "assets" and rest) and not _is_text(file.content):
            _report_binary(path, findings)
        if len(file.content) > judgement.limits.file_bytes_noted:
            _report_large(path, len(file.content), findings)
        if not (top in FOLDERS and rest) and not _ROOT_FILE.fullmatch(path):
            unusual.add(f"{top}/" if rest else top)
    for place in sorted(unusual):
        _report_unusual(place, judgement, findings)


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _report_nested(path: str, findings: Findings) -> None:
    findings.add(
        rules.NESTED_SKILL,
        f"`{path}` is a second SKILL.md: Codex and OpenCode list it as a skill of its own",
        path=path,
        hint="Give it another name, or move it out",
    )


def _report_binary(path: str, findings: Findings) -> None:
    findings.add(
        rules.BINARY_FILE,
        f"`{path}` is not UTF-8 text",
        path=path,
        hint="Move it to `assets/`, or save it as UTF-8",
    )


def _report_large(path: str, size: int, findings: Findings) -> None:
    findings.add(rules.FILE_LARGE, f"`{path}` has {size:,} bytes", path=path)


def _report_unusual(place: str, judgement: Judgement, findings: Findings) -> None:
    message = f"`{place}` is not one of the usual places"
    hint = f"Usual are {', '.join(f'{one}/' for one in sorted(FOLDERS))}"
    if judgement.strict_tree:
        findings.items.append(
            rules.UNUSUAL_PLACE.finding(message, severity=Severity.ERROR, path=place, hint=hint)
        )
    else:
        findings.add(rules.UNUSUAL_PLACE, message, path=place, hint=hint)
