"""Tournaments with their entrants and matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, func, select

from maumau.storage.dialects import insert_many
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import (
    account,
    bot_version,
    chunk,
    entrant,
    match,
    match_entrant,
    standings,
    tournament,
)
from maumau.storage.schema import bot as bots
from maumau.storage.values import Entrant, Match, Totals, Tournament, TournamentState

NEWEST = Order((tournament.c.created_at, tournament.c.id), descending=True)
OLDEST = Order((tournament.c.created_at, tournament.c.id))
COUNTS = (tournament.c.state == "finished") & tournament.c.open_seed.is_(False)
"""What counts for a leaderboard."""

MATCHES = Order((match.c.number,))


class Tournaments:
    """The tournaments, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def add(self, new: Tournament, entrants: Sequence[Entrant], matches: Sequence[Match]) -> None:
        """Keep a tournament with its entrants and the matches of its plan."""
        values = asdict(new)
        values["account_id"] = values.pop("owner_id")
        del values["owner"]
        self._connection.execute(tournament.insert().values(**values))
        insert_many(
            self._connection,
            entrant,
            [asdict(one) | {"tournament_id": new.id} for one in entrants],
        )
        insert_many(self._connection, match, [asdict(one) for one in matches])
        insert_many(
            self._connection,
            match_entrant,
            [
                {"tournament_id": new.id, "match": one.number, "entrant": number}
                for one in matches
                for number in one.line_up
            ],
        )

    def get(self, tournament_id: str) -> Tournament | None:
        """Find a tournament by its id."""
        row = self._connection.execute(
            _tournaments().where(tournament.c.id == tournament_id)
        ).first()
        return _tournament(row) if row else None

    def lock(self, tournament_id: str) -> Tournament | None:
        """Find a tournament and keep others from changing it until this transaction ends."""
        row = self._connection.execute(
            _tournaments().where(tournament.c.id == tournament_id).with_for_update(of=tournament)
        ).first()
        return _tournament(row) if row else None

    def page(
        self,
        cut: Slice,
        order: Order,
        *,
        state: TournamentState | None = None,
        rule_set_id: str | None = None,
        bot: str | None = None,
        series: str | None = None,
    ) -> Keyed[Tournament]:
        """List the tournaments: in a state, under a rule set, with any version of a bot."""
        query = _tournaments()
        if series is not None:
            query = query.where(tournament.c.series == series)
        if state is not None:
            query = query.where(tournament.c.state == state)
        if rule_set_id is not None:
            query = query.where(tournament.c.rule_set_id == rule_set_id)
        if bot is not None:
            mine = select(entrant.c.tournament_id).join(
                bot_version, bot_version.c.id == entrant.c.bot_version_id
            )
            mine = mine.join(bots, bots.c.id == bot_version.c.bot_id).where(bots.c.name == bot)
            query = query.where(tournament.c.id.in_(mine))
        return fetch(self._connection, query, order, cut, _tournament)

    def due_starts(self, *, now: datetime) -> list[str]:
        """Give the ids of scheduled tournaments whose time has come, in order of it."""
        query = (
            select(tournament.c.id)
            .where(tournament.c.state == "scheduled", tournament.c.start_at <= now)
            .order_by(tournament.c.start_at, tournament.c.id)
        )
        return list(self._connection.execute(query).scalars())

    def by_state(self) -> dict[str, int]:
        """Count the tournaments by state."""
        query = select(tournament.c.state, func.count()).group_by(tournament.c.state)
        return {row[0]: row[1] for row in self._connection.execute(query)}

    def games_by_seats(self) -> dict[int, int]:
        """Count all games that were played, by the seats at their tables."""
        games = func.sum(tournament.c.games_played)
        query = select(tournament.c.seats, games).group_by(tournament.c.seats)
        return {seats: int(count) for seats, count in self._connection.execute(query)}

    def is_open(self, tournament_id: str) -> bool:
        """Tell whether a tournament still has work: it is not cancelled, chunks are not done."""
        query = select(tournament.c.id).where(tournament.c.id == tournament_id, _has_work())
        return self._connection.execute(query).first() is not None

    def unranked(self) -> list[str]:
        """Give the ids of tournaments without work whose final standings are not there yet."""
        ranked = exists().where(
            standings.c.tournament_id == tournament.c.id, standings.c.final.is_(True)
        )
        query = select(tournament.c.id).where(
            tournament.c.state.in_(("running", "cancelled")), ~_has_work(), ~ranked
        )
        return list(self._connection.execute(query.order_by(tournament.c.id)).scalars())

    def start(self, tournament_id: str, *, now: datetime) -> bool:
        """Begin a scheduled tournament; False if somebody else has, or it is not scheduled."""
        return self._turn(tournament_id, ("scheduled",), state="running", started_at=now)

    def put_off(self, tournament_id: str, start_at: datetime) -> bool:
        """Let a scheduled tournament begin at another time; False if it is not scheduled."""
        return self._turn(tournament_id, ("scheduled",), start_at=start_at)

    def replace_entrants(self, tournament_id: str, entrants: Sequence[Entrant]) -> None:
        """Put as many others in the places of the entrants, and forget the empty standings."""
        self._connection.execute(
            standings.delete().where(standings.c.tournament_id == tournament_id)
        )
        self._connection.execute(entrant.delete().where(entrant.c.tournament_id == tournament_id))
        rows = [asdict(one) | {"tournament_id": tournament_id} for one in entrants]
        insert_many(self._connection, entrant, rows)

    def finish(self, tournament_id: str, *, now: datetime) -> bool:
        """End a running tournament that was played out; False if it is not running."""
        return self._turn(tournament_id, ("running",), state="finished", ended_at=now)

    def reopen(self, tournament_id: str) -> bool:
        """Let a finished tournament run again; False if it is not finished."""
        return self._turn(tournament_id, ("finished",), state="running", ended_at=None)

    def end(self, tournament_id: str, state: TournamentState, *, now: datetime) -> bool:
        """End a tournament that has not ended; False if it has."""
        return self._turn(tournament_id, ("scheduled", "running"), state=state, ended_at=now)

    def _turn(self, tournament_id: str, states: Sequence[str], **values: Any) -> bool:
        changed = self._connection.execute(
            tournament.update()
            .where(tournament.c.id == tournament_id, tournament.c.state.in_(states))
            .values(**values)
        )
        return changed.rowcount == 1

    def progress(self, tournament_id: str, *, games: int) -> None:
        """Count one more chunk as done, with so many games."""
        self._connection.execute(
            tournament.update()
            .where(tournament.c.id == tournament_id)
            .values(
                chunks_done=tournament.c.chunks_done + 1,
                games_played=tournament.c.games_played + games,
            )
        )

    def entrants(self, tournament_id: str) -> tuple[Entrant, ...]:
        """Give a tournament's entrants in canonical order."""
        return self.entrants_of([tournament_id])[tournament_id]

    def entrants_of(self, tournament_ids: Sequence[str]) -> dict[str, tuple[Entrant, ...]]:
        """Give the entrants of these tournaments, each in canonical order."""
        query = select(entrant).where(entrant.c.tournament_id.in_(tournament_ids))
        found: dict[str, list[Entrant]] = {one: [] for one in tournament_ids}
        for row in self._connection.execute(query.order_by(entrant.c.number)):
            found[row.tournament_id].append(
                Entrant(row.number, row.bot_version_id, row.label, row.sha256, row.suspended_after)
            )
        return {one: tuple(entrants) for one, entrants in found.items()}

    def keep_totals(self, tournament_id: str, totals: Sequence[Sequence[int]]) -> None:
        """Keep what each entrant has in the end, by its number."""
        for number, sums in enumerate(totals):
            self._connection.execute(
                entrant.update()
                .where(entrant.c.tournament_id == tournament_id, entrant.c.number == number)
                .values(sums=list(sums))
            )

    def totals(self, tournament_id: str) -> tuple[Totals, ...]:
        """Give what each entrant of a finished tournament has, in canonical order."""
        query = select(entrant.c.bot_version_id, entrant.c.sums).where(
            entrant.c.tournament_id == tournament_id
        )
        rows = self._connection.execute(query.order_by(entrant.c.number))
        return tuple(Totals(row.bot_version_id, tuple(row.sums)) for row in rows)

    def uncounted(self, rule_set_id: str, seats: int) -> list[Tournament]:
        """Give the tournaments that count for a leaderboard and are not in its sums yet, by id.

        Finished ones under the rule set at tables of so many seats count, without those of which
        somebody knew the seed.
        """
        query = _tournaments().where(
            tournament.c.rule_set_id == rule_set_id,
            tournament.c.seats == seats,
            COUNTS,
            tournament.c.on_leaderboard.is_(False),
        )
        rows = self._connection.execute(query.order_by(tournament.c.id))
        return [_tournament(row) for row in rows]

    def mark_counted(self, tournament_ids: Sequence[str]) -> bool:
        """Say that these are in their leaderboard's sums; False if one of them was already."""
        changed = self._connection.execute(
            tournament.update()
            .where(tournament.c.id.in_(tournament_ids), tournament.c.on_leaderboard.is_(False))
            .values(on_leaderboard=True)
        )
        return changed.rowcount == len(tournament_ids)

    def match(self, tournament_id: str, number: int) -> Match | None:
        """Find a match by its place."""
        row = self._connection.execute(
            select(match).where(match.c.tournament_id == tournament_id, match.c.number == number)
        ).first()
        return _match(row) if row else None

    def matches(
        self, tournament_id: str, cut: Slice, *, entrants: Sequence[int] = ()
    ) -> Keyed[Match]:
        """List a tournament's matches in the plan's order: those with all of these entrants."""
        query = select(match).where(match.c.tournament_id == tournament_id)
        for number in entrants:
            query = query.where(
                exists().where(
                    match_entrant.c.tournament_id == match.c.tournament_id,
                    match_entrant.c.match == match.c.number,
                    match_entrant.c.entrant == number,
                )
            )
        return fetch(self._connection, query, MATCHES, cut, _match)

    def line_ups(self, tournament_id: str) -> dict[int, tuple[int, ...]]:
        """Give every match's line-up by the match's number."""
        query = select(match.c.number, match.c.line_up).where(
            match.c.tournament_id == tournament_id
        )
        rows = self._connection.execute(query.order_by(match.c.number))
        return {row.number: tuple(row.line_up) for row in rows}

    def all_matches(self, tournament_id: str) -> list[Match]:
        """Give all matches of a tournament in the order of the plan."""
        query = select(match).where(match.c.tournament_id == tournament_id)
        rows = self._connection.execute(query.order_by(match.c.number))
        return [_match(row) for row in rows]

    def add_to_match(
        self, tournament_id: str, number: int, *, games: int, sums: Sequence[int]
    ) -> Match:
        """Add a chunk's games and sums to its match; the tournament must be locked."""
        old = self.match(tournament_id, number)
        assert old is not None
        total = tuple(a + b for a, b in zip(old.sums, sums, strict=True)) if old.sums else sums
        new = replace(old, games_played=old.games_played + games, sums=tuple(total))
        self._connection.execute(
            match.update()
            .where(match.c.tournament_id == tournament_id, match.c.number == number)
            .values(games_played=new.games_played, sums=new.sums)
        )
        return new


