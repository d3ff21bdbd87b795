"""Schedule a tournament: everything is checked, planned and stored at once, or nothing is."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from maumau.arena.limits import Limits, load_limits
from maumau.errors import Conflict, InvalidInput, Problem
from maumau.rules.ruleset import RuleSet
from maumau.storage import Account, Database, Transaction
from maumau.storage.types import storable
from maumau.storage.values import (
    BotVersion,
    Entrant,
    LineUps,
    Match,
    NewChunk,
    StoredStandings,
    Tournament,
)
from maumau.tournament import seeds
from maumau.tournament.formats import Plan, plan
from maumau.tournament.sequential import StopRule, load_stop_rule
from maumau.tournament.sums import BlockSums
from maumau.tournament.suspension import FAULT_SHARE
from maumau.usecases import rank
from maumau.usecases.clock import Clock, Entropy
from maumau.usecases.read.tournaments import TournamentView, view
from maumau.usecases.repeat import Repeat, load_repeat
from maumau.usecases.rule_sets import keep_rules, wanted_rules
from maumau.wording import counted, span

KEYS = (
    *("name", "entrants", "rules", "seats", "blocks"),
    *("line_ups", "limits", "seed", "start_at", "stop", "repeat", "fault_share"),
)
REQUIRED = ("entrants", "rules")
DEFAULTS: Mapping[str, Any] = {
    "name": "",
    "seats": 2,
    "blocks": 20,
    "line_ups": "all",
    "limits": {},
    "seed": None,
    "start_at": None,
    "stop": None,
    "repeat": None,
    "fault_share": FAULT_SHARE,
}
LONGEST_NAME = 120
LONGEST_SEED = 128
MOST_ENTRANTS = 256
MOST_GAMES = 2_000_000
SEED_BYTES = 32
ID_BYTES = 7


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A tournament that was scheduled, and the ids of its chunks that are due now."""

    tournament: TournamentView
    due: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Wish:
    """A request in which each value is right by itself."""

    name: str
    entrants: tuple[str, ...]
    rules: Any
    seats: int
    blocks: int
    line_ups: LineUps
    limits: Limits
    seed: str | None
    start_at: datetime | None
    stop: StopRule
    repeat: Repeat | None = None
    fault_share: float | None = FAULT_SHARE


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
    wish = _wish(request, now)
    with db.read() as tx:
        rules, versions = _found(tx, wish)
    planned = _plan(wish, rules, versions)
    tournament = _tournament(wish, rules, planned, account, now, entropy)
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
    rules, versions = _found(tx, wish)
    planned = _plan(wish, rules, versions)
    account = tx.accounts.by_id(before.owner_id)
    assert account is not None
    made = replace(
        _tournament(wish, rules, planned, account, now, entropy),
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
        _, versions = _found(tx, _wish_of(tournament, now))
    except InvalidInput:
        return
    entrants = [Entrant(i, one.id, one.label, one.sha256) for i, one in enumerate(versions)]
    if entrants != list(tx.tournaments.entrants(tournament.id)):
        tx.tournaments.replace_entrants(tournament.id, entrants)
        _first_standings(tx, tournament, now)


def _wish_of(before: Tournament, start_at: datetime) -> _Wish:
    """Give what was wished of a repeating tournament, for another time."""
    return _Wish(
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


def _wish(request: Mapping[str, Any], now: datetime) -> _Wish:
    """Check every value by itself; all problems are told at once."""
    problems = [
        Problem(str(key)[:60], f"is not a key of a tournament; known: {', '.join(KEYS)}")
        for key in request
        if key not in KEYS
    ]
    problems += [Problem(key, "is missing") for key in REQUIRED if key not in request]
    given = {**DEFAULTS, **request}
    name = _text(given, "name", LONGEST_NAME, problems)
    seed = None if given["seed"] is None else _text(given, "seed", LONGEST_SEED, problems)
    if seed == "":
        problems.append(Problem("seed", "is empty; leave it out to have one drawn"))
    entrants = _entrants(given.get("entrants"), problems) if "entrants" in request else ()
    for key in ("seats", "blocks"):
        if type(given[key]) is not int:
            problems.append(Problem(key, "must be a whole number"))
    if given["line_ups"] not in ("all", "balanced"):
        problems.append(Problem("line_ups", 'must be "all" or "balanced"'))
    limits, stop = Limits(), StopRule()
    try:
        limits = load_limits(given["limits"])
    except InvalidInput as error:
        problems += error.problems
    try:
        stop = load_stop_rule(given["stop"])
    except InvalidInput as error:
        problems += [Problem(f"stop.{one.path}".rstrip("."), one.message) for one in error.problems]
    fault_share = _fault_share(given["fault_share"], problems)
    start_at = None
    if given["start_at"] is not None:
        start_at = _start_at(given["start_at"], now, problems)
    repeat = None
    if given["repeat"] is not None:
        repeat, start_at = _repeat(given, start_at or now, problems)
    if problems:
        raise InvalidInput(problems)
    return _Wish(
        name,
        entrants,
        given["rules"],
        given["seats"],
        given["blocks"],
        given["line_ups"],
        limits,
        seed,
        start_at,
        stop,
        repeat,
        fault_share,
    )


def _repeat(
    given: Mapping[str, Any], earliest: datetime, problems: list[Problem]
) -> tuple[Repeat | None, datetime | None]:
    """Read how to repeat; gives it with the time of the first repetition."""
    if given["seed"] is not None:
        message = "each repetition draws its own; leave it out where the tournament repeats"
        problems.append(Problem("seed", message))
    try:
        repeat = load_repeat(given["repeat"])
    except InvalidInput as error:
        problems += [
            Problem(f"repeat.{one.path}".rstrip("."), one.message) for one in error.problems
        ]
        return None, None
    return repeat, repeat.next_after(earliest - timedelta(microseconds=1))


def _fault_share(value: object, problems: list[Problem]) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        problems.append(
            Problem("fault_share", "must be a share from 0 to 1, or null to suspend nobody")
        )
        return None
    return float(value)


def _text(given: Mapping[str, Any], key: str, longest: int, problems: list[Problem]) -> str:
    value = given[key]
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        problems.append(Problem(key, f"must be a text of at most {longest} printable characters"))
        return ""
    return storable(value)


def _entrants(value: object, problems: list[Problem]) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        problems.append(Problem("entrants", 'must be a list like ["easy", "medium@2"]'))
        return ()
    if len(value) > MOST_ENTRANTS:
        problems.append(
            Problem("entrants", f"{counted(len(value), 'entrant')}; at most {MOST_ENTRANTS}")
        )
        return ()
    for i, one in enumerate(value):
        if not isinstance(one, str):
            problems.append(Problem(f"entrants.{i}", "must be a bot's name, or name@version"))
    return tuple(str(one) for one in value)


def _start_at(value: object, now: datetime, problems: list[Problem]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        if isinstance(moment, datetime) and moment.tzinfo is not None:
            moment = moment.astimezone(UTC)
            if moment > now:
                return moment
            problems.append(Problem("start_at", "is in the past; leave it out to begin now"))
            return None
    except (ValueError, OverflowError):
        pass
    problems.append(Problem("start_at", "must be RFC 3339 with a zone: 2026-01-31T18:00:00Z"))
    return None


def _found(tx: Transaction, wish: _Wish) -> tuple[RuleSet, list[BotVersion]]:
    """Find rule set and bot versions; all problems are told at once."""
    problems: list[Problem] = []
    rules = None
    try:
        rules = wanted_rules(tx, wish.rules)
    except InvalidInput as error:
        problems += error.problems
    versions: dict[str, BotVersion] = {}
    for i, text in enumerate(wish.entrants):
        found = found_version(tx, text)
        if isinstance(found, str):
            problems.append(Problem(f"entrants.{i}", found))
        elif found.label in versions:
            problems.append(Problem(f"entrants.{i}", f"{found.label} is entered twice"))
        else:
            versions[found.label] = found
    if rules is not None:
        fewest, most = rules.players
        if not fewest <= wish.seats <= most:
            message = f"{counted(wish.seats, 'seat')}; these rules are for {span(fewest, most)}"
            problems.append(Problem("seats", message))
    if problems or rules is None:
        raise InvalidInput(problems)
    # Canonical: names and the order of asking change nothing (docs/design.md).
    return rules, sorted(versions.values(), key=lambda one: (one.sha256, one.label))


def found_version(tx: Transaction, text: str) -> BotVersion | str:
    """Find an accepted version by `name` or `name@number`; else say what is wrong."""
    name, at, digits = text.partition("@")
    bot = tx.bots.by_name(name) if len(name) <= 40 and storable(name) == name else None
    if bot is None:
        return f"there is no bot {name[:60]!r}"
    if not at:
        latest = tx.bots.latest(bot.id, "accepted")
        return latest or f"{name} has no accepted version"
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    found = tx.bots.by_number(bot.id, number)
    if found is None:
        return f"there is no version {text[:60]!r}"
    return found if found.state == "accepted" else f"{found.label} is {found.state}, not accepted"


def _plan(wish: _Wish, rules: RuleSet, versions: Sequence[BotVersion]) -> Plan:
    planned = plan(len(versions), seats=wish.seats, blocks=wish.blocks, line_ups=wish.line_ups)
    if planned.games > MOST_GAMES:
        message = (
            f"{counted(planned.games, 'game')} in all; at most {MOST_GAMES}: ask for fewer blocks"
        )
        raise InvalidInput([Problem("blocks", message)])
    return planned


def _tournament(
    wish: _Wish, rules: RuleSet, planned: Plan, account: Account, now: datetime, entropy: Entropy
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
