"""Running sums of leaderboards, and which tournaments are in them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "leaderboard_sum",
        sa.Column("rule_set_id", sa.String(length=64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("tournaments", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["rule_set_id"], ["rule_set.id"], name=op.f("fk_leaderboard_sum_rule_set_id")
        ),
        sa.PrimaryKeyConstraint("rule_set_id", "seats", name=op.f("pk_leaderboard_sum")),
    )
    op.add_column(
        "tournament",
        sa.Column("on_leaderboard", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
