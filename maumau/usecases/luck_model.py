"""What cards are worth, to take luck off scores: a function of the rule set and the seats alone.

A model is learnt from games played at random from seeds that everybody knows. Those of the presets
were learnt once and are shipped (`luck_models.json`, by the rule set's id); for other rule sets
that is done when it is first asked for, which takes a second or more.

    python -m maumau.usecases.luck_model    # learns those of all presets anew
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

from maumau.errors import InvalidInput
from maumau.rules.game import Game
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.tournament.luck import LuckModel, fit

LEARNT_FROM = 300
"""Games from which a model is learnt, at most."""

MOST_ACTIONS = 200_000
"""No further game is begun after so many actions: under some rules random games are long."""

SHIPPED = Path(__file__).with_name("luck_models.json")
SEATS = (2, 3, 4)


@lru_cache(maxsize=16)
def model_of(rules: RuleSet, seats: int) -> LuckModel:
    """Give the model of a rule set at tables of so many seats, shipped or learnt.

    Raises `InvalidInput` where the rules do not take so many seats.
    """
    return shipped(rules, seats) or learnt(rules, seats)


def shipped(rules: RuleSet, seats: int) -> LuckModel | None:
    """Give the model where it is shipped."""
    weights = _shipped().get(rules.id, {}).get(str(seats))
    return None if weights is None else LuckModel(rules.id, seats, weights)


def learnt(rules: RuleSet, seats: int) -> LuckModel:
    """Learn the model, whether it is shipped or not; always the same."""
    return fit(_games(rules, seats), rules, seats)


@cache
def _shipped() -> dict[str, dict[str, dict[str, float]]]:
    return dict(json.loads(SHIPPED.read_text(encoding="utf-8")))


def _games(rules: RuleSet, seats: int) -> Iterator[Mapping[str, Any]]:
    names, actions = [f"seat-{seat}" for seat in range(seats)], 0
    for number in range(LEARNT_FROM):
        seed = f"maumau-luck/1:{number}"
        game, rng = Game(rules, seats=seats, seed=seed, names=names), Random(seed)
        while not game.over:
            game.apply(rng.choice(game.deal.legal_actions()))
            actions += 1
        yield game.record()
        if actions >= MOST_ACTIONS:
            return


def main() -> None:
    """Write the models of all presets."""
    found: dict[str, dict[str, Mapping[str, float]]] = {}
    for name in preset_names():
        rules = load_rules(name)
        for seats in SEATS:
            try:
                model = learnt(rules, seats)
            except InvalidInput:
                continue
            found.setdefault(rules.id, {})[str(seats)] = dict(model.weights)
            print(name, seats, model.hash, flush=True)
    SHIPPED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
