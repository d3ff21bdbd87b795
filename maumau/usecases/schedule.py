"""Schedule a tournament: everything is checked, planned and stored at once, or nothing is."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from maumau.arena.limits import load_limits
from maumau.errors import Conflict, InvalidInput, Problem
from maumau.rules.ruleset import RuleSet
from maumau.storage import Account, Database, Transaction
from maumau.storage.values import (
    BotVersion,
    Entrant,
    Match,
    NewChunk,
    StoredStandings,
    Tournament,
)
from maumau.tournament import seeds
from maumau.tournament.formats import Plan, plan
from maumau.tournament.stop_rules import load_stop_rule
from maumau.tournament.sums import BlockSums
from maumau.usecases import rank
from maumau.usecases.clock import Clock, Entropy
from maumau.usecases.luck_model import model_of, shipped
from maumau.usecases.read.tournaments import TournamentView, view
from maumau.usecases.repeat import Repeat
from maumau.usecases.rule_sets import keep_rules
from maumau.usecases.tournament_wish import (
    TournamentWish,
    found_for,
    tournament_wish,
)
from maumau.wording import counted

MOST_GAMES = 2_000_000
SEED_BYTES = 32
ID_BYTES = 7


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A tournament that was scheduled, and the ids of its chunks that are due now."""

    tournament: TournamentView
    due: tuple[str, ...]


def schedule(
    db: Database,
    clock: Clock,
    account: Account,
    request: Mapping[str, Any],
    *,
    entropy: Entropy,
    keep: Callable[[Transaction, Scheduled], None] | None = None,
) -> Scheduled:
    """Schedule a tournament, to begin now, at `start_at`, or again and again as `repeat` says.

    `request` is as in docs/design.md, "HTTP shapes": `entrants` and `rules` must be there, the
    rest has the `DEFAULTS`. `keep` is called last in the same transaction. Raises `InvalidInput`
    with the path of every wrong value.
    """
    now = clock()
    wish = tournament_wish(request, now)
    with db.read() as tx:
        rules, versions = found_for(tx, wish)
    planned = _plan(wish, rules, versions)
    luck_model = model_of(rules, wish.seats).hash
    tournament = _tournament(wish, rules, planned, account, now, entropy, luck_model)
    if wish.repeat is not None:
        tournament = replace(tournament, **_as_first(tournament.id, wish.repeat, wish.entrants))
    with db.begin() as tx:
        _still_accepted(tx, versions)
        keep_rules(tx, rules, account, now)
        _store(tx, tournament, planned, versions)
        _first_standings(tx, tournament, now)
        due: tuple[str, ...] = ()
        if tournament.state == "running":
            due = tuple(f"{tournament.id}-{n}" for n in range(tournament.chunks_total))
        scheduled = Scheduled(view(tx, tournament), due)
        if keep is not None:
            keep(tx, scheduled)
        return scheduled


def once_more(
    tx: Transaction, before: Tournament, start_at: datetime, now: datetime, entropy: Entropy
) -> Tournament:
    """Schedule the next repetition of a repeating tournament, with a seed of its own.

    Bots that were entered by their names enter with their youngest accepted versions. Raises
    `InvalidInput` where one has none any more.
    """
    wish = _wish_of(before, start_at)
    rules, versions = found_for(tx, wish)
    planned = _plan(wish, rules, versions)
    account = tx.accounts.by_id(before.owner_id)
    assert account is not None
    # To learn a model takes seconds, and this is a transaction: the last one's is good.
    known = before.luck_model if shipped(rules, wish.seats) is None else None
    luck_model = known or model_of(rules, wish.seats).hash
    made = replace(
        _tournament(wish, rules, planned, account, now, entropy, luck_model),
        rules_name=before.rules_name,
        repeat=before.repeat,
        asked=before.asked,
        series=before.series,
        repetition=(before.repetition or 0) + 1,
    )
    _store(tx, made, planned, versions)
    _first_standings(tx, made, now)
    return made


