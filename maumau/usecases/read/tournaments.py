"""Read tournaments with their entrants and progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database, Transaction
from maumau.storage.tournaments import NEWEST, OLDEST
from maumau.storage.values import ChunkCounts, Entrant, Tournament, TournamentState
from maumau.usecases.read.pages import Page, Pages, chosen

ORDERS = {"-created_at": NEWEST, "created_at": OLDEST}
ENDED = ("finished", "cancelled")


@dataclass(frozen=True, slots=True)
class EntrantView:
    """A bot version in a tournament."""

    label: str
    bot: str
    version: int


@dataclass(frozen=True, slots=True)
class ProgressView:
    """How far a tournament is."""

    games_played: int
    games_total: int
    chunks: ChunkCounts


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament; `seed` is None until it has ended, unless it is an `open_seed` one.

    `rule_set` is the rule set's id, `rules` the preset and options it was asked for by, or empty.
    `stop` is its stop rule, None for playing all blocks; `ended_blocks` after how many it ended by
    that rule, None where it did not. One that repeats has `repeat` (cron, zone, missed), the id of
    its `series`, which is that of the first, and the number of its `repetition`. `fault_share` is
    the share of its games that an entrant may forfeit before it is suspended, None if nobody is.
    `luck_model` is the hash of the model by which luck is taken off its shares, fixed when it was
    scheduled, None where that was before such were kept.
    """

    id: str
    name: str
    owner: str
    state: TournamentState
    rule_set: str
    rules: str
    entrants: tuple[EntrantView, ...]
    seats: int
    blocks: int
    line_ups: str
    limits: dict[str, Any]
    progress: ProgressView
    seed_commitment: str
    seed: str | None
    open_seed: bool
    created_at: datetime
    start_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    stop: dict[str, Any] | None
    ended_blocks: int | None
    repeat: dict[str, Any] | None
    series: str | None
    repetition: int | None
    fault_share: float | None
    luck_model: str | None


def tournaments(
    db: Database,
    *,
    limit: int = 50,
    after: str | None = None,
    state: TournamentState | None = None,
    rule_set: str | None = None,
    bot: str | None = None,
    series: str | None = None,
    sort: str = "-created_at",
) -> Page[TournamentView]:
    """List the tournaments.

    In a state, under a rule set (its id), with any version of a bot, repetitions of one series.
    """
    order = chosen(ORDERS, sort)
    pages = Pages(order, "tournaments", state, rule_set, bot, series, sort)
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found = tx.tournaments.page(
            cut, order, state=state, rule_set_id=rule_set, bot=bot, series=series
        )
        views = {one.id: one for one in views_of(tx, found.items)}
    return pages.page(found, lambda one: views[one.id])


def tournament(db: Database, tournament_id: str) -> TournamentView:
    """Read one tournament with its progress; raises `NotFound`."""
    with db.read() as tx:
        return view(tx, found_tournament(tx, tournament_id))


def found_tournament(tx: Transaction, tournament_id: str) -> Tournament:
    """Find a tournament; raises `NotFound`."""
    found = tx.tournaments.get(tournament_id)
    if found is None:
        raise NotFound("tournament", tournament_id)
    return found


def view(tx: Transaction, found: Tournament) -> TournamentView:
    """Give a tournament as it may be seen by anybody."""
    return views_of(tx, [found])[0]


def views_of(tx: Transaction, found: Sequence[Tournament]) -> list[TournamentView]:
    """Give tournaments as they may be seen by anybody."""
    ids = [one.id for one in found]
    entrants, counts = tx.tournaments.entrants_of(ids), tx.chunks.counts_of(ids)
    return [_view(one, entrants[one.id], counts[one.id]) for one in found]


def entrant_view(entrant: Entrant) -> EntrantView:
    """Give an entrant with its label taken apart."""
    bot, _, version = entrant.label.rpartition("@")
    return EntrantView(entrant.label, bot, int(version))


def _view(one: Tournament, entrants: Sequence[Entrant], chunks: ChunkCounts) -> TournamentView:
    return TournamentView(
        id=one.id,
        name=one.name,
        owner=one.owner,
        state=one.state,
        rule_set=one.rule_set_id,
        rules=one.rules_name,
        entrants=tuple(map(entrant_view, entrants)),
        seats=one.seats,
        blocks=one.blocks,
        line_ups=one.line_ups,
        limits=one.limits,
        progress=ProgressView(one.games_played, one.games_total, chunks),
        seed_commitment=one.commitment,
        seed=one.seed if one.open_seed or one.state in ENDED else None,
        open_seed=one.open_seed,
        created_at=one.created_at,
        start_at=one.start_at,
        started_at=one.started_at,
        ended_at=one.ended_at,
        stop=one.stop,
        ended_blocks=one.ended_blocks,
        repeat=one.repeat,
        series=one.series,
        repetition=one.repetition,
        fault_share=one.fault_share,
        luck_model=one.luck_model,
    )
