"""Makes wheels, good and bad, for the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

BOT = """
from maumau import Bot, hookimpl

class Lowest(Bot):
    name = "lowest"
    def act(self, obs):
        return obs.legal_actions[0]

@hookimpl
def maumau_bots():
    return [Lowest]
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
POINTS = "[maumau]\nlowest = lowest_bot\n"
INFO = "lowest_bot-1.0.dist-info"


def parts(
    changes: Mapping[str, str | bytes | None] | None = None, *, bot: str = BOT
) -> dict[str, str | bytes]:
    """Give a good wheel's members, some of them replaced, or left out where None."""
    members: dict[str, str | bytes | None] = {
        "lowest_bot/__init__.py": bot,
        f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: lowest-bot\nVersion: 1.0\n",
        f"{INFO}/WHEEL": WHEEL,
        f"{INFO}/entry_points.txt": POINTS,
        f"{INFO}/RECORD": "",
        **(changes or {}),
    }
    return {name: content for name, content in members.items() if content is not None}


def wheel(changes: Mapping[str, str | bytes | None] | None = None, *, bot: str = BOT) -> bytes:
    """Give the bytes of a wheel."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts(changes, bot=bot).items():
            file.writestr(name, content)
    return buffer.getvalue()
