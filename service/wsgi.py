"""What gunicorn serves: `gunicorn -c python:service.gunicorn_conf service.wsgi:app`."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from maumau.logs import configure
from maumau.settings import load
from service.app import create_app

settings = load()
configure(settings)
app = create_app(settings, clock=lambda: datetime.now(UTC), entropy=secrets.token_bytes)
