"""Every answer is as the API's description says, over an arena in which something happened."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

import maumau
from maumau.tournament.seeds import commitment
from maumau.usecases import builtins, play
from maumau.usecases.due import due_chunks
from tests.service.conftest import House, new_house
from tests.service.test_bots import submit

API = "/api/v1"
BROKEN = b"""
from maumau import Bot, hookimpl
class Broken(Bot):
    name = "broken"
    def act(self, obs):
        print("<b>before the fall</b>")
        raise ValueError("=cmd()")
@hookimpl
def maumau_bots():
    return [Broken]
"""


@dataclass
class Played:
    """An arena with tournaments in every state, and the headers of an admin."""

    house: House
    client: FlaskClient
    admin: dict[str, str]
    spec: dict[str, Any]
    registry: Registry[Any]
    finished: str
    running: str

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(API + path, **more)

    def value(self, path: str) -> Any:
        answer = self.get(path, headers=self.admin)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json

    def operation(self, method: str, path: str) -> tuple[str, dict[str, Any]]:
        """Find the description of an address: its path with names, and its operation."""
        for described, item in sorted(self.spec["paths"].items()):
            pattern = re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(described))
            if method in item and re.fullmatch(pattern, API + path.partition("?")[0]):
                return described, item[method]
        raise AssertionError(f"{method} {path} is not described")

    def check(self, method: str, path: str, answer: TestResponse) -> str:
        """Compare an answer with its description; gives the described path."""
        described, operation = self.operation(method, path)
        responses = operation["responses"]
        response = responses.get(str(answer.status_code), responses["default"])
        if "$ref" in response:
            response = self.spec["components"]["responses"][response["$ref"].split("/")[-1]]
        if answer.status_code == 304:
            assert answer.data == b""
            return described
        assert answer.mimetype in response["content"], (path, answer.mimetype)
        for name in response.get("headers", ()):
            assert name == "Link" or name in answer.headers
        if answer.mimetype.endswith("json"):
            schema = response["content"][answer.mimetype]["schema"]
            absolute = json.loads(json.dumps(schema).replace('"#/', '"urn:api#/'))
            Draft202012Validator(absolute, registry=self.registry).validate(answer.json)
        return described


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def played(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Played]:
    house = new_house(request, tmp_path_factory.mktemp("played"), request.param)
    client = house.app().test_client()
    admin = house.bearer("boss", "admin")
    builtins.install_builtins(house.db, house.clock)
    for name, content, state in [
        ("broken", BROKEN, "accepted"),
        ("refused", b"x", "rejected"),
        ("waiting", b"y", None),
    ]:
        told: Any = submit(client, admin, name=name, content=content).json
        assert told["state"] == "pending"
        with house.db.begin() as tx:
            bot = tx.bots.by_name(name)
            version = tx.bots.by_number(bot.id, 1) if bot else None
            if state and version:
                tx.bots.decide(version.id, state, now=house.clock(), log="<i>")  # type: ignore[arg-type]

    def schedule(**wanted: Any) -> str:
        body = {"entrants": ["random", "easy"], "rules": "champion", "blocks": 2} | wanted
        answer = client.post(f"{API}/tournaments", json=body, headers=admin)
        assert answer.status_code == 201, answer.text
        assert answer.headers["Location"] == f"{API}/tournaments/{answer.json['id']}"  # type: ignore[index]
        return str(answer.json["id"])  # type: ignore[index]

    finished = schedule(entrants=["random", "easy", "broken"], name="=SUM(A1)")
    while due := due_chunks(house.db, house.clock):
        for chunk in due:
            assert play.play_chunk(
                house.db, house.clock, chunk, "w", files=house.settings.var, uploads="unsafe"
            )
    cancelled = schedule()
    assert client.post(f"{API}/tournaments/{cancelled}/cancel", headers=admin).status_code == 200
    schedule(start_at="2030-01-01T00:00:00+02:00", seed="known")
    running = schedule()
    spec: Any = client.get(f"{API}/openapi.json").json
    resource = Resource.from_contents({"$id": "urn:api", **spec}, DRAFT202012)
    registry = Registry[Any]().with_resource("urn:api", resource).crawl()
    yield Played(house, client, admin, spec, registry, finished, running)
    house.db.close()


def addresses(played: Played) -> Iterator[str]:
    """Give an address, or several, of every GET route."""
    yield from (
        "/healthz",
        "/readyz",
        "/metrics",
        "/bots",
        "/rulesets",
        "/tournaments",
        "/leaderboard",
    )
    yield from ("/leaderboard?rules=straffpoang&seats=4", "/bots?limit=2&sort=-created_at")
    for bot in played.value("/bots")["items"]:
        version = f"/bots/{bot['name']}/versions"
        yield from (f"/bots/{bot['name']}", version, f"{version}/1", f"{version}/1/log")
        yield from (f"{version}/1/source", f"{version}/1/report")
    for rule_set in played.value("/rulesets")["items"]:
        yield f"/rulesets/{rule_set['id']}"
        yield f"/rulesets/{rule_set['name']}"
    for tournament in played.value("/tournaments")["items"]:
        path = f"/tournaments/{tournament['id']}"
        yield from (path, f"{path}/standings", f"{path}/crosstable", f"{path}/matches")
        yield f"{path}/stuck"
        yield from (f"{path}/games", f"{path}/games?faulty=true", f"{path}/matches?limit=1")
        yield from (f"{path}/ratings", f"{path}/differences")
        yield from (f"{path}/charts/{name}" for name in ("share", "crosstable", "rating"))
        first, second = (one["label"] for one in tournament["entrants"][:2])
        yield f"{path}/test?new={first}&old={second}"
        yield f"{path}/comparison?with={tournament['id']}"
        for match in played.value(f"{path}/matches")["items"]:
            yield from (f"/matches/{match['id']}", f"/matches/{match['id']}/games")
        for game in played.value(f"{path}/games")["items"]:
            where = f"/games/{game['id']}"
            yield from (where, f"{where}/record", f"{where}/record?format=text", f"{where}/fault")
    yield "/"
    yield from ("/accounts", "/accounts/boss", "/tokens", "/tokens?account=boss&limit=1")
    for token in played.value("/tokens")["items"]:
        yield f"/tokens/{token['id']}"
    for table in (open_table(played), play_out(played, open_table(played))):
        where = f"/tables/{table['id']}"
        yield from (where, f"{where}/record")


def open_table(played: Played) -> dict[str, Any]:
    """Sit down to a game of one deal against `random`."""
    wanted = {"rules": "mau-mau", "opponents": ["random"], "seed": "a table"}
    answer = played.client.post(f"{API}/tables", json=wanted)
    assert answer.status_code == 201, answer.text
    played.check("post", "/tables", answer)
    table: dict[str, Any] = answer.json or {}
    return table


def play_out(played: Played, table: dict[str, Any]) -> dict[str, Any]:
    """Play a table's game to its end, always the first legal action."""
    where = f"/tables/{table['id']}/actions"
    while table["state"] != "over":
        answer = played.client.post(API + where, json={"action": table["legal_actions"][0]})
        assert answer.status_code == 200, answer.text
        played.check("post", where, answer)
        table = answer.json or {}
    return table


