"""Pages in a real browser, Debian's `chromium`; without it these tests skip and say so."""

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
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
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
PHONE = {"width": 390, "height": 844}
MARKS = [pytest.mark.slow, pytest.mark.xdist_group("browser"), pytest.mark.timeout(240)]
LOCALES = {"en": "en-GB", "de": "de-DE", "sv": "sv-SE"}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(
            "the pages are not tested in a browser: there is no chromium (apt-get install chromium)"
        )
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
    pictures: Path | None
    wrong: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.server + path)
        return self.page

    def sign_in(self, token: str) -> None:
        """Sign in by the form, as a person does."""
        page = self.open("/session?back=/tournaments")
        page.fill("#token", token)
        page.keyboard.press("Enter")
        page.wait_for_url(self.server + "/tournaments")

    def refused(self, status: int) -> None:
        """See that the console was told of one refused request, and of nothing else."""
        (told,) = self.wrong
        assert f"status of {status} " in told
        self.wrong.clear()

    def picture(self, name: str) -> None:
        """Keep a picture of the whole page, where `--pictures` asked for them."""
        if self.pictures is not None:
            size = "phone" if self.page.viewport_size == PHONE else "desktop"
            self.page.screenshot(path=self.pictures / f"{name}-{size}.png", full_page=True)

    def faults(self) -> list[tuple[str, ...]]:
        """Give what is wrong with the page: serious accessibility faults, too wide a page."""
        told = Axe().run(self.page).response
        assert told["testEngine"]["name"] == "axe-core"
        where = self.page.url.removeprefix(self.server)
        found: list[tuple[str, ...]] = [
            (where, one["id"], *(node["html"][:120] for node in one["nodes"][:2]))
            for one in told["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        if wide > self.page.evaluate("window.innerWidth"):
            found.append((where, "overflows", str(wide)))
        return found


@pytest.fixture
def visit(
    browser: Browser, server: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Watched]]:
    """Open a page of a size; at the end there was no console error and no request elsewhere."""
    made: list[Watched] = []
    pictures = request.config.getoption("--pictures")
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)

    def make(size: str = "desktop", scheme: str = "light", **options: Any) -> Watched:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        one = Watched(context.new_page(), server, pictures)
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


def tab_to(page: Page, selector: str, *, most: int = 80) -> None:
    """Come to a control by Tab alone."""
    for _ in range(most):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")
