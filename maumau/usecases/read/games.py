"""Read matches, games and records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from maumau.errors import InvalidInput, NotFound, Problem
from maumau.rules.compact import expand
from maumau.rules.record import record_text as text_of
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.storage import Account, Database, Transaction, ids
from maumau.storage.legs import IN_ORDER
from maumau.storage.tournaments import MATCHES
from maumau.storage.values import Fault, Leg, Match
from maumau.tournament.sums import ENTRANT_COLUMNS, SHARE_UNITS
from maumau.usecases import access
from maumau.usecases.read.pages import Page, Pages
from maumau.usecases.read.tournaments import found_tournament
from maumau.usecases.replay import Replay

DIGITS = 6


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What an entrant has in a match; shares are None before its first game."""

    entrant: str
    games: int
    score_share: float | None
    points: int
    points_per_game: float | None
    games_won: int
    games_shared: int
    faults: int


@dataclass(frozen=True, slots=True)
class MatchView:
    """All blocks of one line-up; `line_up` holds the entrants' labels."""

    id: str
    tournament: str
    number: int
    line_up: tuple[str, ...]
    games_played: int
    games_total: int
    results: tuple[MatchResult, ...]


@dataclass(frozen=True, slots=True)
class FaultView:
    """What ended a forfeited game."""

    entrant: str
    seat: int
    kind: str
    detail: str
    deal: int
    action: int


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """A fault with what the bot's owner may see.

    `seen` is what was measured, `log` the last of what the bot printed, `observation` what it was
    asked when it failed, as `Observation.to_dict` gives it; `runtime` what its process ran on (""
    where that was not kept), `replay` the command that asks the bot there again.
    """

    game: str
    fault: FaultView
    seen: str
    log: str = field(repr=False)
    observation: dict[str, Any] = field(repr=False)
    runtime: str
    replay: str


