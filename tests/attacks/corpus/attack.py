"""One hostile bot: its code, and how its game must end."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Final

PLAYS: Final = "plays on"
GOT_OUT: Final = "GOT OUT"
"""What a bot says if something worked that must not; it never may."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile bot: `act` runs at every decision, `top` when it is loaded.

    `ends` are the faults with which its game may end, or PLAYS. `detail` is part of what the
    fault says.
    """

    name: str
    ends: tuple[str, ...]
    act: str = ""
    top: str = ""
    body: str = ""
    detail: str = ""

    def code(self, secret: str) -> str:
        """Give the bot's file; `secret` is the path of a file that anybody may read."""
        lines = [
            _TOP.replace("@SECRET@", secret).replace("@OUT@", GOT_OUT),
            textwrap.dedent(self.top),
            _CLASS,
            textwrap.indent(textwrap.dedent(self.act), " " * 8),
            _END,
            textwrap.indent(textwrap.dedent(self.body), " " * 4),
            _HOOK,
        ]
        return "\n".join(lines)


def attack(
    name: str, ends: str, act: str = "", *, top: str = "", body: str = "", detail: str = ""
) -> Attack:
    """Make an attack; `ends` lists what may happen, parted by `|`."""
    return Attack(name, tuple(ends.split("|")), act, top, body, detail)


_TOP = '''
import ctypes, errno, gc, os, resource, signal, socket, struct, subprocess, sys, threading, time
from maumau import Bot, hookimpl

SECRET = "@SECRET@"
libc = ctypes.CDLL(None, use_errno=True)

def got_out(what):
    raise AssertionError("@OUT@: " + what)

def refused(what, attempt, *arguments):
    """The attempt must fail as something that is not permitted or not there does."""
    try:
        value = attempt(*arguments)
    except (OSError, RuntimeError, ValueError, ImportError, EOFError, subprocess.SubprocessError):
        return
    got_out(f"{what} -> {value!r}")

def call(name, *arguments):
    """Call a function of the C library; OSError if it says -1."""
    ctypes.set_errno(0)
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)

def lowest(obs):
    return next((a for a in obs.legal_actions if a.endswith("!")), obs.legal_actions[0])
'''

_CLASS = """
class Hostile(Bot):
    name = "hostile"
    def act(self, obs):
        lowest(obs)"""

_END = "        return lowest(obs)\n"

_HOOK = """
@hookimpl
def maumau_bots():
    return [Hostile]
"""
