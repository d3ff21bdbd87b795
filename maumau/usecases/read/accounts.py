"""Read accounts and tokens: admins all, others their own tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from maumau.errors import NotFound
from maumau.storage import Account, Database
from maumau.storage.accounts import BY_NAME, TOKENS_BY_AGE
from maumau.storage.values import Role
from maumau.storage.values import Token as Stored
from maumau.usecases import access
from maumau.usecases.read.pages import Page, Pages


@dataclass(frozen=True, slots=True)
class AccountView:
    """Who owns bots and tokens."""

    name: str
    role: Role
    system: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token without what it is made of; `id` is the beginning of its SHA-256."""

    id: str
    account: str
    role: Role
    label: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


def accounts(
    db: Database, account: Account, *, limit: int = 50, after: str | None = None
) -> Page[AccountView]:
    """List the accounts by name; admins only."""
    access.admin(account, "list accounts")
    pages = Pages(BY_NAME, "accounts")
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found = tx.accounts.page(cut)
    return pages.page(found, lambda a: AccountView(a.name, a.role, a.system, a.created_at))


def tokens(
    db: Database,
    account: Account,
    *,
    of: str | None = None,
    limit: int = 50,
    after: str | None = None,
) -> Page[TokenView]:
    """List one's own tokens, youngest first; admins those of any account (`of` its name)."""
    pages = Pages(TOKENS_BY_AGE, "tokens", account.id, of)
    cut = pages.slice(limit, after)
    with db.read() as tx:
        owner = account if of is None else tx.accounts.by_name(of)
        if owner is None:
            raise NotFound("account", of)
        if owner.id != account.id:
            access.admin(account, "list the tokens of another account")
        found = tx.accounts.tokens(cut, account_id=owner.id)
    name = owner.name
    return pages.page(found, lambda token: _view(token, name))


def _view(token: Stored, account: str) -> TokenView:
    return TokenView(
        token.id,
        account,
        token.role,
        token.label,
        token.created_at,
        token.expires_at,
        token.revoked_at,
    )
