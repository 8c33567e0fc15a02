"""Searches of scikit-learn on four workers of Dask: the same results, one copy of the matrices."""

import os
import pickle
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import GridSearchCV, StratifiedKFold

joblib = pytest.importorskip("joblib")
distributed = pytest.importorskip("distributed", reason="needs dask[distributed]")

from kernmix import GramStack, MKLClassifier

WORKERS = 4


@pytest.fixture(scope="module")
def client():
    import dask

    settings = {
        "logging.distributed": "critical",
        "distributed.admin.log-length": 0,
        "distributed.scheduler.active-memory-manager.interval": "20ms",  # would show at once if it ran
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, memory_limit=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.amm.stop()  # it drops copies of shared arrays: they would fail with their last worker
        yield client


@pytest.fixture(scope="module")
def stack_file(tmp_path_factory):
    """40 kernels of 800 digits, 205 MB in one file: much more than the rest of a worker."""
    X = load_digits().data[:800] / 16
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    file = tmp_path_factory.mktemp("stack") / "digits.npy"
    kernels = np.lib.format.open_memmap(file, "w+", np.float64, (40, 800, 800))
    for kernel, gamma in zip(kernels, np.logspace(-3, 1, len(kernels)), strict=True):
        np.exp(-gamma * squared, out=kernel)
    kernels.flush()
    return file


@pytest.fixture(scope="module")
def samples():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def splits(samples):
    return list(StratifiedKFold(3).split(*samples))


def table_search(splits):
    return GridSearchCV(
        MKLClassifier(views={"mean": slice(0, 10), "worst": slice(20, 30)}),
        {"C": [1, 10], "regularizer": ["l1", "lp:p=2"]},
        cv=splits,
    )


@pytest.fixture(scope="module")
def alone(samples, splits):
    return table_search(splits).fit(*samples)


def same_results(one, other):
    assert one.keys() == other.keys()
    for key in one:
        if "time" not in key:
            assert np.array_equal(np.asarray(one[key]), np.asarray(other[key])), key


@pytest.fixture(scope="module")
def shared(client, samples, splits):
    """What all fits read, on every worker: else it is lost with the one that has it.

    The futures live as long as the cluster. Dask names arrays by their content, and the collector
    of garbage would else release those of one search while the next one scatters the same names.
    """
    arrays = [*samples, *(part for split in splits for part in split)]
    futures = client.scatter(arrays, broadcast=True)
    yield arrays
    del futures


def on_dask(samples, splits, client, shared):
    with joblib.parallel_config("dask", client=client, scatter=shared):
        return table_search(splits).fit(*samples)


def test_the_same_results_as_on_one_machine(client, samples, splits, shared, alone):
    together = on_dask(samples, splits, client, shared)
    same_results(alone.cv_results_, together.cv_results_)
    X, _ = samples
    assert np.array_equal(alone.decision_function(X), together.decision_function(X))


def test_unfitted_estimators_are_small(stack_file):
    assert len(pickle.dumps(table_search(3).estimator)) < 10_000
    assert len(pickle.dumps(GramStack(stack_file))) < 10_000


def proportional_memory(file):
    """What this process has of the file, in bytes; pages that k processes map count 1/k each."""
    total, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first = line.split(" ", 1)[0]
        if "-" in first and not first.endswith(":"):
            inside = line.endswith(str(file))
        elif inside and line.startswith("Pss:"):
            total += 1024 * int(line.split()[1])
    return total


def read_all(file):
    """Reads every number of the stack where it lies, and says what that takes."""
    stack = pickle.loads(pickle.dumps(GramStack(file)))
    checksum = sum(float(matrix.sum()) for matrix in stack.matrices())
    return checksum, stack


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs /proc")
def test_workers_share_one_copy_of_the_matrices(client, stack_file):
    stacks = client.run(_hold, str(stack_file))
    assert len(set(stacks.values())) == 1
    shares = client.run(proportional_memory, str(stack_file))
    assert len(shares) == WORKERS
    assert 0.9 * stack_file.stat().st_size < sum(shares.values())
    assert sum(shares.values()) <= 1.1 * stack_file.stat().st_size
    client.run(_release)


def _hold(file, dask_worker):
    checksum, dask_worker.stack = read_all(file)
    return checksum


def _release(dask_worker):
    del dask_worker.stack


def test_a_killed_worker_loses_nothing(client, samples, splits, shared, alone):
    processes = client.run(os.getpid)
    killed = []
    killer = threading.Thread(target=_kill_a_busy_one, args=(client, processes, killed))
    killer.start()
    together = on_dask(samples, splits, client, shared)
    killer.join()
    assert killed
    same_results(alone.cv_results_, together.cv_results_)


def _kill_a_busy_one(client, processes, killed):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for worker, tasks in client.processing().items():
            if tasks:
                os.kill(processes[worker], signal.SIGKILL)
                killed.append(worker)
                return
        time.sleep(0.01)
