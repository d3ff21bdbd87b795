"""Whatever ends or changes a tournament early is judged here: on complete prefixes, in block order.

A prefix is complete when all its blocks are played by all their line-ups. A verdict at so many
blocks depends on the sums of these blocks alone, so it is the same however many workers played in
whatever order; what they played of later blocks is discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from maumau.tournament.sums import BlockSums

Verdict = TypeVar("Verdict")


def first_verdict(
    sums: BlockSums,
    judge: Callable[[BlockSums], Verdict | None],
    *,
    at: Iterable[int],
    complete: int,
) -> tuple[int, Verdict] | None:
    """Give the first number of blocks at which `judge` comes to a verdict, with the verdict.

    `at` are the numbers of blocks at which is judged, rising; `complete` blocks from the first on
    are played by all their line-ups. The judge gets the sums of the prefix, and gives None for
    going on. None where no complete prefix has a verdict.
    """
    for blocks in at:
        if blocks > complete:
            return None
        verdict = judge(sums.first_blocks(blocks))
        if verdict is not None:
            return blocks, verdict
    return None
