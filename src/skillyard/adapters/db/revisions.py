"""Every revision of the schema."""

from typing import Final

REVISIONS: Final = ("0001", "0002", "0003", "0004")
"""The oldest first."""

HEAD: Final = REVISIONS[-1]
NOTHING: Final = "none"
REVISION_QUESTION: Final = "SELECT version_num FROM alembic_version"
