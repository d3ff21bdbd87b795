"""Keep the leaderboards: made anew, from what each entrant had in the end, as a tournament ends."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from maumau.storage import Transaction
from maumau.storage.values import StoredLeaderboard, Tournament
from maumau.tournament.sums import ENTRANT_COLUMNS, SHARE_UNITS, BlockSums
from maumau.usecases.clock import Clock

DIGITS = 6


def count(tx: Transaction, clock: Clock, tournament: Tournament, sums: BlockSums) -> None:
    """Keep what a finished tournament adds, and make the leaderboard it counts for anew.

    One whose seed was given counts for none: somebody knew the cards.
    """
    tx.tournaments.keep_totals(tournament.id, sums.by_entrant.sum(axis=0).tolist())
    if tournament.open_seed:
        return
    # Two tournaments may end at once: the second must count the first.
    tx.rule_sets.lock(tournament.rule_set_id)
    totals = tx.tournaments.totals(tournament.rule_set_id, tournament.seats)
    by_version: dict[int, list[tuple[str, tuple[int, ...]]]] = defaultdict(list)
    for where, entrant, columns in totals:
        by_version[entrant.bot_version_id].append((where, columns))
    versions = tx.bots.many(list(by_version))
    rows: list[dict[str, Any]] = []
    for version_id, parts in by_version.items():
        version = versions[version_id]
        column = dict(
            zip(ENTRANT_COLUMNS, map(sum, zip(*(c for _, c in parts), strict=True)), strict=True)
        )
        if not column["games"]:
            continue
        rows.append(
            {
                "version_id": version_id,
                "label": version.label,
                "bot": version.bot,
                "version": version.version,
                "owner": version.owner,
                "tournaments": len({where for where, _ in parts}),
                "games": column["games"],
                "units": column["units"],
                "score_share": round(column["units"] / (SHARE_UNITS * column["games"]), DIGITS),
                "points_per_game": round(column["points"] / column["games"], DIGITS),
                "games_won": column["wins"],
                "games_shared": column["shared"],
                "faults": column["faults"],
            }
        )
    rows.sort(key=lambda row: (-row["units"] / row["games"], row["label"]))
    tx.standings.put_leaderboard(
        StoredLeaderboard(
            rule_set_id=tournament.rule_set_id,
            seats=tournament.seats,
            tournaments=len({where for where, _, _ in totals}),
            document={"rows": rows},
            updated_at=clock(),
        )
    )
