"""`skillyard archive`: put skills away, or take them out again."""

import click

from skillyard.application.change import ChangedSkill
from skillyard.cli.options import dry_run_option, json_option
from skillyard.cli.several import Words, change_each
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.yard import opened_yard
from skillyard.domain.facts import FactChanges
from skillyard.domain.skill import SkillStatus
from skillyard.yard import Skillyard

_AWAY = Words(wish="archive", done="archived", already="archived")
_BACK = Words(wish="restore", done="restored", already="out of the archive")


@click.command("archive")
@skills_argument
@click.option("--undo", is_flag=True, help="Take them out of the archive again.")
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, skills: tuple[str, ...], *, undo: bool, dry_run: bool, as_json: bool
) -> None:
    """Put each SKILL away: nobody uses it, and lists leave it out; nothing is lost."""
    with opened_yard() as yard:
        change = _restore if undo else Skillyard.archive
        status = change_each(
            skills,
            lambda one: change(yard, one, dry_run=dry_run),
            _BACK if undo else _AWAY,
            dry_run=dry_run,
            as_json=as_json,
        )
    ctx.exit(status)


def _restore(yard: Skillyard, reference: str, *, dry_run: bool) -> ChangedSkill:
    skill = yard.get(reference).skill
    if skill.facts.status is not SkillStatus.ARCHIVED:
        # A draft stays a draft.
        return ChangedSkill(before=skill, skill=skill)
    active = FactChanges(status=SkillStatus.ACTIVE)
    return yard.change(skill.id, active, expected=skill.revision, dry_run=dry_run)
