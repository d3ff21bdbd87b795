"""Train the weights of the policy `skilled` and write maumau/rules/skill_weights.py.

    python bench/train_skill.py --minutes 4 --rounds 3

Deals are played by the policy as trained so far, which now and then does something else. At four of
ten choices every action worth a thought is tried: the same deal, hidden cards and all, is played
out from each. What an action won more or less often than the others of its choice is what the
network learns to tell from what the seat sees. The first round is played by a few weights set by
hand; the last network learns from the outcomes of all rounds but the first. Positions come from
the presets below, and nothing names a preset to the network.
"""

from __future__ import annotations

import argparse
import random
import textwrap
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maumau import load_rules
from maumau.rules import skill_weights
from maumau.rules.legality import MAY_CATCH
from maumau.rules.machine.acting import act
from maumau.rules.machine.deal_state import RUNNING, DealState
from maumau.rules.machine.dealing import begin
from maumau.rules.prng import Prng, PrngShuffles
from maumau.rules.seeing import AGAIN, DRAWS, PASSES, REST_FITS, SAME_SUIT, SEEN, WILD, count
from maumau.rules.skill import Scales, Skill, skilled_action, tried, views
from maumau.rules.tables import tables_for
from maumau.rules.watching import Watch

TARGET = Path(skill_weights.__file__)
TWO = [
    ("champion", 2, 3),
    ("gamerules", 2, 3),
    ("gameduell", 2, 3),
    ("straffpoang", 2, 1),
    ("crazy-eights", 2, 1),
    ("mau-mau", 2, 1),
]
SEVERAL = [
    ("gamerules", 4, 3),
    ("gameduell", 4, 3),
    ("straffpoang", 3, 1),
    ("crazy-eights", 4, 1),
    ("gameduell", 3, 1),
    ("crazy-eights", 5, 1),
]
"""Presets, seats, and for how many parts of the time they are played."""

MODULE = '''"""The weights of the policy `skilled`, written by bench/train_skill.py.

{said}
"""

# A paragraph for each unit: its bias, then a weight for each thing seen (`seeing`). The last two:
# what each unit adds to an action's worth, and the weights of the linear part.
_TWO = """
{two}
"""
_SEVERAL = """
{several}
"""


def _rows(text: str) -> list[list[float]]:
    return [[float(weight) for weight in row.split()] for row in text.strip().split("\\n\\n")]


TWO = _rows(_TWO)
SEVERAL = _rows(_SEVERAL)
'''
Floats = NDArray[np.float32]
Counts = NDArray[np.int64]
Data = tuple[Floats, Floats, Counts]
"""What is seen, outcomes, and how many of them belong to each choice."""


def by_hand() -> Skill:
    linear = [0.0] * SEEN
    for place, weight in ((DRAWS, -1), (PASSES, -1), (WILD, -0.5), (AGAIN, 0.3)):
        linear[place] = weight
    linear[REST_FITS], linear[SAME_SUIT] = 0.1, 0.05
    return Skill([[], linear])


def gather(preset: str, seats: int, seconds: float, seed: int, skill: Skill) -> Data:
    tables = tables_for(load_rules(preset), seats)
    prng, rng = Prng(seed), random.Random(seed)
    state, order = DealState(tables, PrngShuffles(prng), keep_log=False), tables.pack.copy()
    scales = Scales(tables, skill)
    seen: list[list[float]] = []
    won: list[float] = []
    sizes: list[int] = []
    until, leader = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        leader = (leader + 1) % seats
        prng.shuffle(order)
        begin(state, order, leader)
        watch = Watch(tables, state.top)
        while state.end == RUNNING:
            seat = state.seat
            choices = [] if state.others & MAY_CATCH else views(state, watch)
            if len(choices) > 1 and count(state.hand) > 1 and rng.random() < 0.4:
                for action, view in choices:
                    finisher = tried(state, watch, action, scales, prng)
                    seen.append(view)
                    won.append(1 / seats if finisher < 0 else float(finisher == seat))
                sizes.append(len(choices))
            if len(choices) > 1 and rng.random() < 0.12:
                action = rng.choice(choices)[0]
            else:
                action = skilled_action(state, watch, scales)
            act(state, action)
            watch.see(seat, action, state.event_drawn, state.event_drawer, state.event_reshuffle)
    return np.array(seen, np.float32), np.array(won, np.float32), np.array(sizes)