@dataclass(frozen=True, slots=True)
class GameView:
    """One game: a leg of a block of a match; `seats` holds the label at each seat."""

    id: str
    tournament: str
    match: str
    block: int
    leg: int
    seats: tuple[str, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    deals: int
    fault: FaultView | None


def matches(
    db: Database,
    tournament_id: str,
    *,
    limit: int = 50,
    after: str | None = None,
    entrants: Sequence[str] = (),
) -> Page[MatchView]:
    """List a tournament's matches in the order of its plan; those with all of these entrants."""
    pages = Pages(MATCHES, "matches", tournament_id, list(entrants))
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found_tournament(tx, tournament_id)
        labels = _labels(tx, tournament_id)
        numbers = [_number(labels, label, f"entrants.{i}") for i, label in enumerate(entrants)]
        found = tx.tournaments.matches(tournament_id, cut, entrants=numbers)
    return pages.page(found, lambda one: _match_view(one, labels))


def match(db: Database, match_id: str) -> MatchView:
    """Read one match; raises `NotFound`."""
    with db.read() as tx:
        found = _match(tx, match_id)
        return _match_view(found, _labels(tx, found.tournament_id))


def games(
    db: Database,
    tournament_id: str,
    *,
    match_id: str | None = None,
    limit: int = 50,
    after: str | None = None,
    faulty: bool | None = None,
    fault: str | None = None,
    at_fault: str | None = None,
) -> Page[GameView]:
    """List the games of a tournament (or of a match of it) in the order of its plan.

    `faulty` asks for those that ended, or did not end, in a fault; `fault` for those of a kind,
    `at_fault` for those that an entrant (its label) forfeited.
    """
    pages = Pages(IN_ORDER, "games", tournament_id, match_id, faulty, fault, at_fault)
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found_tournament(tx, tournament_id)
        labels = _labels(tx, tournament_id)
        number = None if match_id is None else _match(tx, match_id, tournament_id).number
        entrant = None if at_fault is None else _number(labels, at_fault, "at_fault")
        found = tx.legs.page(
            tournament_id, cut, match=number, entrant_at_fault=entrant, faulty=faulty, kind=fault
        )
    return pages.page(found, lambda one: _game_view(one, labels))


def match_games(
    db: Database, match_id: str, *, limit: int = 50, after: str | None = None
) -> Page[GameView]:
    """List the games of a match in the order of its plan; raises `NotFound`."""
    tournament_id, _ = ids.match_place(match_id)
    with db.read() as tx:
        _match(tx, match_id)
    return games(db, tournament_id, match_id=match_id, limit=limit, after=after)


def game(db: Database, game_id: str) -> GameView:
    """Read one game; raises `NotFound`."""
    with db.read() as tx:
        found = _leg(tx, game_id)
        return _game_view(found, _labels(tx, found.tournament_id))


def record(db: Database, game_id: str) -> dict[str, Any]:
    """Give a game's record in full (docs/rules.md §5); raises `NotFound`."""
    with db.read() as tx:
        found = _leg(tx, game_id)
        rules = rules_of(tx, found.tournament_id)
    return expand(found.record, rules)


def record_text(db: Database, game_id: str) -> str:
    """Give a game's record as a person reads it; raises `NotFound`."""
    return text_of(record(db, game_id))


def fault_evidence(db: Database, account: Account, game_id: str) -> FaultEvidence:
    """Give what is known of a game's fault; the owner of the bot at fault and admins only."""
    with db.read() as tx:
        found = _leg(tx, game_id)
        if found.fault is None:
            raise NotFound("fault", game_id, "the game ended without one")
        entrants = tx.tournaments.entrants(found.tournament_id)
        version = tx.bots.version(entrants[found.fault.entrant].bot_version_id)
        runtimes = tx.chunks.runtimes(found.tournament_id, found.match, found.block)
        match = tx.tournaments.match(found.tournament_id, found.match)
        rules = rules_of(tx, found.tournament_id)
    assert version is not None
    access.owner_or_admin(account, version.owner_id, "see what a bot left behind")
    assert match is not None
    shown = _game_view(found, {entrant.number: entrant.label for entrant in entrants}).fault
    assert shown is not None
    place = match.line_up.index(found.fault.entrant)
    return FaultEvidence(
        game=found.id,
        fault=shown,
        seen=found.fault.seen,
        log=found.fault.log,
        observation=_seen(expand(found.record, rules), found.fault),
        runtime=runtimes[place] if place < len(runtimes) else "",
        replay=f"maumau replay {found.id} --bot {version.filename or version.bot}",
    )


def _seen(record: dict[str, Any], fault: Fault) -> dict[str, Any]:
    """Give the observation of the bot at fault at the decision that failed."""
    deal = Replay.of_record(record).deal_at(fault.deal, fault.action)
    return deal.observation(fault.seat).to_dict()


def rules_of(tx: Transaction, tournament_id: str) -> RuleSet:
    """Give the rule set that a tournament is played by."""
    stored = tx.rule_sets.get(found_tournament(tx, tournament_id).rule_set_id)
    assert stored is not None
    return load_stored(stored.canonical)


def load_stored(canonical: str) -> RuleSet:
    """Make a rule set of its canonical JSON."""
    return load_rules(json.loads(canonical))


def _match(tx: Transaction, match_id: str, within: str | None = None) -> Match:
    tournament_id, number = ids.match_place(match_id)
    found = tx.tournaments.match(tournament_id, number)
    if found is None or within not in (None, tournament_id):
        raise NotFound("match", match_id)
    return found


def _leg(tx: Transaction, game_id: str) -> Leg:
    found = tx.legs.get(*ids.game_place(game_id))
    if found is None:
        raise NotFound("game", game_id, "or it has not been played yet")
    return found


def _labels(tx: Transaction, tournament_id: str) -> dict[int, str]:
    return {one.number: one.label for one in tx.tournaments.entrants(tournament_id)}


def _number(labels: dict[int, str], label: str, path: str) -> int:
    for number, known in labels.items():
        if known == label:
            return number
    raise InvalidInput([Problem(path, f"{label[:60]!r} is not an entrant of this tournament")])


def _match_view(one: Match, labels: dict[int, str]) -> MatchView:
    width = len(ENTRANT_COLUMNS)
    sums = one.sums or (0,) * (width * len(one.line_up))
    return MatchView(
        id=one.id,
        tournament=one.tournament_id,
        number=one.number,
        line_up=tuple(labels[number] for number in one.line_up),
        games_played=one.games_played,
        games_total=one.games_total,
        results=tuple(
            _result(labels[number], sums[width * i : width * (i + 1)])
            for i, number in enumerate(one.line_up)
        ),
    )


def _result(entrant: str, sums: Sequence[int]) -> MatchResult:
    column = dict(zip(ENTRANT_COLUMNS, sums, strict=True))
    played = column["games"]
    return MatchResult(
        entrant=entrant,
        games=played,
        score_share=round(column["units"] / (SHARE_UNITS * played), DIGITS) if played else None,
        points=column["points"],
        points_per_game=round(column["points"] / played, DIGITS) if played else None,
        games_won=column["wins"],
        games_shared=column["shared"],
        faults=column["faults"],
    )


def _game_view(one: Leg, labels: dict[int, str]) -> GameView:
    fault = one.fault
    return GameView(
        id=one.id,
        tournament=one.tournament_id,
        match=f"{one.tournament_id}-{one.match}",
        block=one.block,
        leg=one.leg,
        seats=tuple(labels[number] for number in one.seating),
        totals=one.totals,
        ranks=one.ranks,
        deals=one.deals,
        fault=None
        if fault is None
        else FaultView(
            labels[fault.entrant], fault.seat, fault.kind, fault.detail, fault.deal, fault.action
        ),
    )
