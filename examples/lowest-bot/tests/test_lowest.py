"""Run with `pytest` where maumau-arena and this package are installed."""

import pytest
from lowest_bot import Lowest

import maumau


@pytest.mark.parametrize("preset", ["champion", "gamerules", "gameduell"])
def test_plays_whole_games_without_a_fault(preset: str) -> None:
    record = maumau.play_game(preset, [Lowest, "random"], seed="test", strict=True)
    maumau.verify_record(record)
    assert record["fault"] is None
