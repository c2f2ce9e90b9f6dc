"""Write a SKILL.md, judge it, and say what was found."""

from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.document import SkillDocument
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.check import CheckedPackage, Judgement, check_package
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.rules import Profile

GOOD = "name: pdf\ndescription: Fills in forms. Use when a form is to be filled in.\n"
BODY = "# PDF\n\nRead the form, then fill it in.\n"


def skill_md(front: str = GOOD, body: str = BODY) -> str:
    """Put front matter and body together."""
    return f"---\n{front}---\n{body}"


def check(
    content: str | bytes,
    *,
    directory: str | None = "pdf",
    profile: Profile = Profile.STANDARD,
    limits: Limits = STANDARD,
    beside: dict[str, PackageFile | bytes | str] | None = None,
) -> CheckedPackage:
    """Judge one SKILL.md, with the files that stand beside it."""
    return check_package(
        Package.of({"SKILL.md": content, **(beside or {})}),
        directory=directory,
        judgement=Judgement(profile=profile, limits=limits),
    )


def check_front(front: str, *, profile: Profile = Profile.STANDARD) -> CheckedPackage:
    """Judge a SKILL.md with this front matter, in a directory of the right name."""
    return check(skill_md(front), profile=profile)


def codes(checked: CheckedPackage) -> list[str]:
    """List the codes of what was found, in order."""
    return [one.code for one in checked.diagnostics]


def find(checked: CheckedPackage, code: str) -> Diagnostic:
    """Give the one finding with this code."""
    (found,) = (one for one in checked.diagnostics if one.code == code)
    return found


def read(
    content: str | bytes, *, profile: Profile = Profile.STANDARD, limits: Limits = STANDARD
) -> tuple[SkillDocument, list[Diagnostic]]:
    """Read a SKILL.md, and give it with what was found about its front matter."""
    findings = Findings(profile)
    raw = content.encode() if isinstance(content, str) else content
    return read_document(raw, limits=limits, findings=findings), findings.items
