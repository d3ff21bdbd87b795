"""Every page in every language: it stands, says what it should, and takes nothing for markup."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from maumau.rules.presets import preset_names
from maumau.rules.ruleset import load_rules
from maumau.storage import Database
from maumau.storage.values import NewVersion, Reason
from maumau.usecases import accounts
from service.auth import ROUTES
from service.web.access import PAGES
from service.web.language import LANGUAGES
from tests.service.conftest import Clock, Entropy
from tests.web.conftest import HOSTILE, World


def addresses(world: World) -> list[str]:
    return [
        "/",
        "/tournaments",
        "/tournaments?state=running&rules=gamerules&bot=easy",
        f"/tournaments/{world.finished}",
        f"/tournaments/{world.running}",
        f"/tournaments/{world.finished}/results",
        f"/tournaments/{world.finished}/games",
        f"/tournaments/{world.finished}/games?fault=any",
        f"/tournaments/{world.finished}/games?fault=crash&entrant=crasher%401",
        f"/tournaments/{world.finished}/matches?entrant=easy%401",
        f"/matches/{world.finished}-0",
        f"/games/{world.finished}-0-0-0",
        f"/games/{world.finished}-0-0-0?deal=0&step=1&seat=1",
        f"/games/{world.finished}-0-0-0/step?deal=0&step=2&seat=all",
        "/bots",
        "/bots/easy",
        "/bots/easy/1",
        "/bots/nasty",
        "/bots/nasty/1",
        "/bots/crasher/1",
        "/rules",
        "/rules/champion",
        "/rules/straffpoang+pack-32",
        "/leaderboard",
        "/leaderboard?rules=gamerules&seats=3",
        "/session",
    ]


class Marks(HTMLParser):
    """Collects tags with attributes that could run something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def marks(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Marks()
    parser.feed(html)
    return parser.tags


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_stands_in_every_language(
    client: FlaskClient, world: World, language: str
) -> None:
    for address in addresses(world):
        answer = client.get(address, headers={"Accept-Language": language, "Accept": "text/html"})
        assert answer.status_code == 200, address
        if not address.endswith("/results") and "/step" not in address:
            assert f'<html lang="{language}">' in answer.text
        for tag, attributes in marks(answer.text):
            assert "style" not in attributes, (address, tag)
            assert not any(name.startswith("on") for name in attributes), (address, tag)
            if tag == "script":
                assert (attributes.get("src") or "").startswith("/static/"), address
            for name in ("src", "href", "action"):
                target = attributes.get(name)
                assert target is None or re.match(r"[/?#]", target), (address, tag, target)


def test_hostile_texts_are_shown_as_texts(client: FlaskClient, world: World) -> None:
    seen = 0
    headers = {"Authorization": f"Bearer {world.tokens['ann']}"}
    for address in addresses(world):
        html = client.get(address, headers=headers).text
        assert "<script>alert" not in html, address
        assert "<img" not in html, address
        assert "&#39;&amp;49" not in html, address
        seen += html.count("&lt;script&gt;alert(1)")
    assert seen > 10
    assert HOSTILE in (
        client.get(f"/api/v1/tournaments/{world.running}", headers=headers).json or {}
    ).get("name", "")


def test_the_choice_of_language_goes_before_the_browsers_wish(client: FlaskClient) -> None:
    answer = client.get("/choose?language=sv&back=/rules%3Fa=1")
    assert (answer.status_code, answer.location) == (302, "/rules?a=1")
    page = client.get("/", headers={"Accept-Language": "de"})
    assert '<html lang="sv">' in page.text
    assert {"Accept-Language", "Cookie"} <= set(page.vary)


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "\n/x"],
)
def test_nobody_is_sent_to_another_server(client: FlaskClient, elsewhere: str) -> None:
    assert client.get("/choose", query_string={"back": elsewhere}).location == "/"


