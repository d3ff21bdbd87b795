"""Entrants suspended for faults; what the bots of a chunk ran on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("fault_share", sa.Float(), nullable=True))
    op.add_column("entrant", sa.Column("suspended_after", sa.Integer(), nullable=True))
    op.add_column("chunk", sa.Column("runtimes", types.Json(), nullable=True))
