"""Stop rules of tournaments."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("stop", types.Json(), nullable=True))
    op.add_column("tournament", sa.Column("ended_blocks", sa.Integer(), nullable=True))
