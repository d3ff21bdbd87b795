"""Thousands of made-up requests at the whole API by its own description, with and without a token.

`python -m tests.service.fuzz` sends at least 20,000; the tests send a few hundred. What is looked
for: a 5xx, a status, type, header or shape of answer that the description does not tell.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from maumau.storage import Database
from maumau.usecases import builtins, play
from maumau.usecases.due import due_chunks
from tests.e2e.arena import free_port, wait_for
from tests.service.conftest import House
from tests.service.test_bots import submit

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
TOKEN = "counts-what-was-answered"
REVOKE = "/api/v1/tokens/{id}"
ROLES = (None, "author", "admin")


@dataclass
class Target:
    """A server with something in it, and a token of each role."""

    address: str
    house: House
    tokens: dict[str | None, dict[str, str]]
    ids: dict[str, str]

    def counts(self) -> Counter[str]:
        """How many requests were answered with which status."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = httpx.get(f"{self.address}/metrics", headers=headers, timeout=60)
        found: Counter[str] = Counter()
        for family in text_string_to_metric_families(answer.text):
            for sample in family.samples:
                if sample.name == "maumau_requests_total" and "api" in sample.labels["route"]:
                    found[sample.labels["status"]] += int(sample.value)
        return found


@contextmanager
def served(place: Path) -> Iterator[Target]:
    """Serve an arena in which something happened."""
    url = f"sqlite:///{place}/maumau.db"
    db = Database(url)
    db.migrate()
    db.close()
    house = House(place, url)
    tokens = {
        role: {} if role is None else house.bearer(f"an-{role}", role)  # type: ignore[arg-type]
        for role in ROLES
    }
    ids = fill(house, tokens["admin"])
    port = free_port()
    environment = {
        "PATH": os.environ["PATH"],
        "MAUMAU_VAR": str(place),
        "MAUMAU_PORT": str(port),
        "MAUMAU_UPLOADS": "unsafe",
        "MAUMAU_RATE_READS": "off",
        "MAUMAU_RATE_WRITES": "off",
        "MAUMAU_METRICS_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"]
    with (place / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "service.wsgi:app"], env=environment, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: answers(address), what="the server")
        yield Target(address, house, tokens, ids)
    finally:
        process.terminate()
        process.wait(60)
        house.db.close()


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=5).is_success
    except httpx.HTTPError:
        return False


def fill(house: House, admin: dict[str, str]) -> dict[str, str]:
    """Let something happen; gives what addresses may name."""
    client = house.app().test_client()
    builtins.install_builtins(house.db, house.clock)
    submit(client, admin)
    wish = {"entrants": ["random", "easy"], "rules": "champion", "blocks": 2}
    made: Any = client.post("/api/v1/tournaments", json=wish, headers=admin).json
    for chunk in due_chunks(house.db, house.clock):
        play.play_chunk(
            house.db, house.clock, chunk, "w", files=house.settings.var, uploads="unsafe"
        )
    matches: Any = client.get(f"/api/v1/tournaments/{made['id']}/matches").json
    games: Any = client.get(f"/api/v1/tournaments/{made['id']}/games").json
    return {
        "tournaments": made["id"],
        "matches": matches["items"][0]["id"],
        "games": games["items"][0]["id"],
        "rulesets": "champion",
    }


def configured(place: Path, target: Target, *, pinned: bool, spared: bool) -> Path:
    """Write down things that are there, where the fuzzer is not to make them up."""
    lines = ["[generation]", 'database = "none"']
    # An admin would revoke the very token of the run, and the rest would be refused.
    lines += ["[[operations]]", f'include-path = "{REVOKE}"', 'include-method = "DELETE"']
    lines += [f"enabled = {str(not spared).lower()}"]
    if pinned:
        for resource, id in target.ids.items():
            lines += ["[[operations]]", f'include-path-regex = "^/api/v1/{resource}/"']
            lines += [f'parameters = {{ "path.id" = "{id}" }}']
        lines += ["[[operations]]", 'include-path-regex = "^/api/v1/bots/"']
        lines += ['parameters = { "path.name" = "alpha", "path.number" = 1 }']
    path = place / f"fuzz-{pinned}.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def one_run(
    place: Path,
    target: Target,
    role: str | None,
    *,
    seed: int,
    examples: int,
    pinned: bool,
    phases: str,
) -> subprocess.CompletedProcess[str]:
    """Let the fuzzer make up so many requests for each operation, as somebody of a role."""
    config = configured(place, target, pinned=pinned, spared=role == "admin")
    headers = [f"--header={name}: {text}" for name, text in target.tokens[role].items()]
    program = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
    assert program is not None, "schemathesis is not installed: pip install -e '.[dev]'"
    return subprocess.run(
        [
            *(program, "--config-file", str(config), "run"),
            *(f"{target.address}/api/v1/openapi.json", "--phases", phases),
            *("--checks", ",".join(CHECKS), "--max-examples", str(examples), "--seed", str(seed)),
            *("--exclude-path-regex", "/events$", "--suppress-health-check", "all"),
            # One worker: Python 3.11 counts the depth of parsing for all threads together, and the
            # fuzzer, which parses its own sources, then dies of a SystemError now and then.
            *("--no-color", "--continue-on-failure", "--workers", "1", "--warnings", "off"),
            *headers,
        ],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )


def fuzz(
    place: Path,
    requests: int,
    say: Callable[[str], None],
    *,
    examples: int = 60,
    seed: int = 1,
    phases: str = "examples,coverage,fuzzing",
) -> tuple[Counter[str], list[str]]:
    """Send at least so many requests; gives the answers by status, and what was found wrong."""
    wrong: list[str] = []
    with served(place) as target:
        turn = 0
        while not wrong:
            role = ROLES[turn % len(ROLES)]
            pinned = turn // len(ROLES) % 2 == 0
            done = one_run(
                place,
                target,
                role,
                seed=seed + turn,
                examples=examples,
                pinned=pinned,
                phases=phases,
            )
            if done.returncode:
                wrong.append(done.stdout[-20_000:] + done.stderr[-5_000:])
            turn += 1
            counts = target.counts()
            told = dict(sorted(counts.items()))
            say(f"{counts.total()} requests, last as {role or 'nobody'}: {told}")
            if counts.total() >= requests and turn % len(ROLES) == 0:
                break
        failed = [status for status in counts if status.startswith("5")]
        wrong += [f"{counts[status]} answers with status {status}" for status in failed]
    return counts, wrong


def main() -> int:
    """Fuzz, and tell what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--examples", type=int, default=60, help="for each operation and turn")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="maumau-fuzz-") as place:
        counts, wrong = fuzz(
            Path(place),
            options.requests,
            lambda line: print(line, flush=True),
            examples=options.examples,
            seed=options.seed,
        )
    for one in wrong:
        print(one)
    print(f"{counts.total()} requests, {len(wrong)} found wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
