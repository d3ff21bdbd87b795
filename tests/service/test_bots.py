import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from maumau.storage import Database
from maumau.storage.values import Reason
from maumau.usecases import workers
from maumau.usecases.submit_bot import LARGEST
from tests.service.conftest import Bearer, Clock, MakeApp

BOT = b"from maumau import Bot, hookimpl\n"
BOTS = "/api/v1/bots"


def submit(
    client: FlaskClient,
    headers: dict[str, str],
    name: str = "alpha",
    content: bytes = BOT,
    filename: str = "alpha.py",
) -> TestResponse:
    form = {"name": name, "file": (io.BytesIO(content), filename)}
    return client.post(BOTS, data=form, headers=headers)


def body(answer: TestResponse) -> dict[str, Any]:
    assert answer.json is not None
    return dict(answer.json)


def test_a_submission_is_pending_at_once_and_enqueued_by_its_id(
    make_app: MakeApp, bearer: Bearer, valkey: str
) -> None:
    app = make_app(redis_url=valkey)
    answer = submit(app.test_client(), bearer("ann"))
    assert answer.status_code == 202
    assert answer.headers["Location"] == f"{BOTS}/alpha/versions/1"
    told = body(answer)
    assert (told["label"], told["state"], told["owner"]) == ("alpha@1", "pending", "ann")
    assert (told["kind"], told["size"], told["reasons"]) == ("py", len(BOT), [])
    assert app.extensions["maumau"].queue.depth() == 1


def test_a_submission_holds_though_the_queue_is_away(
    make_app: MakeApp, bearer: Bearer, tmp_path: Any
) -> None:
    client = make_app(redis_url=f"unix://{tmp_path}/no.sock").test_client()
    assert submit(client, bearer("ann")).status_code == 202
    assert body(client.get(f"{BOTS}/alpha/versions/1"))["state"] == "pending"


def test_the_same_file_again_is_the_version_it_is(client: FlaskClient, bearer: Bearer) -> None:
    first, again = (submit(client, bearer("ann")) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 200)
    assert body(again) == body(first)
    assert submit(client, bearer("ann"), content=BOT + b"#").json["version"] == 2  # type: ignore[index]


def test_another_owners_name_is_a_conflict(client: FlaskClient, bearer: Bearer) -> None:
    submit(client, bearer("ann"))
    answer = submit(client, bearer("bob"), content=b"# mine\n")
    assert answer.status_code == 409
    assert body(answer)["code"] == "name_taken"
    assert body(client.get(f"{BOTS}/alpha/versions"))["items"][0]["owner"] == "ann"


def test_where_uploads_are_off_the_answer_says_so(make_app: MakeApp, bearer: Bearer) -> None:
    answer = submit(make_app(uploads="off").test_client(), bearer("ann"))
    assert answer.status_code == 503
    assert body(answer)["code"] == "uploads_off"
    assert "MAUMAU_UPLOADS" in body(answer)["detail"]


def test_where_no_workers_sandbox_holds_the_answer_has_the_reason(
    make_app: MakeApp, bearer: Bearer, db: Database, clock: Clock
) -> None:
    client = make_app(uploads="sandbox").test_client()
    for name in ("one", "two"):
        workers.show(db, clock, name, cages=False, reason="no Landlock in this kernel")
    answer = submit(client, bearer("ann"))
    assert answer.status_code == 503
    assert body(answer)["code"] == "sandbox_unavailable"
    assert "no Landlock in this kernel" in body(answer)["detail"]
    assert client.get(f"{BOTS}/alpha").status_code == 404
    # Where one can, or no worker is there to say, the version waits.
    workers.show(db, clock, "two", cages=True, reason="")
    assert submit(client, bearer("ann")).status_code == 202


def test_a_file_of_just_5_mb_is_taken(client: FlaskClient, bearer: Bearer) -> None:
    assert submit(client, bearer("ann"), content=b"#" * LARGEST).status_code == 202


@pytest.mark.parametrize("size", [LARGEST + 1, LARGEST + 1_000_000])
def test_a_larger_one_is_not(client: FlaskClient, bearer: Bearer, size: int) -> None:
    answer = submit(client, bearer("ann"), content=b"#" * size)
    assert answer.status_code == 413
    assert body(answer)["code"] == "too_large"
    assert str(LARGEST) in body(answer)["detail"]
    assert client.get(f"{BOTS}/alpha").status_code == 404


