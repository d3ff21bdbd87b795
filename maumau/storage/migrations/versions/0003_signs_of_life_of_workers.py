"""What workers say of themselves: that they live, and whether their cage holds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("seen_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("cages", sa.Boolean(), nullable=False),
        sa.Column("cage_reason", types.ForeignText(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
