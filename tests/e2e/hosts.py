"""Several hosts on one machine: network namespaces around a hub with PostgreSQL and Valkey.

It takes root; `missing()` says what stands against it. Each host has processes of its own too (a
process namespace), so that hosts know of each other what real ones know: nothing but the network.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from maumau.cli import embedded
from tests.conftest import POSTGRESQL, _await_server, _ordinary_user
from tests.e2e.arena import children, wait_for

NETWORK = "10.213.77"
HUB = f"{NETWORK}.1"
TOOLS = ("ip", "setpriv", "unshare")


def missing() -> str:
    """Say why hosts cannot be made here; nothing where they can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    for tool in TOOLS:
        if shutil.which(tool) is None:
            return f"there is no {tool}"
    if not (POSTGRESQL / "postgres").exists():
        return f"there is no {POSTGRESQL}/postgres"
    probe = f"mm-probe-{secrets.token_hex(2)}"
    if subprocess.run(["ip", "netns", "add", probe], capture_output=True).returncode:
        return "`ip netns add` is not allowed here"
    subprocess.run(["ip", "netns", "del", probe], check=True)
    return ""


def ip(*words: str, inside: str | None = None) -> None:
    where = ["-n", inside] if inside else []
    subprocess.run(["ip", *where, *words], check=True, capture_output=True, timeout=30)


class Host:
    """A namespace with a cable to the hub, and what runs in it."""

    def __init__(self, hub: str, number: int):
        self.namespace, self._hub = f"{hub}-{number}", hub
        self._plug = f"p{number}"
        ip("netns", "add", self.namespace)
        ip("link", "set", "lo", "up", inside=self.namespace)
        there = ("peer", "name", "eth0", "netns", self.namespace)
        ip("link", "add", self._plug, "type", "veth", *there, inside=hub)
        ip("link", "set", self._plug, "master", "hub", "up", inside=hub)
        address = f"{NETWORK}.{number}/24"
        ip("addr", "add", address, "dev", "eth0", inside=self.namespace)
        ip("link", "set", "eth0", "up", inside=self.namespace)

    def cut_off(self) -> None:
        """Pull the cable: nothing comes through any more, and nobody is told."""
        ip("link", "set", self._plug, "down", inside=self._hub)

    def join(self) -> None:
        """Put the cable back."""
        ip("link", "set", self._plug, "up", inside=self._hub)

    @contextmanager
    def workers(self, number: int, log: Path, **env: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a pool of workers in it."""
        apart = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        with open(log, "ab") as output:
            process = subprocess.Popen(
                [
                    *("ip", "netns", "exec", self.namespace, *apart),
                    *(sys.executable, "-P", "-m", "worker.main"),
                ],
                env={"PATH": os.environ["PATH"], "MAUMAU_WORKERS": str(number), **env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            yield process
        finally:
            for pid in children(process.pid):
                os.kill(pid, signal.SIGTERM)
            try:
                process.wait(30)
            finally:
                process.kill()
                process.wait(30)


class Hub:
    """PostgreSQL and Valkey in a namespace of their own, and the bridge that hosts plug into."""

    def __init__(self, stack: ExitStack):
        self.namespace = f"mm{secrets.token_hex(3)}"
        self._stack = stack
        self.home = Path(tempfile.mkdtemp(prefix="mmhub", dir="/tmp"))
        stack.callback(shutil.rmtree, self.home, ignore_errors=True)
        self._add(self.namespace)
        ip("link", "add", "hub", "type", "bridge", inside=self.namespace)
        ip("addr", "add", f"{HUB}/24", "dev", "hub", inside=self.namespace)
        for device in ("lo", "hub"):
            ip("link", "set", device, "up", inside=self.namespace)
        self._start_valkey()
        self._start_postgresql()

    def host(self, number: int) -> Host:
        """Add a host; its number is the last part of its address."""
        self._stack.callback(self._remove, f"{self.namespace}-{number}")
        return Host(self.namespace, number)

    @property
    def database_url(self) -> str:
        """The database as hosts reach it."""
        return f"postgresql://arena@{HUB}:5432/arena"

    @property
    def local_url(self) -> str:
        """The same from outside the network: a socket in the file system."""
        return f"postgresql://arena@/arena?host={self.home}"

    @property
    def redis_url(self) -> str:
        return f"redis://{HUB}:6379/0"

    def _add(self, namespace: str) -> None:
        ip("netns", "add", namespace)
        self._stack.callback(self._remove, namespace)

    def _remove(self, namespace: str) -> None:
        subprocess.run(["ip", "netns", "del", namespace], capture_output=True, check=False)

    def _run(self, command: list[str], name: str, stop: signal.Signals) -> subprocess.Popen[bytes]:
        with (self.home / name).open("wb") as log:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, *command],
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

        def end() -> None:
            process.send_signal(stop)
            process.wait(30)

        self._stack.callback(end)
        return process

    def _start_valkey(self) -> None:
        socket = self.home / "v.sock"
        command = embedded.command(embedded.binary(), socket_path=socket, directory=self.home)
        port = command.index("--port") + 1
        command[port] = "6379"
        self._run([*command, "--protected-mode", "no"], "valkey.log", signal.SIGTERM)
        wait_for(lambda: embedded.answers(socket), what="Valkey in the hub")

    def _start_postgresql(self) -> None:
        user = _ordinary_user()
        assert user is not None
        shutil.chown(self.home, user)
        self.home.chmod(0o755)
        data = self.home / "data"
        become = ["setpriv", f"--reuid={user}", "--clear-groups"]
        initdb = [str(POSTGRESQL / "initdb"), "-D", str(data), "-U", "arena", "-A", "trust"]
        subprocess.run(
            [*become, *initdb, "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=self.home,
            check=True,
            capture_output=True,
            timeout=120,
        )
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {NETWORK}.0/24 trust\n")
        server = [str(POSTGRESQL / "postgres"), "-D", str(data), "-k", str(self.home)]
        settings = ["-c", f"listen_addresses={HUB}", "-c", "fsync=off"]
        process = self._run([*become, *server, *settings], "log", signal.SIGINT)
        _await_server(self.home, process)
        create = ["createdb", "-h", str(self.home), "-U", "arena", "arena"]
        subprocess.run([str(POSTGRESQL / create[0]), *create[1:]], check=True, timeout=60)


@contextmanager
def hub() -> Iterator[Hub]:
    """Make the hub; all is gone at the end."""
    with ExitStack() as stack:
        yield Hub(stack)
