"""Static checks of submitted files: a hostile archive is refused before anything of it runs."""

from __future__ import annotations

import contextlib
import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from maumau.bots.wheels import (
    MAX_FILE,
    MAX_MEMBERS,
    MAX_METADATA,
    Submission,
    check_file,
    check_path,
)
from maumau.errors import BotError
from tests.bots.wheelwright import BOT, INFO, WHEEL, wheel


def refusal(content: bytes, filename: str = "bot.whl") -> tuple[str, str]:
    with pytest.raises(BotError) as caught:
        check_file(filename, content)
    return caught.value.code, str(caught.value)


def raw(*members: tuple[zipfile.ZipInfo | str, str | bytes]) -> bytes:
    """Give a good wheel with members added as they are."""
    buffer = io.BytesIO(wheel())
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as file:
        for info, content in members:
            file.writestr(info, content)
    return buffer.getvalue()


def test_a_good_wheel_names_its_module() -> None:
    assert check_file("bot.whl", wheel()) == Submission("wheel", "lowest_bot")
    # What a file is, its bytes say before its name does.
    assert check_file("bot.py", wheel()) == Submission("wheel", "lowest_bot")


def test_a_py_file_is_taken_as_it_is() -> None:
    assert check_file("bot.py", BOT.encode()) == Submission("py", "")
    assert check_file("BOT.PY", b"\xef\xbb\xbf# with a byte order mark") == Submission("py", "")


def test_the_same_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "0123abcd"
    path.write_bytes(wheel())
    assert check_path(path, "bot.whl") == Submission("wheel", "lowest_bot")
    path.write_bytes(b"#" * (MAX_FILE + 1))
    with pytest.raises(BotError, match="at most 5242880"):
        check_path(path, "bot.py")


@pytest.mark.parametrize("content", [b"", b"hello", b"PK", b"PK\x03\x04" + b"\0" * 100])
def test_what_is_no_archive(content: bytes) -> None:
    assert refusal(content)[0] == "not_a_wheel"
    assert refusal(content, "bot.tar.gz")[0] == "not_a_wheel"


def test_damaged_archives() -> None:
    good = wheel()
    assert refusal(good[:-30])[0] == "not_a_wheel"
    assert refusal(good[: len(good) // 2])[0] == "not_a_wheel"
    at = good.index(b"PK\x01\x02")
    spoilt = bytearray(good)
    spoilt[50:70] = bytes(20)
    assert refusal(bytes(spoilt))[0] == "not_a_wheel"
    method = bytearray(good)
    method[at + 10 : at + 12] = struct.pack("<H", 99)
    assert refusal(bytes(method))[0] == "not_a_wheel"


def test_a_py_file_that_is_no_text() -> None:
    assert refusal(b"\xff\xfe\x00", "bot.py")[0] == "syntax_error"
    assert refusal(b"x = 1\0", "bot.py")[0] == "syntax_error"
    assert refusal(b"#" * (MAX_FILE + 1), "bot.py")[0] == "too_large"


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "lowest_bot/../../evil.py",
        "/etc/passwd.py",
        "C:\\evil.py",
        "a\\b.py",
        "./a.py",
        ".",
        "./",
        "x" * 256,
        "a//b.py",
        "a\nb.py",
    ],
)
def test_paths_outside_the_wheel(name: str) -> None:
    assert refusal(raw((name, "x = 1")))[0] == "unsafe_wheel"


def test_metadata_that_would_burst_a_parser_is_not_read() -> None:
    for name in ("WHEEL", "entry_points.txt"):
        code, told = refusal(wheel({f"{INFO}/{name}": "[maumau]\n" + "# more\n" * 10_000}))
        assert code == "too_large"
        assert f"'{INFO}/{name}' has 70009 bytes; at most {MAX_METADATA} are allowed" in told


def test_whatever_a_damaged_archive_makes_the_reader_raise_is_a_refusal() -> None:
    """One byte after the other of the directory, so that no kind of error is forgotten."""
    good = wheel()
    for at in range(good.index(b"PK\x01\x02"), len(good)):
        for byte in (0, 0x7F, 0xFF):
            spoilt = good[:at] + bytes([byte]) + good[at + 1 :]
            with contextlib.suppress(BotError):
                check_file("bot.whl", spoilt)


def test_a_name_with_a_nul_is_not_cut_there() -> None:
    content = raw(("aaaa/evil.pyxtail", "x = 1")).replace(b"evil.pyxtail", b"evil.py\0tail")
    assert refusal(content)[0] == "unsafe_wheel"


