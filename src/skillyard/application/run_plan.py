"""The plan of a run: what the planner is told, and what follows from the plan."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from skillyard.application.choosing import ChosenSkills
from skillyard.application.planning import (
    plan_prepared,
    plan_run,
    prepare_skills,
    search_of,
    settings_of,
)
from skillyard.application.ports.workspace import PreparedWorkspace, SkillSearch, Walk
from skillyard.application.run_wish import Outside, RunAgent
from skillyard.domain.delivery import (
    DeliveryPlan,
    FoundDirectory,
    FoundSettings,
    OnInvalid,
    RunPlaces,
)
from skillyard.domain.errors import DeliveryError, InvalidInputError
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package
from skillyard.domain.run import WorkspaceMode
from skillyard.providers.clients import CLIENTS
from skillyard.providers.fates import PreparedSkill
from skillyard.providers.setting import DeliverySetting

HIDDEN_DIRECTORIES: Final = tuple(
    sorted({path for client in CLIENTS.values() for path in search_of(client).relative})
)
"""Where clients look for skills in a project; a run's own workspace has none of them."""
OWN_VARIABLES: Final = ("SKILLYARD_RUN_ID", "SKILLYARD_RUN_ROOT")
"""What every program of a run is told about it."""
_ROOT: Final = "<run>"
# Shells say by these where they are: that is another place than the run's.
_PLACES: Final = ("PWD", "OLDPWD")
_ANYWHERE: Final = SkillSearch(relative=HIDDEN_DIRECTORIES, walk=Walk.TO_ROOT)


def preview_places(wish: RunAgent, mode: WorkspaceMode) -> RunPlaces:
    """Give the places of a run that is not made yet; its root is called `<run>`."""
    own = f"{_ROOT}/workspace"
    workspace = wish.project if mode is WorkspaceMode.IN_PLACE else own
    return RunPlaces(
        root=_ROOT,
        workspace=workspace,
        home=f"{_ROOT}/home",
        private=f"{_ROOT}/private",
        logs=f"{_ROOT}/logs",
        directory=workspace,
    )


class RunPlanner:
    """Plans what a run is given, as often as that is asked: the skills are read only once."""

    def __init__(
        self, wish: RunAgent, chosen: ChosenSkills, *, outside: Outside, mode: WorkspaceMode
    ) -> None:
        self.chosen = chosen
        self._wish = wish
        self._outside = outside
        self._mode = mode
        self._prepared: tuple[PreparedSkill, ...] | None = None

    def plan(self, places: RunPlaces) -> DeliveryPlan:
        """Plan what the run is given at these places.

        Raises:
            DeliveryError: Something that is required cannot be delivered.
            InvalidInputError: A variable was to be set that the run itself sets.
        """
        setting, limits = self._set(places), self._outside.limits
        if self._prepared is None:
            self._prepared = prepare_skills(self.chosen.skills, setting, limits=limits)
        plan = plan_prepared(self._prepared, setting, limits=limits)
        if plan.problems:
            raise DeliveryError(plan.problems)
        _require_free(self._wish, plan)
        return plan

    def find_in_workspace(self, workspace: PreparedWorkspace) -> tuple[FoundDirectory, ...]:
        """Find the skills that the program would find in a workspace of its own."""
        if workspace.mode is WorkspaceMode.IN_PLACE:
            return ()
        client = CLIENTS.get(self.chosen.provider)
        search = replace(search_of(client) if client else _ANYWHERE, absolute=())
        return self._outside.workspaces.find_skills(workspace.directory, search)

    def _set(self, places: RunPlaces) -> DeliverySetting:
        wish, chosen = self._wish, self.chosen
        agent = chosen.resolved.request.agent
        return DeliverySetting(
            provider=chosen.provider,
            places=places,
            command=wish.command,
            environment=wish.environment,
            passing=frozenset(wish.passed),
            on_invalid=wish.policy,
            can_link=True,
            window=agent.context_window if agent else None,
            found=_find_others(wish, chosen.provider, self._mode, self._outside),
            directed=_find_settings(wish, chosen.provider, self._mode, self._outside),
        )


def _find_others(
    wish: RunAgent, provider: str, mode: WorkspaceMode, outside: Outside
) -> tuple[FoundDirectory, ...]:
    """Give the skills besides: in place those of the project, and always those of the machine."""
    client = CLIENTS.get(provider)
    search = search_of(client) if client else _ANYWHERE
    if mode is not WorkspaceMode.IN_PLACE:
        search = SkillSearch(relative=(), walk=Walk.NEVER, absolute=search.absolute)
    return outside.workspaces.find_skills(wish.project, search)


def _find_settings(
    wish: RunAgent, provider: str, mode: WorkspaceMode, outside: Outside
) -> tuple[FoundSettings, ...]:
    """Give the project's settings that direct which skills are seen; elsewhere they are hidden."""
    if mode is not WorkspaceMode.IN_PLACE:
        return ()
    return outside.workspaces.find_settings(wish.project, settings_of(CLIENTS.get(provider)))


def _require_free(wish: RunAgent, plan: DeliveryPlan) -> None:
    taken = sorted(wish.added.keys() & {*plan.environment, *OWN_VARIABLES})
    if taken:
        message = f"`{taken[0]}` is set by the run itself"
        raise InvalidInputError(message, hints=["Leave it out of the variables to be set"])


def make_environment(
    wish: RunAgent, plan: DeliveryPlan, *, known: Mapping[str, str]
) -> dict[str, str]:
    """Give all variables that programs of a run are started with.

    Those that are `known` about the workspace count least: the user may say otherwise.
    """
    dropped = {*plan.dropped, *_PLACES}
    passed = {name: value for name, value in wish.environment.items() if name not in dropped}
    return {**known, **passed, **wish.added, **plan.environment}


def list_contents(plan: DeliveryPlan, chosen: ChosenSkills) -> tuple[Package, ...]:
    """Give the contents that a plan is about: what was decided on, and what is laid out."""
    return tuple(_iter_contents(plan, chosen))


def _iter_contents(plan: DeliveryPlan, chosen: ChosenSkills) -> Iterator[Package]:
    originals = {one.decision.slug: one.package for one in chosen.skills}
    for planned in plan.skills:
        yield originals[planned.slug]
        if planned.is_altered:
            yield planned.package


def plan_delivered(
    chosen: ChosenSkills, *, provider: str, on_invalid: OnInvalid, limits: Limits
) -> DeliveryPlan:
    """Plan what a project of a client is given; prompt text is nothing for it.

    Raises:
        DeliveryError: Something that is required cannot be delivered.
    """
    policy = OnInvalid.LEAVE_OUT if on_invalid is OnInvalid.FALLBACK else on_invalid
    places = preview_places(RunAgent(command=(), project=_ROOT), WorkspaceMode.EMPTY)
    setting = DeliverySetting(provider=provider, places=places, on_invalid=policy)
    plan = plan_run(chosen.skills, setting, limits=limits)
    if plan.problems:
        raise DeliveryError(plan.problems)
    return plan
