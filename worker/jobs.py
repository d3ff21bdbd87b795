"""The jobs, by name: what they are asked for may have been done already; then they do nothing.

A job that plays goes on with other due chunks until it has played for about a second, so that the
queue's own cost stays small however short a chunk is.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from maumau.errors import Unavailable
from maumau.usecases import check_bot as checking
from maumau.usecases import due, play
from worker.process import This, current

PLAY_SECONDS = 1.0
LOOK_AHEAD = 16
# What cannot be done here now is left alone for so long: it stays due, for others too.
PAUSE_SECONDS = 10.0

log = structlog.get_logger(__name__)


def check_bot(version_id: int | str) -> None:
    """Check a bot version, unless that was done."""
    this = current()
    key = f"check {version_id}"
    if key in _paused(this):
        return
    try:
        checking.check(
            this.db,
            this.clock,
            int(version_id),
            this.name,
            files=this.files,
            uploads=this.settings.uploads,
        )
    except Unavailable as error:
        _pause(this, key, error)


def play_chunk(chunk_id: str) -> None:
    """Play a chunk, unless somebody else has it; then others, for about a second in all."""
    this = current()
    began = this.clock()
    asked = [chunk_id] if chunk_id not in _paused(this) else []
    candidates: Sequence[str] = [*asked, *(one for one in _due(this) if one != chunk_id)]
    while not this.stopping and any(_played(this, one) for one in candidates):
        # A clock that was set back must not keep it from the queue, where checks wait.
        if not 0 <= (this.clock() - began).total_seconds() < PLAY_SECONDS:
            return
        candidates = _due(this)


def _played(this: This, chunk_id: str) -> bool:
    try:
        return play.play_chunk(
            this.db,
            this.clock,
            chunk_id,
            this.name,
            files=this.files,
            uploads=this.settings.uploads,
            lease=this.lease,
        )
    except Unavailable as error:
        _pause(this, chunk_id, error)
        return False


def _due(this: This) -> list[str]:
    """Give chunks that are due; each worker begins elsewhere, so that they seldom collide."""
    paused = _paused(this)
    found = [
        one
        for one in due.due_chunks(this.db, this.clock, limit=LOOK_AHEAD + len(paused))
        if one not in paused
    ]
    first = this.number % len(found) if found else 0
    return found[first:] + found[:first]


def _pause(this: This, key: str, error: Unavailable) -> None:
    log.warning("not_here_now", what=key, reason=str(error))
    this.paused[key] = this.clock()


def _paused(this: This) -> set[str]:
    now = this.clock()
    for key, since in list(this.paused.items()):
        if not 0 <= (now - since).total_seconds() < PAUSE_SECONDS:
            del this.paused[key]
    return set(this.paused)
