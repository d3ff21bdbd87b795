"""Whatever is wrong in a request is told with what it must be, in no library's bare words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import marshmallow as ma
import pytest
from flask import Flask
from marshmallow import fields, validate

from service import api
from service.mending import mending
from tests.service.conftest import House


def library_messages() -> set[str]:
    """Every message that the library has of its own, of fields, schemas and validators."""
    found: set[str] = set()
    kinds: list[type[Any]] = [ma.Schema]
    for kind in kinds + [kind for kind in vars(fields).values() if isinstance(kind, type)]:
        for one in kind.__mro__:
            for name in ("default_error_messages", "_default_error_messages"):
                found |= {str(text) for text in vars(one).get(name, {}).values()}
    for kind in vars(validate).values():
        if isinstance(kind, type):
            for name, text in vars(kind).items():
                if isinstance(text, str) and (name == "default_message" or "message" in name):
                    found.add(text)
    return found


# Each with anything where the library puts a value.
PLACE = re.compile(r"(\\\{)+\w+(\\\})+")
BARE = [re.compile(PLACE.sub(".*", re.escape(text)) + r"\Z") for text in library_messages()]


def is_bare(message: str) -> bool:
    return any(pattern.match(message) for pattern in BARE)


@pytest.mark.parametrize(
    "message",
    [
        "Unknown field.",
        "Missing data for required field.",
        "Not a valid integer.",
        "Must be greater than or equal to 1 and less than or equal to 200.",
        "Length must be between 1 and 500.",
    ],
)
def test_the_librarys_own_words_are_recognised(message: str) -> None:
    assert is_bare(message)


def asked() -> Iterator[tuple[str, ma.Schema]]:
    """Every schema that reads a request, by the route that it reads for."""
    for blueprint in api.blueprints():
        for rule, docs in blueprint._docs.items():
            for method, doc in docs.items():
                for parameter in ((doc or {}).get("arguments") or {}).get("parameters", ()):
                    yield f"{method} {rule}", parameter["schema"]


ASKED = list(asked())
# One of each kind that a JSON body or a query can hold.
WRONG: tuple[Any, ...] = (
    *(None, "", "x", "x" * 5000, -1, 10**9, 1.5, True, [], [None], [1], {}, {"a": 1}),
)


def messages(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for inner in found.values():
            yield from messages(inner)
    elif isinstance(found, list):
        for inner in found:
            yield from messages(inner)
    else:
        yield str(found)


def told(schema: ma.Schema, data: Any) -> list[str]:
    try:
        schema.load(data, unknown=ma.RAISE)
    except ma.ValidationError as error:
        return list(messages(error.messages))
    return []


def test_there_are_schemas_to_walk() -> None:
    assert len(ASKED) >= 15


@pytest.mark.parametrize(("route", "schema"), ASKED, ids=[route for route, _ in ASKED])
def test_every_wrong_value_is_told_with_what_it_must_be(route: str, schema: ma.Schema) -> None:
    names = [field.data_key or name for name, field in schema.load_fields.items()]
    seen = told(schema, {}) + told(schema, []) + told(schema, "x") + told(schema, {"odd": 1})
    seen += [text for name in names for value in WRONG for text in told(schema, {name: value})]
    assert seen
    for text in seen:
        assert not is_bare(text), text
        assert re.search(r"must be |is not known here; known are |must ", text), text
    (unknown,) = [text for text in told(schema, {"odd": 1}) if "not known" in text] or [""]
    assert all(name in unknown for name in names) or schema.unknown == ma.INCLUDE


def test_the_range_the_choices_and_the_type_are_told() -> None:
    class Wanted(ma.Schema):
        number = fields.Integer(required=True, validate=validate.Range(1, 200))
        name = fields.String(validate=validate.Length(1, 40))
        choice = fields.String(validate=validate.OneOf(("a", "b")))
        several = fields.List(fields.Integer(), metadata={"description": "Some {numbers}."})
        inner = fields.Nested(ma.Schema.from_dict({"x": fields.Boolean(required=True)}))

    schema = mending(Wanted())
    wrong = {"number": 0, "name": "", "choice": "c", "several": ["x"], "inner": {"y": 1}}
    with pytest.raises(ma.ValidationError) as caught:
        schema.load({**wrong, "more": 1})
    assert caught.value.messages == {
        "number": ["must be a whole number from 1 to 200"],
        "name": ["must be a text of 1 to 40 characters"],
        "choice": ["must be one of a, b"],
        "several": {0: ["must be a whole number"]},
        "inner": {
            "x": ["is missing: it must be true or false"],
            "y": ["is not known here; known are x"],
        },
        "more": ["is not known here; known are choice, inner, name, number, several"],
    }
    with pytest.raises(ma.ValidationError) as caught:
        schema.load({})
    assert caught.value.messages == {
        "number": ["is missing: it must be a whole number from 1 to 200"]
    }


def test_the_words_reach_the_answer(house: House, app: Flask) -> None:
    client = app.test_client()
    answer = client.get("/api/v1/bots?limit=0&wrong=1")
    assert answer.status_code == 422
    assert answer.get_json()["errors"] == [
        {"path": "limit", "message": "must be a whole number from 1 to 200"},
        {"path": "wrong", "message": "is not known here; known are cursor, limit, owner, sort"},
    ]
