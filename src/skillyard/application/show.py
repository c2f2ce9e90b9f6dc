"""Say all there is to say about one package."""

from dataclasses import dataclass

from skillyard.application.check import check_found
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import has_errors
from skillyard.domain.digest import TreeDigest
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.check import CheckedPackage, Judgement
from skillyard.skillmd.contentkey import content_key
from skillyard.skillmd.reports.jsonreport import to_json_finding
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSkill:
    """One package with its facts, its findings, and each client's verdict by the client's title."""

    location: str
    checked: CheckedPackage
    digest: TreeDigest | None
    key: TreeDigest | None
    verdicts: tuple[tuple[str, ClientVerdict], ...]

    def facts(self) -> list[tuple[str, str]]:
        """Give the facts that the skill states, each with its label, in a fixed order."""
        manifest = self.checked.manifest
        said = [("Location", self.location)]
        if self.digest is not None:
            said.append(("Digest", str(self.digest)))
        if manifest is None:
            return said
        stated = (
            ("Title", manifest.display_name),
            ("Version", manifest.version),
            ("Author", manifest.author),
            ("License", manifest.license),
            ("Category", manifest.category),
            ("Tags", " ".join(manifest.tags)),
            ("Needs", ", ".join((*manifest.requires_commands, *manifest.requires))),
            ("Tools", " ".join(manifest.allowed_tools)),
            ("Invocation", manifest.invocation.value if manifest.invocation != "auto" else None),
            ("Works with", manifest.compatibility),
        )
        return [*said, *((label, value) for label, value in stated if value)]

    def to_json(self) -> dict[str, object]:
        """Give everything as JSON can hold it."""
        manifest = self.checked.manifest
        return {
            "path": self.location,
            "name": manifest.name if manifest else None,
            "description": manifest.description if manifest else None,
            "version": manifest.version if manifest else None,
            "digest": str(self.digest) if self.digest else None,
            "content_key": str(self.key) if self.key else None,
            "front_matter": dict(manifest.fields) if manifest else {},
            "files": [
                {"path": path, "size": len(file.content), "executable": file.executable}
                for path, file in self.checked.package.files.items()
            ],
            "clients": {one.client_id: one.to_json() for _, one in self.verdicts},
            "diagnostics": [to_json_finding(one) for one in self.checked.diagnostics],
        }


def show_skill(found: FoundPackage, *, judgement: Judgement) -> ShownSkill:
    """Gather what there is to say about a package that was found."""
    checked = check_found(found, judgement)
    package = checked.package
    is_whole = not has_errors(found.taken.diagnostics)
    return ShownSkill(
        location=found.location,
        checked=checked,
        digest=package.digest() if is_whole else None,
        key=content_key(package) if is_whole else None,
        verdicts=tuple(
            (
                client.title,
                judge_for_client(client, content=package.skill_md, directory=found.directory),
            )
            for client in CLIENTS.values()
            # Of a SKILL.md that we could not read, nobody can tell.
            if is_whole or package.skill_md is not None
        ),
    )
