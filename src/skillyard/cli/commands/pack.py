"""`skillyard pack`: write a skill as one file."""

from pathlib import Path

import click

from skillyard.application.bundles import PackSkill, pack_skill
from skillyard.bootstrap import open_shelf
from skillyard.cli.findings import say_findings
from skillyard.cli.options import dry_run_option, echo_json, json_option, limits_option
from skillyard.cli.outcomes import count_files
from skillyard.cli.sources import open_place
from skillyard.domain.errors import UnknownFormError
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.bundles import WRITTEN_ENDINGS, Form, find_form_to_write
from skillyard.skillmd.check import Judgement


@click.command("pack")
@click.argument("source", metavar="DIR", type=click.Path())
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; its ending chooses the form.",
)
@click.option(
    "--form",
    type=click.Choice([form.value for form in Form]),
    help="The form, where the file's ending does not say.",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@limits_option
@dry_run_option
@json_option
def command(
    source: str,
    output: Path,
    form: str | None,
    limits: Limits,
    *,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Write the skill in DIR as one file.

    The same content gives the same bytes, whatever the day, the umask and the order of the files.
    DIR may also be a bundle or git:REPO[@REVISION][:PATH].
    """
    wish = PackSkill(
        target=output,
        form=_form(output, form),
        replace=force,
        dry_run=dry_run,
        judgement=Judgement(limits=limits),
    )
    packed = pack_skill(wish, source=open_place(source, limits=limits), shelf=open_shelf())
    if as_json:
        echo_json(
            {
                "path": str(packed.target),
                "form": packed.form.value,
                "digest": str(packed.digest),
                "size": packed.size,
                "files": list(packed.files),
                "dry_run": dry_run,
            }
        )
        return
    say_findings(source, packed.diagnostics)
    verb = "Would write" if dry_run else "Wrote"
    click.echo(
        f"{verb} {visible(str(packed.target))}: {count_files(packed.files)}, {packed.size:,} bytes,"
        f" {packed.digest}"
    )


def _form(output: Path, form: str | None) -> Form:
    said = find_form_to_write(output.name)
    found = Form(form) if form else said
    if found is None:
        raise UnknownFormError(str(output), known=WRITTEN_ENDINGS)
    if said not in (None, found):
        message = f"the file is called {output.name}, but --form says {found}"
        raise click.UsageError(message)
    return found
