"""The pages: for now the root page with links to what there is."""

from __future__ import annotations

from flask import Blueprint, render_template

from service.auth import API

pages = Blueprint("pages", __name__, template_folder="templates")


@pages.get("/")
def root() -> str:
    """Show what is here and where."""
    return render_template("root.html", api=API)
