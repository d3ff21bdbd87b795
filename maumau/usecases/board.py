"""Keep the leaderboards: a tournament that has ended is added to running sums, once."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from maumau.errors import MaumauError
from maumau.storage import Database, Transaction
from maumau.storage.values import BotVersion, LeaderboardSum, StoredLeaderboard, Tournament
from maumau.tournament.rating_intervals import Rating
from maumau.tournament.running import Drawn, drawn_results, rate_drawn
from maumau.tournament.sums import ENTRANT_COLUMNS, SHARE_UNITS
from maumau.usecases.clock import Clock
from maumau.usecases.sums import results_of

DIGITS = 6
ENTERED = len(ENTRANT_COLUMNS)


@dataclass(frozen=True, slots=True)
class Basis:
    """What a leaderboard is made from.

    `totals` holds, for each bot version, the sums as `ENTRANT_COLUMNS` and how many tournaments it
    was in; `drawn` is None while nothing was played.
    """

    drawn: Drawn | None
    totals: Mapping[int, tuple[int, ...]]
    tournaments: int

    def __add__(self, other: Basis) -> Basis:
        """Put the tournaments of both together; the order does not matter."""
        totals = dict(self.totals)
        for version, more in other.totals.items():
            old = totals.get(version, (0,) * len(more))
            totals[version] = tuple(a + b for a, b in zip(old, more, strict=True))
        both = [one for one in (self.drawn, other.drawn) if one is not None]
        return Basis(
            drawn=both[0] + both[1] if len(both) == 2 else both[0] if both else None,
            totals=totals,
            tournaments=self.tournaments + other.tournaments,
        )

    def to_bytes(self) -> bytes:
        """Give it as it is kept."""
        versions = sorted(self.totals)
        arrays = {
            "versions": np.array(versions, dtype=np.int64),
            "totals": np.array([self.totals[one] for one in versions], dtype=np.int64),
        }
        if self.drawn is not None:
            arrays |= {
                f"drawn_{one.name}": np.asarray(getattr(self.drawn, one.name), dtype=np.int64)
                for one in fields(Drawn)
            }
        kept = io.BytesIO()
        np.savez_compressed(kept, **arrays)  # type: ignore[arg-type]
        return kept.getvalue()

    @classmethod
    def of(cls, kept: LeaderboardSum | None) -> Basis:
        """Read what is kept; without anything there are no tournaments."""
        if kept is None:
            return cls(None, {}, 0)
        with np.load(io.BytesIO(kept.content), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
        rows = zip(found["versions"].tolist(), found["totals"].tolist(), strict=True)
        values = {
            one.name: found[f"drawn_{one.name}"]
            for one in fields(Drawn)
            if f"drawn_{one.name}" in found
        }
        numbers = {name: int(values[name]) for name in ("seeds", "tournaments") if values}
        return cls(
            drawn=Drawn(**values | numbers) if values else None,
            totals={version: tuple(row) for version, row in rows},
            tournaments=kept.tournaments,
        )


def refresh(db: Database, clock: Clock, rule_set_id: str, seats: int) -> None:
    """Add the tournaments that are not there yet to a leaderboard and rate all versions together.

    A tournament whose seed was given counts for none: somebody knew the cards. Where somebody else
    has changed the sums meanwhile it is done again with theirs.
    """
    while not _refreshed(db, clock, rule_set_id, seats):
        pass


def _refreshed(db: Database, clock: Clock, rule_set_id: str, seats: int) -> bool:
    with db.read() as tx:
        kept = tx.standings.leaderboard_sum(rule_set_id, seats)
        new = tx.tournaments.uncounted(rule_set_id, seats)
        if not new:
            return True
        basis = Basis.of(kept)
        for one in new:
            basis += _basis_of(tx, one)
        versions = tx.bots.many(sorted(basis.totals))
    document = {"rows": _rows(basis, versions)}
    with db.begin() as tx:
        tx.rule_sets.lock(rule_set_id)
        now = tx.standings.leaderboard_sum(rule_set_id, seats)
        if (now and now.tournaments) != (kept and kept.tournaments):
            return False
        if not tx.tournaments.mark_counted([one.id for one in new]):
            raise MaumauError("a tournament was added to a leaderboard twice")
        tx.standings.put_leaderboard_sum(
            rule_set_id, seats, LeaderboardSum(basis.tournaments, basis.to_bytes())
        )
        tx.standings.put_leaderboard(
            StoredLeaderboard(rule_set_id, seats, basis.tournaments, document, clock())
        )
    return True


def _basis_of(tx: Transaction, one: Tournament) -> Basis:
    """Give what one tournament adds."""
    totals = tx.tournaments.totals(one.id)
    results = results_of(tx.tournaments.line_ups(one.id), tx.legs.sums(one.id))
    versions = [entrant.bot_version_id for entrant in totals]
    return Basis(
        # The commitment is public and a function of the seed.
        drawn=drawn_results(results, versions, seed=one.commitment) if results else None,
        totals={entrant.bot_version_id: (*entrant.sums, 1) for entrant in totals},
        tournaments=1,
    )


def _rows(basis: Basis, versions: dict[int, BotVersion]) -> list[dict[str, Any]]:
    """Rate all versions together and add up what each has."""
    if basis.drawn is None:
        return []
    order = sorted(versions.values(), key=lambda one: (one.sha256, one.label))
    ratings = rate_drawn(basis.drawn, [one.id for one in order])
    rows = [
        _row(version, basis.totals[version.id], rated)
        for version, rated in zip(order, ratings, strict=True)
        if rated.games
    ]
    rows.sort(key=lambda row: (row["island"], -row["rating"], row["label"]))
    return rows


def _row(version: BotVersion, totals: Sequence[int], rated: Rating) -> dict[str, Any]:
    column = dict(zip(ENTRANT_COLUMNS, totals[:ENTERED], strict=True))
    games = column["games"]
    return {
        "version_id": version.id,
        "label": version.label,
        "bot": version.bot,
        "version": version.version,
        "owner": version.owner,
        "tournaments": totals[ENTERED],
        "games": games,
        "score_share": round(column["units"] / (SHARE_UNITS * games), DIGITS) if games else None,
        "points_per_game": round(column["points"] / games, DIGITS) if games else None,
        "games_won": column["wins"],
        "games_shared": column["shared"],
        "faults": column["faults"],
        "rating": rated.rating,
        "rating_low": rated.low,
        "rating_high": rated.high,
        "island": rated.island,
    }
