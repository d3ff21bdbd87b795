"""Forms for who has a token: upload, schedule, cancel, withdraw."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import HOSTILE, World
from tests.web.test_pages import sign_in

BOT = b"""
from maumau import Bot, hookimpl

class First(Bot):
    name = "first"
    def act(self, obs):
        return obs.legal_actions[0]

@hookimpl
def maumau_bots():
    return [First]
"""


@pytest.fixture
def proof(client: FlaskClient, world: World) -> str:
    return sign_in(client, world.tokens["ann"])


def upload(client: FlaskClient, proof: str, name: str = "first", filename: str = "first.py"):  # type: ignore[no-untyped-def]
    sent = {"csrf": proof, "name": name, "file": (io.BytesIO(BOT), filename)}
    return client.post("/submit", data=sent)


def test_a_file_is_uploaded_and_waits_for_its_check(client: FlaskClient, proof: str) -> None:
    answer = upload(client, proof)
    assert (answer.status_code, answer.location) == (303, "/bots/first/1")
    assert "waiting for its check" in client.get(answer.location).text
    assert upload(client, proof).location == "/bots/first/1"


@pytest.mark.parametrize(
    ("name", "filename"), [("First", "first.py"), ("easy", "easy.py"), ("first", "first.exe")]
)
def test_a_wrong_upload_is_said_on_the_form(
    client: FlaskClient, proof: str, name: str, filename: str
) -> None:
    answer = upload(client, proof, name, filename)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_a_tournament_is_scheduled_and_cancelled(client: FlaskClient, proof: str) -> None:
    said = {
        "csrf": proof,
        "name": HOSTILE[:100],
        "entrants": ["easy", "medium"],
        "rules": "champion",
        "seats": "2",
        "blocks": "3",
        "line_ups": "all",
    }
    answer = client.post("/schedule", data=said)
    assert answer.status_code == 303
    page = client.get(answer.location)
    assert "0 of 6 games played" in page.text
    assert "<script>alert" not in page.text
    where = f"{answer.location}/cancel"
    assert client.post(where).status_code == 403
    assert client.post(where, data={"csrf": proof}).status_code == 303
    assert "cancelled" in client.get(answer.location).text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"stop": "separated"}, "when all are separated"),
        ({"stop": "half_width", "half_width": "2,5"}, "when every share is known to ± 2.5"),
        ({"stop": ""}, None),
    ],
)
def test_a_stop_rule_is_chosen_on_the_form(
    client: FlaskClient, proof: str, said: dict[str, str], told: str | None
) -> None:
    whole = {"entrants": ["easy", "medium"], "rules": "champion", "seats": "2", "blocks": "3"}
    answer = client.post("/schedule", data={"csrf": proof, **whole, **said})
    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert ("Ends early" in page) == (told is not None)
    assert told is None or told in page
    client.post(f"{answer.location}/cancel", data={"csrf": proof})


def test_a_start_and_a_repetition_are_chosen_on_the_form(client: FlaskClient, proof: str) -> None:
    whole = {"entrants": ["easy", "medium"], "rules": "champion", "seats": "2", "blocks": "3"}
    when = {"start_at": "2126-07-01T18:00", "zone": "Europe/Berlin"}
    answer = client.post("/schedule", data={"csrf": proof, **whole, **when})
    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert "2126-07-01 16:00" in page
    assert "Repeats" not in page
    again = {**when, "cron": "30 9 * * MON", "missed": "skip"}
    answer = client.post("/schedule", data={"csrf": proof, **whole, **again})
    assert answer.status_code == 303
    page = client.get(answer.location).text
    assert "30 9 * * MON (Europe/Berlin), repetition 1" in page


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"start_at": "tomorrow"}, "start_at"),
        ({"start_at": "2001-01-01T00:00"}, "start_at"),
        ({"start_at": "0001-01-01T00:00", "zone": "Asia/Tokyo"}, "start_at"),
        ({"start_at": "2126-01-01T00:00", "zone": "Mars"}, "zone"),
        ({"start_at": "2126-01-01T00:00", "zone": "../../etc/passwd"}, "zone"),
        ({"cron": "now and then"}, "repeat.cron"),
        ({"cron": "0 9 * * *", "zone": "Mars"}, "repeat.zone"),
        ({"cron": "0 9 * * *", "missed": "some"}, "repeat.missed"),
        ({"entrants": ["easy"]}, "entrants"),
        ({"entrants": ["easy", "nobody"]}, "entrants.1"),
        ({"seats": "9"}, "seats"),
        ({"blocks": "many"}, "blocks"),
        ({"own_rules": "none"}, "rules.preset"),
        ({"stop": "half_width", "half_width": "a little"}, "stop.half_width"),
        ({"stop": "half_width", "half_width": "60"}, "stop.half_width"),
        ({"stop": "soon"}, "stop.kind"),
    ],
)
def test_a_tournament_that_cannot_be_is_said_on_the_form(
    client: FlaskClient, proof: str, said: dict[str, object], path: str
) -> None:
    whole = {"entrants": ["easy", "medium"], "rules": "champion", "seats": "2", "blocks": "3"}
    answer = client.post("/schedule", data={"csrf": proof, **whole, **said})
    assert answer.status_code == 422
    assert f"<code>{path}</code>" in answer.text


def test_a_version_is_withdrawn_by_its_owner(client: FlaskClient, proof: str, world: World) -> None:
    done = client.post("/bots/crasher/1/withdraw", data={"csrf": proof})
    assert done.status_code == 303
    assert "withdrawn" in client.get("/bots/crasher/1").text
    assert client.post("/bots/easy/1/withdraw", data={"csrf": proof}).status_code == 403


@pytest.mark.parametrize("path", ["/submit", "/schedule"])
def test_who_has_no_token_is_asked_for_one_and_readers_are_refused(
    client: FlaskClient, world: World, path: str
) -> None:
    browser = {"Accept": "text/html"}
    page = client.get(path, headers=browser)
    assert page.status_code == 401
    assert f'name="back" value="{path}"' in page.text
    sign_in(client, world.tokens["rex"])
    assert client.get(path, headers=browser).status_code == 403
