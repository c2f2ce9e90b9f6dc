"""`skillyard files`: list, print, add and remove the files of a skill."""

import sys
from base64 import b64encode
from pathlib import Path

import click

from skillyard.application.editing import EditSkill
from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skill_options import (
    message_option,
    other_limits_option,
    skill_argument,
    to_version,
    version_option,
)
from skillyard.cli.skills_view import count, echo_saved, to_json_file
from skillyard.cli.yard import opened_yard
from skillyard.domain.limits import Limits
from skillyard.domain.package import PackageFile
from skillyard.domain.text import visible
from skillyard.domain.version import Version

_BASE_HELP = "The version that you started from; if another one is current, nothing is saved."
_NOT_TEXT = "it is not a text; send it to a file: `skillyard files cat … > FILE`"


@click.group("files", cls=KnowingGroup)
def command() -> None:
    """List, print, add and remove the files of a skill; each change is a new version."""


@command.command("list")
@skill_argument
@version_option("Which version; by default, the current one.")
@json_option
def list_(skill: str, version: Version | None, *, as_json: bool) -> None:
    """List the files of SKILL with their sizes; a star marks those that may be executed."""
    with opened_yard() as yard:
        details = yard.get(skill, version=version)
    files = details.listing.files
    if as_json:
        echo_json(
            {
                "slug": details.skill.slug,
                "owner": details.skill.owner,
                "version": str(details.version.version),
                "digest": str(details.version.digest),
                "files": [to_json_file(one) for one in files],
            }
        )
        return
    for one in files:
        click.echo(f"{one.size:>9,}  {visible(one.path)}{' *' * one.executable}")
    size = details.listing.size
    click.echo(f"{count(len(files), 'file')}, {count(size, 'byte')}", err=True)


@command.command("cat")
@skill_argument
@click.argument("path")
@version_option("Which version; by default, the current one.")
@json_option
def cat(skill: str, path: str, version: Version | None, *, as_json: bool) -> None:
    """Print the file PATH of SKILL: byte for byte, unless a terminal would act on it."""
    with opened_yard() as yard:
        file = yard.read_file(skill, path, version=version)
    if as_json:
        echo_json({"path": path, **_to_json_content(file)})
    elif sys.stdout.isatty():
        _show(path, file)
    else:
        click.echo(file.content, nl=False)


def _show(path: str, file: PackageFile) -> None:
    text = _find_text(file)
    if text is None:
        raise click.BadParameter(_NOT_TEXT, param_hint=path)
    for line in text.removesuffix("\n").split("\n"):
        click.echo("\t".join(map(visible, line.removesuffix("\r").split("\t"))))


def _find_text(file: PackageFile) -> str | None:
    try:
        return file.content.decode()
    except UnicodeDecodeError:
        return None


def _to_json_content(file: PackageFile) -> dict[str, object]:
    text = _find_text(file)
    return {
        "size": len(file.content),
        "executable": file.executable,
        "encoding": "base64" if text is None else "utf-8",
        "content": b64encode(file.content).decode() if text is None else text,
    }


@command.command("put")
@skill_argument
@click.argument("path")
@click.option(
    "--from",
    "origin",
    type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True),
    help="The file to read; without it, or as -, standard input.",
)
@click.option(
    "--executable/--no-executable",
    default=None,
    help="Whether it may be executed; by default, as FILE or the file in its place is.",
)
@click.option("--base", metavar="V", callback=to_version, help=_BASE_HELP)
@message_option
@other_limits_option
@dry_run_option
@json_option
def put(
    skill: str,
    path: str,
    origin: Path | None,
    base: Version | None,
    message: str,
    limits: Limits | None,
    *,
    executable: bool | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put a file into SKILL at PATH, in the place of the one that is there."""
    mode = _find_mode(origin) if executable is None else executable
    with opened_yard() as yard:
        yard.limits = limits or yard.limits
        content = _read(origin, most=yard.limits.file_limit(path))
        wish = EditSkill(
            reference=skill,
            put={path: content if mode is None else PackageFile(content, executable=mode)},
            base=base,
            message=message,
            judgement=yard.judgement,
        )
        saved = yard.edit(wish, dry_run=dry_run)
    echo_saved(saved, dry_run=dry_run, as_json=as_json)


def _read(origin: Path | None, *, most: int) -> bytes:
    """Read one byte more than is allowed at most: enough to be refused."""
    if origin is None or str(origin) == "-":
        return sys.stdin.buffer.read(most + 1)
    with origin.open("rb") as file:
        return file.read(most + 1)


def _find_mode(origin: Path | None) -> bool | None:
    """Tell whether a file is executable; None where the bytes come without one."""
    if origin is None or str(origin) == "-":
        return None
    # One that is not leaves the mode of the file that it replaces alone.
    return bool(origin.stat().st_mode & 0o111) or None


@command.command("remove")
@skill_argument
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--base", metavar="V", callback=to_version, help=_BASE_HELP)
@message_option
@other_limits_option
@dry_run_option
@json_option
def remove(
    skill: str,
    paths: tuple[str, ...],
    base: Version | None,
    message: str,
    limits: Limits | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Remove each file PATH from SKILL."""
    with opened_yard() as yard:
        yard.limits = limits or yard.limits
        wish = EditSkill(
            reference=skill,
            removed=tuple(dict.fromkeys(paths)),
            base=base,
            message=message,
            judgement=yard.judgement,
        )
        saved = yard.edit(wish, dry_run=dry_run)
    echo_saved(saved, dry_run=dry_run, as_json=as_json)
