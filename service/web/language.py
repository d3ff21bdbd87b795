"""In which language a page speaks, and its texts: data in `words/`, three languages side by side.

Each text is a list in the order of `LANGUAGES`. `{name}` is a place for a value; a text with `||`
has two forms, the first for one thing, the second for any other number `n` of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from flask import Response, g, request

LANGUAGES: Final = ("en", "de", "sv")
NAMES: Final = {"en": "English", "de": "Deutsch", "sv": "Svenska"}
FACES: Final = ("french", "german")
YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Reader:
    """What the person who looks wants: a language, and French or German card faces."""

    language: str
    faces: str


@cache
def catalogue() -> Mapping[str, list[str]]:
    """Give all texts by key; each a list in the order of `LANGUAGES`."""
    texts: dict[str, list[str]] = {}
    for page in sorted(files("service.web").joinpath("words").iterdir(), key=lambda p: p.name):
        if page.name.endswith(".json"):
            texts.update(json.loads(page.read_text("utf-8")))
    return texts


class Words:
    """The texts of one language."""

    def __init__(self, language: str):
        self.language = language
        self._place = LANGUAGES.index(language)

    def __call__(self, key: str, **values: object) -> str:
        """Give the text of `key` with its values filled in; plain text, to be escaped as any."""
        text = catalogue()[key][self._place]
        if "||" in text:
            one, other = text.split("||")
            text = one if values.get("n") == 1 else other
        return text.format(**values) if values else text

    def has(self, key: str) -> bool:
        """Tell whether there is such a text."""
        return key in catalogue()

    def number(self, value: float, digits: int = 0) -> str:
        """Write a number as the language does."""
        text = f"{value:,.{digits}f}"
        if self.language == "en":
            return text
        group = "." if self.language == "de" else "\u00a0"
        return text.replace(",", "\0").replace(".", ",").replace("\0", group)

    def percent(self, share: float, digits: int = 1) -> str:
        """Write a share of 0 to 1 in percent."""
        return f"{self.number(100 * share, digits)}\u00a0%"


def reader() -> Reader:
    """Give what this request's reader wants: what was chosen before, else the browser's wish."""
    if "reader" not in g:
        language = request.cookies.get("language", "")
        if language not in LANGUAGES:
            language = request.accept_languages.best_match(LANGUAGES, "en") or "en"
        faces = request.cookies.get("faces", "")
        g.reader = Reader(language, faces if faces in FACES else "french")
    found: Reader = g.reader
    return found


def words() -> Words:
    """Give the texts in this request's language."""
    if "words" not in g:
        g.words = Words(reader().language)
    found: Words = g.words
    return found


def keep_choice(response: Response, name: str, value: str) -> None:
    """Let the browser remember a choice."""
    response.set_cookie(
        name, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )
