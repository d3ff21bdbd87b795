"""The bot that sees all cards has no place on a server."""

from __future__ import annotations

import pytest

from maumau.errors import Conflict, InvalidInput
from maumau.storage import Account, Database
from maumau.usecases import builtins
from maumau.usecases.schedule import schedule
from maumau.usecases.submit_bot import submit
from tests.usecases.standing import StandingClock


@pytest.mark.parametrize("name", ["oracle", "oracle@1"])
def test_no_tournament_takes_it(
    name: str, db: Database, clock: StandingClock, ann: Account
) -> None:
    builtins.install_builtins(db, clock)
    wanted = {"entrants": [name, "easy"], "rules": "champion"}
    with pytest.raises(InvalidInput, match="in no tournament: maumau play oracle"):
        schedule(db, clock, ann, wanted, entropy=bytes)


def test_nobody_may_call_a_bot_like_it(db: Database, clock: StandingClock, ann: Account) -> None:
    with pytest.raises(Conflict, match="sees all cards"):
        submit(
            db,
            clock,
            ann,
            name="oracle",
            filename="oracle.py",
            content=b"x = 1\n",
            uploads="sandbox",
        )
    with db.read() as tx:
        assert tx.bots.by_name("oracle") is None
