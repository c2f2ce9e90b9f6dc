"""What is known of a run, as it goes on."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

from skillyard.application.choosing import ChosenSkills, get_digest
from skillyard.application.run_wish import Outside, RunAgent
from skillyard.application.settling import settle
from skillyard.domain.delivery import DeliveryPlan, Note, NoteKind, PlannedSkill
from skillyard.domain.errors import ConcurrentChangeError, SkillyardError
from skillyard.domain.package import Package
from skillyard.domain.receipt import render_receipt
from skillyard.domain.run import Run, RunSkill, RunStatus, WorkspaceMode
from skillyard.domain.skill import InstallStrategy
from skillyard.providers.environment import looks_secret

_HIDDEN: Final = "***"
# A URL with a user, and perhaps a password, which may hold any character.
_USER: Final = re.compile(r"://[^\s/@:]*(?::\S*)?@")
_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class RunRecord:
    """What is known of a run by now, and the contents that have to be kept because of it."""

    def __init__(self, run: Run, outside: Outside, *, receipt: PurePath | None = None) -> None:
        self.run = replace(run, command=tuple(_hide_arguments(run.command)))
        self._outside = outside
        self._receipt = receipt
        self._packages: tuple[Package, ...] = ()

    def learn(self, **known: Any) -> None:  # noqa: ANN401 (any field of a run)
        """Know more than before."""
        self.run = replace(self.run, **known)

    def learn_choice(self, chosen: ChosenSkills, mode: WorkspaceMode) -> None:
        """Know which skills were chosen, and for whom."""
        request = chosen.resolved.request
        self.learn(
            agent=request.agent.name if request.agent else None,
            subjects=tuple(map(str, request.subjects)),
            provider=chosen.provider,
            manifest_hash=chosen.resolved.resolution.manifest_hash,
            workspace=mode,
        )
        self.note(chosen.notes)

    def learn_plan(
        self, plan: DeliveryPlan, wish: RunAgent, *, known: Mapping[str, str] = _NOTHING
    ) -> None:
        """Know what is laid out, and in which environment; the user's own is left out."""
        added = {name: _hide(name, value) for name, value in wish.added.items()}
        unsaid = {name: value for name, value in known.items() if name not in wish.environment}
        self.learn(
            mode=plan.mode,
            skills=tuple(map(_to_run_skill, plan.skills)),
            environment=MappingProxyType({**unsaid, **added, **plan.environment}),
        )
        self.note(plan.notes)

    def learn_copied(self, slug: str) -> None:
        """Know that a skill which was to be linked is a copy."""
        self.learn(
            skills=tuple(
                replace(one, strategy=InstallStrategy.MATERIALIZE) if one.slug == slug else one
                for one in self.run.skills
            )
        )
        message = "it is copied instead of linked, because a run could write to the link"
        self.note([Note(kind=NoteKind.COPIED, slug=slug, message=message)])

    def hold(self, packages: Iterable[Package]) -> None:
        """Let these contents be kept together with the record."""
        self._packages = tuple(packages)

    def note(self, notes: Iterable[Note]) -> None:
        """Know something more that has to be said; the same thing is said once."""
        self.learn(notes=tuple(dict.fromkeys((*self.run.notes, *notes))))

    def keep(self) -> None:
        """Keep in the store what is known now, and the contents that it names."""
        settle(self.run.id, self._try_to_keep)

    def _try_to_keep(self) -> bool | None:
        try:
            with self._outside.store.begin() as transaction:
                transaction.packages.add(self._packages)
                transaction.runs.put(self.run)
                transaction.commit()
        except ConcurrentChangeError:
            return None  # somebody removed a content that nobody needed until now
        return True

    def write_receipt(self) -> None:
        """Write what is known now into the file that was asked for."""
        if self._receipt is not None:
            content = render_receipt(self.run).encode()
            self._outside.shelf.put_file(content, self._receipt, replace=True, private=True)

    def fail(self, error: BaseException) -> None:
        """Remember that the program was not started, as far as anything can be remembered."""
        self.learn(
            status=RunStatus.NOT_STARTED,
            failure=_say(error),
            ended_at=self._outside.clock.now(),
        )
        for remember in (self.keep, self.write_receipt):
            try:
                remember()
            except SkillyardError:
                # What went wrong first is what counts, and the store may be just that.
                continue


def _say(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "it was interrupted"
    return error.message if isinstance(error, SkillyardError) else repr(error)


def _hide_arguments(command: Iterable[str]) -> Iterator[str]:
    """Yield the arguments of a command without what looks like a secret."""
    is_secret = False
    for argument in command:
        name, mark, _ = argument.partition("=")
        is_named = looks_secret(name.lstrip("-").replace("-", "_"))
        yield f"{name}={_HIDDEN}" if is_named and mark else _hide("", argument, is_secret=is_secret)
        is_secret = is_named and not mark and name.startswith("--")


def _hide(name: str, value: str, *, is_secret: bool = False) -> str:
    if is_secret or looks_secret(name):
        return _HIDDEN
    return _USER.sub(f"://{_HIDDEN}@", value)


def _to_run_skill(planned: PlannedSkill) -> RunSkill:
    decision = planned.decision
    return RunSkill(
        slug=decision.slug,
        version=decision.offered.version,
        digest=get_digest(decision),
        delivered=planned.delivered,
        layer=decision.candidate.layer,
        ref=decision.candidate.ref,
        disposition=decision.disposition,
        rule=decision.rule,
        reason=decision.reason,
        strategy=planned.strategy,
        part=planned.part,
        path=planned.path,
    )
