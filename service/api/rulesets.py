"""`/rulesets`: presets and rule sets of one's own, whole; and what a merge would give."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from maumau.usecases import read, rule_sets
from service.api.common import NEXT_LINK, Moment, PageQuery, Resource, Strict, page, page_schema
from service.auth import API, caller
from service.context import arena
from service.once import Keep, Reply, once

blueprint = Resource("rulesets", "Rule sets as data: presets, one's own, and merges of them.")


class RuleSetOut(Strict):
    """A rule set; its id is the SHA-256 of its canonical JSON."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(
        required=True,
        metadata={"description": "The preset (and options) it was asked for by, or empty."},
    )
    title = ma.fields.String(required=True, metadata={"description": "Of a preset, or empty."})
    preset = ma.fields.Boolean(required=True, metadata={"description": "It ships with a name."})
    owner = ma.fields.String(required=True, allow_none=True)
    created_at = Moment(required=True, allow_none=True)


class WholeRuleSet(RuleSetOut):
    """A rule set with all its values, the defaults filled in."""

    rules = ma.fields.Dict(keys=ma.fields.String(), required=True)


class MergedRuleSet(Strict):
    """What a request gives: the whole rule set, and the id it would have."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    rules = ma.fields.Dict(keys=ma.fields.String(), required=True, attribute="data")


class RuleSetIn(ma.Schema):
    """A preset with options and overrides, or else a rule set that says what is not the default.

    The meaning of every key is docs/rules.md §2; the rules are checked as a whole.
    """

    class Meta:
        """The keys of a rule set itself are checked by the rules, with their paths."""

        unknown = ma.INCLUDE

    preset = ma.fields.Raw(metadata={"type": "string", "description": "A preset's name."})
    options = ma.fields.Raw(
        metadata={"type": "array", "items": {"type": "string"}, "description": "In this order."}
    )
    overrides = ma.fields.Raw(
        metadata={"type": "object", "description": "A JSON merge patch (RFC 7396), applied last."}
    )


@blueprint.get("/rulesets")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, page_schema(RuleSetOut), headers=NEXT_LINK)
def list_rulesets(query: dict[str, Any]) -> Any:
    """List the presets, then the rule sets that were created, the youngest first."""
    return page(read.all_rules(arena().db, **query))


@blueprint.post("/rulesets")
@blueprint.arguments(RuleSetIn)
@blueprint.response(201, WholeRuleSet)
def create_ruleset(spec: dict[str, Any]) -> Response:
    """Keep a rule set, so that it can be named by its id; the same rules have the same id."""

    def create(keep: Keep[read.RuleSetView]) -> read.RuleSetView:
        return rule_sets.create(arena().db, arena().clock, caller(), spec, keep=keep)

    return once(spec, create, _created).answer


def _created(kept: read.RuleSetView) -> Reply:
    shown = WholeRuleSet().dump(read.shown_rules(kept))
    return Reply(201, shown, {"Location": f"{API}/rulesets/{kept.id}"})


@blueprint.post("/rulesets/preview")
@blueprint.arguments(RuleSetIn)
@blueprint.response(200, MergedRuleSet)
def preview(spec: dict[str, Any]) -> Any:
    """Show what a preset, options and overrides give together; nothing is kept."""
    return rule_sets.preview(spec)


@blueprint.get("/rulesets/<id>")
@blueprint.response(200, WholeRuleSet)
def show_ruleset(id: str) -> Any:
    """Show a rule set whole, by its id or a preset's name."""
    return read.named_rules(arena().db, id)
