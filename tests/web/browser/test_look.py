"""What is looked at in a browser: replays, running tournaments, rules in a reader's words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.storage import Database
from maumau.usecases import due, play
from tests.service.conftest import Clock
from tests.web.browser.conftest import LOCALES, MARKS, SIZES, Watched, api
from tests.web.conftest import HOSTILE, World

pytestmark = MARKS


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


@pytest.mark.parametrize("size", SIZES)
def test_a_tournament_that_runs_renews_itself(
    visit: Callable[..., Watched], world: World, db: Database, tmp_path: Path, size: str
) -> None:
    one = visit(size)
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


@pytest.mark.parametrize("language", ["en", "de", "sv"])
def test_tables_of_results_fit_into_a_window_of_1100(
    visit: Callable[..., Watched], world: World, language: str
) -> None:
    one = visit("desktop", locale=LOCALES[language])
    one.page.set_viewport_size({"width": 1100, "height": 800})
    for path in (f"/tournaments/{world.finished}", "/leaderboard?rules=champion&seats=2"):
        page = one.open(path)
        cut = page.evaluate(
            "[...document.querySelectorAll('.scroll')]"
            ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText.slice(0, 80))"
        )
        assert cut == [], path
