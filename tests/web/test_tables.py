"""Tables over HTTP: the pages' buttons and the API, with real bots in real processes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from maumau import load_rules, verify_record
from tests.web.conftest import HOSTILE, World
from tests.web.test_pages import sign_in

API = "/api/v1/tables"


def opened(client: FlaskClient, **said: Any) -> dict[str, Any]:
    request = {"opponents": ["easy"], "seed": "s", **said}
    answer = client.post(API, json=request)
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json or {}
    assert answer.headers["Location"] == f"{API}/{table['id']}"
    return table


def best(legal: list[str]) -> str:
    return next((action for action in legal if action.endswith("!")), legal[0])


def test_a_program_plays_a_whole_game_and_the_record_verifies(client: FlaskClient) -> None:
    table = opened(client, opponents=["easy", "medium", "random"], rules="gamerules", seat=2)
    assert table["seats"][2] == "you"
    assert client.get(f"{API}/{table['id']}/record").status_code == 409
    while table["state"] != "over":
        assert table["observation"]["seat"] == 2
        sent = {"action": best(table["legal_actions"]), "seen": table["moves"]}
        answer = client.post(f"{API}/{table['id']}/actions", json=sent)
        assert answer.status_code == 200, answer.text
        table = answer.json or {}
    record = client.get(f"{API}/{table['id']}/record").json
    assert record is not None
    verify_record(record)
    assert (record["totals"], record["ranks"]) == (table["totals"], table["ranks"])


def test_the_same_seed_gives_the_same_game(client: FlaskClient) -> None:
    def play() -> list[str]:
        table = opened(client, opponents=["random"])
        for _ in range(6):
            sent = {"action": table["legal_actions"][0]}
            table = client.post(f"{API}/{table['id']}/actions", json=sent).json or {}
        return [event["action"] for event in table["observation"]["events"]]

    assert play() == play()


def test_an_observation_tells_no_hidden_card(client: FlaskClient) -> None:
    """docs/rules.md §3: hidden are the other hands and the stock."""
    text = client.get(f"{API}/{opened(client)['id']}").text
    known = set(re.findall(r'"([2-9TJQKA][cdhs])"', text))
    table = client.get(f"{API}/{opened(client)['id']}").json or {}
    obs = table["observation"]
    assert known <= {*obs["hand"], *obs["discard_pile"]}


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"action": "nonsense"}, 409, "illegal_action"),
        ({"action": "pass", "seen": 99}, 409, "moved_on"),
        ({"action": 7}, 422, "invalid_input"),
        ({"odd": 1}, 422, "invalid_input"),
    ],
)
def test_a_wrong_action_changes_nothing(
    client: FlaskClient, sent: dict[str, Any], status: int, code: str
) -> None:
    table = opened(client)
    answer = client.post(f"{API}/{table['id']}/actions", json=sent)
    assert (answer.status_code, (answer.json or {})["code"]) == (status, code)
    assert client.get(f"{API}/{table['id']}").json == table


def test_a_table_is_made_once_for_a_key(client: FlaskClient, world: World) -> None:
    headers = {
        "Authorization": f"Bearer {world.tokens['ann']}",
        "Idempotency-Key": "one",
    }
    request = {"opponents": ["easy"], "seat": 1}
    first, again = (client.post(API, json=request, headers=headers) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert (first.json or {})["id"] == (again.json or {})["id"]


def test_nobody_is_told_a_table_by_chance(client: FlaskClient) -> None:
    for wrong in ("x", "a" * 32, "..%2f"):
        assert client.get(f"{API}/{wrong}").status_code == 404
        assert client.get(f"/tables/{wrong}").status_code == 404


# The pages.


def buttons(html: str) -> dict[str, bool]:
    """Give the values of a table's buttons, and whether each is open."""
    found = re.findall(r'<button[^>]*name="do" value="([^"]*)"([^>]*)>', html)
    return {value: "aria-disabled" not in rest for value, rest in found}


def press(client: FlaskClient, where: str, html: str, do: str, **more: str) -> str:
    seen = re.search(r'name="seen" value="(\d+)"', html)
    assert seen
    answer = client.post(where, data={"do": do, "seen": seen[1], **more})
    assert answer.status_code == 200
    return answer.text


def test_a_game_is_played_by_buttons_alone(client: FlaskClient) -> None:
    said = {"rules": "mau-mau", "opponent1": "easy", "opponent2": "random", "seat": "1"}
    where = client.post("/tables", data=said).location
    html = client.get(where).text
    for _ in range(300):
        if "The game is over." in html:
            break
        open_now = [do for do, may in buttons(html).items() if may]
        assert open_now, html
        html = press(client, where, html, open_now[0], call="1")
    else:
        pytest.fail("the game did not end")
    assert "/replay" in html
    assert client.get(f"{where}/replay?deal=0&step=1&seat=all").status_code == 200
    assert client.get(f"{where}/replay/step?deal=0&step=2&seat=0").status_code == 200


