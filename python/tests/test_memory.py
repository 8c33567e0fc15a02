"""Numbers are read where they lie: by address, by peak memory, and they live as long as they are read."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest
import toy

from kernmix import ParameterError, _core


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def arrays(folder):
    X = toy.points(40, 6)
    X.setflags(write=False)
    np.save(folder / "x.npy", X)
    return {
        "owned": X,
        "rows of a wider array": toy.points(40, 9)[:, 1:7],
        "every other row": toy.points(80, 6)[::2],
        "mapped": np.load(folder / "x.npy", mmap_mode="r"),
        "one row": toy.points(1, 6),
        "one column": toy.points(40, 6)[:, 2:3],
    }


def test_tables_are_borrowed(tmp_path):
    for name, X in arrays(tmp_path).items():
        data = _core.Data()
        data.set_table(X, [f"c{j}" for j in range(X.shape[1])])
        assert data.addresses[""] == address(X), name


def test_matrices_are_borrowed(tmp_path):
    stack = toy.gram_stack(toy.points(30))
    np.save(tmp_path / "k.npy", stack)
    mapped = np.load(tmp_path / "k.npy", mmap_mode="r")
    data = _core.Data()
    for m in range(3):
        data.add_matrix(f"a{m}", "gram", stack[m])
        data.add_matrix(f"b{m}", "gram", mapped[m])
        data.add_matrix(f"c{m}", "gram", stack[m, :, :20])
    for m in range(3):
        assert data.addresses[f"a{m}"] == data.addresses[f"c{m}"] == address(stack[m])
        assert data.addresses[f"b{m}"] == address(mapped[m])


def test_what_cannot_be_borrowed_is_refused_not_copied():
    X = toy.points(40, 6)
    byte = np.zeros(8 * 12 + 1, dtype=np.uint8)
    unaligned = byte[1:].view(np.float64).reshape(4, 3)
    for wrong in (np.asfortranarray(X), X[:, ::2], X[:, ::-1], X[::-1], np.broadcast_to(X[0], X.shape), unaligned):
        with pytest.raises(ParameterError, match="side by side"):
            _core.Data().set_table(wrong, [str(j) for j in range(wrong.shape[1])])
    for other in (X.astype(np.float32), X.astype(np.int64), X.astype(">f8"), X.astype(object), X.tolist(), X[0]):
        with pytest.raises(TypeError):
            _core.Data().set_table(other, [str(j) for j in range(6)])


class Array(np.ndarray):
    """An array that can be watched."""


def test_numbers_live_as_long_as_they_are_read():
    X = toy.points(40, 6).view(Array)
    watched = weakref.ref(X)
    data = toy.data_of(X, y=toy.two_classes(X))
    model = _core.train(data, kernels=toy.KERNELS, scaling=["none"]).model
    stack = _core.KernelStack(data, toy.KERNELS, scaling=["none"])
    del X
    gc.collect()
    assert watched() is not None
    del data
    gc.collect()
    assert watched() is not None and stack.training().shape == (8, 40, 40)
    del stack
    gc.collect()
    assert watched() is None and len(model.support) > 0  # a model has its own


PEAK = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import toy
from kernmix import _core

def peak():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

small = toy.points(100, 10)
_core.train(toy.data_of(small, 1, toy.two_classes(small)), kernels=["linear"], memory=0)
X = np.random.default_rng(0).random((1000, 16000))
X *= 0.01
X[::2] += 1  # two classes so far apart that the model holds few support vectors
labels = ["yes", "no"] * 500
open("/proc/self/clear_refs", "w").write("5")
before = peak()
data = toy.data_of(X, 1, labels)
borrowed = peak() - before
result = _core.train(data, kernels=["linear"], scaling=[sys.argv[2]], memory=0)
print(X.nbytes, borrowed, peak() - before, result.model.support_values.nbytes)
"""


@pytest.mark.parametrize(("scaling", "copies"), [("none", 0), ("standard", 1)])
def test_peak_memory(scaling, copies):
    if not os.access("/proc/self/clear_refs", os.W_OK):
        pytest.skip("this system does not tell a peak since now")
    done = subprocess.run(
        [sys.executable, "-c", PEAK, os.path.dirname(__file__), scaling],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    size, borrowed, trained, support = map(int, done.stdout.split())
    print(
        f"scaling {scaling}: X {size >> 20} MiB, borrowing {borrowed >> 20}, training {trained >> 20}, "
        f"of these support vectors {support >> 20}"
    )
    assert support < 0.1 * size
    assert borrowed < 0.05 * size
    assert trained < (copies + 0.8) * size  # buffers of BLAS, the bank
