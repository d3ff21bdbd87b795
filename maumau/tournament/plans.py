"""What a plan holds: line-ups, blocks, legs and chunks, on canonical entrant indices.

A plan is a pure function of four values and compact: nothing is listed before it is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from maumau.tournament import balanced, circles

Kind = Literal["all", "balanced"]
Ints = npt.NDArray[np.int32]

CHUNK_GAMES = 64


@dataclass(frozen=True, slots=True)
class Chunk:
    """A planned run of consecutive blocks of one line-up: what is claimed and played at once.

    `key` is stable for the plan; `first` and `blocks` say which blocks.
    """

    key: str
    line_up: int
    first: int
    blocks: int


class _Rows(Sequence[tuple[int, ...]]):
    """A sequence of tuples over an array, made as they are asked for."""

    def __init__(self, array: Ints):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, index: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        if isinstance(index, slice):
            return _Rows(self.array[index])
        return tuple(self.array[index].tolist())


class _Chunks(Sequence[Chunk]):
    """The chunks over an array of (line-up, first block, blocks)."""

    def __init__(self, array: Ints):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, index: int) -> Chunk: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, index: int | slice) -> Chunk | Sequence[Chunk]:
        if isinstance(index, slice):
            return _Chunks(self.array[index])
        line_up, first, blocks = self.array[index].tolist()
        return Chunk(f"{line_up}:{first}+{blocks}", line_up, first, blocks)


class Plan(ABC):
    """All that a tournament will play.

    `entrants`, `seats` and `blocks` are the numbers asked for, `kind` is `"all"` or `"balanced"`,
    `legs` the games of one block of a line-up.
    """

    kind: Kind

    def __init__(self, entrants: int, seats: int, blocks: int, members: Ints):
        self.entrants, self.seats, self.blocks = entrants, seats, blocks
        self.legs = legs_of(seats)
        self._members = members

    def __repr__(self) -> str:
        """Name the plan by what it was made from."""
        return f"plan({self.entrants}, seats={self.seats}, blocks={self.blocks}, {self.kind!r})"

    @property
    def line_ups(self) -> Sequence[tuple[int, ...]]:
        """The line-ups, each a rising tuple of entrant indices."""
        return _Rows(self._members)

    @property
    def chunks(self) -> Sequence[Chunk]:
        """The chunks by first block, then line-up, so that early blocks are complete early."""
        return _Chunks(self._chunk_rows())

    @property
    @abstractmethod
    def games(self) -> int:
        """The number of games (legs) of the whole plan."""

    @abstractmethod
    def playing(self, block: int) -> Sequence[int]:
        """Give the line-ups (indices) that play this block."""

    @abstractmethod
    def circle(self, line_up: int, block: int) -> tuple[int, ...]:
        """Give the members of a line-up in the circular order of a block: its first seating."""

    @abstractmethod
    def _chunk_rows(self) -> Ints: ...

    def seatings(self, line_up: int, block: int) -> tuple[tuple[int, ...], ...]:
        """Give the seatings of a block, one a leg: the entrant at each seat."""
        if not 0 <= block < self.blocks:
            raise IndexError(f"block {block} of {self.blocks}")
        return circles.seatings(self.circle(line_up, block))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Go through every (block, line-up)."""
        return ((block, x) for block in range(self.blocks) for x in self.playing(block))


def legs_of(seats: int) -> int:
    """Give the games of one block of a line-up: all seat orders, or the rotations of four."""
    return seats if seats > 3 else factorial(seats)


def longest_run(seats: int) -> int:
    """Give the blocks of a chunk of about `CHUNK_GAMES` games."""
    return max(1, round(CHUNK_GAMES / legs_of(seats)))


