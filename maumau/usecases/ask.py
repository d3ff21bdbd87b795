"""Ask a bot version for its decision in one position, in a process of its own (docs/tables.md)."""

from __future__ import annotations

from pathlib import Path

from maumau.arena.session import Answer, Position, Session
from maumau.bots import registry
from maumau.bots.source import BotSource
from maumau.errors import NotFound, Unavailable
from maumau.rules.actions import ACTIONS
from maumau.rules.deal import Deal
from maumau.settings import Uploads
from maumau.storage import Database
from maumau.storage.values import BotVersion
from maumau.usecases.sources import source_of

HOST_ATTEMPTS = 3


def decision_seed(seed: str, deal: int, step: int) -> str:
    """Give the seed of a bot's rng for one decision: the same whenever it is asked again."""
    return f"{seed}:table:{deal}:{step}"


def ask(
    db: Database,
    version: BotVersion,
    deal: Deal,
    seed: str,
    *,
    files: Path,
    uploads: Uploads,
    stand_in: bool = False,
) -> Answer:
    """Give what a bot version does as the seat to act of a deal; a fault is an answer too.

    A fresh object of the bot is told the deal so far and asked once; what happened in earlier
    deals it does not know but for the totals. `stand_in` lets an installed plugin of the same name
    take the place of a release that is no more. Raises `Unavailable` where it cannot be run here.
    """
    source = _source(db, version, files, stand_in=stand_in)
    position = Position.of(deal, seed)
    detail = ""
    for _ in range(HOST_ATTEMPTS):
        with Session(source, deal.rules, uploads=uploads) as session:
            if session.start_fault is not None:
                answer = Answer(None, session.start_fault, 0)
            else:
                answer = session.ask(position)
        if answer.fault is None or not answer.fault.is_host:
            return answer
        detail = answer.fault.detail
    raise Unavailable("host_fault", f"the bot could not be asked now: {detail}", retry_after=5)


def _source(db: Database, version: BotVersion, files: Path, *, stand_in: bool) -> BotSource:
    try:
        return source_of(db, version, files)
    except Unavailable as error:
        if not stand_in or error.code != "plugin_missing":
            raise
        try:
            return registry.find(version.bot).source
        except NotFound:
            raise error from None


def forced(deal: Deal) -> str | None:
    """Give the one legal action where there is no choice: nobody needs to be asked then."""
    legal = deal.legal_ids()
    return ACTIONS[legal[0]] if len(legal) == 1 else None
