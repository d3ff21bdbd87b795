import os
import subprocess
import sys

from worker.names import host, is_dead, worker_name


def test_a_worker_that_lives_is_not_dead() -> None:
    assert not is_dead(worker_name())


def test_a_worker_whose_process_is_gone_is_dead() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        name = worker_name(process.pid)
        assert not is_dead(name)
        process.kill()
        # A process that has ended and was not waited for does not live either.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(name)
    assert is_dead(name)


def test_another_process_with_the_same_number_is_not_taken_for_the_worker() -> None:
    assert is_dead(f"{host()}-{os.getpid()}-1")


def test_of_workers_elsewhere_nothing_is_said() -> None:
    for name in ("elsewhere-0123456789-1-1", f"{host()}x-1-1", host(), f"{host()}-1", ""):
        assert not is_dead(name)


def test_a_name_fits_its_column() -> None:
    assert len(worker_name()) <= 80
    # The longest that there can be.
    assert len(f"{'h' * 30}-{'d' * 10}-{2**22}-{2**63}") <= 80
