"""The agents that skills name, and the skills of high confidence, each found by an index.

It is frozen: it names its own types and knows nothing of the code of today.
"""

import json
from itertools import islice

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
BATCH = 500


def upgrade() -> None:
    """Make the table and both indexes, and put in what the skills say."""
    op.create_table(
        "skill_agents",
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["skill_id"], ["skills.id"], name="fk_skill_agents_skill_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("skill_id", "agent", name="pk_skill_agents"),
        sqlite_with_rowid=False,
    )
    _fill()
    op.create_index("ix_skill_agents_agent_skill_id", "skill_agents", ["agent", "skill_id"])
    op.create_index(
        "ix_skills_confidence",
        "skills",
        ["confidence"],
        sqlite_where=sa.text("confidence = 'high'"),
        postgresql_where=sa.text("confidence = 'high'"),
    )


def _fill() -> None:
    connection = op.get_bind()
    found = connection.exec_driver_sql("SELECT id, agents FROM skills WHERE agents IS NOT NULL")
    rows = (
        {"skill_id": skill_id, "agent": name}
        for skill_id, agents in found.all()
        for name in sorted(_read_names(agents))
    )
    named = sa.table("skill_agents", sa.column("skill_id"), sa.column("agent"))
    while batch := list(islice(rows, BATCH)):
        connection.execute(sa.insert(named), batch)


def _read_names(text: str) -> set[str]:
    """Give the names in a JSON list; none where it is damaged, which is no reason to fail."""
    try:
        value = json.loads(text)
    except ValueError:
        return set()
    return {one for one in value if isinstance(one, str)} if isinstance(value, list) else set()
