"""Generalised MKL as a step of a pipeline: stationarity by hand, agreement with LIBSVM, refusals."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernmix import ColumnWeights, MKLClassifier, MKLRegressor


def problem(seed, n=60, columns=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns))
    return X, np.where(X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=n) > 0, "yes", "no")


def objective(X, y, d, C, penalty):
    """T(d) of the paper, with the SVM by LIBSVM."""
    K = rbf_kernel(X * np.sqrt(d), gamma=1.0)
    svm = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K, y)
    a = np.zeros(len(y))
    a[svm.support_] = svm.dual_coef_[0]
    return np.abs(a).sum() - 0.5 * a @ K @ a + penalty * d.sum()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("penalty", [0.3, 3.0])
def test_no_small_change_of_the_weights_is_better(seed, penalty):
    X, y = problem(seed)
    found = ColumnWeights(C=5.0, penalty=penalty, tol=1e-5, max_iter=5000).fit(X, y)
    best = objective(X, y, found.weights_, 5.0, penalty)
    assert found.objective_ == pytest.approx(best, rel=1e-5)
    assert found.stationarity_ <= 1e-5
    size = found.weights_.max()
    for m in range(X.shape[1]):
        for change in (-0.02, 0.02):
            d = found.weights_.copy()
            d[m] = max(d[m] + change * size, 0.0)
            assert objective(X, y, d, 5.0, penalty) >= best * (1 - 1e-5)


def test_weighs_the_columns_that_matter_and_helps():
    X, y = problem(7, n=150, columns=8)
    weights = ColumnWeights(penalty=10.0).fit(X, y).weights_
    assert set(np.argsort(weights)[-2:]) == {0, 1}
    svm = MKLClassifier("rbf(gamma=1)", scaling="none")
    learned = cross_val_score(make_pipeline(ColumnWeights(penalty=10.0), svm), X, y, cv=3).mean()
    even = cross_val_score(MKLClassifier("rbf(width=median)"), X, y, cv=3).mean()
    assert learned > even + 0.1


def test_numbers_views_and_data_frames():
    pandas = pytest.importorskip("pandas")
    X, _ = problem(3)
    y = 2.0 * X[:, 2] + 1.0
    frame = pandas.DataFrame(X, columns=list("abcde"))
    found = ColumnWeights(views=[0, 0, 1, 2, 2], C=10.0).fit(frame, y)
    assert found.weights_[0] == found.weights_[1]
    assert found.weights_[3] == found.weights_[4]
    assert found.weights_.argmax() == 2
    assert list(found.get_feature_names_out()) == list("abcde")
    np.testing.assert_array_equal(found.transform(frame), X * np.sqrt(found.weights_))
    regressor = make_pipeline(clone(found), MKLRegressor("rbf(gamma=1)", scaling="none", C=10.0)).fit(frame, y)
    assert regressor.score(frame, y) > 0.9
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).transform(frame), found.transform(frame))


def test_says_where_it_is_not_stationary():
    X, y = problem(4)
    with pytest.warns(ConvergenceWarning, match="stationarity"):
        found = ColumnWeights(max_iter=1, tol=1e-9).fit(X, y)
    assert found.n_iter_ <= 1


def test_has_the_same_bits_for_any_number_of_threads():
    X, y = problem(5)
    one, two = (ColumnWeights(n_jobs=jobs).fit(X, y).weights_ for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    "options, y, error, said",
    [
        ({}, "three", ValueError, "two classes"),
        ({}, "one", ValueError, "1 class:"),
        ({"views": [0, 1]}, "two", ValueError, "views must be 5 whole numbers"),
        ({"views": [0, 0, 0, 0, 2]}, "two", ValueError, "count from 0"),
        ({"loss": "hing"}, "two", ValueError, "unknown loss"),
        ({"loss": "squared"}, "two", ValueError, "learns from numbers, and y has labels"),
        ({"loss": "svdd:nu=0.5"}, "two", ValueError, "samples without targets"),
        ({"C": 0}, "two", ValueError, "'C'"),
        ({"memory": "50K"}, "two", MemoryError, "matrices of"),
    ],
    ids=range(9),
)
def test_refuses_what_cannot_be(options, y, error, said):
    X, two = problem(6)
    targets = {"two": two, "one": np.full(len(X), "a"), "three": np.resize(["a", "b", "c"], len(X))}[y]
    with pytest.raises(error, match=said):
        ColumnWeights(**options).fit(X, targets)
