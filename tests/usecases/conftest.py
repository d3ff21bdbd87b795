"""What the walks are given in tests: accounts, a clock that stands still, bytes in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from maumau.storage import Account, Database
from maumau.storage.values import Role
from tests.usecases.standing import StandingClock


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
def entropy() -> Callable[[int], bytes]:
    numbers = itertools.count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


@pytest.fixture
def account(db: Database, clock: StandingClock) -> Callable[..., Account]:
    def make(name: str, role: Role = "author") -> Account:
        with db.begin() as tx:
            return tx.accounts.create(name, role, now=clock())

    return make


@pytest.fixture
def ann(account: Callable[..., Account]) -> Account:
    return account("ann")


@pytest.fixture
def bob(account: Callable[..., Account]) -> Account:
    return account("bob")


@pytest.fixture
def admin(account: Callable[..., Account]) -> Account:
    return account("root", "admin")
