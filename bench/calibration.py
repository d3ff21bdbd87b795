"""Do the standings keep what they promise? Simulated tournaments whose truth is known.

    python bench/calibration.py [--tournaments 4000] [--cell 4x3x20] [--out bench/calibration.json]

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from maumau.tournament import davidson, intervals, ratings
from maumau.tournament.formats import Kind, plan
from maumau.tournament.moments import Estimates, ratio
from maumau.tournament.ratings import POINTS, rate
from maumau.tournament.results import Results
from maumau.tournament.sequential import looks
from maumau.tournament.standings import better
from maumau.tournament.sums import SHARE_UNITS

LUCK, OWN, TIES, APART = 1.0, 0.4, 0.03, 0.9
FIELDS: list[tuple[int, int, Kind]] = [
    (4, 2, "all"),
    (4, 3, "all"),
    (5, 4, "all"),
    (8, 4, "balanced"),
]
SEEDS = (10, 20, 100, 1000)
HELD = ("share", "difference", "rating", "all", "ranks", "looks")
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

    def play(self, rng: np.random.Generator) -> np.ndarray:
        """Play all legs: the share units of each seat."""
        luck = rng.standard_normal((self.seeds, self.seats))[self.block] * LUCK
        own = rng.standard_normal((self.seeds, self.entrants)) * OWN
        chance = self.chances(luck, own[self.block[:, None], self.seating], self.seating)
        drawn = rng.random(len(chance))[:, None] > chance.cumsum(axis=1)[:, :-1]
        units = np.zeros(self.seating.shape, dtype=np.int64)
        units[np.arange(len(units)), drawn.sum(axis=1)] = SHARE_UNITS
        units[rng.random(len(units)) < TIES] = SHARE_UNITS // self.seats
        return units

    def sums(self, units: np.ndarray) -> tuple[np.ndarray, np.ndarray, Results]:
        """Give units and games per (seed, entrant), and the results by line-up."""
        shape = (self.seeds, self.entrants)
        place = (self.block[:, None] * self.entrants + self.seating).ravel()
        by_seed = np.bincount(place, units.ravel(), shape[0] * shape[1]).astype(np.int64)
        games = np.bincount(place, minlength=shape[0] * shape[1])
        own = np.zeros(self.row_members.shape, dtype=np.int64)
        np.add.at(own, (self.row[:, None], self.place), units)
        ties = np.zeros((len(self.row_games), self.seats - 1), dtype=np.int64)
        shared = units.max(axis=1) == SHARE_UNITS // self.seats
        ties[:, -1] = np.bincount(self.row, shared, len(self.row_games))
        results = Results(self.row_seed, self.row_members, self.row_games, own, ties)
        return by_seed.reshape(shape), games.reshape(shape), results

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


def measure(cell: Cell, part: int, tournaments: int, draws: int) -> dict[str, float]:
    """Play a part of a cell's tournaments and count what held."""
    rng = np.random.default_rng([part, cell.entrants, cell.seats, cell.seeds, cell.equal])
    hits = dict.fromkeys(HELD, 0.0)
    i, j = np.triu_indices(cell.entrants, 1)
    truth = cell.share[i] - cell.share[j]
    for number in range(tournaments):
        units, games, results = cell.sums(cell.play(rng))
        found = ratio(units, games, SHARE_UNITS)
        low, high = intervals.share_intervals(found.value, np.diag(found.covariance), found.seeds)
        hits["share"] += float(((low <= cell.share) & (cell.share <= high)).mean())
        one, every = (differences_hold(found, truth, among) for among in (1, len(i)))
        hits["difference"] += float(one.mean())
        hits["all"] += bool(every.all())
        hits["ranks"] += ranks_hold(better(found), cell.share)
        hits["looks"] += not any(
            (better(part, repeated=True) & ~truly_better(cell.share)).any()
            for part in prefixes(cell, units, games)
        )
        inside = []
        for one in rate([results], cell.entrants, seed=f"{part}:{number}", draws=draws):
            true = cell.rating[one.entrant]
            above = one.low is None or one.low <= true
            inside.append(above and (one.high is None or true <= one.high))
        hits["rating"] += float(np.mean(inside))
    return hits


def differences_hold(found: Estimates, truth: np.ndarray, among: int) -> np.ndarray:
    """Say of every pair whether its interval has the truth in it."""
    i, j = np.triu_indices(len(found.value), 1)
    low, high = intervals.difference_intervals(
        found.value[i] - found.value[j],
        found.difference_variance[i, j],
        found.all_seeds,
        among=among,
    )
    return np.asarray((low <= truth) & (truth <= high))


def prefixes(cell: Cell, units: np.ndarray, games: np.ndarray) -> list[Estimates]:
    """Estimate at every look and at the end."""
    return [ratio(units[:n], games[:n], SHARE_UNITS) for n in (*looks(cell.seeds), cell.seeds)]


def truly_better(share: np.ndarray) -> np.ndarray:
    return np.asarray(share[:, None] > share + 1e-9)


def ranks_hold(ahead: np.ndarray, share: np.ndarray) -> bool:
    """Say whether every entrant's true rank is in its set; equal ones may have any of theirs."""
    above = truly_better(share)
    best = 1 + above.sum(axis=0)
    worst = len(share) - above.sum(axis=1)
    low, high = 1 + ahead.sum(axis=0), len(share) - ahead.sum(axis=1)
    return bool(((low <= best) & (worst <= high)).all())


def run(cell: Cell, done: dict[str, Any], asked: argparse.Namespace) -> None:
    """Play a cell on to its end, part by part."""
    row = done.setdefault(cell.name, {"tournaments": 0} | dict.fromkeys(HELD, 0.0))
    started = time.perf_counter()
    while row["tournaments"] < asked.tournaments:
        number = min(PART, asked.tournaments - row["tournaments"])
        held = measure(cell, row["tournaments"] // PART, number, asked.draws)
        before = row["tournaments"]
        row["tournaments"] += number
        for name, value in held.items():
            share = (row[name] * before + value) / row["tournaments"]
            row[name] = round(share, 8)
        asked.out.write_text(json.dumps(done, indent=1) + "\n")
    seconds = time.perf_counter() - started
    shown = " ".join(f"{name} {row[name]:.4f}" for name in HELD)
    print(f"{cell.name:32} {row['tournaments']} {shown} {seconds:.0f} s", flush=True)


def main() -> None:
    """Run the cells that are not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=4000)
    parser.add_argument("--draws", type=int, default=ratings.DRAWS)
    parser.add_argument("--cell", default="")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    done: dict[str, Any] = json.loads(asked.out.read_text()) if asked.out.exists() else {}
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
