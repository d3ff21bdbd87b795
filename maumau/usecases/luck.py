"""Scores with the luck of the draw taken off, beside what they are without: a report.

The model that says what cards are worth (maumau.usecases.luck_model) is fixed when a tournament is
scheduled: its hash is kept with it, and a report by any other model is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from maumau.errors import Conflict
from maumau.rules.compact import expand
from maumau.storage import Database
from maumau.tournament import intervals
from maumau.tournament.luck import (
    FINE,
    CorrectedLeg,
    correct,
    corrected_shares,
)
from maumau.tournament.moments import Estimates
from maumau.tournament.rounding import rounded
from maumau.tournament.stop_rules import load_stop_rule
from maumau.tournament.sums import SHARE_UNITS, share_units
from maumau.usecases.luck_model import model_of
from maumau.usecases.read.games import rules_of
from maumau.usecases.read.tournaments import found_tournament

MOST_GAMES = 2000
"""Games of a tournament that a report goes through: replaying takes milliseconds each."""


@dataclass(frozen=True, slots=True)
class LuckReport:
    """A tournament's first `seeds` seeds, with and without the luck of the draw.

    `rows`: entrant, games, `share` with `low` and `high`, `corrected` with `corrected_low` and
    `corrected_high`, and `variance_factor`: how many times more games it would take without the
    correction. `model` is the hash of `weights`, what a card of each rank is worth in a hand;
    `fixed` says whether it was kept before play, as it is since tournaments keep one.
    """

    tournament: str
    model: str
    fixed: bool
    weights: Mapping[str, float]
    seeds: int
    games: int
    rows: tuple[Mapping[str, Any], ...]


def report(db: Database, tournament_id: str) -> LuckReport:
    """Go through a tournament's first games and take the luck of the draw off their shares.

    Complete blocks count, from the first on. Raises `NotFound`, and `Conflict` where the tournament
    was scheduled with another model: one that was chosen since may have been chosen for its result.
    """
    with db.read() as tx:
        found = found_tournament(tx, tournament_id)
        labels = [one.label for one in tx.tournaments.entrants(tournament_id)]
        rules = rules_of(tx, tournament_id)
        complete = found.ended_blocks or tx.chunks.complete_blocks(found.id, found.blocks)
        # Of so many blocks each has at most so many games.
        each = max(1, math.ceil(found.games_total / (found.ended_blocks or found.blocks)))
        blocks = min(complete, max(intervals.LEAST_SEEDS, MOST_GAMES // each))
        legs = [leg for leg in tx.legs.all(tournament_id) if leg.block < blocks]
    model = model_of(rules, found.seats)
    if found.luck_model not in (None, model.hash):
        raise Conflict(
            "luck_model",
            f"the luck model of this arena has the hash {model.hash}, but the tournament was "
            f"scheduled with {found.luck_model}: use the version of the arena that it was "
            "scheduled with",
        )
    corrected = corrected_shares(
        (correct(leg.block, leg.seating, expand(leg.record, rules), rules, model) for leg in legs),
        len(labels),
        blocks,
    )
    plain = corrected_shares(
        (
            CorrectedLeg(
                leg.block,
                leg.seating,
                tuple(units * (FINE // SHARE_UNITS) for units in share_units(leg.ranks)),
            )
            for leg in legs
        ),
        len(labels),
        blocks,
    )
    games = [sum(number in leg.seating for leg in legs) for number in range(len(labels))]
    return LuckReport(
        tournament=found.id,
        model=model.hash,
        fixed=found.luck_model is not None,
        weights=model.weights,
        seeds=corrected.all_seeds,
        games=len(legs),
        rows=tuple(
            {
                "entrant": label,
                "games": games[i],
                **_row(i, plain, corrected, repeated=load_stop_rule(found.stop).repeated),
            }
            for i, label in enumerate(labels)
        ),
    )


def _row(
    i: int, plain: Estimates, corrected: Estimates, *, repeated: bool
) -> dict[str, float | None]:
    before, after = (float(one.covariance[i, i]) for one in (plain, corrected))
    wide = intervals.factor(int(plain.seeds[i]), repeated=repeated)
    low, high = intervals.share_intervals(
        plain.value[[i]], np.array([before]), plain.seeds[[i]], repeated=repeated
    )
    value, half = float(corrected.value[i]), wide * math.sqrt(max(after, 0.0))
    return {
        "share": rounded(plain.value[i]),
        "low": rounded(low[0]),
        "high": rounded(high[0]),
        "corrected": rounded(value),
        "corrected_low": rounded(value - half),
        "corrected_high": rounded(value + half),
        "variance_factor": rounded(before / after) if after > 0 else None,
    }
