from __future__ import annotations

import hashlib
from typing import Any

import pytest

from maumau.errors import Conflict, Forbidden, InvalidInput, MaumauError, NotFound, Unavailable
from maumau.storage import Account, Database, Transaction
from maumau.usecases import read, submit_bot, withdraw
from maumau.usecases.due import due_checks
from maumau.usecases.submit_bot import Submitted
from tests.usecases.standing import EITHER_DATABASE, StandingClock


def submit(
    db: Database, clock: StandingClock, account: Account, content: bytes = b"x", **more: Any
) -> Submitted:
    given = {"name": "lowest", "filename": "lowest.py", "uploads": "sandbox"}
    return submit_bot.submit(db, clock, account, **({"content": content} | given | more))


def test_a_submitted_file_is_a_pending_version_that_is_due_for_its_check(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    made = submit(db, clock, ann, b"print()")
    assert made.created
    version = made.version
    assert (version.label, version.state, version.kind) == ("lowest@1", "pending", "py")
    assert (version.owner, version.size) == ("ann", 7)
    assert version.sha256 == hashlib.sha256(b"print()").hexdigest()
    assert due_checks(db, clock) == [version.id]
    assert read.source(db, ann, "lowest", 1).content == b"print()"


def test_versions_are_numbered_and_an_identical_file_is_the_version_it_is(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    first = submit(db, clock, ann, b"one")
    second = submit(db, clock, ann, b"two", filename="other.whl")
    again = submit(db, clock, ann, b"one", filename="renamed.py")
    assert (first.version.version, second.version.version) == (1, 2)
    assert second.version.kind == "wheel"
    assert again == Submitted(first.version, created=False)


def test_another_accounts_name_is_taken_and_nothing_changes(
    db: Database, clock: StandingClock, ann: Account, bob: Account
) -> None:
    submit(db, clock, ann)
    with pytest.raises(Conflict) as taken:
        submit(db, clock, bob, b"other")
    assert taken.value.code == "name_taken"
    assert [v.version for v in read.versions(db, "lowest").items] == [1]
    with db.read() as tx, pytest.raises(NotFound):
        tx.files.get(hashlib.sha256(b"other").hexdigest())


@EITHER_DATABASE
@pytest.mark.parametrize(
    ("more", "path", "says"),
    [
        ({"name": "Lowest"}, "name", "2 to 40"),
        ({"name": "a"}, "name", "2 to 40"),
        ({"name": "a" * 41}, "name", "2 to 40"),
        ({"name": "low\n"}, "name", "2 to 40"),
        ({"filename": "lowest.zip"}, "file", "a wheel"),
        ({"filename": "../x.py"}, "file", "plain file name"),
        ({"filename": "x\x00.py"}, "file", "plain file name"),
        ({"filename": "x" * 300 + ".py"}, "file", "255"),
        ({"content": b""}, "file", "empty"),
        ({"content": b"x" * (5 * 1024 * 1024 + 1)}, "file", "5 MB"),
    ],
)
def test_a_wrong_submission_says_which_value_and_changes_nothing(
    db: Database, clock: StandingClock, ann: Account, more: dict[str, Any], path: str, says: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        submit(db, clock, ann, **more)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert says in problem.message
    assert read.bots(db).items == ()


def test_the_largest_file_is_taken(db: Database, clock: StandingClock, ann: Account) -> None:
    assert submit(db, clock, ann, b"x" * (5 * 1024 * 1024)).version.size == 5 * 1024 * 1024


def test_with_uploads_off_nothing_is_taken(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    with pytest.raises(Unavailable, match="MAUMAU_UPLOADS"):
        submit(db, clock, ann, uploads="off")
    assert read.bots(db).items == ()


def test_what_keep_does_is_part_of_the_submission(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    seen: list[Submitted] = []

    def fail(tx: Transaction, made: Submitted) -> None:
        seen.append(made)
        raise Conflict("no", "no")

    with pytest.raises(Conflict):
        submit(db, clock, ann, keep=fail)
    assert [made.version.label for made in seen] == ["lowest@1"]
    assert read.bots(db).items == ()


def test_withdrawing_is_for_the_owner_and_admins(
    db: Database, clock: StandingClock, ann: Account, bob: Account, admin: Account
) -> None:
    submit(db, clock, ann, b"one")
    submit(db, clock, ann, b"two")
    with pytest.raises(Forbidden):
        withdraw.withdraw(db, clock, bob, "lowest", 1)
    assert withdraw.withdraw(db, clock, ann, "lowest", 1).state == "withdrawn"
    assert withdraw.withdraw(db, clock, ann, "lowest", 1).state == "withdrawn"
    left = withdraw.withdraw_all(db, clock, admin, "lowest")
    assert [(v.version, v.state) for v in left] == [(2, "withdrawn"), (1, "withdrawn")]
    assert due_checks(db, clock) == []
    # A withdrawn file that is sent again stays what it is.
    assert submit(db, clock, ann, b"one").version.state == "withdrawn"


def test_logs_and_sources_are_for_the_owner_and_admins(
    db: Database, clock: StandingClock, ann: Account, bob: Account, admin: Account
) -> None:
    version = submit(db, clock, ann).version
    with db.begin() as tx:
        assert tx.bots.decide(version.id, "accepted", now=clock(), log="a\0b\udcff")
    assert read.log(db, ann, "lowest", 1) == "a\ufffdb\\udcff"
    assert read.log(db, admin, "lowest", 1) == read.log(db, ann, "lowest", 1)
    for look in (read.log, read.source):
        with pytest.raises(Forbidden):
            look(db, bob, "lowest", 1)


@pytest.mark.parametrize(("name", "number"), [("none", 1), ("lowest", 2), ("lowest", 2**40)])
def test_what_is_not_there_is_not_found(
    db: Database, clock: StandingClock, ann: Account, name: str, number: int
) -> None:
    submit(db, clock, ann)
    with pytest.raises(MaumauError) as caught:
        read.version(db, name, number)
    assert caught.value.code == "not_found"


def test_bots_are_listed_page_by_page(
    db: Database, clock: StandingClock, ann: Account, bob: Account
) -> None:
    for i, who in enumerate([ann, bob, ann, bob, ann]):
        clock.turn(seconds=1)
        submit(db, clock, who, name=f"bot{9 - i}")
    names: list[str] = []
    after = None
    while True:
        page = read.bots(db, limit=2, after=after)
        names += [one.name for one in page.items]
        after = page.next
        if after is None:
            break
        assert len(page.items) == 2
    assert names == ["bot5", "bot6", "bot7", "bot8", "bot9"]
    assert [b.name for b in read.bots(db, sort="-created_at", limit=2).items] == ["bot5", "bot6"]
    assert [b.name for b in read.bots(db, owner="bob").items] == ["bot6", "bot8"]
    latest = read.bot(db, "bot6").latest
    assert latest is not None
    assert latest.label == "bot6@1"


def test_a_cursor_of_moments_goes_on_where_it_was(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    for name in ("aa", "bb", "cc"):
        submit(db, clock, ann, name=name)  # all at the same moment
    first = read.bots(db, limit=1, sort="-created_at")
    rest = read.bots(db, sort="-created_at", after=first.next)
    assert [b.name for b in (*first.items, *rest.items)] == ["cc", "bb", "aa"]


def test_a_cursor_holds_for_the_list_that_gave_it(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    for name in ("aa", "bb", "cc"):
        submit(db, clock, ann, name=name)
    cursor = read.bots(db, limit=1).next
    assert cursor is not None
    assert [b.name for b in read.bots(db, after=cursor).items] == ["bb", "cc"]
    for wrong in ("", "x", cursor[:-2], cursor + "A", "é", "W10", "A" * 600):
        with pytest.raises(InvalidInput) as caught:
            read.bots(db, after=wrong)
        assert caught.value.problems[0].path == "cursor"
    with pytest.raises(InvalidInput, match="cursor"):
        read.bots(db, after=cursor, owner="ann")
    with pytest.raises(InvalidInput, match="cursor"):
        read.bots(db, after=cursor, sort="-created_at")


@EITHER_DATABASE
@pytest.mark.parametrize(
    ("more", "path"),
    [({"limit": 0}, "limit"), ({"limit": 201}, "limit"), ({"sort": "age"}, "sort")],
)
def test_a_wrong_list_argument_is_named(db: Database, more: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read.bots(db, **more)
    assert caught.value.problems[0].path == path
