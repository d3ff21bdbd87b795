"""Letters for those who are not separated: none of them may be read as better."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def letters(ahead: npt.NDArray[np.bool_], ranks: list[int]) -> list[str]:
    """Give letters: two entrants have one in common exactly if neither is ahead of the other.

    Insert-and-absorb (Piepho 2004): start with one group of all and split it at each separated
    pair. Groups are named in the order of their best members.
    """
    sets: list[frozenset[int]] = [frozenset(range(len(ranks)))]
    for i, j in np.argwhere(ahead).tolist():
        split: list[frozenset[int]] = []
        for group in sets:
            split += [group - {i}, group - {j}] if {i, j} <= group else [group]
        sets = _absorbed(split)
    sets.sort(key=lambda group: sorted((ranks[i], i) for i in group))
    return [
        " ".join(_name(k) for k, group in enumerate(sets) if i in group) for i in range(len(ranks))
    ]


def _absorbed(sets: list[frozenset[int]]) -> list[frozenset[int]]:
    """Leave out what is a part of another group."""
    kept: list[frozenset[int]] = []
    for group in sorted(set(sets), key=lambda group: (-len(group), sorted(group))):
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept


def _name(k: int) -> str:
    """Name a group: a … z, then aa, ab …"""
    name = ""
    while k >= 0:
        name = chr(ord("a") + k % 26) + name
        k = k // 26 - 1
    return name
