"""The docs page: Swagger UI from the installed package's own files, nothing from elsewhere."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from flask import Flask, Response, abort, render_template, send_from_directory

from service.auth import API
from service.openapi import ArenaApi, document

DIST = Path(str(files("flask_swagger_ui"))) / "dist"
SERVED = {
    "swagger-ui.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "index.css",
    "favicon-32x32.png",
}


def register_docs(app: Flask, api: ArenaApi) -> None:
    """Serve the OpenAPI document and the page that shows it."""
    described = json.dumps(document(api))

    def openapi_json() -> Response:
        return Response(described, content_type="application/json")

    def page() -> str:
        return render_template("docs.html", api=API)

    def page_file(filename: str) -> Response:
        if filename not in SERVED:
            abort(404)
        return send_from_directory(DIST, filename, max_age=3600)

    app.add_url_rule(f"{API}/openapi.json", "openapi_json", openapi_json)
    app.add_url_rule(f"{API}/docs", "docs_page", page)
    app.add_url_rule(f"{API}/docs/<path:filename>", "docs_file", page_file)
