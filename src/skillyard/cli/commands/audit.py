"""`skillyard audit`: show who changed what, and when."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import click

from skillyard.cli.options import WholeNumber, echo_json, json_option
from skillyard.cli.skills_view import say_note
from skillyard.cli.tables import drop_columns, render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.domain.audit import AuditEntry, AuditFilter
from skillyard.domain.digest import TreeDigest
from skillyard.domain.limits import LARGEST_NUMBER

_HEADERS: Final = ("Time", "Who", "What", "Target", "Content", "Details")
_LEAST_WIDTHS: Final = {"Content": 110}
_SHORT: Final = 12


class _Moment(click.ParamType[datetime]):
    """A time or a date in ISO 8601; UTC where it names no zone."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """See `click.ParamType.convert`."""
        try:
            moment = datetime.fromisoformat(str(value))
            with_zone = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return with_zone.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"'{value}' is no time such as 2026-01-31 or 2026-01-31T09:30Z", param, ctx)


@click.command("audit")
@click.option("--skill", metavar="SKILL", help="What happened to this skill, even if deleted.")
@click.option("--target", metavar="TARGET", help="What happened to this: agent:NAME, skill:SLUG.")
@click.option("--actor", metavar="NAME", help="What this person or program did.")
@click.option("--action", metavar="PREFIX", help="One kind of change: skill, skill.saved.")
@click.option("--since", type=_Moment(), help="From this time on, or this date; UTC if no zone.")
@click.option(
    "--most",
    type=WholeNumber(1, LARGEST_NUMBER),
    default=50,
    show_default=True,
    metavar="N",
    help="How many entries, at most.",
)
@json_option
def command(
    skill: str | None,
    target: str | None,
    actor: str | None,
    action: str | None,
    since: datetime | None,
    most: int,
    *,
    as_json: bool,
) -> None:
    """Show who changed what, and when; the newest first."""
    if skill is not None and target is not None:
        message = "use only one of --skill, --target"
        raise click.UsageError(message, click.get_current_context())
    with opened_yard() as yard:
        if skill is not None:
            target = f"skill:{yard.audited_skill(skill)}"
        wanted = AuditFilter(target=target, actor=actor, action=action, since=since)
        found = yard.audit(wanted, most=most + 1)
    if as_json:
        echo_json({"entries": list(map(_to_json, found[:most])), "more": len(found) > most})
        return
    _print(found[:most], more=len(found) > most)


def _print(entries: Sequence[AuditEntry], *, more: bool) -> None:
    if not entries:
        click.echo("Nothing happened that fits", err=True)
        return
    width = find_width()
    all_rows = [_row(one) for one in entries]
    headers, rows = drop_columns(_HEADERS, all_rows, width=width, least=_LEAST_WIDTHS)
    for line in render_table(headers, rows, width=width, flexible=("Details",)):
        click.echo(line)
    if more:
        say_note("there is more; `--most` shows it")


def _row(entry: AuditEntry) -> tuple[str, ...]:
    details = ", ".join(f"{name}: {value}" for name, value in entry.details.items())
    at = entry.at.strftime("%Y-%m-%d %H:%M:%SZ")
    return at, entry.actor, entry.action, entry.target, _change(entry), details


def _change(entry: AuditEntry) -> str:
    if entry.before == entry.after:
        return _shorten(entry.after) if entry.after else ""
    return f"{_shorten(entry.before)} → {_shorten(entry.after)}"


def _shorten(digest: TreeDigest | None) -> str:
    return str(digest).partition(":")[2][:_SHORT] if digest else "none"


def _to_json(entry: AuditEntry) -> Mapping[str, object]:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "actor": entry.actor,
        "door": entry.door,
        "action": entry.action,
        "target": entry.target,
        "skill_id": entry.skill_id,
        "before": str(entry.before) if entry.before else None,
        "after": str(entry.after) if entry.after else None,
        "details": entry.details,
    }
