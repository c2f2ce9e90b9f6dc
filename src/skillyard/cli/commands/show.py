"""`skillyard show`: show one skill, of the store or at a path."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from skillyard.application.bundles import get_only_package
from skillyard.application.catalogue import SkillDetails, read_file, read_skill
from skillyard.application.show import ShownSkill, show_skill
from skillyard.cli.clients_view import judge_for_clients, render_clients
from skillyard.cli.facts_view import render_facts
from skillyard.cli.failures import add_hint
from skillyard.cli.options import echo_json, json_option, limits_option
from skillyard.cli.skill_options import complete_skills, version_option
from skillyard.cli.sources import open_place
from skillyard.cli.store import find_settings, opened_store
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import (
    CorruptedContentError,
    NotFoundError,
    SkillNotFoundError,
    UnavailableError,
)
from skillyard.domain.limits import Limits
from skillyard.domain.names import is_name
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.text import visible
from skillyard.domain.version import Version
from skillyard.skillmd.check import Judgement

# What may name a skill, and neither looks like a file nor like a place: `PDF`, `acme/pdf`.
_REFERENCE = re.compile(r"(?![.~])(?:[^/\\:]{1,128}/)?[A-Za-z0-9_-]{1,64}")
_IN_FILE = "sqlite:///"


@click.command("show")
@click.argument("source", metavar="SKILL|PATH", shell_complete=complete_skills)
@version_option("Which version of a skill of the store; by default, the current one.")
@limits_option
@json_option
def command(source: str, version: Version | None, limits: Limits, *, as_json: bool) -> None:
    """Show a skill of the store, or the one at PATH.

    A bare name is a skill of the store, if there is one, and a path otherwise; `./NAME` is always a
    path. PATH is a skill's directory, a SKILL.md, a .zip, .tar.gz or .json bundle, or
    git:REPO[@REVISION][:PATH]: what it says, what it holds, and which clients load it.
    """
    stored = _find_stored(source, version)
    if stored is not None:
        _echo_stored(stored, as_json=as_json)
        return
    found = get_only_package(open_place(source, limits=limits))
    shown = show_skill(found, judgement=Judgement(limits=limits))
    if as_json:
        echo_json(shown.to_json())
        return
    for line in _lines(shown):
        click.echo(line)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A skill of the store, and its SKILL.md if it can be read."""

    details: SkillDetails
    skill_md: bytes | None


def _find_stored(text: str, version: Version | None) -> _Stored | None:
    """Give the skill of the store that `text` names; None where it names a path.

    Raises:
        SkillNotFoundError: It can only be a skill of the store, and there is none.
    """
    if version is not None:
        return _read(text, version)
    if not _is_path(text):
        return _read(text, None) if is_name(text) else _find_other(text)
    found = _try_to_read(text) if is_name(text) else None
    if found is not None:
        _say_which(text)
    return found


def _find_other(text: str) -> _Stored | None:
    """Give the skill that `text` names, which is no path, and no plain name either."""
    if not _REFERENCE.fullmatch(text):
        return None
    if not _is_there_a_store():
        raise _not_found(text, near=())
    try:
        return _read(text, None)
    except SkillNotFoundError as error:
        raise _not_found(text, near=error.near or _guess(text)) from error


def _guess(text: str) -> Sequence[str]:
    meant = (text.lower(), text.lower().rpartition("/")[2])
    return [one for one in dict.fromkeys(meant) if one != text and _try_to_read(one)][:1]


def _not_found(text: str, *, near: Sequence[str]) -> SkillNotFoundError:
    error = SkillNotFoundError(text, near=near)
    add_hint(error, f"There is no path `{text}` either")
    return error


def _is_path(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _say_which(text: str) -> None:
    click.echo(f"note: this is the skill of the store; `./{text}` names the path\n", err=True)


def _try_to_read(reference: str) -> _Stored | None:
    # To look at a path, no store is made, nor needed.
    if not _is_there_a_store():
        return None
    try:
        return _read(reference, None)
    except (SkillNotFoundError, UnavailableError):
        return None


def _is_there_a_store() -> bool:
    url = find_settings().database_url
    return not url.startswith(_IN_FILE) or Path(url.removeprefix(_IN_FILE)).exists()


def _read(reference: str, version: Version | None) -> _Stored:
    with opened_store() as store:
        details = read_skill(reference, store=store, version=version)
        shown = details.version.version
        try:
            file = read_file(details.skill.id, SKILL_MD, store=store, version=shown)
        except (CorruptedContentError, NotFoundError):
            # `skillyard doctor` is for that; the rest can be shown all the same.
            return _Stored(details, None)
        return _Stored(details, file.content)


def _echo_stored(stored: _Stored, *, as_json: bool) -> None:
    from skillyard.cli.stored_view import render_stored, to_json_stored

    details, content = stored.details, stored.skill_md
    verdicts = () if content is None else judge_for_clients(content, details.skill.slug)
    if as_json:
        echo_json(to_json_stored(details, verdicts))
        return
    for line in render_stored(details, verdicts, width=_find_width()):
        click.echo(line)


def _find_width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _lines(shown: ShownSkill) -> list[str]:
    clients = render_clients(shown.verdicts)
    return [*_facts(shown), "", *_files(shown), "", *clients, "", _findings(shown)]


def _facts(shown: ShownSkill) -> Sequence[str]:
    manifest = shown.checked.manifest
    lines = [click.style(visible(manifest.name if manifest else shown.location), bold=True)]
    if manifest:
        lines += click.wrap_text(
            visible(manifest.description),
            _find_width(),
            initial_indent="  ",
            subsequent_indent="  ",
        ).split("\n")
    lines.append("")
    lines += render_facts(shown.facts(), width=_find_width())
    return lines


def _files(shown: ShownSkill) -> list[str]:
    files = shown.checked.package.files
    lines = [f"Files ({len(files)}, {shown.checked.package.size:,} bytes)"]
    for path, file in files.items():
        mark = " *" if file.executable else ""
        lines.append(f"  {len(file.content):>9,}  {visible(path)}{mark}")
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
