"""Exact whole-number sums of a tournament's legs, per block: all that standings are made from.

Every column is a plain sum over legs, so sums can be added in any order, row by row, and the same
legs give the same sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

SHARE_UNITS = 12
"""Units of a score share of 1, so that halves, thirds and quarters are whole numbers."""

ENTRANT_COLUMNS = ("games", "units", "points", "wins", "shared", "faults")
"""Per block and entrant: legs, share units, sum of the rule set's totals, legs in which it alone
had rank 1, legs in which it shared rank 1, legs that it forfeited."""

PAIR_COLUMNS = ("games", "units", "ahead", "squares")
"""Per block, entrant and other: legs together, the entrant's share units in these, legs in which
its rank was better, sum of the squared differences of their share units."""


def share_units(ranks: Sequence[int]) -> tuple[int, ...]:
    """Give the share units of each seat of a game: 1 split among those who share rank 1."""
    first = sum(rank == 1 for rank in ranks)
    return tuple(SHARE_UNITS // first if rank == 1 else 0 for rank in ranks)


class BlockSums:
    """The sums of a tournament of `entrants` (canonical indices) over `blocks` seeds."""

    def __init__(self, entrants: int, blocks: int):
        self.entrants, self.blocks = entrants, blocks
        self.by_entrant: Integers = np.zeros(
            (blocks, entrants, len(ENTRANT_COLUMNS)), dtype=np.int64
        )
        self._keys: Integers = np.zeros(0, dtype=np.int64)
        self._pairs: Integers = np.zeros((0, len(PAIR_COLUMNS)), dtype=np.int64)
        self._new: list[tuple[int, ...]] = []

    def add_leg(
        self,
        block: int,
        seating: Sequence[int],
        ranks: Sequence[int],
        totals: Sequence[int],
        *,
        fault: int | None = None,
    ) -> None:
        """Add one game: the entrant, rank and total of each seat; `fault` is the seat at fault."""
        units = share_units(ranks)
        alone = sum(rank == 1 for rank in ranks) == 1
        for seat, entrant in enumerate(seating):
            first = ranks[seat] == 1
            self.by_entrant[block, entrant] += (
                1,
                units[seat],
                totals[seat],
                first and alone,
                first and not alone,
                seat == fault,
            )
            for other, opponent in enumerate(seating):
                if other != seat:
                    key = (block * self.entrants + entrant) * self.entrants + opponent
                    ahead = int(ranks[seat] < ranks[other])
                    square = (units[seat] - units[other]) ** 2
                    self._new.append((key, 1, units[seat], ahead, square))

    def __add__(self, other: BlockSums) -> BlockSums:
        """Add the sums of two parts of one tournament; the order does not matter."""
        if (self.entrants, self.blocks) != (other.entrants, other.blocks):
            raise ValueError("these sums are of different tournaments")
        both = BlockSums(self.entrants, self.blocks)
        both.by_entrant = self.by_entrant + other.by_entrant
        keys, pairs = zip(self._pair_table(), other._pair_table(), strict=True)
        both._keys, both._pairs = _collected(np.concatenate(keys), np.concatenate(pairs))
        return both

    def without(self, part: BlockSums) -> BlockSums:
        """Take the sums of some of its legs away."""
        if (self.entrants, self.blocks) != (part.entrants, part.blocks):
            raise ValueError("these sums are of different tournaments")
        rest = BlockSums(self.entrants, self.blocks)
        rest.by_entrant = self.by_entrant - part.by_entrant
        own, taken = self._pair_table(), part._pair_table()
        keys, rows = _collected(
            np.concatenate([own[0], taken[0]]), np.concatenate([own[1], -taken[1]])
        )
        left = rows.any(axis=1)
        rest._keys, rest._pairs = keys[left], rows[left]
        return rest

    def __eq__(self, other: object) -> bool:
        """Say whether all sums are equal."""
        return (
            isinstance(other, BlockSums)
            and (self.entrants, self.blocks) == (other.entrants, other.blocks)
            and np.array_equal(self.by_entrant, other.by_entrant)
            and all(map(np.array_equal, self._pair_table(), other._pair_table()))
        )

    __hash__ = None  # type: ignore[assignment]

    def _pair_table(self) -> tuple[Integers, Integers]:
        if self._new:
            new = np.array(self._new, dtype=np.int64)
            self._new = []
            self._keys, self._pairs = _collected(
                np.concatenate([self._keys, new[:, 0]]), np.concatenate([self._pairs, new[:, 1:]])
            )
        return self._keys, self._pairs

    def column(self, name: str) -> Integers:
        """Give one of `ENTRANT_COLUMNS` as an array of shape (blocks, entrants)."""
        return self.by_entrant[:, :, ENTRANT_COLUMNS.index(name)]

    def pairs(self) -> tuple[Integers, Integers, Integers, Integers]:
        """Give block, entrant and other of each pair row, and the rows in `PAIR_COLUMNS`."""
        keys, table = self._pair_table()
        rest, other = np.divmod(keys, self.entrants)
        block, entrant = np.divmod(rest, self.entrants)
        return block, entrant, other, table

    def first_blocks(self, blocks: int) -> BlockSums:
        """Give the sums of the first `blocks` blocks alone."""
        part = BlockSums(self.entrants, blocks)
        part.by_entrant = self.by_entrant[:blocks].copy()
        keys, table = self._pair_table()
        end = np.searchsorted(keys, blocks * self.entrants**2)
        part._keys, part._pairs = keys[:end], table[:end]
        return part

    def entrant_rows(self) -> list[tuple[int, ...]]:
        """Give (block, entrant, \\*`ENTRANT_COLUMNS`) for every entrant that played a block."""
        block, entrant = np.nonzero(self.column("games"))
        rows = np.column_stack([block, entrant, self.by_entrant[block, entrant]])
        return [tuple(row) for row in rows.tolist()]

    def pair_rows(self) -> list[tuple[int, ...]]:
        """Give (block, entrant, other, \\*`PAIR_COLUMNS`) for every pair that met in a block."""
        block, entrant, other, table = self.pairs()
        rows = np.column_stack([block, entrant, other, table])
        return [tuple(row) for row in rows.tolist()]

    @classmethod
    def from_rows(
        cls,
        entrants: int,
        blocks: int,
        entrant_rows: Iterable[Sequence[int]] | Integers,
        pair_rows: Iterable[Sequence[int]] | Integers,
    ) -> BlockSums:
        """Make sums from stored rows; rows with the same key are added."""
        sums = cls(entrants, blocks)
        rows = _table(entrant_rows, 2 + len(ENTRANT_COLUMNS))
        np.add.at(sums.by_entrant, (rows[:, 0], rows[:, 1]), rows[:, 2:])
        rows = _table(pair_rows, 3 + len(PAIR_COLUMNS))
        keys = (rows[:, 0] * entrants + rows[:, 1]) * entrants + rows[:, 2]
        sums._keys, sums._pairs = _collected(keys, rows[:, 3:])
        return sums


def _table(rows: Iterable[Sequence[int]] | Integers, width: int) -> Integers:
    whole = rows if isinstance(rows, np.ndarray) else np.array(list(rows), dtype=np.int64)
    return whole.reshape(-1, width)


def _collected(keys: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Add the rows of equal keys and sort by key."""
    unique, place = np.unique(keys, return_inverse=True)
    total = np.zeros((len(unique), rows.shape[1]), dtype=np.int64)
    np.add.at(total, place, rows)
    return unique, total
