"""The wire: what a bot process sends is let through only if it is an answer to the question."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maumau.arena import wire
from maumau.arena.faults import Fault
from maumau.arena.wire import Ask, WireError

NONCE = 2**64 - 5


def answers(actions: object, faults: object = (), nonce: object = NONCE) -> bytes:
    return msgspec.msgpack.encode((nonce, actions, faults))


def test_answers_come_back_in_order() -> None:
    read = wire.read_answers(answers([541, 3, -1], [(2, "crash", "KeyError: 'x'")]), NONCE, 3)
    assert read.actions == [541, 3, -1]
    assert read.faults == {2: Fault("crash", "KeyError: 'x'")}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc1",
        b"\x93",
        b"\x91" * 100_000,
        b"\x93\x01\xdd\xff\xff\xff\xff",
        b'{"nonce": 1}',
        answers([1], nonce=NONCE - 1),
        answers([1], nonce=True),
        answers([True]),
        answers([1.0]),
        answers(["7h"]),
        answers([b"7h"]),
        answers([None]),
        answers([1, 2]),
        answers([]),
        answers({}),
        answers([[1]]),
        answers([-1], [(1, "crash", "")]),
        answers([-1], [(-1, "crash", "")]),
        answers([-1], [(0, "host", "")]),
        answers([-1], [(0, "timeout", "")]),
        answers([-1], [(0, "crash", ""), (0, "crash", "")]),
        answers([-1], [(0, "crash")]),
        answers([1]) + b"\x00",
        b"\x93\x01\x91\x01\x91\x93\x00\xa1\xff\xa1a",
    ],
)
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(WireError):
        wire.read_answers(body, NONCE, 1)


@given(st.binary(max_size=200))
def test_no_bytes_at_all_do_anything_else(body: bytes) -> None:
    for read in (
        lambda: wire.read_answers(body, 1, 1),
        lambda: wire.read_ready(body, 1),
        lambda: wire.read_report(body),
    ):
        with contextlib.suppress(WireError):
            read()


def test_a_question_reads_back_as_it_was() -> None:
    asks = [Ask(7, [[wire.NEW_GAME, 0, 2, "s"], [wire.EVENTS, [1, 2]]], [0, 1, -1, 2**53], [77])]
    nonce, kind, read = wire.read_request(wire.request(NONCE, wire.ASK, asks))
    assert (nonce, kind) == (NONCE, wire.ASK)
    assert [Ask(*values) for values in read] == asks


def test_a_start_and_its_answer_read_back_as_they_were() -> None:
    start = wire.Start(wire.VERSION, NONCE, "py", "b", "", "b.py", b"{}", "champion")
    assert wire.read_start(wire.start_request(start)) == start
    ready = wire.Ready(NONCE, "", "", "", 5, "Python 3", "b")
    assert wire.read_ready(wire.ready_answer(ready), NONCE) == ready


@pytest.mark.parametrize(
    "ready",
    [
        wire.Ready(NONCE - 1, "", "", "", 0, "", ""),
        wire.Ready(NONCE, "host", "", "", 0, "", ""),
        wire.Ready(NONCE, "timeout", "", "", 0, "", ""),
        wire.Ready(NONCE, "start", "uploads_off", "", 0, "", ""),
        wire.Ready(NONCE, "start", "no_bot\n" * 99, "", 0, "", ""),
    ],
)
def test_a_ready_that_claims_too_much_is_refused(ready: wire.Ready) -> None:
    with pytest.raises(WireError):
        wire.read_ready(wire.ready_answer(ready), NONCE)


def test_frames_carry_their_length() -> None:
    framed = wire.frame(b"abc")
    assert wire.frame_length(framed) == 3
    assert framed[wire.HEADER_BYTES :] == b"abc"
