"""Tables at which people play, and their problem reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("rule_set_id", sa.String(length=64), nullable=False),
        sa.Column("rules_name", types.ForeignText(), nullable=False),
        sa.Column("versions", types.Json(), nullable=False),
        sa.Column("names", types.Json(), nullable=False),
        sa.Column("seed", types.ForeignText(), nullable=False),
        sa.Column("open_seed", sa.Boolean(), nullable=False),
        sa.Column("actions", types.Json(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("fault", types.Json(), nullable=True),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("changed_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["rule_set_id"], ["rule_set.id"], name=op.f("fk_game_table_rule_set_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
    )
    op.create_table(
        "problem_report",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("table_id", sa.String(length=40), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("actions", types.Json(), nullable=False),
        sa.Column("comment", types.ForeignText(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("answer", types.ForeignText(), nullable=True),
        sa.Column("answered_by", sa.String(length=40), nullable=True),
        sa.Column("answered_at", types.UtcTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_problem_report_table_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem_report")),
    )
    op.create_index(
        op.f("ix_problem_report_table_id"), "problem_report", ["table_id"], unique=False
    )
    op.create_index(
        "ix_problem_report_created", "problem_report", ["created_at", "id"], unique=False
    )
