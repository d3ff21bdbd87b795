"""The check of submitted bots, in real child processes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from maumau.bots.wheels import Submission, check_file
from maumau.errors import NotFound, Unavailable
from maumau.storage import Account, Database
from maumau.storage.values import BotVersion
from maumau.usecases import check_bot, read, withdraw
from maumau.usecases.due import due_checks
from maumau.usecases.reap import release
from maumau.usecases.submit_bot import submit
from tests.usecases.plugged import source
from tests.usecases.standing import EITHER_DATABASE, StandingClock

pytestmark = EITHER_DATABASE

CALLING = "next((i for i, a in enumerate(obs.legal_actions) if a.endswith('!')), 0)"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    return tmp_path / "files"


def pending(
    db: Database, clock: StandingClock, account: Account, content: bytes, filename: str = "mine.py"
) -> BotVersion:
    return submit(
        db, clock, account, name="mine", filename=filename, content=content, uploads="unsafe"
    ).version


def wheel(*, entry_points: str | None = "[maumau]\nmine = mine\n") -> bytes:
    """A wheel of one module."""
    info = "mine-1.0.dist-info"
    members = {
        "mine.py": source("mine", CALLING).decode(),
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    if entry_points is not None:
        members[f"{info}/entry_points.txt"] = entry_points
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return packed.getvalue()


def test_an_honest_file_is_accepted_with_a_report(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, source("mine", CALLING))
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert (done.state, done.reasons) == ("accepted", ())
    assert done.decided_at == clock()
    assert done == read.version(db, "mine", 1)
    assert done.report is not None
    assert done.report["decisions"] >= 2000
    assert done.report["runtime"].startswith("Python 3")
    assert {match["rules"] for match in done.report["matches"]} >= {"champion"}
    assert due_checks(db, clock) == []


def test_a_wheel_is_loaded_by_its_entry_point(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, wheel(), "mine-1.0-py3-none-any.whl")
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert (done.state, done.reasons, done.entry) == ("accepted", (), "mine")


@pytest.mark.parametrize(
    ("content", "filename", "code", "says"),
    [
        (b"def broken(:\n", "mine.py", "syntax_error", "line 1"),
        (b"import nothing_like_this\n", "mine.py", "import_error", "nothing_like_this"),
        (b"x = 1\n", "mine.py", "no_bot", "hookimpl"),
        (source("other"), "mine.py", "wrong_name", "'other'"),
        (
            source("mine") + source("more").replace(b"return [More]", b"return [More, Mine]"),
            "mine.py",
            "several_bots",
            "",
        ),
        (b"no archive", "mine.whl", "not_a_wheel", ""),
        (wheel(entry_points=None), "mine.whl", "no_entry_point", "maumau"),
        (b"raise SystemExit\n", "mine.py", "import_error", "SystemExit"),
        (source("mine", "'x'"), "mine.py", "crash", "TypeError"),
        (
            source("mine").replace(b"def act(", b"def __init__(self): pass\n    def act("),
            "mine.py",
            "bad_declaration",
            "Mine.__init__ must take (self, info)",
        ),
        (
            source("mine").replace(b"def act(", b"def __init__(self, info): 1/0\n    def act("),
            "mine.py",
            "crash",
            "ZeroDivisionError",
        ),
        (source("mine").replace(b"return obs", b"return 5 or obs"), "mine.py", "illegal", "int"),
    ],
    # Of their own: a wheel's bytes, of which pytest would make one, tell when it was made.
    ids=[
        "syntax",
        "import",
        "no bot",
        "another name",
        "two bots",
        "no wheel",
        "no entry point",
        "exit at import",
        "wrong declaration",
        "wrong constructor",
        "error at start",
        "no action",
    ],
)
def test_a_file_that_is_no_bot_is_rejected_with_the_reason(
    db: Database,
    clock: StandingClock,
    ann: Account,
    files: Path,
    content: bytes,
    filename: str,
    code: str,
    says: str,
) -> None:
    version = pending(db, clock, ann, content, filename)
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert done.state == "rejected"
    assert done.reasons[0].code.startswith(code)
    assert says in done.reasons[0].message


def test_what_a_bot_prints_is_its_log(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    content = b"print('being imported')\n" + source("mine", "99")
    version = pending(db, clock, ann, content)
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert done.state == "rejected"
    assert done.reasons[0].code == "crash"
    assert "IndexError" in done.reasons[0].message
    log = read.log(db, ann, "mine", 1)
    assert "being imported" in log
    assert "IndexError" in log


def test_a_version_is_checked_by_one_worker_only_and_settled_once(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, b"x = 1\n")
    with db.begin() as tx:
        until = clock().replace(year=2030)
        assert tx.bots.claim_check(version.id, "w1", now=clock(), until=until) == 1
    assert due_checks(db, clock) == []
    again = check_bot.check(db, clock, version.id, "w2", files=files, uploads="unsafe")
    assert again.state == "pending"
    assert release(db, clock, "w1").checks == (version.id,)
    done = check_bot.check(db, clock, version.id, "w2", files=files, uploads="unsafe")
    assert done.state == "rejected"
    assert check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe") == done
    with pytest.raises(NotFound):
        check_bot.check(db, clock, 99, "w1", files=files, uploads="unsafe")


def test_a_check_that_ends_its_worker_again_and_again_is_given_up(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, source("mine"))
    for _ in range(3):
        with db.begin() as tx:
            assert tx.bots.claim_check(version.id, "w1", now=clock(), until=clock())
        release(db, clock, "w1")
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert (done.state, done.reasons[0].code) == ("rejected", "check_failed")


def test_checkers_that_fall_silent_were_not_seen_to_die(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, source("mine"))
    for _ in range(5):
        with db.begin() as tx:
            assert tx.bots.claim_check(version.id, "w1", now=clock(), until=clock()) == 1
        clock.turn(seconds=1)
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert done.state == "accepted"


def test_where_uploads_may_not_run_a_version_stays_pending(
    db: Database, clock: StandingClock, ann: Account, files: Path
) -> None:
    version = pending(db, clock, ann, source("mine"))
    for _ in range(5):
        with pytest.raises(Unavailable):
            check_bot.check(db, clock, version.id, "w1", files=files, uploads="off")
    assert due_checks(db, clock) == [version.id]
    assert read.version(db, "mine", 1).check_attempts == 0


def test_a_version_withdrawn_meanwhile_stays_withdrawn(
    db: Database, clock: StandingClock, ann: Account, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = pending(db, clock, ann, source("mine"))

    def withdrawn_meanwhile(filename: str, content: bytes) -> Submission:
        withdraw.withdraw(db, clock, ann, "mine", 1)
        clock.turn(seconds=60)
        return check_file(filename, content)

    monkeypatch.setattr(check_bot, "check_file", withdrawn_meanwhile)
    done = check_bot.check(db, clock, version.id, "w1", files=files, uploads="unsafe")
    assert done.state == "withdrawn"
