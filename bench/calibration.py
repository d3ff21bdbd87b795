"""Do the standings keep what they promise? Simulated tournaments whose truth is known.

    python bench/calibration.py [--tournaments 4000] [--rated 4000] [--cell 4x3x20] [--out FILE]

A seed has luck for each seat (its cards) and for each entrant (how the seed suits it), both normal
and shared by all line-ups and legs that play the seed; a leg adds Gumbel noise, and the best sum
of strength, luck and noise wins; 3 % of legs are shared by the whole table. Cells differ in seats,
number of seeds, design and bots (equal, or from −0.9 to 0.9 apart). A cell is played in parts of
250 tournaments, each written as it is done, so that the work can be broken off and taken up again.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from maumau.tournament import davidson, intervals, ratings
from maumau.tournament.formats import Kind, plan
from maumau.tournament.moments import ratio
from maumau.tournament.rating_intervals import POINTS
from maumau.tournament.ratings import rate
from maumau.tournament.results import Results
from maumau.tournament.sequential import looks
from maumau.tournament.sums import SHARE_UNITS

LUCK, OWN, TIES, APART = 1.0, 0.4, 0.03, 0.9
FIELDS: list[tuple[int, int, Kind]] = [
    (4, 2, "all"),
    (4, 3, "all"),
    (5, 4, "all"),
    (8, 4, "balanced"),
]
SEEDS = (10, 20, 100, 1000)
HELD = ("share", "difference", "all", "ranks", "looks")
PART = 250


@dataclass
class Cell:
    """One design with its bots: the seating of every leg, and what is true of it."""

    entrants: int
    seats: int
    kind: Kind
    seeds: int
    equal: bool

    def __post_init__(self) -> None:
        design = plan(self.entrants, seats=self.seats, blocks=self.seeds, line_ups=self.kind)
        rows = [(b, x, s) for b, x in design for s in design.seatings(x, b)]
        self.block = np.array([b for b, _, _ in rows])
        self.seating = np.array([s for _, _, s in rows])
        # Rows of (seed, line-up), and to which of them each leg belongs.
        keys = np.array([(b, x) for b, x, _ in rows])
        unique, self.row = np.unique(keys, axis=0, return_inverse=True)
        self.row_seed = unique[:, 0]
        self.row_members = np.array([design.line_ups[x] for x in unique[:, 1].tolist()])
        self.row_games = np.bincount(self.row)
        members = self.row_members[self.row]
        self.place = (self.seating[:, :, None] > members[:, None, :]).sum(axis=2)
        games = np.zeros((self.seeds, self.entrants), dtype=np.int64)
        np.add.at(games, (self.block[:, None], self.seating), 1)
        self.games = games
        spread = 0.0 if self.equal else APART
        self.strength = np.linspace(-spread, spread, self.entrants)
        self.share, self.rating = self.truth()

    @property
    def name(self) -> str:
        """Name the cell."""
        bots = "equal" if self.equal else "different"
        return f"{self.entrants}x{self.seats}x{self.seeds}-{self.kind}-{bots}"

    def chances(self, luck: np.ndarray, own: np.ndarray, seating: np.ndarray) -> np.ndarray:
        """Give the chance of each seat to win, without ties."""
        logit = self.strength[seating] + luck + own
        logit -= logit.max(axis=-1, keepdims=True)
        power = np.exp(logit)
        return np.asarray(power / power.sum(axis=-1, keepdims=True))

    def play(self, rng: np.random.Generator, number: int) -> np.ndarray:
        """Play all legs of so many tournaments: the share units of each seat."""
        luck = rng.standard_normal((number, self.seeds, self.seats))[:, self.block] * LUCK
        own = rng.standard_normal((number, self.seeds, self.entrants)) * OWN
        chance = self.chances(luck, own[:, self.block[:, None], self.seating], self.seating)
        drawn = rng.random((*chance.shape[:2], 1)) > chance.cumsum(axis=2)[..., :-1]
        units = (drawn.sum(axis=2)[..., None] == np.arange(self.seats)) * SHARE_UNITS
        units[rng.random(units.shape[:2]) < TIES] = SHARE_UNITS // self.seats
        return np.asarray(units)

    def sums(self, units: np.ndarray) -> np.ndarray:
        """Give the units of many tournaments per (tournament, seed, entrant)."""
        place = (self.block[:, None] * self.entrants + self.seating).ravel()
        size = self.seeds * self.entrants
        flat = units.reshape(len(units), -1)
        place = (np.arange(len(units))[:, None] * size + place).ravel()
        total = np.bincount(place, flat.ravel(), len(units) * size)
        return total.reshape(len(units), self.seeds, self.entrants)

    def results(self, units: np.ndarray) -> Results:
        """Give one tournament's results by line-up."""
        own = np.bincount(
            (self.row[:, None] * self.seats + self.place).ravel(), units.ravel()
        ).reshape(self.row_members.shape)
        ties = np.zeros((len(self.row_games), self.seats - 1), dtype=np.int64)
        shared = units.max(axis=1) == SHARE_UNITS // self.seats
        ties[:, -1] = np.bincount(self.row, shared, len(self.row_games))
        return Results(self.row_seed, self.row_members, self.row_games, own.astype(np.int64), ties)

    def truth(self) -> tuple[np.ndarray, np.ndarray]:
        """Give the true shares of this design, and the ratings that explain them best."""
        if self.equal:
            return np.full(self.entrants, 1 / self.seats), np.full(self.entrants, 1500.0)
        line_ups, first = np.unique(self.row_members, axis=0, return_inverse=True)
        rng = np.random.default_rng(12345)
        total, draws = np.zeros(line_ups.shape), 0
        # Given independent luck, who sits where does not matter: one seating stands for all.
        while draws < 2_000_000 // min(len(line_ups), 20):
            luck = rng.standard_normal((20_000, 1, self.seats)) * LUCK
            own = rng.standard_normal((20_000, self.entrants))[:, line_ups] * OWN
            for sign in (1, -1):
                total += self.chances(sign * luck, sign * own, line_ups).sum(axis=0)
                draws += 20_000
        expected = total / draws * (1 - TIES) + TIES / self.seats
        games = np.bincount(first, self.row_games)
        share, number = np.zeros(self.entrants), np.zeros(self.entrants)
        np.add.at(share, line_ups, expected * games[:, None])
        np.add.at(number, line_ups, games[:, None])
        ties = np.zeros(self.seats - 1)
        ties[-1] = TIES * games.sum()
        company = davidson.company(line_ups, self.entrants)
        counts = davidson.Counts([games[None].astype(float)], np.concatenate([share, ties])[None])
        at = davidson.fit([company], counts, loosened=1e3)[0, : self.entrants]
        return share / number, 1500 + POINTS * (at - at.mean())


