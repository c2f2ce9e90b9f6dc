"""The course of a run on its ground: prepared, started, and ended."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from skillyard.application.planning import settings_of
from skillyard.application.ports.ground import RunGround
from skillyard.application.ports.workspace import PreparedWorkspace
from skillyard.application.run_plan import (
    HIDDEN_DIRECTORIES,
    OWN_VARIABLES,
    RunPlanner,
    list_contents,
    make_environment,
)
from skillyard.application.run_record import RunRecord
from skillyard.application.run_wish import Outside, RunAgent
from skillyard.domain.client import SkillSettings
from skillyard.domain.delivery import DeliveryPlan, Note, NoteKind, PlannedSkill
from skillyard.domain.errors import HookAddedSkillsError, HookFailedError, SkillyardError
from skillyard.domain.hook import Hook, Stage
from skillyard.domain.receipt import render_receipt
from skillyard.domain.run import Run, RunStatus, SeenChange
from skillyard.domain.skill import InstallStrategy
from skillyard.providers.clients import CLIENTS

RECEIPT: Final = "receipt.json"
_SHELL: Final = ("/bin/sh", "-c")

Tell = Callable[[Run], None]
"""Be told of a run at the moment at which its program is started."""


class RunCourse:
    """One run, from its preparation to its end."""

    def __init__(  # noqa: PLR0913 (all of it is what a run is about)
        self,
        wish: RunAgent,
        planner: RunPlanner,
        hooks: tuple[Hook, ...],
        *,
        record: RunRecord,
        ground: RunGround,
        outside: Outside,
        tell: Tell,
    ) -> None:
        self._wish = wish
        self._planner = planner
        self._hooks = hooks
        self._record = record
        self._ground = ground
        self._outside = outside
        self._tell = tell
        self._plan: DeliveryPlan | None = None
        self._workspace: PreparedWorkspace | None = None
        self._environment: dict[str, str] | None = None
        self._directories: tuple[str, ...] = ()
        self._interrupted_in: Stage | None = None

    def go(self) -> Run:
        """Prepare, start and end the run; what keeps it from being started is raised at the end."""
        try:
            plan = self._prepare()
            self._start(plan)
        except BaseException as error:
            self._record.fail(error)
            if self._interrupted_in is not None:
                said = f"it was interrupted in the hook `{self._interrupted_in}`"
                self._record.learn(failure=said)
            # What went wrong first is what counts; what is left then is for the next sweep.
            with suppress(SkillyardError):
                self._end(is_failed=True)
            raise
        self._end(is_failed=False)
        return self._record.run

    def _prepare(self) -> DeliveryPlan:
        self._record.learn(root=self._ground.places.root)
        if self._wish.keep:
            self._ground.keep()
            self._record.learn(is_kept=True)
        if self._hooks:
            self._learn(self._make_environment())
        self._run_hooks(Stage.PRE_INIT)
        self._fill_workspace()
        self._run_hooks(Stage.INIT)
        plan = self._lay_out()
        self._run_hooks(Stage.POST_INIT)
        return plan

    def _make_environment(self) -> DeliveryPlan:
        plan = self._planner.plan(self._ground.places)
        self._directories = plan.directories
        made = make_environment(self._wish, plan, known=self._known)
        self._environment = {**made, **self._own_variables}
        return plan

    @property
    def _own_variables(self) -> Mapping[str, str]:
        """By these a program knows its run, and we know our programs."""
        values = (self._record.run.id, self._ground.places.root)
        return dict(zip(OWN_VARIABLES, values, strict=True))

    @property
    def _known(self) -> Mapping[str, str]:
        return self._workspace.variables if self._workspace else {}

    def _fill_workspace(self) -> None:
        ready = self._outside.workspaces.prepare(
            self._record.run.workspace,
            project=self._wish.project,
            target=self._ground.places.workspace,
            hide=HIDDEN_DIRECTORIES,
            name=self._name,
            settings=self._settings,
        )
        self._workspace = ready
        self._ground.start_in(ready.path, ready.directory)
        self._record.note(ready.notes)

    @property
    def _settings(self) -> tuple[SkillSettings, ...]:
        return settings_of(CLIENTS.get(self._record.run.provider))

    def _lay_out(self) -> DeliveryPlan:
        plan = self._make_environment()
        self._learn(plan)
        written = self._ground.lay_out(plan, link=self._link, environment=self._wish.environment)
        self._plan = plan
        self._record.learn(files=written.files)
        self._record.note(written.notes)
        return plan

    def _learn(self, plan: DeliveryPlan) -> None:
        self._record.learn_plan(plan, self._wish, known=self._known)
        self._record.hold(list_contents(plan, self._planner.chosen))

    def _link(self, skill: PlannedSkill) -> Path | None:
        if skill.strategy is not InstallStrategy.LINK:
            return None
        found = self._outside.cache.lay_down(skill.delivered, lambda: skill.package)
        if found is None:
            self._record.learn_copied(skill.slug)
        return found

    def _start(self, plan: DeliveryPlan) -> None:
        self._record.learn(started_at=self._outside.clock.now())
        # Whatever happens from here on, it is known what the program was given.
        self._record.keep()
        self._record.write_receipt()
        self._write_receipt()
        self._tell(self._record.run)
        # A program may run for days, and a server has connections for so many.
        self._outside.store.rest()
        status = self._ground.launch(plan.command, self._environment or {})
        self._record.learn(status=RunStatus.ENDED, exit_status=status)

    def _end(self, *, is_failed: bool) -> None:
        self._record.note(self._ground.end_processes())
        if self._plan is not None:
            self._record.learn(changes=self._find_changes())
        self._run_last_hooks()
        self._record.note(self._ground.end_processes())
        self._conclude_workspace()
        self._drop_logins()
        self._record.learn(ended_at=self._outside.clock.now())
        self._keep_end(is_failed=is_failed)
        self._clean_up()

    def _find_changes(self) -> tuple[SeenChange, ...]:
        """Compare the skills of the run's home with those that were laid out, if they were."""
        skills = self._plan.skills if self._plan else ()
        return self._ground.find_changes(skills, self._directories)

    def _run_hooks(self, stage: Stage) -> None:
        hooks = self._list_hooks(stage)
        for number, hook in enumerate(hooks, 1):
            log = f"{stage}-{number}.log"
            status = self._run_step(hook, log)
            if status != 0:
                shown = f"{self._ground.places.logs}/{log}" if self._is_kept else ""
                raise HookFailedError(stage, status=status, log=shown)
        if hooks:
            self._require_chosen_only(stage)

    def _run_step(self, hook: Hook, log: str) -> int:
        try:
            return self._run_hook(hook, log)
        except (KeyboardInterrupt, SystemExit):
            self._interrupted_in = hook.stage
            raise

    def _require_chosen_only(self, stage: Stage) -> None:
        """See that the program will find its own skills, whatever a hook has done.

        Raises:
            HookAddedSkillsError: It would find others, or changed ones.
        """
        paths = [_show(one) for one in self._find_changes()]
        if self._workspace is not None:
            paths += self._hide_again(self._workspace)
        if paths:
            raise HookAddedSkillsError(stage, paths=paths)

    def _hide_again(self, workspace: PreparedWorkspace) -> list[str]:
        """Hide what a hook has brought back; give what stands there even so."""
        hidden = self._outside.workspaces.hide_again(
            workspace, hide=HIDDEN_DIRECTORIES, settings=self._settings
        )
        self._record.note(hidden)
        found = self._planner.find_in_workspace(workspace)
        return [f"{one.path}/{name}" for one in found for name in one.names]

    def _run_last_hooks(self) -> None:
        """Run the hooks of the end, each of them, however the others end."""
        if self._environment is None:
            return
        for number, hook in enumerate(self._list_hooks(Stage.POST_RUN), 1):
            try:
                status = self._run_hook(hook, f"{Stage.POST_RUN}-{number}.log")
                problem = f"it ended with status {status}" if status else ""
            except SkillyardError as error:
                problem = error.message
            except (KeyboardInterrupt, SystemExit):
                # The program has ended: what it did has to be kept all the same.
                problem = "it was interrupted"
            if problem:
                message = f"the hook `{hook}` failed: {problem}"
                self._record.note([Note(kind=NoteKind.HOOK, message=message)])

    def _list_hooks(self, stage: Stage) -> list[Hook]:
        return [one for one in self._hooks if one.stage is stage]

    def _run_hook(self, hook: Hook, log: str) -> int:
        run, places = self._record.run, self._ground.places
        if self._workspace is None:
            # The workspace is to be filled: nothing may stand in it before.
            self._ground.start_in(places.workspace, places.home)
        told = {
            "SKILLYARD_STAGE": hook.stage.value,
            "SKILLYARD_RUN_STATUS": "" if run.exit_status is None else str(run.exit_status),
        }
        environment = {**(self._environment or {}), **told}
        return self._ground.launch((*_SHELL, hook.command), environment, log=log)

    def _conclude_workspace(self) -> None:
        if self._workspace is None:
            return
        try:
            concluded = self._outside.workspaces.conclude(
                self._workspace, name=self._name, keep=self._is_kept
            )
        except SkillyardError as error:
            # What was done there is nowhere else: it has to stay.
            where = self._ground.places.root
            message = f"what was changed is kept in `{where}`, not saved: {error.message}"
            self._record.note([Note(kind=NoteKind.WORKSPACE, message=message)])
            self._keep_ground()
            return
        self._record.learn(workspace_ref=concluded.ref)
        self._record.note(concluded.notes)

    def _keep_end(self, *, is_failed: bool) -> None:
        for remember in (self._record.keep, self._record.write_receipt):
            try:
                remember()
            except SkillyardError as error:
                if not is_failed:
                    message = f"how it ended could not be recorded: {error.message}"
                    self._record.note([Note(kind=NoteKind.RECORD, message=message)])
                    self._keep_ground()

    def _keep_ground(self) -> None:
        """Let the root stay, even where it cannot be marked: a sweep saves what it removes."""
        self._record.learn(is_kept=True)
        with suppress(SkillyardError):
            self._ground.keep()
        self._drop_logins()

    def _drop_logins(self) -> None:
        """Drop the logins, and see what is left of a root that is to be kept."""
        self._record.note(self._ground.drop_logins())
        if self._is_kept and not self._ground.is_there():
            self._record.learn(is_kept=False)
            message = "its directory is not there any more: the run removed or moved it"
            self._record.note([Note(kind=NoteKind.WORKSPACE, message=message)])

    @property
    def _is_kept(self) -> bool:
        return self._record.run.is_kept

    def _clean_up(self) -> None:
        if self._is_kept:
            with suppress(SkillyardError):
                self._write_receipt()
        else:
            self._ground.remove()

    def _write_receipt(self) -> None:
        self._ground.write(RECEIPT, render_receipt(self._record.run).encode())

    @property
    def _name(self) -> str:
        return PurePath(self._ground.places.root).name


def _show(change: SeenChange) -> str:
    is_whole = change.path.rpartition("/")[2] == change.slug
    return change.path if is_whole else f"{change.slug}/{change.path}"
