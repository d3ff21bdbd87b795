"""Deals laid out by hand, for tests that say: given these cards, that happens."""

from __future__ import annotations

from typing import Any

from maumau import Deal, RuleSet, load_rules
from maumau.rules.cards import CARDS
from maumau.rules.tables import tables_for


def rules_with(preset: str, *options: str, **overrides: Any) -> RuleSet:
    """Give a preset with options and overrides."""
    return load_rules({"preset": preset, "options": list(options), "overrides": overrides})


def scene(
    rules: RuleSet,
    hands: list[str],
    starter: str,
    stock: str = "",
    *,
    leader: int = 0,
    reshuffles: tuple[str, ...] = (),
) -> Deal:
    """Deal these hands (seat 0 first), this starter and this stock; other cards lie below it."""
    seats = len(hands)
    held = [hand.split() for hand in hands]
    assert len({len(hand) for hand in held}) == 1, "all hands have the same size"
    order = [held[(leader + k) % seats][k // seats] for k in range(seats * len(held[0]))]
    order += [starter, *stock.split()]
    rest = [CARDS[card] for card in tables_for(rules, seats).pack if CARDS[card] not in order]
    return Deal.from_order(
        rules, seats, leader, order + rest, [again.split() for again in reshuffles]
    )


def play(deal: Deal, actions: str) -> Deal:
    """Apply actions, each checked to be legal; give the deal again."""
    for action in actions.split():
        deal.apply(action)
    return deal


def hand_sizes(deal: Deal) -> list[int]:
    """Give how many cards each seat holds."""
    return [len(hand) for hand in deal.hands()]
