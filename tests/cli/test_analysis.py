"""`maumau standings --ratings --pairs`, `chart`, `better`, `compare` against a real app."""

from __future__ import annotations

import csv
import io
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from structlog.testing import capture_logs
from werkzeug.serving import make_server

from maumau.cli.failures import NO, REFUSED, USAGE
from maumau.usecases import builtins, play
from maumau.usecases.due import due_chunks
from tests.cli.running import Ran, maumau
from tests.service.conftest import House

Run = Callable[..., Ran]


class Arena:
    """The command line with one server that plays what is scheduled when it is told to."""

    def __init__(self, house: House, address: str):
        self._house = house
        token = house.bearer("boss", "admin")["Authorization"].removeprefix("Bearer ")
        self.environment = {"MAUMAU_SERVER": address, "MAUMAU_TOKEN": token}

    def __call__(self, *arguments: str) -> Ran:
        return maumau(*arguments, env=self.environment)

    def played(self, *arguments: str) -> str:
        """Schedule `random` and `easy` and play all of it; gives the tournament's id."""
        made = self("schedule", "random", "easy", "--seed", "s", "--json", *arguments)
        assert made.code == 0, made.err
        db, clock, files = self._house.db, self._house.clock, self._house.settings.var
        while due := due_chunks(db, clock):
            play.play_chunk(db, clock, due[0], "w", files=files, uploads="unsafe")
        return str(json.loads(made.out)["id"])


@pytest.fixture
def arena(sqlite_url: str, tmp_path: Path) -> Iterator[Arena]:
    house = House(tmp_path, sqlite_url)
    builtins.install_builtins(house.db, house.clock)
    server = make_server("127.0.0.1", 0, house.app(), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with capture_logs():
        yield Arena(house, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    thread.join()
    server.server_close()
    house.db.close()


def test_terminal_csv_json_and_svg_hold_the_same_numbers(arena: Arena) -> None:
    one = arena.played("--rules", "crazy-eights", "--blocks", "30")
    told = json.loads(arena("standings", one, "--json").out)
    shown = arena("standings", one, "--ratings", "--pairs", "--crosstable").out
    table = list(csv.DictReader(io.StringIO(arena("standings", one, "--csv").out)))
    drawn = arena("chart", one, "share").out
    for row, line in zip(told["rows"], table, strict=True):
        assert f"{row['score_share']:.3f}" in shown
        assert float(line["score_share"]) == row["score_share"]
        assert f"{row['score_share']:.1%}" in drawn
    for row in told["ratings"]:
        assert f"{row['rating']:.0f}" in shown
    (pair,) = told["differences"]
    assert f"{pair['difference']:+.3f}" in shown
    assert pair["separated"] == ("separated" in shown)


def test_a_chart_is_written_to_a_file(arena: Arena, tmp_path: Path) -> None:
    one = arena.played("--rules", "crazy-eights", "--blocks", "10")
    for name in ("share", "crosstable", "rating"):
        assert arena("chart", one, name, "-o", str(tmp_path / name)).code == 0
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")
    refused = arena("chart", one, "share", "-o", str(tmp_path / "nowhere" / "x.svg"))
    assert (refused.code, "cannot write" in refused.err) == (NO, True)


def test_better_says_its_verdict_by_exit_code(arena: Arena) -> None:
    one = arena.played("--rules", "crazy-eights", "--blocks", "30")
    rows = json.loads(arena("standings", one, "--json").out)["rows"]
    best, other = (row["entrant"] for row in rows)
    bold = ("--better", "0.9", "--alpha", "0.3", "--beta", "0.3")
    turned = arena("better", one, other, best, *bold)
    assert (turned.code, turned.out.splitlines()[0]) == (
        NO,
        f"{other} is not better than {best}",
    )
    told = json.loads(arena("better", one, other, best, *bold, "--json").out)
    assert (told["verdict"], told["better"], told["alpha"]) == ("not better", 0.9, 0.3)
    wrong = arena("better", one, best, "nobody@1")
    assert (wrong.code, "nobody@1" in wrong.err) == (REFUSED, True)


def test_a_tournament_ends_when_a_version_test_is_decided(arena: Arena) -> None:
    first = arena.played("--rules", "crazy-eights", "--blocks", "10")
    best, other = (
        row["entrant"] for row in json.loads(arena("standings", first, "--json").out)["rows"]
    )
    one = arena.played(
        *("--rules", "crazy-eights", "--blocks", "60"),
        *("--until-better", other, best, "--better", "0.9"),
    )
    told = json.loads(arena("better", one, "--json").out)
    assert (told["new"], told["old"], told["better"]) == (other, best, 0.9)
    assert told["verdict"] == "not better"
    assert told["seeds"] == told["seeds_played"] < 60
    assert arena("better", one).out.startswith(f"{other} is not better than {best}")
    wish = ("schedule", "random", "easy", "--rules", "mau-mau")
    wrong = arena(*wish, "--until-better", "easy", "random", "--until", "separated")
    assert (wrong.code, "not both" in wrong.err) == (USAGE, True)
    wrong = arena(*wish, "--better", "0.6")
    assert (wrong.code, "--until-better" in wrong.err) == (USAGE, True)
    # Without a stop rule that tests, the two must be named.
    assert arena("better", first).code == REFUSED


def test_two_rule_sets_are_compared(arena: Arena) -> None:
    first = arena.played("--rules", "crazy-eights", "--blocks", "12")
    second = arena.played("--rules", "mau-mau", "--blocks", "12")
    told = json.loads(arena("compare", first, second, "--json").out)
    (row,) = told["rows"]
    assert (told["seeds"], told["first_rules"], told["second_rules"]) == (
        12,
        "crazy-eights",
        "mau-mau",
    )
    shown = arena("compare", first, second).out
    assert f"{row['change']:+.3f}" in shown
    (line,) = csv.DictReader(io.StringIO(arena("compare", first, second, "--csv").out))
    assert float(line["change"]) == row["change"]


def test_a_tournament_ends_early_if_asked_to(arena: Arena) -> None:
    one = arena.played("--rules", "crazy-eights", "--blocks", "40", "--until", "0.45")
    told = json.loads(arena("standings", one, "--json").out)
    assert (told["complete"], told["repeated"]) == (True, True)
    assert told["seeds"] < 40
    wrong = arena("schedule", "random", "easy", "--rules", "mau-mau", "--until", "soon")
    assert (wrong.code, "separated" in wrong.err) == (USAGE, True)
