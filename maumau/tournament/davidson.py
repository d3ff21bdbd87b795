"""Strengths from results: the Davidson–Luce model, fitted by Newton's method, many at once.

Of a line-up, the set T shares rank 1 with a chance proportional to δ_|T| · (Π_T π)^(1/|T|), δ₁ = 1
(Davidson 1970 for two; Firth, Kosmidis and Turner 2019 for more). Without ties this is Luce's
model, for two seats Bradley's and Terry's, place by place Plackett's and Luce's. The log-likelihood
depends on the score shares and the numbers of ties alone, so that a strength explains exactly the
share that standings show. A weak prior keeps entrants finite who won or lost everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from maumau.tournament.moments import Floats, Integers

PRIOR_STRENGTH = 4.6
"""Standard deviation of log strengths in the prior: 800 points on the Elo scale."""

PRIOR_TIES = (-2.0, 4.0)
"""Mean and standard deviation of log tie parameters in the prior."""

_TOLERANCE = 1e-6
"""Newton's method squares its error: after a step as short as this, none is left that counts."""
_STEPS = 100

_DENSE = 200_000
"""Up to so many numbers, products of outcomes are kept in one table over all parameters."""


@dataclass(frozen=True, slots=True)
class Company:
    """The line-ups of one size: `members` (line-ups × size), and the outcomes a game can have.

    `outcomes` (outcomes × (2 · size − 1)): what share each place gets, then 1 for the size of the
    tie (2, 3 …). `slot` says which parameter each of these columns is, per line-up.
    """

    members: Integers
    outcomes: Floats
    slot: Integers


def company(members: Integers, entrants: int) -> Company:
    """Prepare line-ups of one size; tie parameters stand after the entrants' strengths."""
    size = members.shape[1]
    rows = []
    for number in range(1, size + 1):
        for first in combinations(range(size), number):
            shares = [1 / number if place in first else 0.0 for place in range(size)]
            rows.append(shares + [float(number == tie) for tie in range(2, size + 1)])
    ties = np.broadcast_to(entrants + np.arange(size - 1), (len(members), size - 1))
    return Company(members, np.array(rows), np.hstack([members, ties]))


@dataclass(frozen=True, slots=True)
class Counts:
    """What is to be explained, for several fits at once.

    `games[k]` (fits × line-ups) for each company, `seen` (fits × parameters): the sum of score
    shares of each entrant, then the number of ties of each size.
    """

    games: list[Floats]
    seen: Floats


def fit(
    companies: Sequence[Company],
    counts: Counts,
    start: Floats | None = None,
    *,
    loosened: float = 1.0,
) -> Floats:
    """Find the log strengths and log tie parameters (fits × parameters) of highest posterior.

    Newton's method with damped steps from `start`, else from equal strengths; the posterior is
    strictly concave, so there is one answer. `loosened` multiplies the prior's standard deviations.
    """
    fits, parameters = counts.seen.shape
    sizes = [one.members.shape[1] for one in companies]
    entrants = parameters - (max(sizes, default=2) - 1)
    mean = np.zeros(parameters)
    mean[entrants:] = PRIOR_TIES[0]
    precision = np.full(parameters, (PRIOR_STRENGTH * loosened) ** -2.0)
    precision[entrants:] = (PRIOR_TIES[1] * loosened) ** -2.0
    at = np.tile(mean if start is None else start, (fits, 1))
    left = np.arange(fits)
    for _ in range(_STEPS):
        part = Counts([games[left] for games in counts.games], counts.seen[left])
        slope, bend = derivatives(companies, part, at[left])
        slope -= (at[left] - mean) * precision
        bend += np.diag(precision)
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        at[left] += step * np.minimum(1, 2 / np.maximum(longest, 1e-300))
        left = left[longest[:, 0] >= _TOLERANCE]
        if not len(left):
            break
    return at


def derivatives(companies: Sequence[Company], counts: Counts, at: Floats) -> tuple[Floats, Floats]:
    """Give the slope of the log-likelihood and minus its second derivative, at each fit."""
    fits, parameters = at.shape
    slope, bend = counts.seen.copy(), np.zeros((fits, parameters, parameters))
    for one, games in zip(companies, counts.games, strict=True):
        line_ups, outcomes = len(one.slot), len(one.outcomes)
        dense = line_ups * outcomes * parameters**2 <= _DENSE
        squares = _squares(one, parameters) if dense else None
        part = max(1, 1_000_000 // (line_ups * max(outcomes, parameters, one.slot.shape[1] ** 2)))
        for first in range(0, fits, part):
            here = slice(first, first + part)
            chance, weight = _chances(one, at[here]), games[here]
            mean = chance @ one.outcomes
            slope[here] -= _scattered(mean * weight[..., None], one.slot.ravel(), parameters)
            if squares is None:
                bend[here] += _bend(one, chance, mean, weight, parameters)
                continue
            whole = np.zeros((len(chance), line_ups, parameters))
            whole[:, np.arange(line_ups)[:, None], one.slot] = mean
            often = (chance * weight[..., None]).reshape(len(chance), -1)
            bend[here] += (often @ squares).reshape(-1, parameters, parameters)
            bend[here] -= (whole * weight[..., None]).transpose(0, 2, 1) @ whole
    return slope, bend


def _bend(one: Company, chance: Floats, mean: Floats, weight: Floats, parameters: int) -> Floats:
    """Add up the covariances of many line-ups' outcomes, each where its parameters stand."""
    columns = one.outcomes.shape[1]
    pairs = (one.outcomes[:, :, None] * one.outcomes[:, None, :]).reshape(len(one.outcomes), -1)
    slot = (one.slot[:, :, None] * parameters + one.slot[:, None, :]).ravel()
    covariance = (chance @ pairs).reshape(*mean.shape, columns)
    covariance -= mean[..., :, None] * mean[..., None, :]
    flat = _scattered(covariance * weight[..., None, None], slot, parameters**2)
    return flat.reshape(-1, parameters, parameters)


def _scattered(values: Floats, slot: Integers, length: int) -> Floats:
    """Add the values of each fit up by slot."""
    fits = len(values)
    place = (np.arange(fits)[:, None] * length + slot).ravel()
    total = np.bincount(place, values.ravel(), fits * length).astype(float)
    return total.reshape(fits, length)


def _squares(one: Company, parameters: int) -> Floats:
    """Give the products of the columns of each line-up's outcomes, as (outcomes, parameters²)."""
    whole = np.zeros((len(one.slot), len(one.outcomes), parameters))
    whole[np.arange(len(one.slot))[:, None], :, one.slot] = one.outcomes.T
    flat = whole.reshape(-1, parameters)
    return np.asarray((flat[:, :, None] * flat[:, None, :]).reshape(len(flat), -1))


def _chances(one: Company, at: Floats) -> Floats:
    """Give the chance of each outcome: (fits, line-ups, outcomes)."""
    # The prior keeps strengths within a few dozens of each other: no exponential is too small.
    entrants = int(one.slot[0, one.members.shape[1]])
    chance = at[:, one.slot] @ one.outcomes.T
    chance -= at[:, :entrants].max(axis=1)[:, None, None]
    np.exp(chance, out=chance)
    chance /= (chance @ np.ones(len(one.outcomes)))[..., None]
    return chance
