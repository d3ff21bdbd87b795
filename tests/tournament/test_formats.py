"""The plan: line-ups, seatings, chunks and how even they are."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb

import pytest

from maumau.errors import InvalidInput
from maumau.tournament import formats
from maumau.tournament.formats import Plan, plan


def spread(counts: Counter[tuple[int, ...]], keys: list[tuple[int, ...]]) -> int:
    values = [counts[key] for key in keys]
    return max(values) - min(values)


def evenness(p: Plan) -> tuple[int, int, int, int]:
    """Spreads of: games at each seat, meetings of pairs, next clockwise (in blocks), games."""
    seat: Counter[tuple[int, ...]] = Counter()
    met: Counter[tuple[int, ...]] = Counter()
    after: Counter[tuple[int, ...]] = Counter()
    for block, line_up in p:
        met.update(combinations(p.line_ups[line_up], 2))
        for seating in p.seatings(line_up, block):
            seat.update(enumerate(seating))
            after.update((x, seating[(i + 1) % p.seats]) for i, x in enumerate(seating))
    n = p.entrants
    seats = max(spread(seat, [(place, x) for place in range(p.seats)]) for x in range(n))
    assert all(count % (p.legs if p.seats != 3 else 3) == 0 for count in after.values())
    nexts = spread(after, list(permutations(range(n), 2))) // (p.legs if p.seats != 3 else 3)
    games = Counter(x for _, line_up in p for x in p.line_ups[line_up])
    return (
        seats,
        spread(met, list(combinations(range(n), 2))),
        nexts,
        max(games.values()) - min(games[x] for x in range(n)),
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("entrants", [4, 5, 6, 7, 8, 12])
@pytest.mark.parametrize("blocks", [1, 3, 6, 10])
def test_all_line_ups_are_even(seats: int, entrants: int, blocks: int) -> None:
    p = plan(entrants, seats=seats, blocks=blocks)
    assert len(p.line_ups) == comb(entrants, seats)
    seat, met, nexts, games = evenness(p)
    assert (seat, met, games) == (0, 0, 0)
    assert nexts <= 2


@pytest.mark.parametrize(
    ("seats", "entrants", "blocks"),
    [(2, n, b) for n in (3, 5, 6, 9, 16) for b in (1, 4, 7, 20)]
    + [(2, 23, 22), (2, 23, 45)]
    + [(3, n, b) for n in (5, 9, 11, 12) for b in (n, 2 * (n - 1))]
    + [(4, 8, 7), (4, 8, 14), (4, 8, 20), (4, 12, 11), (4, 12, 33), (4, 16, 5), (4, 16, 15)]
    + [(4, 13, 13), (4, 20, 19), (4, 20, 57), (4, 10, 30), (4, 5, 5)],
)
def test_balanced_tables_are_even(seats: int, entrants: int, blocks: int) -> None:
    seat, met, nexts, games = evenness(
        plan(entrants, seats=seats, blocks=blocks, line_ups="balanced")
    )
    assert seat == 0
    assert met <= 1
    assert nexts <= 2
    assert games <= 1


@pytest.mark.parametrize("line_ups", ["all", "balanced"])
@pytest.mark.parametrize(("seats", "legs"), [(2, 2), (3, 6), (4, 4)])
def test_chunks_cover_the_plan_once(seats: int, legs: int, line_ups: str) -> None:
    p = plan(9, seats=seats, blocks=70, line_ups=line_ups)  # type: ignore[arg-type]
    covered = Counter(
        (block, chunk.line_up)
        for chunk in p.chunks
        for block in range(chunk.first, chunk.first + chunk.blocks)
    )
    assert covered == Counter(p)
    assert len({chunk.key for chunk in p.chunks}) == len(p.chunks)
    assert max(chunk.blocks for chunk in p.chunks) * legs <= 66
    assert p.games == len(list(p)) * legs == sum(len(p.seatings(x, b)) for b, x in p)
    firsts = [chunk.first for chunk in p.chunks]
    assert firsts == sorted(firsts)


def test_two_and_three_seats_play_all_seat_orders() -> None:
    assert plan(2, seats=2, blocks=1).seatings(0, 0) == ((0, 1), (1, 0))
    assert set(plan(3, seats=3, blocks=1).seatings(0, 0)) == set(permutations(range(3)))


def test_four_seats_rotate_and_the_circle_changes_from_block_to_block() -> None:
    p = plan(4, seats=4, blocks=12)
    circles = [p.circle(0, block) for block in range(12)]
    for block, circle in enumerate(circles):
        rotations = {tuple(circle[(i - k) % 4] for i in range(4)) for k in range(4)}
        assert set(p.seatings(0, block)) == rotations
    assert all(a != b for a, b in pairwise(circles))
    assert len(set(circles)) == 6


def test_a_large_plan_is_not_listed() -> None:
    p = plan(20, seats=4, blocks=1000)
    assert p.games == 4845 * 1000 * 4
    assert len(p.line_ups) == 4845
    assert p.chunks[-1].first + p.chunks[-1].blocks == 1000
    assert p.line_ups[4844] == (16, 17, 18, 19)


@pytest.mark.parametrize(
    ("entrants", "seats", "blocks", "line_ups", "path"),
    [
        (3, 4, 5, "all", "entrants"),
        (1, 2, 5, "all", "entrants"),
        (3, 4, 5, "balanced", "entrants"),
        (4, 5, 5, "all", "seats"),
        (4, 1, 5, "all", "seats"),
        (4, 4, 0, "all", "blocks"),
        (4, 4, 10**6, "all", "blocks"),
        (4, 4, 5, "swiss", "line_ups"),
        (200, 4, 5, "all", "line_ups"),
        (300, 4, 5, "balanced", "entrants"),
        (20, 4, 2000, "all", "blocks"),
    ],
)
def test_what_cannot_be_planned_is_refused_by_path(
    entrants: int, seats: int, blocks: int, line_ups: str, path: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        plan(entrants, seats=seats, blocks=blocks, line_ups=line_ups)  # type: ignore[arg-type]
    assert [problem.path for problem in refused.value.problems] == [path]


@pytest.mark.parametrize(("entrants", "blocks"), [(8, 10), (13, 20), (16, 20), (20, 40)])
def test_tables_of_four_are_as_even_as_a_plan_says(entrants: int, blocks: int) -> None:
    """Where no plan lets all pairs meet equally often to one, this says by how much."""
    p = plan(entrants, seats=4, blocks=blocks, line_ups="balanced")
    _, met, nexts, games = evenness(p)
    said = formats.evenness(p)
    assert (said.meetings, said.next_clockwise, said.games) == (met, nexts, games)
    assert met <= 2
    assert nexts <= 2
    assert games <= 1


def test_all_line_ups_are_as_even_as_a_plan_says() -> None:
    for seats in (2, 3, 4):
        p = plan(7, seats=seats, blocks=4)
        _, met, nexts, games = evenness(p)
        said = formats.evenness(p)
        assert (said.meetings, said.next_clockwise, said.games) == (met, nexts, games)
