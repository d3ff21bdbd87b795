"""What happened in a deal, action by action, as one seat may see it (docs/rules.md §1).

A deal's log holds an event as one integer, its code; so does the wire, followed by the cards drawn
where the seat that is told drew them itself.
"""

from __future__ import annotations

from typing import Final, NamedTuple

# An event is one integer: the action in 10 bits, then 6 bits each for the seat, the seat that drew
# and how many cards, then one for a reshuffle.
EVENT_SEAT: Final = 1 << 10
EVENT_DRAWER: Final = 1 << 16
EVENT_DRAWN: Final = 1 << 22
EVENT_RESHUFFLE: Final = 1 << 28


class Event(NamedTuple):
    """One action of a deal, as one seat saw it.

    `drawn` cards were taken because of it by seat `drawn_by` (None where none were), the stock
    having been reshuffled before or meanwhile if `reshuffled`. `cards` are the drawn cards where
    the observer drew them, else empty.
    """

    seat: int
    action: str
    drawn: int
    drawn_by: int | None
    reshuffled: bool
    cards: tuple[str, ...]
