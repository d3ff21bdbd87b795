"""Read a rule set's leaderboard: kept as tournaments end, nothing is rated here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database
from maumau.usecases.read.named_rules import is_preset


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """All accepted versions under one rule set at tables of so many seats, over all tournaments.

    Tournaments with an `open_seed` do not count. `rows`: rank, label, bot, version, owner,
    tournaments, games, score_share, points_per_game, games_won, games_shared, faults.
    """

    rule_set: str
    seats: int
    tournaments: int
    updated_at: datetime | None
    rows: tuple[Mapping[str, Any], ...]


def leaderboard(db: Database, rule_set_id: str, *, seats: int = 2) -> LeaderboardView:
    """Read a leaderboard; raises `NotFound` for a rule set that is not known."""
    with db.read() as tx:
        if tx.rule_sets.get(rule_set_id) is None and not is_preset(rule_set_id):
            raise NotFound("rule set", rule_set_id)
        stored = tx.standings.leaderboard(rule_set_id, seats)
        if stored is None:
            return LeaderboardView(rule_set_id, seats, 0, None, ())
        rows = stored.document["rows"]
        states = tx.bots.states([row["version_id"] for row in rows])
    shown = [row for row in rows if states.get(row["version_id"]) == "accepted"]
    return LeaderboardView(
        rule_set=rule_set_id,
        seats=seats,
        tournaments=stored.tournaments,
        updated_at=stored.updated_at,
        rows=tuple(_ranked(shown)),
    )


def _ranked(rows: list[dict[str, Any]]) -> list[Mapping[str, Any]]:
    """Number the rows that are shown; equal score shares share a rank."""
    shares = [row["units"] / row["games"] for row in rows]
    hidden = ("units", "version_id")
    return [
        {"rank": 1 + sum(other > share for other in shares)}
        | {key: value for key, value in row.items() if key not in hidden}
        for row, share in zip(rows, shares, strict=True)
    ]
