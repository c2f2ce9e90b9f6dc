"""`skillyard show`: show one skill."""

import shutil

import click

from skillyard.application.bundles import get_only_package
from skillyard.application.show import ShownSkill, show_skill
from skillyard.bootstrap import open_source
from skillyard.cli.options import echo_json, json_option, limits_option
from skillyard.domain.diagnostic import Severity
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement


@click.command("show")
@click.argument("source", metavar="PATH", type=click.Path())
@limits_option
@json_option
def command(source: str, limits: Limits, *, as_json: bool) -> None:
    """Show the skill at PATH: what it says, what it holds, and which clients load it.

    PATH is a skill's directory, a SKILL.md, a .zip, .tar.gz or .json bundle, or
    git:REPO[@REVISION][:PATH].
    """
    found = get_only_package(open_source(source, limits=limits))
    shown = show_skill(found, judgement=Judgement(limits=limits))
    if as_json:
        echo_json(shown.to_json())
        return
    for line in _lines(shown):
        click.echo(line)


def _lines(shown: ShownSkill) -> list[str]:
    return [*_facts(shown), "", *_files(shown), "", *_clients(shown), "", _findings(shown)]


def _facts(shown: ShownSkill) -> list[str]:
    manifest = shown.checked.manifest
    width = shutil.get_terminal_size((100, 24)).columns
    lines = [click.style(visible(manifest.name if manifest else shown.location), bold=True)]
    if manifest:
        lines += click.wrap_text(
            visible(manifest.description), width, initial_indent="  ", subsequent_indent="  "
        ).split("\n")
    lines.append("")
    lines += [f"  {label:<12} {visible(value)}" for label, value in shown.facts()]
    return lines


def _files(shown: ShownSkill) -> list[str]:
    files = shown.checked.package.files
    lines = [f"Files ({len(files)}, {shown.checked.package.size:,} bytes)"]
    for path, file in files.items():
        mark = " *" if file.executable else ""
        lines.append(f"  {len(file.content):>9,}  {visible(path)}{mark}")
    return lines


def _clients(shown: ShownSkill) -> list[str]:
    if not shown.verdicts:
        return ["Clients", "  SKILL.md could not be read, so nobody can tell"]
    lines = ["Clients"]
    width = max(len(title) for title, _ in shown.verdicts)
    for title, verdict in shown.verdicts:
        mark = click.style("✓", fg="green") if verdict.loads else click.style("✗", fg="red")
        said = f"as {verdict.name}" if verdict.loads else verdict.reason
        lines.append(f"  {mark} {title:<{width}}  {visible(said or '')}")
    return lines


def _findings(shown: ShownSkill) -> str:
    count = {
        severity: sum(one.severity is severity for one in shown.checked.diagnostics)
        for severity in Severity
    }
    if not any(count.values()):
        return "No problems found"
    parts = [
        f"{number} {one.value}{'s' * (number != 1)}" for one, number in count.items() if number
    ]
    return f"{', '.join(parts)}: run `skillyard check {visible(shown.location)}`"
