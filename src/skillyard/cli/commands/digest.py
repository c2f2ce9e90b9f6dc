"""`skillyard digest`: print digests."""

import click

from skillyard.cli.failures import find_status, say_error
from skillyard.cli.options import PATH_HELP, echo_json, json_option, limits_option
from skillyard.cli.progress import Progress
from skillyard.cli.sources import open_place
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.contentkey import content_key


@click.command("digest", epilog=PATH_HELP)
@click.argument("paths", metavar="PATH...", type=click.Path(), nargs=-1, required=True)
@click.option(
    "--content-key",
    "by_key",
    is_flag=True,
    help="Print the key that copies share, whatever an installer wrote into their front matter.",
)
@limits_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, paths: tuple[str, ...], limits: Limits, *, by_key: bool, as_json: bool
) -> None:
    """Print the digest of the skill at each PATH.

    Two skills have the same digest if, and only if, they hold the same bytes and the same
    executable bits at the same paths.
    """
    rows = []
    status = 0
    progress = Progress("digested")
    for path in paths:
        source = open_place(path, limits=limits)
        for found in progress.counting(source.iter_packages()):
            try:
                package = found.taken.require(found.location)
            except InvalidPackageError as error:
                progress.clear()
                say_error(error)
                status = find_status(error)
                continue
            digest = content_key(package) if by_key else package.digest()
            rows.append((found.location, str(digest)))
            if not as_json:
                progress.clear()
                click.echo(f"{digest}  {visible(found.location)}")
    if as_json:
        key = "content_key" if by_key else "digest"
        echo_json({"packages": [{"path": path, key: digest} for path, digest in rows]})
    ctx.exit(status)
