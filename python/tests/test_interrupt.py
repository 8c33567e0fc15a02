"""Ctrl-C, time limits, progress, log: what stops a run, how soon, and what is left of it."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import toy
from kernmix import _core

STAGES = {
    # What takes seconds here: fitting normalisations, computing kernels, solving, predicting, verifying.
    "normalise": ({"kernels": ["rbf(width=median*2^-6..2^5) on *, normalize=center"] * 4}, 1500),
    "kernels": ({"kernels": ["laplacian(width=median*2^-6..2^5) on *"] * 8}, 1500),
    "solve": ({"kernels": ["rbf(width=median*2^-6..2^5) on *"], "tolerance": 1e-12, "C": 1e4}, 700),
}


def data_and_options(stage):
    options, n = STAGES[stage]
    X = toy.points(n, 20)
    return toy.data_of(X, y=toy.two_classes(X)), options


def interrupt_after(seconds):
    """Ctrl-C as a terminal sends it; the list receives when."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    return sent


def seconds_to_interrupt(call, after):
    sent = interrupt_after(after)
    with pytest.raises(KeyboardInterrupt) as caught:
        call()
        time.sleep(after + 1)  # it was done before: the interruption comes here, and is no good
        pytest.skip("too fast to be interrupted")
    return time.perf_counter() - sent[0], caught.value


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("stage", STAGES)
def test_control_c_arrives_soon(stage, threads):
    data, options = data_and_options(stage)
    waited, _ = seconds_to_interrupt(lambda: _core.train(data, threads=threads, memory=0, **options), 0.4)
    print(f"{stage}, {threads} threads: {waited:.3f} s")
    assert waited < 2.0
