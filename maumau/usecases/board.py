"""Keep the leaderboards: made anew from all tournaments that count, whenever one has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from maumau.storage import Database, Transaction
from maumau.storage.values import BlockSum, BotVersion, StoredLeaderboard, Totals
from maumau.tournament.ratings import rate
from maumau.tournament.sums import ENTRANT_COLUMNS, SHARE_UNITS
from maumau.usecases.clock import Clock
from maumau.usecases.sums import results_of

DIGITS = 6
DRAWS = 200


@dataclass(frozen=True, slots=True)
class _Counted:
    """A tournament that counts: each entrant's bot version, the line-ups and the sums."""

    totals: tuple[Totals, ...]
    blocks: int
    line_ups: dict[int, tuple[int, ...]]
    sums: Sequence[BlockSum]


def refresh(db: Database, clock: Clock, rule_set_id: str, seats: int) -> None:
    """Make the leaderboard of a rule set at tables of so many seats anew.

    A tournament whose seed was given counts for none: somebody knew the cards.
    """
    with db.read() as tx:
        counted = _counted(tx, rule_set_id, seats)
        ids = {one.bot_version_id for part in counted for one in part.totals}
        versions = tx.bots.many(sorted(ids))
    rows = _rows(counted, versions, seed=f"{rule_set_id}:{seats}")
    with db.begin() as tx:
        # Two tournaments may end at once: the board that counts more stays.
        tx.rule_sets.lock(rule_set_id)
        tx.standings.put_leaderboard(
            StoredLeaderboard(rule_set_id, seats, len(counted), {"rows": rows}, clock())
        )


def _counted(tx: Transaction, rule_set_id: str, seats: int) -> list[_Counted]:
    return [
        _Counted(
            totals=tx.tournaments.totals(one.id),
            blocks=one.blocks,
            line_ups=tx.tournaments.line_ups(one.id),
            sums=tx.legs.sums(one.id),
        )
        for one in tx.tournaments.counted(rule_set_id, seats)
    ]


def _rows(
    counted: Sequence[_Counted], versions: dict[int, BotVersion], *, seed: str
) -> list[dict[str, Any]]:
    """Rate all versions together and add up what each has."""
    # In the order that entrants have in a tournament, so that line-ups stay rising.
    order = sorted(versions.values(), key=lambda one: (one.sha256, one.label))
    place = {one.id: i for i, one in enumerate(order)}
    results, first_seed = [], 0
    sums: dict[int, list[Sequence[int]]] = defaultdict(list)
    for part in counted:
        entrants = [place[one.bot_version_id] for one in part.totals]
        found = results_of(part.line_ups, part.sums, entrants=entrants, first_seed=first_seed)
        if found is not None:
            results.append(found)
        first_seed += part.blocks
        for one in part.totals:
            sums[one.bot_version_id].append(one.sums)
    ratings = rate(results, len(order), seed=seed, draws=DRAWS)
    rows = [
        _row(version, sums[version.id])
        | {
            "rating": rated.rating,
            "rating_low": rated.low,
            "rating_high": rated.high,
            "island": rated.island,
        }
        for version, rated in zip(order, ratings, strict=True)
        if rated.games
    ]
    rows.sort(key=lambda row: (row["island"], -row["rating"], row["label"]))
    return rows


def _row(version: BotVersion, parts: Iterable[Sequence[int]]) -> dict[str, Any]:
    played = list(parts)
    column = dict(zip(ENTRANT_COLUMNS, map(sum, zip(*played, strict=True)), strict=True))
    games = column["games"]
    return {
        "version_id": version.id,
        "label": version.label,
        "bot": version.bot,
        "version": version.version,
        "owner": version.owner,
        "tournaments": len(played),
        "games": games,
        "score_share": round(column["units"] / (SHARE_UNITS * games), DIGITS) if games else None,
        "points_per_game": round(column["points"] / games, DIGITS) if games else None,
        "games_won": column["wins"],
        "games_shared": column["shared"],
        "faults": column["faults"],
    }
