"""One bot process as the arena sees it: asked, waited for under clocks, ended.

Nothing that the process does can block the arena: descriptors never wait, lengths are checked
before a body is read, and a deadline covers the whole answer.
"""

from __future__ import annotations

import os
import select
from dataclasses import dataclass
from typing import Final

from maumau.arena import faults, wire
from maumau.arena.clock import Clock
from maumau.arena.faults import Ended, Fault, Spent
from maumau.arena.limits import Limits
from maumau.arena.sandbox.zygote import Order, Zygote, ZygoteLost

_READ: Final = 1 << 16
_READ_ANSWER: Final = 1 << 12
_MS: Final = 1_000_000
EXIT_PATIENCE_S: Final = 0.2
"""How long a process that closed its channel has to end, so that its true exit is seen."""
PATIENCE: Final = 10
MOST_DRAINS: Final = 8
"""Reads of the log at a time: a bot may write faster than anybody reads."""
LOOK_NS: Final = 50 * _MS


@dataclass(frozen=True, slots=True)
class Allowed:
    """What one question may cost."""

    cpu_ns: int
    wall_ns: int
    patience_ns: int
    what: str

    @staticmethod
    def of(cpu_ms: int, wall_ms: int, what: str) -> Allowed:
        """Take the limits as they are set; a busy host gets ten times the CPU limit."""
        patience_ms = max(wall_ms, PATIENCE * cpu_ms)
        return Allowed(cpu_ms * _MS, wall_ms * _MS, patience_ms * _MS, what)


