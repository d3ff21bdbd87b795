"""Bots and their versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, or_, select

from maumau.storage.dialects import insert_absent
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import account, bot, bot_version
from maumau.storage.values import Bot, BotVersion, NewVersion, Reason, VersionState

LARGEST_NUMBER = 2**31
BOTS_BY_NAME = Order((bot.c.name,))
BOTS_NEWEST = Order((bot.c.created_at, bot.c.id), descending=True)
VERSIONS_NEWEST = Order((bot_version.c.number,), descending=True)
_CLAIM = (
    bot_version.c.id,
    bot_version.c.checked_by,
    bot_version.c.check_until,
    bot_version.c.check_attempts,
)


class CheckClaim(NamedTuple):
    """Who checks a version and until when; any sign of life changes it."""

    version_id: int
    worker: str
    until: datetime
    attempts: int


class Bots:
    """The bots and bot versions, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def by_name(self, name: str) -> Bot | None:
        """Find a bot by its name."""
        row = self._connection.execute(_bots().where(bot.c.name == name)).first()
        return _bot(row) if row else None

    def claim_name(self, name: str, account_id: int, *, now: datetime) -> Bot:
        """Give the bot of that name, made for the account if there was none: see whose it is."""
        insert_absent(
            self._connection, bot, {"name": name, "account_id": account_id, "created_at": now}
        )
        # Locked, so that two submissions of one bot get two numbers.
        query = _bots().where(bot.c.name == name).with_for_update(of=bot)
        return _bot(self._connection.execute(query).one())

    def page(self, cut: Slice, order: Order, *, owner: str | None = None) -> Keyed[Bot]:
        """List the bots, of one account or of all."""
        query = _bots()
        if owner is not None:
            query = query.where(account.c.name == owner)
        return fetch(self._connection, query, order, cut, _bot)

    def add_version(self, bot_id: int, new: NewVersion) -> BotVersion:
        """Keep a new version under the next number."""
        highest = select(func.coalesce(func.max(bot_version.c.number), 0)).where(
            bot_version.c.bot_id == bot_id
        )
        number = self._connection.execute(highest).scalar_one() + 1
        values = asdict(new) | {
            "bot_id": bot_id,
            "number": number,
            "reasons": [],
            "log": "",
            "check_attempts": 0,
            "decided_at": None if new.state == "pending" else new.created_at,
        }
        self._connection.execute(bot_version.insert().values(**values))
        found = self.by_number(bot_id, number)
        assert found is not None
        return found

    def version(self, version_id: int) -> BotVersion | None:
        """Find a version by its id."""
        return self._one(_versions().where(bot_version.c.id == version_id))

    def by_number(self, bot_id: int, number: int) -> BotVersion | None:
        """Find a version of a bot by its number."""
        if not 0 < number < LARGEST_NUMBER:
            return None
        return self._one(
            _versions().where(bot_version.c.bot_id == bot_id, bot_version.c.number == number)
        )

    def by_sha256(self, bot_id: int, sha256: str) -> BotVersion | None:
        """Find the version of a bot that has this content."""
        return self._one(
            _versions().where(bot_version.c.bot_id == bot_id, bot_version.c.sha256 == sha256)
        )

    def log(self, version_id: int) -> str:
        """Give what a version wrote while it was checked; for its owner and admins."""
        query = select(bot_version.c.log).where(bot_version.c.id == version_id)
        return self._connection.execute(query).scalar_one_or_none() or ""

    def latest(self, bot_id: int, state: VersionState) -> BotVersion | None:
        """Find a bot's youngest version in a state."""
        return self._one(
            _versions()
            .where(bot_version.c.bot_id == bot_id, bot_version.c.state == state)
            .order_by(bot_version.c.number.desc())
            .limit(1)
        )

    def versions(
        self, bot_id: int, cut: Slice, *, state: VersionState | None = None
    ) -> Keyed[BotVersion]:
        """List a bot's versions, youngest first."""
        query = _versions().where(bot_version.c.bot_id == bot_id)
        if state is not None:
            query = query.where(bot_version.c.state == state)
        return fetch(self._connection, query, VERSIONS_NEWEST, cut, _version)

    def all_versions(self, bot_id: int) -> list[BotVersion]:
        """Give all versions of a bot, youngest first."""
        query = _versions().where(bot_version.c.bot_id == bot_id)
        rows = self._connection.execute(query.order_by(bot_version.c.number.desc()))
        return [_version(row) for row in rows]

    def playing(self, *, limit: int) -> list[str]:
        """Give the names of bots with an accepted version, in order of name."""
        query = (
            select(bot.c.name)
            .join(bot_version, bot_version.c.bot_id == bot.c.id)
            .where(bot_version.c.state == "accepted")
            .distinct()
            .order_by(bot.c.name)
            .limit(limit)
        )
        return list(self._connection.execute(query).scalars())

    def newest(self, bot_ids: Sequence[int]) -> dict[int, BotVersion]:
        """Give the youngest version of each of these bots."""
        highest = (
            select(bot_version.c.bot_id, func.max(bot_version.c.number).label("number"))
            .where(bot_version.c.bot_id.in_(bot_ids))
            .group_by(bot_version.c.bot_id)
            .subquery()
        )
        query = _versions().join(
            highest,
            (highest.c.bot_id == bot_version.c.bot_id) & (highest.c.number == bot_version.c.number),
        )
        found = map(_version, self._connection.execute(query))
        return {version.bot_id: version for version in found}

    def many(self, version_ids: Sequence[int]) -> dict[int, BotVersion]:
        """Give these versions by their ids."""
        query = _versions().where(bot_version.c.id.in_(version_ids))
        found = map(_version, self._connection.execute(query))
        return {version.id: version for version in found}

    def states(self, version_ids: Sequence[int]) -> dict[int, VersionState]:
        """Give the states of these versions by their ids."""
        query = select(bot_version.c.id, bot_version.c.state).where(
            bot_version.c.id.in_(version_ids)
        )
        return {row.id: row.state for row in self._connection.execute(query)}

    def due_checks(self, *, now: datetime, limit: int) -> list[int]:
        """Give the ids of pending versions that nobody is checking, oldest first."""
        query = (
            select(bot_version.c.id)
            .where(bot_version.c.state == "pending", _unchecked(now))
            .order_by(bot_version.c.id)
            .limit(limit)
        )
        return list(self._connection.execute(query).scalars())

    def claim_check(
        self, version_id: int, worker: str, *, now: datetime, until: datetime
    ) -> int | None:
        """Take a pending version for checking; gives which attempt this is, None if it is taken.

        Whoever held it and fell silent was not seen to die: that attempt does not count.
        """
        silent = bot_version.c.checked_by.is_not(None)
        return self._connection.execute(
            bot_version.update()
            .where(
                bot_version.c.id == version_id, bot_version.c.state == "pending", _unchecked(now)
            )
            .values(
                checked_by=worker,
                check_until=until,
                check_attempts=bot_version.c.check_attempts + case((silent, 0), else_=1),
            )
            .returning(bot_version.c.check_attempts)
        ).scalar_one_or_none()

    def check_holders(self) -> list[str]:
        """Give the names of the workers that check something."""
        held = bot_version.c.checked_by
        query = select(held).where(held.is_not(None), bot_version.c.state == "pending").distinct()
        return list(self._connection.execute(query).scalars())

    def checking(self) -> list[CheckClaim]:
        """Give all claims on checks as they stand."""
        query = select(*_CLAIM).where(
            bot_version.c.state == "pending", bot_version.c.checked_by.is_not(None)
        )
        return [CheckClaim(*row) for row in self._connection.execute(query)]

    def take_back_checks(self, silent: Sequence[CheckClaim]) -> list[int]:
        """Take back claims that have not changed since they were read, without blame."""
        taken: list[int] = []
        for one in silent:
            unchanged = [column == value for column, value in zip(_CLAIM, one, strict=True)]
            taken += self._release(*unchanged, blame=False)
        return taken

    def extend_check(self, version_id: int, worker: str, *, until: datetime) -> bool:
        """Show a sign of life; False if the check was taken away or the version is settled."""
        changed = self._connection.execute(
            bot_version.update().where(_checking(version_id, worker)).values(check_until=until)
        )
        return changed.rowcount == 1

    def release_check(self, version_id: int, worker: str, *, blame: bool) -> None:
        """Give back one version; without blame the attempt does not count."""
        self._release(
            bot_version.c.id == version_id, bot_version.c.checked_by == worker, blame=blame
        )

    def release_checks(self, worker: str, *, blame: bool) -> list[int]:
        """Give back what a worker was checking; without blame the attempt does not count."""
        return self._release(bot_version.c.checked_by == worker, blame=blame)

    def release_all_checks(self) -> None:
        """Give back all that is being checked, nobody to blame."""
        self._release(bot_version.c.checked_by.is_not(None), blame=False)

    def _release(self, *whose: ColumnElement[bool], blame: bool) -> list[int]:
        counted = bot_version.c.check_attempts - (0 if blame else 1)
        return list(
            self._connection.execute(
                bot_version.update()
                .where(bot_version.c.state == "pending", *whose)
                .values(checked_by=None, check_until=None, check_attempts=counted)
                .returning(bot_version.c.id)
            ).scalars()
        )

    def decide(
        self,
        version_id: int,
        state: VersionState,
        *,
        now: datetime,
        reasons: Sequence[Reason] = (),
        report: Mapping[str, Any] | None = None,
        log: str = "",
        entry: str = "",
    ) -> bool:
        """Settle a pending version; False if it was settled or withdrawn meanwhile."""
        changed = self._connection.execute(
            bot_version.update()
            .where(bot_version.c.id == version_id, bot_version.c.state == "pending")
            .values(
                state=state,
                reasons=[asdict(reason) for reason in reasons],
                report=None if report is None else dict(report),
                log=log,
                entry=entry,
                decided_at=now,
                checked_by=None,
                check_until=None,
            )
        )
        return changed.rowcount == 1

    def withdraw(self, version_id: int, *, now: datetime) -> None:
        """Hide a version from new tournaments; what it played stays."""
        self._connection.execute(
            bot_version.update()
            .where(bot_version.c.id == version_id)
            .values(state="withdrawn", decided_at=now, checked_by=None, check_until=None)
        )

    def _one(self, query: Select[Any]) -> BotVersion | None:
        row = self._connection.execute(query).first()
        return _version(row) if row else None


