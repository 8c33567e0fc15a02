#!/usr/bin/env python3
"""Memory of four workers that train on folds of one mapped file of kernels, together.

  benchmarks/python/workers.py [--samples 1500] [--kernels 40]        # the installed package

Each of four workers of loky maps the (M, n, n) file and fits the training part of its own fold of
four. While they train, the proportional set sizes (PSS: a page that k processes map counts 1/k for
each) are added up, without what a worker holds before it has seen the file. The rows:
  part    the fold is read from the file where it lies, as GramStack does
  copied  each worker copies its fold first
  stored  for comparison: the single-precision triangles of its own fold that each worker trains on
Memory is given in multiples of the file. Prints the table benchmarks/results/python-workers.md.
"""

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402
from joblib import Parallel, delayed  # noqa: E402
from joblib.externals.loky import get_reusable_executor  # noqa: E402

WORKERS = 4


def pss():
    """Proportional memory of this process in bytes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def write_kernels(file, samples, kernels):
    """Gaussian kernels of ten columns each; the labels."""
    random = np.random.default_rng(0)
    X = random.standard_normal((samples, 10 * kernels))
    y = np.where(X[:, :40].sum(axis=1) + 2 * random.standard_normal(samples) > 0, 1, -1)
    stack = np.lib.format.open_memmap(file, "w+", np.float64, (kernels, samples, samples))
    for m, plane in enumerate(stack):
        part = X[:, 10 * m : 10 * m + 10]
        squares = (part**2).sum(axis=1)
        np.exp(-0.05 * np.maximum(squares[:, None] + squares - 2 * part @ part.T, 0), out=plane)
    stack.flush()
    return y


def train(file, y, worker, gate, copied):
    """What the worker held before it saw the file, and [(time, what it holds)] while it trains."""
    from kernmix import GramStack, MKLClassifier

    before = pss()
    rows = np.flatnonzero(np.arange(len(y)) % WORKERS != worker)
    part = GramStack(file)[rows]
    Path(gate, str(worker)).touch()
    while len(os.listdir(gate)) < WORKERS:  # all of them map the file at the same time
        time.sleep(0.01)
    seen, ended = [], threading.Event()

    def watch():
        while not ended.wait(0.02):
            seen.append((time.time(), pss()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    model = MKLClassifier(loss="hinge", C=1.0, normalization="trace")
    model.fit(GramStack(part.matrices(rows)) if copied else part, y[rows])
    ended.set()
    watcher.join()
    return before, seen


def together(runs):
    """The largest sum over the workers at one time of what each holds beyond `before`."""
    times = np.unique(np.concatenate([[moment for moment, _ in seen] for _, seen in runs]))
    total = np.zeros(len(times))
    for before, seen in runs:
        moments, sizes = map(np.array, zip(*seen, strict=True))
        place = np.searchsorted(moments, times, side="right") - 1
        running = (place >= 0) & (times <= moments[-1] + 0.05)
        total += np.where(running, sizes[np.maximum(place, 0)] - before, 0)
    return total.max()


def measured(folder, file, y, copied):
    """In fresh workers."""
    gate = Path(tempfile.mkdtemp(dir=folder))
    jobs = (delayed(train)(str(file), y, worker, str(gate), copied) for worker in range(WORKERS))
    runs = Parallel(n_jobs=WORKERS)(jobs)
    get_reusable_executor().shutdown(wait=True)
    return together(runs)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--samples", type=int, default=1500)
    parser.add_argument("--kernels", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "kernels.npy")
        y = write_kernels(file, options.samples, options.kernels)
        size = file.stat().st_size
        held = {name: measured(folder, file, y, name == "copied") for name in ("part", "copied")}
    held["stored"] = WORKERS * options.kernels * 4 * (0.75 * options.samples) ** 2 / 2
    print("# Memory of four workers on one file of kernels\n")
    print(
        f"`benchmarks/python/workers.py`: {options.kernels} kernels of {options.samples} ", end=""
    )
    print(f"of {options.samples} samples, {size / 2**20:.0f} MiB; {WORKERS} workers, ", end="")
    print("each of which trains on a different three quarters of the samples.\n")
    print("| | memory of all workers together, files |\n|---|--:|")
    for name, memory in held.items():
        print(f"| {name} | {memory / size:.2f} |")


if __name__ == "__main__":
    main()
