"""`/api/v1` itself: what there is, as links."""

from __future__ import annotations

from collections.abc import Mapping

import marshmallow as ma

from service import auth
from service.api.common import Resource, Strict

blueprint = Resource("index", "Where to begin.")


class IndexOut(Strict):
    """What there is below `/api/v1`."""

    name = ma.fields.String(required=True)
    links = ma.fields.Dict(
        keys=ma.fields.String(),
        values=ma.fields.String(),
        required=True,
        metadata={"description": "The address of each list, of the docs and of the description."},
    )


@blueprint.get("/")
@blueprint.response(200, IndexOut)
def index() -> dict[str, object]:
    """Show what there is: the docs, the description for programs, and every list."""
    return {"name": "Mau-Mau Arena", "links": links()}


def links() -> Mapping[str, str]:
    """Give every address that can be read as it is, by its last step."""
    below = f"{auth.API}/"
    plain = [
        rule
        for method, rule in auth.ROUTES
        if method == "GET" and rule.startswith(below) and "<" not in rule and rule != below
    ]
    return {rule.rpartition("/")[2].removesuffix(".json"): rule for rule in plain}
