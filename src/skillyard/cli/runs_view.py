"""Runs in words and as JSON."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from skillyard.application.run import PlannedRun
from skillyard.cli.facts_view import render_facts
from skillyard.cli.skills_view import count, say_moment
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.delivery import DeliveryPlan, Note
from skillyard.domain.receipt import to_json_run
from skillyard.domain.run import Run, RunSkill, RunStatus, WorkspaceMode
from skillyard.domain.text import visible

_SHORT: Final = 18
# What stands in a text for a byte that is none.
_BYTE: Final = re.compile("[\udc80-\udcff]")
_ESCAPED: Final = 0xDC00
_PLAIN_WIDTH: Final = 100
_WORKSPACES: Final = {
    WorkspaceMode.EMPTY: "an empty workspace",
    WorkspaceMode.COPY: "a copy of {}",
    WorkspaceMode.WORKTREE: "a work tree of {}",
    WorkspaceMode.IN_PLACE: "{} in place",
}


def shorten_id(run_id: str) -> str:
    """Give as much of an id as people need: runs that began at other moments differ in it."""
    return run_id[:_SHORT]


def render_start(run: Run) -> str:
    """Give the line that says what is started."""
    skills = count(len(run.skills), "skill")
    return visible(f"run {shorten_id(run.id)}: {run.provider}, {skills}, {_describe(run)}")


def _describe(run: Run) -> str:
    return _WORKSPACES[run.workspace].format(show_path(run.project))


def show_path(path: str) -> str:
    r"""Give a path as it is shown: bytes of it that are no text become `\xff`."""
    return _BYTE.sub(lambda found: f"\\x{ord(found[0]) - _ESCAPED:02x}", path)


def render_end(run: Run) -> str:
    """Give the line that says how it ended, and what is left of it."""
    said = [f"ended with status {run.exit_status}"]
    if run.changes:
        said.append(f"{count(len(run.changes), 'file')} of its skills changed")
    if run.workspace_ref:
        said.append(f"changes are in the branch {run.workspace_ref}")
    if run.is_kept:
        said.append(f"kept in {show_path(run.root)}")
    return visible(f"run {shorten_id(run.id)}: {', '.join(said)}")


def render_notes(notes: Iterable[Note]) -> Iterator[str]:
    """Give a line for each note."""
    for note in notes:
        about = f"{note.slug}: " if note.slug else ""
        yield visible(f"note: {about}{note.message}")


def render_runs(runs: Sequence[Run]) -> list[str]:
    """Give the lines of a list of runs."""
    headers = ("Run", "Began", "Agent", "Client", "Skills", "Status", "Command")
    rows = [
        (
            shorten_id(one.id),
            say_moment(one.created_at),
            one.agent or "",
            one.provider,
            str(len(one.skills)),
            describe_status(one),
            shlex.join(one.command),
        )
        for one in runs
    ]
    return render_table(headers, rows, width=find_width(), flexible=("Command",), right=("Skills",))


def describe_status(run: Run) -> str:
    """Say how far a run has come, or how it ended."""
    if run.status is RunStatus.ENDED:
        return f"ended {run.exit_status}"
    return run.status.value


def render_run(run: Run) -> Iterator[str]:
    """Give the lines that show one run."""
    yield visible(run.id)
    yield from _render_facts(
        [
            ("status", describe_status(run)),
            ("failure", run.failure),
            ("agent", run.agent or ""),
            ("for", ", ".join(run.subjects)),
            ("client", f"{run.provider}, {run.mode}"),
            ("command", shlex.join(run.command)),
            ("workspace", _describe(run)),
            ("changes", run.workspace_ref),
            ("began", _moment(run, "created_at")),
            ("started", _moment(run, "started_at")),
            ("ended", _moment(run, "ended_at")),
            ("hash", run.manifest_hash),
        ]
    )
    if run.skills:
        yield ""
        yield from render_run_skills(run.skills)
    for change in run.changes:
        yield visible(f"{change.kind}: {change.slug}/{change.path}")
    if run.is_kept:
        yield visible(f"kept in {show_path(run.root)}")
    yield from render_notes(run.notes)


def _moment(run: Run, name: str) -> str:
    at = getattr(run, name)
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S}Z"


def _render_facts(facts: Sequence[tuple[str, str]]) -> Iterable[str]:
    said = [one for one in facts if one[1]]
    labels = max(len(label) for label, _ in said) + 1
    return render_facts(said, width=find_width() or _PLAIN_WIDTH, labels=labels)


def render_run_skills(skills: Sequence[RunSkill]) -> list[str]:
    """Give the lines of a table of skills, and where each was laid out."""
    headers = ("Skill", "Version", "Source", "Decision", "How", "Where")
    rows = [
        (
            one.slug,
            str(one.version),
            one.layer.value,
            one.disposition.value,
            one.strategy.value,
            f"{one.part}/{one.path}" if one.path else "in the prompt text",
        )
        for one in skills
    ]
    return render_table(headers, rows, width=find_width(), flexible=("Where",))


def render_plan(planned: PlannedRun) -> Iterator[str]:
    """Give the lines that say what a run would be."""
    run, plan = planned.run, planned.plan
    yield visible(
        f"Would run {run.provider} ({run.mode}) with {count(len(run.skills), 'skill')} in"
        f" {_describe(run)}"
    )
    if run.skills:
        yield ""
        yield from render_run_skills(run.skills)
    yield ""
    yield from _render_facts(
        [
            ("command", shlex.join(run.command)),
            ("hash", run.manifest_hash),
            ("files", ", ".join(f"{one.part}/{one.path}" for one in plan.files)),
            ("logins", ", ".join(one.source for one in plan.logins)),
            ("set", ", ".join(run.environment)),
            ("held back", ", ".join(plan.dropped)),
            ("hooks", ", ".join(map(str, planned.hooks))),
        ]
    )
    yield from render_notes(run.notes)


def to_json_plan(planned: PlannedRun) -> dict[str, object]:
    """Give what a run would be as JSON can hold it."""
    told = to_json_run(planned.run)
    wanted = (
        "agent",
        "subjects",
        "provider",
        "mode",
        "manifest_hash",
        "skills",
        "command",
        "workspace",
        "project",
        "environment",
        "notes",
    )
    return {
        **{name: told[name] for name in wanted},
        **_files_to_json(planned.plan),
        "dropped": list(planned.plan.dropped),
        "hooks": [str(one) for one in planned.hooks],
        "dry_run": True,
    }


def _files_to_json(plan: DeliveryPlan) -> dict[str, object]:
    return {
        "files": [
            {"part": one.part.value, "path": one.path, "size": len(one.content)}
            for one in plan.files
        ],
        "logins": [{"source": one.source, "path": one.path} for one in plan.logins],
    }
