"""A deal as the library shows it: texts outside, the state machine inside (docs/rules.md §3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from maumau.errors import Conflict, IllegalAction, InvalidInput, Problem
from maumau.rules.actions import ACTION_NUMBER, ACTIONS
from maumau.rules.cards import CARDS, texts_in
from maumau.rules.deal_info import DealInfo
from maumau.rules.events import EVENT_SEAT
from maumau.rules.history import History, events_for
from maumau.rules.legality import is_legal, legal_ids
from maumau.rules.likelihood import log_likelihood
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import ENDS, NOBODY, DealState
from maumau.rules.machine.dealing import begin
from maumau.rules.observation import Observation
from maumau.rules.policies import play_on, policy_number
from maumau.rules.prng import Prng, PrngShuffles
from maumau.rules.ruleset import RuleSet
from maumau.rules.scoring import deal_points, deal_rating
from maumau.rules.shuffle import GivenShuffles, SeededShuffles, Shuffles, card_numbers
from maumau.rules.snapshot import snapshot
from maumau.rules.tables import tables_for


@dataclass(frozen=True)
class DealResult:
    """How a deal ended, as a record holds it (docs/rules.md §5).

    `end` is `finished`, `stock_out`, `blocked` or `limit`; `finisher` None but for `finished`;
    `hands` the cards left at each seat, sorted; `rating` None where the rules have none.
    """

    end: str
    finisher: int | None
    hands: list[list[str]]
    points: list[int]
    rating: list[int] | None


class RolloutResult:
    """What a rollout came to: `end`, `finisher` (None if nobody), `points` and `rating` by seat.

    `actions` are all actions of the deal, those before the rollout too; `rating` is None where the
    rules have none.
    """

    __slots__ = ("actions", "end", "finisher", "points", "rating")

    def __init__(self, state: DealState) -> None:
        self.end = ENDS[state.end]
        self.finisher = state.finisher if state.finisher != NOBODY else None
        self.points = deal_points(state)
        self.rating = deal_rating(state) if state.t.rated else None
        self.actions = state.actions


class Deal:
    """One shuffle, played until it ends."""

    def __init__(
        self,
        rules: RuleSet,
        seats: int,
        leader: int = 0,
        seed: str = "",
        number: int = 0,
        *,
        totals: Sequence[int] | None = None,
        shuffles: Shuffles | None = None,
        state: DealState | None = None,
    ) -> None:
        """Deal the cards of one deal of a game.

        `leader` acts first; `seed` and `number` (from 0) determine every shuffle (docs/rules.md
        §5); `totals` are the seats' totals before this deal. `shuffles` replaces the seed's;
        `state` is taken as it is, and then nothing is dealt. Raises InvalidInput for a number of
        seats that the rules do not allow.
        """
        tables = tables_for(rules, seats)
        if not 0 <= leader < seats:
            raise InvalidInput([Problem("leader", f"must be a seat from 0 to {seats - 1}")])
        self.rules = rules
        self.number = number
        self.totals = tuple(totals) if totals is not None else (0,) * seats
        self._histories: list[History | None] = [None] * seats
        self._infos: list[DealInfo | None] = [None] * seats
        if state is None:
            source = shuffles if shuffles is not None else SeededShuffles(seed, number)
            state = DealState(tables, source)
            begin(state, source.order(0, tables.pack), leader)
        self.state = state

    @classmethod
    def from_order(
        cls,
        rules: RuleSet,
        seats: int,
        leader: int,
        order: Sequence[str],
        reshuffles: Sequence[Sequence[str]] = (),
        *,
        number: int = 0,
        totals: Sequence[int] | None = None,
    ) -> Deal:
        """Deal the cards in a given order (docs/rules.md §3, Set-up).

        `order` is the pack as card texts, first card first; `reshuffles` are the orders of the
        stock after each reshuffle; where they run out, shuffles of a fixed seed follow. Raises
        InvalidInput if the order is not exactly the pack; a reshuffle that does not hold exactly
        the cards due is refused by the action that needs it.
        """
        orders = [card_numbers(order, "order")]
        for k, again in enumerate(reshuffles):
            orders.append(card_numbers(again, f"reshuffles[{k}]"))
        shuffles = GivenShuffles(orders, SeededShuffles("", number))
        return cls(rules, seats, leader, "", number, totals=totals, shuffles=shuffles)

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.state.seats

    @property
    def leader(self) -> int:
        """The seat that acts first."""
        return self.state.leader

    @property
    def seat(self) -> int:
        """The seat that is to act."""
        return self.state.seat

    @property
    def over(self) -> str:
        """The end (docs/rules.md §3, Ends), or "" while the deal goes on."""
        return ENDS[self.state.end]

    @property
    def action_count(self) -> int:
        """How many actions there were."""
        return self.state.actions

    def legal_actions(self) -> list[str]:
        """List the legal actions as texts, sorted; none when the deal is over."""
        return [ACTIONS[number] for number in self.legal_ids()]

    def legal_ids(self) -> list[int]:
        """List the legal actions as indices into the table of all actions, ascending."""
        state = self.state
        return legal_ids(state.t, state.plays, state.others, state.hand)

    def play_forced(self) -> list[int]:
        """Do what is forced until a seat has a choice; give its `legal_ids`, none at the end."""
        legal = self.legal_ids()
        while len(legal) == 1:
            self.apply_id(legal[0])
            legal = self.legal_ids()
        return legal

    def apply(self, action: object) -> None:
        """Let the seat to act do this; raises IllegalAction, and then nothing has changed."""
        number = ACTION_NUMBER.get(action) if isinstance(action, str) else None
        if number is None:
            raise IllegalAction(action, self.legal_actions(), "not an action's text")
        self.apply_id(number)

    def apply_id(self, action: int) -> None:
        """Do the same with an action's index."""
        state = self.state
        if not 0 <= action < len(ACTIONS):
            raise IllegalAction(action, self.legal_actions(), "not an action's index")
        if not is_legal(state.t, state.plays, state.others, state.hand, action):
            raise IllegalAction(ACTIONS[action], self.legal_actions())
        if isinstance(state.shuffles, GivenShuffles):
            # A given reshuffle may turn out wrong in the middle of an action.
            state = state.copy()
            act(state, action)
            self.state = state
        else:
            act(state, action)

    def result(self) -> DealResult:
        """Give the end, finisher, hands left, points and rating; the deal must be over."""
        state = self.state
        if not state.end:
            raise Conflict("deal_not_over", "the deal is not over: it has no result yet")
        return DealResult(
            end=ENDS[state.end],
            finisher=None if state.finisher == NOBODY else state.finisher,
            hands=self.hands(),
            points=deal_points(state),
            rating=deal_rating(state) if state.t.rated else None,
        )

    def hands(self) -> list[list[str]]:
        """Give the cards that each seat holds, sorted."""
        return [texts_in(hand) for hand in self.state.hands]

    def hand_text(self, seat: int) -> str:
        """Give the cards of one seat, sorted, with blanks between."""
        return " ".join(texts_in(self.state.hands[seat]))

    def actions(self) -> list[tuple[int, str]]:
        """List the actions so far, each with its seat."""
        return [(code // EVENT_SEAT % 64, ACTIONS[code % EVENT_SEAT]) for code in self.state.log]

    def order(self) -> list[str]:
        """Give the pack in dealing order."""
        return [CARDS[card] for card in self.state.order]

    def reshuffles(self) -> list[list[str]]:
        """Give the stock's order after each reshuffle so far."""
        return [[CARDS[card] for card in again] for again in self.state.reshuffles]

    # What a seat may know.

    @property
    def starter(self) -> int:
        """The number of the card that was turned up at the start."""
        state = self.state
        return state.order[state.t.hand_size * state.seats + len(state.redrawn)]

    def info(self, seat: int) -> DealInfo:
        """Give what is fixed for a seat during this deal."""
        info = self._infos[seat]
        if info is None:
            state = self.state
            info = DealInfo(
                rules=self.rules,
                seats=state.seats,
                seat=seat,
                leader=state.leader,
                number=self.number,
                totals=self.totals,
                turned_up=(*state.redrawn, self.starter),
            )
            self._infos[seat] = info
        return info

    def snapshot(self, seat: int) -> list[int]:
        """Give what a seat may know of the position now, as flat integers."""
        return snapshot(self.state, seat)

    def events(self, seat: int, start: int = 0) -> list[int]:
        """Give the events from number `start` on as a seat may see them, as flat integers."""
        return events_for(self.state, seat, start)

    def history(self, seat: int) -> History:
        """Give all events so far as a seat saw them."""
        history = self._histories[seat]
        if history is None:
            history = self._histories[seat] = History(self.info(seat))
        history.follow(self.state)
        return history

    def observation(self, seat: int) -> Observation:
        """Give what a seat may know now."""
        if not 0 <= seat < self.state.seats:
            raise InvalidInput([Problem("seat", f"must be from 0 to {self.state.seats - 1}")])
        return Observation(self.info(seat), self.history(seat), snapshot(self.state, seat))

    def rollout(self, policy: str, rng: Random) -> RolloutResult:
        """Play a copy of this deal to its end and tell what it came to; the deal stays as it is.

        Every seat plays by the same policy: `random` (every legal action alike), `heuristic`
        (rules of thumb that fit any rule set) or `skilled` (a small network that learned: stronger,
        some five times slower). `rng` decides, also where the stock is shuffled again. Raises
        InvalidInput for another policy.
        """
        number = policy_number(policy)
        prng = Prng(rng.getrandbits(62))
        state = self.state.copy(keep_log=False)
        state.shuffles = PrngShuffles(prng)
        play_on(state, number, prng, self.starter, self.state.log)
        return RolloutResult(state)

    def likelihood(self, seat: int) -> float:
        """Tell how likely the other seats' actions so far are, with the cards they have here.

        For weighing samples by: the product over what the others chose, of the chance that a seat
        chooses so which mostly does what looks best to it; the mean over two ways to look, those of
        the policies `heuristic` and `skilled`. The exact figures may change between versions.
        """
        return math.exp(log_likelihood(self.state, seat, self.starter))

    def copy(self) -> Deal:
        """Give a deal in the same state that goes on by itself; the two share nothing."""
        return Deal(
            self.rules,
            self.seats,
            self.leader,
            number=self.number,
            totals=self.totals,
            state=self.state.copy(),
        )
