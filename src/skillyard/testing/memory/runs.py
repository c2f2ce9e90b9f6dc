"""What is remembered of runs."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.run import Run, RunFilter
from skillyard.testing.memory.freezing import freeze_run
from skillyard.testing.memory.state import Work


@dataclass(frozen=True, slots=True)
class MemoryRuns:
    """See `Runs`."""

    work: Work

    def put(self, run: Run) -> None:
        """See `Runs.put`."""
        draft = self.work.draft
        named = {digest for one in run.skills for digest in (one.digest, one.delivered)}
        if not named <= draft.packages.keys():
            raise ConcurrentChangeError(run.id)
        draft.runs[run.id] = freeze_run(run)

    def find(self, run_id: str) -> Run | None:
        """See `Runs.find`."""
        return self.work.seen.runs.get(run_id)

    def list(
        self, wanted: RunFilter, *, before: str | None = None, most: int | None = None
    ) -> Sequence[Run]:
        """See `Runs.list`."""
        found = [
            run
            for run in self.work.seen.runs.values()
            if (before is None or run.id < before) and _matches(run, wanted)
        ]
        return sorted(found, key=lambda one: one.id, reverse=True)[:most]

    def remove(self, run_ids: Collection[str]) -> int:
        """See `Runs.remove`."""
        draft = self.work.draft
        known = draft.runs.keys() & set(run_ids)
        for run_id in known:
            del draft.runs[run_id]
        return len(known)


def _matches(run: Run, wanted: RunFilter) -> bool:
    return (
        wanted.agent in (None, run.agent)
        and wanted.provider in (None, run.provider)
        and wanted.status in (None, run.status)
        and (wanted.skill is None or any(one.slug == wanted.skill for one in run.skills))
        and (wanted.id_prefix is None or run.id.startswith(wanted.id_prefix))
    )
