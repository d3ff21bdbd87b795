"""Static checks of a submitted file: nothing of it is imported or unpacked to disk."""

from __future__ import annotations

import configparser
import io
import stat
import sys
import zipfile
from collections import Counter
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from maumau.bots.reasons import printable, refused
from maumau.errors import BotError
from maumau.hookspecs import GROUP

MAX_FILE: Final = 5 * 1024 * 1024
"""Bytes of a submitted file."""
MAX_UNPACKED: Final = 25 * 1024 * 1024
"""Bytes of all that a wheel unpacks to."""
MAX_MEMBERS: Final = 1000
MAX_RATIO: Final = 100
"""How many times its packed size a member of more than 100 KB may have."""
MAX_NAME: Final = 255
"""Characters of a member's whole name."""
MAX_METADATA: Final = 64 * 1024
"""Bytes of a file in `.dist-info` that is read as a whole: parsers need many times as much."""

COMPILED: Final = (".so", ".pyd", ".dll", ".dylib", ".exe", ".a", ".o", ".pyc", ".pyo")
UNWANTED: Final = frozenset({"sitecustomize", "usercustomize"})
RESERVED: Final = frozenset({"maumau", "plugins", "service", "worker"})

Kind = Literal["wheel", "py"]


@dataclass(frozen=True, slots=True)
class Submission:
    """What the static checks say of a file: how it is loaded.

    `entry` is the module that a wheel names in group `maumau` (empty for a `.py`).
    """

    kind: Kind
    entry: str


def check_file(filename: str, content: bytes) -> Submission:
    """Check a submitted file without running any of it; raises BotError with the reason.

    A file that begins as a zip archive, or is called `.whl`, is taken for a wheel.
    """
    if len(content) > MAX_FILE:
        message = f"the file has {len(content)} bytes; at most {MAX_FILE} are allowed"
        raise refused("too_large", message)
    if content.startswith(b"PK") or not filename.lower().endswith(".py"):
        return Submission("wheel", check_wheel(content))
    _check_text(content)
    return Submission("py", "")


def check_path(path: Path, filename: str) -> Submission:
    """Check a file on disk in the same way; `filename` is the name it was submitted by."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE + 1)
    return check_file(filename, content)


def _check_text(content: bytes) -> None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refused("syntax_error", f"the file is not UTF-8 text: {printable(error)}") from None
    if "\0" in text:
        raise refused("syntax_error", "the file holds a NUL character")


def check_wheel(content: bytes) -> str:
    """Check a wheel's bytes and give the module its entry point names; raises BotError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            members = wheel.infolist()
            _check_names(members)
            _check_sizes(members)
            _check_readable(wheel, members)
            info = _dist_info(members)
            _check_pure(wheel, info)
            entry = _entry_point(wheel, info)
    except BotError:
        raise
    except Exception as error:  # what zipfile and email raise on hostile bytes has no end
        detail = printable(error)
        message = f"the file is not a whole zip archive, as a wheel is ({detail})"
        raise refused("not_a_wheel", message) from None
    _check_entry(entry, members)
    return entry


