"""Turn a checked skill into what the report renderers take."""

from dataclasses import replace
from pathlib import PurePath

from skillyard.application.check import CheckedSkill
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Diagnostic, Severity, has_errors
from skillyard.domain.package import Package
from skillyard.domain.paths import PackagePath
from skillyard.skillmd.reports.reported import ReportedPackage


def report_skill(
    skill: CheckedSkill, *, notes: bool = True, here: PurePath | None = None
) -> ReportedPackage:
    """Give the report of one skill; without `notes`, warnings and errors only.

    What lies below `here` is named from there: services that show findings beside the code know
    nothing of the machine that found them.
    """
    checked = skill.checked
    in_container = skill.found.container
    diagnostics = tuple(
        replace(one, fixable=False) if in_container and one.fixable else one
        for one in checked.diagnostics
        if notes or one.severity is not Severity.NOTE
    )
    return ReportedPackage(
        location=_relate(skill.found.location, here),
        name=checked.manifest.name if checked.manifest else None,
        digest=find_digest(skill.found),
        diagnostics=diagnostics,
        texts=_texts(checked.package, diagnostics),
        container=in_container,
        verdict=skill.verdict.to_json() if skill.verdict else None,
    )


def _relate(location: str, here: PurePath | None) -> str:
    path = PurePath(location)
    if here is None or not path.is_absolute() or not path.is_relative_to(here):
        return location
    return path.relative_to(here).as_posix()


def find_digest(found: FoundPackage) -> str | None:
    """Give the digest of a package that was read whole; of any other it would be a lie."""
    return None if has_errors(found.taken.diagnostics) else str(found.taken.package.digest())


def _texts(package: Package, diagnostics: tuple[Diagnostic, ...]) -> dict[str, str]:
    paths = {one.path for one in diagnostics if one.span is not None}
    return {
        path: package.files[PackagePath(path)].content.decode(errors="replace")
        for path in paths
        if path in package.files
    }
