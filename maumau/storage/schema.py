"""The schema: what is kept, table by table (docs/storage.md tells what the states mean).

Migrations make it; a test compares the two. Text keys are deterministic where they name a place
in a tournament (match, chunk, leg), so that a chunk that is played again writes the same rows.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from maumau.storage.types import ForeignText, Json, UtcTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts up by itself only in a column of type INTEGER.
_Id = BigInteger().with_variant(Integer, "sqlite")
_Sha256 = String(64)
_TournamentId = String(16)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(
        f"{column} IN ({', '.join(repr(v) for v in values)})", name=f"{column}_known"
    )


account = Table(
    "account",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("role", String(8), nullable=False),
    Column("system", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("disabled_at", UtcTime),
    _one_of("role", "reader", "author", "admin"),
)

token = Table(
    "token",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account_id", _Id, ForeignKey("account.id"), nullable=False, index=True),
    Column("sha256", _Sha256, nullable=False, unique=True),
    Column("role", String(8), nullable=False),
    Column("label", ForeignText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime),
    Column("revoked_at", UtcTime),
    Column("session_of", String(16)),
    _one_of("role", "reader", "author", "admin"),
)

answer = Table(
    "answer",
    metadata,
    Column("account_id", _Id, ForeignKey("account.id"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("fingerprint", _Sha256, nullable=False),
    Column("status", Integer, nullable=False),
    Column("headers", Json, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", UtcTime, nullable=False, index=True),
)

file = Table(
    "file",
    metadata,
    Column("sha256", _Sha256, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

bot = Table(
    "bot",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("account_id", _Id, ForeignKey("account.id"), nullable=False, index=True),
    Column("created_at", UtcTime, nullable=False),
)

bot_version = Table(
    "bot_version",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("bot_id", _Id, ForeignKey("bot.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("sha256", _Sha256, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("filename", ForeignText, nullable=False),
    Column("entry", ForeignText, nullable=False),
    Column("size", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("reasons", Json, nullable=False),
    Column("report", Json),
    Column("log", ForeignText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("decided_at", UtcTime),
    Column("checked_by", String(80)),
    Column("check_until", UtcTime),
    Column("check_attempts", Integer, nullable=False),
    UniqueConstraint("bot_id", "number"),
    UniqueConstraint("bot_id", "sha256"),
    Index("ix_bot_version_state", "state", "id"),
    _one_of("kind", "plugin", "wheel", "py"),
    _one_of("state", "pending", "accepted", "rejected", "withdrawn"),
)

rule_set = Table(
    "rule_set",
    metadata,
    Column("id", _Sha256, primary_key=True),
    Column("canonical", Text, nullable=False),
    Column("name", ForeignText, nullable=False),
    Column("account_id", _Id, ForeignKey("account.id"), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Index("ix_rule_set_created", "created_at", "id"),
)

tournament = Table(
    "tournament",
    metadata,
    Column("id", _TournamentId, primary_key=True),
    Column("name", ForeignText, nullable=False),
    Column("account_id", _Id, ForeignKey("account.id"), nullable=False),
    Column("state", String(10), nullable=False),
    Column("rule_set_id", _Sha256, ForeignKey("rule_set.id"), nullable=False, index=True),
    Column("rules_name", ForeignText, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("line_ups", String(10), nullable=False),
    Column("limits", Json, nullable=False),
    Column("seed", ForeignText, nullable=False),
    Column("commitment", _Sha256, nullable=False),
    Column("open_seed", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("start_at", UtcTime),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("games_total", Integer, nullable=False),
    Column("games_played", Integer, nullable=False),
    Column("chunks_total", Integer, nullable=False),
    Column("chunks_done", Integer, nullable=False),
    # The stop rule, null for playing all blocks; and after how many it ended early.
    Column("stop", Json),
    Column("ended_blocks", Integer),
    # Whether it is in the running sums of its leaderboard.
    Column("on_leaderboard", Boolean, nullable=False, server_default=false()),
    # When to play again, null for once; what was asked to enter; whose repetition this is, and the
    # how manyth.
    Column("repeat", Json),
    Column("asked", Json),
    Column("series", _TournamentId, index=True),
    Column("repetition", Integer),
    # The share of its games that an entrant may forfeit before it is suspended; null: all.
    Column("fault_share", Float),
    # The hash of the model that takes luck off its shares, from before it began; null: of before
    # such were kept.
    Column("luck_model", _Sha256),
    Index("ix_tournament_created", "created_at", "id"),
    Index("ix_tournament_state", "state", "start_at"),
    _one_of("state", "scheduled", "running", "finished", "cancelled"),
)

entrant = Table(
    "entrant",
    metadata,
    Column("tournament_id", _TournamentId, ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("bot_version_id", _Id, ForeignKey("bot_version.id"), nullable=False, index=True),
    Column("label", String(60), nullable=False),
    Column("sha256", _Sha256, nullable=False),
    # What it has in the end, as `ENTRANT_COLUMNS`; for the leaderboard.
    Column("sums", Json),
    # How many blocks count for it, where it was suspended for faults.
    Column("suspended_after", Integer),
    UniqueConstraint("tournament_id", "label"),
)

match = Table(
    "match",
    metadata,
    Column("tournament_id", _TournamentId, ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line_up", Json, nullable=False),
    Column("games_total", Integer, nullable=False),
    Column("games_played", Integer, nullable=False),
    Column("sums", Json, nullable=False),
)

match_entrant = Table(
    "match_entrant",
    metadata,
    Column("tournament_id", _TournamentId, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("match", Integer, primary_key=True),
    ForeignKeyConstraint(["tournament_id", "match"], ["match.tournament_id", "match.number"]),
)

chunk = Table(
    "chunk",
    metadata,
    Column("tournament_id", _TournamentId, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("match", Integer, nullable=False),
    Column("first_block", Integer, nullable=False),
    Column("blocks", Integer, nullable=False),
    Column("state", String(8), nullable=False),
    Column("claimed_by", String(80)),
    Column("lease_until", UtcTime),
    Column("attempts", Integer, nullable=False),
    Column("host_faults", Integer, nullable=False),
    Column("deaths", Integer, nullable=False),
    Column("log", ForeignText, nullable=False),
    # What each entrant of the line-up ran on, once it is done.
    Column("runtimes", Json),
    ForeignKeyConstraint(["tournament_id", "match"], ["match.tournament_id", "match.number"]),
    Index("ix_chunk_state", "state", "tournament_id", "number"),
    Index("ix_chunk_claimed_by", "claimed_by"),
    _one_of("state", "due", "claimed", "done", "stuck"),
)

leg = Table(
    "leg",
    metadata,
    Column("tournament_id", _TournamentId, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("leg", Integer, primary_key=True),
    Column("seating", Json, nullable=False),
    Column("totals", Json, nullable=False),
    Column("ranks", Json, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("fault", String(16)),
    Column("record", LargeBinary, nullable=False),
    ForeignKeyConstraint(["tournament_id", "match"], ["match.tournament_id", "match.number"]),
)

fault = Table(
    "fault",
    metadata,
    Column("tournament_id", _TournamentId, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("leg", Integer, primary_key=True),
    Column("entrant", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("detail", ForeignText, nullable=False),
    Column("deal", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("seen", ForeignText, nullable=False),
    Column("log", ForeignText, nullable=False),
    ForeignKeyConstraint(
        ["tournament_id", "match", "block", "leg"],
        ["leg.tournament_id", "leg.match", "leg.block", "leg.leg"],
        name="fk_fault_leg",
    ),
    Index("ix_fault_entrant", "tournament_id", "entrant"),
)

block_sum = Table(
    "block_sum",
    metadata,
    Column("tournament_id", _TournamentId, primary_key=True),
    Column("match", Integer, primary_key=True),
    Column("block", Integer, primary_key=True),
    Column("sums", Json, nullable=False),
    ForeignKeyConstraint(["tournament_id", "match"], ["match.tournament_id", "match.number"]),
)

standings = Table(
    "standings",
    metadata,
    Column("tournament_id", _TournamentId, ForeignKey("tournament.id"), primary_key=True),
    Column("chunks_done", Integer, nullable=False),
    Column("final", Boolean, nullable=False),
    Column("document", Json, nullable=False),
    Column("cost_ms", Integer, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

leaderboard = Table(
    "leaderboard",
    metadata,
    Column("rule_set_id", _Sha256, ForeignKey("rule_set.id"), primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("tournaments", Integer, nullable=False),
    Column("document", Json, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

# What each worker says of itself; `cages` is what its probe of the sandbox found.
worker = Table(
    "worker",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("seen_at", UtcTime, nullable=False),
    Column("cages", Boolean, nullable=False),
    Column("cage_reason", ForeignText, nullable=False),
)

# What a leaderboard is rated from; apart from it, so that who reads a leaderboard reads little.
leaderboard_sum = Table(
    "leaderboard_sum",
    metadata,
    Column("rule_set_id", _Sha256, ForeignKey("rule_set.id"), primary_key=True),
    Column("seats", Integer, primary_key=True),
    Column("tournaments", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# A table at which a person plays; its id is the secret by which the person comes back.
game_table = Table(
    "game_table",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("rule_set_id", _Sha256, ForeignKey("rule_set.id"), nullable=False),
    Column("rules_name", ForeignText, nullable=False),
    # The bot version at each seat, null where the person sits.
    Column("versions", Json, nullable=False),
    Column("names", Json, nullable=False),
    Column("seed", ForeignText, nullable=False),
    Column("open_seed", Boolean, nullable=False),
    # The actions of each deal, and how many in all: whoever adds to them says how many he saw.
    Column("actions", Json, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("fault", Json),
    Column("over", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("changed_at", UtcTime, nullable=False),
)

problem_report = Table(
    "problem_report",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("table_id", String(40), ForeignKey("game_table.id"), nullable=False, index=True),
    Column("deal", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    # The game as it was then.
    Column("actions", Json, nullable=False),
    Column("comment", ForeignText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("answer", ForeignText),
    Column("answered_by", String(40)),
    Column("answered_at", UtcTime),
    Index("ix_problem_report_created", "created_at", "id"),
)
