"""Check a submitted bot: the check that authors have too, with the bot in a child process.

Nothing of the file is imported here; the static checks only read it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from maumau.arena.limits import Limits
from maumau.bots.report import Finding
from maumau.bots.wheels import check_file
from maumau.errors import BotError, NotFound, Unavailable
from maumau.settings import Uploads
from maumau.storage import Database
from maumau.storage.values import BotVersion, Reason
from maumau.usecases.clock import Clock
from maumau.usecases.examine import examine
from maumau.usecases.sources import source_of

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 3


class CheckLost(Exception):
    """The version was settled or withdrawn meanwhile, or another worker checks it."""


@dataclass(slots=True)
class _Examined:
    """What the check has found."""

    entry: str = ""
    reasons: list[Reason] = field(default_factory=list)
    report: dict[str, Any] | None = None
    log: str = ""


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
        examined = (
            _given_up() if attempt > MOST_ATTEMPTS else _examine(db, version, files, uploads, alive)
        )
    except CheckLost:
        return _current(db, version_id)
    except (Unavailable, KeyboardInterrupt, SystemExit):
        with db.begin() as tx:
            tx.bots.release_check(version_id, worker, blame=False)
        raise
    except Exception:
        with db.begin() as tx:
            tx.bots.release_check(version_id, worker, blame=True)
        raise
    with db.begin() as tx:
        tx.bots.decide(
            version_id,
            "rejected" if examined.reasons else "accepted",
            now=clock(),
            reasons=examined.reasons,
            report=examined.report,
            log=examined.log,
            entry=examined.entry,
        )
    return _current(db, version_id)


def _current(db: Database, version_id: int) -> BotVersion:
    with db.read() as tx:
        version = tx.bots.version(version_id)
    assert version is not None
    return version


def _given_up() -> _Examined:
    message = f"checking it failed {MOST_ATTEMPTS} times on the server's side; ask the operator"
    return _Examined(reasons=[Reason("check_failed", message)])


def _examine(
    db: Database,
    version: BotVersion,
    files: Path,
    uploads: Uploads,
    alive: Callable[[], None],
) -> _Examined:
    examined = _Examined()
    with db.read() as tx:
        content = tx.files.get(version.sha256)
    try:
        examined.entry = check_file(version.filename, content).entry
    except BotError as error:
        examined.reasons.append(Reason(error.code, str(error)))
        return examined
    source = source_of(db, version, files, entry=examined.entry)
    found = examine(source, limits=Limits(), uploads=uploads, alive=alive)
    examined.log = found.log
    examined.report = found.document()
    if found.refusal is not None:
        examined.reasons.append(Reason(found.refusal.code, str(found.refusal)))
    elif found.report is not None:
        examined.reasons += [_reason(version, finding) for finding in found.report.findings]
    return examined


def _reason(version: BotVersion, finding: Finding) -> Reason:
    text = f"{finding.message} ({finding.meaning} At {finding.place}.)"
    if finding.record is not None:
        text += f" See it again: maumau replay {version.label} --bot {version.filename}"
    return Reason(finding.code, text)


class _Heartbeat:
    """Keeps the claim on a check; raises `CheckLost` to end it."""

    def __init__(
        self, db: Database, clock: Clock, version_id: int, worker: str, lease: timedelta
    ) -> None:
        self._db, self._clock, self._lease = db, clock, lease
        self._version_id, self._worker = version_id, worker
        self._last = clock()

    def __call__(self) -> None:
        now = self._clock()
        # A clock that was set back must not silence it.
        if self._last <= now < self._last + self._lease / 3:
            return
        self._last = now
        try:
            with self._db.begin() as tx:
                held = tx.bots.extend_check(self._version_id, self._worker, until=now + self._lease)
        except Unavailable:
            return
        if not held:
            raise CheckLost
