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
    tournaments, games, rating with rating_low and rating_high, island (ratings of different islands
    cannot be compared: they never met), score_share, points_per_game, games_won, games_shared,
    faults.
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
    """Number the rows that are shown; equal ratings share a rank."""
    return [
        {"rank": 1 + sum(other["rating"] > row["rating"] for other in rows)}
        | {key: value for key, value in row.items() if key != "version_id"}
        for row in rows
    ]
