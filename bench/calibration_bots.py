"""Do the standings keep what they promise with real bots, and what does pairing buy?

    python bench/calibration_bots.py [--tournaments 400] [--out bench/calibration_bots.json]

Small tournaments of `random`, `easy` and `medium` against one large run as the truth: how often the
95 % intervals hold. Then what pairing buys: the variance factor of a bot and the same that plays
any legal action now and then. All in process; seeds are of this page's own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import maumau
from maumau.tournament import intervals
from maumau.tournament.formats import plan
from maumau.tournament.moments import ratio
from maumau.tournament.pairs import crosstable
from maumau.tournament.ratings import rate
from maumau.tournament.results import Leg, from_legs
from maumau.tournament.seeds import block_seed
from maumau.tournament.standings import better
from maumau.tournament.sums import SHARE_UNITS, BlockSums
from plugins.easy import Easy
from plugins.hard import Hard
from plugins.medium import Medium
from plugins.random import Random

Field = Sequence[type[maumau.Bot]]


SEEDS = (20, 100)
"""Of small tournaments: `random` wins about three games in 20 seeds, so that what it may win shows
as steps; and fourteen in 100."""

CARELESS = {"near_equal": (0.01, 0.02, 0.03), "apart": (0.03, 0.06, 0.1)}


def careless(kind: type[maumau.Bot], part: float) -> type[maumau.Bot]:
    """Make a bot that plays any legal action in some part of its decisions."""

    class Careless(kind):  # type: ignore[misc, valid-type]
        """Plays as the other does, but for now and then."""

        name = f"{kind.name}-{round(1000 * part)}"

        def act(self, obs: maumau.Observation) -> str:
            if self.info.rng.random() < part:
                return str(self.info.rng.choice(obs.legal_actions))
            return str(super().act(obs))

    return Careless


def play(
    rules: maumau.RuleSet, field: Field, *, seats: int, seeds: int, seed: str
) -> tuple[BlockSums, list[Leg]]:
    """Play a whole tournament."""
    design = plan(len(field), seats=seats, blocks=seeds)
    sums, legs = BlockSums(len(field), seeds), list[Leg]()
    for block, line_up in design:
        for seating in design.seatings(line_up, block):
            bots = [field[i] for i in seating]
            record = maumau.play_game(rules, bots, seed=block_seed(seed, block))
            sums.add_leg(block, seating, record["ranks"], record["totals"])
            legs.append((block, seating, record["ranks"]))
    return sums, legs


def coverage(preset: str, seats: int, tournaments: int, seeds: int, large: int) -> dict[str, Any]:
    """Count how often intervals hold the truth of one large run."""
    rules, field = maumau.load_rules(preset), [Random, Easy, Medium]
    whole, legs = play(rules, field, seats=seats, seeds=large, seed=f"truth:{preset}:{seats}")
    true = ratio(whole.column("units"), whole.column("games"), SHARE_UNITS).value
    true_rating = [one.rating or 0.0 for one in rate(from_legs(legs), 3, seed="truth", draws=0)]
    hits = dict.fromkeys(("share", "difference", "ranks"), 0.0)
    rated = np.zeros(3)
    for number in range(tournaments):
        sums, legs = play(rules, field, seats=seats, seeds=seeds, seed=f"{preset}:{seats}:{number}")
        found = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS)
        low, high = intervals.share_intervals(found.value, np.diag(found.covariance), found.seeds)
        hits["share"] += float(((low <= true) & (true <= high)).mean())
        i, j = np.triu_indices(3, 1)
        low, high = intervals.difference_intervals(
            found.value[i] - found.value[j], found.difference_variance[i, j], seeds
        )
        truth = true[i] - true[j]
        hits["difference"] += float(((low <= truth) & (truth <= high)).mean())
        rated += [
            (one.low is None or one.low <= goal) and (one.high is None or goal <= one.high)
            for one, goal in zip(
                rate(from_legs(legs), 3, seed=str(number)), true_rating, strict=True
            )
        ]
        hits["ranks"] += not (better(found) & (true[:, None] <= true)).any()
    return {
        "rules": preset,
        "seats": seats,
        "tournaments": tournaments,
        "seeds": seeds,
        "truth_seeds": large,
        "shares": [round(float(x), 4) for x in true],
        **{name: round(value / tournaments, 4) for name, value in hits.items()},
        "rating": round(float(rated.mean()) / tournaments, 4),
        "rating_of_each": [round(float(x) / tournaments, 4) for x in rated],
    }


def pairing(preset: str, seats: int, base: str, seeds: int) -> dict[str, Any]:
    """Measure what pairing buys: a bot, and the same that is careless now and then.

    Four entrants: at tables of two each pair alone, at tables of four one line-up. `mixed` are
    bots that play differently and about equally well: `hard` and `medium`, and either careless in
    a fiftieth of its decisions.
    """
    rules = maumau.load_rules(preset)
    found: dict[str, Any] = {"rules": preset, "seats": seats, "bot": base, "seeds": seeds}
    if base == "mixed":
        fields = {base: [Hard, Medium, careless(Medium, 0.02), careless(Hard, 0.02)]}
    else:
        kind = {"easy": Easy, "medium": Medium}[base]
        fields = {
            name: [kind, *(careless(kind, part) for part in parts)]
            for name, parts in CARELESS.items()
        }
    for name, field in fields.items():
        sums, _ = play(rules, field, seats=seats, seeds=seeds, seed=f"pairing:{preset}:{seats}")
        shares = ratio(sums.column("units"), sums.column("games"), SHARE_UNITS).value
        factors = [
            cell["variance_factor"] for cell in crosstable(sums) if cell["entrant"] < cell["other"]
        ]
        found[name] = {
            "shares": [round(float(x), 4) for x in shares],
            "factors": [round(one, 2) for one in factors],
            "mean": round(float(np.mean(factors)), 2),
        }
    return found


def main() -> None:
    """Run what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=400)
    parser.add_argument("--large", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".json"))
    asked = parser.parse_args()
    done: dict[str, Any] = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    wanted = {
        **{
            f"pairing-{preset}-{seats}-{base}": (pairing, (preset, seats, base, asked.pairs))
            for preset in ("mau-mau", "gamerules")
            for seats in (2, 4)
            for base in ("easy", "medium", "mixed")
        },
        **{
            f"pairing-champion-2-{base}": (pairing, ("champion", 2, base, asked.pairs))
            for base in ("medium", "mixed")
        },
        **{
            f"coverage-mau-mau-{seats}-{seeds}": (
                coverage,
                ("mau-mau", seats, asked.tournaments, seeds, asked.large),
            )
            for seats in (2, 3)
            for seeds in SEEDS
        },
    }
    for name, (measure, arguments) in wanted.items():
        if name not in done and asked.only in name:
            done[name] = measure(*arguments)  # type: ignore[operator]
            print(name, done[name], flush=True)
            asked.out.write_text(json.dumps(done, indent=1) + "\n")


if __name__ == "__main__":
    main()
