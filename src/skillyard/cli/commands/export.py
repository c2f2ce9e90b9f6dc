"""`skillyard export`: write skills of the store as files or directories."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import click

from skillyard.application.exporting import ExportedSkill, ExportSkill
from skillyard.cli.failures import add_hint
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.outcomes import count_files
from skillyard.cli.skill_options import complete_skills, version_option
from skillyard.cli.yard import opened_yard
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.errors import TargetExistsError, UnknownFormError
from skillyard.domain.skill import PEOPLE
from skillyard.domain.text import visible
from skillyard.domain.version import Version
from skillyard.skillmd.bundles import WRITTEN_ENDINGS, Form, find_form_to_write
from skillyard.yard import Skillyard

_STDOUT = "-"
_DIRECTORY = "directory"
_NO_SKILLS = "name the skills to write, or say --all"
_SEVERAL = "several skills need a directory: end it with `/`, or name a directory that exists"


@click.command("export")
@click.argument("skills", metavar="[SKILL]...", nargs=-1, shell_complete=complete_skills)
@click.option("--all", "everything", is_flag=True, help="Every skill that no plugin owns.")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    required=True,
    help="The file or directory to make; for several skills, the directory to make them in;"
    " `-` for standard output.",
)
@click.option(
    "--form",
    type=click.Choice([*(form.value for form in Form), _DIRECTORY]),
    help="The form, where the file's ending does not say.",
)
@version_option("The version to write; without it, the current one.")
@click.option("--force", is_flag=True, help="Replace files that exist; directories never are.")
@dry_run_option
@json_option
def command(
    skills: tuple[str, ...],
    output: str,
    form: str | None,
    version: Version | None,
    *,
    everything: bool,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write each SKILL as a file, or as a directory.

    The ending of PATH chooses between .json, .tar.gz and .zip; a PATH that ends with / or is a
    directory becomes a plain directory. The same version gives the same bytes, on every machine and
    in every store. Assignments are never written.
    """
    if bool(skills) == everything:
        message = "only one of the two: name the skills, or say --all" if skills else _NO_SKILLS
        raise click.UsageError(message)
    several = everything or len(skills) > 1
    if several and version is not None:
        message = "--version is about one skill"
        raise click.UsageError(message)
    if output == _STDOUT:
        _print_bundle(skills, form, version, alone=not (several or as_json or dry_run))
        return
    place = _find_place(output, form, several=several)
    with opened_yard() as yard:
        references = _list_references(yard) if everything else skills
        wishes = [
            ExportSkill(
                reference=reference,
                target=place.target,
                form=place.form,
                inside=place.is_around,
                version=version,
                replace=force,
            )
            for reference in references
        ]
        try:
            _export(yard, wishes, dry_run=dry_run, as_json=as_json)
        except TargetExistsError as error:
            if place.form and not force and Path(error.path).is_file():
                add_hint(error, "`--force` replaces the file")
            raise


def _print_bundle(
    skills: tuple[str, ...], form: str | None, version: Version | None, *, alone: bool
) -> None:
    if not alone or form == _DIRECTORY:
        message = "-o - prints the bundle of one skill, and nothing else"
        raise click.UsageError(message)
    with opened_yard() as yard:
        content = yard.render(skills[0], Form(form or Form.JSON), version=version)
    click.echo(content, nl=False)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where skills go and in which form; without a form, as directories.

    `is_around` where the target is the directory in which each gets its own name.
    """

    target: PurePath
    form: Form | None
    is_around: bool


def _find_place(output: str, form: str | None, *, several: bool) -> _Place:
    target = Path(output)
    is_directory = output.endswith("/") or target.is_dir()
    if several and not is_directory and find_form_to_write(target.name):
        raise click.UsageError(_SEVERAL)
    if form == _DIRECTORY or (form is None and (several or is_directory)):
        return _Place(target, None, several)
    said = None if several or is_directory else find_form_to_write(target.name)
    if form is None and said is None:
        error = UnknownFormError(output, known=WRITTEN_ENDINGS)
        add_hint(error, "For a directory, end it with `/`, or use --form directory")
        raise error
    chosen = Form(form) if form else said
    if said not in (None, chosen):
        message = f"the file is called {target.name}, but --form says {chosen}"
        raise click.UsageError(message)
    return _Place(target, chosen, several or is_directory)


def _list_references(yard: Skillyard) -> Sequence[str]:
    page = yard.list(SkillFilter(owner=PEOPLE, archived=True))
    return [one.reference for one in page.entries]


def _export(
    yard: Skillyard, wishes: Sequence[ExportSkill], *, dry_run: bool, as_json: bool
) -> None:
    told = []
    for one in yard.export(wishes, dry_run=dry_run):
        if as_json:
            told.append(_to_json(one))
        else:
            click.echo(_render(one, dry_run=dry_run))
    if as_json:
        echo_json({"skills": told, "dry_run": dry_run})


def _render(one: ExportedSkill, *, dry_run: bool) -> str:
    wish, done = ("Would write", "Wrote") if one.form else ("Would make", "Made")
    beside = "".join(f" and {path}" for path in one.generated)
    files = [path for path in one.files if path not in one.generated]
    return visible(
        f"{wish if dry_run else done} {one.target}: {one.reference} {one.version},"
        f" {count_files(files)}{beside}, {one.size:,} bytes, {one.digest}"
    )


def _to_json(one: ExportedSkill) -> dict[str, object]:
    return {
        "path": str(one.target),
        "form": one.form.value if one.form else _DIRECTORY,
        "reference": one.reference,
        "version": str(one.version),
        "digest": str(one.digest),
        "size": one.size,
        "files": one.files,
        "generated": one.generated,
    }
