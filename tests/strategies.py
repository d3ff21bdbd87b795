"""Hypothesis strategies that several rooms' tests share."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from maumau.rules.ruleset import RuleSet, load_rules

RANKS = "23456789TJQKAX"


def _some(elements: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[list[Any]]:
    return st.lists(elements, max_size=most, unique=True)


@st.composite
def _effect(draw: st.DrawFn, ranks: str) -> dict[str, Any]:
    rank_list = _some(st.sampled_from(ranks))
    parts = {
        "draw": st.integers(1, 4),
        "answer": rank_list,
        "skip": st.integers(1, 3),
        "reverse": st.just(True),
        "again": st.just(True),
        "wild": st.fixed_dictionaries({}, optional={"wish": st.booleans(), "not_on": rank_list}),
        "accepts_any": st.just(True),
    }
    # Mostly one thing a rank, now and then everything at once.
    keys = draw(st.lists(st.sampled_from(sorted(parts)), min_size=1, max_size=3, unique=True))
    effect = {key: draw(parts[key]) for key in keys}
    if "draw" in effect and draw(st.booleans()):
        effect.setdefault("answer", draw(rank_list))
    return effect


@st.composite
def _rating(draw: st.DrawFn) -> dict[str, Any]:
    points = st.integers(-3, 7)
    bounds = sorted(draw(st.sets(st.integers(-5, 60), max_size=3)))
    return {
        "finish": draw(points),
        "finish_on": draw(st.dictionaries(st.sampled_from(RANKS), points, max_size=2)),
        "bands": [[bound, draw(points)] for bound in [*bounds, None]],
        "factor": draw(st.integers(-2, 10)),
    }


@st.composite
def rule_set_data(draw: st.DrawFn, *, max_seats: int = 6) -> dict[str, Any]:
    """Give a valid rule set as JSON values, stating what differs; small packs come often."""
    lowest = draw(st.sampled_from("9987765432"))
    jokers = draw(st.sampled_from([0, 0, 1, 2]))
    ranks = RANKS[RANKS.index(lowest) : -1] + ("X" if jokers else "")
    cards = 4 * (13 - RANKS.index(lowest)) + jokers
    fewest = draw(st.integers(2, min(4, max_seats)))
    most = draw(st.integers(fewest, max_seats))
    largest = (cards - 2) // most
    hand = draw(st.integers(1, min(largest, 7)) | st.just(largest))
    by_players = {
        str(seats): draw(st.integers(1, (cards - 2) // seats))
        for seats in range(fewest, most + 1)
        if draw(st.integers(0, 4)) == 0
    }
    effects = draw(st.dictionaries(st.sampled_from(ranks), _effect(ranks), max_size=7))
    then = draw(st.sampled_from(["end", "may_play_drawn", "must_play_drawn", "may_play_any"]))
    length = draw(st.sampled_from(["deal", "deals", "target"]))
    rating = draw(st.none() | _rating())
    to = draw(st.sampled_from(["none", "holder", "finisher"]))
    counted = to != "none" or rating is not None
    ties = st.lists(st.sampled_from(["rating", "deals_won"]), max_size=2, unique=True)
    return {
        "players": [fewest, most],
        "deck": {"lowest": lowest, "jokers": jokers},
        "hand_size": hand,
        "hand_size_by_players": by_players,
        "starter": {
            "effect": draw(st.sampled_from(["none", "acts"])),
            "redraw": draw(_some(st.sampled_from(ranks)) | st.just(list(ranks))),
        },
        "effects": effects,
        "reverse_with_two": draw(st.sampled_from(["noop", "again"])),
        "draw": {
            "voluntary": draw(st.booleans()),
            "max": draw(st.integers(1, 5)) if then == "may_play_any" else 1,
            "then": then,
        },
        "after_penalty": draw(st.sampled_from(["end", "turn"])),
        "stock_out": draw(st.sampled_from(["reshuffle", "end_deal"])),
        "call": {
            "mode": draw(st.sampled_from(["none", "auto", "catch"])),
            "one_left": draw(st.booleans()),
            "last_card": draw(st.sampled_from(["never", "wild", "always"])),
            "penalty": draw(st.integers(1, 3)),
        },
        "scoring": {
            "values": {rank: draw(st.integers(-2, 20)) for rank in ranks} if counted else {},
            "to": to,
            "double_on": draw(_some(st.sampled_from(ranks))),
            "rating": rating,
        },
        "game": {
            "length": length,
            "deals": draw(st.integers(1, 4)) if length == "deals" else None,
            "target": draw(st.integers(1, 60)) if length == "target" else None,
            "best": draw(st.sampled_from(["low", "high"])),
            "ties": [*draw(ties), "shared"],
            "abort": draw(st.none() | st.integers(-700, 200)),
        },
        "max_actions": draw(st.sampled_from([1, 2, 7, 40, 100, 200])),
        "max_deals": draw(st.integers(1, 6)),
    }


def rule_sets(*, max_seats: int = 6) -> st.SearchStrategy[RuleSet]:
    """Give random valid rule sets."""
    return rule_set_data(max_seats=max_seats).map(load_rules)
