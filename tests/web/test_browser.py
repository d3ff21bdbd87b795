"""The pages in a real browser, as a person uses them: phone and desktop, mouse and keyboard alone.

Needs Debian's `chromium`; without it every test here skips and says so.
"""

from __future__ import annotations

import json
import shutil
import threading
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from maumau import verify_record
from maumau.storage import Database
from maumau.usecases import due, play
from tests.service.conftest import Clock
from tests.web.conftest import HOSTILE, World
from tests.web.test_pages import addresses

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip(
        "the pages are not tested in a browser: there is no chromium (apt-get install chromium)",
        allow_module_level=True,
    )

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
MOST_PRESSES = 900

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser"), pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def server(make_app: Callable[..., Flask]) -> Iterator[str]:
    """The app on a port of its own, over real HTTP."""
    app = make_app(rate_reads=None, rate_writes=None)
    http = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=http.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}"
    app.extensions["maumau"].streams.close()
    http.shutdown()
    thread.join()


@dataclass
class Watched:
    """A page, and all that must not happen on it."""

    page: Page
    server: str
    wrong: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.server + path)
        return self.page


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[Callable[..., Watched]]:
    """Open a page of a size; at the end there was no console error and no request elsewhere."""
    made: list[Watched] = []

    def make(size: str = "desktop", scheme: str = "light", **options: Any) -> Watched:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        one = Watched(context.new_page(), server)
        one.page.set_default_timeout(20_000)
        one.page.on("console", lambda m: m.type == "error" and one.wrong.append(m.text))
        one.page.on("pageerror", lambda error: one.wrong.append(str(error)))
        one.page.on(
            "request",
            lambda r: r.url.startswith((server, "data:")) or one.wrong.append(r.url),
        )
        one.page.on("dialog", lambda dialog: one.wrong.append(dialog.message))
        made.append(one)
        return one

    yield make
    for one in made:
        assert one.wrong == []
        one.page.context.close()


def api(server: str, path: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{server}/api/v1{path}", data, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_every_page_is_accessible_and_fits(
    visit: Callable[..., Watched], server: str, world: World, size: str, scheme: str
) -> None:
    one = visit(size, scheme)
    table = api(server, "/tables", {"opponents": ["easy", "random"], "rules": "gameduell"})
    found = []
    # Each kind of page once: filters change no marks.
    kinds = {p.partition("?")[0]: p for p in addresses(world)}
    kinds |= {p: p for p in (f"/tables/{table['id']}", "/tables")}
    for path in (p for p in kinds.values() if "/step" not in p and "/results" not in p):
        page = one.open(path)
        told = Axe().run(page).response
        assert told["testEngine"]["name"] == "axe-core"
        for violation in told["violations"]:
            if violation["impact"] in ("serious", "critical"):
                nodes = [node["html"][:120] for node in violation["nodes"][:2]]
                found.append((path, violation["id"], nodes))
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > SIZES[size][0]:
            found.append((path, "overflows", [wide]))
    assert found == []


def moves(page: Page) -> str:
    return page.locator("form.felt").get_attribute("data-moves") or ""


def press_until_changed(page: Page, press: Callable[[], None]) -> None:
    """Press something, and wait until the part of the table has come anew."""
    page.evaluate("document.querySelector('form.felt').dataset.old = '1'")
    press()
    page.wait_for_selector("form.felt:not([data-old])")


def test_a_champion_game_is_played_by_keyboard_alone(
    visit: Callable[..., Watched], server: str
) -> None:
    bots = {bot["name"] for bot in api(server, "/bots")["items"]}
    strongest = "hard" if "hard" in bots else "medium"
    one = visit("desktop")
    page = one.open("/tables?rules=champion")
    page.focus("#opponent1")
    page.keyboard.type(strongest)
    page.keyboard.press("Enter") if page.input_value("#opponent1") != strongest else None
    assert page.input_value("#opponent1") == strongest
    page.focus("#seat")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    for _ in range(MOST_PRESSES):
        if page.locator('.choices a[href$="/replay"]').count():
            break
        wanted = page.evaluate(
            """() => {
              const open = (b) => b.name === "do" && b.getAttribute("aria-disabled") !== "true";
              const all = [...document.querySelectorAll("form.felt button")].filter(open);
              return (all.find((b) => b.classList.contains("card-button")) ?? all[0]).value;
            }"""
        )
        # By Tab from the table's beginning, as somebody without a mouse comes to the button.
        page.evaluate("document.activeElement.blur()")
        page.locator("form.felt").evaluate("f => { f.tabIndex = -1; f.focus(); }")
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.value") == wanted:
                break
        press_until_changed(page, lambda: page.keyboard.press("Enter"))
    record = api(server, f"/tables/{page.url.rpartition('/')[2]}/record")
    verify_record(record)
    assert record["seats"][1].startswith(strongest)
    assert max(record["totals"]) >= 100


