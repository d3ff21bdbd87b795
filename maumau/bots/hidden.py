"""Do cards that a bot cannot know make a difference to its answers?

It plays first deals again in which hidden cards have changed places; what it sees is the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from maumau.bots.report import Finding
from maumau.bots.trial import SeatFault, SeatMaker, Trial
from maumau.errors import IllegalAction, InvalidInput
from maumau.rules.deal import Deal

MOST: Final = 10
"""So many games are played again."""


def hidden_cards(
    make: SeatMaker, trials: Sequence[Trial], lots: random.Random
) -> tuple[Finding, ...]:
    """Let the bot play first deals again in which cards that it cannot know have changed places."""
    done = 0
    for trial in trials:
        if done == MOST:
            break
        twin = _twin(trial, lots)
        if twin is None:
            continue
        done += 1
        deal, actions = twin
        finding = _same_answers(make, trial, deal, actions)
        if finding is not None:
            return (finding,)
    return ()


def _twin(trial: Trial, lots: random.Random) -> tuple[Deal, list[str]] | None:
    """Find another dealing of a first deal that looks the same to the bot up to a decision."""
    asked = [it.action for it in trial.decisions if it.deal == 0]
    original = trial.game.deals[0]
    if not asked:
        return None
    until = lots.choice(asked)
    actions = original.actions()[:until]
    seen = _replayed(trial, original.order(), actions)
    if seen is None:
        return None
    view = seen.observation(trial.seat)
    known = {*view.hand, *view.discard_pile, *view.turned_up}
    known |= {action[:2] for _, action in actions}
    known |= {card for event in view.events for card in event.cards}
    order = original.order()
    hidden = [at for at, card in enumerate(order) if card not in known]
    for _ in range(20):
        if len(hidden) < 2:
            return None
        i, j = lots.sample(hidden, 2)
        changed = list(order)
        changed[i], changed[j] = order[j], order[i]
        twin = _replayed(trial, changed, actions)
        if twin is None:
            continue
        same = twin.observation(trial.seat).to_json() == view.to_json()
        if same and twin.hands() != seen.hands():
            start = _dealt(trial, changed)
            return start, [action for _, action in actions]
    return None


def _dealt(trial: Trial, order: Sequence[str]) -> Deal:
    game = trial.game
    return Deal.from_order(game.rules, game.seats, game.deals[0].leader, order)


def _replayed(
    trial: Trial, order: Sequence[str], actions: Sequence[tuple[int, str]]
) -> Deal | None:
    """Play actions on an order; None where they do not go with it, or the stock was reshuffled."""
    try:
        deal = _dealt(trial, order)
        for _, action in actions:
            deal.apply(action)
    except (IllegalAction, InvalidInput):
        return None
    return None if deal.reshuffles() else deal


def _same_answers(
    make: SeatMaker, trial: Trial, deal: Deal, actions: Sequence[str]
) -> Finding | None:
    """Ask the bot through a deal that it cannot tell from the one it played."""
    game, seat = trial.game, trial.seat
    chosen = {it.action: it.choice for it in trial.decisions if it.deal == 0}
    try:
        player = make(game.rules, game.seats, seat, game.seed)
    except SeatFault as fault:
        return Finding(fault.kind, fault.detail, seat, 0, 0, game.record())
    try:
        player.start(deal)
        for at in range(len(actions) + 1):
            asked = deal.seat == seat and len(deal.legal_ids()) > 1
            if asked and player.ask(deal) != chosen[at]:
                message = "other seats' cards and the stock were changed, and the answer changed"
                return Finding("hidden_cards", message, seat, 0, at, game.record())
            if at < len(actions):
                deal.apply(actions[at])
    except SeatFault as fault:
        at = deal.action_count
        return Finding(fault.kind, fault.detail, seat, 0, at, game.record())
    finally:
        player.close()
    return None
