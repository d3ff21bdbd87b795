"""Start the processes of bots: which are caged, from which file, by which clean process."""

from __future__ import annotations

import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final

from maumau.arena import sandbox
from maumau.arena.clock import Clock
from maumau.arena.limits import Limits
from maumau.arena.process import BotProcess
from maumau.arena.sandbox.zygote import Order, Zygote, ZygoteLost, zygote
from maumau.arena.seats import ProcessSeat
from maumau.bots.source import BotSource
from maumau.errors import BotError, Unavailable
from maumau.rules.ruleset import RuleSet
from maumau.settings import Uploads

SPARE_S: Final = 10
"""CPU seconds that the kernel's own limit leaves beyond what the arena's clocks allow."""


class Launcher:
    """Starts bot processes under one set of limits, and keeps their files while it is open."""

    def __init__(
        self,
        limits: Limits,
        clock: Clock,
        uploads: Uploads,
        *,
        games: int = 1,
        cage_plugins: bool = False,
    ) -> None:
        """`games` is how many a process may play, `cage_plugins` puts trusted bots in the cage."""
        self.limits = limits
        self.clock = clock
        self._uploads = uploads
        self._cage_plugins = cage_plugins
        cpu_ms = limits.start_ms + games * (limits.game_ms + limits.decision_ms)
        self._cpu_s = cpu_ms // 1000 + SPARE_S
        self._staged: dict[tuple[str, str], Path] = {}

    def __enter__(self) -> Launcher:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for path in self._staged.values():
            shutil.rmtree(path.parent, ignore_errors=True)

    def start(
        self,
        source: BotSource,
        rules: RuleSet,
        *,
        careful: bool = False,
        caged: bool | None = None,
    ) -> ProcessSeat:
        """Begin to start a bot; it is ready, or has failed, after `seats.think`.

        `caged` decides instead of the kind of source and `uploads`. Raises Unavailable where it
        may not, or cannot, be started here.
        """
        if caged is None:
            caged = self._cage_plugins if source.kind == "plugin" else self._cages_uploads()
        for attempt in range(2):
            try:
                return self._start(source, rules, caged=caged, careful=careful)
            except (ZygoteLost, OSError) as error:
                if attempt:
                    message = f"a process for a bot could not be started: {error}"
                    raise Unavailable("host_fault", message) from None
        raise AssertionError

    def _start(
        self, source: BotSource, rules: RuleSet, *, caged: bool, careful: bool
    ) -> ProcessSeat:
        clean = zygote("plugin" if source.kind == "plugin" else "submitted")
        staged = None if source.path is None else self._stage(source, clean)
        order = Order(
            directory=str(staged.parent) if staged else "",
            file=staged.name if staged else "",
            caged=caged,
            memory_bytes=self.limits.memory_mb << 20,
            cpu_s=self._cpu_s,
        )
        process = BotProcess(clean, order, self.limits, self.clock)
        return ProcessSeat(process, source, rules, path=order.file, careful=careful)

    def _cages_uploads(self) -> bool:
        """Tell whether uploaded bots are caged; raises Unavailable where they may not run."""
        if self._uploads == "off":
            raise Unavailable("uploads_off", "uploaded bots are switched off (MAUMAU_UPLOADS)")
        if self._uploads == "unsafe":
            return False
        state = sandbox.status()
        if not state.ok:
            raise Unavailable("sandbox_unavailable", state.reason)
        return True

    def _stage(self, source: BotSource, clean: Zygote) -> Path:
        """Put a copy of the file where the bot's user can read it and nobody can change it."""
        key = (clean.staging, source.sha256)
        if key not in self._staged:
            assert source.path is not None
            content = source.path.read_bytes()
            if sha256(content).hexdigest() != source.sha256:
                raise BotError("wrong_content", f"{source.path} is not the file of {source.name}")
            directory = Path(tempfile.mkdtemp(dir=clean.staging))
            os.chmod(directory, 0o755)
            suffix = ".whl" if source.kind == "wheel" else ".py"
            title = source.name.replace("-", "_") or source.path.stem
            path = directory / f"{title if title.isidentifier() else 'bot'}{suffix}"
            path.write_bytes(content)
            os.chmod(path, 0o444)
            self._staged[key] = path
        return self._staged[key]


def source_of(path: Path, name: str, *, entry: str = "") -> BotSource:
    """Give the source of a file on disk: a wheel with its entry point, or a `.py` without one."""
    digest = sha256(path.read_bytes()).hexdigest()
    return BotSource("wheel" if entry else "py", name, digest, path, entry)
