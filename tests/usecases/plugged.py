"""Bots for tests of the walks, each a file as somebody would submit it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from maumau.bots import registry
from maumau.storage import Account, Database
from maumau.storage.values import NewVersion

FIRST = """
from maumau import Bot, hookimpl

class {title}(Bot):
    name = "{name}"
    def act(self, obs):
        return obs.legal_actions[{place}]

@hookimpl
def maumau_bots():
    return [{title}]
"""


def source(name: str, place: str = "0") -> bytes:
    """A bot that plays one place of the list of legal actions."""
    return FIRST.format(name=name, title=name.title().replace("-", ""), place=place).encode()


def accepted(
    db: Database, account: Account, now: datetime, *names: str, contents: Sequence[bytes] = ()
) -> list[str]:
    """Keep accepted versions without checking them; gives their labels."""
    labels = []
    for i, name in enumerate(names):
        content = contents[i] if contents else source(name)
        with db.begin() as tx:
            bot = tx.bots.claim_name(name, account.id, now=now)
            new = NewVersion(
                sha256=tx.files.put(content),
                kind="py",
                filename=f"{name}.py",
                entry="",
                size=len(content),
                state="accepted",
                created_at=now,
            )
            labels.append(tx.bots.add_version(bot.id, new).label)
    return labels


def installed_names() -> list[str]:
    """The bots that the installed plugins bring."""
    return [one.name for one in registry.installed()]
