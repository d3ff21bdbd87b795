"""What one seat may know of a deal (docs/rules.md §1, §3), and nothing else.

An observation is made of three parts, all plain integers on a wire: what is fixed for the deal
(`DealInfo`), the events so far as this seat saw them (`History`), and the position now (a
`snapshot`). A child process that is fed the same integers holds the identical observation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import i64

from maumau.errors import Conflict, IllegalAction, InvalidInput, Problem
from maumau.rules.actions import ACTION_NUMBER, ACTIONS
from maumau.rules.cards import CARDS, NO_CARD, SUITS, texts_in
from maumau.rules.deal_info import DealInfo
from maumau.rules.events import Event
from maumau.rules.history import History
from maumau.rules.legality import legal_ids
from maumau.rules.machine.deal_state import NOBODY, OVER, PHASES
from maumau.rules.policies import SAMPLE_POLICIES, policy_number
from maumau.rules.prng import Prng
from maumau.rules.rollouts import Rollouts, roll_out
from maumau.rules.ruleset import RuleSet
from maumau.rules.sampling import Sampler, sampler_of
from maumau.rules.skill import weighed
from maumau.rules.snapshot import (
    ACTING,
    COUNTS,
    DIRECTION,
    DRAWN_CARD,
    DRAWS,
    HAND,
    OFFENDER,
    OTHERS,
    OWED,
    PHASE,
    PLAYS,
    STOCK,
    TOP,
    WISH,
    known_state,
)
from maumau.rules.watching import watch_of

if TYPE_CHECKING:
    from maumau.rules.deal import Deal


class Observation:
    """What one seat may know; cannot be changed, and stays as it is when the deal goes on.

    Everything is worked out when it is asked for. Cards, suits and actions are texts
    (docs/rules.md §1), lists are tuples.
    """

    __slots__ = ("_count", "_history", "_info", "_now", "_sampler", "_trusting")

    def __init__(self, info: DealInfo, history: History, now: list[i64]) -> None:
        """Take the fixed part, the events (those there are now) and a snapshot."""
        self._info = info
        self._history = history
        self._count: i64 = len(history.codes)
        self._now = now
        self._sampler: Sampler | None = None
        self._trusting = False

    @property
    def rules(self) -> RuleSet:
        """The rule set; `rules.data` is the complete one as plain values."""
        return self._info.rules

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._info.seats

    @property
    def seat(self) -> int:
        """The observing seat."""
        return self._info.seat

    @property
    def leader(self) -> int:
        """The seat that acted first in this deal."""
        return self._info.leader

    @property
    def deal_number(self) -> int:
        """The number of the deal in its game, from 0."""
        return self._info.number

    @property
    def totals(self) -> tuple[int, ...]:
        """The seats' totals before this deal."""
        return self._info.totals

    @property
    def acting(self) -> int:
        """The seat that is to act, or acted last if the deal is over."""
        return self._now[ACTING]

    @property
    def direction(self) -> int:
        """1 if the turn passes to higher seats, -1 if to lower ones."""
        return self._now[DIRECTION]

    @property
    def top_card(self) -> str:
        """The discard pile's last card."""
        return CARDS[self._now[TOP]]

    @property
    def wish(self) -> str | None:
        """The suit that is wished for, if any."""
        wish = self._now[WISH]
        return SUITS[wish - 1] if wish > 0 else None

    @property
    def owed(self) -> int:
        """How many cards the next turn's seat must draw unless it answers."""
        return self._now[OWED]

    @property
    def phase(self) -> str:
        """What the acting seat is asked.

        `turn`: an ordinary turn, or to answer what is owed; `drawn`: whether to play the card just
        drawn; `drawing`: the turn goes on after drawing; `asked`: whether to catch a missed call;
        `over`: nothing any more.
        """
        return PHASES[self._now[PHASE]]

    @property
    def drawn_card(self) -> str | None:
        """The card just drawn, where the observer is asked whether to play it."""
        card = self._now[DRAWN_CARD]
        return CARDS[card] if card != NO_CARD else None

    @property
    def draws(self) -> int:
        """How many ordinary draws the acting seat has made in this turn."""
        return self._now[DRAWS]

    @property
    def offender(self) -> int | None:
        """The seat that missed a call, while the others are asked about it."""
        seat = self._now[OFFENDER]
        return seat if seat != NOBODY else None

    @property
    def stock_count(self) -> int:
        """How many cards the stock holds."""
        return self._now[STOCK]

    @property
    def hand(self) -> tuple[str, ...]:
        """The observer's own cards, sorted."""
        return tuple(texts_in(self._now[HAND]))

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self._now[COUNTS:])

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """The observer's legal actions, sorted; empty where it is not to act."""
        return tuple([ACTIONS[number] for number in self.legal_ids()])

    def legal_ids(self) -> list[i64]:
        """Give the legal actions as indices into the table of all actions."""
        now = self._now
        return legal_ids(self._history.tables, now[PLAYS], now[OTHERS], now[HAND])

    @property
    def events(self) -> tuple[Event, ...]:
        """All actions of the deal so far, in order."""
        events = self._history.events
        return tuple(events if self._count == len(events) else events[: self._count])

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The face-up cards, bottom first; the last one is the top card."""
        return tuple([CARDS[card] for card in self._history.pile(self._count)])

    @property
    def turned_up(self) -> tuple[str, ...]:
        """The cards turned up at the start: the last one is the starter.

        The others might not be the starter and went under the stock, in this order.
        """
        return tuple([CARDS[card] for card in self._info.turned_up])

    def weigh(self) -> dict[str, float]:
        """Weigh the actions worth a thought by the policy `skilled`; the highest is its choice.

        Differences are shares of deals won, as far as the policy can tell them. Left out are: to
        miss a call or a catch, to draw in an ordinary turn though a card fits, to wish for a suit
        that is not held. Empty where the observer is not to act.
        """
        codes = self._history.codes[: self._count]
        if self._now[PLAYS] == 0 and self._now[OTHERS] == 0:
            return {}
        state = known_state(self._now, self._info, self._history, codes)
        state.hand = self._now[HAND]
        watch = watch_of(self._history.tables, self._history.starter, codes)
        return {ACTIONS[number]: worth for number, worth in weighed(state, watch)}

    def sample(self, rng: Random, *, trusting: bool = False) -> Deal:
        """Draw a deal that agrees with all that the observer knows, for search.

        Hidden cards are drawn, by a chain of exchanges that converges to the uniform draw (see
        `sampling`), over the shuffles that agree with the history: with the cards seen, those
        known to be back in the stock, and what draws prove that seats lacked (docs/rules.md §3).
        What the others chose counts as no evidence; but with `trusting` it is taken for granted
        that nobody drew who could have played, as hardly anybody does (unless the history tells
        otherwise). In the deal everybody's cards are open; the observer's observation of it equals
        this one. Raises Conflict when the deal is over.
        """
        from maumau.rules.deal import Deal

        info = self._info
        return Deal(
            info.rules,
            info.seats,
            info.leader,
            number=info.number,
            totals=info.totals,
            state=self._sampler_for(trusting=trusting).draw(Prng(rng.getrandbits(62))),
        )

    def rollouts(
        self,
        actions: Sequence[str],
        rng: Random,
        *,
        deals: int = 300,
        work: int = 1_000_000,
        policy: str = "heuristic",
    ) -> Rollouts:
        """Try actions: take each in the same sampled deals and play these to their ends.

        `deals` (1 or more) are sampled as by `sample` with `trusting`, each with a weight as by
        `Deal.likelihood`; fewer, but one at least, where that would be more work than to play
        `work` actions. All seats go on by the policy, as in `Deal.rollout`; or with `likely` the
        seat itself by `skilled` and the others by whichever of `heuristic` and `skilled` they seem
        to follow in that deal, after eight actions all by `heuristic`. `rng` decides. Raises
        IllegalAction for an action that is not legal here, InvalidInput for another wrong value.
        """
        legal = self.legal_ids()
        numbers: list[i64] = []
        for action in actions:
            number = ACTION_NUMBER.get(action, -1)
            if number not in legal:
                raise IllegalAction(action, self.legal_actions)
            numbers.append(number)
        if deals < 1:
            raise InvalidInput([Problem("deals", "must be 1 or more")])
        sampler = self._sampler_for(trusting=True)
        prng = Prng(rng.getrandbits(62))
        chosen = policy_number(policy, SAMPLE_POLICIES)
        return roll_out(sampler, numbers, chosen, prng, deals, work)

    def _sampler_for(self, *, trusting: bool) -> Sampler:
        if self._now[PHASE] == OVER:
            raise Conflict("deal_over", "the deal is over: there is nothing left to sample")
        sampler = self._sampler
        if sampler is None or self._trusting != trusting:
            info = self._info
            codes = self._history.codes[: self._count]
            sampler = sampler_of(
                self._history.tables,
                info.seat,
                info.leader,
                list(info.turned_up),
                codes,
                self._history.cards_before(self._count),
                known_state(self._now, info, self._history, codes),
                trusting=trusting,
            )
            self._sampler = sampler
            self._trusting = trusting
        return sampler

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values, the rules as their id."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        values["rules"] = self.rules.id
        values["events"] = [event._asdict() for event in self.events]
        return values

    def to_json(self) -> str:
        """Give the canonical text: equal knowledge, equal text."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def __repr__(self) -> str:
        """Show the position in one line."""
        hand, legal = " ".join(self.hand), " ".join(self.legal_actions)
        return f"<Observation seat {self.seat}: {hand} on {self.top_card}; legal: {legal}>"


_FIELDS: Final = (
    "acting",
    "deal_number",
    "direction",
    "discard_pile",
    "draws",
    "drawn_card",
    "events",
    "hand",
    "hand_counts",
    "leader",
    "legal_actions",
    "offender",
    "owed",
    "phase",
    "seat",
    "seats",
    "stock_count",
    "top_card",
    "totals",
    "turned_up",
    "wish",
)
