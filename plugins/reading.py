"""What a rule set and an observation say, in bit masks: one bit for each card of the pack."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from maumau import Observation, RuleSet

RANKS = "23456789TJQKAX"
SUITS = "cdhs"


@dataclass(frozen=True, slots=True)
class Table:
    """A rule set at a number of seats; masks by card, rank or suit.

    `fits[card, wish]` are the cards that fit on a card under a wish ("" for none),
    `answers[card]` those that answer its debt.
    """

    cards: tuple[str, ...]
    bit: dict[str, int]
    pack: int
    suit: dict[str, int]
    rank: dict[str, int]
    fits: dict[tuple[str, str], int]
    answers: dict[str, int]
    wild: int
    again: int
    drawing: int
    answering: int
    wishing: frozenset[str]
    owes: dict[str, int]


@lru_cache(maxsize=64)
def table(rules: RuleSet, seats: int) -> Table:
    """Read a rule set (docs/rules.md §2, §3)."""
    data = rules.data
    effects = data["effects"]
    low = RANKS.index(data["deck"]["lowest"])
    cards = [rank + suit for rank in RANKS[low:-1] for suit in SUITS]
    cards += ["X1", "X2"][: data["deck"]["jokers"]]
    bit = {card: 1 << at for at, card in enumerate(cards)}
    suit = {s: sum(bit[c] for c in cards if c[1] == s) for s in SUITS}
    rank = {r: sum(bit[c] for c in cards if c[0] == r) for r in RANKS}
    pack = sum(bit.values())

    def of(ranks: list[str]) -> int:
        return sum(rank[r] for r in set(ranks))

    turns = seats == 2 and data["reverse_with_two"] == "again"
    again = [
        r
        for r, effect in effects.items()
        if effect.get("again")
        or (1 + effect.get("skip", 0)) % seats == 0
        or (turns and effect.get("reverse"))
    ]
    wild = [r for r, effect in effects.items() if "wild" in effect]
    answer = {r: of(effect.get("answer", [])) for r, effect in effects.items() if "draw" in effect}
    fits = {}
    for card in cards:
        never = of([r for r in wild if card[0] in effects[r]["wild"]["not_on"]])
        for wish in ("", *SUITS):
            if effects.get(card[0], {}).get("accepts_any"):
                plain = pack
            elif wish:
                plain = suit[wish]
            else:
                plain = rank[card[0]] | suit.get(card[1], 0)
            fits[card, wish] = (plain | of(wild)) & ~never
    return Table(
        cards=tuple(cards),
        bit=bit,
        pack=pack,
        suit=suit,
        rank=rank,
        fits=fits,
        answers={card: answer[card[0]] for card in cards if card[0] in answer},
        wild=of(wild),
        again=of(again),
        drawing=of(list(answer)),
        answering=sum(bit[c] for c in cards if any(bit[c] & mask for mask in answer.values())),
        wishing=frozenset(r for r in wild if effects[r]["wild"]["wish"]),
        owes={r: effect["draw"] for r, effect in effects.items() if "draw" in effect},
    )


@dataclass(slots=True)
class Group:
    """Cards of a seat's hand that came together: how many, and what none of them is."""

    count: int
    lacks: int


def groups(obs: Observation, seat: int, at: Table) -> list[Group]:
    """Guess what another seat's hand is made of from what it did.

    A seat that drew had nothing that fitted then. Where drawing is voluntary that is no proof, but
    hardly anybody draws without need.
    """
    data = obs.rules.data
    dealt = data["hand_size_by_players"].get(str(obs.seats), data["hand_size"])
    hand = [Group(dealt, 0)]
    top, wish = obs.turned_up[-1], ""
    debt = at.owes.get(top[0], 0) if data["starter"]["effect"] == "acts" else 0
    for event in obs.events:
        action = event.action
        if action in ("draw", "pass"):
            if action == "draw" and event.seat == seat:
                lacked = at.answers.get(top, 0) if debt else at.fits[top, wish]
                for group in hand:
                    group.lacks |= lacked
            debt = 0
        elif action != "catch":
            top, wish = action[:2], action[3] if "=" in action else ""
            debt += at.owes.get(top[0], 0)
            if event.seat == seat:
                _take(hand, at.bit[top])
        if event.drawn and event.drawn_by == seat:
            hand.append(Group(event.drawn, 0))
    return [group for group in hand if group.count]


def _take(hand: list[Group], card: int) -> None:
    """Take a card that was played out of the newest group that can have held it."""
    held = [group for group in reversed(hand) if group.count]
    group = next((it for it in held if not it.lacks & card), held[0])
    group.count -= 1
