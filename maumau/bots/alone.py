"""Play a later deal of a game alone: does a bot carry something over from the deals before?

Its `rng` stands elsewhere then, so only a bot that answers alike whatever its chances shows here
that it remembers. What it remembers of its own game is allowed; it is said with a mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from maumau.bots.report import Finding
from maumau.bots.trial import SeatFault, SeatMaker, Trial
from maumau.rules.deal import Deal

MOST = 12
"""So many games are looked at, the last first: they came after the most others."""

Choices = dict[int, str]
"""What was chosen, by the number of the action."""


def deals_alone(make: SeatMaker, trials: Sequence[Trial]) -> Finding | None:
    """Give the first decision that is another one where its deal is all there was, None if none."""
    asked = [trial for trial in reversed(trials) if any(it.deal for it in trial.decisions)]
    for trial in asked[:MOST]:
        number = max(it.deal for it in trial.decisions)
        before = {it.action: it.choice for it in trial.decisions if it.deal == number}
        alone, otherwise = (
            _alone(make, trial, number, f"{trial.game.seed}{end}") for end in ("", ":other lots")
        )
        if alone is None or alone != otherwise:
            # It fails, or it draws lots: nothing follows from another answer.
            continue
        for action, choice in before.items():
            if alone[action] != choice:
                message = (
                    f"deal {number} alone was answered by {alone[action]} where {choice} was "
                    "the answer after the deals before it"
                )
                return Finding("stateful", message, trial.seat, number, action, trial.game.record())
    return None


def _alone(make: SeatMaker, trial: Trial, number: int, seed: str) -> Choices | None:
    """Ask a new object of the bot through one deal, played as it was; None if it fails."""
    game, seat = trial.game, trial.seat
    played = game.deals[number]
    deal = Deal.from_order(
        game.rules,
        game.seats,
        played.leader,
        played.order(),
        played.reshuffles(),
        number=number,
        totals=played.totals,
    )
    chosen: Choices = {}
    try:
        player = make(game.rules, game.seats, seat, seed)
    except SeatFault:
        return None
    try:
        player.start(deal)
        for _, action in played.actions():
            if deal.seat == seat and len(deal.legal_ids()) > 1:
                chosen[deal.action_count] = player.ask(deal)
            deal.apply(action)
    except SeatFault:
        return None
    finally:
        player.close()
    return chosen
