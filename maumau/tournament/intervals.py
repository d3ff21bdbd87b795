"""How sure a share or a difference is: seeds are the independent units.

All line-ups that play a seed play the same cards, so their results hang together; a seed's sums
are kept whole and the spread between seeds gives every error here. Ratio estimates (units over
games) with their linearised residuals; Student's t at seeds − 1 degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from maumau.tournament.quantiles import t_quantile

Floats = npt.NDArray[np.float64]

LEAST_SEEDS = 10
"""Below this number of seeds no interval is given."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Ratio estimates of several columns over the same seeds.

    `value` has one entry per entrant (nan where it played nothing), `residual` one row per seed
    with the linearised deviations (their sum is 0), `seeds` the seeds each entrant played.
    """

    value: Floats
    residual: Floats
    seeds: npt.NDArray[np.int64]

    def covariance(self) -> Floats:
        """Give the covariance of the estimates, shape (entrants, entrants)."""
        number = len(self.residual)
        scale = number / (number - 1) if number > 1 else np.nan
        return np.asarray(self.residual.T @ self.residual * scale)


def ratio(
    amounts: npt.NDArray[np.int64], games: npt.NDArray[np.int64], unit: float = 1.0
) -> Estimates:
    """Estimate amount per game and entrant from sums per (seed, entrant)."""
    total = games.sum(axis=0).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = amounts.sum(axis=0) / total
        residual = np.where(games > 0, amounts - value * games, 0.0) / total
    played = (games > 0).any(axis=1)
    return Estimates(value / unit, residual[played] / unit, (games > 0).sum(axis=0))


def t_interval(
    value: Floats, variance: Floats, seeds: npt.NDArray[np.int64], confidence: float
) -> tuple[Floats, Floats]:
    """Give lower and upper ends, nan below `LEAST_SEEDS` seeds."""
    factor = np.array(
        [
            t_quantile((1 + confidence) / 2, int(k) - 1) if k >= LEAST_SEEDS else np.nan
            for k in seeds
        ]
    )
    half = factor * np.sqrt(variance)
    return value - half, value + half