def test_a_card_that_is_not_allowed_gets_its_reason(client: FlaskClient) -> None:
    where = f"/tables/{opened(client, rules='champion')['id']}"
    html = client.get(where).text
    closed = [do for do, may in buttons(html).items() if not may and do != "draw"]
    assert closed
    after = press(client, where, html, closed[0])
    assert "does not fit on" in after
    moves = re.search(r'data-moves="(\d+)"', after)
    assert moves
    assert moves[1] == "0"
    assert "while a card of yours fits" in press(client, where, html, "draw")


def test_a_wish_is_asked_for(client: FlaskClient) -> None:
    # docs/rules.md §3: a card that wishes has one action per suit.
    for n in range(40):
        table = opened(client, seed=f"jack{n}")
        jack = next((a[:2] for a in table["legal_actions"] if "=" in a), None)
        if jack:
            break
    assert jack
    where = f"/tables/{table['id']}"
    html = press(client, where, client.get(where).text, jack)
    assert {f"{jack}={suit}" for suit in "cdhs"} <= set(buttons(html))
    after = press(client, where, html, f"{jack}=h")
    assert re.search("You play jack of [a-z]+ and wish for hearts", after)


def test_a_press_that_came_too_late_says_so(client: FlaskClient) -> None:
    table = opened(client)
    where = f"/tables/{table['id']}"
    html = client.get(where).text
    do = next(do for do, may in buttons(html).items() if may)
    press(client, where, html, do)
    late = client.post(where, data={"do": do, "seen": "0"})
    assert late.status_code == 200


@pytest.mark.parametrize(
    "said",
    [{"opponent1": ""}, {"opponent1": "nobody"}, {"seat": "x"}, {"own_rules": "none"}],
)
def test_a_table_that_cannot_be_is_said_on_the_form(
    client: FlaskClient, said: dict[str, str]
) -> None:
    answer = client.post("/tables", data={"rules": "champion", "opponent1": "easy", **said})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_cards_of_a_deal_that_goes_on_stay_hidden(client: FlaskClient) -> None:
    table = opened(client)
    assert client.get(f"/tables/{table['id']}/replay").status_code == 403
    assert client.get(f"/tables/{table['id']}/replay/step?deal=0&step=0").status_code == 403


def test_a_report_is_kept_answered_and_made_a_test_case(client: FlaskClient, world: World) -> None:
    table = opened(client)
    where = f"/tables/{table['id']}"
    sent = client.post(f"{where}/report", data={"comment": HOSTILE})
    assert sent.status_code == 303
    assert client.post(f"{where}/report", data={"comment": ""}).status_code == 422
    api = client.post(f"{API}/{table['id']}/report", json={"comment": "odd", "deal": 0, "step": 0})
    assert api.status_code == 200
    assert "<script>alert" not in client.get(where).text
    assert client.get("/reports").status_code == 401

    proof = sign_in(client, world.tokens["root"])
    page = client.get("/reports").text
    assert "<script>alert" not in page
    listed = re.findall(r'href="(/reports/[a-z2-7]+)"', page)
    assert len(listed) == 2
    first = next(one for one in listed if "&lt;script&gt;alert(1)" in client.get(one).text)
    shown = client.get(first).text
    assert "<script>alert" not in shown
    assert client.get(f"{first}/step?deal=0&step=0&seat=1").status_code == 200
    assert client.post(first, data={"answer": "no"}).status_code == 403
    assert client.post(first, data={"answer": "", "csrf": proof}).status_code == 200
    assert client.post(first, data={"answer": HOSTILE, "csrf": proof}).status_code == 303
    line = client.get(f"{first}/conformance")
    assert (line.json or {}).get("format") or '"format":"maumau-conformance/1"' in line.text
    assert "&lt;script&gt;alert(1)" in client.get(where).text


@pytest.mark.parametrize("name", ["ann", "rex"])
def test_reports_are_for_admins(client: FlaskClient, world: World, name: str) -> None:
    sign_in(client, world.tokens[name])
    assert client.get("/reports").status_code == 403


def test_a_table_of_an_old_release_goes_on_with_the_bot_that_is_installed(
    client: FlaskClient, db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(client)
    with db.begin() as tx:
        version = tx.bots.by_number(tx.bots.by_name("easy").id, 1)
    from maumau.usecases import sources

    def gone(*_: object, **__: object) -> None:
        raise sources.Unavailable("plugin_missing", "another release is installed")

    monkeypatch.setattr("maumau.usecases.ask.source_of", gone)
    answer = client.post(f"{API}/{table['id']}/actions", json={"action": table["legal_actions"][0]})
    assert version is not None
    assert answer.status_code == 200, answer.text
    assert (answer.json or {})["moves"] > 1


def test_rules_of_ones_own_are_played(client: FlaskClient) -> None:
    spec = {"preset": "champion", "overrides": {"hand_size": 3}}
    table = opened(client, rules=spec)
    assert table["rule_set"] == load_rules(spec).id
    assert len(table["observation"]["hand"]) == 3
