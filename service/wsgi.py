"""What gunicorn serves: `gunicorn -c python:service.gunicorn_conf service.wsgi:app`."""

from __future__ import annotations

from maumau.logs import configure
from maumau.settings import load
from maumau.usecases.clock import system_clock, system_entropy
from service.app import create_app

settings = load()
configure(settings)
app = create_app(settings, clock=system_clock, entropy=system_entropy)
