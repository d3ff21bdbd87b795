"""Counted positions from a data file of our own (`perft.json`): any change of a rule shows here.

`python -m tests.rules.test_perft` counts again and writes the file.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from maumau import Deal, load_rules
from maumau.rules.perft import perft
from maumau.rules.presets import preset_names

FILE = Path(__file__).with_name("perft.json")
POSITIONS: list[dict[str, Any]] = json.loads(FILE.read_text()) if FILE.exists() else []


def start(position: dict[str, Any]) -> Deal:
    name, *options = position["rules"].split("+")
    overrides: dict[str, Any] = {}
    if position["hand_size"]:
        overrides = {"hand_size": position["hand_size"], "hand_size_by_players": {"2": None}}
    rules = load_rules({"preset": name, "options": options, "overrides": overrides})
    return Deal(rules, position["seats"], seed=position["seed"], number=position["number"])


@pytest.mark.parametrize(
    "position", POSITIONS, ids=lambda p: f"{p['rules']}-{p['hand_size']}-{p['seats']}"
)
def test_counts(position: dict[str, Any]) -> None:
    deal = start(position)
    counts = position["counts"]
    assert [perft(deal, depth) for depth in range(1, len(counts) + 1)] == counts


def test_every_preset_is_counted_with_every_option_that_changes_play() -> None:
    counted = {position["rules"] for position in POSITIONS}
    assert counted >= {*preset_names(), "gamerules+aces-skip", "mau-mau+no-mau-penalty"}


def test_counting_leaves_the_deal_as_it_is() -> None:
    deal = Deal(load_rules("gamerules"), 3, seed="as it is")
    before = deal.observation(0).to_json(), deal.hands()
    perft(deal, 3)
    assert (deal.observation(0).to_json(), deal.hands()) == before


def count_again(most: int = 4000) -> None:
    """Count as deep as a few thousand positions allow."""
    positions = []
    names = [*preset_names(), "gamerules+aces-skip", "mau-mau+no-mau-penalty"]
    names += ["straffpoang+pack-32+nines-reverse"]
    for name in names:
        fewest, most_seats = load_rules(name).players
        # Hands as the rules say, and hands of two, for calls and endings.
        for seats, hand_size in itertools.product(sorted({fewest, most_seats}), (None, 2)):
            position: dict[str, Any] = {"rules": name, "hand_size": hand_size, "seats": seats}
            position |= {"seed": "perft", "number": 0}
            deal = start(position)
            counts = [perft(deal, 1)]
            while counts[-1] < most and len(counts) < 16:
                counts.append(perft(deal, len(counts) + 1))
            positions.append({**position, "counts": counts})
    lines = ",\n".join(json.dumps(position) for position in positions)
    FILE.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    count_again()
