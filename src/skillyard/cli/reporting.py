"""Turn a checked skill into what the report renderers take."""

from skillyard.application.check import CheckedSkill
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.package import Package
from skillyard.domain.paths import PackagePath
from skillyard.skillmd.reports.reported import ReportedPackage


def report_skill(skill: CheckedSkill, *, notes: bool = True) -> ReportedPackage:
    """Give the report of one skill; without `notes`, warnings and errors only."""
    checked = skill.checked
    diagnostics = tuple(
        one for one in checked.diagnostics if notes or one.severity is not Severity.NOTE
    )
    return ReportedPackage(
        location=skill.found.location,
        name=checked.manifest.name if checked.manifest else None,
        digest=str(checked.package.digest()),
        diagnostics=diagnostics,
        texts=_texts(checked.package, diagnostics),
        container=skill.found.container,
        verdict=skill.verdict.to_json() if skill.verdict else None,
    )


def _texts(package: Package, diagnostics: tuple[Diagnostic, ...]) -> dict[str, str]:
    paths = {one.path for one in diagnostics if one.span is not None}
    return {
        path: package.files[PackagePath(path)].content.decode(errors="replace")
        for path in paths
        if path in package.files
    }
