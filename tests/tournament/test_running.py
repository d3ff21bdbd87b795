"""Ratings from running sums: those of all results read at once, in whatever order they came."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from maumau.tournament.ratings import rate
from maumau.tournament.results import Leg, Results, from_legs
from maumau.tournament.running import Drawn, drawn_results, rate_drawn


def played(entrants: int, seats: int, blocks: int, *, start: int = 0) -> Results:
    """Draw a tournament in which a higher number is better; seeds from `start` on."""
    rng = np.random.default_rng([entrants, seats, blocks, start])
    legs: list[Leg] = []
    for block in range(blocks):
        for _ in range(6):
            seating = rng.permutation(entrants)[:seats].tolist()
            best = seating[int(np.argmax(0.4 * np.array(seating) + rng.gumbel(size=seats)))]
            legs.append((start + block, seating, [1 if x == best else 2 for x in seating]))
    (results,) = from_legs(legs)
    return results


def equal(one: Drawn, other: Drawn) -> bool:
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(Drawn))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_tournament_is_rated_as_ever(seats: int) -> None:
    results = played(5, seats, 40)
    # Versions may have any numbers; the canonical order is given.
    sums = drawn_results(results, [7, 3, 9, 1, 5], seed="s", draws=100)
    assert rate_drawn(sums, [7, 3, 9, 1, 5]) == rate([results], 5, seed="s", draws=100)


def test_tournaments_are_added_in_any_order() -> None:
    parts = [
        drawn_results(played(4, 3, 20), [1, 2, 3, 4], seed="a"),
        drawn_results(played(3, 3, 30), [2, 4, 6], seed="b"),
        drawn_results(played(5, 3, 25), [6, 5, 4, 3, 2], seed="c"),
    ]
    one = parts[0] + parts[1] + parts[2]
    other = parts[2] + (parts[1] + parts[0])
    assert equal(one, other)
    order = [3, 1, 6, 2, 5, 4]
    assert rate_drawn(one, order) == rate_drawn(other, order)
    assert (one.seeds, one.tournaments) == (75, 3)
    assert one.games[:, 0].sum() == 6 * 75


def test_many_tournaments_are_rated_as_if_read_together() -> None:
    """Strengths are the same; errors differ only in that seeds are drawn within tournaments."""
    first, second = played(4, 2, 60), played(4, 2, 90, start=60)
    sums = drawn_results(first, [0, 1, 2, 3], seed="a") + drawn_results(
        second, [0, 1, 2, 3], seed="b"
    )
    whole = rate([first, second], 4, seed="c", draws=400)
    for one, other in zip(rate_drawn(sums, [0, 1, 2, 3]), whole, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-4)
        assert one.games == other.games
        assert one.error == pytest.approx(other.error, rel=0.25)


def test_versions_that_never_met_are_on_islands() -> None:
    sums = drawn_results(played(2, 2, 20), [1, 2], seed="a")
    sums += drawn_results(played(2, 2, 20), [3, 4], seed="b")
    assert [one.island for one in rate_drawn(sums, [1, 3, 2, 4])] == [0, 1, 0, 1]


def test_a_version_that_is_entered_twice_is_one_player() -> None:
    results = played(3, 2, 20)
    sums = drawn_results(results, [5, 5, 6], seed="a")
    assert sums.players.tolist() == [5, 6]
    assert sums.units.sum(axis=0)[0] == 12 * 120
    assert sums.played.tolist()[0] == 20
    assert replace(sums).seeds == 20