def _checking(version_id: int, worker: str) -> ColumnElement[bool]:
    return (
        (bot_version.c.id == version_id)
        & (bot_version.c.state == "pending")
        & (bot_version.c.checked_by == worker)
    )


def _unchecked(now: datetime) -> Any:
    return or_(bot_version.c.check_until.is_(None), bot_version.c.check_until < now)


def _bots() -> Select[Any]:
    return select(bot, account.c.name.label("owner")).join_from(
        bot, account, account.c.id == bot.c.account_id
    )


def _versions() -> Select[Any]:
    told = [c for c in bot_version.c if c is not bot_version.c.log]
    owner = (bot.c.account_id.label("owner_id"), account.c.name.label("owner"))
    return (
        select(*told, bot.c.name.label("bot_name"), *owner)
        .join_from(bot_version, bot, bot.c.id == bot_version.c.bot_id)
        .join(account, account.c.id == bot.c.account_id)
    )


def _bot(row: Row[Any]) -> Bot:
    return Bot(row.id, row.name, row.owner, row.account_id, row.created_at)


def _version(row: Row[Any]) -> BotVersion:
    return BotVersion(
        id=row.id,
        bot_id=row.bot_id,
        bot=row.bot_name,
        version=row.number,
        owner=row.owner,
        owner_id=row.owner_id,
        sha256=row.sha256,
        kind=row.kind,
        filename=row.filename,
        entry=row.entry,
        size=row.size,
        state=row.state,
        reasons=tuple(Reason(**reason) for reason in row.reasons),
        report=row.report,
        created_at=row.created_at,
        decided_at=row.decided_at,
        check_attempts=row.check_attempts,
    )
