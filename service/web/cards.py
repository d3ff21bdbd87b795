"""Card faces, drawn here: French and German suits as one SVG sprite each, a symbol a card.

A page shows a card by `<use href="…#7h">`; the letters of the indices follow the language. In the
German pack the Ober carries its suit above, the Unter below.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from maumau.rules.cards import CARDS

RED, BLACK, INK = "#b3261e", "#1f2420", "#2b2a26"

FRENCH: Final = {
    "c": (
        BLACK,
        "M0-10a4.6 4.6 0 0 1 3.5 7.6A4.6 4.6 0 1 1 1.2 4.6L3.4 10h-6.8l2.2-5.4A4.6 4.6 0 1 1"
        "-3.5-2.4 4.6 4.6 0 0 1 0-10Z",
    ),
    "d": (RED, "M0-10 7.6 0 0 10-7.6 0Z"),
    "h": (RED, "M0 9.5C-8 3.5-10 0-10-4A5 5 0 0 1 0-5.6 5 5 0 0 1 10-4C10 0 8 3.5 0 9.5Z"),
    "s": (
        BLACK,
        "M0-10C-7-4-10-1-10 2.6A4.8 4.8 0 0 0-1.3 5.4L-3.4 10h6.8L1.3 5.4A4.8 4.8 0 0 0 10 2.6"
        "C10-1 7-4 0-10Z",
    ),
}
GERMAN_INK: Final = {"c": "#6b4a1f", "d": "#8a5a00", "h": RED, "s": "#2c6b2f"}

LETTERS: Final = {
    ("french", "en"): {"T": "10"},
    ("french", "de"): {"T": "10", "J": "B", "Q": "D"},
    ("french", "sv"): {"T": "10", "J": "Kn", "Q": "D", "A": "E"},
    ("german", "en"): {"T": "10", "J": "U", "Q": "O"},
    ("german", "de"): {"T": "10", "J": "U", "Q": "O"},
    ("german", "sv"): {"T": "10", "J": "U", "Q": "Ö", "A": "E"},
}

LEFT, MIDDLE, RIGHT = 36, 50, 64
PIPS: Final = {
    "2": ((MIDDLE, 46), (MIDDLE, 104)),
    "3": ((MIDDLE, 42), (MIDDLE, 75), (MIDDLE, 108)),
    "4": ((LEFT, 46), (RIGHT, 46), (LEFT, 104), (RIGHT, 104)),
    "5": ((LEFT, 44), (RIGHT, 44), (MIDDLE, 75), (LEFT, 106), (RIGHT, 106)),
    "6": tuple((x, y) for y in (44, 75, 106) for x in (LEFT, RIGHT)),
    "7": (*((x, y) for y in (42, 75, 108) for x in (LEFT, RIGHT)), (MIDDLE, 58)),
    "8": (*((x, y) for y in (42, 75, 108) for x in (LEFT, RIGHT)), (MIDDLE, 58), (MIDDLE, 92)),
    "9": (*((x, y) for y in (38, 63, 87, 112) for x in (LEFT, RIGHT)), (MIDDLE, 75)),
    "T": (
        *((x, y) for y in (38, 63, 87, 112) for x in (LEFT, RIGHT)),
        (MIDDLE, 50),
        (MIDDLE, 100),
    ),
}

CROWN = "M-17 10-20-9l10 8L0-14 10-1l10-8-3 19Z"
TIARA = "M-16 9c-3-8-2-13 0-17 3 5 6 6 8 6 3-4 5-8 8-10 3 2 5 6 8 10 2 0 5-1 8-6 2 4 3 9 0 17Z"
CAP = "M-17 9c0-12 7-18 17-18 9 0 15 7 17 18ZM9-7c3-6 8-9 14-9-1 6-5 10-11 12Z"
HATS: Final = {"J": CAP, "Q": TIARA, "K": CROWN}
GOLD = "#c99a2e"


def suit_sign(faces: str, suit: str) -> str:
    """Draw a suit's sign, 20 high and wide around the origin."""
    if faces == "french" or suit == "h":
        colour, path = FRENCH[suit]
        return f'<path fill="{colour}" d="{path}"/>'
    if suit == "c":  # the acorn
        return (
            '<path fill="none" stroke="#4d5a1e" stroke-width="1.8" stroke-linecap="round" '
            'd="M0-5V-9.6"/>'
            '<path fill="#a87a3b" d="M-6.4-1C-6.4 5-3 9 0 10.2 3 9 6.4 5 6.4-1Z"/>'
            '<path fill="#5f6e25" d="M-8-.6C-8-5-4.5-7.4 0-7.4S8-5 8-.6Z"/>'
        )
    if suit == "d":  # the bell
        return (
            '<circle r="8.6" fill="#e0a526" stroke="#8a5a00" stroke-width="1.2"/>'
            '<path fill="none" stroke="#8a5a00" stroke-width="1.6" d="M-8.4-1.6H8.4M-8.4 1.6H8.4"/>'
            '<path fill="none" stroke="#5d3c00" stroke-width="1.8" stroke-linecap="round" '
            'd="M0 4v3.4M-2.4 4.2h4.8"/><circle cy="-9" r="1.6" fill="#8a5a00"/>'
        )
    return (  # the leaf
        '<path fill="#3c8a3f" d="M0-10C6-6.5 9-2.5 8.4 2.5 5 2.2 2.4 3.2.9 5.6L1.6 10h-3.2l.7-4.4'
        'C-2.4 3.2-5 2.2-8.4 2.5-9-2.5-6-6.5 0-10Z"/>'
        '<path fill="none" stroke="#205423" stroke-width="1" d="M0-6V5M0 0l4-3M0 0l-4-3"/>'
    )


