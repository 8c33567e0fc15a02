"""The sets of KERNMIX_DATA that need more than one view, many labels, or given matrices."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.model_selection import cross_val_score, train_test_split

from kernmix import GramStack, MKLClassifier, MKLRegressor, adapters

DATA = Path(os.environ.get("KERNMIX_DATA", ""))


def folder(name):
    path = DATA / name
    if "KERNMIX_DATA" not in os.environ or not path.is_dir():
        pytest.skip(f"KERNMIX_DATA has no {name}")
    return path


def test_six_descriptors_of_digits():
    files = sorted(folder("mfeat").glob("view*.libsvm"))
    views, labels = zip(*(load_svmlight_file(file) for file in files), strict=True)
    table = adapters.from_views(dict(zip([file.stem for file in files], views, strict=True)))
    rows, _ = train_test_split(np.arange(2000), train_size=600, stratify=labels[0], random_state=0)
    train, test = train_test_split(rows, stratify=labels[0][rows], random_state=0)
    X, y = table.X, labels[0].astype(int)
    model = MKLClassifier("rbf(width=median)", views=table.views, C=10).fit(X.iloc[train], y[train])
    assert model.weights_["view"].tolist() == list(table.views)
    assert model.score(X.iloc[test], y[test]) > 0.95
    assert model.verify(X.iloc[train], y[train])


def test_a_scale_trap_among_matrices():
    path = folder("texas-k")
    stack = GramStack(path / "kernels.npy")
    y = np.loadtxt(path / "y.txt")
    normalised = cross_val_score(MKLClassifier(C=10), stack, y, cv=3).mean()
    assert normalised > 0.5
    model = MKLClassifier(C=10).fit(stack, y)
    assert len(model.kernel_names_) == 2 and model.verify(stack, y)


def test_the_strength_of_concrete():
    X, y = load_svmlight_file(str(folder("concrete") / "data.libsvm"))
    train, test = train_test_split(np.arange(len(y)), random_state=0)
    views = {"mixture": range(7), "age": [7]}
    X = X.toarray()
    model = MKLRegressor(["rbf(width=median)", "rbf on all"], views=views, C=100).fit(X[train], y[train])
    assert model.score(X[test], y[test]) > 0.8
    shares = model.explained_by_view(X[test], y[test])
    assert set(shares) == {"mixture", "age", "all"} and 0.7 < sum(shares.values()) <= 1
