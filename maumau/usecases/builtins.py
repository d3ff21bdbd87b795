"""Installed plugins become accepted bot versions of the system account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from maumau.bots import registry
from maumau.bots.registry import InstalledBot
from maumau.storage import Database, Transaction
from maumau.storage.values import BotVersion, NewVersion
from maumau.usecases.accounts import system_account
from maumau.usecases.clock import Clock


@dataclass(frozen=True, slots=True)
class Installed:
    """The versions that the plugins are, and the names that another account has already."""

    versions: tuple[BotVersion, ...]
    taken: tuple[str, ...]


def install_builtins(
    db: Database, clock: Clock, *, bots: Iterable[InstalledBot] | None = None
) -> Installed:
    """Keep every installed bot as an accepted version; one whose content changed is a new version.

    `bots` are those of the registry by default. Again changes nothing.
    """
    wanted = list(registry.installed() if bots is None else bots)
    with db.read() as tx:
        known = _known(tx, wanted)
    if known is not None:
        return known
    now = clock()
    versions, taken = [], []
    with db.begin() as tx:
        owner = system_account(tx, now)
        for one in wanted:
            bot = tx.bots.claim_name(one.name, owner.id, now=now)
            if bot.owner_id != owner.id:
                taken.append(one.name)
                continue
            same = tx.bots.by_sha256(bot.id, one.source.sha256)
            versions.append(
                same
                or tx.bots.add_version(
                    bot.id,
                    NewVersion(
                        sha256=one.source.sha256,
                        kind="plugin",
                        filename=one.distribution,
                        entry=one.source.entry,
                        size=0,
                        state="accepted",
                        created_at=now,
                    ),
                )
            )
    return Installed(tuple(versions), tuple(taken))


def _known(tx: Transaction, wanted: list[InstalledBot]) -> Installed | None:
    """Give what is there if all is: then nothing needs to be written."""
    versions = []
    for one in wanted:
        bot = tx.bots.by_name(one.name)
        same = tx.bots.by_sha256(bot.id, one.source.sha256) if bot else None
        if same is None:
            return None
        versions.append(same)
    return Installed(tuple(versions), ())
