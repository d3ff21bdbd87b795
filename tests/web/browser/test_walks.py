"""Walks through the pages as people take them: at phone and desktop width, by mouse or keyboard."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.browser.conftest import MARKS, SIZES, Watched, api, tab_to
from tests.web.conftest import HOSTILE, World

pytestmark = [*MARKS, pytest.mark.parametrize("size", SIZES)]


def follow(page: Page, size: str, selector: str) -> None:
    """Go by a link: with the mouse on a phone's width, by keyboard alone on a desktop's."""
    if size == "phone":
        page.click(selector)
    else:
        tab_to(page, selector, most=200)
        page.keyboard.press("Enter")


def test_from_home_to_a_tournament_its_downloads_and_filtered_games(
    visit: Callable[..., Watched], server: str, world: World, size: str
) -> None:
    one = visit(size)
    page = one.open("/")
    # What is to be copied names this server.
    assert f"{server}/api/v1/bots" in page.locator(".copyable pre").first.inner_text()
    one.picture("home")
    here = f"/tournaments/{world.finished}"
    follow(page, size, f'a[href="{here}"]')
    page.wait_for_url(f"**{here}")
    assert page.locator(".interval .dot").count() >= 4
    assert page.locator("td.group.on").count() >= 4
    assert page.locator(".heat td[class^=heat-]").count() >= 12
    one.picture("tournament")
    for kind, begins in (("csv", "rank,"), ("json", '{"')):
        link = page.get_attribute(f'a[href*="/standings?format={kind}"]', "href")
        answer = page.request.get(f"{server}{link}")
        assert answer.ok
        assert answer.text().replace(" ", "").replace("\n", "").startswith(begins)
    follow(page, size, f'main p a[href="{here}/games"]')
    page.wait_for_url("**/games")
    everything = page.locator("tbody tr").count()
    if size == "phone":
        page.select_option('select[name="fault"]', "crash")
    else:
        tab_to(page, 'select[name="fault"]')
        page.keyboard.type("crash")
    page.wait_for_url("**fault=crash**")
    rows = page.locator("tbody tr")
    assert 0 < rows.count() <= everything
    assert all("crasher@1" in row.inner_text() for row in rows.all())
    follow(page, size, "tbody th a")
    page.wait_for_selector(".replay-part")


def test_a_bots_log_is_for_its_owner_and_its_worst_faults_lead_to_the_position(
    visit: Callable[..., Watched], world: World, size: str
) -> None:
    stranger = visit(size)
    page = stranger.open("/bots/crasher/1")
    assert page.locator("pre", has_text="alert(1)").count() == 0
    one = visit(size)
    one.sign_in(world.tokens["ann"])
    page = one.open("/bots")
    follow(page, size, 'main a[href="/bots/crasher"]')
    page.wait_for_url("**/bots/crasher")
    follow(page, size, 'main a[href="/bots/crasher/1"]')
    page.wait_for_url("**/bots/crasher/1")
    assert page.locator("pre", has_text="alert(1)").inner_text() == HOSTILE
    one.picture("version")
    follow(page, size, 'main a[href^="/games/"]')
    page.wait_for_selector(".replay-part")
    assert int(page.get_attribute(".replay-part", "data-step") or 0) > 3


def test_a_rule_set_of_ones_own_explains_itself_and_is_played(
    visit: Callable[..., Watched], size: str
) -> None:
    one = visit(size)
    page = one.open("/rules")
    tab_to(page, "#rules", most=120)
    page.keyboard.press("Control+A")
    own = {"preset": "champion", "overrides": {"hand_size": 3, "effects": {"9": {"skip": 1}}}}
    page.keyboard.type(json.dumps(own))
    follow(page, size, "#try button")
    page.wait_for_selector("#try .rules-text")
    assert page.locator("li", has_text="Each seat is dealt 3 cards.").count() == 1
    assert page.locator("li", has_text="9: the next seat misses its turn.").count() == 1
    one.picture("rules-own")


def test_a_report_is_looked_at_and_exported_as_a_test_case(
    visit: Callable[..., Watched], server: str, world: World, size: str
) -> None:
    table = api(server, "/tables", {"opponents": ["medium"], "rules": "gameduell"})
    api(server, f"/tables/{table['id']}/report", {"comment": HOSTILE, "deal": 0, "step": 0})
    one = visit(size)
    one.sign_in(world.tokens["root"])
    follow(one.page, size, 'nav a[href="/reports"]')
    one.page.wait_for_url("**/reports")
    follow(one.page, size, ".panel a")
    one.page.wait_for_selector(".replay-part")
    with one.page.expect_download() as found:
        follow(one.page, size, 'a[href$="/conformance"]')
    line = found.value.path().read_text("utf-8")
    assert '"format":"maumau-conformance/1"' in line.replace(" ", "")
