"""Counted positions: how many lines of play there are (as chess engines count them)."""

from __future__ import annotations

from maumau.rules.deal import Deal


def perft(deal: Deal, depth: int) -> int:
    """Count the sequences of `depth` legal actions from here; shorter ones that end count not.

    Any difference in legality or in what an action does changes the count. The deal stays as it is.
    """
    if depth == 0:
        return 1
    legal = deal.legal_ids()
    if depth == 1:
        return len(legal)
    count = 0
    for action in legal:
        after = deal.copy()
        after.apply_id(action)
        count += perft(after, depth - 1)
    return count
