"""Service and worker never import each other: what both say of the queue has to be the same."""

import importlib

import pytest

from service import jobs
from worker import queue


def test_service_and_worker_mean_the_same_queue() -> None:
    assert (jobs.QUEUE, jobs.CHECK_BOT, jobs.PLAY_CHUNK) == (
        queue.NAME,
        queue.CHECK_BOT,
        queue.PLAY_CHUNK,
    )


@pytest.mark.parametrize("name", [queue.CHECK_BOT, queue.PLAY_CHUNK])
def test_a_job_is_a_function_by_that_name(name: str) -> None:
    module, _, function = name.rpartition(".")
    assert callable(getattr(importlib.import_module(module), function))