class BotProcess:
    """A child process that answers frames with frames."""

    def __init__(self, zygote: Zygote, order: Order, limits: Limits, clock: Clock) -> None:
        """Fork it; raises ZygoteLost or OSError, which are the host's faults."""
        self.limits = limits
        self.answer: bytearray | None = None
        """The body of the answer, once it is there and until it is taken."""
        self.fault: Fault | None = None
        """Why there is no answer, once that is known."""
        self.spent_ns = 0
        """CPU of the last answered question, with what was used since the one before."""
        self.idle_ns = 0
        """How long the process neither computed nor waited for a processor before that answer, or
        before the fault."""
        self._zygote = zygote
        self._order = order
        self._clock = clock
        self._log = bytearray()
        self._to_send = memoryview(b"")
        self._received = bytearray()
        self._cpu_before = 0
        theirs, self._in = os.pipe()
        self._out, theirs_out = os.pipe()
        self._log_end, theirs_log = os.pipe()
        self._log_open = True
        self._ended = False
        self._closed_down = False
        self._asked = False
        self.next_look = 0
        self._allowed = Allowed.of(0, 0, "")
        try:
            for mine in (self._in, self._out, self._log_end):
                os.set_blocking(mine, False)
            self.pid = zygote.spawn(order, theirs, theirs_out, theirs_log)
        except BaseException:
            for mine in (self._in, self._out, self._log_end):
                os.close(mine)
            raise
        finally:
            for descriptor in (theirs, theirs_out, theirs_log):
                os.close(descriptor)
        self._times = clock.process(self.pid)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._log_end, select.POLLIN)

    # Asking.

    def begin(self, body: bytes | None, allowed: Allowed) -> None:
        """Send a question; None waits for another answer to the last one."""
        self._asked = True
        self._allowed = allowed
        self._wall_before = self._clock.wall()
        self._waited_before = self._times.waited()
        self._switches_before: tuple[int, int] | None = None
        self._look_after(allowed.cpu_ns)
        if body is None:
            self._take()
        elif self._received:
            self.fail(Fault(faults.PROTOCOL, "the process sent more than it was asked for"))
        else:
            self._to_send = memoryview(wire.frame(body))
            self._send()

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come."""
        return self._asked and self.answer is None and self.fault is None

    def take(self) -> bytearray:
        """Take the answer; the process is then free for another question."""
        assert self.answer is not None
        answer, self.answer = self.answer, None
        self._asked = False
        return answer

    def watched(self) -> list[tuple[int, int]]:
        """Give the descriptors to watch, with what for."""
        found = [(self._out, select.POLLIN)]
        if self._log_open:
            found.append((self._log_end, select.POLLIN))
        if self._to_send:
            found.append((self._in, select.POLLOUT))
        return found

    def wait(self, milliseconds: int) -> bool:
        """Wait for this process alone; False if there is more to do than to wait for it."""
        if self._to_send or not self._log_open:
            return False
        for descriptor, _ in self._poll.poll(milliseconds):
            self.ready(descriptor)
        return True

    def ready(self, descriptor: int) -> None:
        """Do what a watched descriptor is ready for."""
        if descriptor == self._out:
            self._receive()
        elif descriptor == self._in:
            self._send()
        else:
            self._drain()

    def look(self, now: int) -> None:
        """Look at the clocks if it is time: a question that costs too much is a fault."""
        if now < self.next_look:
            return
        allowed = self._allowed
        spent = self._spent()
        fault = faults.overran(
            spent,
            cpu_ns=allowed.cpu_ns,
            wall_ns=allowed.wall_ns,
            patience_ns=allowed.patience_ns,
            what=allowed.what,
        )
        self._look_after(allowed.cpu_ns - spent.cpu_ns)
        if fault is not None:
            # The answer may have come while somebody else had the processor.
            self._receive()
            if self.waiting:
                self.fail(fault)

    def _look_after(self, cpu_left: int) -> None:
        """Plan the next look: no CPU limit can be passed before that much time has."""
        pause = min(LOOK_NS, self._allowed.wall_ns // 20, cpu_left + _MS)
        self.next_look = self._clock.wall() + max(_MS, pause)

    def fail(self, fault: Fault) -> None:
        """Note why there is no answer; the first reason counts."""
        if self.fault is None:
            self.fault = fault
            self.idle_ns = self._idle(max(0, self._times.cpu() - self._cpu_before))

    def _spent(self) -> Spent:
        wall = self._clock.wall() - self._wall_before
        cpu = self._times.cpu() - self._cpu_before
        waited = self._times.waited() - self._waited_before
        # Asked for only where it decides: it costs more than the rest.
        late = wall > self._allowed.wall_ns
        return Spent(wall, cpu, waited, self._left_share(), late and self._times.ready())

    def _left_share(self) -> float:
        """Give the part of its turns on a processor that the process ended by itself.

        Counted from the first look on, so that a question that is answered at once costs nothing.
        """
        turns, left = self._times.switches()
        if self._switches_before is None:
            self._switches_before = turns, left
        turns_before, left_before = self._switches_before
        return (left - left_before) / max(1, turns - turns_before)

    def _send(self) -> None:
        try:
            while self._to_send:
                # A bound of its own: mypyc 2.4 evaluates an expression in a slice twice.
                sent = os.write(self._in, self._to_send)
                self._to_send = self._to_send[sent:]
        except BlockingIOError:
            pass
        except OSError:
            self._closed()

    def _receive(self) -> None:
        try:
            data = os.read(self._out, _READ_ANSWER)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._received += data
            self._take()
        else:
            self._closed()

    def _take(self) -> None:
        """Take one answer out of what was received."""
        received = self._received
        if len(received) < wire.HEADER_BYTES:
            return
        length = wire.frame_length(received)
        if length > self.limits.reply_bytes:
            detail = f"the process sent an answer of more than {self.limits.reply_bytes} bytes"
            self.fail(Fault(faults.PROTOCOL, detail))
        elif len(received) >= (whole := wire.HEADER_BYTES + length):
            self.answer = received[wire.HEADER_BYTES : whole]
            del received[:whole]
            cpu = self._times.cpu()
            self.spent_ns = cpu - self._cpu_before
            self._cpu_before = cpu
            self.idle_ns = self._idle(self.spent_ns)

    def _idle(self, spent_ns: int) -> int:
        """Give how long it has been idle since it was asked; 0 for what is not worth a look."""
        wall = self._clock.wall() - self._wall_before
        if wall <= LOOK_NS:
            return 0
        return max(0, wall - spent_ns - (self._times.waited() - self._waited_before))

    def _closed(self) -> None:
        """Find out why the process closed its channel."""
        if self.fault is None:
            self._to_send = memoryview(b"")
            end = self._reap(EXIT_PATIENCE_S)
            self.fail(
                Fault(faults.HOST, "the arena's own process for bots ended")
                if end is None
                else faults.ended(
                    end, memory_bytes=self._order.memory_bytes, cpu_limit_s=self._order.cpu_s
                )
            )

    # Ending.

    def end(self) -> None:
        """Kill the process and its group, and wait for it."""
        if self._closed_down:
            return
        self._closed_down = True
        self._reap(0.0)
        self._times.close()
        self._drain()
        for descriptor in (self._in, self._out, self._log_end):
            os.close(descriptor)

    def log(self) -> str:
        """Give the last of what the bot has printed."""
        if not self._closed_down:
            self._drain()
        return self._log.decode("utf-8", "backslashreplace")

    def _reap(self, patience_s: float) -> Ended | None:
        if self._ended:
            return None
        self._ended = True
        try:
            return self._zygote.reap(self.pid, patience_s)
        except ZygoteLost:
            return None

    def _drain(self) -> None:
        """Read what the bot printed, keep the last of it."""
        try:
            for _ in range(MOST_DRAINS):
                if not self._log_open or not (data := os.read(self._log_end, _READ)):
                    break
                self._log += data
                del self._log[: max(0, len(self._log) - self.limits.log_bytes)]
                if len(data) < _READ:
                    return
            else:
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._log_open = False
