"""What each key of a rule set may hold (docs/rules.md §2), as one table of checks.

A check takes a value, its path and a report. It gives back the value with its defaults filled in
and tells the report of everything that is wrong, so that one reading finds all problems.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from maumau.errors import Problem

RANKS: Final = "23456789TJQKAX"
"""All ranks by their letters, `X` the joker's, in the order in which they are shown."""

LARGEST: Final = 1_000_000_000
"""No number of a rule set is further from zero, so that totals fit into 64 bits."""

DEEPEST: Final = 12
"""How deep objects and lists may nest; the deepest that means anything is 5."""


class Report:
    """The problems found so far."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def add(self, path: str, message: str) -> None:
        """Note what is wrong with the value at `path`."""
        self.problems.append(Problem(path, message))


Check = Callable[[Any, str, Report], Any]


class _Required:
    """Stands where a key has no default."""


REQUIRED: Final = _Required()


class Key(NamedTuple):
    """A key's default (a fresh copy is taken) and its check."""

    default: Any
    check: Check


def shown(value: object) -> str:
    """Give a value as JSON, short enough for a message."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 40 else text[:37] + "..."


def joined(path: str, key: object) -> str:
    """Give the dotted path of a key below `path`; a long key is cut, a strange one escaped."""
    text = str(key)
    text = text if len(text) <= 40 else text[:37] + "..."
    if not (text.isascii() and text.isprintable()):
        text = json.dumps(text)[1:-1]
    return f"{path}.{text}" if path else text


def nearest(word: object, words: Iterable[str]) -> str:
    """Give a hint for a mistyped word, or an empty text."""
    close = difflib.get_close_matches(str(word)[:60], list(words), n=1)
    return f"; did you mean {shown(close[0])}?" if close else ""


def plain(value: Any, path: str, report: Report, depth: int = 0) -> Any:
    """Copy a value into plain dicts and lists; refuse what JSON has no word for."""
    if depth > DEEPEST:
        report.add(path, f"is nested more than {DEEPEST} deep")
        return None
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                report.add(joined(path, key), f"is a key that is not a string: {shown(key)}")
        return {
            key: plain(item, joined(path, key), report, depth + 1)
            for key, item in value.items()
            if isinstance(key, str)
        }
    if isinstance(value, list | tuple):
        return [plain(item, joined(path, i), report, depth + 1) for i, item in enumerate(value)]
    if value is None or isinstance(value, str | int | float):
        return value
    report.add(path, f"is not a JSON value but {shown(value)}")
    return None


# --- the kinds of values ------------------------------------------------------------------------


def number(least: int = -LARGEST, most: int = LARGEST) -> Check:
    """Give the check of a whole number; true and false are none, nor is 5.0."""
    if most < LARGEST:
        wanted = f"a whole number from {least} to {most}"
    elif least > -LARGEST:
        wanted = f"a whole number of at least {least}"
    else:
        wanted = "a whole number"

    def check(value: Any, path: str, report: Report) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            report.add(path, f"must be {wanted}, not {shown(value)}")
        elif not least <= value <= most:
            limit = f" (at most {LARGEST})" if abs(value) > LARGEST else ""
            report.add(path, f"must be {wanted}{limit}, not {shown(value)}")
        return value

    return check


COUNT: Final = number(least=1)
POINTS: Final = number()


def choice(*words: str) -> Check:
    """Give the check of one word out of several."""
    listed = ", ".join(map(shown, words))

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, str) or value not in words:
            hint = nearest(value, words) if isinstance(value, str) else ""
            report.add(path, f"must be one of {listed}, not {shown(value)}{hint}")
        return value

    return check


def flag(value: Any, path: str, report: Report) -> Any:
    """Check a value that is true or false."""
    if not isinstance(value, bool):
        report.add(path, f"must be true or false, not {shown(value)}")
    return value


def only_true(value: Any, path: str, report: Report) -> Any:
    """Check an effect that is there or not: its key is left out where it is not."""
    if value is not True:
        report.add(path, f"must be true, not {shown(value)}; leave the key out to have no effect")
    return value


def nullable(inner: Check) -> Check:
    """Give the check of a value that may be null."""

    def check(value: Any, path: str, report: Report) -> Any:
        return None if value is None else inner(value, path, report)

    return check


def rank(value: Any, path: str, report: Report) -> Any:
    """Check a rank; one that the pack lacks is allowed, so that options combine."""
    if not (isinstance(value, str) and len(value) == 1 and value in RANKS):
        hint = '; the ten is "T"' if value in ("10", 10) else ""
        report.add(path, f"must be a rank, one of {RANKS}, not {shown(value)}{hint}")
    return value


def list_of(inner: Check, what: str) -> Check:
    """Give the check of a list whose items all pass `inner`."""

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, list):
            report.add(path, f"must be a list of {what}, not {shown(value)}")
            return value
        return [inner(item, joined(path, i), report) for i, item in enumerate(value)]

    return check


RANK_LIST: Final = list_of(rank, "ranks")


def keyed(key_check: Check, inner: Check, what: str) -> Check:
    """Give the check of an object with free keys of one kind, such as ranks."""

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, dict):
            report.add(path, f"must be an object with {what} as keys, not {shown(value)}")
            return value
        for key in value:
            key_check(key, joined(path, key), report)
        order = sorted(value, key=lambda key: (RANKS.find(key), key))
        return {key: inner(value[key], joined(path, key), report) for key in order}

    return check


def section(keys: Mapping[str, Key], *, fill: bool = True) -> Check:
    """Give the check of an object with these keys and no others.

    `fill` puts in the default of a key that is missing; without it the key stays missing.
    """

    def check(value: Any, path: str, report: Report) -> Any:
        if not isinstance(value, dict):
            report.add(path, f"must be an object, not {shown(value)}")
            return value
        for key in value:
            if key not in keys:
                report.add(joined(path, key), f"is not a key of a rule set{nearest(key, keys)}")
        done: dict[str, Any] = {}
        for key, (default, inner) in keys.items():
            if key in value:
                done[key] = inner(value[key], joined(path, key), report)
            elif default is REQUIRED:
                report.add(joined(path, key), "is missing")
            elif fill:
                done[key] = inner(default, joined(path, key), report)
        return done

    return check


# --- the special ones ---------------------------------------------------------------------------


def players(value: Any, path: str, report: Report) -> Any:
    """Check the fewest and the most seats."""
    if not isinstance(value, list) or len(value) != 2:
        report.add(path, f"must be a list [fewest, most], not {shown(value)}")
        return value
    before = len(report.problems)
    for i, item in enumerate(value):
        number(least=2)(item, joined(path, i), report)
    if len(report.problems) == before and value[0] > value[1]:
        report.add(path, f"must name the fewest seats first, not {shown(value)}")
    return list(value)


def seat_count(value: Any, path: str, report: Report) -> Any:
    """Check a key that is a number of seats, written as text."""
    if not (value.isascii() and value.isdigit() and len(value) <= 2 and value[0] != "0"):
        report.add(path, 'must have a number of seats as its key, such as "2"')
    return value


def bands(value: Any, path: str, report: Report) -> Any:
    """Check rating bands: pairs [highest hand points, rating], rising, the last one open."""
    if not isinstance(value, list) or not value:
        report.add(path, f"must be a list of [bound, rating] ending in [null, n]: {shown(value)}")
        return value
    previous: int | None = None
    for i, band in enumerate(value):
        place = joined(path, i)
        if not isinstance(band, list) or len(band) != 2:
            report.add(place, f"must be [bound, rating], not {shown(band)}")
            continue
        POINTS(band[1], joined(place, 1), report)
        bound = band[0]
        if i == len(value) - 1:
            if bound is not None:
                report.add(joined(place, 0), f"must be null in the last band, not {shown(bound)}")
        elif bound is None:
            report.add(joined(place, 0), "may be null in the last band only")
        else:
            before = len(report.problems)
            POINTS(bound, joined(place, 0), report)
            if len(report.problems) > before:
                continue
            if previous is not None and bound <= previous:
                message = f"must rise from band to band: {shown(bound)} follows {shown(previous)}"
                report.add(joined(place, 0), message)
            previous = bound
    return [list(band) if isinstance(band, list) else band for band in value]


WILD: Final = section({"wish": Key(True, flag), "not_on": Key([], RANK_LIST)})

# Effects stay as given: what is missing has no effect. Only `wild` is filled in.
EFFECT_KEYS: Final = {
    "draw": Key(None, COUNT),
    "answer": Key(None, RANK_LIST),
    "skip": Key(None, COUNT),
    "reverse": Key(None, only_true),
    "again": Key(None, only_true),
    "wild": Key(None, WILD),
    "accepts_any": Key(None, only_true),
}
EFFECT: Final = section(EFFECT_KEYS, fill=False)

RATING: Final = section(
    {
        "finish": Key(REQUIRED, POINTS),
        "finish_on": Key(REQUIRED, keyed(rank, POINTS, "ranks")),
        "bands": Key(REQUIRED, bands),
        "factor": Key(REQUIRED, POINTS),
    }
)

RULE_SET: Final = section(
    {
        "players": Key([2, 4], players),
        "deck": Key(
            {},
            section({"lowest": Key("7", choice(*"23456789")), "jokers": Key(0, number(0, 2))}),
        ),
        "hand_size": Key(5, COUNT),
        "hand_size_by_players": Key({}, keyed(seat_count, COUNT, "numbers of seats")),
        "starter": Key(
            {},
            section({"effect": Key("none", choice("none", "acts")), "redraw": Key([], RANK_LIST)}),
        ),
        "effects": Key({}, keyed(rank, EFFECT, "ranks")),
        "reverse_with_two": Key("noop", choice("noop", "again")),
        "draw": Key(
            {},
            section(
                {
                    "voluntary": Key(False, flag),
                    "max": Key(1, COUNT),
                    "then": Key(
                        "end",
                        choice("end", "may_play_drawn", "must_play_drawn", "may_play_any"),
                    ),
                }
            ),
        ),
        "after_penalty": Key("end", choice("end", "turn")),
        "stock_out": Key("reshuffle", choice("reshuffle", "end_deal")),
        "call": Key(
            {},
            section(
                {
                    "mode": Key("none", choice("none", "auto", "catch")),
                    "one_left": Key(False, flag),
                    "last_card": Key("never", choice("never", "wild", "always")),
                    "penalty": Key(2, COUNT),
                }
            ),
        ),
        "scoring": Key(
            {},
            section(
                {
                    "values": Key({}, keyed(rank, POINTS, "ranks")),
                    "to": Key("none", choice("none", "holder", "finisher")),
                    "double_on": Key([], RANK_LIST),
                    "rating": Key(None, nullable(RATING)),
                }
            ),
        ),
        "game": Key(
            {},
            section(
                {
                    "length": Key("deal", choice("deal", "deals", "target")),
                    "deals": Key(None, nullable(COUNT)),
                    "target": Key(None, nullable(COUNT)),
                    "best": Key("low", choice("low", "high")),
                    "ties": Key(
                        ["shared"],
                        list_of(choice("rating", "deals_won", "shared"), "tie-breaks"),
                    ),
                    "abort": Key(None, nullable(POINTS)),
                }
            ),
        ),
        "max_actions": Key(1000, COUNT),
        "max_deals": Key(200, COUNT),
    }
)


# --- what must hold between keys ----------------------------------------------------------------


def pack_ranks(data: Mapping[str, Any]) -> str:
    """Give the ranks of a valid rule set's pack, low to high, the joker last."""
    deck = data["deck"]
    return RANKS[RANKS.index(deck["lowest"]) : -1] + ("X" if deck["jokers"] else "")


