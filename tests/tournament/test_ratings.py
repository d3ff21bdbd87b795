"""Ratings: the same as independent code, finite, exact in what they explain."""

from __future__ import annotations

import math
from itertools import combinations

import choix
import numpy as np
import pytest

from maumau.tournament import davidson, ratings
from maumau.tournament.rating_intervals import POINTS
from maumau.tournament.ratings import rate
from maumau.tournament.results import Leg, Results, from_legs, from_sums
from maumau.tournament.sums import SHARE_UNITS, BlockSums


def drawn(entrants: int, seats: int, seeds: int, *, ties: float = 0.0, seed: int = 1) -> list[Leg]:
    """Games whose whole ranking is Plackett–Luce with strengths from −1 to 1."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(-1, 1, entrants)
    legs: list[Leg] = []
    for block in range(seeds):
        for _ in range(4):
            seating = rng.permutation(entrants)[:seats]
            order = np.argsort(-(strength[seating] + rng.gumbel(size=seats)))
            ranks = np.empty(seats, dtype=int)
            ranks[order] = np.arange(1, seats + 1)
            if rng.random() < ties:
                ranks[ranks <= rng.integers(2, seats + 1)] = 1
            legs.append((block, seating.tolist(), ranks.tolist()))
    return legs


def strengths(legs: list[Leg], entrants: int, places: str) -> np.ndarray:
    """The fit itself, with a prior too weak to matter."""
    results = from_legs(legs, places=places)  # type: ignore[arg-type]
    data = ratings._Data.of(results, entrants)
    counts = data.counts(np.ones((1, data.seeds)))
    at = davidson.fit(data.companies, counts, loosened=1e4)[0, :entrants]
    return np.asarray(at - at.mean())


def test_two_seats_without_ties_equal_choix_bradley_terry() -> None:
    legs = drawn(6, 2, 80)
    pairs = [tuple(np.array(seating)[np.argsort(ranks)]) for _, seating, ranks in legs]
    other = choix.opt_pairwise(6, pairs, tol=1e-10)
    assert strengths(legs, 6, "first") == pytest.approx(other - other.mean(), abs=1e-4)


@pytest.mark.parametrize("seats", [3, 4])
def test_first_places_without_ties_equal_choix_luce(seats: int) -> None:
    legs = drawn(6, seats, 80)
    top = []
    for _, seating, ranks in legs:
        order = np.array(seating)[np.argsort(ranks)]
        top.append((order[0], tuple(order[1:])))
    other = choix.opt_top1(6, top, tol=1e-10)
    assert strengths(legs, 6, "first") == pytest.approx(other - other.mean(), abs=1e-4)


@pytest.mark.parametrize("seats", [3, 4])
def test_whole_rankings_without_ties_equal_choix_plackett_luce(seats: int) -> None:
    legs = drawn(6, seats, 80)
    rankings = [tuple(np.array(seating)[np.argsort(ranks)]) for _, seating, ranks in legs]
    other = choix.opt_rankings(6, rankings, tol=1e-10)
    assert strengths(legs, 6, "all") == pytest.approx(other - other.mean(), abs=1e-4)


def test_with_ties_the_fit_explains_every_share_exactly() -> None:
    """The likelihood's slope is 0: expected shares and ties are those that were seen."""
    legs = drawn(6, 4, 100, ties=0.2)
    data = ratings._Data.of(from_legs(legs), 6)
    counts = data.counts(np.ones((1, data.seeds)))
    at = davidson.fit(data.companies, counts, loosened=1e4)
    slope, bend = davidson.derivatives(data.companies, counts, at)
    assert np.abs(slope[0, :6]).max() < 1e-6
    assert np.abs(slope[0, 6:]).max() < 1e-6
    assert np.allclose(bend[0], bend[0].T)
    assert np.linalg.eigvalsh(bend[0]).min() > -1e-9


