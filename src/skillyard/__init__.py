"""Skillyard: the system of record and delivery for agent skills.

    import skillyard

    for skill in skillyard.check("skills/"):
        print(skill.found.location, skill.checked.diagnostics)

Names are looked up when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillyard.application.assign import AssignSkill
    from skillyard.application.check import CheckedSkill
    from skillyard.application.deliver import DeliverSkills
    from skillyard.application.editing import CreateSkill, EditSkill
    from skillyard.application.exporting import ExportSkill
    from skillyard.application.importing import OnConflict, PlanImport
    from skillyard.application.resolve import ResolveSkills
    from skillyard.application.run_wish import RunAgent
    from skillyard.application.save import RefusedSkill, SavedSkill, SaveSkill
    from skillyard.disclosure import SkillContext
    from skillyard.domain.assignment import Subject, SubjectKind
    from skillyard.domain.audit import AuditFilter
    from skillyard.domain.catalogue import SkillFilter
    from skillyard.domain.diagnostic import Diagnostic, Severity
    from skillyard.domain.digest import TreeDigest
    from skillyard.domain.errors import InvalidPackageError, SkillyardError, StaleWriteError
    from skillyard.domain.facts import FactChanges
    from skillyard.domain.hook import Hook, Stage
    from skillyard.domain.limits import Limits
    from skillyard.domain.manifest import Manifest
    from skillyard.domain.package import Package, PackageFile
    from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
    from skillyard.domain.resolution import Resolution
    from skillyard.domain.run import Run, RunFilter, WorkspaceMode
    from skillyard.domain.version import Version
    from skillyard.library import check, digest, fix, new, pack, read_package, unpack
    from skillyard.skillmd.bundles import Form
    from skillyard.yard import Skillyard

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AssignSkill",
    "AuditFilter",
    "CheckedSkill",
    "CreateSkill",
    "DeliverSkills",
    "Diagnostic",
    "EditSkill",
    "ExportSkill",
    "FactChanges",
    "Form",
    "Hook",
    "InvalidPackageError",
    "Limits",
    "Manifest",
    "Node",
    "OnConflict",
    "Package",
    "PackageFile",
    "PlanImport",
    "RefusedSkill",
    "Resolution",
    "ResolveSkills",
    "Run",
    "RunAgent",
    "RunFilter",
    "Sandbox",
    "SaveSkill",
    "SavedSkill",
    "Severity",
    "SkillContext",
    "SkillFilter",
    "Skillyard",
    "SkillyardError",
    "Stage",
    "StaleWriteError",
    "Subject",
    "SubjectKind",
    "Team",
    "TreeDigest",
    "Version",
    "Workspace",
    "WorkspaceMode",
    "__version__",
    "check",
    "digest",
    "fix",
    "new",
    "pack",
    "read_package",
    "unpack",
]

_HOMES = {
    "Agent": "domain.records",
    "AssignSkill": "application.assign",
    "AuditFilter": "domain.audit",
    "CheckedSkill": "application.check",
    "CreateSkill": "application.editing",
    "DeliverSkills": "application.deliver",
    "Diagnostic": "domain.diagnostic",
    "EditSkill": "application.editing",
    "ExportSkill": "application.exporting",
    "FactChanges": "domain.facts",
    "Form": "skillmd.bundles",
    "Hook": "domain.hook",
    "InvalidPackageError": "domain.errors",
    "Limits": "domain.limits",
    "Manifest": "domain.manifest",
    "Node": "domain.records",
    "OnConflict": "application.importing",
    "Package": "domain.package",
    "PackageFile": "domain.package",
    "PlanImport": "application.importing",
    "RefusedSkill": "application.save",
    "Resolution": "domain.resolution",
    "ResolveSkills": "application.resolve",
    "Run": "domain.run",
    "RunAgent": "application.run_wish",
    "RunFilter": "domain.run",
    "Sandbox": "domain.records",
    "SaveSkill": "application.save",
    "SavedSkill": "application.save",
    "Severity": "domain.diagnostic",
    "SkillContext": "disclosure",
    "SkillFilter": "domain.catalogue",
    "Skillyard": "yard",
    "SkillyardError": "domain.errors",
    "Stage": "domain.hook",
    "StaleWriteError": "domain.errors",
    "Subject": "domain.assignment",
    "SubjectKind": "domain.assignment",
    "Team": "domain.records",
    "TreeDigest": "domain.digest",
    "Version": "domain.version",
    "Workspace": "domain.records",
    "WorkspaceMode": "domain.run",
    "check": "library",
    "digest": "library",
    "fix": "library",
    "new": "library",
    "pack": "library",
    "read_package": "library",
    "unpack": "library",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (each name has a type of its own)
    if name not in _HOMES:
        message = f"module 'skillyard' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"skillyard.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
