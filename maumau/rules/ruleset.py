"""Rule sets as data: asked for by name or in full, merged, checked as a whole (docs/rules.md §2).

A rule set is a frozen value. No preset has code of its own: whatever plays by a rule set reads
`RuleSet.data`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from maumau.errors import Problem, RuleSetError
from maumau.rules import presets
from maumau.rules.problems import Report, joined, nearest, plain, shown
from maumau.rules.schema import RULE_SET
from maumau.rules.whole import check_whole

REQUEST_KEYS: Final = ("preset", "options", "overrides")
MOST_PROBLEMS: Final = 100


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A complete, valid rule set; made by `load_rules`, equal to any other with the same rules.

    `data` holds plain JSON values with every default filled in and must not be changed;
    `canonical` is the same as JSON bytes with sorted keys and no spaces, `id` their SHA-256 in
    hex. `name` is the preset and options it was asked for by, such as `straffpoang+pack-32`; empty
    for any other.
    """

    canonical: bytes
    data: dict[str, Any] = field(compare=False, repr=False)
    id: str = field(compare=False)
    name: str = field(compare=False, default="")

    @property
    def players(self) -> tuple[int, int]:
        """Give the fewest and the most seats."""
        fewest, most = self.data["players"]
        return fewest, most


def load_rules(spec: str | Mapping[str, Any] | RuleSet) -> RuleSet:
    """Make the rule set that was asked for.

    `spec` is a preset's name (with options: `"straffpoang+pack-32"`), a request
    `{"preset", "options", "overrides"}`, a rule set that states what differs from the defaults, or
    a `RuleSet`, which is given back. Raises `RuleSetError` with every problem and its path.
    """
    if isinstance(spec, RuleSet):
        return spec
    report = Report()
    if isinstance(spec, str):
        name, *options = spec.split("+")
        request: dict[str, Any] = {"preset": name, "options": options}
    elif isinstance(spec, Mapping):
        request = plain(spec, "", report)
    else:
        message = "must be a preset's name, a request with a preset, or a rule set"
        raise RuleSetError([Problem("", f"{message}, not {shown(spec)}")])
    _raise_if_any(report)
    if not any(key in request for key in REQUEST_KEYS):
        return _checked(request, "")
    merged, label = _merged(request, report)
    _raise_if_any(report)
    return _checked(merged, "" if request.get("overrides") else label)


def merge_patch(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch (RFC 7396) to a value and give the result; both stay as they are."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge_patch(result.get(key), value)
    return result


def _merged(request: Mapping[str, Any], report: Report) -> tuple[dict[str, Any], str]:
    """Apply a request's options and overrides to its preset; give the rules and their name."""
    for key in request:
        if key not in REQUEST_KEYS:
            hint = nearest(key, REQUEST_KEYS)
            message = f"is not a key of a request ({', '.join(REQUEST_KEYS)}){hint}"
            report.add(joined("", key), message)
    name, options = request.get("preset"), request.get("options")
    overrides = request.get("overrides")
    options = [] if options is None else options
    overrides = {} if overrides is None else overrides
    rules: dict[str, Any] = {}
    if name is None:
        report.add("preset", "is missing; give a preset's name, or a whole rule set")
    elif not isinstance(name, str) or presets.find(name) is None:
        report.add("preset", _unknown("preset", name, presets.preset_names()))
    else:
        rules = dict(presets.preset_info(name).rules)
    if not isinstance(options, list):
        report.add("options", f"must be a list of option names, not {shown(options)}")
        options = []
    for i, option in enumerate(options):
        if not isinstance(option, str) or option not in presets.option_names():
            report.add(joined("options", i), _unknown("option", option, presets.option_names()))
        else:
            rules = merge_patch(rules, presets.option_info(option).patch)
    if not isinstance(overrides, dict):
        report.add("overrides", f"must be an object, not {shown(overrides)}")
        overrides = {}
    return merge_patch(rules, overrides), "+".join([str(name), *map(str, options)])


def preset_of(rules: RuleSet) -> str:
    """Give the preset, with at most one option, that a rule set is; "" where it is none."""
    return _names(tuple(presets.preset_names()), tuple(presets.option_names())).get(rules.id, "")


@cache
def _names(known: tuple[str, ...], options: tuple[str, ...]) -> Mapping[str, str]:
    """Give the presets, plain and with each option that goes with them, by their rules' ids."""
    found: dict[str, str] = {}
    for asked in (*known, *(f"{name}+{option}" for name in known for option in options)):
        try:
            found.setdefault(load_rules(asked).id, asked)
        except RuleSetError:  # this option does not go with this preset
            continue
    return found


def _unknown(kind: str, name: object, known: list[str]) -> str:
    hint = nearest(name, known)
    return f"there is no {kind} {shown(name)}{hint} (there are {', '.join(known)})"


def _checked(rules: dict[str, Any], name: str) -> RuleSet:
    """Fill in the defaults and check the whole; paths are those of the merged rule set."""
    report = Report()
    data = RULE_SET(rules, "", report)
    if not report.problems:
        check_whole(data, report)
    _raise_if_any(report)
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    # Parsed back, so that the value shares no list with a default, a preset or the caller.
    fresh = json.loads(json.dumps(data))
    return RuleSet(canonical, fresh, hashlib.sha256(canonical).hexdigest(), name)


def _raise_if_any(report: Report) -> None:
    problems = report.problems
    if not problems:
        return
    if len(problems) > MOST_PROBLEMS:
        more = Problem("", f"and {len(problems) - MOST_PROBLEMS} more problems")
        problems = [*problems[:MOST_PROBLEMS], more]
    raise RuleSetError(problems)
