"""What a request's schema says of a wrong value: what it must be, in place of "Not valid.".

Every schema that reads a request goes through here (`Resource.arguments`), so that no field has to
word its own messages: they are made from its type, its validators and what the docs say of it.
"""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask_smorest.fields import Upload
from marshmallow import fields, validate

from maumau.wording import counted, within

TYPES: tuple[tuple[type[fields.Field[Any]], str], ...] = (
    (Upload, "a file with a name, like `-F file=@my_bot.py`"),
    (fields.Integer, "a whole number"),
    (fields.Number, "a number"),
    (fields.Boolean, "true or false"),
    (fields.DateTime, "a moment as in RFC 3339, with a time zone: 2026-01-31T12:00:00Z"),
    (fields.String, "a text"),
    (fields.Dict, "an object"),
)
"""What a value of each type is called; a kind before what it derives from."""

JSON_TYPES = {"string": "a text", "object": "an object", "array": "a list", "integer": "a number"}


def mending(schema: ma.Schema) -> ma.Schema:
    """Give the schema with messages that tell how to mend a value."""
    known = sorted(field.data_key or name for name, field in schema.load_fields.items())
    told = f"is not known here; known are {', '.join(known)}"
    for key in schema.error_messages:
        schema.error_messages[key] = told if key == "unknown" else "must be an object"
    for field in schema.load_fields.values():
        _reword(field)
    return schema


def _reword(field: fields.Field[Any]) -> None:
    escaped = _escaped(_wanted(field))
    meaning = str(field.metadata.get("description", "")).rstrip(".")
    meant = _escaped(f" ({meaning})") if meaning else ""
    for key in field.error_messages:
        field.error_messages[key] = f"must be {escaped}"
    field.error_messages["required"] = f"is missing: it must be {escaped}{meant}"
    field.error_messages["null"] = f"must be {escaped}, not null"
    for validator in field.validators:
        if hasattr(validator, "error"):
            validator.error = f"must be {escaped}"
    for inner in _inside(field):
        _reword(inner)
    if isinstance(field, fields.Nested):
        mending(field.schema)


def _escaped(text: str) -> str:
    """Give a text as marshmallow wants it, whose messages are format strings."""
    return text.replace("{", "{{").replace("}", "}}")


def _inside(field: fields.Field[Any]) -> list[fields.Field[Any]]:
    if isinstance(field, fields.List):
        return [field.inner]
    if isinstance(field, fields.Dict):
        return [one for one in (field.key_field, field.value_field) if one is not None]
    return []


def _wanted(field: fields.Field[Any]) -> str:
    """Say what a field's value must be."""
    choices = _choices(field)
    if choices:
        return f"one of {', '.join(choices)}" if len(choices) > 1 else choices[0]
    if isinstance(field, fields.List):
        return f"a list, each item of it {_wanted(field.inner)}"
    if isinstance(field, fields.Nested):
        return "an object"
    called = next((name for kind, name in TYPES if isinstance(field, kind)), None)
    return (called or _described(field)) + _bounds(field)


def _choices(field: fields.Field[Any]) -> list[str]:
    for validator in field.validators:
        if isinstance(validator, validate.OneOf):
            return [str(choice) for choice in validator.choices]
    return [str(choice) for choice in field.metadata.get("enum", ())]


def _described(field: fields.Field[Any]) -> str:
    """Say what a field that takes several types takes, by what the docs say of it."""
    kinds = field.metadata.get("type", ())
    names = [JSON_TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return " or ".join(names) or "there, of any type"


def _bounds(field: fields.Field[Any]) -> str:
    text = ""
    for validator in field.validators:
        if isinstance(validator, validate.Range):
            text += _range(validator.min, validator.max)
        elif isinstance(validator, validate.Length):
            text += _length(validator.min, validator.max)
    if not text and "maxLength" in field.metadata:
        text = f" of at most {counted(field.metadata['maxLength'], 'character')}"
    return text


def _range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" {within(low, high)}"
    return f" of at least {low}" if low is not None else f" of at most {high}"


def _length(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" of {low} to {counted(high, 'character')}"
    bound = f"at least {low}" if low is not None else f"at most {high}"
    return f" of {bound} characters"
