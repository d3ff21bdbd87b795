"""Run with `python -m unittest discover tests` (or pytest), where maumau-arena is installed."""

import pathlib
import sys
import unittest

import maumau

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from lowest_bot import Lowest


class PlaysWholeGames(unittest.TestCase):
    def test_without_a_fault(self) -> None:
        for preset in ("champion", "gamerules", "gameduell"):
            with self.subTest(preset):
                record = maumau.play_game(preset, [Lowest, "random"], seed="test", strict=True)
                maumau.verify_record(record)
                assert record["fault"] is None