def test_the_second_derivative_is_that_of_the_slope() -> None:
    data = ratings._Data.of(from_legs(drawn(5, 3, 30, ties=0.3)), 5)
    counts = data.counts(np.ones((1, data.seeds)))
    at = np.full((1, 7), 0.1)
    slope, bend = davidson.derivatives(data.companies, counts, at)
    for k in range(7):
        moved = at.copy()
        moved[0, k] += 1e-6
        change = (davidson.derivatives(data.companies, counts, moved)[0] - slope)[0] / 1e-6
        assert change == pytest.approx(-bend[0, k], abs=1e-3)


def test_davidson_for_two_with_ties_by_hand() -> None:
    """8 wins, 2 losses, 5 ties: π = 4 : 1, and δ² explains the ties (Davidson 1970)."""
    legs: list[Leg] = [(k, (0, 1), (1, 2)) for k in range(8)]
    legs += [(k, (0, 1), (2, 1)) for k in range(8, 10)]
    legs += [(k, (0, 1), (1, 1)) for k in range(10, 15)]
    data = ratings._Data.of(from_legs(legs), 2)
    at = davidson.fit(data.companies, data.counts(np.ones((1, 15))), loosened=1e4)[0]
    assert at[0] - at[1] == pytest.approx(math.log(8 / 2), rel=1e-5)
    assert at[2] == pytest.approx(math.log(5 / math.sqrt(8 * 2)), abs=1e-4)


def test_who_won_everything_has_a_finite_rating_and_no_upper_bound() -> None:
    legs: list[Leg] = []
    for block in range(20):
        legs += [
            (block, (0, 1), (1, 2)),
            (block, (0, 2), (1, 2)),
            (block, (1, 2), (1 + block % 2, 2 - block % 2)),
        ]
    first, second, third = rate(from_legs(legs), 3, seed="s")
    assert first.rating is not None
    assert 1500 < first.rating < 4000
    assert first.high is None
    assert first.low is not None
    assert first.low < first.rating
    assert second.rating == pytest.approx(third.rating, abs=1e-3)
    assert second.low is not None
    assert second.high is not None
    worst = rate(from_legs([(k, (0, 1), (1, 2)) for k in range(20)]), 2, seed="s")[1]
    assert worst.low is None
    assert worst.high is not None
    assert worst.rating is not None


def test_ratings_allow_for_one_of_the_field_who_is_hardly_known() -> None:
    """Ratings are told from the field's mean: who won nothing may pull it down less than it seems.

    Drawing seeds again cannot show that: in every draw the weak one wins nothing.
    """
    legs: list[Leg] = []
    for block in range(20):
        legs += [(block, (0, 1), (1, 2) if (block + leg) % 3 else (2, 1)) for leg in range(2)]
        legs += [(block, (strong, 2), (1, 2)) for strong in (0, 1) for _ in range(2)]
    one, two, weak = rate(from_legs(legs), 3, seed="s")
    assert weak.low is None
    for known in (one, two):
        assert known.rating is not None
        assert known.low is not None
        assert known.error is not None
        assert weak.rating is not None
        assert weak.high is not None
        # Were the weak one as good as it may be, the others would be lower by half of that.
        assert known.rating - known.low >= 0.45 * (weak.high - weak.rating)
        assert known.rating - known.low > 4 * known.error


def test_points_are_elos() -> None:
    """Ten to one is 400 points, and the mean is 1500."""
    legs: list[Leg] = [(k, (0, 1), (1, 2) if k % 11 else (2, 1)) for k in range(1100)]
    a, b = rate(from_legs(legs), 2, seed="s", draws=2)
    assert a.rating is not None
    assert b.rating is not None
    assert a.rating - b.rating == pytest.approx(400, abs=2)
    assert a.rating + b.rating == pytest.approx(3000)
    assert pytest.approx(400 / math.log(10)) == POINTS


def test_the_same_results_give_the_same_ratings_in_any_order() -> None:
    legs = drawn(5, 4, 30, ties=0.1)
    one = rate(from_legs(legs), 5, seed="s")
    assert rate(from_legs(legs[::-1]), 5, seed="s") == one
    assert rate(from_legs(legs), 5, seed="t") != one


