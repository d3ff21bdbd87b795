"""Suspend entrants for faults, and tell what the standings would be without the faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from maumau.storage import Transaction
from maumau.storage.values import BlockSum, Forfeit
from maumau.tournament.standings import Standings, rank
from maumau.tournament.sums import BlockSums
from maumau.tournament.suspension import Played
from maumau.usecases.sums import E, games_of, total

WITHOUT = ("rank", "games", "score_share", "low", "high")
"""What a row of the standings tells a second time, of the games in which nobody failed."""


def played(line_ups: Mapping[int, Sequence[int]], sums: Sequence[BlockSum]) -> Iterator[Played]:
    """Give what was played, block by block, with the games that each entrant forfeited."""
    for one in sums:
        line_up = line_ups[one.match]
        faults = [one.sums[E * place + E - 1] for place in range(len(line_up))]
        yield Played(one.block, line_up, games_of(one.sums), faults)


def suspend(
    tx: Transaction, tournament_id: str, after: Mapping[int, int], sums: Sequence[BlockSum]
) -> None:
    """Suspend entrants, each after so many blocks; the tournament must be locked.

    `sums` are those of all blocks up to there.
    """
    for entrant, blocks in sorted(after.items()):
        for number in tx.discards.suspend(tournament_id, entrant, blocks):
            match = tx.tournaments.match(tournament_id, number)
            assert match is not None
            ends = min(after.get(one, blocks) for one in match.line_up)
            own = [one for one in sums if one.match == number and one.block < ends]
            left = total(own)
            tx.discards.set_match(tournament_id, number, games=games_of(left), sums=left)
    tx.discards.count_again(tournament_id)
    tx.standings.outdate(tournament_id)


def with_and_without(
    rows: Standings,
    whole: BlockSums,
    forfeits: Sequence[Forfeit],
    suspended: Mapping[int, int],
) -> dict[str, Any]:
    """Give standings with what each row would be without the games that somebody forfeited."""
    document = rows.to_dict()
    second = {row["entrant"]: row for row in document["rows"]}
    if forfeits:
        faulty = BlockSums(whole.entrants, whole.blocks)
        for one in forfeits:
            faulty.add_leg(one.block, one.seating, one.ranks, one.totals, fault=one.fault)
        clean = rank(
            whole.without(faulty),
            best="low" if rows.best == "low" else "high",
            complete=rows.complete,
            repeated=rows.repeated,
        )
        second = {row["entrant"]: row for row in clean.to_dict()["rows"]}
    document["rows"] = [
        {
            **row,
            **{f"{name}_without_faults": second[row["entrant"]][name] for name in WITHOUT},
            "suspended_after": suspended.get(row["entrant"]),
        }
        for row in document["rows"]
    ]
    return document
