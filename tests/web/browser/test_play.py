"""Whole games at a table, and problems reported there, as a person plays them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from maumau import verify_record
from tests.web.browser.conftest import MARKS, Watched, api, tab_to
from tests.web.conftest import HOSTILE, World

MOST_PRESSES = 900

pytestmark = MARKS


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
        tab_to(page, f'button[value="{wanted}"]')
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


def test_a_card_that_is_not_allowed_says_why_and_the_link_leads_back(
    visit: Callable[..., Watched], server: str
) -> None:
    made = api(server, "/tables", {"opponents": ["easy"], "rules": "champion", "seed": "why"})
    one = visit("phone")
    page = one.open(f"/tables/{made['id']}")
    closed = page.locator('.card-button[aria-disabled="true"]').first
    closed.wait_for()
    before = moves(page)
    press_until_changed(page, lambda: closed.click(force=True))
    assert page.locator("[data-say] strong").inner_text()
    assert moves(page) == before
    one.picture("hint")
    # Another device opens the link: the same game, at the same place.
    other = visit("desktop")
    there = other.open(f"/tables/{made['id']}")
    assert moves(there) == before
    cards = [one.get_attribute("value") for one in page.locator(".card-button").all()]
    assert cards == [one.get_attribute("value") for one in there.locator(".card-button").all()]
    other.picture("table")
