"""Who belongs where, and which skills reach someone from there.

This lists what is assigned. Which of it is loaded is decided for each run.
"""

from collections.abc import Mapping, Sequence

from skillyard.cli.assignment_view import ReachingSkill
from skillyard.domain.assignment import GLOBAL, Assignment, Subject, SubjectKind
from skillyard.domain.obstacle import iter_obstacles
from skillyard.domain.records import Agent, AnyRecord, Node, Record, Team
from skillyard.yard import Skillyard

Members = Mapping[str, Sequence[str]]
"""The names of what belongs to something, by the word for many of the kind."""


def list_members_of_team(name: str, yard: Skillyard) -> Members:
    """Give the agents of a team."""
    return {"agents": [one.name for one in yard.list_records(Agent) if one.team == name]}


def list_members_of_workspace(name: str, yard: Skillyard) -> Members:
    """Give what is in a workspace."""
    place = {"workspace": name}
    return {
        "teams": [one.name for one in choose_records(Team, place, yard)],
        "agents": [one.name for one in choose_records(Agent, place, yard)],
        "nodes": [one.name for one in choose_records(Node, place, yard)],
    }


def choose_records(
    kind: type[AnyRecord], wanted: Mapping[str, str], yard: Skillyard
) -> Sequence[AnyRecord]:
    """Give the records that belong to everything in `wanted`, which maps fields to names.

    An agent that names no workspace works in its team's.
    """
    places = {one.name: one.workspace for one in yard.list_records(Team)}

    def belongs(record: object, field: str) -> object:
        said = getattr(record, field)
        if said is None and field == "workspace" and isinstance(record, Agent):
            return places.get(record.team or "")
        return said

    return [
        one
        for one in yard.list_records(kind)
        if all(belongs(one, field) == name for field, name in wanted.items())
    ]


def list_scopes(record: Record, yard: Skillyard) -> Sequence[Subject]:
    """Give the less specific subjects whose skills reach an agent, the most specific first.

    An agent that names no workspace works in its team's.
    """
    if not isinstance(record, Agent):
        return ()
    team = yard.get_record(Team, record.team) if record.team else None
    workspace = record.workspace or (team.workspace if team else None)
    return (
        *([Subject(SubjectKind.TEAM, team.name)] if team else []),
        *([Subject(SubjectKind.WORKSPACE, workspace)] if workspace else []),
        GLOBAL,
    )


def list_reaching(
    assignments: Sequence[Assignment], *, record: Record, yard: Skillyard
) -> list[ReachingSkill]:
    """Give assignments with what keeps their skills from being loaded by `record`."""
    agent = record if isinstance(record, Agent) else None
    return [_find_obstacles(one, agent, yard) for one in assignments]


def _find_obstacles(one: Assignment, agent: Agent | None, yard: Skillyard) -> ReachingSkill:
    skill = yard.get(one.skill_id).skill
    saved = yard.history(one.skill_id).versions if one.constraint else ()
    versions = [version.version for version in saved]
    return ReachingSkill(one, tuple(iter_obstacles(skill, one, versions=versions, agent=agent)))
