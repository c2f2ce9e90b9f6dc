"""The first schema: skills, versions, contents, assignments, records, and what happened.

It is frozen: it names its own types and knows nothing of the code of today.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DIGEST = sa.LargeBinary(32)

NEVER_UPDATED = {
    "versions": "a saved version never changes",
    "packages": "a stored package never changes",
    "package_files": "a stored package never changes",
    "contents": "stored content never changes",
    "audit": "the audit log is append-only",
}
NEVER_DELETED = {"audit": "the audit log is append-only"}


def upgrade() -> None:
    """Make every table, the global subject, and what keeps rows from changing."""
    _create_contents()
    _create_packages()
    _create_package_files()
    _create_skills()
    _create_skill_tags()
    _create_versions()
    _create_subjects()
    _create_assignments()
    _create_workspaces()
    _create_teams()
    _create_agents()
    _create_nodes()
    _create_sandboxes()
    _create_audit()
    _create_outbox()
    _create_tombstones()
    op.execute("INSERT INTO subjects (kind, name) VALUES ('global', '')")
    if op.get_bind().dialect.name == "postgresql":
        _guard_postgresql()
    else:
        _guard_sqlite()


def _create_contents() -> None:
    op.create_table(
        "contents",
        sa.Column("sha256", DIGEST, nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_contents"),
    )


def _create_packages() -> None:
    op.create_table(
        "packages",
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_packages"),
        sqlite_with_rowid=False,
    )


def _create_package_files() -> None:
    op.create_table(
        "package_files",
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("path", TEXT, nullable=False),
        sa.Column("sha256", DIGEST, nullable=False),
        sa.Column("content_type", TEXT, nullable=False),
        sa.Column("executable", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["digest"], ["packages.digest"], name="fk_package_files_digest", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["sha256"], ["contents.sha256"], name="fk_package_files_sha256", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("digest", "path", name="pk_package_files"),
        sqlite_with_rowid=False,
    )


def _create_skills() -> None:
    op.create_table(
        "skills",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("source_kind", TEXT, nullable=False),
        sa.Column("plugin_id", TEXT),
        sa.Column("door", TEXT, nullable=False),
        sa.Column("ref", TEXT),
        sa.Column("display_name", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("category", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("deprecated", TEXT),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("confidence", TEXT, nullable=False),
        sa.Column("author_type", TEXT, nullable=False),
        sa.Column("author_agent", TEXT),
        sa.Column("author_source", TEXT),
        sa.Column("tags", TEXT, nullable=False),
        sa.Column("requires_tools", TEXT, nullable=False),
        sa.Column("requires", TEXT, nullable=False),
        sa.Column("agents", TEXT),
        sa.Column("provider_hints", TEXT, nullable=False),
        sa.Column("install_strategy", TEXT),
        sa.Column("invocation", TEXT, nullable=False),
        sa.Column("metadata", TEXT, nullable=False),
        sa.Column("current", TEXT, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_by", TEXT, nullable=False),
        sa.Column("haystack", TEXT, nullable=False),
        sa.CheckConstraint("confidence IN ('low', 'medium', 'high')", name="ck_skills_confidence"),
        sa.CheckConstraint(
            "door IN ('ui', 'api', 'cli', 'mcp', 'seed', 'import', 'sync', 'legacy', 'plugin')",
            name="ck_skills_door",
        ),
        sa.CheckConstraint(
            "install_strategy IN ('materialize', 'link', 'prompt_fallback')",
            name="ck_skills_install_strategy",
        ),
        sa.CheckConstraint(
            "invocation IN ('auto', 'user-only', 'model-only')", name="ck_skills_invocation"
        ),
        sa.CheckConstraint(
            "source_kind IN ('admin', 'plugin', 'earned', 'imported', 'legacy')",
            name="ck_skills_source_kind",
        ),
        sa.CheckConstraint("status IN ('active', 'draft', 'archived')", name="ck_skills_status"),
        sa.PrimaryKeyConstraint("id", name="pk_skills"),
        sa.UniqueConstraint("slug", "owner", name="uq_skills_slug_owner"),
    )


def _create_skill_tags() -> None:
    op.create_table(
        "skill_tags",
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("tag", TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["skill_id"], ["skills.id"], name="fk_skill_tags_skill_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("skill_id", "tag", name="pk_skill_tags"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_skill_tags_tag_skill_id", "skill_tags", ["tag", "skill_id"])


def _create_versions() -> None:
    op.create_table(
        "versions",
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("version", TEXT, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("message", TEXT, nullable=False),
        sa.Column("base", TEXT),
        sa.Column("source_kind", TEXT, nullable=False),
        sa.Column("door", TEXT, nullable=False),
        sa.Column("ref", TEXT),
        sa.CheckConstraint(
            "door IN ('ui', 'api', 'cli', 'mcp', 'seed', 'import', 'sync', 'legacy', 'plugin')",
            name="ck_versions_door",
        ),
        sa.CheckConstraint(
            "source_kind IN ('admin', 'plugin', 'earned', 'imported', 'legacy')",
            name="ck_versions_source_kind",
        ),
        sa.ForeignKeyConstraint(
            ["digest"], ["packages.digest"], name="fk_versions_digest", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(
            ["skill_id"], ["skills.id"], name="fk_versions_skill_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("skill_id", "version", name="pk_versions"),
    )
    op.create_index("ix_versions_digest", "versions", ["digest"])


def _create_subjects() -> None:
    op.create_table(
        "subjects",
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.CheckConstraint(
            "kind IN ('global', 'workspace', 'team', 'agent', 'node')", name="ck_subjects_kind"
        ),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_subjects"),
        sqlite_with_rowid=False,
    )


def _create_assignments() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("subject_kind", TEXT, nullable=False),
        sa.Column("subject_name", TEXT, nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("auto_inject", sa.Boolean(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("required", sa.Boolean(), nullable=False),
        sa.Column("opt_in", sa.Boolean(), nullable=False),
        sa.Column("accepted", TEXT),
        sa.ForeignKeyConstraint(
            ["skill_id"], ["skills.id"], name="fk_assignments_skill_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["subject_kind", "subject_name"],
            ["subjects.kind", "subjects.name"],
            name="fk_assignments_subject_kind_subject_name",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.UniqueConstraint(
            "skill_id",
            "subject_kind",
            "subject_name",
            name="uq_assignments_skill_id_subject_kind_subject_name",
        ),
    )
    op.create_index(
        "ix_assignments_subject_kind_subject_name", "assignments", ["subject_kind", "subject_name"]
    )


def _create_workspaces() -> None:
    op.create_table(
        "workspaces",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_workspaces"),
    )


def _create_teams() -> None:
    op.create_table(
        "teams",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("workspace", TEXT),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace"], ["workspaces.name"], name="fk_teams_workspace", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_teams"),
    )
    op.create_index("ix_teams_workspace", "teams", ["workspace"])


def _create_agents() -> None:
    op.create_table(
        "agents",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("workspace", TEXT),
        sa.Column("team", TEXT),
        sa.Column("provider", TEXT),
        sa.Column("allowlist", TEXT),
        sa.Column("disabled_skills", TEXT, nullable=False),
        sa.Column("context_window", sa.Integer()),
        sa.Column("eager_limit", sa.Integer()),
        sa.Column("listed_limit", sa.Integer()),
        sa.Column("lightweight", sa.Boolean(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["team"], ["teams.name"], name="fk_agents_team", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(
            ["workspace"], ["workspaces.name"], name="fk_agents_workspace", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_agents"),
    )
    op.create_index("ix_agents_team", "agents", ["team"])
    op.create_index("ix_agents_workspace", "agents", ["workspace"])


def _create_nodes() -> None:
    op.create_table(
        "nodes",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("workspace", TEXT),
        sa.Column("agent", TEXT),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["agent"], ["agents.name"], name="fk_nodes_agent", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(
            ["workspace"], ["workspaces.name"], name="fk_nodes_workspace", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_nodes"),
    )
    op.create_index("ix_nodes_agent", "nodes", ["agent"])
    op.create_index("ix_nodes_workspace", "nodes", ["workspace"])


def _create_sandboxes() -> None:
    op.create_table(
        "sandboxes",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("prefix", TEXT, nullable=False),
        sa.Column("skills_path", TEXT, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('local', 'command')", name="ck_sandboxes_kind"),
        sa.ForeignKeyConstraint(
            ["agent"], ["agents.name"], name="fk_sandboxes_agent", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("name", name="pk_sandboxes"),
    )
    op.create_index("ix_sandboxes_agent", "sandboxes", ["agent"])


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", TEXT, nullable=False),
        sa.Column("door", TEXT, nullable=False),
        sa.Column("action", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("skill_id", TEXT),
        sa.Column("before", DIGEST),
        sa.Column("after", DIGEST),
        sa.Column("details", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_skill_id_number", "audit", ["skill_id", "number"])
    op.create_index("ix_audit_target_number", "audit", ["target", "number"])


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("topic", TEXT, nullable=False),
        sa.Column("data", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_outbox"),
        sqlite_autoincrement=True,
    )


def _create_tombstones() -> None:
    op.create_table(
        "tombstones",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("version", TEXT, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_by", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_tombstones"),
        sa.UniqueConstraint("skill_id", name="uq_tombstones_skill_id"),
        sqlite_autoincrement=True,
    )


def _guard_sqlite() -> None:
    for event, guarded in (("UPDATE", NEVER_UPDATED), ("DELETE", NEVER_DELETED)):
        for table, message in guarded.items():
            op.execute(
                f"CREATE TRIGGER {table}_refuse_{event.lower()} BEFORE {event} ON {table}"
                f" BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )


def _guard_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION skillyard_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';"
        " END $$"
    )
    # Without FOR EACH ROW a statement that touches no row would be refused too: only a TRUNCATE is.
    for event, scope, guarded in (
        ("UPDATE", "ROW", NEVER_UPDATED),
        ("DELETE", "ROW", NEVER_DELETED),
        ("TRUNCATE", "STATEMENT", NEVER_DELETED),
    ):
        for table, message in guarded.items():
            op.execute(
                f"CREATE TRIGGER {table}_refuse_{event.lower()} BEFORE {event} ON {table}"
                f" FOR EACH {scope} EXECUTE FUNCTION skillyard_refuse('{message}')"
            )