def renew_entrants(tx: Transaction, tournament: Tournament, now: datetime) -> None:
    """Let a repetition that begins be played by the versions that are youngest now.

    Its plan stays, for that is a matter of numbers. Where a bot has no accepted version any more
    it is played as it was scheduled.
    """
    try:
        _, versions = found_for(tx, _wish_of(tournament, now))
    except InvalidInput:
        return
    entrants = [Entrant(i, one.id, one.label, one.sha256) for i, one in enumerate(versions)]
    if entrants != list(tx.tournaments.entrants(tournament.id)):
        tx.tournaments.replace_entrants(tournament.id, entrants)
        _first_standings(tx, tournament, now)


def _wish_of(before: Tournament, start_at: datetime) -> TournamentWish:
    """Give what was wished of a repeating tournament, for another time."""
    return TournamentWish(
        name=before.name,
        entrants=tuple(before.asked or ()),
        rules=before.rule_set_id,
        seats=before.seats,
        blocks=before.blocks,
        line_ups=before.line_ups,
        limits=load_limits(before.limits),
        seed=None,
        start_at=start_at,
        stop=load_stop_rule(before.stop),
        fault_share=before.fault_share,
    )


def _as_first(series: str, repeat: Repeat, asked: tuple[str, ...]) -> dict[str, Any]:
    return {"repeat": repeat.to_dict(), "asked": list(asked), "series": series, "repetition": 1}


def _plan(wish: TournamentWish, rules: RuleSet, versions: Sequence[BotVersion]) -> Plan:
    planned = plan(len(versions), seats=wish.seats, blocks=wish.blocks, line_ups=wish.line_ups)
    if planned.games > MOST_GAMES:
        message = (
            f"{counted(planned.games, 'game')} in all; at most {MOST_GAMES}: ask for fewer blocks"
        )
        raise InvalidInput([Problem("blocks", message)])
    return planned


def _tournament(
    wish: TournamentWish,
    rules: RuleSet,
    planned: Plan,
    account: Account,
    now: datetime,
    entropy: Entropy,
    luck_model: str,
) -> Tournament:
    seed = entropy(SEED_BYTES).hex() if wish.seed is None else wish.seed
    state: Literal["scheduled", "running"] = "scheduled" if wish.start_at else "running"
    return Tournament(
        id=base64.b32encode(entropy(ID_BYTES)).decode().rstrip("=").lower(),
        name=wish.name,
        owner=account.name,
        owner_id=account.id,
        state=state,
        rule_set_id=rules.id,
        rules_name=rules.name,
        seats=wish.seats,
        blocks=wish.blocks,
        line_ups=wish.line_ups,
        limits=wish.limits.to_dict(),
        seed=seed,
        commitment=seeds.commitment(seed),
        open_seed=wish.seed is not None,
        created_at=now,
        start_at=wish.start_at,
        started_at=None if wish.start_at else now,
        ended_at=None,
        games_total=planned.games,
        games_played=0,
        chunks_total=len(planned.chunks),
        chunks_done=0,
        stop=wish.stop.to_dict() if wish.stop.repeated else None,
        fault_share=wish.fault_share,
        luck_model=luck_model,
    )


def _still_accepted(tx: Transaction, versions: Sequence[BotVersion]) -> None:
    states = tx.bots.states([one.id for one in versions])
    for one in versions:
        if states.get(one.id) != "accepted":
            raise Conflict("withdrawn", f"{one.label} was withdrawn just now")


def _store(
    tx: Transaction, tournament: Tournament, planned: Plan, versions: Sequence[BotVersion]
) -> None:
    games = [0] * len(planned.line_ups)
    chunks = []
    for number, chunk in enumerate(planned.chunks):
        games[chunk.line_up] += chunk.blocks * planned.legs
        chunks.append(NewChunk(number, chunk.line_up, chunk.first, chunk.blocks))
    tx.tournaments.add(
        tournament,
        [Entrant(i, one.id, one.label, one.sha256) for i, one in enumerate(versions)],
        [
            Match(tournament.id, number, line_up, games[number], 0, ())
            for number, line_up in enumerate(planned.line_ups)
        ],
    )
    tx.chunks.add(tournament.id, chunks)


def _first_standings(tx: Transaction, tournament: Tournament, now: datetime) -> None:
    """Keep standings without games, so that whoever reads them always finds some."""
    basis = rank.basis_of(tx, tournament.id)
    nothing = BlockSums(basis.entrants, tournament.blocks)
    document = rank.document_of(basis, nothing)
    tx.standings.put_standings(StoredStandings(tournament.id, 0, False, document, 0, now))
