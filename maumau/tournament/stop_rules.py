"""Stop rules as data: when a tournament may end before its last block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from maumau.errors import InvalidInput, Problem
from maumau.tournament.sprt import Sprt

Kind = Literal["blocks", "separated", "half_width", "better"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "blocks": (),
    "separated": (),
    "half_width": ("half_width",),
    "better": ("new", "old", "better", "worse", "alpha", "beta"),
}
"""What goes with each kind."""

TESTED = ("better", "worse", "alpha", "beta")

LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a tournament may end before its last block.

    `blocks`: never. `separated`: when no two entrants are left unseparated. `half_width`: when
    every share is known to within `half_width`. `better`: when the sequential test `test` has
    decided whether the entrant `new` is better than `old`, each named `name@version` or, for the
    youngest version of it that is entered, `name`. Raises `InvalidInput`.
    """

    kind: Kind = "blocks"
    half_width: float | None = None
    new: str | None = None
    old: str | None = None
    test: Sprt | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InvalidInput(
                [Problem("kind", f"{self.kind!r}; give {', '.join(map(repr, get_args(Kind)))}")]
            )
        wanted = self.kind == "half_width"
        if wanted and not (self.half_width is not None and 0 < self.half_width < 0.5):
            raise InvalidInput([Problem("half_width", "give a share above 0 and below 0.5")])
        if not wanted and self.half_width is not None:
            raise InvalidInput([Problem("half_width", 'goes only with kind "half_width"')])
        if self.kind == "better":
            problems = [
                Problem(key, "name an entrant, like easy@2")
                for key in ("new", "old")
                if not getattr(self, key)
            ]
            if problems:
                raise InvalidInput(problems)
            if self.test is None:
                object.__setattr__(self, "test", Sprt())
        elif (self.new, self.old, self.test) != (None, None, None):
            raise InvalidInput([Problem("new", 'goes only with kind "better"')])

    @property
    def repeated(self) -> bool:
        """Whether the tournament is looked at again and again: its intervals must allow for it."""
        return self.kind != "blocks"

    def pair(self, labels: Sequence[str]) -> tuple[int, int] | None:
        """Give the numbers of `new` and `old` among the entrants' labels; None for other kinds.

        Raises `InvalidInput` where they are not two entrants.
        """
        if self.kind != "better":
            return None
        names = {"new": str(self.new), "old": str(self.old)}
        found = {key: _entrant(name, labels) for key, name in names.items()}
        known = ", ".join(labels)
        problems = [
            Problem(key, f"{names[key][:60]!r} is not an entrant; these are: {known}")
            for key, number in found.items()
            if number is None
        ]
        if not problems and found["new"] == found["old"]:
            problems = [Problem("old", "must be another entrant than `new`")]
        new, old = found["new"], found["old"]
        if problems or new is None or old is None:
            raise InvalidInput(problems)
        return new, old

    def to_dict(self) -> dict[str, Any]:
        """Give plain JSON values."""
        given = {"half_width": self.half_width, "new": self.new, "old": self.old}
        more = asdict(self.test) if self.test is not None else {}
        return {
            "kind": self.kind,
            **{key: value for key, value in given.items() if value is not None},
            **more,
        }


def _entrant(name: str, labels: Sequence[str]) -> int | None:
    """Find `name@version`, or the youngest version of `name` that is there."""
    if name in labels:
        return labels.index(name)
    versions = {
        int(number): place
        for place, (bot, _, number) in enumerate(label.rpartition("@") for label in labels)
        if bot == name
    }
    return versions[max(versions)] if versions else None


def load_stop_rule(value: object) -> StopRule:
    """Read a stop rule: None for playing all blocks, or an object with `kind` and its `KEYS`.

    Raises `InvalidInput` with the path of each wrong value.
    """
    if value is None:
        return StopRule()
    if not isinstance(value, Mapping) or "kind" not in value:
        raise InvalidInput(
            [Problem("", 'must be null, {"kind": "separated"} or the like (docs/standings.md)')]
        )
    known = {"kind"}.union(*KEYS.values())
    unknown = [Problem(str(key)[:60], "is not known here") for key in value if key not in known]
    if unknown:
        raise InvalidInput(unknown)
    kind = cast(Kind, value["kind"])
    if not isinstance(kind, str) or kind not in KEYS:
        return StopRule(kind)
    foreign = [key for key in value if key not in ("kind", *KEYS[kind])]
    problems = [Problem(key, f'does not go with kind "{kind}"') for key in foreign]
    problems += [
        Problem(key, HOW[key]) for key in KEYS[kind] if key in value and not _fits(key, value[key])
    ]
    if problems:
        raise InvalidInput(problems)
    test = Sprt(**{key: value[key] for key in TESTED if key in value}) if kind == "better" else None
    return StopRule(kind, value.get("half_width"), value.get("new"), value.get("old"), test)


def _fits(key: str, value: object) -> bool:
    if key in ("new", "old"):
        return isinstance(value, str) and len(value) <= LONGEST_LABEL
    return isinstance(value, int | float) and not isinstance(value, bool)


HOW: Mapping[str, str] = {
    "half_width": "give a share above 0 and below 0.5",
    "new": "name an entrant, like easy@2",
    "old": "name an entrant, like easy@2",
    "better": "give 0 < worse < better < 1",
    "worse": "give 0 < worse < better < 1",
    "alpha": "give a chance above 0 and below 0.5",
    "beta": "give a chance above 0 and below 0.5",
}
