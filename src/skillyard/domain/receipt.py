"""What is known of a run, written down as JSON; reading it gives an equal value.

The same text is what a run leaves behind as its receipt, and what the store keeps of it.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, TypeVar

from skillyard.domain.delivery import Mode, Note, NoteKind, Part
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidReceiptError, SkillyardError
from skillyard.domain.resolution import Disposition, Layer, Rule
from skillyard.domain.run import (
    ChangeKind,
    Run,
    RunSkill,
    RunStatus,
    SeenChange,
    WorkspaceMode,
)
from skillyard.domain.skill import InstallStrategy
from skillyard.domain.version import Version

RECEIPT_VERSION: Final = 1
MOST_BYTES: Final = 16 * 1024 * 1024
"""How large a receipt may be."""

_PROMPTED: Final = "prompt"
_MOST_NAME_BYTES: Final = 255
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")

_Read = TypeVar("_Read")


def render_receipt(run: Run) -> str:
    """Write a run as JSON for people; the same run gives the same text."""
    return json.dumps(to_json_run(run), indent=2, ensure_ascii=True) + "\n"


def render_document(run: Run) -> str:
    """Write a run as JSON in one line."""
    # A path or an argument may hold bytes that are no text: only escaped can they be written.
    return json.dumps(to_json_run(run), ensure_ascii=True, separators=(",", ":"))


def to_json_run(run: Run) -> dict[str, object]:
    """Give a run as JSON can hold it."""
    return {
        "receipt_version": RECEIPT_VERSION,
        "id": run.id,
        "status": run.status.value,
        "exit_status": run.exit_status,
        "failure": run.failure,
        "agent": run.agent,
        "subjects": list(run.subjects),
        "provider": run.provider,
        "mode": run.mode.value,
        "manifest_hash": run.manifest_hash,
        "skills": [_skill_to_json(one) for one in run.skills],
        "command": list(run.command),
        "workspace": run.workspace.value,
        "project": run.project,
        "workspace_ref": run.workspace_ref,
        "root": run.root,
        "kept": run.is_kept,
        "host": run.host,
        "files": list(run.files),
        "environment": dict(run.environment),
        "notes": [_note_to_json(one) for one in run.notes],
        "changes": [_change_to_json(one) for one in run.changes],
        "created_at": run.created_at.isoformat(),
        "started_at": _moment_to_json(run.started_at),
        "ended_at": _moment_to_json(run.ended_at),
    }


def _moment_to_json(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _skill_to_json(skill: RunSkill) -> dict[str, object]:
    return {
        "slug": skill.slug,
        "version": str(skill.version),
        "digest": str(skill.digest),
        "delivered": str(skill.delivered),
        "source": skill.layer.value,
        "ref": skill.ref,
        "disposition": skill.disposition.value,
        "rule": skill.rule.value,
        "reason": skill.reason,
        "strategy": skill.strategy.value,
        "part": skill.part.value,
        "path": skill.path,
    }


def _note_to_json(note: Note) -> dict[str, object]:
    return {"kind": note.kind.value, "slug": note.slug, "message": note.message}


def _change_to_json(change: SeenChange) -> dict[str, object]:
    return {"slug": change.slug, "path": change.path, "kind": change.kind.value}


def parse_receipt(content: bytes, *, name: str) -> Run:
    """Read a run that was written as JSON; `name` is the file's, for messages.

    Raises:
        InvalidReceiptError: It is none, or of another version.
    """
    if len(content) > MOST_BYTES:
        raise InvalidReceiptError(name, reason="it is too large")
    try:
        value = json.loads(content)
        is_known = value["receipt_version"] == RECEIPT_VERSION
        run = _from_json(value) if is_known else None
    except (
        AttributeError,
        KeyError,
        RecursionError,
        SkillyardError,
        TypeError,
        ValueError,
    ) as error:
        raise InvalidReceiptError(name, reason="it is not a receipt") from error
    if run is None:
        raise InvalidReceiptError(name, reason=f"its version is not {RECEIPT_VERSION}")
    if have_clash(run.skills):
        raise InvalidReceiptError(name, reason="several of its skills stand in the same place")
    return run


def find_place(skill: RunSkill) -> str:
    """Give where a skill stands below the root of its run, or would if it was prompt text only."""
    return f"{skill.part}/{skill.path}" if skill.path else f"{_PROMPTED}/{skill.slug}"


def have_clash(skills: Iterable[RunSkill]) -> bool:
    """Tell whether two skills stand in the same place, or one in another."""
    # With the stroke at its end, a place stands before all that is in it, and next to it.
    places = sorted(f"{find_place(one)}/" for one in skills)
    return any(after.startswith(before) for before, after in pairwise(places))


def parse_document(text: str) -> Run:
    """Read a run that `render_document` wrote; whatever it raises means that it is damaged."""
    return _from_json(json.loads(text))


def _from_json(value: Mapping[str, Any]) -> Run:
    return Run(
        id=_text(value["id"]),
        root=_text(value["root"]),
        host=_text(value["host"]),
        agent=_maybe(value["agent"], _text),
        subjects=_each(value["subjects"], _text),
        provider=_text(value["provider"]),
        mode=Mode(value["mode"]),
        manifest_hash=_text(value["manifest_hash"]),
        workspace=WorkspaceMode(value["workspace"]),
        project=_text(value["project"]),
        command=_each(value["command"], _text),
        skills=_each(value["skills"], _to_skill),
        files=_each(value["files"], _text),
        environment=_to_environment(value["environment"]),
        notes=_each(value["notes"], _to_note),
        created_at=_to_moment(value["created_at"]),
        started_at=_maybe(value["started_at"], _to_moment),
        ended_at=_maybe(value["ended_at"], _to_moment),
        status=RunStatus(value["status"]),
        exit_status=_maybe(value["exit_status"], _to_status),
        failure=_text(value["failure"]),
        changes=_each(value["changes"], _to_change),
        workspace_ref=_text(value["workspace_ref"]),
        is_kept=value["kept"] is True,
    )


def _to_skill(value: Mapping[str, Any]) -> RunSkill:
    return RunSkill(
        slug=_to_name(value["slug"]),
        version=Version.parse(_text(value["version"])),
        digest=TreeDigest(_text(value["digest"])),
        delivered=TreeDigest(_text(value["delivered"])),
        layer=Layer(value["source"]),
        ref=_text(value["ref"]),
        disposition=Disposition(value["disposition"]),
        rule=Rule(value["rule"]),
        reason=_text(value["reason"]),
        strategy=InstallStrategy(value["strategy"]),
        part=Part(value["part"]),
        path=_to_path(value["path"]),
    )


def _to_name(value: object) -> str:
    """Give the name of a skill: a directory may be called like it."""
    name = _text(value)
    # Half a character cannot be written as UTF-8, and is refused by that.
    is_short = len(name.encode()) <= _MOST_NAME_BYTES
    if name in {"", ".", ".."} or "/" in name or not is_short or _CONTROL.search(name):
        raise ValueError(value)
    return name


def _to_path(value: object) -> str:
    """Give the path of a skill: it comes from a file, and may not lead out of where it is used."""
    path = _text(value)
    return "/".join(map(_to_name, path.split("/"))) if path else ""


def _to_note(value: Mapping[str, Any]) -> Note:
    return Note(
        kind=NoteKind(value["kind"]), slug=_text(value["slug"]), message=_text(value["message"])
    )


def _to_change(value: Mapping[str, Any]) -> SeenChange:
    return SeenChange(_text(value["slug"]), _text(value["path"]), ChangeKind(value["kind"]))


def _to_environment(value: Mapping[str, Any]) -> Mapping[str, str]:
    return MappingProxyType({name: _text(one) for name, one in value.items()})


def _to_moment(value: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None:
        raise ValueError(value)
    return moment


def _to_status(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _maybe(value: object, read: Callable[[Any], _Read]) -> _Read | None:
    return None if value is None else read(value)


def _each(value: object, read: Callable[[Any], _Read]) -> tuple[_Read, ...]:
    if not isinstance(value, list):
        raise TypeError(value)
    return tuple(map(read, value))
