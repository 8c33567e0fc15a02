"""Small data sets for tests of the extension module."""

from __future__ import annotations

import numpy as np

from kernmix import _core

KERNELS = ["rbf(width=median*2^-1..2^1) on *", "linear on *"]


def points(n: int = 60, columns: int = 6, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, columns))


def data_of(X: np.ndarray, views: int = 2, y: object = None) -> _core.Data:
    """Columns c1, c2, ... in views v1, v2, ..., with labels (text) or numbers."""
    data = _core.Data()
    columns = [f"c{j + 1}" for j in range(X.shape[1])]
    data.set_table(X, columns)
    for v, part in enumerate(np.array_split(np.arange(X.shape[1]), views)):
        data.add_view(f"v{v + 1}", [columns[j] for j in part])
    if y is not None:
        y = np.asarray(y)
        if y.dtype.kind == "f":
            data.set_numbers(y)
        else:
            data.set_labels([str(label) for label in y])
    return data


def two_classes(X: np.ndarray) -> np.ndarray:
    return np.where(X[:, 0] + X[:, 3] + 0.5 * X[:, 1] ** 2 > 0.5, "yes", "no")


def three_classes(X: np.ndarray) -> np.ndarray:
    return np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 3], [-0.6, 0.6])]


def gram_stack(X: np.ndarray, count: int = 3) -> np.ndarray:
    distances = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return np.stack([np.exp(-distances / 4.0**k) for k in range(count)])
