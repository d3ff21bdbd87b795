"""What must hold between the keys of a rule set (docs/rules.md §2, Also refused)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from maumau.rules.checks import LARGEST, RANKS_SHOWN
from maumau.rules.problems import Report, shown
from maumau.wording import counted


def pack_ranks(data: Mapping[str, Any]) -> str:
    """Give the ranks of a valid rule set's pack, low to high, the joker last."""
    deck = data["deck"]
    return RANKS_SHOWN[RANKS_SHOWN.index(deck["lowest"]) : -1] + ("X" if deck["jokers"] else "")


def pack_size(data: Mapping[str, Any]) -> int:
    """Give the number of cards in a valid rule set's pack."""
    deck = data["deck"]
    return 4 * (len(RANKS_SHOWN) - 1 - RANKS_SHOWN.index(deck["lowest"])) + int(deck["jokers"])


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
        report.add("players.1", f"is too large: the pack has {counted(cards, 'card')}")


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
