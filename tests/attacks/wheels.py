"""Hostile wheels: refused without being run, and harmless where they are run all the same."""

from __future__ import annotations

import io
import os
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.bots.wheelwright import BOT, INFO, POINTS, WHEEL, parts, wheel

MARK = "maumau-wheel-was-here"
"""What these wheels would leave behind if any of them got through."""
EVIL = f"import os, tempfile; os.mkdir(os.path.join(tempfile.gettempdir(), {MARK!r}))\n"
HOSTILE_NAME = BOT.replace('name = "lowest"', 'name = "hostile"')


@dataclass(frozen=True, slots=True)
class HostileWheel:
    """A wheel, the reason it must be refused for ("" if it may be taken), its ends in the cage."""

    name: str
    content: bytes
    reason: str
    ends: tuple[str, ...]
    entry: str = "lowest_bot"


def _made(changes: Mapping[str, str | bytes | None] | None = None) -> bytes:
    return wheel(changes, bot=HOSTILE_NAME)


def _zip(fill: Callable[[zipfile.ZipFile], None]) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for name, content in parts(bot=HOSTILE_NAME).items():
                file.writestr(name, content)
            fill(file)
    return buffer.getvalue()


def _duplicate(file: zipfile.ZipFile) -> None:
    file.writestr("lowest_bot/__init__.py", EVIL)


def _link(file: zipfile.ZipFile) -> None:
    info = zipfile.ZipInfo("lowest_bot/link.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    file.writestr(info, "/etc/passwd")


def _many(file: zipfile.ZipFile) -> None:
    for number in range(1200):
        file.writestr(f"lowest_bot/m{number}.py", "")


def _overlapping(content: bytes) -> bytes:
    """Let the last member's entry in the directory claim more than is there."""
    at = content.rindex(b"PK\x01\x02")
    return content[: at + 24] + struct.pack("<I", 1 << 30) + content[at + 28 :]


def _encrypted(content: bytes) -> bytes:
    at = content.index(b"PK\x01\x02")
    return content[: at + 8] + b"\x01" + content[at + 9 :]


_BOMB = bytes(30 << 20)
_MALICIOUS_HOOK = HOSTILE_NAME.replace("return [Lowest]", "import os; os._exit(5)")
_FORKING = "import os\nos.fork()\n" + HOSTILE_NAME

WHEELS: tuple[HostileWheel, ...] = (
    HostileWheel(
        "path file", _made({"evil.pth": "import lowest_bot\n"}), "unsafe_wheel", ("plays on",)
    ),
    HostileWheel("sitecustomize", _made({"sitecustomize.py": EVIL}), "unsafe_wheel", ("plays on",)),
    HostileWheel(
        "usercustomize", _made({"usercustomize/__init__.py": EVIL}), "unsafe_wheel", ("plays on",)
    ),
    HostileWheel("a bomb", _made({"lowest_bot/data.bin": _BOMB}), "too_large", ("plays on",)),
    HostileWheel(
        "a bomb that is its module",
        _made({"lowest_bot/__init__.py": HOSTILE_NAME.encode() + b"#" * (30 << 20)}),
        "too_large",
        ("start", "plays on"),
    ),
    HostileWheel("a member twice", _zip(_duplicate), "unsafe_wheel", ("start", "plays on")),
    HostileWheel("a path that climbs", _made({"../evil.py": EVIL}), "unsafe_wheel", ("plays on",)),
    HostileWheel(
        "a path from the root", _made({"/tmp/evil.py": EVIL}), "unsafe_wheel", ("plays on",)
    ),
    HostileWheel("a link", _zip(_link), "unsafe_wheel", ("plays on",)),
    HostileWheel(
        "scripts",
        _made({"lowest_bot-1.0.data/scripts/sh": "#!/bin/sh\n"}),
        "unsafe_wheel",
        ("plays on",),
    ),
    HostileWheel(
        "compiled code", _made({"lowest_bot/fast.so": b"\x7fELF"}), "not_pure", ("plays on",)
    ),
    HostileWheel(
        "a compiled twin",
        _made({"lowest_bot/__init__.pyc": b"\0" * 16}),
        "not_pure",
        ("plays on", "start"),
    ),
    HostileWheel("too many members", _zip(_many), "too_large", ("plays on",)),
    HostileWheel(
        "the arena's own package",
        _made({"maumau/__init__.py": EVIL, "maumau/arena/child.py": EVIL}),
        "unsafe_wheel",
        ("plays on",),
    ),
    HostileWheel(
        "the library's modules",
        _made({"json/__init__.py": EVIL, "random.py": EVIL, "os.py": EVIL}),
        "",
        ("plays on",),
    ),
    HostileWheel(
        "an entry in the library",
        _made({f"{INFO}/entry_points.txt": "[maumau]\nx = os:abort\n"}),
        "no_entry_point",
        ("start",),
        "os:abort",
    ),
    HostileWheel(
        "an entry that is code",
        _made({f"{INFO}/entry_points.txt": "[maumau]\nx = __import__('os').abort()\n"}),
        "no_entry_point",
        ("start",),
        "__import__('os').abort()",
    ),
    HostileWheel(
        "two entries",
        _made({f"{INFO}/entry_points.txt": POINTS + "more = lowest_bot\n"}),
        "several_entry_points",
        ("plays on",),
    ),
    HostileWheel("sizes that lie", _overlapping(_made()), "too_large", ("plays on", "start")),
    HostileWheel("an encrypted member", _encrypted(_made()), "unsafe_wheel", ("plays on", "start")),
    HostileWheel("half a wheel", _made()[:300], "not_a_wheel", ("start",)),
    HostileWheel("no zip at all", b"PK\x05\x06" + os.urandom(50), "not_a_wheel", ("start",)),
    HostileWheel(
        "a platform's wheel",
        _made({f"{INFO}/WHEEL": WHEEL.replace("none-any", "cp311-linux_x86_64")}),
        "not_pure",
        ("plays on",),
    ),
    HostileWheel("forks at import", _made({"lowest_bot/__init__.py": _FORKING}), "", ("start",)),
    HostileWheel(
        "a hook that ends the process",
        _made({"lowest_bot/__init__.py": _MALICIOUS_HOOK}),
        "",
        ("start",),
    ),
)
