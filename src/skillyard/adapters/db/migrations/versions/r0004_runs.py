"""The runs, what each was given, the hooks of agents and nodes, and when skills were changed.

It is frozen: it names its own types and knows nothing of the code of today.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
DIGEST = sa.LargeBinary(32)


def upgrade() -> None:
    """Make both tables, both columns and the index."""
    for table in ("agents", "nodes"):
        op.add_column(table, sa.Column("hooks", TEXT, nullable=False, server_default="[]"))
    op.create_index("ix_skills_updated_at_revision", "skills", ["updated_at", "revision"])
    _create_runs()
    _create_run_skills()


def _create_runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("agent", TEXT),
        sa.Column("provider", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("document", TEXT, nullable=False),
        sa.CheckConstraint(
            "status IN ('running', 'ended', 'not-started', 'lost')", name="ck_runs_status"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_agent_id", "runs", ["agent", "id"])
    op.create_index("ix_runs_status_id", "runs", ["status", "id"])


def _create_run_skills() -> None:
    op.create_table(
        "run_skills",
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("digest", DIGEST, nullable=False),
        sa.Column("delivered", DIGEST, nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name="fk_run_skills_run_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["digest"], ["packages.digest"], name="fk_run_skills_digest", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(
            ["delivered"], ["packages.digest"], name="fk_run_skills_delivered", ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("run_id", "place", name="pk_run_skills"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_run_skills_slug_run_id", "run_skills", ["slug", "run_id"])
    op.create_index("ix_run_skills_digest", "run_skills", ["digest"])
    op.create_index("ix_run_skills_delivered", "run_skills", ["delivered"])
