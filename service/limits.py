"""How large a request may be, and how many may come."""

from __future__ import annotations

import ipaddress
import time

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address
from werkzeug.middleware.proxy_fix import ProxyFix

from maumau.settings import Settings
from maumau.usecases import submit_bot
from service.problems import HttpProblem, from_error

BODY_BYTES = 1_000_000
UPLOAD_BYTES = submit_bot.LARGEST
FORM_BYTES = 64_000
"""What a multipart form may need beside its file."""

UPLOADS = ("/bots", "/submit")
READS = ("GET", "HEAD", "OPTIONS")
UNLIMITED = ("/healthz", "/readyz")
AWAY = {"socket_connect_timeout": 1, "socket_timeout": 1}
"""Seconds after which Redis is taken to be away."""


def who() -> str:
    """Name whom a request is counted for, its account or else its address, and as what."""
    caller = g.get("caller")
    kind = "reads" if request.method in READS else "writes"
    if caller:
        return f"{kind}:account:{caller.id}"
    return f"{kind}:address:{network(get_remote_address())}"


def network(address: str) -> str:
    """Give whom an address belongs to: of IPv6 everybody has 2⁶⁴ of them, so that is one asker."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network(f"{found.exploded}/64", strict=False))


def trust_proxies(app: Flask, settings: Settings) -> None:
    """Take the asker's address and scheme from what so many proxies in front of `app` say.

    Of `X-Forwarded-For` only the last so many are theirs; what stands before them anybody may
    have written.
    """
    proxies = settings.trusted_proxies
    if proxies:
        fixed = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)
        app.wsgi_app = fixed  # type: ignore[method-assign]


def limit_body() -> None:
    """Refuse a body that is too large by its Content-Length, and stop reading one without."""
    upload = request.method == "POST" and request.path.rstrip("/").endswith(UPLOADS)
    most = UPLOAD_BYTES + FORM_BYTES if upload else BODY_BYTES
    request.max_content_length = most
    if request.content_length is not None and request.content_length > most:
        raise too_large(UPLOAD_BYTES if upload else BODY_BYTES)


def too_large(most: int) -> HttpProblem:
    """Say how much there may be."""
    return HttpProblem(
        413, f"this is too large: at most {most} bytes ({round(most / 1e6)} MB) are taken"
    )


def rate_limiter(settings: Settings) -> Limiter:
    """Make the limiter that the settings ask for; without Redis each process counts alone."""

    def rate() -> str:
        return (settings.rate_reads if request.method in READS else settings.rate_writes) or ""

    storage = settings.redis_url or "memory://"
    return Limiter(
        who,
        application_limits=[rate],
        application_limits_exempt_when=lambda: request.path.endswith(UNLIMITED) or not rate(),
        storage_uri=storage.replace("unix://", "redis+unix://", 1),
        storage_options=dict(AWAY) if settings.redis_url else {},
        in_memory_fallback_enabled=settings.redis_url is not None,
        key_prefix="maumau",
    )


def register(app: Flask, limiter: Limiter) -> None:
    """Limit bodies and rates of `app`."""
    app.before_request(limit_body)
    limiter.init_app(app)

    def too_many(error: RateLimitExceeded) -> Response:
        window = limiter.current_limit
        # The limiter's windows are in the system's time, not in the arena's.
        seconds = int(window.reset_at - time.time()) if window else 1
        return from_error(
            HttpProblem(
                429,
                f"this is more than {error.description}; wait as long as Retry-After says",
                headers={"Retry-After": str(max(1, seconds))},
            )
        )

    app.register_error_handler(RateLimitExceeded, too_many)
