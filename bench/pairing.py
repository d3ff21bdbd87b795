"""When does pairing pay? The variance factor of near-equal bots, of one kind and of different ones.

    python -m bench.pairing [--seeds 2000] [--presets mau-mau …] [--out bench/pairing.json]

A pair is near-equal if its share is within 48 to 52 %: the better bot is made careless (it plays
any legal action in a part of its decisions), by as much as brings it there on seeds of their own.
Then it is measured on other seeds: at tables of two the two bots, at tables of four each of them
twice. Intervals of the factor (95 %) come from drawing whole seeds again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import maumau
from bench.calibration_bots import Field, careless, play
from maumau.tournament.moments import Floats, Integers
from maumau.tournament.sums import SHARE_UNITS, BlockSums
from plugins.easy import Easy
from plugins.hard import Hard
from plugins.medium import Medium

KINDS: dict[str, type[maumau.Bot]] = {"easy": Easy, "medium": Medium, "hard": Hard}
SAME = [("easy", "easy"), ("medium", "medium"), ("hard", "hard")]
DIFFERENT = [("medium", "easy"), ("hard", "medium"), ("hard", "easy")]
CARELESS_TWIN = 0.02
TUNING_STEPS, TUNING_SEEDS = 7, 400
DRAWS = 1000
NEAR = (0.48, 0.52)


def field_of(first: type[maumau.Bot], second: type[maumau.Bot], seats: int) -> Field:
    """Give a table of the two bots, each as often as the other."""
    return [first, second] * (seats // 2)


def share_of(sums: BlockSums) -> float:
    """Give the first bot's part of what the two have together; level is a half."""
    units = sums.column("units").sum(axis=0)
    return float(units[::2].sum() / units.sum())


def tuned(
    rules: maumau.RuleSet, better: type[maumau.Bot], other: type[maumau.Bot], seats: int, seed: str
) -> float:
    """Give how careless the better bot must be to be level with the other, by halving."""
    low, high = 0.0, 1.0
    for step in range(TUNING_STEPS):
        part = (low + high) / 2
        field = field_of(careless(better, part), other, seats)
        sums, _ = play(rules, field, seats=seats, seeds=TUNING_SEEDS, seed=f"{seed}:{step}")
        low, high = (part, high) if share_of(sums) > 0.5 else (low, part)
    return round((low + high) / 2, 4)


def per_seed(sums: BlockSums) -> tuple[Integers, Integers, Integers]:
    """Give, per seed and pair of unlike bots, difference, games and squares of their legs."""
    _, entrant, other, table = sums.pairs()
    rows = {
        (i, j): table[(entrant == i) & (other == j)]
        for i, j in product(range(sums.entrants), repeat=2)
        if (i + j) % 2
    }
    pairs = [pair for pair in rows if pair[0] % 2 == 0]
    difference = [rows[i, j][:, 1] - rows[j, i][:, 1] for i, j in pairs]
    return (
        np.array(difference).T,
        np.array([rows[pair][:, 0] for pair in pairs]).T,
        np.array([rows[pair][:, 3] for pair in pairs]).T,
    )


def factor(difference: Floats, games: Floats, squares: Floats) -> float:
    """Give the mean variance factor of the pairs (columns), as in the crosstable."""
    seeds = len(games)
    d, g, s = difference.sum(axis=0), games.sum(axis=0), squares.sum(axis=0)
    between = ((difference - d / g * games) ** 2).sum(axis=0) / g**2 * seeds / (seeds - 1)
    independent = (g * s - d**2) / (g**2 * (g - 1))
    return float((independent / between).mean())


def measure(preset: str, seats: int, kinds: Sequence[str], seeds: int) -> dict[str, Any]:
    """Measure one pair: carelessness, share, and the factor with its interval."""
    rules = maumau.load_rules(preset)
    better, other = (KINDS[kind] for kind in kinds)
    name = f"pairing:{preset}:{seats}:{kinds[0]}:{kinds[1]}"
    same = kinds[0] == kinds[1]
    part = CARELESS_TWIN if same else tuned(rules, better, other, seats, f"{name}:tuning")
    field = field_of(careless(better, part), other, seats)
    sums, _ = play(rules, field, seats=seats, seeds=seeds, seed=name)
    units = tuple(one.astype(float) / k for one, k in zip(per_seed(sums), SCALE, strict=True))
    rng = np.random.default_rng(1)
    drawn = [
        factor(*(one[chosen] for one in units))
        for chosen in (rng.integers(0, seeds, seeds) for _ in range(DRAWS))
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    share = share_of(sums)
    return {
        "rules": preset,
        "seats": seats,
        "bots": list(kinds),
        "careless": part,
        "seeds": seeds,
        "share": round(share, 4),
        "near_equal": NEAR[0] <= share <= NEAR[1],
        "factor": round(factor(*units), 3),
        "low": round(float(low), 3),
        "high": round(float(high), 3),
    }


SCALE = (SHARE_UNITS, 1, SHARE_UNITS**2)


def main() -> None:
    """Measure what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--presets", nargs="+", default=["mau-mau"])
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    done: dict[str, Any] = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    for preset, seats, kinds in product(asked.presets, (2, 4), [*SAME, *DIFFERENT]):
        name = f"{preset}-{seats}-{kinds[0]}-{kinds[1]}"
        if name not in done:
            done[name] = measure(preset, seats, kinds, asked.seeds)
            print(name, done[name], flush=True)
            asked.out.write_text(json.dumps(done, indent=1) + "\n")


if __name__ == "__main__":
    main()
