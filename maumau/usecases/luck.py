"""Scores with the luck of the draw taken off, beside what they are without: a report.

The model that says what cards are worth is a function of the rule set and the seats alone: it is
learnt from games played at random from seeds that everybody knows. So it is fixed before any
tournament, and whoever wants to see that compares its hash.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from maumau.rules.compact import expand
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet
from maumau.storage import Database
from maumau.tournament import intervals
from maumau.tournament.luck import (
    FINE,
    CorrectedLeg,
    LuckModel,
    correct,
    corrected_shares,
    fit,
)
from maumau.tournament.moments import Estimates
from maumau.tournament.rounding import rounded
from maumau.tournament.stop_rules import load_stop_rule
from maumau.tournament.sums import SHARE_UNITS, share_units
from maumau.usecases.read.games import rules_of
from maumau.usecases.read.tournaments import found_tournament

LEARNT_FROM = 300
"""Games from which a model is learnt."""

MOST_GAMES = 2000
"""Games of a tournament that a report goes through: replaying takes milliseconds each."""


@dataclass(frozen=True, slots=True)
class LuckReport:
    """A tournament's first `seeds` seeds, with and without the luck of the draw.

    `rows`: entrant, games, `share` with `low` and `high`, `corrected` with `corrected_low` and
    `corrected_high`, and `variance_factor`: how many times more games it would take without the
    correction. `model` is the hash of `weights`, what a card of each rank is worth in a hand.
    """

    tournament: str
    model: str
    weights: Mapping[str, float]
    seeds: int
    games: int
    rows: tuple[Mapping[str, Any], ...]


@lru_cache(maxsize=16)
def model_of(rules: RuleSet, seats: int) -> LuckModel:
    """Give the model of a rule set at tables of so many seats."""
    names = [f"seat-{seat}" for seat in range(seats)]

    def played(number: int) -> Mapping[str, Any]:
        seed = f"maumau-luck/1:{number}"
        game, rng = Game(rules, seats=seats, seed=seed, names=names), Random(seed)
        while not game.over:
            game.apply(rng.choice(game.deal.legal_actions()))
        return game.record()

    return fit(map(played, range(LEARNT_FROM)), rules, seats)


def report(db: Database, tournament_id: str) -> LuckReport:
    """Go through a tournament's first games and take the luck of the draw off their shares.

    Complete blocks count, from the first on. Raises `NotFound`.
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
