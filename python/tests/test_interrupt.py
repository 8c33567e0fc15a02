"""Ctrl-C, time limits, progress and log: what ends a run, how soon, and what is left of it."""

from __future__ import annotations

import functools
import gc
import os
import signal
import sys
import threading
import time
import weakref

import numpy as np
import pytest
import toy

from kernmix import ResourceError, _core

SOON = 2.0  # seconds, on a machine that has other things to do; by itself it takes less than 0.2
MANY = ["rbf(width=median*2^-6..2^5) on *"]
STAGES = {
    "fitting normalisations": ({"kernels": ["rbf(width=median*2^-6..2^5) on *, normalize=center"] * 2}, 700),
    "computing kernels": ({"kernels": ["laplacian(width=median*2^-6..2^5) on *"] * 4}, 700),
    "solving": ({"kernels": MANY, "tolerance": 1e-12, "C": 1e4}, 400),
    "many tasks": ({"kernels": MANY, "tolerance": 1e-9, "C": 1e3, "coupling": "minimax"}, 400),
    "folds": ({"kernels": MANY, "threshold_folds": 5, "C": 100.0}, 300),
}
X = toy.points(60)
Y = toy.two_classes(X)


def large(stage: str) -> tuple[_core.Data, dict]:
    options, n = STAGES[stage]
    points = toy.points(n, 20)
    data = toy.data_of(points)
    if stage == "folds":
        data.set_multilabel(points[:, :4] > 0, ["a", "b", "c", "d"])
    else:
        data.set_labels(list(toy.three_classes(points) if stage == "many tasks" else toy.two_classes(points)))
    return data, options


def seconds_to_interrupt(call, after: float) -> float:
    """From Ctrl-C as a terminal sends it, to KeyboardInterrupt."""
    sent = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        call()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    try:
        timer.join()
        time.sleep(0.2)
    except KeyboardInterrupt:
        pass
    return 0.0  # it was done before


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("stage", STAGES)
def test_control_c_arrives_soon(stage, threads):
    data, options = large(stage)
    begin = time.perf_counter()
    _core.train(data, threads=threads, memory=0, max_iterations=60, **options)
    whole = time.perf_counter() - begin
    waits = [
        seconds_to_interrupt(
            lambda: _core.train(data, threads=threads, memory=0, max_iterations=60, **options), part * whole
        )
        for part in (0.1, 0.4, 0.7, 0.95)
    ]
    print(f"{stage}, {threads} threads, {whole:.2f} s: " + ", ".join(f"{wait:.3f}" for wait in waits))
    assert max(waits) < SOON


def test_prediction_and_verification_are_interrupted():
    points = toy.points(1500, 20)
    labels = toy.two_classes(points)
    data = toy.data_of(points, y=labels)
    model = _core.train(data, kernels=["laplacian on *, each"], regularizer="average", memory=0).model
    new = toy.data_of(toy.points(20000, 20))
    for call in (lambda: model.predict(new), lambda: model.verify(data), lambda: _core.KernelStack(data).training()):
        assert seconds_to_interrupt(call, 0.1) < SOON


def test_what_a_signal_handler_raises_arrives():
    class Alarm(Exception):
        pass

    def ring(*_: object) -> None:
        raise Alarm

    data, options = large("computing kernels")
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(Alarm):
            _core.train(data, memory=0, **options)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_signal_handlers_that_raise_nothing_do_not_end_a_run():
    rung = []
    data, options = large("computing kernels")
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(time.perf_counter()))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        assert _core.train(data, memory=0, **options).status == "converged"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung


