"""Read bots and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from maumau.bots import registry
from maumau.errors import NotFound
from maumau.storage import Account, Database, Transaction
from maumau.storage.bots import BOTS_BY_NAME, BOTS_NEWEST, VERSIONS_NEWEST
from maumau.storage.types import storable
from maumau.storage.values import Bot, BotVersion, VersionState
from maumau.usecases import access
from maumau.usecases.read.pages import LARGEST_PAGE, Page, Pages, chosen

ORDERS = {"name": BOTS_BY_NAME, "-created_at": BOTS_NEWEST}


@dataclass(frozen=True, slots=True)
class BotView:
    """A name, whose it is, and its youngest version."""

    name: str
    owner: str
    created_at: datetime
    latest: BotVersion | None


@dataclass(frozen=True, slots=True)
class Source:
    """A submitted file as it came."""

    filename: str
    content: bytes


def bots(
    db: Database,
    *,
    limit: int = 50,
    after: str | None = None,
    owner: str | None = None,
    sort: str = "name",
) -> Page[BotView]:
    """List the bots, of one account or of all."""
    order = chosen(ORDERS, sort)
    pages = Pages(order, "bots", owner, sort)
    with db.read() as tx:
        found = tx.bots.page(pages.slice(limit, after), order, owner=owner)
        newest = tx.bots.newest([one.id for one in found.items])
    return pages.page(found, lambda one: _view(one, newest.get(one.id)))


def playing_bots(db: Database) -> list[str]:
    """Give the names of bots that may play, as forms offer them; at most a page's largest."""
    with db.read() as tx:
        return tx.bots.playing(limit=LARGEST_PAGE)


def bot(db: Database, name: str) -> BotView:
    """Read one bot; raises `NotFound`."""
    with db.read() as tx:
        found = _bot(tx, name)
        return _view(found, tx.bots.newest([found.id]).get(found.id))


def versions(
    db: Database,
    name: str,
    *,
    limit: int = 50,
    after: str | None = None,
    state: VersionState | None = None,
) -> Page[BotVersion]:
    """List a bot's versions, youngest first; raises `NotFound`."""
    pages = Pages(VERSIONS_NEWEST, "versions", name, state)
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found = tx.bots.versions(_bot(tx, name).id, cut, state=state)
    return pages.page(found, lambda one: one)


def version(db: Database, name: str, number: int) -> BotVersion:
    """Read one bot version; raises `NotFound`."""
    with db.read() as tx:
        return _version(tx, name, number)


def log(db: Database, account: Account, name: str, number: int) -> str:
    """Read what a version wrote while it was checked; its owner and admins only."""
    with db.read() as tx:
        found = _version(tx, name, number)
        access.owner_or_admin(account, found.owner_id, "read this log")
        return tx.bots.log(found.id)


def source(db: Database, account: Account, name: str, number: int) -> Source:
    """Read a submitted file; its owner and admins only. An installed plugin has none."""
    with db.read() as tx:
        found = _version(tx, name, number)
        access.owner_or_admin(account, found.owner_id, "read this source")
        if found.kind == "plugin":
            raise NotFound("file", found.label, "it is an installed plugin")
        return Source(found.filename, tx.files.get(found.sha256))


def _bot(tx: Transaction, name: str) -> Bot:
    found = tx.bots.by_name(name)
    if found is None:
        raise NotFound("bot", name)
    return found


def _version(tx: Transaction, name: str, number: int) -> BotVersion:
    found = tx.bots.by_number(_bot(tx, name).id, number) if number < 2**31 else None
    if found is None:
        raise NotFound("bot version", f"{name}@{number}")
    return found


def _view(one: Bot, latest: BotVersion | None) -> BotView:
    return BotView(one.name, one.owner, one.created_at, latest)


def found_version(tx: Transaction, text: str) -> BotVersion | str:
    """Find an accepted version by `name` or `name@number`; else say what is wrong."""
    name, at, digits = text.partition("@")
    bot = tx.bots.by_name(name) if len(name) <= 40 and storable(name) == name else None
    if registry.sees_all(name):
        return f"{name} sees all cards and is in no tournament: maumau play {name} hard"
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
