"""The hash of the model that takes luck off a tournament's shares, fixed before play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("luck_model", sa.String(64), nullable=True))
