"""Names say nothing: identical bots are not separated, and other names change names alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from maumau.storage import Account, Database
from maumau.usecases import export, play, read
from maumau.usecases.due import due_chunks
from maumau.usecases.schedule import schedule
from tests.usecases.plugged import accepted, source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

Entropy = Callable[[int], bytes]


def played(
    db: Database,
    clock: StandingClock,
    entropy: Entropy,
    owner: Account,
    files: Path,
    entrants: list[str],
) -> str:
    wish = {"entrants": entrants, "rules": "crazy-eights", "blocks": 30, "seed": "s"}
    one = schedule(db, clock, owner, wish, entropy=entropy).tournament.id
    for chunk in due_chunks(db, clock):
        assert play.play_chunk(db, clock, chunk, "w", files=files, uploads="unsafe")
    return one


@EITHER_DATABASE
def test_identical_bots_entered_twice_are_not_separated(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, tmp_path: Path
) -> None:
    contents = [source("aa"), source("bb"), source("cc", "-1")]
    accepted(db, ann, clock(), "aa", "bb", "cc", contents=contents)
    one = played(db, clock, entropy, ann, tmp_path, ["aa", "bb", "cc"])
    standings = read.standings(db, one)
    groups = {row["bot"]: set(row["group"].split()) for row in standings.rows}
    assert groups["aa"] & groups["bb"]
    (twins,) = (
        pair
        for pair in standings.differences
        if {pair["entrant"], pair["other"]} == {"aa@1", "bb@1"}
    )
    assert not twins["separated"]
    # Both play all cards from all seats: between themselves they are exactly level.
    cells = {(cell["entrant"], cell["other"]): cell for cell in read.crosstable(db, one).cells}
    assert cells["aa@1", "bb@1"]["difference"] == 0
    ratings = {row["bot"]: row for row in standings.ratings}
    assert ratings["aa"]["rating"] == ratings["bb"]["rating"] > ratings["cc"]["rating"]


PLACES = {"1": "0", "5": "len(obs.legal_actions) // 2", "9": "-1"}


def at(digit: str, name: str) -> bytes:
    """A bot whose content hash begins with this digit, so that its place in the order is known."""
    contents = (source(name, PLACES[digit]) + f"# {n}\n".encode() for n in itertools.count())
    return next(one for one in contents if sha256(one).hexdigest().startswith(digit))


@EITHER_DATABASE
def test_other_names_and_another_order_change_names_alone(
    db: Database, clock: StandingClock, entropy: Entropy, ann: Account, tmp_path: Path
) -> None:
    names = dict(zip(PLACES, (("aa", "zz"), ("bb", "yy"), ("cc", "xx")), strict=True))
    hashes = []
    for digit, pair in names.items():
        contents = [at(digit, name) for name in pair]
        accepted(db, ann, clock(), *pair, contents=contents)
        hashes.append([sha256(content).hexdigest().encode() for content in contents])
    one = played(db, clock, entropy, ann, tmp_path, ["aa", "bb", "cc"])
    other = played(db, clock, entropy, ann, tmp_path, ["xx", "zz", "yy"])
    renamed = export.export_results(db, other)
    changed = [[f"{name}@1".encode() for name in pair] for pair in names.values()]
    for old, new in (*changed, *hashes):
        assert new in renamed
        renamed = renamed.replace(new, old)
    assert renamed == export.export_results(db, one)
