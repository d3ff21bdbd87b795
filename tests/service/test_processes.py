"""Several API processes of one gunicorn count requests together."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx

from tests.service.conftest import House

TOKEN = "prometheus-reads-with-this"
PATIENCE = 60


def test_all_processes_tell_the_same_counts(house: House, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        "PATH": os.environ["PATH"],
        "TMPDIR": str(tmp_path),
        "WEB_CONCURRENCY": "2",
        "MAUMAU_VAR": str(house.settings.var),
        "MAUMAU_PORT": str(port),
        "MAUMAU_METRICS_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"]
    with subprocess.Popen(
        [*command, "service.wsgi:app"], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for _ in range(2):
            next(line for line in process.stderr if "Booting worker" in line)
        # Whatever else it says is read, so that it can go on saying it.
        reading = threading.Thread(target=process.stderr.read)
        reading.start()
        address = f"http://127.0.0.1:{port}"
        transport = httpx.HTTPTransport(retries=5)
        for _ in range(20):
            # A connection each, so that both processes answer some.
            with httpx.Client(transport=transport, timeout=PATIENCE, trust_env=False) as client:
                assert client.get(f"{address}/healthz").status_code == 200
            transport = httpx.HTTPTransport(retries=5)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        text = httpx.get(f"{address}/metrics", headers=headers, timeout=PATIENCE).text
        (directory,) = tmp_path.glob("maumau-metrics-*")
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        reading.join(PATIENCE)
    (line,) = [one for one in text.splitlines() if one.startswith("maumau_requests_total")]
    assert 'route="/healthz"' in line
    assert float(line.split()[-1]) == 20
    assert not directory.exists()
