"""Read accounts and tokens: admins all, others their own tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from maumau.errors import NotFound
from maumau.storage import Account, Database
from maumau.storage.accounts import BY_NAME, TOKENS_BY_AGE
from maumau.storage.types import storable
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
    disabled_at: datetime | None


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
    return pages.page(found, account_view)


def account(db: Database, caller: Account, name: str) -> AccountView:
    """Show one account; admins only."""
    access.admin(caller, "see accounts")
    with db.read() as tx:
        found = tx.accounts.by_name(name) if storable(name) == name else None
    if found is None:
        raise NotFound("account", name)
    return account_view(found)


def account_view(one: Account) -> AccountView:
    """Show an account as lists do."""
    return AccountView(one.name, one.role, one.system, one.created_at, one.disabled_at)


def all_tokens(
    db: Database, account: Account, *, limit: int = 50, after: str | None = None
) -> Page[TokenView]:
    """List the tokens of all accounts, youngest first; admins only."""
    access.admin(account, "list the tokens of all accounts")
    pages = Pages(TOKENS_BY_AGE, "all tokens")
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found = tx.accounts.tokens(cut)
        names = tx.accounts.names({one.account_id for one in found.items})
    return pages.page(found, lambda token: token_view(token, names[token.account_id]))


def token(db: Database, account: Account, token_id: str) -> TokenView:
    """Show one token, one's own or as an admin anybody's."""
    with db.read() as tx:
        found = tx.accounts.token(token_id) if storable(token_id) == token_id else None
        if found is None or (found.account_id != account.id and account.role != "admin"):
            raise NotFound("token", token_id)
        return token_view(found, tx.accounts.names([found.account_id])[found.account_id])


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
        known = of is not None and storable(of) == of
        owner = account if of is None else tx.accounts.by_name(of) if known else None
        if owner is None:
            raise NotFound("account", of)
        if owner.id != account.id:
            access.admin(account, "list the tokens of another account")
        found = tx.accounts.tokens(cut, account_id=owner.id)
    name = owner.name
    return pages.page(found, lambda token: token_view(token, name))


def token_view(token: Stored, account: str) -> TokenView:
    """Show a token as lists do, without what it is made of."""
    return TokenView(
        token.id,
        account,
        token.role,
        token.label,
        token.created_at,
        token.expires_at,
        token.revoked_at,
    )
