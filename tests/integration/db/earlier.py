"""What databases of earlier schemas hold: one skill, as the Skillyard of that time kept it.

Every revision has its rows here, and they never change.
"""

import hashlib
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, MetaData, Table

from skillyard.domain.package import Package

_BODY = b"---\nname: pdf\ndescription: Fill in forms.\n---\n"
PACKAGE = Package.of({"SKILL.md": _BODY})
_SHA256 = hashlib.sha256(_BODY).digest()
_DIGEST = bytes.fromhex(PACKAGE.digest().text.removeprefix("sha256:"))

_ROWS_OF_0001 = (
    ("contents", {"sha256": _SHA256, "size": len(_BODY), "body": _BODY}),
    ("packages", {"digest": _DIGEST, "files": 1, "size": len(_BODY)}),
    (
        "package_files",
        {
            "digest": _DIGEST,
            "path": "SKILL.md",
            "sha256": _SHA256,
            "content_type": "text/markdown",
            "executable": False,
        },
    ),
    (
        "skills",
        {
            "id": "a",
            "owner": "people",
            "slug": "pdf",
            "source_kind": "admin",
            "door": "cli",
            "display_name": "PDF",
            "description": "Fill in forms.",
            "category": "general",
            "status": "active",
            "enabled": True,
            "confidence": "medium",
            "author_type": "system",
            "tags": '["forms"]',
            "requires_tools": "[]",
            "requires": "[]",
            "agents": '["writer","reviewer"]',
            "provider_hints": "{}",
            "invocation": "auto",
            "metadata": "{}",
            "current": "1.0.0",
            "digest": _DIGEST,
            "revision": 1,
            "created_at": 1_767_323_045_678,
            "created_by": "ada",
            "updated_at": 1_767_323_045_678,
            "updated_by": "ada",
            "haystack": "pdf\x1fpdf\x1ffill in forms.",
        },
    ),
    ("skill_tags", {"skill_id": "a", "tag": "forms"}),
    (
        "versions",
        {
            "skill_id": "a",
            "version": "1.0.0",
            "digest": _DIGEST,
            "revision": 1,
            "created_at": 1_767_323_045_678,
            "created_by": "ada",
            "message": "",
            "source_kind": "admin",
            "door": "cli",
        },
    ),
    (
        "assignments",
        {
            "id": "b",
            "skill_id": "a",
            "subject_kind": "global",
            "subject_name": "",
            "priority": 0,
            "position": 0,
            "auto_inject": False,
            "enabled": True,
            "required": False,
            "opt_in": False,
        },
    ),
)

_ROWS_OF_0002 = (
    *_ROWS_OF_0001,
    ("skill_agents", {"skill_id": "a", "agent": "writer"}),
    ("skill_agents", {"skill_id": "a", "agent": "reviewer"}),
)

_DOCUMENT = (
    '{"receipt_version":1,"id":"r","status":"ended","exit_status":0,"failure":"",'
    '"agent":"reviewer","subjects":["global"],"provider":"codex","mode":"native",'
    '"manifest_hash":"sha256:0","skills":[],"command":["codex"],"workspace":"empty",'
    '"project":"/srv","workspace_ref":"","root":"/srv/run","kept":false,"host":"here","files":[],'
    '"environment":{},"notes":[],"changes":[],"created_at":"2026-01-02T03:04:05.678000+00:00",'
    '"started_at":null,"ended_at":null}'
)
_ROWS_OF_0003 = (
    *_ROWS_OF_0002,
    # It is no more of high confidence: rows that nobody asks for may stay.
    ("skill_workspaces", {"skill_id": "a", "workspace": "lab"}),
)

_ROWS_OF_0004 = (
    *_ROWS_OF_0003,
    (
        "runs",
        {
            "id": "r",
            "agent": "reviewer",
            "provider": "codex",
            "status": "ended",
            "created_at": 1_767_323_045_678,
            "document": _DOCUMENT,
        },
    ),
    (
        "run_skills",
        {"run_id": "r", "place": 0, "slug": "pdf", "digest": _DIGEST, "delivered": _DIGEST},
    ),
)

EARLIER: Mapping[str, Sequence[tuple[str, Mapping[str, object]]]] = {
    "0001": _ROWS_OF_0001,
    "0002": _ROWS_OF_0002,
    "0003": _ROWS_OF_0003,
    "0004": _ROWS_OF_0004,
}


def fill(connection: Connection, revision: str) -> None:
    """Keep the rows of a revision in a database that has its schema."""
    metadata = MetaData()
    for table, row in EARLIER[revision]:
        connection.execute(Table(table, metadata, autoload_with=connection).insert(), row)
