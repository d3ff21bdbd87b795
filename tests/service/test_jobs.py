from pathlib import Path

from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from service import jobs


def test_jobs_are_enqueued_by_name_for_the_workers(valkey: str) -> None:
    queue = jobs.connect(valkey)
    assert queue.play_chunks(f"t-{i}" for i in range(1201))
    assert queue.depth() == jobs.ENOUGH
    # A check does not wait for the play that was there before it.
    assert queue.check_bot(7)
    stored = Queue(jobs.QUEUE, connection=Redis.from_url(valkey), serializer=JSONSerializer)
    made = [(job.func_name, tuple(job.args)) for job in stored.jobs[:2]]
    assert made == [("worker.jobs.check_bot", (7,)), ("worker.jobs.play_chunk", ("t-0",))]


def test_a_queue_that_is_away_fails_no_request(tmp_path: Path) -> None:
    queue = jobs.connect(f"unix://{tmp_path}/nobody.sock")
    assert not queue.check_bot(1)
    assert not queue.play_chunks(["t-0"])
    assert queue.depth() is None


def test_without_a_queue_work_waits_for_the_sweep() -> None:
    queue = jobs.connect(None)
    assert not queue.check_bot(1)
    assert not queue.play_chunks(["t-0"])
    assert queue.depth() is None
