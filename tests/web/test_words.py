"""The texts of the pages: none is missing in a language, none is left over."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from service import web
from service.web.language import LANGUAGES, Words, catalogue

HERE = Path(web.__file__).parent
USED = re.compile(r"""\b(?:t|words\(\))\(\s*["']([a-z0-9_.]+)["']\s*(\+|~)?""")
PREFIXES = re.compile(r"""["']([a-z0-9_.]+\.)["']\s*(?:\+|~)|f["']([a-z0-9_.]+\.)\{""")


def sources() -> str:
    pages = [*HERE.rglob("*.html"), *HERE.rglob("*.py"), *HERE.parent.joinpath("api").glob("*.py")]
    return "\n".join(page.read_text("utf-8") for page in pages)


@pytest.mark.parametrize("key", catalogue())
def test_a_text_is_there_in_each_language_with_the_same_places(key: str) -> None:
    texts = catalogue()[key]
    assert len(texts) == len(LANGUAGES)
    assert all(isinstance(text, str) and text.strip() for text in texts)
    places = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in texts]
    assert places[0] == places[1] == places[2]
    assert len({text.count("||") for text in texts}) == 1


def test_each_text_that_a_page_uses_is_there() -> None:
    used = {key for key, more in USED.findall(sources()) if not more}
    assert used - set(catalogue()) == set()


def test_no_text_is_left_over() -> None:
    text = sources()
    named = set(re.findall(r"""["']([a-z0-9_]+(?:\.[a-z0-9_]+)*)["']""", text))
    begun = {a or b for a, b in PREFIXES.findall(text)}
    left = {
        key
        for key in catalogue()
        if key not in named and not any(key.startswith(prefix) for prefix in begun)
    }
    assert left == set()


def test_numbers_are_written_as_the_language_does() -> None:
    assert Words("en").number(1234567.5, 1) == "1,234,567.5"
    assert Words("de").number(1234567.5, 1) == "1.234.567,5"
    assert Words("sv").number(1234567.5, 1) == "1\u00a0234\u00a0567,5"
    assert Words("de").percent(0.5123) == "51,2\u00a0%"


def test_one_thing_and_several_have_their_own_forms() -> None:
    assert Words("en")("standings.as_of", n=1, moment="M") == "As of M, from one seed."
    assert Words("sv")("standings.as_of", n=3, moment="M") == "Läget M, från 3 frön."
