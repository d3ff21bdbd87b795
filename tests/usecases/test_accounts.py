from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from maumau.errors import Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated
from maumau.storage import Account, Answer, Database
from maumau.usecases import accounts, read, tidy
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]


def test_the_first_admin_is_made_once(db: Database, clock: StandingClock, entropy: Entropy) -> None:
    first = accounts.first_admin(db, clock, entropy=entropy)
    assert first is not None
    assert accounts.verify_token(db, clock, first.text).role == "admin"
    assert accounts.first_admin(db, clock, entropy=entropy) is None


def test_a_token_is_kept_as_its_hash_only(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account
) -> None:
    made = accounts.create_token(db, clock, ann, entropy=entropy, label="laptop")
    assert made.token.sha256 == hashlib.sha256(made.text.encode()).hexdigest()
    assert made.text not in repr(made)
    assert made.token.sha256 not in repr(made)
    with db.read() as tx:
        kept = tx.accounts.token(made.token.id)
    assert kept == made.token


def test_a_token_may_do_less_than_its_account_but_never_more(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account
) -> None:
    made = accounts.create_token(db, clock, ann, entropy=entropy, role="reader")
    caller = accounts.verify_token(db, clock, made.text)
    assert caller == replace(ann, role="reader")
    with pytest.raises(Forbidden, match="may do no more than an author"):
        accounts.create_token(db, clock, ann, entropy=entropy, role="admin")
    with pytest.raises(Forbidden, match="may do no more than a reader"):
        accounts.create_token(db, clock, caller, entropy=entropy, role="author")


def test_an_expired_or_revoked_or_unknown_token_is_refused(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account
) -> None:
    hour = timedelta(hours=1)
    made = accounts.create_token(db, clock, ann, entropy=entropy, expires_at=clock() + hour)
    other = accounts.create_token(db, clock, ann, entropy=entropy)
    assert accounts.verify_token(db, clock, made.text).id == ann.id
    clock.turn(hours=1)
    accounts.revoke_token(db, clock, ann, other.token.id)
    for text in (made.text, other.text, "mm_nothing", "\udcff", ""):
        with pytest.raises(Unauthenticated):
            accounts.verify_token(db, clock, text)


def test_revoking_again_keeps_the_first_moment(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account
) -> None:
    made = accounts.create_token(db, clock, ann, entropy=entropy)
    first = accounts.revoke_token(db, clock, ann, made.token.id)
    clock.turn(hours=1)
    assert accounts.revoke_token(db, clock, ann, made.token.id) == first


def test_only_admins_act_for_others(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, bob: Account, admin: Account
) -> None:
    with pytest.raises(Forbidden):
        accounts.create_account(db, clock, ann, name="eve", role="reader")
    with pytest.raises(Forbidden):
        accounts.create_token(db, clock, ann, entropy=entropy, for_account="bob")
    made = accounts.create_token(db, clock, admin, entropy=entropy, for_account="bob")
    assert made.token.account_id == bob.id
    # Another account's token looks as if it were not there.
    with pytest.raises(NotFound):
        accounts.revoke_token(db, clock, ann, made.token.id)
    assert accounts.revoke_token(db, clock, admin, made.token.id).revoked_at == clock()


def test_accounts_have_plain_unique_names(
    db: Database, clock: StandingClock, admin: Account
) -> None:
    made = accounts.create_account(db, clock, admin, name="eve", role="reader")
    assert (made.name, made.role, made.system) == ("eve", "reader", False)
    with pytest.raises(Conflict) as taken:
        accounts.create_account(db, clock, admin, name="eve", role="reader")
    assert taken.value.code == "name_taken"
    for name in ("E", "a b", "-a", "a" * 41, "é"):
        with pytest.raises(InvalidInput, match="name"):
            accounts.create_account(db, clock, admin, name=name, role="reader")


@EITHER_DATABASE
@pytest.mark.parametrize("days", [-1, 0, 3651])
def test_a_token_expires_in_the_future(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, days: int
) -> None:
    when = clock() + timedelta(days=days)
    with pytest.raises(InvalidInput, match="expires_at"):
        accounts.create_token(db, clock, ann, entropy=entropy, expires_at=when)


def test_the_system_account_has_no_tokens(
    db: Database, clock: StandingClock, entropy: Entropy, admin: Account
) -> None:
    with db.begin() as tx:
        system = accounts.system_account(tx, clock())
        assert accounts.system_account(tx, clock()) == system
    with pytest.raises(Forbidden, match="system account"):
        accounts.create_token(db, clock, admin, entropy=entropy, for_account=system.name)


def test_tokens_are_listed_without_what_they_are_made_of(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, bob: Account, admin: Account
) -> None:
    made = []
    for label in ("first", "second", "third"):
        clock.turn(seconds=1)
        made.append(accounts.create_token(db, clock, ann, entropy=entropy, label=label))
    page = read.tokens(db, ann, limit=2)
    rest = read.tokens(db, ann, limit=2, after=page.next)
    shown = (*page.items, *rest.items)
    assert [token.label for token in shown] == ["third", "second", "first"]
    assert all(one.text not in repr(shown) and one.token.sha256 not in repr(shown) for one in made)
    assert read.tokens(db, admin, of="ann").items == shown
    assert read.tokens(db, bob).items == ()
    for refused in (lambda: read.tokens(db, bob, of="ann"), lambda: read.accounts(db, bob)):
        with pytest.raises(Forbidden):
            refused()
    with pytest.raises(NotFound):
        read.tokens(db, admin, of="nobody")
    assert [one.name for one in read.accounts(db, admin).items] == ["ann", "bob", "root"]


def test_kept_answers_are_forgotten_after_seven_days(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    with db.begin() as tx:
        tx.answers.put(Answer(ann.id, "key", "f" * 64, 201, {}, b"", clock()))
    clock.turn(days=7)
    assert tidy.forget_answers(db, clock) == 0
    clock.turn(seconds=1)
    assert tidy.forget_answers(db, clock) == 1
