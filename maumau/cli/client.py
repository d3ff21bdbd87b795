"""The command line's side of HTTP: JSON, problem documents as failures, event streams."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import httpx

from maumau.cli.called import called
from maumau.cli.failures import REFUSED, UNREACHABLE, Failure, of_problem
from maumau.cli.target import Target

SECONDS = 30.0
PAGE = 100
# A stream sends at least a comment within this time.
STREAM_SECONDS = 60.0


class Client:
    """One server's API, with the token of whoever runs the command."""

    def __init__(self, target: Target):
        self.server = target.server
        self._target = target
        token = target.token
        self._http = httpx.Client(
            base_url=f"{self.server}/api/v1",
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=SECONDS,
            # Another machine's proxy has no business with a server on this one.
            trust_env=not target.local,
        )

    def __enter__(self) -> Client:
        """Use it as a context."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, **query: object) -> Any:
        """Read a resource; None in `query` is left out."""
        return self._json("GET", path, params=_given(query))

    def text(self, path: str, *, accept: str, **query: object) -> str:
        """Read a resource in another form than JSON."""
        answer = self._send("GET", path, params=_given(query), headers={"Accept": accept})
        return answer.text

    def pages(self, path: str, **query: object) -> Iterator[dict[str, Any]]:
        """Read a list to its end, page by page."""
        cursor = None
        while True:
            page = self.get(path, cursor=cursor, **query)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def first(self, most: int, path: str, **query: object) -> list[dict[str, Any]]:
        """Read the first so many of a list."""
        return list(islice(self.pages(path, limit=min(most, PAGE), **query), most))

    def readiness(self) -> dict[str, Any]:
        """Ask whether the server can do its work; it says so with 503 too."""
        try:
            answer = self._http.get("/readyz")
            found = answer.json()
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        except ValueError:
            raise self._refused(answer) from None
        if not isinstance(found, dict):
            raise self._refused(answer)
        return found

    def post(self, path: str, *, key: str | None = None, **content: Any) -> Any:
        """Create or act; with `key` (an `Idempotency-Key`) asking again does nothing twice."""
        return self.posted(path, key=key, **content)[1]

    def posted(self, path: str, *, key: str | None = None, **content: Any) -> tuple[int, Any]:
        """Do the same, and give the status with the answer."""
        headers = {"Idempotency-Key": key} if key else {}
        answer = self._send("POST", path, headers=headers, **content)
        return answer.status_code, self._value(answer)

    def delete(self, path: str) -> Any:
        """Take something back."""
        return self._json("DELETE", path)

    def events(self, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Follow an event stream: the name and the data of each event, until the server ends it."""
        try:
            with self._http.stream(
                "GET", path, headers={"Accept": "text/event-stream"}, timeout=STREAM_SECONDS
            ) as answer:
                if answer.status_code != 200:
                    answer.read()
                    raise self._refused(answer)
                yield from _events(answer.iter_lines())
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error

    def _json(self, method: str, path: str, **content: Any) -> Any:
        return self._value(self._send(method, path, **content))

    def _value(self, answer: httpx.Response) -> Any:
        if not answer.content:
            return None
        try:
            return answer.json()
        except ValueError:
            raise Failure(
                f"{self.server} answers, but not with JSON: is it a Mau-Mau Arena?", REFUSED
            ) from None

    def _send(self, method: str, path: str, **content: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **content)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if not answer.is_success:
            raise self._refused(answer)
        return answer

    def _refused(self, answer: httpx.Response) -> Failure:
        if answer.status_code == 401:
            return Failure(self._unknown(), REFUSED)
        try:
            problem = answer.json()
        except ValueError:
            problem = {}
        return of_problem(answer.status_code, problem if isinstance(problem, dict) else {})

    def _unknown(self) -> str:
        how = "give one that holds with --token or MAUMAU_TOKEN"
        if self._target.token is None:
            return f"{self.server} wants a token for this, and none was sent: {how}"
        return f"{self.server} does not take the token from {self._target.token_from}: {how}"

    def _unreachable(self, error: httpx.HTTPError) -> Failure:
        return Failure(
            f"no answer from {self.server} ({error or type(error).__name__}): start a server with "
            f"`{called('up')}`, or name another with --server or MAUMAU_SERVER",
            UNREACHABLE,
        )


def _given(query: Mapping[str, object]) -> dict[str, str | list[str]]:
    return {
        name: [str(one) for one in value] if isinstance(value, list) else str(value)
        for name, value in query.items()
        if value is not None
    }


def _events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name, data = "message", ""
    for line in lines:
        if not line:
            if data:
                yield name, json.loads(data)
            name, data = "message", ""
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip()
