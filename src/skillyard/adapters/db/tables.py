"""The tables, as the code of today knows them.

The migrations make them; a test proves that both say the same on every engine. Digests are kept as
their 32 bytes, moments as milliseconds since 1970 in UTC, lists and mappings as JSON text: all of
these are equal on both engines. Texts are compared and sorted by their characters' code points.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from skillyard.domain.assignment import SubjectKind
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.records import SandboxKind
from skillyard.domain.run import RunStatus
from skillyard.domain.skill import Door, InstallStrategy, SkillStatus, SourceKind

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite compares bytes by itself, and PostgreSQL as the locale of the database says.
_TEXT: Final = Text().with_variant(Text(collation="C"), "postgresql")
_DIGEST: Final = LargeBinary(32)
_MOMENT: Final = BigInteger()
# Only a column of exactly this type is SQLite's own row number.
_NUMBER: Final = BigInteger().with_variant(Integer(), "sqlite")


def _one_of(column: str, words: Iterable[StrEnum]) -> CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


skills: Final = Table(
    "skills",
    METADATA,
    Column("id", _TEXT, primary_key=True),
    Column("owner", _TEXT, nullable=False),
    Column("slug", _TEXT, nullable=False),
    Column("source_kind", _TEXT, nullable=False),
    Column("plugin_id", _TEXT),
    Column("door", _TEXT, nullable=False),
    Column("ref", _TEXT),
    Column("display_name", _TEXT, nullable=False),
    Column("description", _TEXT, nullable=False),
    Column("category", _TEXT, nullable=False),
    Column("status", _TEXT, nullable=False),
    Column("deprecated", _TEXT),
    Column("enabled", Boolean, nullable=False),
    Column("confidence", _TEXT, nullable=False),
    Column("author_type", _TEXT, nullable=False),
    Column("author_agent", _TEXT),
    Column("author_source", _TEXT),
    Column("tags", _TEXT, nullable=False),
    Column("requires_tools", _TEXT, nullable=False),
    Column("requires", _TEXT, nullable=False),
    Column("agents", _TEXT),
    Column("provider_hints", _TEXT, nullable=False),
    Column("install_strategy", _TEXT),
    Column("invocation", _TEXT, nullable=False),
    Column("metadata", _TEXT, nullable=False),
    Column("current", _TEXT, nullable=False),
    Column("digest", _DIGEST, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", _MOMENT, nullable=False),
    Column("created_by", _TEXT, nullable=False),
    Column("updated_at", _MOMENT, nullable=False),
    Column("updated_by", _TEXT, nullable=False),
    Column("haystack", _TEXT, nullable=False),
    # In the order of lists, so that one page of them is read from the index.
    UniqueConstraint("slug", "owner"),
    # All that a fingerprint counts, so that it is read from the index.
    Index(None, "updated_at", "revision"),
    _one_of("source_kind", SourceKind),
    _one_of("door", Door),
    _one_of("status", SkillStatus),
    _one_of("confidence", Confidence),
    _one_of("install_strategy", InstallStrategy),
    _one_of("invocation", Invocation),
)

skill_tags: Final = Table(
    "skill_tags",
    METADATA,
    Column("skill_id", _TEXT, ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", _TEXT, primary_key=True),
    Index(None, "tag", "skill_id"),
    sqlite_with_rowid=False,
)

skill_agents: Final = Table(
    "skill_agents",
    METADATA,
    Column("skill_id", _TEXT, ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("agent", _TEXT, primary_key=True),
    Index(None, "agent", "skill_id"),
    sqlite_with_rowid=False,
)

# Where a skill of high confidence is used: see `reach`, which alone writes here. There is no
# foreign key, because to look at the skill would be to wait for whoever removes it.
skill_workspaces: Final = Table(
    "skill_workspaces",
    METADATA,
    Column("skill_id", _TEXT, primary_key=True),
    Column("workspace", _TEXT, primary_key=True),
    Index(None, "workspace", "skill_id"),
    sqlite_with_rowid=False,
)

contents: Final = Table(
    "contents",
    METADATA,
    Column("sha256", _DIGEST, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

packages: Final = Table(
    "packages",
    METADATA,
    Column("digest", _DIGEST, primary_key=True),
    Column("files", Integer, nullable=False),
    Column("size", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

package_files: Final = Table(
    "package_files",
    METADATA,
    Column("digest", _DIGEST, ForeignKey("packages.digest", ondelete="CASCADE"), primary_key=True),
    Column("path", _TEXT, primary_key=True),
    Column("sha256", _DIGEST, ForeignKey("contents.sha256", ondelete="RESTRICT"), nullable=False),
    Column("content_type", _TEXT, nullable=False),
    Column("executable", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

versions: Final = Table(
    "versions",
    METADATA,
    Column("skill_id", _TEXT, ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
    Column("version", _TEXT, primary_key=True),
    Column("digest", _DIGEST, ForeignKey("packages.digest", ondelete="RESTRICT"), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("created_at", _MOMENT, nullable=False),
    Column("created_by", _TEXT, nullable=False),
    Column("message", _TEXT, nullable=False),
    Column("base", _TEXT),
    Column("source_kind", _TEXT, nullable=False),
    Column("door", _TEXT, nullable=False),
    Column("ref", _TEXT),
    _one_of("source_kind", SourceKind),
    _one_of("door", Door),
    Index(None, "digest"),
)

# Whom a skill can be assigned to: the global subject, and one row for each record that can be one.
subjects: Final = Table(
    "subjects",
    METADATA,
    Column("kind", _TEXT, primary_key=True),
    Column("name", _TEXT, primary_key=True),
    _one_of("kind", SubjectKind),
    sqlite_with_rowid=False,
)

assignments: Final = Table(
    "assignments",
    METADATA,
    Column("id", _TEXT, primary_key=True),
    Column("skill_id", _TEXT, ForeignKey("skills.id", ondelete="CASCADE"), nullable=False),
    Column("subject_kind", _TEXT, nullable=False),
    Column("subject_name", _TEXT, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("auto_inject", Boolean, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("required", Boolean, nullable=False),
    Column("opt_in", Boolean, nullable=False),
    Column("accepted", _TEXT),
    ForeignKeyConstraint(
        ["subject_kind", "subject_name"], ["subjects.kind", "subjects.name"], ondelete="CASCADE"
    ),
    UniqueConstraint("skill_id", "subject_kind", "subject_name"),
    Index(None, "subject_kind", "subject_name"),
)

workspaces: Final = Table(
    "workspaces",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("description", _TEXT, nullable=False),
    Column("revision", Integer, nullable=False),
)

teams: Final = Table(
    "teams",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("description", _TEXT, nullable=False),
    Column("workspace", _TEXT, ForeignKey("workspaces.name", ondelete="RESTRICT"), index=True),
    Column("revision", Integer, nullable=False),
)

agents: Final = Table(
    "agents",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("description", _TEXT, nullable=False),
    Column("workspace", _TEXT, ForeignKey("workspaces.name", ondelete="RESTRICT"), index=True),
    Column("team", _TEXT, ForeignKey("teams.name", ondelete="RESTRICT"), index=True),
    Column("provider", _TEXT),
    Column("allowlist", _TEXT),
    Column("disabled_skills", _TEXT, nullable=False),
    Column("context_window", Integer),
    Column("eager_limit", Integer),
    Column("listed_limit", Integer),
    Column("lightweight", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("hooks", _TEXT, nullable=False, server_default="[]"),
)

nodes: Final = Table(
    "nodes",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column("description", _TEXT, nullable=False),
    Column("workspace", _TEXT, ForeignKey("workspaces.name", ondelete="RESTRICT"), index=True),
    Column("agent", _TEXT, ForeignKey("agents.name", ondelete="RESTRICT"), index=True),
    Column("revision", Integer, nullable=False),
    Column("hooks", _TEXT, nullable=False, server_default="[]"),
)

sandboxes: Final = Table(
    "sandboxes",
    METADATA,
    Column("name", _TEXT, primary_key=True),
    Column(
        "agent", _TEXT, ForeignKey("agents.name", ondelete="RESTRICT"), nullable=False, index=True
    ),
    Column("kind", _TEXT, nullable=False),
    Column("prefix", _TEXT, nullable=False),
    Column("skills_path", _TEXT, nullable=False),
    Column("revision", Integer, nullable=False),
    _one_of("kind", SandboxKind),
)

# All that is known of a run is its document; the columns are what runs are found by.
runs: Final = Table(
    "runs",
    METADATA,
    Column("id", _TEXT, primary_key=True),
    # No foreign key: what an agent was given is known for longer than the agent.
    Column("agent", _TEXT),
    Column("provider", _TEXT, nullable=False),
    Column("status", _TEXT, nullable=False),
    Column("created_at", _MOMENT, nullable=False),
    Column("document", _TEXT, nullable=False),
    _one_of("status", RunStatus),
    Index(None, "agent", "id"),
    Index(None, "status", "id"),
)

# What a run was given: these packages stay as long as the run is known.
run_skills: Final = Table(
    "run_skills",
    METADATA,
    Column("run_id", _TEXT, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("slug", _TEXT, nullable=False),
    Column(
        "digest",
        _DIGEST,
        ForeignKey("packages.digest", ondelete="RESTRICT"),
        nullable=False,
        index=True,
    ),
    Column(
        "delivered",
        _DIGEST,
        ForeignKey("packages.digest", ondelete="RESTRICT"),
        nullable=False,
        index=True,
    ),
    Index(None, "slug", "run_id"),
    sqlite_with_rowid=False,
)

audit: Final = Table(
    "audit",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("at", _MOMENT, nullable=False),
    Column("actor", _TEXT, nullable=False),
    Column("door", _TEXT, nullable=False),
    Column("action", _TEXT, nullable=False),
    Column("target", _TEXT, nullable=False),
    # No foreign key: what happened to a skill is known for longer than the skill.
    Column("skill_id", _TEXT),
    Column("before", _DIGEST),
    Column("after", _DIGEST),
    Column("details", _TEXT, nullable=False),
    Index(None, "target", "number"),
    Index(None, "skill_id", "number"),
    sqlite_autoincrement=True,
)

# Only what is not done yet: the primary key is the list of what is pending.
outbox: Final = Table(
    "outbox",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("at", _MOMENT, nullable=False),
    Column("topic", _TEXT, nullable=False),
    Column("data", _TEXT, nullable=False),
    sqlite_autoincrement=True,
)

tombstones: Final = Table(
    "tombstones",
    METADATA,
    Column("number", _NUMBER, primary_key=True),
    Column("skill_id", _TEXT, nullable=False, unique=True),
    Column("owner", _TEXT, nullable=False),
    Column("slug", _TEXT, nullable=False),
    Column("version", _TEXT, nullable=False),
    Column("digest", _DIGEST, nullable=False),
    Column("deleted_at", _MOMENT, nullable=False),
    Column("deleted_by", _TEXT, nullable=False),
    sqlite_autoincrement=True,
)
