"""Rule sets told in sentences; and rules of one's own, tried without being kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import render_template, request

from maumau.errors import InvalidInput, Problem
from maumau.rules.explain import Sentence, explain, topic_title
from maumau.rules.presets import find, preset_info, preset_names
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.usecases import read, rule_sets
from service.context import arena
from service.parsing import strict_json
from service.problems import HttpProblem
from service.web.language import reader
from service.web.site import pages

EXAMPLE = (
    '{"preset": "straffpoang",\n "options": ["pack-32"],\n "overrides": {"game": {"target": 150}}}'
)


@pages.get("/rules")
def rules_list() -> str:
    """List the presets and what was created here."""
    return _list_page(EXAMPLE)


@pages.post("/rules")
def try_rules() -> str:
    """Explain a rule set that somebody wrote down, or say what is wrong with it."""
    text = request.form.get("rules", "")
    try:
        spec = strict_json(text.encode("utf-8", "replace"))
        if not isinstance(spec, Mapping):
            raise InvalidInput([Problem("", "must be a JSON object")])
        rules = rule_sets.preview(spec)
    except InvalidInput as error:
        return _list_page(text, problems=error.problems)
    except HttpProblem as error:
        return _list_page(text, problems=[Problem("", str(error))])
    return _list_page(text, rules=rules)


@pages.get("/rules/<id>")
def rules_page(id: str) -> str:
    """Explain one rule set, by its id or a preset's name."""
    named = read.named_rules(arena().db, id)
    rules = load_rules(named.rules)
    name = named.name.split("+")[0]
    tournaments = read.tournaments(arena().db, limit=5, rule_set=named.id).items
    return render_template(
        "rules.html",
        named=named,
        preset=preset_info(name) if named.preset or find(name) else None,
        topics=topics(rules),
        data=pretty(rules.data),
        tournaments=tournaments,
        wish=named.name if named.preset else named.id,
    )


def _list_page(
    text: str, *, rules: RuleSet | None = None, problems: list[Problem] | None = None
) -> str:
    return render_template(
        "rules_list.html",
        presets=[preset_info(name) for name in preset_names()],
        stored=read.all_rules(arena().db, limit=200).items,
        text=text,
        tried=rules,
        topics=topics(rules) if rules else [],
        problems=problems,
    )


def topics(rules: RuleSet) -> list[tuple[str, list[Sentence]]]:
    """Give the sentences of a rule set below their headings, in the reader's language."""
    who = reader()
    found: dict[str, list[Sentence]] = {}
    for sentence in explain(rules, who.language, faces=who.faces):
        found.setdefault(topic_title(sentence.topic, who.language), []).append(sentence)
    return list(found.items())


def pretty(value: Any) -> str:
    """Write JSON for people."""
    return json.dumps(value, indent=2, ensure_ascii=False)
