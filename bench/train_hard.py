"""Train the weights of the bot `hard` and write plugins/hard_weights.py.

    python bench/train_hard.py --minutes 8 --rounds 1 --processes 2

Deals are played by a policy that now and then does something else. At a third of all choices every
candidate is tried: the same deal, hidden cards and all, is played out from each of them. What a
candidate won more or less often than the others of its choice is what the network learns to tell
from its view. The policy is `medium` in the first round, `hard` as trained so far in later ones.
Positions come from the presets below at two and four seats, and nothing names a preset to the
network.
"""

from __future__ import annotations

import argparse
import importlib
import random
import textwrap
import time
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maumau import Bot, Deal, load_rules
from maumau.bots.base import game_info
from plugins import hard, hard_weights
from plugins.medium import Medium
from plugins.reading import table

TARGET = Path(hard_weights.__file__)
TABLES = [
    ("champion", 2),
    ("gamerules", 2),
    ("gameduell", 2),
    ("champion", 2),
    ("gamerules", 2),
    ("gameduell", 2),
    ("straffpoang", 2),
    ("crazy-eights", 2),
    ("gamerules", 4),
    ("gameduell", 4),
    ("straffpoang", 3),
    ("crazy-eights", 4),
]
UNITS = 16
MODULE = '''"""The weights of the bot `hard`, written by bench/train_hard.py.

{said}
"""

# A paragraph for each unit: its bias, then a weight for each number of a `View` (plugins/hard.py).
# The last two: what each unit adds to the worth, and the weights of the linear part.
_WEIGHTS = """
{weights}
"""
*HIDDEN, OUTPUT, SHORTCUT = (
    [float(weight) for weight in unit.split()] for unit in _WEIGHTS.strip().split("\\n\\n")
)
'''
Floats = NDArray[np.float32]
Data = tuple[Floats, Floats, NDArray[np.int64]]
"""Views, outcomes, and how many of them belong to each choice."""


def play_out(deal: Deal, bots: list[Bot]) -> None:
    while not deal.over:
        legal = deal.legal_ids()
        if len(legal) == 1:
            deal.apply_id(legal[0])
        else:
            deal.apply(bots[deal.seat].act(deal.observation(deal.seat)))


def outcome(deal: Deal, seat: int) -> float:
    finisher = deal.result().finisher
    return 1 / deal.seats if finisher is None else float(finisher == seat)


def gather(preset: str, seats: int, seconds: float, seed: int, policy: type[Bot]) -> Data:
    rules = load_rules(preset)
    at = table(rules, seats)
    rng = random.Random(f"{preset}:{seats}:{seed}")
    views: list[hard.View] = []
    won: list[float] = []
    sizes: list[int] = []
    until = time.monotonic() + seconds
    number = 0
    while time.monotonic() < until:
        number += 1
        name = f"train:{seed}:{number}"
        deal = Deal(rules, seats=seats, leader=0, seed=name, number=0)
        bots = [policy(game_info(rules, seats, seat, name)) for seat in range(seats)]
        while not deal.over:
            legal = deal.legal_ids()
            if len(legal) == 1:
                deal.apply_id(legal[0])
                continue
            seat = deal.seat
            obs = deal.observation(seat)
            choices = hard.candidates(obs.legal_actions)
            finishes = len(obs.hand) == 1 and choices[0] not in ("draw", "pass")
            if len(choices) > 1 and not finishes and rng.random() < 1 / 3:
                eyes = hard.Eyes(obs, at)
                for action in choices:
                    branch = deal.copy()
                    branch.apply(action)
                    play_out(branch, bots)
                    views.append(eyes.view(action))
                    won.append(outcome(branch, seat))
                sizes.append(len(choices))
            if rng.random() < 0.15:
                deal.apply(rng.choice(choices))
            else:
                deal.apply(bots[seat].act(obs))
    return np.array(views, np.float32), np.array(won, np.float32), np.array(sizes)


