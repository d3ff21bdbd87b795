"""What each key of a rule set may hold (docs/rules.md §2), as one table of checks."""

from __future__ import annotations

from typing import Any, Final

from maumau.rules.checks import (
    COUNT,
    POINTS,
    RANK_LIST,
    REQUIRED,
    Key,
    choice,
    flag,
    keyed,
    list_of,
    nullable,
    number,
    only_true,
    rank,
    section,
)
from maumau.rules.problems import Report, joined, shown


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
