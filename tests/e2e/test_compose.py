"""compose.yaml: every service started by its own command line, in order, until all is ready."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from maumau.cli import embedded
from maumau.processes.tether import tethered
from tests.e2e.arena import free_port, wait_for

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def in_order() -> list[str]:
    """The services so that each comes after those that it depends on."""
    order: list[str] = []

    def add(name: str) -> None:
        for before in SERVICES[name].get("depends_on", {}):
            add(before)
        if name not in order:
            order.append(name)

    for name in SERVICES:
        add(name)
    return order


def test_nothing_has_more_rights_than_it_needs() -> None:
    for name, service in SERVICES.items():
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["deploy"]["resources"]["limits"].keys() == {"memory", "pids"}, name
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        # The arena's own image names its user itself.
        assert service["image"] == "maumau-arena" or not service["user"].startswith("0"), name
    assert all("127.0.0.1:" in port for port in SERVICES["api"]["ports"])


def test_what_waits_waits_for_what_it_needs() -> None:
    assert in_order().index("migrate") < in_order().index("api")
    for name in ("api", "worker"):
        waits = SERVICES[name]["depends_on"]
        assert waits["migrate"]["condition"] == "service_completed_successfully"
        assert waits["queue"]["condition"] == "service_healthy"
    for name in ("db", "queue", "api", "worker"):
        assert "healthcheck" in SERVICES[name]


def test_the_image_holds_what_the_services_run() -> None:
    copied = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    kept = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    for room in ("maumau", "service", "worker", "plugins", "requirements.txt", "setup.py"):
        assert room in copied
        assert f"!{room}" in kept
    assert "--require-hashes" in copied
    assert "\nUSER maumau\n" in copied


class Composed:
    """The services as processes on this machine, with what is here in the place of images."""

    def __init__(self, place: Path, database_url: str):
        self.place, self.port, self.queue_port = place, free_port(), free_port()
        self.changes = {
            "MAUMAU_DATABASE_URL": database_url,
            "MAUMAU_REDIS_URL": f"redis://127.0.0.1:{self.queue_port}/0",
            "MAUMAU_VAR": str(place / "var"),
            "MAUMAU_HOST": "127.0.0.1",
            "MAUMAU_PORT": str(self.port),
            "MAUMAU_WORKERS": "1",
        }

    def command(self, name: str) -> list[str]:
        command: list[str] = list(SERVICES[name]["command"])
        programs: Mapping[str, list[str]] = {
            "valkey-server": [embedded.binary(), "--port", str(self.queue_port)],
            "maumau": [sys.executable, "-P", "-m", "maumau.cli"],
            "python": [sys.executable],
        }
        data = {"/data": str(self.place / "queue")}
        return [*programs[command[0]], *(data.get(word, word) for word in command[1:])]

    def environment(self, name: str) -> dict[str, str]:
        wanted = SERVICES[name].get("environment", {})
        ours = {key: self.changes.get(key, value) for key, value in wanted.items()}
        # The number of workers is the machine's, unless it is set.
        return {"PATH": os.environ["PATH"], **ours, "MAUMAU_WORKERS": "1"}

    def start(self, name: str, stack: ExitStack) -> subprocess.Popen[bytes]:
        with open(self.place / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                tethered(self.command(name)),
                env=self.environment(name),
                cwd=self.place,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        stack.callback(stop, process)
        return process

    def check(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run a service's health check as its container would."""
        _, program, *rest = SERVICES[name]["healthcheck"]["test"]
        assert program == "python"
        return subprocess.run(
            [sys.executable, *rest],
            env=self.environment(name),
            capture_output=True,
            check=False,
            cwd=self.place,
            text=True,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(30)


@pytest.fixture
def ready(tmp_path: Path, postgresql_url: str) -> Iterator[Composed]:
    """All of it up, on PostgreSQL."""
    made = Composed(tmp_path, postgresql_url)
    (tmp_path / "queue").mkdir()
    with ExitStack() as stack:
        for name in in_order():
            if name == "db":
                # The tests' own cluster stands for it.
                continue
            process = made.start(name, stack)
            if name == "migrate":
                assert process.wait(60) == 0, (tmp_path / "migrate.log").read_text()
        yield made


def test_all_services_come_up_and_play(ready: Composed) -> None:
    api = f"http://127.0.0.1:{ready.port}"

    def answers() -> bool:
        try:
            return httpx.get(f"{api}/readyz", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    wait_for(answers, what="/readyz says 200")
    assert httpx.get(f"{api}/readyz").json()["queue"] == "ok"
    wait_for(lambda: ready.check("worker").returncode == 0, what="a healthy worker")
    token = (ready.place / "var" / "admin-token").read_text().strip()
    wanted = {"entrants": ["easy", "random"], "rules": "champion", "blocks": 10}
    headers = {"Authorization": f"Bearer {token}"}
    made = httpx.post(f"{api}/api/v1/tournaments", json=wanted, headers=headers)
    assert made.status_code == 201, made.text
    address = f"{api}/api/v1/tournaments/{made.json()['id']}"
    wait_for(lambda: httpx.get(address).json()["state"] == "finished", seconds=90, what="the end")


def test_the_health_check_of_the_api_says_when_it_is_not_there() -> None:
    program, *rest = SERVICES["api"]["healthcheck"]["test"][1:]
    assert program == "python"
    code = rest[1].replace("8000", str(free_port()))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode != 0


def test_docker_agrees_where_it_is_there() -> None:
    version = ["docker", "compose", "version"]
    if shutil.which("docker") is None or subprocess.run(version, capture_output=True).returncode:
        pytest.skip("compose.yaml is not read by Docker Compose: there is none here")
    done = subprocess.run(
        ["docker", "compose", "config", "--quiet"],
        cwd=ROOT,
        env={**os.environ, "MAUMAU_DB_PASSWORD": "x"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
