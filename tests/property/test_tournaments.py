"""What must hold of any tournament: plans even, figures finite, names without weight."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from maumau.tournament.formats import plan
from maumau.tournament.pairs import crosstable, differences, intransitive
from maumau.tournament.ratings import over_blocks, rate
from maumau.tournament.results import from_legs
from maumau.tournament.sequential import stops_at
from maumau.tournament.sprt import Sprt, decide, scores_of
from maumau.tournament.standings import rank
from maumau.tournament.stop_rules import StopRule
from maumau.tournament.sums import BlockSums

Leg = tuple[int, tuple[int, ...], tuple[int, ...]]


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[int, int, list[Leg]]:
    """Entrants, blocks, and legs with any ranks: ties, all-win, all-loss, with blocks missing."""
    seats = draw(st.integers(2, 4))
    entrants = draw(st.integers(seats, 5))
    blocks = draw(st.sampled_from([1, 2, 9, 10, 11, 13]))
    design = plan(entrants, seats=seats, blocks=blocks)
    how = draw(st.sampled_from(["chance", "tied", "by number", "thirds"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    missing = draw(st.floats(0, 0.9))
    legs: list[Leg] = []
    for block, line_up in design:
        if rng.random() < missing:
            continue
        for seating in design.seatings(line_up, block):
            if how == "tied":
                ranks = (1,) * seats
            elif how == "by number":
                ranks = tuple(1 + sorted(seating).index(one) for one in seating)
            else:
                points = rng.integers(0, 2 if how == "thirds" else 9, seats)
                ranks = tuple(1 + int((points < one).sum()) for one in points)
            legs.append((block, tuple(seating), ranks))
    return entrants, blocks, legs


def summed(entrants: int, blocks: int, legs: Sequence[Leg]) -> BlockSums:
    sums = BlockSums(entrants, blocks)
    for block, seating, ranks in legs:
        sums.add_leg(block, seating, ranks, [10 * one for one in ranks])
    return sums


@given(tournaments(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_every_figure_is_a_number_json_knows_or_none(
    played: tuple[int, int, list[Leg]], repeated: bool
) -> None:
    entrants, blocks, legs = played
    sums = summed(*played)
    rated = rate(from_legs(legs), entrants, seed="s", draws=20, repeated=repeated)
    told = {
        "standings": rank(sums, best="low", repeated=repeated).to_dict(),
        "crosstable": crosstable(sums, repeated=repeated),
        "differences": [asdict(one) for one in differences(sums, repeated=repeated)],
        "circles": intransitive(sums, repeated=repeated),
        "ratings": [asdict(one) for one in rated],
        "history": over_blocks(from_legs(legs), entrants, [1, blocks]),
    }
    text = json.dumps(told, allow_nan=False)
    assert json.loads(text)["ratings"] == told["ratings"]
    for row in told["standings"]["rows"]:
        assert 1 <= row["rank_low"] <= row["rank"] <= row["rank_high"] <= entrants
        assert row["group"]
        if row["low"] is not None:
            assert 0 <= row["low"] <= row["score_share"] <= row["high"] <= 1
    for one in rated:
        for bound, other in ((one.low, one.rating), (one.rating, one.high)):
            assert bound is None or other is None or bound <= other


@given(tournaments(), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_other_numbers_of_the_entrants_change_the_numbers_alone(
    played: tuple[int, int, list[Leg]], random: object
) -> None:
    entrants, blocks, legs = played
    new = list(range(entrants))
    random.shuffle(new)  # type: ignore[attr-defined]
    moved = [(block, tuple(new[one] for one in seating), ranks) for block, seating, ranks in legs]
    before, after = summed(entrants, blocks, legs), summed(entrants, blocks, moved)

    def by_entrant(sums: BlockSums) -> dict[int, dict[str, object]]:
        rows = rank(sums, best="low").to_dict()["rows"]
        return {row["entrant"]: row | {"entrant": None, "group": None} for row in rows}

    rows, renamed = by_entrant(before), by_entrant(after)
    assert {new[one]: row for one, row in rows.items()} == renamed
    kept = {
        frozenset((new[one.entrant], new[one.other])): (one.separated, abs(one.difference or 0))
        for one in differences(before)
    }
    assert kept == {
        frozenset((one.entrant, one.other)): (one.separated, abs(one.difference or 0))
        for one in differences(after)
    }
    first = {one.entrant: one for one in rate(from_legs(legs), entrants, seed="s", draws=20)}
    second = {one.entrant: one for one in rate(from_legs(moved), entrants, seed="s", draws=20)}
    for number, place in enumerate(new):
        for name in ("rating", "error", "low", "high"):
            ours, theirs = getattr(first[number], name), getattr(second[place], name)
            assert (ours is None) == (theirs is None)
            assert ours is None or abs(ours - theirs) < 1e-3


@given(tournaments())
@settings(max_examples=25, deadline=None)
def test_a_version_test_ends_a_tournament_where_it_is_decided(
    played: tuple[int, int, list[Leg]],
) -> None:
    _, blocks, _ = played
    sums = summed(*played)
    what = Sprt(better=0.7, alpha=0.2, beta=0.2)
    rule = StopRule("better", new="a@1", old="b@1", test=what)
    end = stops_at(sums, rule, complete=blocks, pair=(0, 1))
    whole = decide(scores_of(sums, 0, 1), what)
    if end is None:
        last = decide(scores_of(sums.first_blocks(blocks - 1), 0, 1), what)
        assert last.verdict == "undecided"
    else:
        assert decide(scores_of(sums.first_blocks(end), 0, 1), what) == whole
        before = decide(scores_of(sums.first_blocks(end - 1), 0, 1), what)
        assert (before.verdict, whole.verdict != "undecided") == ("undecided", True)
    # What is played later, and how much of it, bears on nothing.
    for complete in range(blocks + 1):
        found = stops_at(sums, rule, complete=complete, pair=(0, 1))
        assert found == (end if end is not None and end <= complete else None)