def test_four_seats_play_gamerules_and_missed_calls_are_caught_both_ways(
    visit: Callable[..., Watched], server: str
) -> None:
    """docs/rules.md §3, Missed calls: `catch` and `pass` are actions, asked in playing order."""
    one = visit("phone", "dark")
    caught: set[str] = set()
    for game in range(6):
        made = api(
            server,
            "/tables",
            {
                "rules": "gamerules",
                "opponents": ["random", "medium", "random"],
                "seed": f"calls{game}",
            },
        )
        page = one.open(f"/tables/{made['id']}")
        for _ in range(MOST_PRESSES):
            if page.locator('.choices a[href$="/replay"]').count():
                break
            catch = page.locator('.choices button[value="catch"]')
            card = page.locator('.card-button:not([aria-disabled="true"])')
            other = page.locator('.choices button:not([aria-disabled="true"])')
            button = next(found for found in (catch, card, other) if found.count()).first
            # The call is never switched on: sooner or later it is missed.
            press_until_changed(page, button.click)
        record = api(server, f"/tables/{made['id']}/record")
        verify_record(record)
        for deal in record["deals"]:
            caught |= {"mine" if seat else "theirs" for seat, a in deal["actions"] if a == "catch"}
        if caught == {"mine", "theirs"}:
            break
    assert caught == {"mine", "theirs"}


def test_a_replay_is_stepped_through_by_keys_and_links_keep_the_place(
    visit: Callable[..., Watched], server: str, world: World
) -> None:
    games = api(server, f"/tournaments/{world.finished}/games?faulty=false")["items"]
    one = visit("desktop")
    page = one.open(f"/games/{games[0]['id']}")
    part = page.locator(".replay-part")
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f'.replay-part[data-step="{step}"]')
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector('.replay-part[data-step="2"]')
    assert page.url.endswith("?deal=0&step=2&seat=all")
    page.reload()
    assert part.get_attribute("data-step") == "2"
    page.keyboard.press("End")
    last = part.get_attribute("data-last")
    page.wait_for_selector(f'.replay-part[data-step="{last}"]')
    page.keyboard.press("PageDown")
    page.wait_for_selector('.replay-part[data-deal="1"][data-step="0"]')
    page.select_option('select[name="seat"]', "1")
    page.wait_for_selector('.replay-part[data-seat="1"]')
    hidden = page.locator(".seat").first.locator('use[href$="#back"]')
    assert hidden.count() == 5


def test_a_tournament_that_runs_renews_itself(
    visit: Callable[..., Watched], server: str, world: World, db: Database, tmp_path: Path
) -> None:
    one = visit("desktop")
    page = one.open(f"/tournaments/{world.running}")
    before = page.locator("#progress-text").inner_text()
    chunk = due.due_chunks(db, Clock(), tournament_id=world.running)[0]
    play.play_chunk(db, Clock(), chunk, "tests", files=tmp_path / "files", uploads="unsafe")
    page.wait_for_function(
        "before => document.getElementById('progress-text').innerText !== before", arg=before
    )
    assert page.locator("h1").inner_text() == HOSTILE


def test_who_uses_german_suits_and_words_reads_unter(visit: Callable[..., Watched]) -> None:
    one = visit("phone", locale="de-DE")
    page = one.open("/rules/champion")
    page.click("text=deutsches Blatt")
    assert page.locator("li", has_text="Unter: passt auf jede Karte.").count() == 1


def test_a_problem_is_reported_where_it_is_seen(
    visit: Callable[..., Watched], server: str, world: World
) -> None:
    made = api(server, "/tables", {"opponents": ["easy"]})
    one = visit("phone")
    page = one.open(f"/tables/{made['id']}")
    page.fill("#comment", HOSTILE)
    page.click("#report button")
    assert page.locator("text=Thank you.").count() == 1
    admin = visit("desktop")
    page = admin.open("/session?back=/reports")
    page.fill("#token", world.tokens["root"])
    page.keyboard.press("Enter")
    page.click(".panel a")
    assert page.locator("pre").first.inner_text() == HOSTILE
    page.fill("#answer", "This is as the rules say.")
    page.click("main form button")
    page = one.open(f"/tables/{made['id']}")
    assert page.locator("text=This is as the rules say.").count() == 1