def test_a_body_that_is_too_large_by_its_length_is_not_read(app: Flask, bearer: Bearer) -> None:
    class Unreadable(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise AssertionError("the body was read")

    answer = app.test_client().post(
        BOTS,
        headers=bearer("ann"),
        content_type="multipart/form-data; boundary=x",
        environ_overrides={"CONTENT_LENGTH": str(10**9), "wsgi.input": Unreadable()},
    )
    assert answer.status_code == 413


def test_reasons_of_a_rejection_are_public(
    client: FlaskClient, bearer: Bearer, db: Database, clock: Clock
) -> None:
    submit(client, bearer("ann"))
    with db.begin() as tx:
        reasons = [Reason("no_bot", "the file declares no bot")]
        assert tx.bots.decide(1, "rejected", now=clock(), reasons=reasons, log="<b>oh</b>")
    told = body(client.get(f"{BOTS}/alpha/versions/1"))
    assert told["state"] == "rejected"
    assert told["reasons"] == [{"code": "no_bot", "message": "the file declares no bot"}]
    assert "log" not in told


def test_the_report_of_the_check_is_public(
    client: FlaskClient, bearer: Bearer, db: Database, clock: Clock
) -> None:
    submit(client, bearer("ann"))
    path = f"{BOTS}/alpha/versions/1/report"
    assert body(client.get(path)) == {"label": "alpha@1", "report": None}
    with db.begin() as tx:
        tx.bots.decide(1, "accepted", now=clock(), report={"marks": ["stateful"]})
    assert body(client.get(path))["report"] == {"marks": ["stateful"]}


@pytest.mark.parametrize(("what", "holds"), [("log", b"oh"), ("source", BOT.strip())])
def test_logs_and_sources_are_for_the_owner_and_admins(
    client: FlaskClient, bearer: Bearer, db: Database, clock: Clock, what: str, holds: bytes
) -> None:
    submit(client, bearer("ann"))
    with db.begin() as tx:
        tx.bots.decide(1, "accepted", now=clock(), log="oh")
    path = f"{BOTS}/alpha/versions/1/{what}"
    for headers, status in [
        ({}, 401),
        (bearer("eve", "reader"), 403),
        (bearer("bob"), 403),
        (bearer("ann"), 200),
        (bearer("boss", "admin"), 200),
    ]:
        answer = client.get(path, headers=headers)
        assert answer.status_code == status
        assert (holds in answer.data) == (status == 200)
        assert answer.headers["Cache-Control"] == "no-store"


def test_withdrawing_is_for_the_owner_and_admins_and_again_no_error(
    client: FlaskClient, bearer: Bearer
) -> None:
    submit(client, bearer("ann"))
    path = f"{BOTS}/alpha/versions/1"
    assert client.delete(path, headers=bearer("bob")).status_code == 403
    assert body(client.get(path))["state"] == "pending"
    for _ in range(2):
        assert body(client.delete(path, headers=bearer("ann")))["state"] == "withdrawn"


def test_withdrawing_a_bot_withdraws_all_its_versions(client: FlaskClient, bearer: Bearer) -> None:
    for content in (b"# 1\n", b"# 2\n"):
        submit(client, bearer("ann"), content=content)
    told = body(client.delete(f"{BOTS}/alpha", headers=bearer("boss", "admin")))
    assert [(v["version"], v["state"]) for v in told["items"]] == [
        (2, "withdrawn"),
        (1, "withdrawn"),
    ]


def test_bots_are_listed_by_filters_and_sorts(
    client: FlaskClient, bearer: Bearer, clock: Clock
) -> None:
    for owner, name in (("ann", "cc"), ("bob", "bb"), ("ann", "aa")):
        submit(client, bearer(owner), name=name)
        clock.forward(seconds=1)

    def names(query: str) -> list[str]:
        return [bot["name"] for bot in body(client.get(f"{BOTS}?{query}"))["items"]]

    assert names("") == ["aa", "bb", "cc"]
    assert names("sort=-created_at") == ["aa", "bb", "cc"]
    assert names("owner=ann") == ["aa", "cc"]
    assert names("owner=nobody") == []
    assert body(client.get(BOTS))["items"][0]["latest"]["label"] == "aa@1"
