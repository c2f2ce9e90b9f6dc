"""Say where an agent sees its skills."""

from skillyard.application.ports.store import Store
from skillyard.application.resolve import ResolveSkills, to_request
from skillyard.domain.records import Agent, Sandbox


def find_skills_path(wish: ResolveSkills, *, store: Store) -> str | None:
    """Give where the agent sees the skills of the store: as the wish says, or its one sandbox.

    None means that it is not known: there is no agent, or it has no sandbox, or several.

    Raises:
        RecordNotFoundError: There is no such agent, team, workspace or node.
        InvalidFactError: The wish says something else than the records of those whom it names.
    """
    if wish.skills_path is not None or (wish.agent is None and wish.node is None):
        return wish.skills_path
    with store.view() as view:
        agent = to_request(wish, transaction=view).agent
        users = view.records.list_users(Agent, agent.name) if agent else ()
    paths = [one.skills_path for one in users if isinstance(one, Sandbox)]
    return paths[0] if len(paths) == 1 else None