def measure(cell: Cell, part: int, tournaments: int) -> dict[str, float]:
    """Play a part of a cell's tournaments and count what held, of all but ratings."""
    hits = dict.fromkeys(HELD, 0.0)
    for number, played in enumerate(play_part(cell, part, tournaments)):
        by_seed = cell.sums(played)
        estimates = [estimate(by_seed, cell.games, n) for n in (*looks(cell.seeds), cell.seeds)]
        if not number:
            compare_with_the_arena(estimates[-1], by_seed[0], cell.games)
        for name, value in held(cell, estimates).items():
            hits[name] += value
    return hits


def measure_ratings(cell: Cell, part: int, tournaments: int, draws: int) -> dict[str, float]:
    """Play the same tournaments and count how many ratings held: what takes most of the time."""
    held, number = 0.0, 0
    for played in play_part(cell, part, tournaments):
        for units in played:
            seed = f"{part}:{number}"
            rated = rate([cell.results(units)], cell.entrants, seed=seed, draws=draws)
            inside = [
                (one.low is None or one.low <= true) and (one.high is None or true <= one.high)
                for one, true in zip(rated, cell.rating, strict=True)
            ]
            held += float(np.mean(inside))
            number += 1
    return {"rating": held}


def play_part(cell: Cell, part: int, tournaments: int) -> Iterator[np.ndarray]:
    """Play a part of a cell's tournaments, some at a time."""
    rng = np.random.default_rng([part, cell.entrants, cell.seats, cell.seeds, cell.equal])
    together = max(1, min(tournaments, 400_000 // cell.seating.size))
    for first in range(0, tournaments, together):
        yield cell.play(rng, min(together, tournaments - first))


@dataclass(frozen=True)
class Shares:
    """Shares of many tournaments after so many seeds: as `Estimates`, one more axis in front."""

    value: np.ndarray
    variance: np.ndarray
    apart: np.ndarray
    played: np.ndarray
    seeds: int


def estimate(by_seed: np.ndarray, games: np.ndarray, seeds: int) -> Shares:
    """Do what `moments.ratio` does, for many tournaments at once and in floating point."""
    units, played = by_seed[:, :seeds], games[:seeds]
    total = np.maximum(played.sum(axis=0), 1)
    value = units.sum(axis=1) / (total * SHARE_UNITS)
    residual = (units / SHARE_UNITS - value[:, None] * played) / total
    spread = residual.transpose(0, 2, 1) @ residual * (seeds / (seeds - 1))
    spread[np.abs(spread) < 1e-18] = 0
    own = np.diagonal(spread, axis1=1, axis2=2)
    apart = own[:, :, None] + own[:, None, :] - 2 * spread
    return Shares(value, own, apart, (played > 0).sum(axis=0), seeds)


def compare_with_the_arena(found: Shares, units: np.ndarray, games: np.ndarray) -> None:
    """See that the first tournament's estimates are those that the arena makes."""
    exact = ratio(units.astype(np.int64), games, SHARE_UNITS)
    assert np.allclose(found.value[0], exact.value)
    assert np.allclose(found.variance[0], np.diag(exact.covariance), atol=1e-15)
    assert np.allclose(found.apart[0], exact.difference_variance, atol=1e-15)


def held(cell: Cell, estimates: list[Shares]) -> dict[str, float]:
    """Count the tournaments in which intervals, rank sets and looks held what is true."""
    last = estimates[-1]
    low, high = intervals.share_intervals(last.value, last.variance, last.played)
    i, j = np.triu_indices(cell.entrants, 1)
    truth = cell.share[i] - cell.share[j]
    one, every = (differences_hold(last, i, j, truth, among) for among in (1, len(i)))
    wrong = ~truly_better(cell.share)
    looked = [(ahead(part, repeated=True) & wrong).any(axis=(1, 2)) for part in estimates]
    return {
        "share": float(((low <= cell.share) & (cell.share <= high)).mean(axis=1).sum()),
        "difference": float(one.mean(axis=1).sum()),
        "all": float(every.all(axis=1).sum()),
        "ranks": float(ranks_hold(ahead(last), cell.share).sum()),
        "looks": float((~np.any(looked, axis=0)).sum()),
    }


def differences_hold(
    found: Shares, i: np.ndarray, j: np.ndarray, truth: np.ndarray, among: int
) -> np.ndarray:
    """Say of every pair of every tournament whether its interval has the truth in it."""
    low, high = intervals.difference_intervals(
        found.value[:, i] - found.value[:, j], found.apart[:, i, j], found.seeds, among=among
    )
    return np.asarray((low <= truth) & (truth <= high))


def ahead(found: Shares, *, repeated: bool = False) -> np.ndarray:
    """Say for each ordered pair of every tournament whether the first is better."""
    n = found.value.shape[1]
    low, _ = intervals.difference_intervals(
        found.value[:, :, None] - found.value[:, None, :],
        found.apart,
        found.seeds,
        among=n * (n - 1) // 2,
        repeated=repeated,
    )
    return np.asarray(low > 0)


def truly_better(share: np.ndarray) -> np.ndarray:
    return np.asarray(share[:, None] > share + 1e-9)


def ranks_hold(ahead: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Say whether every entrant's true rank is in its set; equal ones may have any of theirs."""
    above = truly_better(share)
    best = 1 + above.sum(axis=0)
    worst = len(share) - above.sum(axis=1)
    low, high = 1 + ahead.sum(axis=1), len(share) - ahead.sum(axis=2)
    return np.asarray(((low <= best) & (worst <= high)).all(axis=1))


def run(cell: Cell, done: dict[str, Any], asked: argparse.Namespace) -> None:
    """Play a cell on to its end, part by part: `tournaments` for all, `rated` for ratings."""
    row = done.setdefault(
        cell.name, {"tournaments": 0, "rated": 0} | dict.fromkeys((*HELD, "rating"), 0.0)
    )

    def go_on(count: str, found: dict[str, float], number: int) -> None:
        before = row[count]
        row[count] += number
        for name, value in found.items():
            row[name] = round((row[name] * before + value) / row[count], 8)
        asked.out.write_text(json.dumps(done, indent=1) + "\n")

    started = time.perf_counter()
    while (at := row["tournaments"]) < asked.tournaments:
        number = min(PART, asked.tournaments - at)
        go_on("tournaments", measure(cell, at // PART, number), number)
    while (at := row["rated"]) < asked.rated:
        number = min(PART, asked.rated - at)
        go_on("rated", measure_ratings(cell, at // PART, number, asked.draws), number)
    seconds = time.perf_counter() - started
    shown = " ".join(f"{name} {row[name]:.4f}" for name in (*HELD, "rating"))
    print(f"{cell.name:32} {row['tournaments']} {row['rated']} {shown} {seconds:.0f} s", flush=True)


def table(done: dict[str, Any]) -> str:
    """Give the results as a Markdown table, in percent."""
    lines = [
        "| entrants × seats, line-ups | seeds | bots | share | difference | rating (of) "
        "| all pairs | rank sets | looks |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in done.items():
        size, kind, bots = name.split("-")
        entrants, seats, seeds = size.split("x")
        share, difference, every, ranks, looked = (f"{100 * row[key]:.1f}" for key in HELD)
        rating = f"{100 * row['rating']:.1f} ({row['rated']})"
        lines.append(
            f"| {entrants} × {seats}, {kind} | {seeds} | {bots} | {share} | {difference} "
            f"| {rating} | {every} | {ranks} | {looked} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Run the cells that are not there yet, or print the table of those that are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=4000)
    parser.add_argument("--rated", type=int, default=4000)
    parser.add_argument("--draws", type=int, default=ratings.DRAWS)
    parser.add_argument("--cell", default="")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    parser.add_argument("--table", action="store_true")
    asked = parser.parse_args()
    done: dict[str, Any] = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    if asked.table:
        print(table(done))
        return
    for seeds in SEEDS:
        for entrants, seats, kind in FIELDS:
            for equal in (True, False):
                cell = Cell(entrants, seats, kind, seeds, equal)
                if asked.cell in cell.name:
                    run(cell, done, asked)
    noise = math.sqrt(0.95 * 0.05 / asked.tournaments)
    print(f"one standard error of 95 %: {100 * noise:.2f} points")


if __name__ == "__main__":
    main()
