"""Ids of places in a tournament: `{tournament}-{numbers}`, the same however often it is played."""

from __future__ import annotations

import re

from maumau.errors import NotFound

_PATTERN = re.compile(r"([a-z0-9]{1,16})((?:-(?:0|[1-9][0-9]{0,8})){1,3})")


def split(kind: str, text: str, numbers: int) -> tuple[str, tuple[int, ...]]:
    """Take an id apart into tournament id and `numbers` numbers; raises `NotFound`."""
    found = _PATTERN.fullmatch(text)
    parts = tuple(int(n) for n in found[2].split("-")[1:]) if found else ()
    if found is None or len(parts) != numbers:
        raise NotFound(kind, text)
    return found[1], parts


def match_place(match_id: str) -> tuple[str, int]:
    """Give tournament id and match number."""
    tournament, (number,) = split("match", match_id, 1)
    return tournament, number


def chunk_place(chunk_id: str) -> tuple[str, int]:
    """Give tournament id and chunk number."""
    tournament, (number,) = split("chunk", chunk_id, 1)
    return tournament, number


def game_place(game_id: str) -> tuple[str, int, int, int]:
    """Give tournament id, match number, block and leg."""
    tournament, (match, block, leg) = split("game", game_id, 3)
    return tournament, match, block, leg