class Network:
    """A linear shortcut and one layer of rectified units, trained by Adam."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        self.rng = rng
        scale = inputs**-0.5
        self.parts = [
            rng.normal(0, scale, (inputs, UNITS)).astype(np.float32),
            np.zeros(UNITS, np.float32),
            rng.normal(0, 0.1 * UNITS**-0.5, UNITS).astype(np.float32),
            np.zeros(inputs, np.float32),
        ]

    def values(self, x: Floats) -> Floats:
        hidden, bias, out, shortcut = self.parts
        values: Floats = np.maximum(x @ hidden + bias, 0) @ out + x @ shortcut
        return values

    def train(self, data: Data, *, epochs: int, rate: float) -> None:
        x, y, sizes = data
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        order = self.rng.permutation(len(sizes))
        held, order = order[: len(order) // 10], order[len(order) // 10 :]
        means = [np.zeros_like(part) for part in self.parts]
        squares = [np.zeros_like(part) for part in self.parts]
        step = 0
        for epoch in range(epochs):
            self.rng.shuffle(order)
            speed = rate * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + rate / 100
            for first in range(0, len(order), 512):
                rows, counts = picked(order[first : first + 512], starts, sizes)
                step += 1
                for part, slope, mean, square in zip(
                    self.parts, self.slopes(x[rows], y[rows], counts), means, squares, strict=True
                ):
                    slope = slope + 1e-4 * part
                    mean += 0.1 * (slope - mean)
                    square += 0.001 * (slope * slope - square)
                    ahead = mean / (1 - 0.9**step)
                    part -= speed * ahead / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
            rows, counts = picked(held, starts, sizes)
            target = centred(y[rows], counts)
            missed = target - centred(self.values(x[rows]), counts)
            told = 1 - float((missed**2).sum() / (target**2).sum())
            print(f"  epoch {epoch}: {100 * told:.3f} % of what chance leaves open is told")

    def slopes(self, x: Floats, y: Floats, counts: NDArray[np.int64]) -> list[Floats]:
        hidden, bias, out, shortcut = self.parts
        units = x @ hidden + bias
        on = np.maximum(units, 0)
        error = centred(on @ out + x @ shortcut, counts) - centred(y, counts)
        error = centred(error, counts) * 2 / len(counts)
        back = np.outer(error, out) * (units > 0)
        return [x.T @ back, back.sum(0), on.T @ error, x.T @ error]


def picked(
    choices: NDArray[np.int64], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = np.concatenate([np.arange(starts[it], starts[it] + sizes[it]) for it in choices])
    return rows, sizes[choices]


def centred(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """Take from each value the mean of its choice: only differences matter."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    result: Floats = values - np.repeat(np.add.reduceat(values, starts) / counts, counts)
    return result


def folded(network: Network, mean: Floats, spread: Floats) -> list[list[float]]:
    """Fold the scaling of the inputs into the weights; give each unit, the output, the shortcut."""
    hidden, bias, out, shortcut = network.parts
    bias = bias - (mean / spread) @ hidden
    hidden = hidden / spread[:, None]
    units = [[bias[unit], *hidden[:, unit]] for unit in range(UNITS)]
    return [*units, list(out), list(shortcut / spread)]


def write(rows: list[list[float]], said: str) -> None:
    """Write the weights as a module, so that they are part of the bot's content hash."""
    texts = [
        textwrap.fill(" ".join(f"{weight:.4g}" for weight in row), 96, break_on_hyphens=False)
        for row in rows
    ]
    TARGET.write_text(MODULE.format(said=said, weights="\n\n".join(texts)), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=8, help="of gathering, per round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    network = Network(len(hard.View._fields), np.random.default_rng(asked.seed))
    policy: type[Bot] = Medium
    mean = spread = np.zeros(0, np.float32)
    for round_ in range(asked.rounds):
        seconds = 60 * asked.minutes * asked.processes / len(TABLES)
        tasks = [
            (preset, seats, seconds, asked.seed + 100 * round_ + at, policy)
            for at, (preset, seats) in enumerate(TABLES)
        ]
        with Pool(asked.processes) as pool:
            found = pool.starmap(gather, tasks, 1)
        x, y, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
        if round_ == 0:
            mean, spread = x.mean(0), np.maximum(x.std(0), 0.05)
        print(f"round {round_}: {len(sizes)} choices, {len(x)} deals played out", flush=True)
        rate = 2e-3 if round_ == 0 else 5e-4
        network.train(((x - mean) / spread, y, sizes), epochs=asked.epochs, rate=rate)
        said = (
            f"Rounds: {round_ + 1}; the last one learned from {len(sizes)} choices and "
            f"{len(x)} deals played out."
        )
        write(folded(network, mean, spread), said)
        importlib.reload(hard_weights)
        policy = importlib.reload(hard).Hard


if __name__ == "__main__":
    main()
