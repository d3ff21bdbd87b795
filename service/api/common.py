"""What the resources share: the blueprint, pages, fields."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask_smorest import Blueprint

from maumau.errors import Problem
from service.auth import API
from service.parsing import StrictParser
from service.problems import HttpProblem

PAGE = 50
LARGEST_PAGE = 200


class Resource(Blueprint):
    """A blueprint below `/api/v1` that parses strictly."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, description: str):
        super().__init__(name, __name__, url_prefix=API, description=description)


class Strict(ma.Schema):
    """A schema of answers: exactly these fields, each present."""

    class Meta:
        """Said in the description too."""

        unknown = ma.RAISE


class Moment(ma.fields.AwareDateTime):
    """RFC 3339 in UTC, with `Z`."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        if value is None:
            return None
        return str(value.isoformat().replace("+00:00", "Z"))


def problem(path: str, message: str) -> HttpProblem:
    """Refuse one value of a request."""
    wrong = Problem(path, message)
    return HttpProblem(422, str(wrong), problems=(wrong,))
