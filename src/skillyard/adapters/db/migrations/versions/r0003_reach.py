"""The workspaces that skills of high confidence are used in, found by an index.

It is frozen: it names its own types and knows nothing of the code of today.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
FILL = """\
INSERT INTO skill_workspaces
SELECT DISTINCT s.id, COALESCE(CASE COALESCE(a.subject_kind, 'global')
  WHEN 'global' THEN '*'
  WHEN 'workspace' THEN a.subject_name
  WHEN 'team' THEN t.workspace
  WHEN 'agent' THEN COALESCE(g.workspace, gt.workspace)
  WHEN 'node' THEN COALESCE(n.workspace, ng.workspace, nt.workspace) END, '')
FROM skills s
LEFT JOIN assignments a ON a.skill_id = s.id
LEFT JOIN teams t ON a.subject_kind = 'team' AND t.name = a.subject_name
LEFT JOIN agents g ON a.subject_kind = 'agent' AND g.name = a.subject_name
LEFT JOIN teams gt ON gt.name = g.team
LEFT JOIN nodes n ON a.subject_kind = 'node' AND n.name = a.subject_name
LEFT JOIN agents ng ON ng.name = n.agent
LEFT JOIN teams nt ON nt.name = ng.team
WHERE s.confidence = 'high' AND (a.id IS NULL OR a.enabled)"""


def upgrade() -> None:
    """Make the table, put in where skills are used, and drop the index that nobody asks now."""
    op.create_table(
        "skill_workspaces",
        sa.Column("skill_id", TEXT, nullable=False),
        sa.Column("workspace", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("skill_id", "workspace", name="pk_skill_workspaces"),
        sqlite_with_rowid=False,
    )
    op.execute(FILL)
    op.create_index(
        "ix_skill_workspaces_workspace_skill_id", "skill_workspaces", ["workspace", "skill_id"]
    )
    op.drop_index("ix_skills_confidence", "skills")