class Network:
    """A linear part and one layer of rectified units, trained by Adam."""

    def __init__(self, units: int, linear: Floats, rng: np.random.Generator) -> None:
        self.rng = rng
        self.parts = [
            rng.normal(0, SEEN**-0.5, (SEEN, units)).astype(np.float32),
            np.zeros(units, np.float32),
            rng.normal(0, 0.1 * units**-0.5, units).astype(np.float32),
            linear.astype(np.float32),
        ]

    def values(self, x: Floats) -> Floats:
        hidden, bias, out, linear = self.parts
        values: Floats = np.maximum(x @ hidden + bias, 0) @ out + x @ linear
        return values

    def train(self, data: Data, *, epochs: int, rate: float) -> None:
        x, y, sizes = data
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        order = self.rng.permutation(len(sizes))
        held, order = order[: len(order) // 20], order[len(order) // 20 :]
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        step = 0
        for epoch in range(epochs):
            self.rng.shuffle(order)
            speed = rate * (0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 0.01)
            for first in range(0, len(order), 1024):
                rows, counts = picked(order[first : first + 1024], starts, sizes)
                step += 1
                for part, slope, mean, square in zip(
                    self.parts, self.slopes(x[rows], y[rows], counts), means, squares, strict=True
                ):
                    slope = slope + 1e-5 * part
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope * slope - square)
                    ahead = mean / (1 - 0.9**step)
                    part -= speed * ahead / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        rows, counts = picked(held, starts, sizes)
        target = centred(y[rows], counts)
        missed = target - centred(self.values(x[rows]), counts)
        told = 1 - float((missed**2).sum() / (target**2).sum())
        print(f"  {100 * told:.3f} % of what chance leaves open is told", flush=True)

    def slopes(self, x: Floats, y: Floats, counts: Counts) -> list[Floats]:
        hidden, bias, out, linear = self.parts
        units = x @ hidden + bias
        on = np.maximum(units, 0)
        error = centred(on @ out + x @ linear - y, counts) * 2 / len(counts)
        back = np.outer(error, out) * (units > 0)
        return [x.T @ back, back.sum(0), on.T @ error, x.T @ error]

    def rows(self) -> list[list[float]]:
        hidden, bias, out, linear = self.parts
        units = [[float(bias[k]), *map(float, hidden[:, k])] for k in range(len(bias))]
        return [*units, [float(w) for w in out], [float(w) for w in linear]]


def picked(choices: Counts, starts: Counts, sizes: Counts) -> tuple[Counts, Counts]:
    counts = sizes[choices]
    ends = np.cumsum(counts)
    return np.repeat(starts[choices] - ends + counts, counts) + np.arange(ends[-1]), counts


def centred(values: Floats, counts: Counts) -> Floats:
    """Take from each value the mean of its choice: only differences matter."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    result: Floats = values - np.repeat(np.add.reduceat(values, starts) / counts, counts)
    return result


def fitted(data: Data) -> Floats:
    """Give the linear weights of least squares, to begin with."""
    x, y, counts = data
    columns = np.stack([centred(x[:, k], counts) for k in range(SEEN)], 1).astype(np.float64)
    weights: Floats = np.linalg.solve(
        columns.T @ columns + np.eye(SEEN), columns.T @ centred(y, counts)
    )
    return weights


def joined(parts: list[Data]) -> Data:
    x, y, sizes = (np.concatenate(same) for same in zip(*parts, strict=True))
    return x, y, sizes


def trained(
    plays: list[tuple[str, int, int]], units: int, asked: argparse.Namespace
) -> tuple[list[list[float]], str]:
    skill, kept, rows, said = by_hand(), [], [], ""
    whole = sum(parts for *_, parts in plays)
    for round_ in range(asked.rounds):
        found = [
            gather(preset, seats, 60 * asked.minutes * parts / whole, 1000 * round_ + at, skill)
            for at, (preset, seats, parts) in enumerate(plays)
        ]
        kept = [*(kept if round_ > 1 else []), *found]
        data = joined(kept)
        network = Network(units, fitted(data), np.random.default_rng(asked.seed))
        network.train(data, epochs=10, rate=1.5e-3)
        rows = network.rows()
        skill = Skill(rows)
        said = f"{len(data[2])} choices and {len(data[1])} deals played out"
        print(f"round {round_ + 1} of {asked.rounds}: {said}", flush=True)
    return rows, said


def text_of(rows: list[list[float]]) -> str:
    return "\n\n".join(
        textwrap.fill(" ".join(f"{weight:.4g}" for weight in row), 96, break_on_hyphens=False)
        for row in rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=4, help="of gathering, per round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    two, said_two = trained(TWO, 16, asked)
    several, said_several = trained(SEVERAL, 12, asked)
    said = f"Two seats: {said_two}.\nSeveral seats: {said_several}."
    TARGET.write_text(MODULE.format(said=said, two=text_of(two), several=text_of(several)), "utf-8")


if __name__ == "__main__":
    main()
