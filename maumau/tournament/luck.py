"""Score shares corrected for the luck of the draw, without changing what they are on average.

Every card that is dealt or drawn is a chance event: any card that may lie there is equally likely.
A model says what a card of each rank is worth in a hand; what a seat drew is compared with the mean
of what it might have drawn, and that part of luck is taken off its share. The mean of such a
correction is zero whatever the bots do and however good the model is, as long as the model is fixed
before play (its hash is published with the tournament's commitment): Zinkevich et al. 2006 (DIVAT),
White and Bowling 2009 (MIVAT), Burch et al. 2018 (AIVAT). A better model takes off more luck.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from maumau.rules.deal import Deal
from maumau.rules.ruleset import RuleSet
from maumau.tournament.moments import Estimates, Floats, ratio
from maumau.tournament.sums import SHARE_UNITS, share_units

RANKS = "23456789TJQKAX"
FINE = SHARE_UNITS * 100_000
"""Units of a corrected share of 1: whole numbers, so that sums are exact."""

_RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class LuckModel:
    """What a card of each rank is worth in a hand, in score shares, for one rule set and table.

    `weights` goes by rank text; a rank that is missing is worth 0.
    """

    rules: str
    seats: int
    weights: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Give plain JSON values."""
        return {
            "format": "maumau-luck/1",
            "rules": self.rules,
            "seats": self.seats,
            "weights": dict(self.weights),
        }

    @property
    def hash(self) -> str:
        """The hex SHA-256 of its canonical JSON, to be published before play."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    def corrections(self, luck: Floats) -> Floats:
        """Give what luck was worth to each seat; they add up to 0. `luck` is from `surprises`."""
        weight = np.array([self.weights.get(rank, 0.0) for rank in RANKS])
        return np.asarray(_against_others(luck) @ weight)


def surprises(record: Mapping[str, Any], rules: RuleSet) -> Floats:
    """Give, per seat and rank, how many more such cards came than was to be expected.

    `record` is a whole game (docs/rules.md §5); shape (seats, ranks).
    """
    seats = len(record["seats"])
    luck = np.zeros((seats, len(RANKS)))
    for entry in record["deals"]:
        deal = Deal.from_order(
            rules,
            seats,
            entry["leader"],
            entry["order"],
            reshuffles=entry["reshuffles"],
        )
        for _, action in entry["actions"]:
            deal.apply(action)
        _walk(deal, entry["order"], entry["reshuffles"], luck)
    return luck


def _walk(
    deal: Deal, order: Sequence[str], reshuffles: Sequence[Sequence[str]], luck: Floats
) -> None:
    """Go through the cards of a deal in the order in which they came."""
    seats, data = deal.seats, deal.rules.data
    hand = data["hand_size_by_players"].get(str(seats), data["hand_size"])
    cards = _Stock(order)
    for k in range(hand * seats):
        luck[(deal.leader + k) % seats] += cards.surprise()
    turned_up = len(deal.info(0).turned_up)
    for _ in range(turned_up):
        cards.surprise()
    cards.put_under(order[hand * seats : hand * seats + turned_up - 1])
    again = iter(reshuffles)
    for event in deal.history(0).events:
        for _ in range(event.drawn):
            if not cards.left:
                cards = _Stock(next(again))
            luck[event.drawn_by] += cards.surprise()


class _Stock:
    """Cards in an order that nobody knows, but for those seen to be put under them."""

    def __init__(self, order: Sequence[str]):
        self._cards = [RANKS.index(card[0]) for card in order]
        self._next = 0
        self._unknown = np.bincount(self._cards, minlength=len(RANKS)).astype(float)
        self._under: list[int] = []

    @property
    def left(self) -> int:
        """The cards that are left."""
        return len(self._cards) - self._next + len(self._under)

    def surprise(self) -> Floats:
        """Take the next card and give it, by rank, less what was to be expected."""
        if self._next == len(self._cards):
            self._under.pop(0)  # seen before: no surprise
            return np.zeros(len(RANKS))
        rank = self._cards[self._next]
        self._next += 1
        found = -self._unknown / self._unknown.sum()
        found[rank] += 1
        self._unknown[rank] -= 1
        return np.asarray(found)

    def put_under(self, cards: Sequence[str]) -> None:
        """Put cards under the others, where everybody sees it."""
        self._under += [RANKS.index(card[0]) for card in cards]


def _against_others(luck: Floats) -> Floats:
    """Give each seat's luck less the mean of the others'."""
    seats = len(luck)
    return np.asarray((luck * seats - luck.sum(axis=0)) / (seats - 1))


def fit(records: Iterable[Mapping[str, Any]], rules: RuleSet, seats: int) -> LuckModel:
    """Learn what cards are worth from games of other bots, by least squares.

    `records` are whole games at tables of `seats`. To stay honest, they must not be those of the
    tournament that is to be corrected.
    """
    square = np.eye(len(RANKS)) * _RIDGE
    product = np.zeros(len(RANKS))
    for record in records:
        luck = _against_others(surprises(record, rules))
        share = np.array(share_units(record["ranks"])) / SHARE_UNITS
        square += luck.T @ luck
        product += luck.T @ (share - 1 / seats)
    weight = np.linalg.solve(square, product)
    return LuckModel(
        rules.id, seats, {rank: round(float(w), 6) for rank, w in zip(RANKS, weight, strict=True)}
    )


@dataclass(frozen=True, slots=True)
class CorrectedLeg:
    """One game: its block, the entrant of each seat, the corrected share of each in `FINE`s."""

    block: int
    seating: tuple[int, ...]
    shares: tuple[int, ...]


def correct(
    block: int,
    seating: Sequence[int],
    record: Mapping[str, Any],
    rules: RuleSet,
    model: LuckModel,
) -> CorrectedLeg:
    """Correct one game's shares. A corrected share may lie below 0 or above 1."""
    taken_off = model.corrections(surprises(record, rules))
    units = np.array(share_units(record["ranks"])) * (FINE // SHARE_UNITS)
    shares = units - np.round(taken_off * FINE).astype(np.int64)
    return CorrectedLeg(block, tuple(seating), tuple(int(x) for x in shares))


def corrected_shares(legs: Iterable[CorrectedLeg], entrants: int, blocks: int) -> Estimates:
    """Estimate the mean corrected share of each entrant, seeds being the independent units."""
    amounts = np.zeros((blocks, entrants), dtype=np.int64)
    games = np.zeros((blocks, entrants), dtype=np.int64)
    for leg in legs:
        np.add.at(amounts, (leg.block, list(leg.seating)), leg.shares)
        np.add.at(games, (leg.block, list(leg.seating)), 1)
    return ratio(amounts, games, FINE)
