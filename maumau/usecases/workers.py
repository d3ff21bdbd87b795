"""What workers say of themselves while they live, and what follows from it for uploads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from maumau.errors import Unavailable
from maumau.settings import Uploads
from maumau.storage import Database, Transaction
from maumau.storage.values import WorkerSign
from maumau.usecases.clock import Clock

EVERY_SECONDS = 15.0
"""How often a worker shows a sign of life."""

ALIVE = timedelta(seconds=60)
"""A worker whose last sign is older is taken to be gone."""


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers that live, and why uploaded bots cannot run on any of them ("" if they can).

    Where no worker lives nothing is known against uploads: they wait.
    """

    alive: int
    no_cage: str


def show(db: Database, clock: Clock, name: str, *, cages: bool, reason: str) -> None:
    """Keep a worker's sign of life, with what its probe of the sandbox found."""
    with db.begin() as tx:
        tx.workers.show(WorkerSign(name, clock(), cages, reason))


def leave(db: Database, name: str) -> None:
    """Forget a worker that ends."""
    with db.begin() as tx:
        tx.workers.forget(name)


def forget_dead(db: Database, clock: Clock, is_dead: Callable[[str], bool]) -> None:
    """Forget workers that are known to be dead, and those long silent."""
    with db.read() as tx:
        dead = [name for name in tx.workers.names() if is_dead(name)]
        silent = len(tx.workers.names()) > len(tx.workers.seen(clock() - 10 * ALIVE))
    if dead or silent:
        with db.begin() as tx:
            for name in dead:
                tx.workers.forget(name)
            tx.workers.forget_before(clock() - 10 * ALIVE)


def living(db: Database, clock: Clock) -> list[str]:
    """Give the names of the workers that live."""
    with db.read() as tx:
        return [sign.name for sign in tx.workers.seen(clock() - ALIVE)]


def crew(db: Database, clock: Clock) -> Crew:
    """Say which workers live and whether one of them has a cage that holds."""
    with db.read() as tx:
        return crew_in(tx, clock)


def crew_in(tx: Transaction, clock: Clock) -> Crew:
    """Say the same within a transaction."""
    signs = tx.workers.seen(clock() - ALIVE)
    if not signs or any(sign.cages for sign in signs):
        return Crew(len(signs), "")
    return Crew(len(signs), "; ".join(sorted({sign.cage_reason for sign in signs})))


def accepting(tx: Transaction, clock: Clock, uploads: Uploads) -> None:
    """Raise `Unavailable` where uploaded bots cannot be run: `uploads_off`, `sandbox_unavailable`.

    Fail closed: where every live worker says that its sandbox does not hold, nothing is taken.
    """
    if uploads == "off":
        raise Unavailable("uploads_off", "this server takes no uploaded bots (MAUMAU_UPLOADS=off)")
    if uploads == "sandbox" and (reason := crew_in(tx, clock).no_cage):
        raise Unavailable(
            "sandbox_unavailable",
            f"no worker of this server can run uploaded bots safely: {reason}",
        )
