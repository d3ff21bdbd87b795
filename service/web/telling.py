"""Cards, actions and events in words: as the reader's language and card faces have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from maumau.rules.deal import DealResult
from maumau.rules.events import Event
from maumau.rules.explain import rank_name
from service.web.language import Reader, Words


@dataclass(frozen=True, slots=True)
class Teller:
    """Names things for one reader."""

    t: Words
    reader: Reader

    def suit(self, suit: str) -> str:
        """Name a suit."""
        return self.t(f"suit.{self.reader.faces}.{suit}")

    def rank(self, rank: str) -> str:
        """Name a rank."""
        return rank_name(rank, self.reader.language, self.reader.faces)

    def card(self, card: str) -> str:
        """Name a card."""
        if card[0] == "X":
            return self.t("card.joker")
        return self.t("card", rank=self.rank(card[0]), suit=self.suit(card[1]))

    def action(self, action: str, *, owed: int = 0, asked: bool = False) -> str:
        """Say what an action is; `asked` where a missed call is the question."""
        if action == "draw":
            return self.t("do.draw", n=owed or 1)
        if action == "pass":
            return self.t("do.let" if asked else "do.pass")
        if action == "catch":
            return self.t("do.catch")
        card, wish, call = parts(action)
        what = self.card(card)
        if wish:
            what = self.t("do.wish", card=what, suit=self.suit(wish))
        return self.t("do.call", what=what) if call else what

    def event(self, event: Event, names: Sequence[str], me: int | None = None) -> str:
        """Tell an event, without the cards that were drawn; `me` is the reader's own seat."""
        said = [self._did(event, names[event.seat], "you." if event.seat == me else "")]
        if event.drawn and event.action != "draw":
            drawer = event.seat if event.drawn_by is None else event.drawn_by
            key = "event.you.penalty" if drawer == me else "event.penalty"
            said.append(self.t(key, seat=names[drawer], n=event.drawn))
        if event.reshuffled:
            said.append(self.t("event.reshuffle"))
        return " ".join(said)

    def end(self, result: DealResult, names: Sequence[str], me: int | None = None) -> str:
        """Say how a deal ended."""
        if result.finisher is not None and result.finisher == me:
            return self.t("end.you")
        seat = names[result.finisher] if result.finisher is not None else ""
        return self.t(f"end.{result.end}", seat=seat)

    def _did(self, event: Event, seat: str, who: str) -> str:
        if event.action == "draw":
            return self.t(f"event.{who}draw", seat=seat, n=event.drawn)
        if event.action in ("pass", "catch"):
            return self.t(f"event.{who}{event.action}", seat=seat)
        card, wish, call = parts(event.action)
        key = "wish" if wish else "play"
        suit = self.suit(wish) if wish else ""
        told = self.t(f"event.{who}{key}", seat=seat, card=self.card(card), suit=suit)
        return f"{told} {self.t('event.call')}" if call else told


def parts(action: str) -> tuple[str, str, bool]:
    """Take a play apart: its card, the suit wished for (or nothing), and whether it calls."""
    call = action.endswith("!")
    card, _, wish = action.removesuffix("!").partition("=")
    return card, wish, call
