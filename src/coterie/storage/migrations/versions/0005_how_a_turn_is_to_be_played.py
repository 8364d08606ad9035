"""What a command says of the turn it asks for: an instruction, how the answer begins, or the words themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("turn_plans", sa.Column("direction", sa.JSON()))
