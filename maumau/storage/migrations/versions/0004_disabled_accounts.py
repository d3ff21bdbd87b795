"""Accounts that are disabled."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("account", sa.Column("disabled_at", types.UtcTime(timezone=True), nullable=True))
