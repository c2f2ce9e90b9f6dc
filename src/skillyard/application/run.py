"""Run a program with exactly the skills that someone has.

- Whatever can fail is tried before the program is started; a run that was not started says why.
- What the run is given is in the store before the start, so that it can be had again byte for byte.
- However a run ends, `post_run` hooks are run, what was done is kept, and nothing else is left.
"""

from contextlib import ExitStack
from dataclasses import dataclass, replace

from skillyard.application.choosing import ChosenSkills, SkillChoice, choose_skills
from skillyard.application.run_course import RunCourse, Tell
from skillyard.application.run_plan import RunPlanner, preview_places
from skillyard.application.run_record import RunRecord
from skillyard.application.run_wish import Outside, RunAgent
from skillyard.domain.delivery import DeliveryPlan, Mode
from skillyard.domain.errors import NotFoundError
from skillyard.domain.hook import Hook
from skillyard.domain.records import Node
from skillyard.domain.run import Run, WorkspaceMode
from skillyard.providers.naming import find_provider
from skillyard.providers.setting import PROMPT


def _say_nothing(run: Run) -> None:
    del run


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """What a run would be: paths in it begin with `<run>`."""

    run: Run
    plan: DeliveryPlan
    hooks: tuple[Hook, ...] = ()


def preview_run(wish: RunAgent, *, choice: SkillChoice, outside: Outside) -> PlannedRun:
    """Say what a run would be given and where; nothing is made or kept.

    Raises:
        ResolutionError: Something that is required cannot be had, or not be delivered.
    """
    record = RunRecord(_draft(wish, outside), outside)
    planner, plan = _choose(wish, choice, outside, record)
    record.learn_plan(plan, wish)
    hooks = _list_hooks(wish, planner.chosen, outside)
    return PlannedRun(run=record.run, plan=plan, hooks=hooks)


def run_agent(
    wish: RunAgent, *, choice: SkillChoice, outside: Outside, tell: Tell | None = None
) -> Run:
    """Run a program to its end, and give what is known of the run then.

    A run that could not be started is recorded as well, with the reason, as far as the store can be
    reached; nothing else is left of it.

    Raises:
        NotFoundError: There is no such agent, team or node.
        ResolutionError: Something that is required cannot be had, or not be delivered.
        HookFailedError: A hook before the start failed.
        WorkspaceUnavailableError: What it should work on cannot be had.
        CommandNotStartedError: The program cannot be started.
    """
    record = RunRecord(_draft(wish, outside), outside, receipt=wish.receipt)
    with ExitStack() as stack:
        try:
            planner, _ = _choose(wish, choice, outside, record)
            hooks = _list_hooks(wish, planner.chosen, outside)
            ground = stack.enter_context(outside.grounds.make(record.run.id))
        except NotFoundError:
            raise
        except BaseException as error:
            record.fail(error)
            raise
        course = RunCourse(
            wish,
            planner,
            hooks,
            record=record,
            ground=ground,
            outside=outside,
            tell=tell or _say_nothing,
        )
        return course.go()


def _draft(wish: RunAgent, outside: Outside) -> Run:
    return Run(
        id=outside.ids.new_id(),
        root="",
        host=wish.host,
        agent=wish.skills.agent,
        subjects=(),
        provider=_find_provider(wish) or PROMPT,
        mode=Mode.NATIVE,
        manifest_hash="",
        workspace=wish.workspace or WorkspaceMode.EMPTY,
        project=wish.project,
        command=wish.command,
        created_at=outside.clock.now(),
    )


def _find_provider(wish: RunAgent) -> str | None:
    return wish.provider or find_provider(wish.command)


def _choose(
    wish: RunAgent, choice: SkillChoice, outside: Outside, record: RunRecord
) -> tuple[RunPlanner, DeliveryPlan]:
    """Choose the skills, and see that they can be delivered before anything is made."""
    asked = replace(wish.skills, provider=_find_provider(wish))
    chosen = choose_skills(asked, on_invalid=wish.policy, choice=choice, shelves=outside.shelves)
    mode = wish.workspace or outside.workspaces.choose(wish.project)
    record.learn_choice(chosen, mode)
    planner = RunPlanner(wish, chosen, outside=outside, mode=mode)
    return planner, planner.plan(preview_places(wish, mode))


def _list_hooks(wish: RunAgent, chosen: ChosenSkills, outside: Outside) -> tuple[Hook, ...]:
    request = chosen.resolved.request
    agent = request.agent.hooks if request.agent else ()
    return (*agent, *_list_node_hooks(request.node, outside), *wish.hooks)


def _list_node_hooks(name: str | None, outside: Outside) -> tuple[Hook, ...]:
    if name is None:
        return ()
    with outside.store.view() as view:
        node = view.records.find(Node, name)
    return node.hooks if node else ()
