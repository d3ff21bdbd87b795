"""The main job over real HTTP and real processes: submit, schedule, follow, and compare results."""

from __future__ import annotations

import itertools
import json
import secrets
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest

import maumau
from maumau.cli.client import Client
from maumau.cli.follow import states
from maumau.cli.target import find
from maumau.settings import load
from tests.bots.test_example import EXAMPLE, build
from tests.e2e.arena import Arena, running, wait_for
from tests.usecases.plugged import source

# One process runs them all: what they share is costly.
pytestmark = pytest.mark.xdist_group("main-job")

BLOCKS = 20
SHIP = ["random", "easy", "medium", "hard"]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with running(tmp_path_factory.mktemp("main") / "var", workers=2) as made:
        yield made


@pytest.fixture(scope="module")
def bots(arena: Arena, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Six bots on the server, two of them submitted: the example's wheel, and a file."""
    place = tmp_path_factory.mktemp("bots")
    wheel = build(EXAMPLE, place / "wheel")
    done = arena.maumau("submit", str(wheel))
    assert done.stdout == "lowest@1: accepted\n"
    labels = [f"{name}@1" for name in SHIP] + ["lowest@1"]
    for name, choice in (("highest", "-1"),):
        (place / f"{name}.py").write_bytes(source(name, choice))
        submitted = json.loads(arena.maumau("submit", str(place / f"{name}.py"), "--json").stdout)
        assert submitted["state"] == "accepted"
        labels.append(submitted["label"])
    return labels


@pytest.fixture(scope="module")
def tournament(arena: Arena, bots: list[str]) -> dict[str, Any]:
    """Six bots, all line-ups, 20 blocks, played to the end; what was seen of its progress."""
    wanted = {"name": "six", "entrants": bots, "rules": "gameduell", "blocks": BLOCKS}
    with arena.client() as client:
        answer = client.post("/tournaments", json=wanted)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
    assert made["progress"]["games_total"] == 15 * BLOCKS * 2
    with Client(find(load({"MAUMAU_VAR": str(arena.var)}))) as client:
        made["seen"] = list(states(client, made["id"]))
    return made


def test_progress_is_seen_to_the_end(arena: Arena, tournament: dict[str, Any]) -> None:
    seen = tournament["seen"]
    played = [one["progress"]["games_played"] for one in seen]
    assert played == sorted(played)
    assert len(set(played)) > 2
    assert played[-1] == tournament["progress"]["games_total"]
    assert [one["state"] for one in seen][-1] == "finished"
    with arena.client() as client:
        now = client.get(f"/tournaments/{tournament['id']}").json()
    chunks = now["progress"]["chunks"]
    assert (chunks["due"], chunks["claimed"], chunks["stuck"]) == (0, 0, 0)
    assert (now["state"], now["seed_commitment"]) == ("finished", tournament["seed_commitment"])
    assert tournament["seed"] is None
    assert now["seed"] is not None


def pages(client: httpx.Client, path: str) -> Iterator[Any]:
    cursor: dict[str, str] = {}
    while True:
        page = client.get(path, params={"limit": 100, **cursor}).json()
        yield from page["items"]
        if page["next"] is None:
            return
        cursor = {"cursor": page["next"]}


def test_standings_crosstable_matches_and_records_agree(
    arena: Arena, bots: list[str], tournament: dict[str, Any]
) -> None:
    path = f"/tournaments/{tournament['id']}"
    games: dict[str, int] = defaultdict(int)
    points: dict[str, int] = defaultdict(int)
    shares: dict[str, Fraction] = defaultdict(Fraction)
    pair_share: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    with arena.client() as client:
        matches = list(pages(client, f"{path}/matches"))
        line_ups = {tuple(sorted(match["line_up"])) for match in matches}
        assert line_ups == set(itertools.combinations(sorted(bots), 2))
        for match in matches:
            of_match: dict[str, Fraction] = defaultdict(Fraction)
            played = list(pages(client, f"/matches/{match['id']}/games"))
            assert len(played) == match["games_played"] == match["games_total"] == BLOCKS * 2
            for game in played:
                record = client.get(f"/games/{game['id']}/record").json()
                maumau.verify_record(record)
                assert record["seats"] == game["seats"]
                assert (record["ranks"], record["totals"]) == (game["ranks"], game["totals"])
                first = record["ranks"].count(1)
                for seat, label in enumerate(record["seats"]):
                    other = record["seats"][1 - seat]
                    games[label] += 1
                    points[label] += record["totals"][seat]
                    if record["ranks"][seat] == 1:
                        shares[label] += Fraction(1, first)
                        of_match[label] += Fraction(1, first)
                        pair_share[label, other] += Fraction(1, first)
            for result in match["results"]:
                share = of_match[result["entrant"]] / (BLOCKS * 2)
                assert result["score_share"] == pytest.approx(float(share), abs=1e-6)
        standings = client.get(f"{path}/standings").json()
        crosstable = client.get(f"{path}/crosstable").json()
    assert standings["complete"]
    assert {row["entrant"] for row in standings["rows"]} == set(bots)
    for row in standings["rows"]:
        label = row["entrant"]
        assert row["games"] == games[label] == 5 * BLOCKS * 2
        assert row["score_share"] == pytest.approx(float(shares[label] / games[label]), abs=1e-6)
        assert row["points"] == points[label]
        assert row["low"] < row["score_share"] < row["high"]
        assert row["faults"] == 0
    ranked = [row["score_share"] for row in standings["rows"]]
    assert ranked == sorted(ranked, reverse=True)
    assert sum(shares.values()) == tournament["progress"]["games_total"]
    for cell in crosstable["cells"]:
        share = pair_share[cell["entrant"], cell["other"]] / (BLOCKS * 2)
        assert cell["share"] == pytest.approx(float(share), abs=1e-6)
    assert len(crosstable["cells"]) == 30


def test_the_command_line_shows_the_same(
    arena: Arena, bots: list[str], tournament: dict[str, Any], tmp_path: Path
) -> None:
    shown = arena.maumau("standings", tournament["id"], "--crosstable").stdout
    assert all(bot in shown for bot in bots)
    whole = json.loads(arena.maumau("standings", tournament["id"], "--json").stdout)
    csv = arena.maumau("standings", tournament["id"], "--csv").stdout.splitlines()
    assert len(csv) == 1 + len(whole["rows"]) == 7
    assert tournament["id"] in arena.maumau("tournaments").stdout
    assert "lowest@1" in arena.maumau("bots").stdout
    assert arena.maumau("watch", tournament["id"]).stdout.count("rank") == 1
    with arena.client() as client:
        match = client.get(f"/tournaments/{tournament['id']}/matches").json()["items"][0]
        game = client.get(f"/matches/{match['id']}/games").json()["items"][0]["id"]
    assert "Deal 0, led by seat 0" in arena.maumau("record", game).stdout
    file = tmp_path / "game.json"
    arena.maumau("record", game, "-o", str(file))
    assert arena.maumau("verify", str(file)).stdout.startswith(f"{file}: true")


def test_a_bot_that_is_rejected_is_told_with_its_reason(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_bytes(source("broken", "None"))
    done = arena.maumau("submit", str(file), code=1)
    assert done.stderr.startswith("Error: broken@1 is rejected:\n  ")
    shown = arena.maumau("bots", "broken").stdout
    assert "rejected" in shown
    again = arena.maumau("schedule", "broken", "easy", "--rules", "champion", code=4)
    assert "entrants.0" in again.stderr


def test_a_key_schedules_once_and_a_wrong_request_nothing(arena: Arena, bots: list[str]) -> None:
    with arena.client() as client:
        before = len(list(pages(client, "/tournaments")))
        wrong = {"entrants": ["easy", "nobody"], "rules": "champoin", "seats": 9}
        answer = client.post("/tournaments", json=wrong)
        assert answer.status_code == 422
        assert len(answer.json()["errors"]) >= 2
        key = {"Idempotency-Key": secrets.token_hex(8)}
        wanted = {"entrants": bots[:2], "rules": "champion", "blocks": 1}
        first, second = (client.post("/tournaments", json=wanted, headers=key) for _ in range(2))
        assert first.json() == second.json()
        assert len(list(pages(client, "/tournaments"))) == before + 1
        wait_for(
            lambda: client.get(f"/tournaments/{first.json()['id']}").json()["state"] == "finished"
        )


def blocks(kind: str, page: str = "README.md") -> list[str]:
    """A page's code blocks of a kind."""
    text = (EXAMPLE.parents[1] / page).read_text(encoding="utf-8")
    return [part.split("```")[0] for part in text.split(f"```{kind}\n")[1:]]


def test_the_readmes_commands_do_what_it_says(arena: Arena, tmp_path: Path) -> None:
    (bot,) = blocks("python")
    alone, by_cli, by_curl, _ = blocks("sh")
    (tmp_path / "my_bot.py").write_text(bot)
    done = sh(alone.replace("./run maumau", PROGRAM), arena, tmp_path)
    assert "accepted" in done
    assert "100 games" in done
    find = "import json, sys; print(json.load(sys.stdin)[0]['id'])"
    first = f'$({PROGRAM} games --limit 1 --json | {sys.executable} -c "{find}")'
    done = sh(
        by_cli.replace("./run maumau", PROGRAM).replace("record ID", f"record {first}"),
        arena,
        tmp_path,
    )
    assert "my-bot@1: accepted" in done
    assert "Rules gameduell. Seed " in done
    assert "Standings" in done
    assert "my-bot@1" in done
    if shutil.which("curl") is None:
        pytest.skip("the README's curl commands are not tried: there is no curl")
    (tmp_path / "var").symlink_to(arena.var)
    done = sh(here(by_curl, arena), arena, tmp_path)
    assert '"label": "my-bot@1"' in done.replace('":"', '": "')
    assert '"state": "accepted"' in done.replace('":"', '": "')
    assert '"games_total"' in done


def test_the_readmes_four_commands_lead_from_nothing_to_an_accepted_bot(
    arena: Arena, tmp_path: Path
) -> None:
    commands = blocks("sh")[3]
    assert len(commands.strip().splitlines()) == 4
    done = sh(
        commands.replace("./run maumau", f"{sys.executable} -P -m maumau.cli"), arena, tmp_path
    )
    assert "\naccepted\n" in done
    assert "40 games" in done
    assert done.endswith("second-bot@1: accepted\n")


def test_a_fault_from_the_server_is_seen_again_with_one_command(
    arena: Arena, tmp_path: Path
) -> None:
    """The bot keeps the check's rules and fails under others, in some positions."""
    bot = tmp_path / "trips.py"
    fails = "1 // (obs.rules.data['max_deals'] != 77 or obs.hand_counts[obs.seat] > 3) and 0"
    bot.write_bytes(source("trips", fails))
    arena.maumau("submit", str(bot))
    rules = '{"preset": "gameduell", "overrides": {"max_deals": 77}}'
    arena.maumau("schedule", "trips", "easy", "--rules", rules, "--blocks", "3", "--watch")
    with arena.client() as client:
        tournament = client.get("/tournaments?bot=trips").json()["items"][0]["id"]
        game = client.get(f"/tournaments/{tournament}/games?faulty=true").json()["items"][0]
        evidence = client.get(f"/games/{game['id']}/fault").json()
    assert evidence["fault"]["kind"] == "crash"
    assert "ZeroDivisionError" in evidence["log"]
    assert len(evidence["observation"]["hand"]) <= 3
    command = evidence["replay"].split()
    assert command[0] == "maumau"
    assert command[-1] == "trips.py"
    again = arena.maumau(*command[1:-1], str(bot), code=1)
    assert f"crash: {evidence['fault']['detail']}" in again.stderr
    # And a mended bot answers there.
    bot.write_bytes(source("trips"))
    assert "it answers" in arena.maumau(*command[1:-1], str(bot)).stdout


def test_the_commands_of_the_api_page_do_what_it_says(
    arena: Arena, bots: list[str], tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("the API page's curl commands are not tried: there is no curl")
    assert "lowest@1" in bots
    (script,) = blocks("sh", "docs/api.md")
    shutil.copy(EXAMPLE / "lowest_bot.py", tmp_path / "lowest.py")
    token = (arena.var / "admin-token").read_text("utf-8").strip()
    done = sh(f"TOKEN={token}\n{here(script, arena)}", arena, tmp_path)
    assert '"label":"lowest@2"' in done.replace('": "', '":"')
    assert '"games_total"' in done


def here(script: str, arena: Arena) -> str:
    """Let curl talk to the test's arena, and say what it refuses."""
    return script.replace("http://127.0.0.1:8000", arena.server).replace("curl ", "curl -sSf ")


def test_the_examples_readme_does_what_it_says(arena: Arena, tmp_path: Path) -> None:
    """In its own folder of a checkout, with the arena that runs there."""
    place = tmp_path / "examples" / "lowest-bot"
    shutil.copytree(EXAMPLE, place)
    (tmp_path / "var").symlink_to(arena.var)
    by_cli, by_curl = blocks("sh", "examples/lowest-bot/README.md")
    done = sh(by_cli.replace("../../run maumau", PROGRAM), arena, place)
    assert "lowest_bot-1.0.0-py3-none-any.whl" in done
    assert ": accepted" in done
    if shutil.which("curl") is None:
        pytest.skip("the README's curl commands are not tried: there is no curl")
    done = sh(here(by_curl, arena), arena, place)
    assert '"bot":"lowest"' in done.replace('": "', '":"')


PROGRAM = f"{sys.executable} -P -m maumau.cli"


def sh(script: str, arena: Arena, place: Path) -> str:
    done = subprocess.run(
        ["sh", "-euc", script],
        cwd=place,
        env=arena.env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
