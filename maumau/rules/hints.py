"""Why a card may not be played now: the rule that stands against it (docs/rules.md §3)."""

from __future__ import annotations

from dataclasses import dataclass

from maumau.rules.observation import Observation

WORDS = frozenset({"catch", "draw", "pass"})
"""Actions that play no card."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One reason: `code` names the rule, the rest fills in its sentence.

    Codes: `not_yours` (another seat acts), `not_held`, `asked` (a missed call is the question),
    `owed` (only `ranks` answer the `number` of cards owed), `drawn` (only the card just drawn),
    `not_on` (a wild card not on this rank), `wish` (`suit` is wished for), `joker` (no suit: only
    on its like), `no_fit` (neither suit nor rank), `must_play` (no drawing while a card fits),
    `no_stock` (nothing to draw).
    """

    code: str
    ranks: tuple[str, ...] = ()
    suit: str | None = None
    number: int = 0
    card: str | None = None


def why_not(obs: Observation, card: str) -> Hint | None:
    """Say why the observing seat may not play a card now; None if it may."""
    if obs.acting != obs.seat or obs.phase == "over":
        return Hint("not_yours")
    if card not in obs.hand:
        return Hint("not_held")
    if any(action[:2] == card and action not in WORDS for action in obs.legal_actions):
        return None
    if obs.phase == "asked":
        return Hint("asked")
    effects = obs.rules.data["effects"]
    top = obs.top_card
    if obs.owed:
        ranks = tuple(effects.get(top[0], {}).get("answer", ()))
        return Hint("owed", ranks=ranks, number=obs.owed)
    if obs.phase == "drawn":
        return Hint("drawn", card=obs.drawn_card)
    wild = effects.get(card[0], {}).get("wild")
    if wild is not None and top[0] in wild["not_on"]:
        return Hint("not_on", ranks=(top[0],))
    if obs.wish is not None:
        return Hint("wish", suit=obs.wish)
    if card[0] == "X":
        return Hint("joker")
    return Hint("no_fit", card=top)


def why_not_draw(obs: Observation) -> Hint | None:
    """Say why the observing seat may not draw now; None if it may."""
    if obs.acting != obs.seat or obs.phase == "over":
        return Hint("not_yours")
    if "draw" in obs.legal_actions:
        return None
    if obs.phase == "asked":
        return Hint("asked")
    if obs.phase == "drawn":
        return Hint("drawn", card=obs.drawn_card)
    plays = any(action not in WORDS for action in obs.legal_actions)
    return Hint("must_play") if plays else Hint("no_stock")
