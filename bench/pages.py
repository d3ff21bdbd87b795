"""How fast the page of a large tournament comes, and whether it stays usable as results come in.

    python -m bench.pages

20 entrants meet in a round robin at tables of two; 10,000 legs are kept as an arena keeps them
(who wins is drawn by chance: pages read sums, not cards). Printed are medians of the service's own
time for the whole page and for the part that renews itself, and, where Debian's `chromium` is, the
time from the click to the drawn page in the browser, and the longest time that it did not answer
while chunks came in.
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import structlog
from werkzeug.serving import make_server

from bench.ours.leaderboard_fill import PAIRS, chance, entrants, one_record
from maumau.settings import load
from maumau.storage import Database
from maumau.usecases import due
from maumau.usecases.clock import system_clock, system_entropy
from maumau.usecases.play import play_chunk
from maumau.usecases.schedule import schedule
from service.app import create_app

BLOCKS = 27
LATE = 12
REPEATS = 9


def main() -> None:
    """Fill, measure and print."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory() as home:
        settings = load({"MAUMAU_VAR": home, "MAUMAU_THREADS": "8", "MAUMAU_UPLOADS": "unsafe"})
        db = Database(settings.database_url)
        db.migrate()
        account, labels = entrants(db)
        play = chance(Random(1), one_record())
        request = {"entrants": labels, "rules": "champion", "blocks": BLOCKS}
        made = schedule(db, system_clock, account, request, entropy=Random(2).randbytes)

        def played(chunk: str) -> None:
            files = Path(home) / "files"
            assert play_chunk(db, system_clock, chunk, "bench", files=files, play=play)

        chunks = due.due_chunks(db, system_clock, tournament_id=made.tournament.id, limit=10_000)
        for chunk in chunks[:-LATE]:
            played(chunk)
        print(f"{len(labels)} entrants, {2 * PAIRS * BLOCKS} legs, {len(chunks)} chunks")
        app = create_app(settings, clock=system_clock, entropy=system_entropy)
        client, page = app.test_client(), f"/tournaments/{made.tournament.id}"
        for name, path in (("the whole page", page), ("the part that renews", f"{page}/results")):
            answer = client.get(path)
            assert answer.status_code == 200
            ms = repeated(lambda path=path: client.get(path))  # type: ignore[misc]
            print(f"{name:28} {ms:7.1f} ms, {len(answer.data) / 1024:.0f} KiB")
        in_browser(app, page, [lambda chunk=chunk: played(chunk) for chunk in chunks[-LATE:]])  # type: ignore[misc]
        db.close()


def repeated(work: Callable[[], Any]) -> float:
    """Give the median of several runs in milliseconds."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)


def in_browser(app: Any, page: str, arrivals: list[Callable[[], None]]) -> None:
    """Open the page in Chromium, then let chunks come in while it is open."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser.conftest import ARGUMENTS, CHROMIUM

    if CHROMIUM is None:
        print("not measured in a browser: there is no chromium (apt-get install chromium)")
        return
    http = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        shown = browser.new_page()
        shown.goto(f"http://127.0.0.1:{http.server_port}/")
        ms = repeated(lambda: shown.goto(f"http://127.0.0.1:{http.server_port}{page}"))
        print(f"{'in the browser, drawn':28} {ms:7.1f} ms")
        shown.evaluate(
            """() => { window.longest = 0; window.renewed = 0;
            new PerformanceObserver((list) => { for (const one of list.getEntries()) {
              window.longest = Math.max(window.longest, one.duration);
            } }).observe({ type: "longtask", buffered: false });
            new MutationObserver(() => { window.renewed += 1; }).observe(
              document.getElementById("results"), { childList: true }); }"""
        )
        for arrival in arrivals[:-1]:
            arrival()
            shown.wait_for_timeout(400)
        longest, renewed = shown.evaluate("[window.longest, window.renewed]")
        print(
            f"{'longest without an answer':28} {longest:7.1f} ms while it renewed {renewed} times"
        )
        browser.close()
    app.extensions["maumau"].streams.close()
    http.shutdown()


if __name__ == "__main__":
    main()