def _has_work() -> ColumnElement[bool]:
    still = exists().where(
        chunk.c.tournament_id == tournament.c.id, chunk.c.state.in_(("due", "claimed"))
    )
    return (tournament.c.state != "cancelled") & still


def _tournaments() -> Select[Any]:
    return select(tournament, account.c.name.label("owner")).join(
        account, account.c.id == tournament.c.account_id
    )


def _tournament(row: Row[Any]) -> Tournament:
    return Tournament(
        id=row.id,
        name=row.name,
        owner=row.owner,
        owner_id=row.account_id,
        state=row.state,
        rule_set_id=row.rule_set_id,
        rules_name=row.rules_name,
        seats=row.seats,
        blocks=row.blocks,
        line_ups=row.line_ups,
        limits=row.limits,
        seed=row.seed,
        commitment=row.commitment,
        open_seed=row.open_seed,
        created_at=row.created_at,
        start_at=row.start_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        games_total=row.games_total,
        games_played=row.games_played,
        chunks_total=row.chunks_total,
        chunks_done=row.chunks_done,
        stop=row.stop,
        ended_blocks=row.ended_blocks,
        repeat=row.repeat,
        asked=row.asked,
        series=row.series,
        repetition=row.repetition,
        fault_share=row.fault_share,
        luck_model=row.luck_model,
    )


def _match(row: Row[Any]) -> Match:
    return Match(
        tournament_id=row.tournament_id,
        number=row.number,
        line_up=tuple(row.line_up),
        games_total=row.games_total,
        games_played=row.games_played,
        sums=tuple(row.sums),
    )
