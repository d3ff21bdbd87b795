"""Rules told in sentences, made from a rule set's data in three languages.

Whatever differs from the defaults is told: a rule set that nobody has seen before explains itself
as well as a preset. Values without effect in their rule set (docs/rules.md §2) are listed apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from maumau.rules.checks import RANKS_SHOWN
from maumau.rules.problems import Report
from maumau.rules.ruleset import RuleSet
from maumau.rules.schema import RULE_SET
from maumau.rules.whole import pack_ranks, pack_size

LANGUAGES: Final = ("en", "de", "sv")
TOPICS: Final = (*("table", "cards", "fit", "effects", "draw", "call", "points", "game", "idle"),)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence about a rule set; `paths` are the keys whose values it tells."""

    topic: str
    text: str
    paths: tuple[str, ...]


@cache
def _texts() -> Mapping[str, list[str]]:
    page = files("maumau.rules").joinpath("explain.json")
    texts: dict[str, list[str]] = json.loads(page.read_text("utf-8"))
    return texts


@cache
def defaults() -> dict[str, Any]:
    """Give the rule set that states nothing: every key with its default."""
    data: dict[str, Any] = RULE_SET({}, "", Report())
    return data


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Give every value of a rule set with its dotted path; lists are values."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    else:
        yield path, value


def explain(rules: RuleSet, language: str = "en", *, faces: str = "french") -> list[Sentence]:
    """Tell a rule set in sentences, in the order of `TOPICS`.

    `faces` `"german"` calls jack and queen Unter and Ober.
    """
    teller = _Teller(rules.data, language, faces)
    told = list(teller.tell())
    known = {path for sentence in told for path in sentence.paths}
    told += teller.idle(known)
    return sorted(told, key=lambda sentence: TOPICS.index(sentence.topic))


def topic_title(topic: str, language: str) -> str:
    """Give the heading of a topic."""
    return _texts()[f"topic.{topic}"][LANGUAGES.index(language)]


def rank_name(rank: str, language: str, faces: str = "french") -> str:
    """Name a rank."""
    if rank in "23456789":
        return rank
    if rank == "T":
        return "10"
    key = f"rank.german.{rank}" if faces == "german" and rank in "JQ" else f"rank.{rank}"
    return _texts()[key][LANGUAGES.index(language)]


