"""Tournaments that repeat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tournament", sa.Column("repeat", types.Json(), nullable=True))
    op.add_column("tournament", sa.Column("asked", types.Json(), nullable=True))
    op.add_column("tournament", sa.Column("series", sa.String(length=16), nullable=True))
    op.add_column("tournament", sa.Column("repetition", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_tournament_series"), "tournament", ["series"], unique=False)
