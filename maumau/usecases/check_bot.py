"""Check a submitted bot: in a child process it loads, answers legally and plays a short match.

Nothing of the file is imported here; the static checks only read it.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob, play_chunk
from maumau.arena.session import Answer, Position, Session
from maumau.bots import registry
from maumau.bots.source import BotSource
from maumau.bots.wheels import check_file
from maumau.errors import BotError, NotFound, Unavailable
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.settings import Uploads
from maumau.storage import Database
from maumau.storage.values import BotVersion, Reason
from maumau.tournament.sums import SHARE_UNITS, share_units
from maumau.usecases.clock import Clock
from maumau.usecases.sources import source_of

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 3
SEED = "check"
POSITIONS = 40
"""Decisions asked under each preset."""
MATCH_RULES = "champion"
MATCH_BLOCKS = 10
OPPONENT = "random"


class CheckLost(Exception):
    """The version was settled or withdrawn meanwhile, or another worker checks it."""


@dataclass(slots=True)
class _Findings:
    """What the check has seen so far; the first reason ends it."""

    entry: str = ""
    reasons: list[Reason] = field(default_factory=list)
    report: dict[str, Any] = field(default_factory=dict)
    log: str = ""

    def refuse(self, code: str, message: str) -> None:
        self.reasons.append(Reason(code, message))


def check(
    db: Database,
    clock: Clock,
    version_id: int,
    worker: str,
    *,
    files: Path,
    uploads: Uploads = "sandbox",
    lease: timedelta = LEASE,
) -> BotVersion:
    """Check a pending version and settle it: `accepted`, or `rejected` with reasons.

    A version that is not pending, or that another worker checks, is given back as it is. Raises
    `NotFound`, and `Unavailable` where uploaded bots cannot be run here; it stays pending then.
    """
    with db.begin() as tx:
        version = tx.bots.version(version_id)
        if version is None:
            raise NotFound("bot version", version_id)
        now = clock()
        attempt = tx.bots.claim_check(version_id, worker, now=now, until=now + lease)
    if attempt is None:
        return version
    alive = _Heartbeat(db, clock, version_id, worker, lease)
    try:
        if attempt > MOST_ATTEMPTS:
            findings = _Findings()
            message = f"checking it ended its worker {MOST_ATTEMPTS} times; ask the operator"
            findings.refuse("check_failed", message)
        else:
            findings = _examine(db, version, files, uploads, alive)
    except CheckLost:
        return _settled(db, version_id)
    except Unavailable:
        with db.begin() as tx:
            tx.bots.release_check(version_id, worker, blame=False)
        raise
    with db.begin() as tx:
        tx.bots.decide(
            version_id,
            "rejected" if findings.reasons else "accepted",
            now=clock(),
            reasons=findings.reasons,
            report=findings.report,
            log=findings.log,
            entry=findings.entry,
        )
    return _settled(db, version_id)


def _settled(db: Database, version_id: int) -> BotVersion:
    with db.read() as tx:
        version = tx.bots.version(version_id)
    assert version is not None
    return version


class _Heartbeat:
    """Keeps the claim on a check; raises `CheckLost` to end it."""

    def __init__(
        self, db: Database, clock: Clock, version_id: int, worker: str, lease: timedelta
    ) -> None:
        self._db, self._clock, self._lease = db, clock, lease
        self._version_id, self._worker = version_id, worker
        self._next = clock() + lease / 3

    def __call__(self) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + self._lease / 3
        try:
            with self._db.begin() as tx:
                held = tx.bots.extend_check(self._version_id, self._worker, until=now + self._lease)
        except Unavailable:
            return
        if not held:
            raise CheckLost


def _examine(
    db: Database,
    version: BotVersion,
    files: Path,
    uploads: Uploads,
    alive: Callable[[], None],
) -> _Findings:
    findings = _Findings()
    with db.read() as tx:
        content = tx.files.get(version.sha256)
    try:
        findings.entry = check_file(version.filename, content).entry
    except BotError as error:
        findings.refuse(error.code, str(error))
        return findings
    source = source_of(db, version, files, entry=findings.entry)
    for name in sorted(preset_names()):
        _ask_positions(findings, source, name, uploads, alive)
        if findings.reasons:
            return findings
    _play_match(findings, source, uploads, alive)
    return findings


def _ask_positions(
    findings: _Findings,
    source: BotSource,
    preset: str,
    uploads: Uploads,
    alive: Callable[[], None],
) -> None:
    """Ask the bot for its decision in positions of random deals under a preset."""
    rules = load_rules(preset)
    spent: list[int] = []
    with Session(source, rules, limits=Limits(), uploads=uploads, alive=alive) as session:
        findings.report.setdefault("runtime", session.runtime)
        if session.start_fault is not None:
            code = session.refusal or session.start_fault.kind
            findings.refuse(code, session.start_fault.detail)
        else:
            for where, deal in _positions(rules, POSITIONS):
                answer = session.ask(Position.of(deal, SEED))
                spent.append(answer.cpu_ns)
                if answer.fault is not None:
                    findings.refuse(answer.fault.kind, _told(preset, where, deal, answer))
                    break
        findings.log = session.log() or findings.log
    if spent:
        findings.report.setdefault("decisions", {})[preset] = _speed(spent)


def _positions(rules: RuleSet, number: int) -> Iterator[tuple[str, Deal]]:
    """Play random deals and give every third decision that is a choice, with its place."""
    rng = random.Random(SEED)
    fewest, most = rules.players
    given = deals = 0
    while given < number:
        seats = fewest + deals % (most - fewest + 1)
        deal = Deal(rules, seats, deals % seats, SEED, deals)
        while not deal.over and given < number:
            legal = deal.legal_actions()
            if len(legal) > 1 and rng.randrange(3) == 0:
                given += 1
                yield f"deal {deals} of {seats} seats, seat {deal.seat} to act", deal
            deal.apply(rng.choice(legal))
        deals += 1


def _told(preset: str, where: str, deal: Deal, answer: Answer) -> str:
    assert answer.fault is not None
    obs = deal.observation(deal.seat)
    hand, top = " ".join(obs.hand), obs.top_card
    legal = " ".join(ACTIONS[number] for number in deal.legal_ids())
    return (
        f"{answer.fault.detail}; under {preset}, {where} with hand {hand} on {top}; legal: {legal}"
    )


def _speed(spent_ns: list[int]) -> dict[str, float]:
    """Give CPU time of a decision: median, 99 % and worst, in milliseconds."""
    ordered = sorted(spent_ns)
    figures = {
        "median_ms": statistics.median(ordered),
        "p99_ms": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        "worst_ms": ordered[-1],
    }
    shown = {name: round(value / 1e6, 3) for name, value in figures.items()}
    return {"asked": len(ordered), **shown}


def _play_match(
    findings: _Findings, source: BotSource, uploads: Uploads, alive: Callable[[], None]
) -> None:
    """Let the bot play a short match against `random`; a game that it forfeits is a reason."""
    opponent = registry.find(OPPONENT).source
    job = ChunkJob(
        rules=load_rules(MATCH_RULES),
        sources=(source, opponent),
        names=(source.name, OPPONENT),
        blocks=tuple(
            BlockJob(block, f"{SEED}:{block}", ((0, 1), (1, 0))) for block in range(MATCH_BLOCKS)
        ),
        limits=Limits(),
    )
    result = play_chunk(job, uploads=uploads, alive=alive)
    units = 0
    for leg in result.legs:
        seat = leg.seating.index(0)
        units += share_units(leg.ranks)[seat]
        if leg.fault is not None and leg.fault.seat == seat:
            where = f"game {leg.block}.{leg.leg}, deal {leg.fault.deal}, action {leg.fault.action}"
            findings.refuse(leg.fault.kind, f"{leg.fault.detail}; in the match, {where}")
            findings.log = leg.fault.log or findings.log
            break
    share = round(units / (SHARE_UNITS * len(result.legs)), 3)
    findings.report["match"] = {
        "rules": MATCH_RULES,
        "opponent": OPPONENT,
        "games": len(result.legs),
        "score_share": share,
    }
