"""What came with a message beside its text, so that one that waited when the process ended can still be planned."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("messages", sa.Column("asked", sa.JSON()))
