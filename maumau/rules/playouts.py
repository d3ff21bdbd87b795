"""Whole deals played at random inside the engine, for measuring."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.errors import InvalidInput, Problem
from maumau.rules.legality import random_action
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import ENDS, RUNNING, DealState
from maumau.rules.machine.dealing import begin
from maumau.rules.prng import PrngShuffles, prng_of
from maumau.rules.ruleset import RuleSet
from maumau.rules.tables import tables_for


@dataclass(frozen=True, slots=True)
class PlayoutCounts:
    """How many deals were played with how many actions, and how often each end came."""

    deals: int
    actions: int
    ends: dict[str, int]


def playouts(rules: RuleSet, seats: int, deals: int, seed: str) -> PlayoutCounts:
    """Play deals with every legal action alike and count; leaders take turns.

    Shuffles come from a fast generator, not from docs/rules.md §5; the same arguments give the same
    counts. Raises InvalidInput for seats that the rules do not allow.
    """
    if deals < 0:
        raise InvalidInput([Problem("deals", "must be 0 or more")])
    tables = tables_for(rules, seats)
    prng = prng_of(seed)
    state = DealState(tables, PrngShuffles(prng), keep_log=False)
    order = tables.pack.copy()
    actions = 0
    ends = [0] * len(ENDS)
    for number in range(deals):
        prng.shuffle(order)
        begin(state, order, number % seats)
        while state.end == RUNNING:
            act(state, random_action(tables, state.plays, state.others, state.hand, prng))
        actions += state.actions
        ends[state.end] += 1
    return PlayoutCounts(deals, actions, {end: ends[k] for k, end in enumerate(ENDS) if end})