def test_an_unknown_address_is_a_page_for_people_and_a_problem_for_programs(
    client: FlaskClient,
) -> None:
    page = client.get("/nowhere", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    for address in ("/nowhere", "/api/v1/nowhere"):
        problem = client.get(address)
        assert (problem.status_code, problem.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/tournaments/none", 404),
        ("/bots/none", 404),
        ("/bots/easy/99", 404),
        ("/rules/none", 404),
        ("/matches/x", 404),
        ("/games/x", 404),
        (f"/games/{'a' * 12}-0-0-0", 404),
        ("/leaderboard?rules=none", 404),
        ("/leaderboard?seats=two", 422),
        ("/tournaments?state=odd", 422),
        ("/tournaments?cursor=odd", 422),
        ("/cards/plain-en.svg", 404),
    ],
)
def test_what_is_not_there_or_wrong_is_said_on_a_page(
    client: FlaskClient, address: str, status: int
) -> None:
    page = client.get(address, headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert "Traceback" not in page.text


def test_standings_are_drawn_with_their_intervals(client: FlaskClient, world: World) -> None:
    html = client.get(f"/tournaments/{world.finished}").text
    rows = (client.get(f"/api/v1/tournaments/{world.finished}/standings").json or {})["rows"]
    assert html.count('<circle class="dot"') == len(rows)
    assert html.count('class="bar"') == sum(row["low"] is not None for row in rows)
    for row in rows:
        assert f'href="/bots/{row["bot"]}/{row["version"]}"' in html
        assert f"{100 * row['score_share']:.1f}\u00a0%" in html
    assert 'class="heat-' in html


def test_ratings_pairs_and_charts_stand_on_a_tournaments_page(
    client: FlaskClient, world: World
) -> None:
    page = client.get(f"/tournaments/{world.finished}?language=en").text
    rated = client.get(f"/api/v1/tournaments/{world.finished}/ratings").json
    assert rated is not None
    assert len(rated["ratings"]) > 1
    for row in rated["ratings"]:
        assert f">{row['rating']:,.0f}<" in page
    assert "<polyline" in page
    pairs = client.get(f"/api/v1/tournaments/{world.finished}/differences").json
    assert pairs is not None
    unsettled = [one for one in pairs["differences"] if not one["separated"]]
    for one in unsettled:
        assert f"{one['entrant']} – {one['other']}" in page
    assert unsettled
    for name in ("share", "crosstable", "rating"):
        drawn = client.get(f"/api/v1/tournaments/{world.finished}/charts/{name}")
        assert (drawn.status_code, drawn.mimetype) == (200, "image/svg+xml")
        assert f"/tournaments/{world.finished}/charts/{name}" in page


def test_a_fault_is_shown_with_its_position(client: FlaskClient, world: World) -> None:
    html = client.get("/bots/crasher/1").text
    assert re.search(
        rf'href="/games/{world.finished}-\d+-\d+-\d+\?deal=0&amp;step=\d+&amp;seat=[01]"', html
    )


def test_a_log_is_its_owners(client: FlaskClient, world: World) -> None:
    def log(name: str | None) -> bool:
        headers = {"Authorization": f"Bearer {world.tokens[name]}"} if name else {}
        return "What it wrote" in client.get("/bots/nasty/1", headers=headers).text

    assert [log(name) for name in ("ann", "root", "rex", None)] == [True, True, False, False]


@pytest.mark.parametrize("name", preset_names())
def test_each_preset_explains_itself(client: FlaskClient, name: str) -> None:
    html = client.get(f"/rules/{name}", headers={"Accept-Language": "de"}).text
    assert "Eine Karte passt auf eine von gleicher Farbe oder gleichem Wert." in html


def test_rules_of_ones_own_are_explained_or_refused_with_the_path(client: FlaskClient) -> None:
    spec = {"preset": "champion", "overrides": {"hand_size": 3}}
    good = client.post("/rules", data={"rules": json.dumps(spec)})
    assert "Each seat is dealt 3 cards." in good.text
    bad = client.post("/rules", data={"rules": '{"hand_size": 0}'})
    assert "<code>hand_size</code>" in bad.text
    for text in ("", "[1]", "{", '{"a": NaN}', HOSTILE):
        answer = client.post("/rules", data={"rules": text})
        assert answer.status_code == 200
        assert 'role="alert"' in answer.text


def test_the_pages_are_a_part_of_the_one_table_of_roles() -> None:
    assert PAGES.items() <= ROUTES.items()
    assert not any(path.startswith("/api/") for _, path in PAGES)


def sign_in(client: FlaskClient, token: str) -> str:
    """Sign in and give the session's proof for forms."""
    answer = client.post("/session", data={"token": f" {token}\n", "back": "/bots"})
    assert (answer.status_code, answer.location) == (303, "/bots")
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', client.get("/bots").text)
    assert found
    return found[1]


def test_a_session_is_a_token_of_its_own_that_ends(
    client: FlaskClient, world: World, clock: Clock
) -> None:
    sign_in(client, world.tokens["ann"])
    cookie = client.get_cookie("session")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"
    assert cookie.value != world.tokens["ann"]
    page = client.get("/bots")
    assert "Signed in as ann (author)" in page.text
    assert page.headers["Cache-Control"] == "no-store"
    clock.forward(hours=13)
    assert "Signed in" not in client.get("/bots").text


@pytest.mark.parametrize("ended", ["revoked", "expired"])
def test_a_session_ends_with_the_token_it_was_begun_with(
    client: FlaskClient, db: Database, clock: Clock, ended: str
) -> None:
    with db.read() as tx:
        ann = tx.accounts.by_name("ann")
    assert ann is not None
    made = accounts.create_token(
        db,
        clock,
        ann,
        entropy=Entropy("a short one"),
        expires_at=clock() + timedelta(minutes=5) if ended == "expired" else None,
    )
    sign_in(client, made.text)
    # A session begun with a session's token is one of the same token.
    first = client.get_cookie("session")
    assert first is not None
    client.delete_cookie("session")
    sign_in(client, first.value)
    assert "Signed in as ann" in client.get("/bots").text
    if ended == "revoked":
        accounts.revoke_token(db, clock, ann, made.token.id)
    else:
        clock.forward(minutes=5)
    assert "Signed in" not in client.get("/bots").text
    client.set_cookie("session", first.value)
    assert "Signed in" not in client.get("/bots").text


def test_a_session_opens_no_api(client: FlaskClient, world: World) -> None:
    sign_in(client, world.tokens["ann"])
    answer = client.get("/api/v1/bots/nasty/versions/1/log")
    assert answer.status_code == 401


def test_signing_out_needs_the_sessions_proof_and_ends_it(
    client: FlaskClient, world: World
) -> None:
    proof = sign_in(client, world.tokens["ann"])
    kept = client.get_cookie("session")
    assert kept is not None
    for forged in ({}, {"csrf": "0" * 64}, {"csrf": "ü"}):
        assert client.post("/session/end", data=forged).status_code == 403
    assert "Signed in" in client.get("/").text
    assert client.post("/session/end", data={"csrf": proof}).status_code == 303
    client.set_cookie("session", kept.value)
    assert "Signed in" not in client.get("/").text


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_form_from_another_site_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/rules", data={"rules": "{}"}, headers=headers)
    assert answer.status_code == 403


def test_a_wrong_token_signs_nobody_in(client: FlaskClient) -> None:
    answer = client.post("/session", data={"token": "mm_wrong"})
    assert answer.status_code == 401
    assert client.get_cookie("session") is None


def test_a_versions_page_shows_its_check_report(client: FlaskClient) -> None:
    page = client.get("/bots/crasher/1").text
    for told in ("Checked in 40 games, in 2,345 decisions.", "0.010", "100.000", "40.0"):
        assert told in page
    assert "cards are owed" in page
    assert "Marked stateful" in page
    assert "the operator installed this version" in client.get("/bots/easy/1").text


def test_the_leaderboard_says_by_what_it_ranks_and_shows_it(
    client: FlaskClient, db: Database
) -> None:
    """Tied rows share their rank, on the start page too."""
    rules = load_rules("champion").id
    with db.begin() as tx:
        kept = tx.standings.leaderboard(rules, 2)
        assert kept is not None
        rows = kept.document["rows"]
        assert len(rows) > 2
        for number, row in enumerate(rows):
            row["rating"] = 1612.0 if number < 2 else 1234.0 - number
        # One more tournament: what is kept gives way to newer ones only.
        tx.standings.put_leaderboard(replace(kept, tournaments=kept.tournaments + 1))
    page = client.get("/leaderboard?rules=champion&seats=2").text
    assert "Ranked by rating" in page
    ranks = re.findall(r'<tr><td class="n">(\d+)</td>', page)
    assert ranks[:3] == ["1", "1", "3"]
    assert page.count("<strong>1,612</strong>") == 2
    assert re.findall(r'<li value="(\d+)">', client.get("/").text)[:3] == ["1", "1", "3"]


def test_a_version_that_was_rejected_before_it_played_says_so(
    client: FlaskClient, db: Database, clock: Clock
) -> None:
    with db.begin() as tx:
        owner = tx.accounts.by_name("ann")
        assert owner is not None
        bot = tx.bots.claim_name("early", owner.id, now=clock())
        new = NewVersion(tx.files.put(b"x"), "py", "early.py", "", 1, "pending", clock())
        version = tx.bots.add_version(bot.id, new)
        reasons = [Reason("no_bot", "there is none")]
        tx.bots.decide(version.id, "rejected", reasons=reasons, report=None, log="", now=clock())
    assert "The check ended before a game was played" in client.get("/bots/early/1").text


def test_the_page_to_sign_in_says_where_the_first_token_is(client: FlaskClient) -> None:
    assert "var/admin-token" in client.get("/session").text


def test_a_form_offers_only_bots_that_may_play(client: FlaskClient, world: World) -> None:
    sign_in(client, world.tokens["ann"])
    for path in ("/schedule", "/tables"):
        page = client.get(path).text
        assert "crasher" in page
        assert "nasty" not in page