def _check_names(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        message = f"the wheel has {len(members)} members; at most {MAX_MEMBERS} are allowed"
        raise refused("too_large", message)
    for member in members:
        _check_name(member)
    # On some file systems names that differ in case only are one file.
    counts = Counter(member.filename.casefold() for member in members)
    for name, count in counts.items():
        if count > 1:
            message = f"the wheel has {count} members called {printable(name, 80)!r}"
            raise refused("unsafe_wheel", message)


def _check_name(member: zipfile.ZipInfo) -> None:
    name = member.filename
    shown = printable(member.orig_filename, 80)
    path = PurePosixPath(name)
    if (
        not name
        or name != member.orig_filename
        or "\\" in name
        or ":" in name
        or not name.isprintable()
        or len(name) > MAX_NAME
        or not path.parts
        or path.is_absolute()
        or ".." in path.parts
        or str(path) != name.removesuffix("/")
    ):
        raise refused(
            "unsafe_wheel", f"the member name {shown!r} is not a plain, short, relative path"
        )
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise refused("unsafe_wheel", f"{shown!r} is a link or a special file")
    if member.flag_bits & 1:
        raise refused("unsafe_wheel", f"{shown!r} is encrypted")
    top = path.parts[0]
    stems = {part.partition(".")[0] for part in path.parts}
    if path.suffix == ".pth" or stems & UNWANTED or top.endswith(".data"):
        raise refused(
            "unsafe_wheel", f"{shown!r} acts on installing; a bot's wheel is not installed"
        )
    if path.suffix.lower() in COMPILED or ".so." in path.name:
        raise refused("not_pure", f"{shown!r} is compiled code; a bot is Python source")
    if top in RESERVED or top.partition(".")[0] in RESERVED:
        raise refused("unsafe_wheel", f"{shown!r}: the package name {top!r} is the arena's own")


def _check_sizes(members: list[zipfile.ZipInfo]) -> None:
    whole = sum(member.file_size for member in members)
    if whole > MAX_UNPACKED:
        message = f"the wheel unpacks to {whole} bytes; at most {MAX_UNPACKED} are allowed"
        raise refused("too_large", message)
    for member in members:
        packed, size = member.compress_size, member.file_size
        if size > 100_000 and size > MAX_RATIO * max(packed, 1):
            name = printable(member.filename, 80)
            raise refused("unsafe_wheel", f"{name!r} grows from {packed} bytes to {size}")


def _check_readable(wheel: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
    """Read every member once: its real size and checksum must be those it states."""
    for member in members:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            name = printable(member.filename, 80)
            raise refused("not_a_wheel", f"{name!r} is packed in a way that wheels do not use")
        with wheel.open(member) as file:
            read = 0
            while block := file.read(1 << 16):
                read += len(block)
        if read != member.file_size:
            name = printable(member.filename, 80)
            raise refused("not_a_wheel", f"{name!r} has {read} bytes, not {member.file_size}")


def _dist_info(members: list[zipfile.ZipInfo]) -> str:
    """Give the name of the wheel's one `.dist-info` folder."""
    tops = {PurePosixPath(member.filename).parts[0] for member in members}
    found = sorted(top for top in tops if top.endswith(".dist-info"))
    if len(found) != 1:
        message = f"a wheel has one .dist-info folder, this file has {len(found)}"
        raise refused("not_a_wheel", message)
    return found[0]


def _read(wheel: zipfile.ZipFile, name: str) -> bytes | None:
    """Give a member's content, None where there is none of this name."""
    try:
        size = wheel.getinfo(name).file_size
    except KeyError:
        return None
    if size > MAX_METADATA:
        message = f"{printable(name, 80)!r} has {size} bytes; at most {MAX_METADATA} are allowed"
        raise refused("too_large", message)
    return wheel.read(name)


def _check_pure(wheel: zipfile.ZipFile, info: str) -> None:
    content = _read(wheel, f"{info}/WHEEL")
    if content is None:
        raise refused("not_a_wheel", f"{info}/WHEEL is missing: build the file with `pip wheel .`")
    fields = message_from_bytes(content)
    if str(fields.get("Root-Is-Purelib", "")).strip().lower() != "true":
        raise refused("not_pure", "the wheel does not say Root-Is-Purelib: true")
    tags = [str(tag) for tag in fields.get_all("Tag", [])]
    if not any(tag.strip().endswith("-none-any") for tag in tags):
        shown = printable(", ".join(tags), 80) or "none"
        raise refused("not_pure", f"the wheel's tag must end in -none-any; its tags: {shown}")


def _entry_point(wheel: zipfile.ZipFile, info: str) -> str:
    content = _read(wheel, f"{info}/entry_points.txt") or b""
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(content.decode("utf-8"))
        values = dict(parser[GROUP]) if parser.has_section(GROUP) else {}
    except (configparser.Error, UnicodeDecodeError) as error:
        message = f"entry_points.txt cannot be read: {printable(error)}"
        raise refused("no_entry_point", message) from None
    if not values:
        message = (
            f"the wheel names no entry point in group {GROUP!r}; pyproject.toml needs "
            f'[project.entry-points.{GROUP}] with one line, such as my-bot = "my_bot"'
        )
        raise refused("no_entry_point", message)
    if len(values) > 1:
        shown = printable(", ".join(values), 80)
        message = f"group {GROUP!r} has {len(values)} entry points ({shown}); a submission has one"
        raise refused("several_entry_points", message)
    return next(iter(values.values())).strip()


def _check_entry(entry: str, members: list[zipfile.ZipInfo]) -> None:
    module, _, attribute = entry.partition(":")
    parts = module.split(".") + (attribute.split(".") if ":" in entry else [])
    if not all(part.isidentifier() for part in parts):
        message = f"the entry point must name a module, not {printable(entry, 80)!r}"
        raise refused("no_entry_point", message)
    top = module.split(".")[0]
    if top in sys.stdlib_module_names:
        message = f"the module name {top!r} is taken by Python's own library; rename the package"
        raise refused("no_entry_point", message)
    path = module.replace(".", "/")
    if not {f"{path}.py", f"{path}/__init__.py"} & {member.filename for member in members}:
        message = f"the entry point names the module {module!r}, which the wheel does not hold"
        raise refused("no_entry_point", message)
