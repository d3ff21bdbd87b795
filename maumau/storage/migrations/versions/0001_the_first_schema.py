"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from maumau.storage import types

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("system", sa.Boolean(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('reader', 'author', 'admin')", name=op.f("ck_account_role_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )
    op.create_table(
        "file",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_file")),
    )
    op.create_table(
        "answer",
        sa.Column(
            "account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", types.Json(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_answer_account_id")),
        sa.PrimaryKeyConstraint("account_id", "key", name=op.f("pk_answer")),
    )
    op.create_index(op.f("ix_answer_created_at"), "answer", ["created_at"], unique=False)
    op.create_table(
        "bot",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column(
            "account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_bot_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("name", name=op.f("uq_bot_name")),
    )
    op.create_index(op.f("ix_bot_account_id"), "bot", ["account_id"], unique=False)
    op.create_table(
        "rule_set",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("canonical", sa.Text(), nullable=False),
        sa.Column("name", types.ForeignText(), nullable=False),
        sa.Column(
            "account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_rule_set_account_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_set")),
    )
    op.create_index("ix_rule_set_created", "rule_set", ["created_at", "id"], unique=False)
    op.create_table(
        "token",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column(
            "account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("label", types.ForeignText(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("expires_at", types.UtcTime(timezone=True), nullable=True),
        sa.Column("revoked_at", types.UtcTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "role IN ('reader', 'author', 'admin')", name=op.f("ck_token_role_known")
        ),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_token_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("sha256", name=op.f("uq_token_sha256")),
    )
    op.create_index(op.f("ix_token_account_id"), "token", ["account_id"], unique=False)
    op.create_table(
        "bot_version",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("bot_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("filename", types.ForeignText(), nullable=False),
        sa.Column("entry", types.ForeignText(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reasons", types.Json(), nullable=False),
        sa.Column("report", types.Json(), nullable=True),
        sa.Column("log", types.ForeignText(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("decided_at", types.UtcTime(timezone=True), nullable=True),
        sa.Column("checked_by", sa.String(length=80), nullable=True),
        sa.Column("check_until", types.UtcTime(timezone=True), nullable=True),
        sa.Column("check_attempts", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('plugin', 'wheel', 'py')", name=op.f("ck_bot_version_kind_known")
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'accepted', 'rejected', 'withdrawn')",
            name=op.f("ck_bot_version_state_known"),
        ),
        sa.ForeignKeyConstraint(["bot_id"], ["bot.id"], name=op.f("fk_bot_version_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_version")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_bot_version_bot_id_number")),
        sa.UniqueConstraint("bot_id", "sha256", name=op.f("uq_bot_version_bot_id_sha256")),
    )
    op.create_index("ix_bot_version_state", "bot_version", ["state", "id"], unique=False)
    op.create_table(
        "leaderboard",
        sa.Column("rule_set_id", sa.String(length=64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("tournaments", sa.Integer(), nullable=False),
        sa.Column("document", types.Json(), nullable=False),
        sa.Column("updated_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["rule_set_id"], ["rule_set.id"], name=op.f("fk_leaderboard_rule_set_id")
        ),
        sa.PrimaryKeyConstraint("rule_set_id", "seats", name=op.f("pk_leaderboard")),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", types.ForeignText(), nullable=False),
        sa.Column(
            "account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("rule_set_id", sa.String(length=64), nullable=False),
        sa.Column("rules_name", types.ForeignText(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("line_ups", sa.String(length=10), nullable=False),
        sa.Column("limits", types.Json(), nullable=False),
        sa.Column("seed", types.ForeignText(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("open_seed", sa.Boolean(), nullable=False),
        sa.Column("created_at", types.UtcTime(timezone=True), nullable=False),
        sa.Column("start_at", types.UtcTime(timezone=True), nullable=True),
        sa.Column("started_at", types.UtcTime(timezone=True), nullable=True),
        sa.Column("ended_at", types.UtcTime(timezone=True), nullable=True),
        sa.Column("games_total", sa.Integer(), nullable=False),
        sa.Column("games_played", sa.Integer(), nullable=False),
        sa.Column("chunks_total", sa.Integer(), nullable=False),
        sa.Column("chunks_done", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "state IN ('scheduled', 'running', 'finished', 'cancelled')",
            name=op.f("ck_tournament_state_known"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_tournament_account_id")
        ),
        sa.ForeignKeyConstraint(
            ["rule_set_id"], ["rule_set.id"], name=op.f("fk_tournament_rule_set_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    op.create_index("ix_tournament_created", "tournament", ["created_at", "id"], unique=False)
    op.create_index(op.f("ix_tournament_rule_set_id"), "tournament", ["rule_set_id"], unique=False)
    op.create_index("ix_tournament_state", "tournament", ["state", "start_at"], unique=False)
    op.create_table(
        "entrant",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(
            "bot_version_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("sums", types.Json(), nullable=True),
        sa.ForeignKeyConstraint(
            ["bot_version_id"], ["bot_version.id"], name=op.f("fk_entrant_bot_version_id")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_entrant_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_entrant")),
        sa.UniqueConstraint("tournament_id", "label", name=op.f("uq_entrant_tournament_id_label")),
    )
    op.create_index(op.f("ix_entrant_bot_version_id"), "entrant", ["bot_version_id"], unique=False)
    op.create_table(
        "match",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("line_up", types.Json(), nullable=False),
        sa.Column("games_total", sa.Integer(), nullable=False),
        sa.Column("games_played", sa.Integer(), nullable=False),
        sa.Column("sums", types.Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_match_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_match")),
    )
    op.create_table(
        "standings",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("chunks_done", sa.Integer(), nullable=False),
        sa.Column("final", sa.Boolean(), nullable=False),
        sa.Column("document", types.Json(), nullable=False),
        sa.Column("cost_ms", sa.Integer(), nullable=False),
        sa.Column("updated_at", types.UtcTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_standings_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_standings")),
    )
    op.create_table(
        "block_sum",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("sums", types.Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match"],
            ["match.tournament_id", "match.number"],
            name=op.f("fk_block_sum_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "match", "block", name=op.f("pk_block_sum")),
    )
    op.create_table(
        "chunk",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("first_block", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("claimed_by", sa.String(length=80), nullable=True),
        sa.Column("lease_until", types.UtcTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("host_faults", sa.Integer(), nullable=False),
        sa.Column("deaths", sa.Integer(), nullable=False),
        sa.Column("log", types.ForeignText(), nullable=False),
        sa.CheckConstraint(
            "state IN ('due', 'claimed', 'done', 'stuck')", name=op.f("ck_chunk_state_known")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match"],
            ["match.tournament_id", "match.number"],
            name=op.f("fk_chunk_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_chunk")),
    )
    op.create_index("ix_chunk_claimed_by", "chunk", ["claimed_by"], unique=False)
    op.create_index("ix_chunk_state", "chunk", ["state", "tournament_id", "number"], unique=False)
    op.create_table(
        "leg",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("seating", types.Json(), nullable=False),
        sa.Column("totals", types.Json(), nullable=False),
        sa.Column("ranks", types.Json(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(length=16), nullable=True),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match"],
            ["match.tournament_id", "match.number"],
            name=op.f("fk_leg_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "match", "block", "leg", name=op.f("pk_leg")),
    )
    op.create_table(
        "match_entrant",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match"],
            ["match.tournament_id", "match.number"],
            name=op.f("fk_match_entrant_tournament_id"),
        ),
        sa.PrimaryKeyConstraint("tournament_id", "entrant", "match", name=op.f("pk_match_entrant")),
    )
    op.create_table(
        "fault",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("leg", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("detail", types.ForeignText(), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("action", sa.Integer(), nullable=False),
        sa.Column("seen", types.ForeignText(), nullable=False),
        sa.Column("log", types.ForeignText(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id", "match", "block", "leg"],
            ["leg.tournament_id", "leg.match", "leg.block", "leg.leg"],
            name="fk_fault_leg",
        ),
        sa.PrimaryKeyConstraint("tournament_id", "match", "block", "leg", name=op.f("pk_fault")),
    )
    op.create_index("ix_fault_entrant", "fault", ["tournament_id", "entrant"], unique=False)