def pack_size(data: Mapping[str, Any]) -> int:
    """Give the number of cards in a valid rule set's pack."""
    deck = data["deck"]
    return 4 * (len(RANKS) - 1 - RANKS.index(deck["lowest"])) + int(deck["jokers"])


def hand_size(data: Mapping[str, Any], seats: int) -> int:
    """Give how many cards each of `seats` seats is dealt under a valid rule set."""
    return int(data["hand_size_by_players"].get(str(seats), data["hand_size"]))


def check_whole(data: Mapping[str, Any], report: Report) -> None:
    """Check what must hold between the keys, each of which holds by itself."""
    _check_pack(data, report)
    _check_scoring(data["scoring"], pack_ranks(data), report)
    draw, game = data["draw"], data["game"]
    if draw["max"] > 1 and draw["then"] != "may_play_any":
        message = f'must be 1 where draw.then is {shown(draw["then"])}, not "may_play_any"'
        report.add("draw.max", message)
    for key, length in (("deals", "deals"), ("target", "target")):
        path = f"game.{key}"
        if game["length"] == length and game[key] is None:
            report.add(path, f"is missing: game.length is {shown(length)}")
        elif game["length"] != length and game[key] is not None:
            message = f"must be null: game.length is {shown(game['length'])}, not {shown(length)}"
            report.add(path, message)


