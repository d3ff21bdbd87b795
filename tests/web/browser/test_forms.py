"""Upload, schedule, cancel and ask in a browser, by mouse and by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from maumau.storage import Database
from maumau.usecases import check_bot, due
from tests.service.conftest import Clock
from tests.web.browser.conftest import MARKS, Watched, api, tab_to
from tests.web.conftest import HOSTILE, World
from tests.web.test_forms import BOT

pytestmark = MARKS


def test_a_bot_is_uploaded_and_its_page_tells_when_it_is_accepted(
    visit: Callable[..., Watched], world: World, db: Database, tmp_path: Path
) -> None:
    one = visit("phone")
    one.sign_in(world.tokens["ann"])
    page = one.open("/submit")
    page.fill("#name", "first")
    page.set_input_files("#file", {"name": "first.py", "mimeType": "text/x-python", "buffer": BOT})
    page.click("main form button")
    page.wait_for_url("**/bots/first/1")
    assert page.locator(".tag.pending").count() == 1
    one.picture("upload-pending")
    (waiting,) = due.due_checks(db, Clock())
    check_bot.check(db, Clock(), waiting, "tests", files=tmp_path / "files", uploads="unsafe")
    page.wait_for_selector(".tag.accepted")
    one.picture("upload-accepted")


def test_a_tournament_is_scheduled_and_cancelled_by_keyboard_alone(
    visit: Callable[..., Watched], server: str, world: World
) -> None:
    one = visit("desktop")
    one.sign_in(world.tokens["ann"])
    page = one.open("/schedule")
    tab_to(page, "#name")
    page.keyboard.type(HOSTILE[:100])
    for bot in ("easy", "medium"):
        tab_to(page, f'input[name="entrants"][value="{bot}"]')
        page.keyboard.press("Space")
    tab_to(page, "#blocks")
    page.keyboard.press("Control+A")
    page.keyboard.type("3")
    tab_to(page, "main form button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#live")
    assert page.locator("h1").inner_text() == HOSTILE[:100]
    found = api(server, f"/tournaments/{page.url.rpartition('/')[2]}")
    assert sorted(each["label"] for each in found["entrants"]) == ["easy@1", "medium@1"]
    tab_to(page, 'form[action$="/cancel"] button')
    page.keyboard.press("Enter")
    page.wait_for_selector(".tag.cancelled")
    one.picture("cancelled")


@pytest.mark.parametrize(("size", "cards"), [("desktop", "known"), ("phone", "open")])
def test_another_bot_is_asked_in_a_replay(
    visit: Callable[..., Watched], world: World, size: str, cards: str
) -> None:
    one = visit(size)
    page = one.open(f"/games/{world.finished}-4-0-0?deal=0&step=1&seat=all")
    taken = page.locator(".actions-list li").count()
    tab_to(page, 'input[name="bot"]', most=200)
    page.keyboard.press("Control+A")
    page.keyboard.type("easy")
    page.select_option('select[name="cards"]', cards)
    page.keyboard.press("Tab")
    tab_to(page, 'form[action$="/ask"] button')
    page.keyboard.press("Enter")
    page.wait_for_url("**/ask")
    assert "easy@1 would:" in page.locator(".lead").inner_text()
    assert page.locator("tbody tr").count() == taken
    assert page.locator("tbody .tag.accepted").inner_text() == "easy@1"
    assert one.faults() == []
    one.picture("ask")
    page.click("main a")
    page.wait_for_selector('.replay-part[data-step="1"]')
