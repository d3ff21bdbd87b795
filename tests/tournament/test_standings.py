"""Sums and standings."""

from __future__ import annotations

import json
import random

import pytest

from maumau.tournament.formats import Plan, plan
from maumau.tournament.groups import letters
from maumau.tournament.quantiles import t_quantile
from maumau.tournament.standings import crosstable, rank
from maumau.tournament.sums import BlockSums, share_units


def play(p: Plan, strength: list[float], seed: int) -> list[tuple[int, tuple[int, ...], list[int]]]:
    """Legs with a winner drawn by strength."""
    rng = random.Random(seed)
    legs = []
    for block, line_up in p:
        for seating in p.seatings(line_up, block):
            winner = rng.choices(seating, [strength[x] for x in seating])[0]
            legs.append((block, seating, [1 if x == winner else 2 for x in seating]))
    return legs


def added(p: Plan, legs: list[tuple[int, tuple[int, ...], list[int]]]) -> BlockSums:
    sums = BlockSums(p.entrants, p.blocks)
    for block, seating, ranks in legs:
        sums.add_leg(block, seating, ranks, [10 * r for r in ranks])
    return sums


@pytest.mark.parametrize(
    ("ranks", "units"),
    [
        ((1, 2), (12, 0)),
        ((1, 1), (6, 6)),
        ((3, 1, 1), (0, 6, 6)),
        ((1, 4, 1, 1), (4, 0, 4, 4)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
    ],
)
def test_a_game_gives_one_share_split_among_the_first(
    ranks: tuple[int, ...], units: tuple[int, ...]
) -> None:
    assert share_units(ranks) == units


def test_sums_do_not_depend_on_the_order_or_the_parts() -> None:
    p = plan(5, seats=3, blocks=12)
    legs = play(p, [1, 2, 3, 4, 5], 1)
    whole = added(p, legs)
    random.Random(2).shuffle(legs)
    parts = added(p, legs[:100]) + added(p, legs[100:])
    assert parts == whole
    again = BlockSums.from_rows(5, 12, whole.entrant_rows(), whole.pair_rows())
    assert again == whole
    split = BlockSums.from_rows(
        5,
        12,
        added(p, legs[:50]).entrant_rows() + added(p, legs[50:]).entrant_rows(),
        added(p, legs[:50]).pair_rows() + added(p, legs[50:]).pair_rows(),
    )
    assert split == whole
    assert whole.first_blocks(7) == added_first(p, legs, 7)
    assert rank(parts, best="low").to_bytes() == rank(whole, best="low").to_bytes()


def added_first(
    p: Plan, legs: list[tuple[int, tuple[int, ...], list[int]]], blocks: int
) -> BlockSums:
    sums = BlockSums(p.entrants, blocks)
    for block, seating, ranks in legs:
        if block < blocks:
            sums.add_leg(block, seating, ranks, [10 * r for r in ranks])
    return sums


def test_standings_say_what_was_played() -> None:
    p = plan(4, seats=2, blocks=30)
    sums = added(p, play(p, [1, 1, 2, 9], 3))
    result = rank(sums, best="low")
    data = json.loads(result.to_bytes())
    assert data["complete"] is True
    assert data["games"] == p.games == 30 * 6 * 2
    assert data["seeds"] == 30
    assert [row["rank"] for row in data["rows"]] == sorted(row["rank"] for row in data["rows"])
    assert data["rows"][0]["entrant"] == 3
    assert sum(row["score_share"] for row in data["rows"]) == pytest.approx(4 / 2)
    for row in data["rows"]:
        assert row["games"] == 180
        assert row["low"] < row["score_share"] < row["high"]
        assert row["points"] == 10 * row["games_won"] + 20 * (180 - row["games_won"])
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
    assert data["rows"][0]["rank_low"] == data["rows"][0]["rank_high"] == 1
    assert rank(sums, best="low", complete=False).to_dict()["complete"] is False


def test_equal_entrants_share_rank_and_group() -> None:
    sums = BlockSums(2, 12)
    for block in range(12):
        sums.add_leg(block, (0, 1), (1, 2), (0, 9))
        sums.add_leg(block, (1, 0), (1, 2), (0, 9))
    first, second = rank(sums, best="low").rows
    assert (first.rank, second.rank) == (1, 1)
    assert (first.rank_low, first.rank_high, first.group) == (1, 2, "a")
    assert second.group == "a"


def test_no_interval_below_ten_seeds_and_none_for_nothing_played() -> None:
    sums = BlockSums(3, 9)
    for block in range(9):
        sums.add_leg(block, (0, 1), (1, 2), (0, 9))
    rows = rank(sums, best="low").rows
    assert [(row.low, row.high) for row in rows] == [(None, None)] * 3
    assert rows[2].score_share is None
    assert rows[2].points_per_game is None
    assert rows[2].games == 0


def test_a_forfeit_is_counted_and_gives_the_game_to_the_others() -> None:
    sums = BlockSums(3, 1)
    sums.add_leg(0, (2, 0, 1), (3, 1, 1), (-700, 4, 5), fault=0)
    rows = {row.entrant: row for row in rank(sums, best="high").rows}
    assert (rows[2].faults, rows[2].score_share, rows[2].points) == (1, 0.0, -700)
    assert (rows[0].faults, rows[0].score_share, rows[0].games_shared) == (0, 0.5, 1)
    assert (rows[0].games_won, rows[0].rank, rows[1].rank) == (0, 1, 1)


def test_crosstable_adds_up_to_the_standings() -> None:
    p = plan(5, seats=4, blocks=12)
    sums = added(p, play(p, [1, 2, 3, 4, 5], 4))
    cells = crosstable(sums)
    assert len(cells) == 5 * 4
    for row in rank(sums, best="low").rows:
        own = [cell for cell in cells if cell["entrant"] == row.entrant]
        assert sum(cell["games"] for cell in own) == 3 * row.games
        won = sum(cell["share"] * cell["games"] for cell in own)
        assert won == pytest.approx(3 * row.games_won, abs=1e-3)
        for cell in own:
            assert cell["ahead"] <= cell["games"]


def test_groups_share_a_letter_exactly_if_not_separated() -> None:
    import numpy as np

    ahead = np.zeros((4, 4), dtype=bool)
    ahead[0, 2] = ahead[0, 3] = ahead[1, 3] = True
    named = [set(text.split()) for text in letters(ahead, [1, 2, 3, 4])]
    for i in range(4):
        for j in range(i + 1, 4):
            assert bool(named[i] & named[j]) != bool(ahead[i, j])


@pytest.mark.parametrize("df", [1, 2, 9, 19, 999])
@pytest.mark.parametrize("p", [0.5, 0.9, 0.975, 0.9999])
def test_t_quantiles_equal_scipy(df: int, p: float) -> None:
    from scipy import stats

    assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), abs=1e-9, rel=1e-9)
