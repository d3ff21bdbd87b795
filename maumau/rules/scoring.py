"""What a deal is worth (docs/rules.md §3, Points of a deal)."""

from __future__ import annotations

from mypy_extensions import i64

from maumau.rules.cards import BIT, CARD_OF_BIT, RESIDUE
from maumau.rules.machine.deal_state import NOBODY, DealState
from maumau.rules.tables import TO_FINISHER, TO_HOLDER, Tables


def hand_points(t: Tables, hand: i64) -> i64:
    """Give the sum of the values of a hand's cards."""
    points: i64 = 0
    while hand != 0:
        points += t.values[CARD_OF_BIT[(hand & -hand) % RESIDUE]]
        hand &= hand - 1
    return points


def deal_points(state: DealState) -> list[i64]:
    """Give each seat's points of a deal that has ended.

    `holder`: all but the finisher score their own hands; `finisher`: the finisher scores all
    hands. Doubled where the last card doubles; without a finisher undoubled, or nothing.
    """
    t = state.t
    points = [0] * state.seats
    finisher = state.finisher
    factor: i64 = 1
    if finisher != NOBODY and t.doubling & BIT[state.top]:
        factor = 2
    seat: i64 = 0
    if t.score_to == TO_HOLDER:
        while seat < state.seats:
            points[seat] = factor * hand_points(t, state.hands[seat])
            seat += 1
    elif t.score_to == TO_FINISHER and finisher != NOBODY:
        total: i64 = 0
        while seat < state.seats:
            total += hand_points(t, state.hands[seat])
            seat += 1
        points[finisher] = factor * total
    return points


def deal_rating(state: DealState) -> list[i64]:
    """Give each seat's rating points of a deal that has ended; the rules must have a rating."""
    t = state.t
    rating: list[i64] = []
    for seat, hand in enumerate(state.hands):
        if seat == state.finisher:
            rating.append(t.finish_rating[state.top])
        else:
            rating.append(band(t, hand_points(t, hand)))
    return rating


def band(t: Tables, points: int) -> int:
    """Give the rating of the first band whose bound is at least these hand points."""
    for upto, rating in t.bands:
        if upto is None or upto >= points:
            return rating
    return 0  # a valid rule set's last band has no bound