def test_duplicate_members() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        content = raw(("lowest_bot/__init__.py", "x = 1"))
    assert refusal(content)[0] == "unsafe_wheel"
    assert refusal(raw(("LOWEST_bot/__init__.py", "x = 1")))[0] == "unsafe_wheel"


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_special_files(mode: int) -> None:
    info = zipfile.ZipInfo("lowest_bot/link.py")
    info.external_attr = (mode | 0o777) << 16
    assert refusal(raw((info, "/etc/passwd")))[0] == "unsafe_wheel"


def test_encrypted_members() -> None:
    content = bytearray(wheel())
    at = content.index(b"PK\x01\x02")
    content[at + 8] |= 1
    assert refusal(bytes(content))[0] == "unsafe_wheel"


@pytest.mark.parametrize(
    "name",
    [
        "evil.pth",
        "sitecustomize.py",
        "usercustomize/__init__.py",
        "lowest_bot-1.0.data/scripts/run",
        "maumau/__init__.py",
        "plugins/easy.py",
    ],
)
def test_what_acts_on_installing_or_takes_our_names(name: str) -> None:
    code, message = refusal(raw((name, "x = 1")))
    assert code == "unsafe_wheel"
    assert name in message


def test_zip_bombs() -> None:
    code, message = refusal(raw(("lowest_bot/zeros.txt", b"\0" * 4_000_000)))
    assert code == "unsafe_wheel"
    assert "grows from" in message
    assert refusal(raw(("lowest_bot/zeros.txt", b"\0" * 30_000_000)))[0] == "too_large"
    many = [(f"lowest_bot/m{i}.py", "") for i in range(MAX_MEMBERS)]
    assert refusal(raw(*many))[0] == "too_large"


def test_a_member_that_lies_about_its_size() -> None:
    content = raw(("lowest_bot/zeros.txt", b"\0" * 5_000_000))
    lie = content.replace(struct.pack("<I", 5_000_000), struct.pack("<I", 1_000))
    assert refusal(lie)[0] == "not_a_wheel"


@pytest.mark.parametrize(
    "name", ["fast.so", "fast.cpython-311-x86_64-linux-gnu.so", "a.PYD", "b.pyc"]
)
def test_compiled_code(name: str) -> None:
    assert refusal(raw((f"lowest_bot/{name}", b"\x7fELF")))[0] == "not_pure"


@pytest.mark.parametrize(
    "text",
    [
        WHEEL.replace("true", "false"),
        WHEEL.replace("py3-none-any", "cp311-cp311-linux_x86_64"),
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n",
        "",
    ],
)
def test_wheels_that_are_not_pure(text: str) -> None:
    assert refusal(wheel({f"{INFO}/WHEEL": text}))[0] == "not_pure"


def test_archives_that_are_no_wheels() -> None:
    assert refusal(wheel({f"{INFO}/WHEEL": None}))[0] == "not_a_wheel"
    assert refusal(wheel({"other-1.0.dist-info/WHEEL": WHEEL}))[0] == "not_a_wheel"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("bot.py", BOT)
    assert refusal(buffer.getvalue())[0] == "not_a_wheel"
    with zipfile.ZipFile(buffer := io.BytesIO(), "w"):
        pass
    assert refusal(buffer.getvalue())[0] == "not_a_wheel"


@pytest.mark.parametrize(
    ("points", "code", "told"),
    [
        (None, "no_entry_point", "pyproject.toml needs [project.entry-points.maumau]"),
        ("", "no_entry_point", "pyproject.toml needs"),
        ("[console_scripts]\na = b:c\n", "no_entry_point", "pyproject.toml needs"),
        ("[maumau]\na = lowest_bot\nb = lowest_bot\n", "several_entry_points", "(a, b)"),
        ("[maumau\na = b", "no_entry_point", "cannot be read"),
        ("[maumau]\na = not a module\n", "no_entry_point", "must name a module"),
        ("[maumau]\na = other\n", "no_entry_point", "which the wheel does not hold"),
        ("[maumau]\na = lowest_bot.\n", "no_entry_point", "must name a module"),
        ("[maumau]\na = random\n", "no_entry_point", "taken by Python's own library"),
        (b"\xff\xfe", "no_entry_point", "cannot be read"),
    ],
)
def test_entry_points(points: str | bytes | None, code: str, told: str) -> None:
    found, message = refusal(wheel({f"{INFO}/entry_points.txt": points}))
    assert found == code
    assert told in message


def test_an_entry_point_may_name_an_object_in_a_module() -> None:
    content = wheel({f"{INFO}/entry_points.txt": "[maumau]\nLow.est = lowest_bot:plugin\n"})
    assert check_file("x.whl", content).entry == "lowest_bot:plugin"


def test_messages_are_plain_text() -> None:
    _, message = refusal(raw(("lowest_bot/\x1b[2J\u202eevil.pth", "x")))
    assert message.isprintable()
