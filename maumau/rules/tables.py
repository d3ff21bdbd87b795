"""What a rule set means for each card, worked out once per rule set and number of seats.

The state machine reads nothing but these tables, so no preset needs code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import i64

from maumau.errors import InvalidInput, Problem
from maumau.rules.actions import FORM_COUNT
from maumau.rules.cards import BIT, CARDS, RANKS, pack, rank_of, set_of, suit_of
from maumau.rules.ruleset import RuleSet
from maumau.wording import span

WISHES: Final = 5
"""Wish states: 0 none, else 1 + suit."""

# Who is left with how many cards, as far as calls and wishes ask (docs/rules.md §1, §3).
MANY_LEFT: Final = 0
ONE_LEFT: Final = 1
NONE_LEFT: Final = 2

# draw.then
THEN_END: Final = 0
THEN_MAY_PLAY_DRAWN: Final = 1
THEN_MUST_PLAY_DRAWN: Final = 2
THEN_MAY_PLAY_ANY: Final = 3
_THEN: Final = {
    "end": THEN_END,
    "may_play_drawn": THEN_MAY_PLAY_DRAWN,
    "must_play_drawn": THEN_MUST_PLAY_DRAWN,
    "may_play_any": THEN_MAY_PLAY_ANY,
}

# call.mode
CALL_NONE: Final = 0
CALL_AUTO: Final = 1
CALL_CATCH: Final = 2
_MODES: Final = {"none": CALL_NONE, "auto": CALL_AUTO, "catch": CALL_CATCH}

# scoring.to
TO_NONE: Final = 0
TO_HOLDER: Final = 1
TO_FINISHER: Final = 2
_TO: Final = {"none": TO_NONE, "holder": TO_HOLDER, "finisher": TO_FINISHER}

_RANK_CARDS: Final = {
    rank: set_of([card for card, _ in enumerate(CARDS) if rank_of(card) == rank]) for rank in RANKS
}
_EVERY_CARD: Final = set_of([card for card, _ in enumerate(CARDS)])


class Tables:
    """A rule set for a given number of seats, as the state machine reads it. Never changed."""

    def __init__(self, data: Mapping[str, Any], seats: int) -> None:
        self.seats: i64 = seats
        self.thumb: object = None
        self.facts: object = None
        """What `policies` works out from the tables, once it is asked for."""
        self._set_up(data, seats)
        self._fits(data["effects"])
        self._effects(data, seats)
        self._drawing(data)
        self._calls(data["call"])
        self._scoring(data["scoring"])

    def _set_up(self, data: Mapping[str, Any], seats: int) -> None:
        """Pack, hands and starter (docs/rules.md §3, Set-up)."""
        self.pack: list[i64] = pack(data["deck"]["lowest"], data["deck"]["jokers"])
        exceptions = data["hand_size_by_players"]
        self.hand_size: i64 = exceptions.get(str(seats), data["hand_size"])
        self.starter_acts: bool = data["starter"]["effect"] == "acts"
        self.starter_redrawn: i64 = _cards_of_ranks(data["starter"]["redraw"])
        self.max_actions: i64 = data["max_actions"]

    def _fits(self, effects: Mapping[str, Any]) -> None:
        """Which cards fit on each top card: `fits[top * WISHES + wish]`, `answers[top]` (§3).

        `wishing` are the cards that name a suit when played, `wild` those that fit nearly always,
        `accepting` those that any card fits on.
        """
        wishes = [r for r in RANKS if (effects.get(r, {}).get("wild") or {}).get("wish", False)]
        self.wishing: i64 = _cards_of_ranks(wishes)
        self.wild: i64 = _cards_of_ranks([r for r in RANKS if "wild" in effects.get(r, {})])
        accepting = [r for r in RANKS if effects.get(r, {}).get("accepts_any", False)]
        self.accepting: i64 = _cards_of_ranks(accepting)
        self.suit_cards: list[i64] = [
            set_of([card for card, _ in enumerate(CARDS) if suit_of(card) == suit])
            for suit in range(4)
        ]
        self.fits: list[i64] = []
        self.answers: list[i64] = []
        for top, _ in enumerate(CARDS):
            answer = effects.get(rank_of(top), {}).get("answer", [])
            self.answers.append(_cards_of_ranks(answer))
            wild = _cards_of_ranks([rank for rank in RANKS if _wild_on(effects, rank, top)])
            for wish in range(WISHES):
                self.fits.append(wild | (self._followers(top, wish) & ~self.wild))

    def _followers(self, top: i64, wish: i64) -> i64:
        """Which cards follow a top card, were none of them wild (§3, What fits)."""
        if self.accepting & BIT[top]:
            return _EVERY_CARD
        if wish:
            return self.suit_cards[wish - 1]
        same_rank = _RANK_CARDS[rank_of(top)]
        suit = suit_of(top)
        return same_rank if suit == -1 else same_rank | self.suit_cards[suit]

    def _effects(self, data: Mapping[str, Any], seats: int) -> None:
        """What each card does when played (§3, Playing).

        `debt` and `turns_round` where it is one of `effective`; after it the turn goes `steps`
        seats on, counted round the table.
        """
        reverse_again = seats == 2 and data["reverse_with_two"] == "again"
        self.debt: list[i64] = []
        self.turns_round: list[bool] = []
        self.steps: list[i64] = []
        for card, _ in enumerate(CARDS):
            effect = data["effects"].get(rank_of(card), {})
            reverses = effect.get("reverse", False)
            again = effect.get("again", False) or (reverses and reverse_again)
            self.debt.append(effect.get("draw", 0))
            self.turns_round.append(reverses and seats != 2)
            self.steps.append(0 if again else (1 + effect.get("skip", 0)) % seats)
        working = [c for c, _ in enumerate(CARDS) if self.debt[c] or self.turns_round[c]]
        self.effective: i64 = set_of(working)

    def _drawing(self, data: Mapping[str, Any]) -> None:
        """Drawing and the end of the stock (§3, Drawing)."""
        self.voluntary: bool = data["draw"]["voluntary"]
        self.max_draws: i64 = data["draw"]["max"]
        self.then: i64 = _THEN[data["draw"]["then"]]
        self.turn_after_penalty: bool = data["after_penalty"] == "turn"
        self.reshuffles: bool = data["stock_out"] == "reshuffle"

    def _calls(self, call: Mapping[str, Any]) -> None:
        """Which forms a play has: `forms[3 * wishing + left]`, `due` likewise (§3, Legal actions).

        `left` is MANY_LEFT, ONE_LEFT or NONE_LEFT after the play; `wishing` is 1 for a card of
        `self.wishing`, else 0.
        """
        self.call_mode: i64 = _MODES[call["mode"]]
        self.call_penalty: i64 = call["penalty"]
        last_card = ["never"] if self.call_mode == CALL_NONE else [call["last_card"]]
        one_left = call["one_left"] and self.call_mode != CALL_NONE
        self.due: list[bool] = []
        self.forms: list[list[i64]] = []
        for wishing in (False, True):
            last_due = last_card == ["always"] or (last_card == ["wild"] and wishing)
            for left, due in ((MANY_LEFT, False), (ONE_LEFT, one_left), (NONE_LEFT, last_due)):
                self.due.append(due)
                self.forms.append(_forms(wishing=wishing, due=due, last=left == NONE_LEFT))

    def _scoring(self, scoring: Mapping[str, Any]) -> None:
        """Card points and rating (§3, Points of a deal)."""
        self.score_to: i64 = _TO[scoring["to"]]
        self.values: list[i64] = [scoring["values"].get(rank_of(c), 0) for c, _ in enumerate(CARDS)]
        self.doubling: i64 = _cards_of_ranks(scoring["double_on"])
        rating = scoring["rating"]
        self.rated: bool = rating is not None
        self.finish_rating: list[i64] = []
        self.bands: list[tuple[int | None, int]] = []
        if rating is not None:
            on = rating["finish_on"]
            self.finish_rating = [on.get(rank_of(c), rating["finish"]) for c, _ in enumerate(CARDS)]
            self.bands = [(upto, points) for upto, points in rating["bands"]]


_prepared: dict[tuple[str, int], Tables] = {}
_PREPARED_LIMIT: Final = 64


def tables_for(rules: RuleSet, seats: int) -> Tables:
    """Give the tables of a rule set; raises InvalidInput for seats that it does not allow."""
    key = (rules.id, seats)
    tables = _prepared.get(key)
    if tables is None:
        fewest, most = rules.data["players"]
        if not fewest <= seats <= most:
            message = f"these rules are for {span(fewest, most)} seats, not {seats}"
            raise InvalidInput([Problem("seats", message)])
        if len(_prepared) >= _PREPARED_LIMIT:
            _prepared.clear()
        tables = _prepared[key] = Tables(rules.data, seats)
    return tables


def _cards_of_ranks(ranks: list[str]) -> i64:
    cards: i64 = 0
    for rank in ranks:
        cards |= _RANK_CARDS.get(rank, 0)
    return cards


def _wild_on(effects: Mapping[str, Any], rank: str, top: i64) -> bool:
    """Tell whether a rank is wild and may be played on this top card (§3, What fits)."""
    wild = effects.get(rank, {}).get("wild")
    return wild is not None and rank_of(top) not in wild["not_on"]


def _forms(*, wishing: bool, due: bool, last: bool) -> list[i64]:
    """List the forms of one play (docs/rules.md §3, Legal actions of a turn, 1).

    The last card names no suit where the play ends the deal: no call is due, or it is made.
    """
    forms = []
    for form in range(FORM_COUNT):
        wish, called = form // 2, form % 2 == 1
        ends_deal = last and (called or not due)
        if (called <= due) and (wish > 0) == (wishing and not ends_deal):
            forms.append(form)
    return forms
