"""Bots written to files, for tests of the arena."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.arena.bots import MakeBot, write_bot


@pytest.fixture
def make_bot(tmp_path: Path) -> MakeBot:
    """Give a function that writes a bot and gives its source."""
    return partial(write_bot, tmp_path)
