"""Threads: the same bits whatever their number, several fits at once, forks, other thread pools left alone."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import toy

from kernmix import _core

X = toy.points(300, 10)
Y = toy.two_classes(X)
OPTIONS = {"kernels": ["rbf(width=median*2^-3..2^3) on *", "laplacian on *, each"], "memory": 0}


def fit(threads: int = 2) -> bytes:
    return _core.train(toy.data_of(X, y=Y), threads=threads, **OPTIONS).model.to_bytes()


def test_the_number_of_threads_changes_no_bit():
    assert len({fit(threads) for threads in (1, 2, 3, 7)}) == 1


def test_fits_at_once_give_the_same_bits():
    expected = fit(1)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(fit, [1, 2, 2, 3] * 3):
            assert found == expected


def test_one_data_object_is_trained_on_and_changed_at_once():
    data = toy.data_of(X, y=Y)
    expected = _core.train(data, **OPTIONS).model.to_bytes()
    stop = threading.Event()

    def change():
        while not stop.is_set():
            data.set_labels(list(Y))
            data.set_ids([])

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(5):
            assert _core.train(data, **OPTIONS).model.to_bytes() == expected
    finally:
        stop.set()
        changing.join()


def test_predictions_at_once():
    model = _core.train(toy.data_of(X, y=Y), **OPTIONS).model
    expected = model.predict(toy.data_of(X)).decision
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda k: model.predict(toy.data_of(X), threads=1 + k % 3).decision, range(12)):
            np.testing.assert_array_equal(found, expected)


def _fit_in_child(queue) -> None:
    queue.put(fit(2))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_fits_after_its_parent_did(method):
    expected = fit(2)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    children = [context.Process(target=_fit_in_child, args=(queue,)) for _ in range(3)]
    for child in children:
        child.start()
    try:
        assert [queue.get(timeout=60) for _ in children] == [expected] * 3
    finally:
        for child in children:
            child.join(10)
            child.kill()
    assert fit(2) == expected  # and the parent goes on


def test_a_child_of_a_parent_that_is_fitting():
    expected = fit(1)
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        busy = [pool.submit(fit, 2) for _ in range(6)]
        queue = context.Queue()
        for _ in range(4):
            child = context.Process(target=_fit_in_child, args=(queue,))
            child.start()
            try:
                assert queue.get(timeout=60) == expected
            finally:
                child.join(10)
                child.kill()
        assert {task.result() for task in busy} == {expected}


def test_joblib_workers():
    joblib = pytest.importorskip("joblib")
    assert set(joblib.Parallel(n_jobs=2)(joblib.delayed(fit)(2) for _ in range(4))) == {fit(1)}


THREADS_ARE_USED = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
import toy, test_threads
from kernmix import _core
X = toy.points(1200, 10)
data = toy.data_of(X, y=toy.two_classes(X))
def ratio():
    wall, cpu = time.perf_counter(), time.process_time()
    _core.train(data, threads=2, memory=0, kernels=["laplacian(width=median*2^-3..2^3) on *"] * 3)
    return (time.process_time() - cpu) / (time.perf_counter() - wall)
ratio()
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, str(ratio()).encode())
    os._exit(0)
print(os.read(read, 99).decode())
"""


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is one core")
def test_a_forked_child_has_threads_of_its_own():
    done = subprocess.run(
        [sys.executable, "-c", THREADS_ARE_USED, os.path.dirname(__file__)],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    print("CPU seconds by seconds in a forked child:", done.stdout.strip())


def test_other_thread_pools_are_left_alone():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    before = {pool["filepath"]: pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
    fit(2)
    after = {pool["filepath"]: pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
    assert after == before


def test_the_environment_is_as_it_was():
    script = (
        "import os, numpy; before = dict(os.environ); import kernmix; assert dict(os.environ) == before; "
        "import ctypes; getenv = ctypes.CDLL(None).getenv; getenv.restype = ctypes.c_char_p; "
        "assert getenv(b'OPENBLAS_CORETYPE') is None"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS")}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, timeout=60)
