"""`skillyard digest`: print digests."""

import click

from skillyard.bootstrap import open_source
from skillyard.cli.options import PATH_HELP, echo_json, json_option, limits_option
from skillyard.cli.progress import with_progress
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.contentkey import content_key


@click.command("digest", epilog=PATH_HELP)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--content-key",
    "by_key",
    is_flag=True,
    help="Print the key that copies share, whatever an installer wrote into their front matter.",
)
@limits_option
@json_option
def command(paths: tuple[str, ...], limits: Limits, *, by_key: bool, as_json: bool) -> None:
    """Print the digest of the skill at each PATH.

    Two skills have the same digest if, and only if, they hold the same bytes and the same
    executable bits at the same paths.
    """
    rows = []
    for path in paths:
        source = open_source(path, limits=limits)
        for found in with_progress(source.iter_packages(), label="digested"):
            package = found.taken.require(found.location)
            digest = content_key(package) if by_key else package.digest()
            rows.append((found.location, str(digest)))
            if not as_json:
                click.echo(f"{digest}  {visible(found.location)}")
    if as_json:
        echo_json({"packages": [{"path": path, "digest": digest} for path, digest in rows]})
