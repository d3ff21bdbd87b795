"""Sessions that end with the token they were begun with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("token", sa.Column("session_of", sa.String(16), nullable=True))
