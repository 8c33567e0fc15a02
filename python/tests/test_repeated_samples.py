"""A sample of weight w is w equal samples that no fold parts."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GroupKFold
from sklearn.utils.fixes import parse_version

from kernmix import GramStack, MKLClassifier, MKLOneClass, MKLRegressor, MKLSearchCV, MultilabelMKL
from kernmix._folds import splits_of

RNG = np.random.default_rng(0)
ROWS = RNG.permutation(150)[:80]
X, Y = (array[ROWS] for array in load_iris(return_X_y=True))
NUMBERS = load_diabetes(return_X_y=True)
NEW = RNG.normal(size=(20, 4)) + X.mean(axis=0)
WEIGHT = RNG.integers(0, 4, size=80).astype(float)
OF = RNG.permutation(np.repeat(np.arange(80), WEIGHT.astype(int)))  # of each repeated sample
EXACT = 1e-10
AGREE = {"rtol": 1e-4, "atol": 1e-4}  # the root of the tolerance, and ten times that

LABELS = np.column_stack([Y == 0, Y == 1, X[:, 0] > np.median(X[:, 0])]).astype(int)
TARGETS = X @ RNG.normal(size=(4, 2)) + 0.1 * RNG.normal(size=(80, 2))

MACHINES = {
    "two classes": (MKLClassifier(), (Y == 1).astype(int)),
    "balanced": (MKLClassifier(class_weight="balanced", loss="logistic"), (Y == 1).astype(int)),
    "classes": (MKLClassifier(scaling="minmax", normalization="cosine+variance"), Y),
    "pairs": (MKLClassifier(multi_class="ovo", coupling="separate", normalization="center+trace"), Y),
    "joint": (MKLClassifier(multi_class="joint", scaling="none"), Y),
    "labels": (MultilabelMKL(kernels="rbf(width=median)"), LABELS),
    "number": (MKLRegressor(bias="none", normalization="center"), TARGETS[:, 0]),
    "numbers": (MKLRegressor(loss="epsilon:eps=0.1", scaling="common"), TARGETS),
    "one class": (MKLOneClass(nu=0.3), None),
    "ball": (MKLOneClass(loss="svdd", nu=0.3), None),
}


def fitted(machine, y, **options):
    """Of weighted samples, and of repeated ones; options: (of the one, of the other)."""
    own = {name: pair[0] for name, pair in options.items()}
    repeated = {name: pair[1] for name, pair in options.items()}
    y_repeated = None if y is None else y[OF]
    machine = clone(machine).set_params(tol=EXACT)
    return (
        clone(machine).fit(X, y, sample_weight=WEIGHT, **own),
        clone(machine).fit(X[OF], y_repeated, **repeated),
    )


def predict(machine):
    return machine.decision_function(NEW) if hasattr(machine, "decision_function") else machine.predict(NEW)


@pytest.mark.parametrize("name", MACHINES)
def test_every_estimator(name):
    weighted, repeated = fitted(*MACHINES[name])
    np.testing.assert_allclose(predict(weighted), predict(repeated), **AGREE)
    unweighted = clone(weighted).fit(X, MACHINES[name][1])
    assert not np.allclose(predict(unweighted), predict(repeated), **AGREE)


GROUPS = (np.arange(80), OF)


@pytest.mark.parametrize("method", ["platt", "isotonic", "beta"])
@pytest.mark.parametrize("name", ["two classes", "classes", "labels"])
def test_calibration(name, method):
    machine, y = MACHINES[name]
    machine = clone(machine).set_params(calibration=method, calibration_folds=3)
    weighted, repeated = fitted(machine, y, groups=GROUPS)
    np.testing.assert_allclose(weighted.predict_proba(NEW), repeated.predict_proba(NEW), **AGREE)


def test_thresholds():
    machine, y = MACHINES["labels"]
    weighted, repeated = fitted(clone(machine).set_params(threshold_folds=3), y, groups=GROUPS)
    np.testing.assert_array_equal(weighted.predict(NEW), repeated.predict(NEW))


@pytest.mark.parametrize("cv", [3, GroupKFold(3)])
def test_search(cv):
    """A number of folds is of whole groups, as large as the weights of their samples say."""
    machine, y = MACHINES["two classes"]
    patients = np.arange(80) // 7
    if not isinstance(cv, int):  # it counts samples
        cv = list(GroupKFold(3).split(X, y, patients))
    search = MKLSearchCV(clone(machine).set_params(tol=EXACT), {"C": [0.1, 10]}, cv=cv, scoring="accuracy")
    weighted = clone(search).fit(X, y, groups=patients, sample_weight=WEIGHT)
    if not isinstance(cv, int):
        search.cv = [tuple(np.flatnonzero(np.isin(OF, part)) for part in split) for split in cv]
    repeated = search.fit(X[OF], y[OF], groups=patients[OF])
    np.testing.assert_allclose(predict(weighted), predict(repeated), **AGREE)
    assert weighted.best_params_ == repeated.best_params_
    if parse_version(sklearn.__version__) >= parse_version("1.7"):  # which weighs scores
        for key in ("mean_test_score", "std_test_score"):
            np.testing.assert_allclose(weighted.cv_results_[key], repeated.cv_results_[key])


def test_given_matrices():
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    new = (NEW - X.mean(axis=0)) / X.std(axis=0)
    y = (Y == 1).astype(int)

    def stack(left, right):
        distance = np.linalg.norm(left[:, None, :] - right[None, :, :], axis=2)
        return np.stack([left @ right.T + 1, np.exp(-(distance**2))])

    for normalization in ("variance", "center+trace", "unit-trace"):
        machine = MKLClassifier(normalization=normalization, tol=EXACT)
        weighted = clone(machine).fit(GramStack(stack(Z, Z)), y, sample_weight=WEIGHT)
        repeated = clone(machine).fit(GramStack(stack(Z[OF], Z[OF])), y[OF])
        np.testing.assert_allclose(
            weighted.decision_function(GramStack(stack(new, Z))),
            repeated.decision_function(GramStack(stack(new, Z[OF]))),
            **AGREE,
        )


def test_groups_are_as_large_as_their_weights():
    for seed in range(20):
        patients = np.random.default_rng(seed).integers(0, 8, size=80)
        own = splits_of(MKLClassifier(), 3, X, Y, patients, WEIGHT)
        same = splits_of(MKLClassifier(), 3, X[OF], Y[OF], patients[OF])
        for split, repeated in zip(own, same, strict=True):
            assert [set(part) for part in split] == [set(OF[part]) for part in repeated]


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_a_factor_of_all_weights_is_one_of_C(factor):
    """Kernels do not change; the default of widths interpolates between pairs, which whole factors repeat."""
    machine = MKLClassifier(kernels="rbf(gamma=0.5)", tol=EXACT)
    y = (Y == 1).astype(int)
    weighted = clone(machine).set_params(C=1.0).fit(X, y, sample_weight=factor)
    other = clone(machine).set_params(C=factor).fit(X, y)
    np.testing.assert_allclose(predict(weighted), predict(other), **AGREE)
