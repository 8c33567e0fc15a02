"""Data sets and kernels of peers.py: standardised columns, Gaussians per view, mean diagonal 1."""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_svmlight_file
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import train_test_split

DATA = {
    "breast-cancer": {"task": "classes", "needs_folder": False, "most_splits": 5, "each": False},
    "ionosphere": {"task": "classes", "needs_folder": True, "most_splits": 5, "each": True},
    "mfeat": {
        "task": "classes",
        "needs_folder": True,
        "most_splits": 2,
        "each": False,
        "most": 600,
    },
    "concrete": {
        "task": "numbers",
        "needs_folder": True,
        "most_splits": 5,
        "each": True,
        "most": 500,
    },
}
WIDTHS = 2.0 ** np.arange(-2, 3)  # times the median distance


def load(name, folder):
    """X (n, D), y, and the columns of each view: of a large set a random part of the samples."""
    X, y, views = load_whole(name, folder)
    most = DATA[name].get("most", len(y))
    if most == len(y):
        return X, y, views
    part = np.random.default_rng(0).permutation(len(y))[:most]
    return X[part], y[part], views


def load_whole(name, folder):
    if name == "breast-cancer":
        X, y = load_breast_cancer(return_X_y=True)
        return X, y, [range(0, 10), range(10, 20), range(20, 30)]
    files = sorted(Path(folder, name).glob("view*.libsvm")) or [Path(folder, name, "data.libsvm")]
    parts = [load_svmlight_file(str(file)) for file in files]
    tables = [X.toarray() for X, _ in parts]
    y = parts[0][1]
    ends = np.cumsum([0, *(table.shape[1] for table in tables)])
    views = [range(a, b) for a, b in zip(ends, ends[1:], strict=False)]
    if DATA[name]["each"]:  # the whole, and each column by itself
        views += [range(column, column + 1) for column in range(ends[-1])]
    return np.hstack(tables), y if DATA[name]["task"] == "numbers" else y.astype(int), views


def split_kernels(X, y, views, seed):
    """Kernels (M, n, n) of the training samples and (M, m, n) of the test samples, y of both."""
    classes = y if y.dtype.kind == "i" else None
    train, test = train_test_split(
        np.arange(len(y)), test_size=0.3, stratify=classes, random_state=seed
    )
    offset, scale = X[train].mean(axis=0), X[train].std(axis=0)
    Z = (X - offset) / np.where(scale > 0, scale, 1.0)
    K, cross = [], []
    for columns in views:
        A, B = Z[train][:, columns], Z[test][:, columns]
        own, other = euclidean_distances(A, squared=True), euclidean_distances(B, A, squared=True)
        middle = np.median(own[np.triu_indices(len(own), 1)]) or 1.0
        for width in WIDTHS if len(columns) > 1 else [1.0]:
            gamma = 1 / (2 * middle * width**2)
            K.append(np.exp(-gamma * own))
            cross.append(np.exp(-gamma * other))
    return np.array(K), np.array(cross), y[train], y[test]
