"""Withdraw a bot version: hidden from new tournaments, its results stay."""

from __future__ import annotations

from maumau.errors import NotFound
from maumau.storage import Account, Database
from maumau.storage.values import BotVersion
from maumau.usecases import access
from maumau.usecases.clock import Clock


def withdraw(db: Database, clock: Clock, account: Account, name: str, number: int) -> BotVersion:
    """Withdraw one version; owner or admin only. Again is no error."""
    with db.begin() as tx:
        bot = tx.bots.by_name(name)
        found = tx.bots.by_number(bot.id, number) if bot else None
        if bot is None or found is None:
            raise NotFound("bot version", f"{name}@{number}")
        access.owner_or_admin(account, bot.owner_id, "withdraw this bot version")
        if found.state != "withdrawn":
            tx.bots.withdraw(found.id, now=clock())
        changed = tx.bots.version(found.id)
        assert changed is not None
        return changed


def withdraw_all(db: Database, clock: Clock, account: Account, name: str) -> tuple[BotVersion, ...]:
    """Withdraw every version of a bot, youngest first; owner or admin only."""
    with db.begin() as tx:
        bot = tx.bots.by_name(name)
        if bot is None:
            raise NotFound("bot", name)
        access.owner_or_admin(account, bot.owner_id, "withdraw this bot")
        now = clock()
        for version in tx.bots.all_versions(bot.id):
            if version.state != "withdrawn":
                tx.bots.withdraw(version.id, now=now)
        return tuple(tx.bots.all_versions(bot.id))
