"""Splits that never test some samples, such as those in time."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit, ShuffleSplit, TimeSeriesSplit, cross_val_score

import kernmix
from kernmix import KernmixWarning, MKLClassifier, MKLRegressor, MKLSearchCV, significance

RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 4))
Y = np.where(X[:, 0] + 0.5 * RNG.normal(size=60) > 0, "up", "down")
VIEWS = {"a": [0, 1], "b": [2, 3]}
SPLITS = {
    "in time": TimeSeriesSplit(3),
    "in time, with a gap": TimeSeriesSplit(3, gap=2, max_train_size=30),
    "one test part": PredefinedSplit(np.repeat([-1, 0, -1, 1], 15)),
    "random": ShuffleSplit(3, test_size=0.2, random_state=0),
}


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KernmixWarning)
        yield


@pytest.mark.parametrize("splits", SPLITS.values(), ids=SPLITS)
def test_every_entry_takes_the_same_folds(splits):
    machine = MKLClassifier("rbf(width=median)", views=VIEWS, n_jobs=1, tol=1e-6)
    expected = cross_val_score(machine, X, Y, cv=splits)
    found = significance(machine, X, Y, cv=splits)
    np.testing.assert_allclose(found.folds, expected, atol=1e-12)
    search = MKLSearchCV(machine, {"C": [machine.C]}, cv=splits).fit(X, Y)
    assert search.best_score_ == pytest.approx(expected.mean())
    compared = kernmix.compare(
        X, Y, {"l1": machine}, splits=splits, inner_folds=2, baselines=False, views=VIEWS, n_jobs=1
    )
    assert compared.means()["mean"][0] == pytest.approx(expected.mean())


def test_numbers_in_time():
    y = np.cumsum(X[:, 0]) / 5 + X[:, 1]
    machine = MKLRegressor("linear", views=VIEWS, n_jobs=1, tol=1e-9)
    splits = TimeSeriesSplit(3)
    expected = cross_val_score(machine, X, y, cv=splits)
    np.testing.assert_allclose(significance(machine, X, y, cv=splits).folds, expected, atol=1e-5)


def test_permutations_are_refused_or_done():
    """Labels can be exchanged among samples that are in the same part of every fold alone."""
    found = significance(MKLClassifier("linear", n_jobs=1), X, Y, cv=TimeSeriesSplit(3), permutations=5, views=False)
    assert 1 / 6 <= found.labels.p <= 1