def test_errors_are_those_of_whole_seeds() -> None:
    """A seed played four times alike tells no more than once."""
    legs = drawn(4, 2, 200)
    once = [leg for k, leg in enumerate(legs) if k % 4 == 0]
    four = [leg for leg in once for _ in range(4)]
    for a, b in zip(
        rate(from_legs(once), 4, seed="s"), rate(from_legs(four), 4, seed="s"), strict=True
    ):
        assert b.error == pytest.approx(a.error, rel=0.02)
        assert b.rating == pytest.approx(a.rating, abs=3)


def test_islands_are_told() -> None:
    legs: list[Leg] = []
    for k in range(12):
        legs += [(k, (0, 1), (1, 2)), (k, (1, 0), (1, 2)), (k, (2, 3), (1, 2)), (k, (3, 2), (1, 2))]
    found = rate(from_legs(legs), 5, seed="s")
    assert [one.island for one in found] == [0, 0, 1, 1, 2]
    assert [one.rating for one in found[:4]] == pytest.approx([1500] * 4)
    assert found[4].rating is None


def test_fewer_than_ten_seeds_give_no_interval() -> None:
    for one in rate(from_legs(drawn(3, 2, 9)), 3, seed="s"):
        assert (one.low, one.high, one.error) == (None, None, None)
        assert one.rating is not None


def test_tables_of_different_sizes_are_rated_together() -> None:
    legs = drawn(5, 2, 60) + [(100 + b, s, r) for b, s, r in drawn(5, 4, 60, seed=2)]
    found = [one.rating for one in rate(from_legs(legs), 5, seed="s", draws=2)]
    assert found == sorted(found)  # type: ignore[type-var]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_results_from_sums_are_those_from_legs(seats: int) -> None:
    """What is stored per block of a line-up is enough: ties of each size can be told from it."""
    legs = drawn(5, seats, 40, ties=0.4)
    (direct,) = from_legs(legs)
    rows = []
    for seed, members in zip(direct.seed.tolist(), direct.members.tolist(), strict=True):
        sums = BlockSums(5, 1)
        for block, seating, ranks in legs:
            if block == seed and sorted(seating) == members:
                sums.add_leg(0, seating, ranks, [0] * seats)
        squares = sum(row[6] for row in sums.pair_rows() if row[1] < row[2])
        wins, shared = int(sums.column("wins").sum()), int(sums.column("shared").sum())
        games = int(sums.column("units").sum()) // SHARE_UNITS
        rows.append((games, wins, shared, squares, sums.column("units")[0, members]))
    games, wins, shared, squares, units = (np.array(c) for c in zip(*rows, strict=True))
    found = from_sums(
        direct.seed,
        direct.members,
        units,
        games=games,
        wins=wins,
        shared=shared,
        squares=squares,
    )
    assert np.array_equal(found.ties, direct.ties)
    assert np.array_equal(found.games, direct.games)
    assert np.array_equal(found.units, direct.units)
    assert direct.ties.sum() > 20


def test_every_line_up_counts_once() -> None:
    legs: list[Leg] = [(0, pair, (1, 2)) for pair in combinations(range(4), 2)] * 2
    (found,) = from_legs(legs)
    assert found.games.tolist() == [2] * 6
    assert found.size == 2


def company(
    strength: list[float], among: list[int], seeds: range, rng: np.random.Generator
) -> list[Leg]:
    """Games of two, drawn from a part of the field."""
    legs: list[Leg] = []
    for block in seeds:
        for _ in range(4):
            seating = rng.choice(among, 2, replace=False)
            noisy = np.array(strength)[seating] + rng.gumbel(size=2)
            legs.append((block, seating.tolist(), np.where(noisy == noisy.max(), 1, 2).tolist()))
    return legs


