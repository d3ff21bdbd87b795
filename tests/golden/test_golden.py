"""One whole deal under every preset, as text: a change of play shows as a readable diff.

`python -m tests.golden.test_golden` writes the files again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from maumau import Deal, load_rules
from maumau.rules.presets import preset_names
from maumau.rules.prng import prng_of
from tests.rules.players import brisk_move

HERE = Path(__file__).parent


def playthrough(name: str) -> str:
    """Play a deal with as many seats as the preset allows and tell every decision."""
    rules = load_rules(name)
    seats = rules.players[1]
    prng = prng_of(name)
    deal = Deal(rules, seats, seed="golden")
    lines = [f"{name}, {seats} seats, seed golden"]
    lines += [f"seat {seat}: {deal.hand_text(seat)}" for seat in range(seats)]
    lines += [f"starter {deal.observation(0).top_card}", ""]
    while not deal.over:
        seen = deal.observation(deal.seat)
        facts = [f"{deal.seat} on {seen.top_card}"]
        facts += [f"wish {seen.wish}"] if seen.wish else []
        facts += [f"owes {seen.owed}"] if seen.owed else []
        facts += [seen.phase] if seen.phase != "turn" else []
        action = brisk_move(deal, prng)
        legal = " ".join(f"[{a}]" if a == action else a for a in seen.legal_actions)
        deal.apply(action)
        event = deal.observation(seen.seat).events[-1]
        happened = f" {event.drawn_by} draws {event.drawn}" if event.drawn else ""
        happened += " reshuffled" if event.reshuffled else ""
        lines.append(f"{', '.join(facts)}: {legal}{';' + happened if happened else ''}")
    result = deal.result()
    lines += ["", f"{result.end}, finisher {result.finisher}, points {result.points}"]
    lines += [f"rating {result.rating}"] if result.rating is not None else []
    lines += [f"seat {seat}: {' '.join(hand)}".rstrip() for seat, hand in enumerate(result.hands)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", preset_names())
def test_playthrough(name: str) -> None:
    assert playthrough(name) == (HERE / f"{name}.txt").read_text()


def test_none_is_missing_and_none_is_left_over() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == sorted(preset_names())


if __name__ == "__main__":
    for preset in preset_names():
        (HERE / f"{preset}.txt").write_text(playthrough(preset))
