"""A file per resource: routes and schemas side by side."""

from __future__ import annotations

from service.api import operations
from service.api.common import Resource


def blueprints() -> tuple[Resource, ...]:
    """Give the resources in the order of the docs page."""
    return (operations.blueprint,)
