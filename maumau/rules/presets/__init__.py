"""Rule sets and options that ship with a name: one JSON file per preset beside this module.

A file states only what differs from the defaults, and says where the rules come from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from maumau.errors import NotFound, Problem, RuleSetError
from maumau.rules.problems import nearest

NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set with its origin.

    `rules` states what differs from the defaults; `source` names the text it follows; `readings`
    are the paths whose values are our reading where the text is silent or unclear, each with its
    reason; everything else that the preset states, the text says.
    """

    name: str
    title: str
    description: str
    source: str
    rules: Mapping[str, Any]
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """A named change that can be made to every preset: a JSON merge patch."""

    name: str
    description: str
    patch: Mapping[str, Any]


Finder = Callable[[], Mapping[str, Mapping[str, Any]]]
_finders: list[Finder] = []


def add_finder(finder: Finder) -> None:
    """Let `finder` give more presets by name, each as the object that a preset file holds.

    It is called once, when a name is looked for that does not ship. A preset that ships keeps its
    name whatever a finder gives.
    """
    _finders.append(finder)
    _found.cache_clear()


def shipped_names() -> list[str]:
    """Give the names of the presets that ship."""
    return list(_shipped())


def preset_names() -> list[str]:
    """Give the names of all presets, those that ship first."""
    return [*_shipped(), *(name for name in _found() if name not in _shipped())]


def preset_info(name: str) -> Preset:
    """Give a preset by its name; raises `NotFound` with the nearest name."""
    preset = find(name)
    if preset is None:
        raise NotFound("preset", name, nearest(name, preset_names()).removeprefix("; "))
    return preset


def find(name: str) -> Preset | None:
    """Give a preset by its name, or None."""
    return _shipped().get(name) or _found().get(name)


def option_names() -> list[str]:
    """Give the names of all options."""
    return list(_options())


def option_info(name: str) -> Option:
    """Give an option by its name; raises `NotFound` with the nearest name."""
    option = _options().get(name)
    if option is None:
        raise NotFound("option", name, nearest(name, option_names()).removeprefix("; "))
    return option


def parse_preset(name: str, document: object) -> Preset:
    """Read the object of a preset file; raises `RuleSetError` where it is none."""
    if not isinstance(document, Mapping) or not isinstance(document.get("rules"), Mapping):
        message = 'must be an object with "rules", and "title", "description" and "source" as texts'
        raise RuleSetError([Problem(name, message)])
    texts = {key: str(document.get(key, "")) for key in ("title", "description", "source")}
    readings = document.get("readings", {})
    return Preset(
        name,
        texts["title"] or name,
        texts["description"],
        texts["source"],
        document["rules"],
        dict(readings) if isinstance(readings, Mapping) else {},
    )


@cache
def _shipped() -> dict[str, Preset]:
    pages = (page for page in files(__package__).iterdir() if page.name.endswith(".json"))
    named = sorted((page.name.removesuffix(".json"), page) for page in pages)
    return {name: parse_preset(name, json.loads(page.read_text("utf-8"))) for name, page in named}


@cache
def _found() -> dict[str, Preset]:
    return {
        name: parse_preset(name, document)
        for finder in _finders
        for name, document in finder().items()
    }


@cache
def _options() -> dict[str, Option]:
    documents = json.loads(files("maumau.rules").joinpath("options.json").read_text("utf-8"))
    return {name: Option(name, it["description"], it["patch"]) for name, it in documents.items()}
