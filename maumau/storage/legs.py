"""Legs with their records and faults, and the sums that the standings are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, select

from maumau.storage.dialects import insert_many
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import block_sum, fault, leg
from maumau.storage.values import BlockSum, Fault, Forfeit, Leg

IN_ORDER = Order((leg.c.match, leg.c.block, leg.c.leg))
# The same order by another table: of many games few have a fault.
FAULTS_IN_ORDER = Order((fault.c.match, fault.c.block, fault.c.leg))


class Legs:
    """The legs, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def add(self, legs: Sequence[Leg]) -> None:
        """Keep played legs with their faults."""
        insert_many(self._connection, leg, [_leg_row(one) for one in legs])
        insert_many(
            self._connection,
            fault,
            [_place(one) | asdict(one.fault) for one in legs if one.fault is not None],
        )

    def add_sums(self, tournament_id: str, sums: Sequence[BlockSum]) -> None:
        """Keep what each block adds to the standings."""
        insert_many(
            self._connection,
            block_sum,
            [asdict(s) | {"tournament_id": tournament_id} for s in sums],
        )

    def sums(self, tournament_id: str) -> list[BlockSum]:
        """Give the sums of all played blocks, in order."""
        query = (
            select(block_sum.c.match, block_sum.c.block, block_sum.c.sums)
            .where(block_sum.c.tournament_id == tournament_id)
            .order_by(block_sum.c.match, block_sum.c.block)
        )
        return [
            BlockSum(row.match, row.block, tuple(row.sums))
            for row in self._connection.execute(query)
        ]

    def forfeits(self, tournament_id: str) -> list[Forfeit]:
        """Give the legs that ended in a fault, in order, without their records."""
        same = and_(
            fault.c.tournament_id == leg.c.tournament_id,
            fault.c.match == leg.c.match,
            fault.c.block == leg.c.block,
            fault.c.leg == leg.c.leg,
        )
        query = (
            select(leg.c.block, leg.c.seating, leg.c.totals, leg.c.ranks, fault.c.seat)
            .join_from(fault, leg, same)
            .where(fault.c.tournament_id == tournament_id)
            .order_by(fault.c.match, fault.c.block, fault.c.leg)
        )
        return [
            Forfeit(row.block, tuple(row.seating), tuple(row.totals), tuple(row.ranks), row.seat)
            for row in self._connection.execute(query)
        ]

    def deals(self, tournament_id: str, *, blocks: int) -> int:
        """Count the deals of all played games of the first so many blocks."""
        query = select(func.coalesce(func.sum(leg.c.deals), 0)).where(
            leg.c.tournament_id == tournament_id, leg.c.block < blocks
        )
        return int(self._connection.execute(query).scalar_one())

    def faults_by_kind(self) -> dict[str, int]:
        """Count the faults of bots by kind, over all tournaments."""
        query = select(fault.c.kind, func.count()).group_by(fault.c.kind)
        return {row[0]: row[1] for row in self._connection.execute(query)}

    def get(self, tournament_id: str, match: int, block: int, number: int) -> Leg | None:
        """Find a leg by its place."""
        row = self._connection.execute(
            _legs(tournament_id).where(
                leg.c.match == match, leg.c.block == block, leg.c.leg == number
            )
        ).first()
        return _leg(row) if row else None

    def page(
        self,
        tournament_id: str,
        cut: Slice,
        *,
        match: int | None = None,
        entrant_at_fault: int | None = None,
        faulty: bool | None = None,
        kind: str | None = None,
    ) -> Keyed[Leg]:
        """List the legs of a tournament in order: of a match, with or without (which) fault."""
        wanted = faulty or entrant_at_fault is not None or kind is not None
        query = _legs(tournament_id, faulty=bool(wanted))
        order = FAULTS_IN_ORDER if wanted else IN_ORDER
        if match is not None:
            query = query.where(order.columns[0] == match)
        if entrant_at_fault is not None:
            query = query.where(fault.c.entrant == entrant_at_fault)
        if faulty is False:
            query = query.where(leg.c.fault.is_(None))
        if kind is not None:
            query = query.where(fault.c.kind == kind)
        return fetch(self._connection, query, order, cut, _leg)

    def all(self, tournament_id: str, *, at_once: int = 500) -> Iterator[Leg]:
        """Go through all legs of a tournament in order, a few at a time."""
        cut = Slice(at_once)
        while True:
            found = self.page(tournament_id, cut)
            yield from found.items
            if found.next is None:
                return
            cut = Slice(at_once, found.next)


def _place(one: Leg) -> dict[str, Any]:
    return {
        "tournament_id": one.tournament_id,
        "match": one.match,
        "block": one.block,
        "leg": one.leg,
    }


def _leg_row(one: Leg) -> dict[str, Any]:
    return _place(one) | {
        "seating": one.seating,
        "totals": one.totals,
        "ranks": one.ranks,
        "deals": one.deals,
        "fault": one.fault.kind if one.fault else None,
        "record": one.record,
    }


def _legs(tournament_id: str, *, faulty: bool = False) -> Select[Any]:
    same = and_(
        fault.c.tournament_id == leg.c.tournament_id,
        fault.c.match == leg.c.match,
        fault.c.block == leg.c.block,
        fault.c.leg == leg.c.leg,
    )
    where = fault.c.tournament_id if faulty else leg.c.tournament_id
    told = [c.label(f"fault_{c.name}") for c in fault.c if not c.primary_key]
    return (
        select(leg, *told)
        .join_from(leg, fault, same, isouter=not faulty)
        .where(where == tournament_id)
    )


def _leg(row: Row[Any]) -> Leg:
    return Leg(
        tournament_id=row.tournament_id,
        match=row.match,
        block=row.block,
        leg=row.leg,
        seating=tuple(row.seating),
        totals=tuple(row.totals),
        ranks=tuple(row.ranks),
        deals=row.deals,
        fault=_fault(row) if row.fault is not None else None,
        record=bytes(row.record),
    )


def _fault(row: Row[Any]) -> Fault:
    return Fault(
        entrant=row.fault_entrant,
        seat=row.fault_seat,
        kind=row.fault_kind,
        detail=row.fault_detail,
        deal=row.fault_deal,
        action=row.fault_action,
        seen=row.fault_seen,
        log=row.fault_log,
    )
