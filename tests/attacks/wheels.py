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


def _encrypted(content: bytes, flag: int = 1) -> bytes:
    """Let the first member's entry in the directory say that it is encrypted."""
    at = content.index(b"PK\x01\x02")
    return content[: at + 8] + bytes([flag]) + content[at + 9 :]


def _named(name: str, content: str = EVIL, mode: int = 0) -> bytes:
    """Give a wheel with a member whose name is taken as it is."""

    def fill(file: zipfile.ZipFile) -> None:
        info = zipfile.ZipInfo("x")
        info.filename = info.orig_filename = name
        info.external_attr = mode << 16
        file.writestr(info, content)

    return _zip(fill)


def _latin(name: bytes, *, flagged: bool) -> bytes:
    """Give a wheel with a member's name in bytes that are no UTF-8, said to be it or not."""
    content = _named("lowest_bot/" + "x" * len(name)).replace(b"x" * len(name), name)
    at = content.rindex(b"PK\x01\x02")
    flags = struct.pack("<H", 0x800 if flagged else 0)
    return content[: at + 8] + flags + content[at + 10 :]


def _far(offset: int) -> bytes:
    """Give a wheel whose last member lies, by a zip64 field, where no file reaches."""
    content = _named("lowest_bot/far.py")
    at, end = content.rindex(b"PK\x01\x02"), content.rindex(b"PK\x05\x06")
    entry = bytearray(content[at:end])
    entry[30:32] = struct.pack("<H", 12)  # the extra field's length
    entry[42:46] = b"\xff" * 4  # the offset is in the extra field
    entry += struct.pack("<HHQ", 1, 8, offset)
    tail = bytearray(content[end:])
    size = struct.unpack("<I", tail[12:16])[0]
    tail[12:16] = struct.pack("<I", size + 12)
    return content[:at] + bytes(entry) + bytes(tail)


def _noise(line: str) -> str:
    """Give lines without end that hardly shrink."""
    return "".join(line % f"{number * 0x9E3779B97F4A7C15 % 2**64:x}" for number in range(60_000))


def _packed_by(method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in parts(bot=HOSTILE_NAME).items():
            file.writestr(name, content)
    return buffer.getvalue()


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
    HostileWheel(
        "entries without end",
        _made({f"{INFO}/entry_points.txt": "[maumau]\n" + _noise("k%s = m\n")}),
        "too_large",
        ("plays on",),
    ),
    HostileWheel(
        "sections without end",
        _made({f"{INFO}/entry_points.txt": _noise("[s%s]\n")}),
        "too_large",
        ("plays on",),
    ),
    HostileWheel(
        "tags without end",
        _made({f"{INFO}/WHEEL": WHEEL + _noise("Tag: %s-none-any\n")}),
        "too_large",
        ("plays on",),
    ),
    HostileWheel("a huge record", _made({f"{INFO}/RECORD": _noise("%s,,\n")}), "", ("plays on",)),
    HostileWheel("a member called here", _named("."), "unsafe_wheel", ("plays on",)),
    HostileWheel("a folder called here", _named("./"), "unsafe_wheel", ("plays on",)),
    HostileWheel("a drive's path", _named("C:evil.py"), "unsafe_wheel", ("plays on",)),
    HostileWheel(
        "a path without end", _named("d/" * 30_000 + "x.py"), "unsafe_wheel", ("plays on",)
    ),
    HostileWheel(
        "names that differ in case", _named("LOWEST_BOT/__init__.py"), "unsafe_wheel", ("plays on",)
    ),
    HostileWheel(
        "a device",
        _named("lowest_bot/tty", "", stat.S_IFCHR | 0o666),
        "unsafe_wheel",
        ("plays on",),
    ),
    HostileWheel(
        "a name that is no UTF-8",
        _latin(b"\xff\xfe", flagged=True),
        "not_a_wheel",
        ("start", "plays on"),
    ),
    HostileWheel(
        "a name of an old code page", _latin(b"\x8e\x99", flagged=False), "", ("plays on",)
    ),
    HostileWheel("a member past the end", _far(1 << 40), "not_a_wheel", ("start", "plays on")),
    HostileWheel(
        "a member past all numbers", _far(2**64 - 1), "not_a_wheel", ("start", "plays on")
    ),
    HostileWheel(
        "two folders of metadata",
        _made({"other-1.0.dist-info/WHEEL": WHEEL}),
        "not_a_wheel",
        ("plays on",),
    ),
    HostileWheel(
        "strongly encrypted", _encrypted(_made(), 0x40), "not_a_wheel", ("start", "plays on")
    ),
    HostileWheel("packed as no wheel is", _packed_by(zipfile.ZIP_LZMA), "not_a_wheel", ("start",)),
    HostileWheel(
        "files for another folder",
        _made({"lowest_bot-1.0.data/purelib/maumau/__init__.py": EVIL}),
        "unsafe_wheel",
        ("plays on",),
    ),
    HostileWheel(
        "what the SDK needs",
        _made({"msgspec/__init__.py": EVIL, "pluggy.py": EVIL, "mypy_extensions.py": EVIL}),
        "",
        ("plays on",),
    ),
    HostileWheel(
        "modules that run by themselves",
        _made({"__init__.py": EVIL, "__main__.py": EVIL, "lowest_bot/__main__.py": EVIL}),
        "",
        ("plays on",),
    ),
    HostileWheel(
        "a library with a version",
        _made({"lowest_bot/fast.so.1": b"\x7fELF"}),
        "not_pure",
        ("plays on",),
    ),
    HostileWheel(
        "a wheel behind another",
        _made({"lowest_bot/__init__.py": EVIL}) + _made(),
        "",
        ("plays on",),
    ),
    HostileWheel(
        "an entry that walks out of its module",
        _made({f"{INFO}/entry_points.txt": "[maumau]\nx = lowest_bot:maumau_bots.__globals__\n"}),
        "",
        ("start",),
        "lowest_bot:maumau_bots.__globals__",
    ),
    HostileWheel("forks at import", _made({"lowest_bot/__init__.py": _FORKING}), "", ("start",)),
    HostileWheel(
        "a hook that ends the process",
        _made({"lowest_bot/__init__.py": _MALICIOUS_HOOK}),
        "",
        ("start",),
    ),
)
