"""Accounts and their tokens."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, func, or_, select

from maumau.errors import Conflict
from maumau.storage.dialects import insert_absent
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import account, token
from maumau.storage.values import ROLES, Account, Role, Token

BY_NAME = Order((account.c.name,))
TOKENS_BY_AGE = Order((token.c.created_at, token.c.id), descending=True)


class Accounts:
    """The accounts and tokens, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def create(self, name: str, role: Role, *, now: datetime, system: bool = False) -> Account:
        """Add an account; raises `Conflict` (`name_taken`) if there is one of that name."""
        values = {"name": name, "role": role, "system": system, "created_at": now}
        if not insert_absent(self._connection, account, values):
            raise Conflict("name_taken", f"there is an account {name!r} already")
        found = self.by_name(name)
        assert found is not None
        return found

    def by_name(self, name: str) -> Account | None:
        """Find an account by its name."""
        row = self._connection.execute(select(account).where(account.c.name == name)).first()
        return _account(row) if row else None

    def by_id(self, account_id: int) -> Account | None:
        """Find an account by its id."""
        row = self._connection.execute(select(account).where(account.c.id == account_id)).first()
        return _account(row) if row else None

    def page(self, cut: Slice) -> Keyed[Account]:
        """List the accounts by name."""
        return fetch(self._connection, select(account), BY_NAME, cut, _account)

    def names(self, account_ids: Collection[int]) -> dict[int, str]:
        """Give the names of accounts by their ids."""
        query = select(account.c.id, account.c.name).where(account.c.id.in_(account_ids))
        return {row.id: row.name for row in self._connection.execute(query)}

    def disable(self, account_id: int, *, now: datetime) -> None:
        """Let no token of an account hold any more; the first time counts."""
        self._connection.execute(
            account.update()
            .where(account.c.id == account_id, account.c.disabled_at.is_(None))
            .values(disabled_at=now)
        )

    def enable(self, account_id: int) -> None:
        """Let the tokens of an account hold again."""
        self._connection.execute(
            account.update().where(account.c.id == account_id).values(disabled_at=None)
        )

    def add_token(self, new: Token) -> None:
        """Keep a token (its SHA-256 only)."""
        self._connection.execute(
            token.insert().values(
                id=new.id,
                account_id=new.account_id,
                sha256=new.sha256,
                role=new.role,
                label=new.label,
                created_at=new.created_at,
                expires_at=new.expires_at,
                revoked_at=new.revoked_at,
                session_of=new.session_of,
            )
        )

    def token(self, token_id: str) -> Token | None:
        """Find a token by its public id."""
        row = self._connection.execute(select(token).where(token.c.id == token_id)).first()
        return _token(row) if row else None

    def by_token(self, sha256: str, *, now: datetime) -> tuple[Account, Token] | None:
        """Find a token that holds now, and its account with what this token may do as its role."""
        begun_with = token.alias()
        query = (
            select(token)
            .outerjoin(begun_with, token.c.session_of == begun_with.c.id)
            .where(
                token.c.sha256 == sha256,
                _holds(token, now),
                or_(token.c.session_of.is_(None), _holds(begun_with, now)),
            )
        )
        row = self._connection.execute(query).first()
        owner = self.by_id(row.account_id) if row else None
        if row is None or owner is None or owner.disabled_at is not None:
            return None
        return replace(owner, role=_least(owner.role, row.role)), _token(row)

    def tokens(self, cut: Slice, *, account_id: int | None = None) -> Keyed[Token]:
        """List the tokens, youngest first; of one account or of all."""
        query = select(token)
        if account_id is not None:
            query = query.where(token.c.account_id == account_id)
        return fetch(self._connection, query, TOKENS_BY_AGE, cut, _token)

    def has_admin(self) -> bool:
        """Tell whether any admin token was ever made."""
        count = select(func.count()).select_from(token).where(token.c.role == "admin")
        return bool(self._connection.execute(count).scalar_one())

    def revoke(self, token_id: str, *, now: datetime) -> None:
        """Take a token back; the first time counts."""
        self._connection.execute(
            token.update()
            .where(token.c.id == token_id, token.c.revoked_at.is_(None))
            .values(revoked_at=now)
        )


def _holds(which: FromClause, now: datetime) -> ColumnElement[bool]:
    columns = which.c
    return (
        columns.id.is_not(None)
        & columns.revoked_at.is_(None)
        & or_(columns.expires_at.is_(None), columns.expires_at > now)
    )


def _least(*roles: Role) -> Role:
    return min(roles, key=ROLES.index)


def _account(row: Row[Any]) -> Account:
    return Account(row.id, row.name, row.role, row.system, row.created_at, row.disabled_at)


def _token(row: Row[Any]) -> Token:
    return Token(
        id=row.id,
        account_id=row.account_id,
        sha256=row.sha256,
        role=row.role,
        label=row.label,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        session_of=row.session_of,
    )
