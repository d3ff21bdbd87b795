"""docs/api.md tells every route, who may use it, and every error code."""

import ast
import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service import auth, problems
from service.openapi import openapi_path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
TOLD = {
    (method, path): role
    for method, path, role in re.findall(r"^\| `(\w+) (/[^`]*)` \| (\w+) \|", TEXT, re.MULTILINE)
}


def test_every_route_is_told_with_its_role_and_no_other() -> None:
    there = {
        (method, openapi_path(rule).removeprefix(auth.API)): role or "all"
        for (method, rule), role in auth.ROUTES.items()
        if rule.startswith(auth.API) and "filename" not in rule
    }
    assert there == TOLD


def test_every_parameter_is_described_to_programs_and_named_to_people(client: FlaskClient) -> None:
    spec = client.get("/api/v1/openapi.json").json
    assert spec is not None
    for path, item in spec["paths"].items():
        for operation in item.values():
            if not isinstance(operation, dict):
                continue
            assert operation["summary"], path
            for parameter in operation.get("parameters", ()):
                if "$ref" not in parameter and parameter["in"] == "query":
                    assert parameter.get("description"), (path, parameter["name"])
                    name = parameter["name"]
                    assert f"`{name}`" in TEXT or f"?{name}=" in TEXT, name


def test_the_example_of_a_problem_is_what_is_answered(client: FlaskClient) -> None:
    (example,) = re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (wanted,) = re.findall(r"`POST /rulesets/preview` with `(.*?)`", TEXT)
    told = json.loads(example)
    answer = client.post("/api/v1/rulesets/preview", json=json.loads(wanted))
    assert answer.mimetype == "application/problem+json"
    body = answer.json
    assert body is not None
    assert list(body) == list(told)
    for said, true in ((told, body), (told["errors"][0], body["errors"][0])):
        for key, value in said.items():
            if isinstance(value, str) and value.endswith("…"):
                assert true[key].startswith(value[:-1])
            elif key not in ("request_id", "errors"):
                assert true[key] == value


@pytest.mark.parametrize("code", [code for code, _ in problems.HTTP_CODES.values()])
def test_every_code_of_http_that_can_come_is_told(code: str) -> None:
    rare = {"not_acceptable", "request_timeout", "length_required", "address_too_long"}
    rare |= {"header_too_large", "unavailable"}
    assert code in rare or f"`{code}`" in TEXT


def modules_behind_the_api() -> set[Path]:
    """Give the service's files and those of the use cases that it imports."""
    service = set((ROOT / "service").rglob("*.py"))
    used = set()
    for source in service:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                used |= {f"{node.module}.{name.name}" for name in node.names} | {node.module}
    walks = set((ROOT / "maumau" / "usecases").rglob("*.py"))
    names = {walk: ".".join(walk.relative_to(ROOT).with_suffix("").parts) for walk in walks}
    return service | {walk for walk, name in names.items() if name in used}


def test_every_code_that_the_product_raises_is_told() -> None:
    raised = {
        code
        for source in modules_behind_the_api()
        for codes in re.findall(
            r'(?:Conflict|Unavailable)\(\s*"([a-z_]+)"|code="([a-z_]+)"', source.read_text("utf-8")
        )
        for code in codes
        if code
    }
    assert {"name_taken", "has_ended", "uploads_off", "streams_full", "malformed_json"} <= raised
    assert {code for code in raised if f"`{code}`" not in TEXT} == set()
