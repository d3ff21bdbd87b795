"""Actions as indices into one table of texts, the same for every rule set (docs/rules.md §1).

A play's index is ``10 * card + form``: the form says whether it carries the call and a wish.
Ascending indices are sorted texts.
"""

from __future__ import annotations

from typing import Final

from maumau.rules.cards import CARDS, SUITS

FORMS: Final = ["", "!"] + [f"={suit}{call}" for suit in SUITS for call in ("", "!")]
"""What follows the card in the text of a play, by form."""

FORM_COUNT: Final = 10
"""Forms of a play; form // 2 is the wish (0 none, else 1 + suit), form % 2 the call."""

CATCH: Final = 540
DRAW: Final = 541
PASS: Final = 542

ACTIONS: Final = [card + form for card in CARDS for form in FORMS] + ["catch", "draw", "pass"]
"""The text of every action that any rule set knows, sorted."""

ACTION_NUMBER: Final = {text: number for number, text in enumerate(ACTIONS)}
