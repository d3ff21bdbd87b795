"""Every page in a browser, signed in or not: accessible, inside the window, harmless."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.browser.conftest import LOCALES, MARKS, Watched, api
from tests.web.conftest import HOSTILE, World
from tests.web.test_pages import addresses

pytestmark = MARKS


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [("desktop", "light", "en"), ("phone", "dark", "de"), ("phone", "light", "sv")],
)
def test_every_page_is_accessible_and_fits(
    visit: Callable[..., Watched],
    server: str,
    world: World,
    size: str,
    scheme: str,
    language: str,
) -> None:
    one = visit(size, scheme, locale=LOCALES[language])
    table = api(server, "/tables", {"opponents": ["easy", "random"], "rules": "gameduell"})
    # Each kind of page once: filters change no marks.
    kinds = {p.partition("?")[0]: p for p in addresses(world)}
    kinds |= {p: p for p in (f"/tables/{table['id']}", "/tables")}
    found = []
    for path in (p for p in kinds.values() if "/step" not in p and "/results" not in p):
        page = one.open(path)
        assert page.get_attribute("html", "lang") == language
        found += one.faults()
        one.picture(f"page{path.partition('?')[0].replace('/', '-')}".replace(world.running, "on"))
    assert found == []


@pytest.mark.parametrize(
    ("size", "scheme", "language"), [("desktop", "dark", "sv"), ("phone", "light", "de")]
)
def test_pages_for_who_has_a_token_are_accessible_and_fit(
    visit: Callable[..., Watched],
    server: str,
    world: World,
    size: str,
    scheme: str,
    language: str,
) -> None:
    table = api(server, "/tables", {"opponents": ["easy"], "rules": "gamerules"})
    api(server, f"/tables/{table['id']}/report", {"comment": HOSTILE, "deal": 0, "step": 0})
    one = visit(size, scheme, locale=LOCALES[language])
    one.sign_in(world.tokens["root"])
    found = []
    for path in (
        "/submit",
        "/schedule",
        "/reports",
        f"/tournaments/{world.running}",
        "/bots/crasher/1",
        "/bots/nasty/1",
    ):
        one.open(path)
        found += one.faults()
        one.picture(f"own{path.replace('/', '-')}".replace(world.running, "on"))
    page = one.open("/reports")
    page.click(".panel a")
    page.wait_for_selector(".replay-part")
    found += one.faults()
    one.picture("own-report")
    # A form that is refused says so, and stays as accessible.
    page = one.open("/schedule")
    page.click("main form button")
    page.wait_for_selector("[role=alert]")
    one.refused(422)
    found += one.faults()
    one.picture("own-schedule-refused")
    page = one.open("/rules")
    page.click("main form button")
    page.wait_for_load_state()
    found += one.faults()
    one.picture("own-rules")
    assert found == []


def test_a_refused_page_and_one_that_is_not_there_are_accessible(
    visit: Callable[..., Watched], world: World
) -> None:
    one = visit("phone")
    found = []
    for path, status in (("/nowhere", 404), ("/reports", 401), ("/tournaments?cursor=x", 422)):
        answer = one.page.goto(one.server + path)
        assert answer is not None
        assert answer.status == status
        found += one.faults()
        one.refused(status)
    assert found == []
