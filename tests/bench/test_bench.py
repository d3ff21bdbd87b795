"""`./run bench`: contestants take turns, what fails fails alone, the page says what it is."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bench import __main__ as command
from bench import chart, report
from bench.places import ROOT, Places
from bench.results import Chart, Mark, Section, number, spread
from bench.runs import Contestant, NotMeasured, Rounds, Values, alternate, ratio, run

SVG = "{http://www.w3.org/2000/svg}"
CIRCUMSTANCES = report.Circumstances(datetime(2026, 1, 2, tzinfo=UTC), 60.0, 0.5, False)


def printing(name: str, code: str, form: str | None = None) -> Contestant:
    return Contestant(name, (sys.executable, "-c", code), form)


def measured(contestant: Contestant, directory: Path) -> Values:
    return run(contestant.command, timeout=30, cwd=directory, env={})


def test_contestants_take_turns_and_the_order_turns_each_round(tmp_path: Path) -> None:
    says = 'print("noise\\n{\\"deals\\": 6, \\"seconds\\": 2}")'
    order: list[str] = []
    both = [printing("a", says), printing("b", says)]
    rounds = alternate(both, 3, partial(measured, directory=tmp_path), order.append)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert rounds.rates("a", "deals") == [3.0, 3.0, 3.0]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit('no such thing')", "exit status 1: no such thing"),
        ("print('no figures')", "printed no JSON"),
        ("print([1])", "no JSON object"),
        ('print(\'{"form": "plain"}\')', "plain ran, not compiled"),
    ],
)
def test_one_that_fails_is_left_out_and_the_others_go_on(
    tmp_path: Path, code: str, why: str
) -> None:
    good = printing("good", 'print(\'{"deals": 1, "seconds": 1, "form": "compiled"}\')', "compiled")
    bad = printing("bad", code, "compiled")
    told: list[str] = []
    rounds = alternate([bad, good], 2, partial(measured, directory=tmp_path), told.append)
    assert len(rounds.values["good"]) == 2
    assert why in rounds.failures["bad"]
    assert told.count("bad") == 2
    with pytest.raises(NotMeasured, match=r"ran|exit|JSON"):
        rounds.rates("bad", "deals")


def test_one_that_does_not_end_is_ended(tmp_path: Path) -> None:
    command = (sys.executable, "-c", "import time; time.sleep(600)")
    with pytest.raises(NotMeasured, match="took more than"):
        run(command, timeout=0.2, cwd=tmp_path, env={})


def test_a_ratio_is_taken_within_rounds() -> None:
    # The machine was half as fast in the second round, for both alike.
    assert ratio([4.0, 2.0, 9.0], [2.0, 1.0, 3.0]) == 2.0


def test_what_cannot_be_built_is_not_tried_again(tmp_path: Path) -> None:
    places = Places(tmp_path)
    places.failed["peers"] = "left out"
    with pytest.raises(NotMeasured, match="left out"):
        places.build("peers")
    assert not list(tmp_path.iterdir())


def test_figures_have_three_digits() -> None:
    assert [number(value) for value in (0.1234, 12.34, 1234.5)] == ["0.12", "12.3", "1,234"]
    assert spread([1.0, 3.0, 200.0]) == "3.00 (1.00–200)"


def page() -> str:
    section = Section("Deals", "How many.", ("", "deals/s"), rows=[("ours", "1,000")])
    rounds = Rounds(failures={"theirs": "it broke <here> | there"})
    section.failures.append("theirs: it broke <here> | there")
    section.bar("ours by a limit", "≥ 2", lambda: 2.0, lambda value: value >= 2)
    section.bar("slow", "≥ 2", lambda: 1.0, lambda value: value >= 2)
    section.bar("by theirs", "≥ 2", lambda: rounds.rates("theirs", "deals")[0], bool)
    return report.write([("deals", section)], CIRCUMSTANCES, "speed.svg")


def test_the_page_says_what_is_met_what_is_not_and_what_is_not_known() -> None:
    lines = page().splitlines()
    assert "| ours by a limit | ≥ 2 | 2.00 | yes |" in lines
    assert "| slow | ≥ 2 | 1.00 | **no** |" in lines
    assert "| by theirs | ≥ 2 | – | not measured: it broke &lt;here> \\| there |" in lines
    assert "| ours | 1,000 |" in lines
    assert "- *Not measured:* theirs: it broke &lt;here> \\| there" in lines


def test_the_chart_is_svg_for_light_and_dark_and_longer_bars_are_more() -> None:
    marks = (Mark("C <limit>", 2e6, False), Mark("ours", 3e5, True), Mark("theirs", 20.0, False))
    text = chart.draw([Chart("Deals a second", marks), Chart("Nothing", ())])
    tree = ET.fromstring(text)
    bars = [one for one in tree.iter(f"{SVG}rect") if one.get("class") in ("ours", "peer")]
    widths = [float(one.get("width", "0")) for one in bars]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3
    assert "C <limit>" in [one.text for one in tree.iter(f"{SVG}text")]
    assert "prefers-color-scheme: dark" in text


def test_a_group_that_breaks_leaves_the_others(tmp_path: Path) -> None:
    def broken(_: object) -> Section:
        raise KeyError("what nobody thought of")

    group = command.Group("broken", (), lambda _: 1, broken)
    bench = command.Bench(Places(tmp_path), command.QUICK, lambda _: None)
    assert command.measured(bench, group).failures == ["KeyError: 'what nobody thought of'"]


def test_an_unknown_group_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["--only", "everything"])
    assert "leaderboard" in capsys.readouterr().err


@pytest.mark.slow
def test_a_quick_run_measures_every_group(tmp_path: Path) -> None:
    # Compiling is tested in tests/rules; peers come from elsewhere.
    left_out = ("--no-compile", "--no-peers")
    done = subprocess.run(
        [sys.executable, "-m", "bench", *left_out, "--quick", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    text = (tmp_path / "speed.md").read_text()
    failures = [line for line in text.splitlines() if line.startswith("- *Not measured:*")]
    assert all("left out" in line for line in failures), "\n".join(failures)
    assert done.returncode == 0, done.stderr[-2000:]
    for group in command.GROUPS:
        assert f"(`./run bench --only {group.name}`)" in text
    for row in ("| ours, plain Python |", "| `gameduell` |", "| 2 workers |", "| 1,520 |"):
        assert row in text, row
    ET.parse(tmp_path / "speed.svg")
