"""Reading requests: webargs with clear answers to what cannot be read."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import flask
import marshmallow as ma
from webargs import core
from webargs.flaskparser import FlaskParser
from werkzeug.datastructures import CombinedMultiDict

from maumau.errors import Problem
from service.limits import too_large
from service.problems import HttpProblem


class StrictParser(FlaskParser):
    """Refuse unknown arguments, other media types and what is not quite JSON."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,
        "files": ma.RAISE,
    }

    def _raw_load_json(self, req: flask.Request) -> Any:
        if not core.is_json(req.mimetype):
            told = req.mimetype or "no Content-Type"
            raise HttpProblem(415, f"send the body as application/json, not as {told[:60]}")
        body = req.get_data(cache=True)
        most = req.max_content_length
        if req.content_length is None and most is not None and len(body) >= most:
            # werkzeug cuts a body without a length at the limit and says nothing.
            raise too_large(most)
        return strict_json(body)

    def load_files(self, req: flask.Request, schema: ma.Schema) -> Any:
        """Read fields and files of a multipart form together; anything else is refused."""
        if req.mimetype != "multipart/form-data":
            told = req.mimetype or "no Content-Type"
            raise HttpProblem(415, f"send the body as multipart/form-data, not as {told[:60]}")
        sent: CombinedMultiDict[str, Any] = CombinedMultiDict([req.form, req.files])
        twice = [name for name in sent if len(sent.getlist(name)) > 1]
        if twice:
            wrong = tuple(Problem(name[:80], "stands twice in the form") for name in twice)
            raise HttpProblem(422, str(wrong[0]), problems=wrong)
        return self._makeproxy(sent, schema)


def refuse_nul() -> None:
    """Refuse an address with a NUL character: nothing here has one, and databases choke on it."""
    asked = flask.request
    texts = [asked.path, *asked.args.keys(), *(v for vs in asked.args.listvalues() for v in vs)]
    if any("\0" in text for text in texts):
        raise HttpProblem(400, "a NUL character stands in the address")


def strict_json(body: bytes) -> Any:
    """Parse JSON as RFC 8259 means it: no NaN, no key twice, no lone surrogates, not too deep."""
    try:
        value = json.loads(
            body.decode("utf-8"), parse_constant=_constant, object_pairs_hook=_unique
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise _malformed(f"line {error.lineno} column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError:
        raise _malformed("the body is not UTF-8") from None
    except UnicodeEncodeError:
        raise _malformed("a text holds half of a surrogate pair") from None
    except RecursionError:
        raise _malformed("nested too deeply") from None
    except ValueError as error:
        raise _malformed(str(error)[:200]) from None
    return value


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice[:60]!r} stands twice in one object")
    return value


def _malformed(detail: str) -> HttpProblem:
    return HttpProblem(400, f"the body is not well-formed JSON: {detail}", code="malformed_json")