def at(x: float, y: float, scale: float, drawing: str) -> str:
    """Put a drawing at a place."""
    return f'<g transform="translate({x} {y}) scale({scale})">{drawing}</g>'


def card_symbol(card: str, faces: str, language: str) -> str:
    """Draw one card as a symbol of 100 by 150."""
    rank, suit = card[0], card[1]
    body = (
        '<rect x="1" y="1" width="98" height="148" rx="9" fill="#fffdf6" stroke="#b9b2a2" '
        'stroke-width="1.5"/>'
    )
    if rank == "X":
        body += _joker(suit)
    else:
        body += _suited(rank, suit, faces, language)
    return f'<symbol id="{card}" viewBox="0 0 100 150">{body}</symbol>'


def _suited(rank: str, suit: str, faces: str, language: str) -> str:
    letter = LETTERS[faces, language].get(rank, rank)
    ink = GERMAN_INK[suit] if faces == "german" else FRENCH[suit][0]
    sign = suit_sign(faces, suit)
    squeeze = ' textLength="27" lengthAdjust="spacingAndGlyphs"' if len(letter) > 1 else ""
    index = (
        f'<text x="17" y="30" text-anchor="middle" font-family="Georgia,\'Times New Roman\',serif" '
        f'font-size="31" font-weight="700" fill="{ink}"{squeeze}>{letter}</text>'
        + at(17, 45, 1.05, sign)
    )
    turned = f'<g transform="rotate(180 50 75)">{index}</g>'
    return index + turned + _middle(rank, suit, faces, sign, letter, ink)


def _middle(rank: str, suit: str, faces: str, sign: str, letter: str, ink: str) -> str:
    if rank in PIPS:
        return "".join(at(x, y, 0.9, sign) for x, y in PIPS[rank])
    if rank == "A":
        return at(50, 75, 2.7, sign)
    hat = at(50, 60, 1, f'<path fill="{GOLD}" stroke="{INK}" stroke-width="1.4" d="{HATS[rank]}"/>')
    frame = (
        f'<rect x="31" y="33" width="38" height="84" rx="6" fill="none" stroke="{ink}" '
        'stroke-width="1.2"/>'
    )
    # In the German pack the Ober has its suit above, the Unter below.
    place = 48 if faces == "german" and rank == "Q" else 100
    if place == 48:
        hat = at(50, 84, 1, f'<path fill="{GOLD}" stroke="{INK}" stroke-width="1.4" d="{CROWN}"/>')
    return frame + hat + at(50, place, 1.5, sign)


def _joker(number: str) -> str:
    ink = RED if number == "1" else BLACK
    star = "M0-30 7-10 29-9 12 4 18 26 0 13-18 26-12 4-29-9-7-10Z"
    letter = (
        f'<text x="17" y="32" text-anchor="middle" font-family="Georgia,\'Times New Roman\',serif" '
        f'font-size="31" font-weight="700" fill="{ink}">X</text>'
    )
    return (
        letter
        + f'<g transform="rotate(180 50 75)">{letter}</g>'
        + at(50, 77, 1, f'<path fill="{GOLD}" stroke="{ink}" stroke-width="2" d="{star}"/>')
    )


def back_symbol() -> str:
    """Draw the back that all cards share."""
    lines = "".join(f"M{x} 9 {x + 141} 150M{x + 141} 9 {x} 150" for x in range(-141, 100, 14))
    return (
        '<symbol id="back" viewBox="0 0 100 150"><rect x="1" y="1" width="98" height="148" rx="9" '
        'fill="#fffdf6" stroke="#b9b2a2" stroke-width="1.5"/><svg x="8" y="8" width="84" '
        'height="134"><rect width="84" height="134" rx="5" fill="#7b2b2b"/>'
        f'<path fill="none" stroke="#c98d7a" stroke-width="1.1" d="{lines}"/></svg></symbol>'
    )


@cache
def sprite(faces: str, language: str) -> str:
    """Give the SVG with a symbol for every card, its back, and every suit's sign."""
    signs = "".join(
        f'<symbol id="suit-{suit}" viewBox="-11 -11 22 22">{suit_sign(faces, suit)}</symbol>'
        for suit in "cdhs"
    )
    cards = "".join(card_symbol(card, faces, language) for card in CARDS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{back_symbol()}{signs}{cards}</svg>'
