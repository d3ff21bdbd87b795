"""What gunicorn serves: `gunicorn -c python:service.gunicorn_conf service.wsgi:app`."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from maumau.settings import load
from service.app import create_app
from service.logs import configure

settings = load()
configure(settings)
app = create_app(settings, clock=lambda: datetime.now(UTC), entropy=secrets.token_bytes)