class _Teller:
    def __init__(self, data: Mapping[str, Any], language: str, faces: str):
        self.data = data
        self.language, self.faces = language, faces
        self._place = LANGUAGES.index(language)
        self._topic = ""

    def tell(self) -> Iterator[Sentence]:
        """Tell everything that has an effect."""
        yield from self._table()
        yield from self._cards()
        yield from self._fit()
        yield from self._effects()
        yield from self._draw()
        yield from self._call()
        yield from self._points()
        yield from self._game()

    def idle(self, told: set[str]) -> Iterator[Sentence]:
        """Tell what differs from the defaults and was not told, because it has no effect."""
        normal = dict(leaves(defaults()))
        for path, value in leaves(self.data):
            covered = any(path == one or path.startswith(one + ".") for one in told)
            if not covered and value != normal.get(path, {}):
                text = self._text("idle", path=path, value=json.dumps(value))
                yield Sentence("idle", text, (path,))

    # What is told.

    def _table(self) -> Iterator[Sentence]:
        few, many = self.data["players"]
        key = "players.same" if few == many else "players.range"
        yield self._say("table", key, "players", n=few, few=few, many=many)

    def _cards(self) -> Iterator[Sentence]:
        deck = self.data["deck"]
        plain = pack_size(self.data) - deck["jokers"]
        yield self._say("cards", "deck", "deck.lowest", n=plain, first=deck["lowest"])
        if deck["jokers"]:
            yield self._say("cards", "jokers", "deck.jokers", n=deck["jokers"])
        yield self._say("cards", "hand", "hand_size", n=self.data["hand_size"])
        for seats, size in self.data["hand_size_by_players"].items():
            path = f"hand_size_by_players.{seats}"
            yield self._say("cards", "hand.seats", path, n=size, seats=seats)
        starter = self.data["starter"]
        yield self._say("cards", f"starter.{starter['effect']}", "starter.effect")
        if starter["redraw"]:
            listed = self._ranks(starter["redraw"])
            yield self._say("cards", "starter.redraw", "starter.redraw", ranks=listed)

    def _fit(self) -> Iterator[Sentence]:
        yield self._say("fit", "fit")
        if self.data["deck"]["jokers"] and "wild" not in self.data["effects"].get("X", {}):
            yield self._say("fit", "fit.joker")
        if not any(self.data["effects"].values()):
            yield self._say("fit", "fit.plain")

    def _effects(self) -> Iterator[Sentence]:
        effects = self.data["effects"]
        here = [rank for rank in pack_ranks(self.data) if rank in effects]
        for rank in here:
            yield from self._effect(rank, effects[rank])
        if any("reverse" in effects[rank] for rank in here) and self.data["players"][0] == 2:
            key = f"reverse.{'again' if self.data['reverse_with_two'] == 'again' else 'noop'}"
            yield self._say("effects", key, "reverse_with_two")

    def _effect(self, rank: str, effect: Mapping[str, Any]) -> Iterator[Sentence]:
        at, name = f"effects.{rank}", self._rank(rank)
        if "draw" in effect:
            yield self._say("effects", "effect.draw", f"{at}.draw", rank=name, n=effect["draw"])
        if "answer" in effect or "draw" in effect:
            answers = effect.get("answer", [])
            key = "effect.answer" if answers else "effect.answer.none"
            listed = self._ranks(answers)
            yield self._say("effects", key, f"{at}.answer", rank=name, ranks=listed)
        if "skip" in effect:
            key = "effect.skip.again" if "again" in effect else "effect.skip"
            yield self._say("effects", key, f"{at}.skip", rank=name, n=effect["skip"])
        for key in ("reverse", "again"):
            if key in effect:
                yield self._say("effects", f"effect.{key}", f"{at}.{key}", rank=name)
        if "wild" in effect:
            off = effect["wild"]["not_on"]
            path = f"{at}.wild.not_on"
            key = "effect.wild.not" if off else "effect.wild"
            yield self._say("effects", key, path, rank=name, ranks=self._ranks(off))
            key = "effect.wish" if effect["wild"]["wish"] else "effect.nowish"
            yield self._say("effects", key, f"{at}.wild.wish", rank=name)
        if "accepts_any" in effect:
            yield self._say("effects", "effect.any", f"{at}.accepts_any", rank=name)

    def _draw(self) -> Iterator[Sentence]:
        draw = self.data["draw"]
        key = "draw.voluntary" if draw["voluntary"] else "draw.must"
        yield self._say("draw", key, "draw.voluntary")
        paths = ("draw.then", "draw.max")
        yield self._say("draw", f"draw.{draw['then']}", *paths, n=draw["max"])
        yield self._say("draw", f"penalty.{self.data['after_penalty']}", "after_penalty")
        yield self._say("draw", f"stock.{self.data['stock_out']}", "stock_out")

    def _call(self) -> Iterator[Sentence]:
        call = self.data["call"]
        due = call["one_left"] or call["last_card"] != "never"
        if call["mode"] == "none" or not due:
            paths = ["call.mode"] if call["mode"] == "none" else []
            yield self._say("call", "call.none", *paths)
            return
        if call["one_left"]:
            yield self._say("call", "call.one_left", "call.one_left")
        if call["last_card"] != "never":
            yield self._say("call", f"call.last.{call['last_card']}", "call.last_card")
        paths = ["call.mode", "call.penalty"]
        yield self._say("call", f"call.{call['mode']}", *paths, n=call["penalty"])

    def _points(self) -> Iterator[Sentence]:
        scoring = self.data["scoring"]
        counted = scoring["to"] != "none"
        if counted or scoring["rating"] is None:
            yield self._say("points", f"points.{scoring['to']}", "scoring.to")
        if counted or scoring["rating"] is not None:
            ranks = [rank for rank in pack_ranks(self.data) if rank in scoring["values"]]
            paths = [f"scoring.values.{rank}" for rank in ranks]
            listed = self._values({rank: scoring["values"][rank] for rank in ranks})
            yield self._say("points", "points.values", *paths, list=listed)
        if counted and scoring["double_on"]:
            listed = self._ranks(scoring["double_on"])
            yield self._say("points", "points.double", "scoring.double_on", ranks=listed)
        if scoring["rating"] is not None:
            yield from self._rating(scoring["rating"])

    def _rating(self, rating: Mapping[str, Any]) -> Iterator[Sentence]:
        at = "scoring.rating"
        yield self._say("points", "rating", f"{at}.finish", finish=f"{rating['finish']:+d}")
        on = {rank: f"{points:+d}" for rank, points in rating["finish_on"].items()}
        if on:
            paths = [f"{at}.finish_on.{rank}" for rank in on]
            yield self._say("points", "rating.on", *paths, list=self._values(on))
        bands = [
            self._text("rating.band.rest", points=f"{points:+d}")
            if bound is None
            else self._text("rating.band", bound=bound, points=f"{points:+d}")
            for bound, points in rating["bands"]
        ]
        yield self._say("points", "rating.bands", f"{at}.bands", list="; ".join(bands))
        yield self._say("points", "rating.factor", f"{at}.factor", n=rating["factor"])

    def _game(self) -> Iterator[Sentence]:
        game = self.data["game"]
        length = game["length"]
        paths = ["game.length"] + ([f"game.{length}"] if length != "deal" else [])
        yield self._say("game", f"game.{length}", *paths, n=game.get(length))
        if not (length == "deal" and self.data["scoring"]["to"] == "none"):
            yield self._say("game", f"game.{game['best']}", "game.best")
            yield self._say("game", "game.ties", "game.ties", list=self._ties(game["ties"]))
        if game["abort"] is not None:
            yield self._say("game", "game.abort", "game.abort", n=game["abort"])
        yield self._say("game", "limits.actions", "max_actions", n=self.data["max_actions"])
        if length != "deal":
            yield self._say("game", "limits.deals", "max_deals", n=self.data["max_deals"])

    # How it is told.

    def _say(self, topic: str, key: str, *paths: str, **values: Any) -> Sentence:
        text = self._text(key, **values)
        return Sentence(topic, text[:1].upper() + text[1:], paths)

    def _text(self, key: str, **values: Any) -> str:
        text = _texts()[key][self._place]
        if "||" in text:
            one, other = text.split("||")
            text = one if values.get("n") == 1 else other
        return text.format(**values)

    def _rank(self, rank: str) -> str:
        return rank_name(rank, self.language, self.faces)

    def _ranks(self, ranks: Sequence[str]) -> str:
        return self._joined("or", (self._rank(rank) for rank in ranks))

    def _values(self, values: Mapping[str, object]) -> str:
        """Name ranks with their points, those of equal points together."""
        groups: dict[object, list[str]] = {}
        for rank in sorted(values, key=RANKS_SHOWN.index):
            groups.setdefault(values[rank], []).append(self._rank(rank))
        return "; ".join(f"{', '.join(names)}: {points}" for points, names in groups.items())

    def _ties(self, ties: Sequence[str]) -> str:
        named = [self._text(f"tie.{tie}") for tie in ties]
        return ", ".join(named) or self._text("game.ties.none")

    def _joined(self, key: str, names: Iterable[str]) -> str:
        *listed, last = list(names) or [""]
        return self._text(key, list=", ".join(listed), last=last) if listed else last