def run_lengths(blocks: int, longest: int) -> list[int]:
    """Split a number of blocks into runs of at most `longest`, even to one."""
    number = -(-blocks // longest)
    return [blocks // number + (i < blocks % number) for i in range(number)]


class AllLineUps(Plan):
    """Every line-up plays every block."""

    kind: Kind = "all"

    def __init__(self, entrants: int, seats: int, blocks: int):
        number = comb(entrants, seats)
        flat = (x for line_up in combinations(range(entrants), seats) for x in line_up)
        members = np.fromiter(flat, np.int32, number * seats).reshape(number, seats)
        super().__init__(entrants, seats, blocks, members)
        self._over: dict[tuple[int, ...], list[int]] = {}

    @property
    def games(self) -> int:
        """The number of games (legs) of the whole plan."""
        return len(self._members) * self.blocks * self.legs

    def playing(self, block: int) -> Sequence[int]:
        """Give the line-ups that play this block: all."""
        return range(len(self._members))

    def circle(self, line_up: int, block: int) -> tuple[int, ...]:
        """Give the members in a circular order: all six in turn, those over evened out.

        A line-up is first turned so that shifted copies of one another are seated alike.
        """
        members = self.line_ups[line_up]
        if self.seats < 4:
            return members
        gaps, start = _gaps(members, self.entrants)
        members = members[start:] + members[:start]
        left = self.blocks % 6
        if block < self.blocks - left:
            return circles.arrange(members, block % 6)
        if not self._over:
            self._over = _left_over_orders(self.entrants, left)
        return circles.arrange(members, self._over[gaps][block - (self.blocks - left)])

    def _chunk_rows(self) -> Ints:
        lengths = run_lengths(self.blocks, longest_run(self.seats))
        firsts = np.cumsum([0, *lengths[:-1]])
        number = len(self._members)
        line_up = np.tile(np.arange(number), len(lengths))
        columns = (line_up, np.repeat(firsts, number), np.repeat(lengths, number))
        return np.stack(columns, axis=1).astype(np.int32)


def _gaps(members: tuple[int, ...], entrants: int) -> tuple[tuple[int, ...], int]:
    """Give the distances round the circle of all entrants, least turn first, and where it starts.

    Two line-ups that are shifted copies of each other have the same distances.
    """
    gaps = tuple(
        (b - a) % entrants for a, b in zip(members, members[1:] + members[:1], strict=True)
    )
    return min((gaps[i:] + gaps[:i], i) for i in range(len(gaps)))


def _left_over_orders(entrants: int, left: int) -> dict[tuple[int, ...], list[int]]:
    """Choose circular orders for the blocks over six by six, one choice for all shifted copies.

    A line-up that is its own shifted copy takes one of the two orders that the shift keeps.
    """
    kinds = sorted(
        gaps
        for three in combinations(range(1, entrants), 3)
        if (found := _gaps((0, *three), entrants))[1] == 0
        for gaps in [found[0]]
    )
    hand = circles.Circles(entrants - 1, lambda x, y: (y - x) % entrants - 1)
    chosen: dict[tuple[int, ...], list[int]] = {}
    for gaps in kinds:
        period = next(p for p in (1, 2, 4) if gaps[:p] * (4 // p) == gaps)
        members = (0, gaps[0], gaps[0] + gaps[1], gaps[0] + gaps[1] + gaps[2])
        chosen[gaps] = numbers = list[int]()
        for _ in range(left):
            before = numbers[-1] if numbers else None
            allowed = range(6) if period == 4 else (0, 1)
            numbers.append(hand.add(members, before=before, allowed=allowed, period=period))
    orders = hand.orders()
    return {gaps: [orders[number] for number in numbers] for gaps, numbers in chosen.items()}


class BalancedTables(Plan):
    """Each block splits the entrants into tables so that all pairs meet equally often.

    A split is kept for a run of consecutive blocks where there are blocks enough, so that chunks
    are longer than one block. The places over in a block are byes, spread evenly.
    """

    kind: Kind = "balanced"

    def __init__(self, entrants: int, seats: int, blocks: int):
        tables = balanced.tables(entrants, seats, blocks, longest=longest_run(seats))
        self._circles, self._spans = tables.circles, tables.spans
        ordered = np.sort(self._circles, axis=2).reshape(-1, seats)
        members, place = np.unique(ordered, axis=0, return_inverse=True)
        self._playing = place.reshape(self._circles.shape[:2]).astype(np.int32)
        super().__init__(entrants, seats, blocks, members.astype(np.int32))

    @property
    def games(self) -> int:
        """The number of games (legs) of the whole plan."""
        return self._playing.size * self.legs

    def playing(self, block: int) -> Sequence[int]:
        """Give the line-ups that play this block, one a table."""
        return tuple(self._playing[block].tolist())

    def circle(self, line_up: int, block: int) -> tuple[int, ...]:
        """Give the members of a line-up in the circular order of a block that it plays."""
        at = np.flatnonzero(self._playing[block] == line_up)
        if not len(at):
            raise IndexError(f"line-up {line_up} does not play block {block}")
        return tuple(self._circles[block, at[0]].tolist())

    def _chunk_rows(self) -> Ints:
        rows = [(x, first, run) for first, run in self._spans for x in sorted(self.playing(first))]
        return np.array(rows, dtype=np.int32).reshape(-1, 3)