def test_over_tournaments_strength_is_told_from_easy_company() -> None:
    """The third meets only weak ones and scores most; the sixth meets only strong ones.

    By score share the third would lead a leaderboard; one model over all knows whom they met.
    """
    strength = [-1.5, -1.5, 0.0, 1.0, 1.0, 0.6]
    rng = np.random.default_rng(3)
    parts = [
        from_legs(company(strength, among, range(300 * k, 300 * k + 300), rng))[0]
        for k, among in enumerate(([0, 1, 2], [3, 4, 5], [0, 3]))
    ]
    weak, strong, _ = parts
    assert weak.units[weak.members == 2].sum() > strong.units[strong.members == 5].sum()
    found = rate(parts, 6, seed="s")
    assert found[2].high is not None
    assert found[5].low is not None
    assert found[2].high < found[5].low
    assert {one.island for one in found} == {0}


def lopsided(seeds: int, won: list[int]) -> list[Leg]:
    """Games of everybody against the last, who is equal, where the others won so many."""
    entrants = len(won) + 1
    legs: list[Leg] = []
    for number in range(seeds):
        for other, often in enumerate(won):
            first = number < often
            legs.append((number, (other, entrants - 1), (1, 2) if first else (2, 1)))
    return legs


def test_two_who_are_hardly_known_do_not_take_wins_from_each_other() -> None:
    """If one had won more, those who win would have won less: nobody has less than nothing."""
    legs = lopsided(40, [20, 1, 1])
    field = {
        one.entrant: one for one in rate(from_legs(legs), 4, seed="s") if one.rating is not None
    }
    assert field[1].rating == field[2].rating
    # They are worth about the same to whoever is known: neither end runs away.
    for one in field.values():
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.rating < one.high  # type: ignore[operator]
        assert one.high - one.low < 1200
    assert field[1].low == pytest.approx(field[2].low, abs=1)


def test_who_is_hardly_known_says_nothing_of_another_island() -> None:
    """An island's ratings are its own, with whoever else was rated beside it."""
    known = drawn(3, 2, 40)
    weak = lopsided(40, [1])
    both = known + [
        (seed + 40, tuple(one + 3 for one in seating), ranks) for seed, seating, ranks in weak
    ]
    alone = rate(from_legs(known), 3, seed="s")
    beside = rate(from_legs(both), 5, seed="s")[:3]
    for one, other in zip(alone, beside, strict=True):
        # Ties, of which there are none, are told from all games: that is all they share.
        assert one.rating == pytest.approx(other.rating, abs=0.1)
        assert one.high is not None
        assert one.low is not None
        assert other.high is not None
        assert other.low is not None
        # Seeds are drawn from both islands, so errors differ by chance; nothing is pulled.
        assert other.high - other.low == pytest.approx(one.high - one.low, rel=0.25)


def test_intervals_hold_with_one_of_the_field_who_is_hardly_known() -> None:
    """The weakest wins 4 % of 80 games: its own interval, and what it does to the others', hold."""
    chance = {(0, 1): 0.55, (0, 2): 0.965, (1, 2): 0.955}
    true = Results(
        np.zeros(3, dtype=np.int64),
        np.array(list(chance)),
        np.full(3, 1_000_000),
        np.array([[round(p * 12e6), 12_000_000 - round(p * 12e6)] for p in chance.values()]),
        np.zeros((3, 1), dtype=np.int64),
    )
    goal = [one.rating for one in rate([true], 3, seed="", draws=0)]
    rng, held = np.random.default_rng(1), np.zeros(3)
    for number in range(200):
        legs: list[Leg] = [
            (seed, pair, (1, 2) if rng.random() < p else (2, 1))
            for seed in range(20)
            for pair, p in chance.items()
            for _ in range(2)
        ]
        for one, truth in zip(rate(from_legs(legs), 3, seed=str(number)), goal, strict=True):
            assert truth is not None
            above = one.low is None or one.low <= truth
            held[one.entrant] += above and (one.high is None or truth <= one.high)
    # One standard error is 1.5 points. Counts this small leave no interval of just 95 %.
    assert (held / 200 >= 0.93).all()
