"""The OpenAPI document: flask-smorest's, with problem documents and what all routes share."""

from __future__ import annotations

import copy
import re
from typing import Any

import marshmallow as ma
from flask import Response
from flask_smorest import Api
from werkzeug.exceptions import HTTPException

from service import auth
from service.problems import MEDIA_TYPE, from_http

METHODS = ("get", "post", "put", "patch", "delete")

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A request that is sent again with the same key and content is done once and "
    "answered the same.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of an answer that the client has: 304 where it still holds.",
    "schema": {"type": "string"},
}


class WrongValue(ma.Schema):
    """One wrong value."""

    path = ma.fields.String(
        required=True,
        metadata={"description": "Dotted path of the value; empty for the whole."},
    )
    message = ma.fields.String(required=True)


class ProblemDocument(ma.Schema):
    """What went wrong and how to mend it (RFC 9457)."""

    type = ma.fields.String(required=True)
    title = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    code = ma.fields.String(
        required=True, metadata={"description": "Stable: programs go by this one."}
    )
    detail = ma.fields.String(required=True)
    request_id = ma.fields.String(required=True)
    errors = ma.fields.List(ma.fields.Nested(WrongValue))


class ArenaApi(Api):
    """flask-smorest's API with our problem documents in place of its errors."""

    ERROR_SCHEMA = ProblemDocument

    def _register_responses(self) -> None:
        # The content type of the default responses is read while they register.
        self.DEFAULT_RESPONSE_CONTENT_TYPE = MEDIA_TYPE
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Answer with a problem document."""
        return from_http(error)


def document(api: ArenaApi) -> dict[str, Any]:
    """Give the whole document as plain values."""
    spec: dict[str, Any] = copy.deepcopy(api.spec.to_dict())
    spec["info"]["description"] = (
        "Submit bots that play Mau-Mau, schedule tournaments under a rule set, read ranked results."
    )
    spec.setdefault("components", {})["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "A token of an account."}
    }
    roles = {(method, openapi_path(rule)): role for (method, rule), role in auth.ROUTES.items()}
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                _complete(item[method], method, roles.get((method.upper(), path), "nobody"))
    return spec


def openapi_path(rule: str) -> str:
    """Write a route's rule as OpenAPI does: `<int:number>` is `{number}`."""
    return re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule)


def _complete(operation: dict[str, Any], method: str, role: str | None) -> None:
    """Add to one operation what holds for all of its kind."""
    responses = operation["responses"]
    problem = {"$ref": "#/components/responses/DEFAULT_ERROR"}
    operation["security"] = [{"bearer": []}] if role else [{}, {"bearer": []}]
    for status in ("401", "429") + (("403",) if role else ()):
        responses.setdefault(status, problem)
    parameters = operation.setdefault("parameters", [])
    if method == "get" and "200" in responses and "text/event-stream" not in str(responses):
        parameters.append(IF_NONE_MATCH)
        responses["304"] = {"description": "What the client has still holds."}
    if "201" in responses or "202" in responses:
        parameters.append(IDEMPOTENCY_KEY)
    if role:
        operation["description"] = (
            operation.get("description", "") + f"\n\nNeeds the role {role}."
        ).strip()