def test_every_get_route_answers_as_described(played: Played) -> None:
    met, good = set(), set()
    for path in addresses(played):
        for query in ("", "format=csv"):
            address = path + ("&" if "?" in path else "?") + query if query else path
            answer = played.get(address, headers=played.admin)
            assert answer.status_code < 500, (address, answer.text)
            described = played.check("get", address, answer)
            met.add(described)
            if answer.status_code == 200:
                good.add(described)
                fresh = {"If-None-Match": answer.headers.get("ETag", "")}
                again = played.get(address, headers=played.admin | fresh)
                if fresh["If-None-Match"]:
                    assert again.status_code == 304, address
                    played.check("get", address, again)
    there = {path for path, item in played.spec["paths"].items() if "get" in item}
    assert there - met == {f"{API}/tournaments/{{id}}/events"}
    assert good == met


def test_the_description_is_valid_and_its_references_lead_somewhere(played: Played) -> None:
    text = json.dumps(played.spec)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        place: Any = played.spec
        for step in reference.split("/"):
            place = place[step]
    for name, schema in played.spec["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert re.fullmatch(r"[A-Z]\w+", name)


def test_every_operation_says_who_may(played: Played) -> None:
    for item in played.spec["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict):
                assert operation["security"] in ([{"bearer": []}], [{}, {"bearer": []}])


def test_standings_crosstable_matches_and_games_agree(played: Played) -> None:
    path = f"/tournaments/{played.finished}"
    told = played.value(path)
    standings, games = played.value(f"{path}/standings"), played.value(f"{path}/games")["items"]
    assert (told["state"], standings["complete"], standings["final"]) == ("finished", True, True)
    assert told["progress"]["games_played"] == told["progress"]["games_total"] == len(games)
    assert {row["entrant"] for row in standings["rows"]} == {"random@1", "easy@1", "broken@1"}
    for row in standings["rows"]:
        mine = [game for game in games if row["entrant"] in game["seats"]]
        assert row["games"] == len(mine)
        assert row["faults"] == sum(
            game["fault"] is not None and game["fault"]["entrant"] == row["entrant"]
            for game in mine
        )
    assert standings["rows"][-1]["entrant"] == "broken@1"
    assert standings["rows"][-1]["faults"] > 0
    for match in played.value(f"{path}/matches")["items"]:
        assert match["games_played"] == len(played.value(f"/matches/{match['id']}/games")["items"])
    only = played.value(f"{path}/matches?entrant=easy@1&entrant=random@1")["items"]
    assert [sorted(match["line_up"]) for match in only] == [["easy@1", "random@1"]]
    faulty = played.value(f"{path}/games?fault=crash&at_fault=broken@1")["items"]
    assert len(faulty) == standings["rows"][-1]["faults"]


def test_tables_hold_in_csv_what_they_hold_in_json(played: Played) -> None:
    path = f"/tournaments/{played.finished}"

    def table(address: str) -> list[dict[str, str]]:
        answer = played.get(address, headers={"Accept": "text/csv"})
        assert answer.mimetype == "text/csv"
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
        return list(csv.DictReader(io.StringIO(answer.text, newline="")))

    def texts(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
        return [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]

    assert table(f"{path}/standings") == texts(played.value(f"{path}/standings")["rows"])
    assert table(f"{path}/crosstable") == texts(played.value(f"{path}/crosstable")["cells"])
    leaders = played.value("/leaderboard")["rows"]
    assert len(leaders) == 3
    assert table("/leaderboard") == texts(leaders)
    for match in played.value(f"{path}/matches")["items"]:
        rows = table(f"/matches/{match['id']}")
        assert [row["entrant"] for row in rows] == match["line_up"]
        assert [int(row["games"]) for row in rows] == [match["games_played"]] * 2
    games = played.value(f"{path}/games")["items"]
    rows = table(f"{path}/games")
    assert [row["entrant"] for row in rows] == [label for game in games for label in game["seats"]]
    faults = [row for row in rows if row["fault"]]
    assert {row["entrant"] for row in faults} == {"broken@1"}


def test_a_head_request_holds_no_place_of_a_stream(played: Played) -> None:
    streams = played.client.application.extensions["maumau"].streams
    path = f"{API}/tournaments/{played.running}/events"
    for _ in range(streams.most + 1):
        with played.client.head(path) as answer:
            assert answer.status_code == 200
    assert streams.open == 0


def test_a_record_is_true_and_can_be_read(played: Played) -> None:
    for game in played.value(f"/tournaments/{played.finished}/games")["items"]:
        record = played.value(f"/games/{game['id']}/record")
        maumau.verify_record(record)
        assert record["seats"] == game["seats"]
        assert record["totals"] == game["totals"]
    text = played.get(f"/games/{game['id']}/record", headers={"Accept": "text/plain"})
    assert text.mimetype == "text/plain"
    assert game["seats"][0] in text.text


def test_what_a_bot_left_behind_is_for_its_owner_and_admins(played: Played) -> None:
    path = f"/tournaments/{played.finished}/games?faulty=true"
    game = played.value(path)["items"][0]
    where = f"/games/{game['id']}/fault"
    evidence = played.value(where)
    assert "before the fall" in evidence["log"]
    fault = evidence["fault"]
    assert (fault["kind"], fault["seat"]) == (game["fault"]["kind"], game["fault"]["seat"])
    assert evidence["observation"]["seat"] == fault["seat"]
    assert len(evidence["observation"]["events"]) == fault["action"]
    assert evidence["observation"]["legal_actions"]
    assert evidence["runtime"].startswith("Python 3")
    assert f"maumau replay {game['id']} --bot " in evidence["replay"]
    assert played.get(where).status_code == 401
    other = played.get(where, headers=played.house.bearer("ann"))
    assert other.status_code == 403
    assert "before the fall" not in other.text
    assert "before the fall" not in played.get(f"/games/{game['id']}").text


def test_the_seed_is_told_at_the_end_only(played: Played) -> None:
    assert played.value(f"/tournaments/{played.running}")["seed"] is None
    ended = played.value(f"/tournaments/{played.finished}")
    assert commitment(ended["seed"]) == ended["seed_commitment"]


def test_the_stream_of_an_ended_tournament_tells_the_end_and_ends(played: Played) -> None:
    with played.get(f"/tournaments/{played.finished}/events") as answer:
        assert answer.mimetype == "text/event-stream"
        events = re.findall(r"event: (\w+)\ndata: (.+)\n", answer.text)
    assert [name for name, _ in events] == ["progress", "finished"]
    data = json.loads(events[-1][1])
    assert data["id"] == played.finished
    assert data["progress"]["chunks"]["due"] == 0
    assert set(data) == {"id", "state", "progress"}


def test_a_cancelled_tournament_cannot_be_cancelled_again(played: Played) -> None:
    for tournament in played.value("/tournaments")["items"]:
        if tournament["state"] in ("finished", "cancelled"):
            path = f"{API}/tournaments/{tournament['id']}/cancel"
            answer = played.client.post(path, headers=played.admin)
            assert answer.status_code == 409
            assert answer.json is not None
            assert answer.json["code"] == "has_ended"


def test_tournaments_are_found_by_state_rules_and_bot(played: Played) -> None:
    def count(query: str) -> int:
        return len(played.value(f"/tournaments?{query}")["items"])

    assert count("state=finished") == 1
    assert count("state=scheduled") == 1
    assert count("rules=champion") == 4
    assert count("rules=straffpoang") == 0
    assert count("bot=broken") == 1
    times = [t["created_at"] for t in played.value("/tournaments?sort=created_at")["items"]]
    assert times == sorted(times)


def test_every_creating_route_takes_a_key(played: Played) -> None:
    takes = {
        path
        for path, item in played.spec["paths"].items()
        for parameter in item.get("post", {}).get("parameters", ())
        if parameter.get("name") == "Idempotency-Key"
    }
    assert takes == {
        f"{API}/{made}"
        for made in ("accounts", "bots", "rulesets", "tables", "tokens", "tournaments")
    }