def _check_pack(data: Mapping[str, Any], report: Report) -> None:
    cards = pack_size(data)
    fewest, most = data["players"]
    # No pack seats more than its cards, whatever the hands: the loop stays short.
    for seats in range(fewest, min(most, cards) + 1):
        hand = hand_size(data, seats)
        needed = seats * hand + 2
        if needed > cards:
            listed = str(seats) in data["hand_size_by_players"]
            path = f"hand_size_by_players.{seats}" if listed else "hand_size"
            report.add(
                path,
                f"is too large: {seats} hands of {shown(hand)}, a starter and a stock card "
                f"need {shown(needed)} cards, the pack has {cards}",
            )
            return
    if most > cards:
        report.add("players.1", f"is too large: the pack has {cards} cards")


def _check_scoring(scoring: Mapping[str, Any], ranks: str, report: Report) -> None:
    rating = scoring["rating"]
    if scoring["to"] != "none" or rating is not None:
        for name in ranks:
            if name not in scoring["values"]:
                report.add(f"scoring.values.{name}", "is missing: points are counted")
    if rating is not None:
        ratings = [rating["finish"], *rating["finish_on"].values()]
        ratings += [points for _, points in rating["bands"]]
        if abs(rating["factor"]) * max(map(abs, ratings)) > LARGEST:
            report.add("scoring.rating.factor", f"gives ratings of more than {LARGEST}")
