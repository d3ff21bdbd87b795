"""What playouts make of each action in a position: a rough guide, with how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final, Literal

from maumau.rules.deal import Deal, DealResult, RolloutResult

Cards = Literal["known", "open"]
CARDS: Final[tuple[Cards, ...]] = ("known", "open")
SURE: Final = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one action: the share of playouts in which the seat finished first, and its mean points.

    `margin` is half the width of the 95 % interval (Wald) of `finishes`, a share from 0 to 1.
    """

    action: str
    finishes: float
    margin: float
    points: float


def estimates(deal: Deal, *, playouts: int, seed: str, cards: Cards = "known") -> list[Estimate]:
    """Play a deal on after each legal action of the seat to act, `playouts` times each.

    With `known` cards each playout starts from a deal drawn from what that seat knows
    (`Observation.sample`); with `open` ones from the cards as they lie. All actions are tried on
    the same deals, and every seat goes on by the rules of thumb of `Deal.rollout`. The same seed
    gives the same figures.
    """
    seat, actions = deal.seat, deal.legal_actions()
    seen = deal.observation(seat)
    rng = Random(seed)
    finishes = [0] * len(actions)
    points = [0] * len(actions)
    for _ in range(playouts):
        world = seen.sample(rng) if cards == "known" else deal
        luck = rng.getrandbits(62)
        for n, action in enumerate(actions):
            result = _played_out(world, action, luck)
            finishes[n] += result.finisher == seat
            points[n] += result.points[seat]
    return [
        Estimate(action, won / playouts, _margin(won / playouts, playouts), lost / playouts)
        for action, won, lost in zip(actions, finishes, points, strict=True)
    ]


def _played_out(world: Deal, action: str, luck: int) -> DealResult | RolloutResult:
    deal = world.copy()
    deal.apply(action)
    return deal.result() if deal.over else deal.rollout("heuristic", Random(luck))


def _margin(share: float, n: int) -> float:
    return SURE * sqrt(share * (1 - share) / n)