def test_nothing_is_left_of_an_interrupted_run():
    points = toy.points(1500, 20)
    watched = weakref.ref(points)
    data = toy.data_of(points, y=toy.two_classes(points))

    def progress(stage, done, total, gap):
        raise KeyError(stage)

    with pytest.raises(KeyError, match="kernels"):
        _core.train(data, kernels=MANY, memory=0, threads=2, progress=progress)
    assert seconds_to_interrupt(functools.partial(_core.train, data, kernels=MANY * 4, memory=0), 0.1) < SOON
    del points, data, progress
    gc.collect()
    assert watched() is None
    threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
    small = _core.train(toy.data_of(X, y=Y), kernels=toy.KERNELS).model.to_bytes()
    assert small == _core.train(toy.data_of(X, y=Y), kernels=toy.KERNELS, threads=2).model.to_bytes()
    if threads:
        assert len(os.listdir("/proc/self/task")) <= threads + 2


@pytest.mark.parametrize("stage", ["kernels", "solve"])
@pytest.mark.parametrize("callback", ["progress", "log"])
def test_what_a_callback_raises_arrives(stage, callback):
    def progress(at, done, total, gap):
        if at == stage:
            raise LookupError(at)

    def log(message):
        raise LookupError("log")

    data = toy.data_of(X, y=Y)
    options = {"kernels": toy.KERNELS, "threads": 2, "tolerance": 1e-9}
    if callback == "progress":
        with pytest.raises(LookupError, match=stage):
            _core.train(data, progress=progress, **options)
    else:
        try:
            _core.train(data, log=log, **options)
        except LookupError as error:
            assert error.args == ("log",)


def test_progress_that_returns_false_keeps_the_best_answer():
    moments = []

    def progress(stage, done, total, gap):
        moments.append((stage, done, total, gap))
        return not (stage == "solve" and done >= 2)

    data = toy.data_of(X, y=Y)
    result = _core.train(data, kernels=toy.KERNELS, tolerance=1e-12, solver="silp", progress=progress)
    assert result.status == "interrupted"
    assert result.model.certificate["relative_gap"] > 1e-12 and result.model.verify(data).agrees
    assert {"kernels", "solve"} <= {moment[0] for moment in moments}
    kernels = [moment for moment in moments if moment[0] == "kernels"]
    assert kernels[-1][1:3] == (8, 8)


def test_time_limits():
    data, options = large("solving")
    result = _core.train(data, memory=0, time_limit=0.5, **{**options, "tolerance": 1e-15})
    assert result.status in ("time limit", "stalled") and result.model.verify(data).agrees
    with pytest.raises(ResourceError, match="time limit"):
        _core.train(data, memory=0, time_limit=0.0, **options)
    assert _core.train(toy.data_of(X, y=Y), kernels=toy.KERNELS, time_limit=float("inf")).status == "converged"


def test_callbacks_come_one_at_a_time():
    inside = []

    def progress(stage, done, total, gap):
        inside.append(1)
        assert len(inside) == 1
        time.sleep(0.001)  # without the GIL
        inside.pop()

    points = toy.points(300, 10)
    data = toy.data_of(points, y=toy.two_classes(points))
    result = _core.train(data, kernels=["laplacian on *, each"], threads=4, progress=progress)
    assert result.status == "converged"


def test_callbacks_may_train():
    inner = []

    def progress(stage, done, total, gap):
        if not inner:
            inner.append(_core.train(toy.data_of(X, y=Y), kernels=["linear"]).status)

    assert _core.train(toy.data_of(X, y=Y), kernels=toy.KERNELS, threads=2, progress=progress).status == "converged"
    assert inner == ["converged"]


def test_a_run_on_another_thread_leaves_python_free():
    points = toy.points(1500, 20)
    data = toy.data_of(points, y=toy.two_classes(points))
    results = []
    running = threading.Thread(target=lambda: results.append(_core.train(data, kernels=MANY * 3, memory=0)))
    running.start()
    longest, last = 0.0, time.perf_counter()
    while running.is_alive():
        sum(range(1000))
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    print(f"the GIL was held for {longest:.3f} s at most")
    assert results[0].status == "converged" and longest < SOON
    assert np.isfinite(results[0].model.weights).all()
