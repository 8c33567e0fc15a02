"""MKLSearchCV finds what GridSearchCV finds, and computes the kernels of a fold once."""

import os
import signal
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernmix import GramStack, MKLClassifier, MKLOneClass, MKLRegressor, MKLSearchCV, MultilabelMKL
from kernmix.search import _with_ties

GRID = {"C": [10, 0.1, 1], "regularizer": ["lp:p=2", "l1"]}
VIEWS = {"mean": range(10), "error": range(10, 20), "worst": range(20, 30)}


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[::4].copy(), y[::4]


def classifier(**options):
    options = {"views": VIEWS, "tol": 1e-6, **options}
    return MKLClassifier(["rbf(width=median*2^-1..2^1)", "linear"], **options)


def both(estimator, grid, X, y=None, *, fit=None, **options):
    found = []
    for search in (GridSearchCV, MKLSearchCV):
        options = {"cv": 3, **options}
        found.append(search(clone(estimator), grid, **options).fit(X, y, **(fit or {})))
    return found


def assert_same_results(expected, found, atol=1e-9):
    assert list(expected.cv_results_) == list(found.cv_results_)
    assert expected.cv_results_["params"] == found.cv_results_["params"]
    for name, scores in expected.cv_results_.items():
        if "time" not in name and "param" not in name and "rank" not in name:
            np.testing.assert_allclose(scores, found.cv_results_[name], atol=atol, err_msg=name)


def test_finds_what_grid_search_finds_with_one_bank_for_each_fold(cancer):
    expected, found = both(classifier(), GRID, *cancer, return_train_score=True)
    assert_same_results(expected, found)
    assert found.best_params_ == expected.best_params_
    assert found.best_score_ == pytest.approx(expected.best_score_)
    assert found.score(*cancer) == pytest.approx(expected.score(*cancer))
    assert found.saved_["models"] == 18
    assert 3 <= found.saved_["kernel_builds"] <= 6  # a model may need double precision
    assert found.saved_["warm_starts"] == 15
    assert found.saved_["saved_seconds"] > found.saved_["kernel_seconds"] > 0
    assert found.n_splits_ == 3
    assert found.refit_time_ > 0
    assert found.best_estimator_.verify(*cancer)


def test_every_model_is_certified(cancer):
    def relative_gap(model, X, y):
        assert model.status_ == "converged"
        return -model.certificate_.relative_gap

    search = MKLSearchCV(classifier(), GRID, scoring=relative_gap, cv=3).fit(*cancer)
    assert search.cv_results_["mean_test_score"].min() >= -1e-6


def test_a_kernel_in_python_is_evaluated_once_for_each_fold(cancer):
    shapes = []

    def kernel(A, B):
        shapes.append((len(A), len(B)))
        return A @ B.T

    X, y = cancer
    estimator = MKLClassifier(["linear", kernel])
    MKLSearchCV(estimator, {"C": [0.1, 1, 10]}, cv=3, refit=False).fit(X, y)
    assert sum(rows > len(X) / 2 for rows, _ in shapes) == 3


def test_candidates_of_other_kernels_have_their_own(cancer):
    grid = {
        "kernels": ["linear", ["rbf(width=median)"]],
        "scaling": ["standard", "minmax"],
        "C": [0.1, 1],
    }
    expected, found = both(classifier(), grid, *cancer)
    assert_same_results(expected, found)
    assert 3 * 4 <= found.saved_["kernel_builds"] <= 6 * 4


def test_one_computation_of_kernels_serves_a_fold(cancer):
    grid = {"C": [0.1, 1, 10, 100], "regularizer": ["lp:p=1", "lp:p=1.5", "lp:p=4"], "loss": ["hinge", "logistic"]}
    search = MKLSearchCV(classifier(tol=1e-3), grid, cv=4, refit=False).fit(*cancer)
    assert search.saved_["kernel_builds"] == 4
    assert search.saved_["models"] == 96


def test_the_number_of_jobs_changes_nothing(cancer):
    found = [
        MKLSearchCV(classifier(), GRID, cv=3, n_jobs=n_jobs, scoring="neg_log_loss", refit=False)
        .set_params(estimator__loss="logistic")
        .fit(*cancer)
        for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(*(one.cv_results_["mean_test_score"] for one in found))


def test_many_metrics_and_a_callable_refit(cancer):
    scoring = {"accuracy": "accuracy", "area": "roc_auc"}
    expected, found = both(classifier(), GRID, *cancer, scoring=scoring, refit="area")
    assert_same_results(expected, found)
    assert found.multimetric_
    assert found.best_params_ == expected.best_params_
    assert set(found.scorer_) == set(scoring)

    def smallest_C(results):
        return int(np.argmin(results["param_C"].astype(float)))

    chosen = MKLSearchCV(classifier(), GRID, cv=3, scoring=scoring, refit=smallest_C).fit(*cancer)
    assert chosen.best_params_["C"] == 0.1
    assert not hasattr(chosen, "best_score_")
    with pytest.raises(ValueError, match="refit"):
        MKLSearchCV(classifier(), GRID, scoring=scoring).fit(*cancer)


def test_a_scorer_that_returns_a_dictionary(cancer):
    def scores(model, X, y):
        return {"hits": np.mean(model.predict(X) == y), "kernels": (model.weights_["weight"] > 0).sum()}

    expected, found = both(classifier(), GRID, *cancer, scoring=scores, refit="hits")
    assert found.best_params_ == expected.best_params_
    assert "mean_test_kernels" in found.cv_results_


def test_candidates_that_fail_have_the_error_score(cancer):
    grid = [{"C": [1, 10]}, {"regularizer": ["lp:p=0.5"]}]
    with pytest.warns(match="3 fits failed"):
        search = MKLSearchCV(classifier(), grid, cv=3, error_score=-1).fit(*cancer)
    assert search.cv_results_["mean_test_score"][2] == -1
    assert search.best_params_["C"] in (1, 10)
    with pytest.raises(ValueError, match="p must be >= 1"):
        MKLSearchCV(classifier(), grid, cv=3, error_score="raise").fit(*cancer)
    with pytest.raises(ValueError, match="All the 3 fits failed"):
        MKLSearchCV(classifier(), {"C": [-1]}, cv=3).fit(*cancer)


def test_groups_and_weights_go_where_they_belong(cancer):
    X, y = cancer
    groups = np.arange(len(X)) // 5
    weights = np.where(np.arange(len(X)) % 7 == 0, 0.0, 1.0 + (y == 0))
    fit = {"groups": groups, "sample_weight": weights}
    expected, found = both(classifier(), GRID, X, y, fit=fit, cv=GroupKFold(3))
    assert_same_results(expected, found)


@pytest.mark.parametrize("on_disk", [False, True])
def test_matrices_are_split_too(cancer, tmp_path, on_disk):
    X, y = cancer
    X = StandardScaler().fit_transform(X)
    matrices = np.stack([X[:, :10] @ X[:, :10].T, np.tanh(X[:, 10:] @ X[:, 10:].T / 20), np.eye(len(X))])
    matrices[1] = X[:, 20:] @ X[:, 20:].T
    np.save(tmp_path / "stack.npy", matrices)
    stack = GramStack(tmp_path / "stack.npy" if on_disk else matrices)
    model = MKLClassifier(tol=1e-6, normalization="trace")
    expected, found = both(model, GRID, stack, y)
    assert_same_results(expected, found)
    assert found.saved_["kernel_builds"] == 3
    jobs = MKLSearchCV(model, GRID, cv=3, n_jobs=2).fit(stack, y)
    np.testing.assert_array_equal(jobs.cv_results_["mean_test_score"], found.cv_results_["mean_test_score"])


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
def test_more_than_two_classes(cancer, multi_class):
    X, y = cancer
    y = y + (X[:, 0] > np.median(X[:, 0]))
    expected, found = both(classifier(multi_class=multi_class), GRID, X, y)
    assert_same_results(expected, found, atol=0.02)  # a sample of 48, near a boundary
    assert 3 <= found.saved_["kernel_builds"] <= 6  # a model may need double precision


@pytest.mark.parametrize("targets", [1, 2])
def test_numbers(cancer, targets):
    X, _ = cancer
    y = np.column_stack([X[:, 0] + X[:, 5], np.sqrt(X[:, 3])])[:, :targets]
    y = (y / y.std(axis=0)).squeeze()
    estimator = MKLRegressor("rbf(width=median)", views={"a": range(1, 10), "b": range(10, 30)}, tol=1e-6)
    expected, found = both(estimator, {"C": [1, 10], "regularizer": ["lp:p=2", "l1"]}, X, y, cv=KFold(3))
    assert_same_results(expected, found, atol=1e-3)
    assert found.best_params_ == expected.best_params_


def test_labels_and_novelty(cancer):
    X, y = cancer
    labels = np.column_stack([y, X[:, 0] > np.median(X[:, 0])]).astype(int)
    expected, found = both(MultilabelMKL("linear", tol=1e-6), {"C": [0.1, 1]}, X, labels, cv=KFold(3))
    assert_same_results(expected, found)

    def share_of_inliers(model, X, y=None):
        return np.mean(model.predict(X) == 1)

    grid = {"nu": [0.1, 0.3], "loss": ["one-class", "svdd"]}
    estimator = MKLOneClass("rbf(width=median)", tol=1e-6)
    expected, found = both(estimator, grid, X, scoring=share_of_inliers)
    assert_same_results(expected, found, atol=0.05)


def test_only_estimators_of_kernmix(cancer):
    with pytest.raises(TypeError, match="use scikit-learn's GridSearchCV"):
        MKLSearchCV(make_pipeline(classifier(), StandardScaler()), GRID).fit(*cancer)


def test_unknown_parameters_are_refused(cancer):
    with pytest.raises(ValueError, match="Invalid parameter 'c'"):
        MKLSearchCV(classifier(), {"c": [1]}).fit(*cancer)


def test_is_an_estimator_itself(cancer):
    search = MKLSearchCV(classifier(), GRID, cv=3)
    assert clone(search).get_params()["estimator__tol"] == 1e-6
    fitted = search.fit(*cancer)
    np.testing.assert_array_equal(fitted.classes_, [0, 1])
    assert fitted.predict(cancer[0][:3]).shape == (3,)


def _kills_once(model, X, y, *, flag):
    if not os.path.exists(flag):
        with open(flag, "w"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)
    return model.score(X, y)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals to kill with")
def test_a_killed_worker_loses_nothing(cancer, tmp_path):
    from functools import partial

    expected = MKLSearchCV(classifier(), GRID, cv=3).fit(*cancer)
    scoring = partial(_kills_once, flag=str(tmp_path / "killed"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = MKLSearchCV(classifier(), GRID, cv=3, n_jobs=2, scoring=scoring).fit(*cancer)
    np.testing.assert_array_equal(expected.cv_results_["mean_test_score"], found.cv_results_["mean_test_score"])


def test_score_functions_with_requests(cancer):
    scorer = make_scorer(lambda y, predicted: float(np.mean(y == predicted)))
    expected, found = both(classifier(), {"C": [0.1, 10]}, *cancer, scoring=scorer)
    assert_same_results(expected, found)


def test_models_that_do_not_converge_are_counted_and_not_told_one_by_one(cancer):
    X, y = cancer
    estimator = MKLClassifier(["rbf(width=median*2^-1..2^1)"], views=VIEWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search = MKLSearchCV(estimator, {"C": [0.1, 1]}, cv=3, refit=False).fit(X, y)
    assert search.saved_["warnings"] == {}
    hurried = clone(estimator).set_params(max_iter=1, tol=1e-9)
    search = MKLSearchCV(hurried, {"C": [0.1, 1]}, cv=3, refit=False)
    with pytest.warns(match="6 of 6 models of the search did not reach their tol"):
        search.fit(X, y)
    assert search.saved_["warnings"]["not-converged"] == 6


def test_steps_of_a_pipeline_are_fitted_within_the_folds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    y = np.where(X[:, 0] + X[:, 1] > 0, "a", "b")
    X[rng.random(X.shape) < 0.1] = np.nan
    pipeline = make_pipeline(SimpleImputer(), MKLClassifier(tol=1e-8))
    grid = {"mklclassifier__C": [0.1, 1.0], "simpleimputer__strategy": ["mean", "median"]}
    ours = MKLSearchCV(pipeline, grid, cv=3).fit(X, y)
    theirs = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert np.allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-12)
    assert ours.best_params_ == theirs.best_params_
    assert ours.saved_["models"] == 12 and ours.saved_["kernel_builds"] == 6
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_groups_and_weights_reach_the_last_step_of_a_pipeline():
    # Copies of one another with labels by group: calibration that parts a group is too sure.
    rng = np.random.default_rng(7)
    group = np.tile(np.arange(24), 4)
    X, y = rng.normal(size=(24, 4))[group], rng.permutation(np.arange(24) % 2)[group]
    weights = np.where(group == 3, 0.0, 1.0 + group % 2)
    machine = MKLClassifier("rbf(gamma=4)", C=100, calibration="platt", calibration_folds=4)
    pipeline = make_pipeline(StandardScaler(), machine)
    grid = {"mklclassifier__C": [100]}
    found = MKLSearchCV(pipeline, grid, cv=3).fit(X, y, groups=group, sample_weight=weights)
    Z = StandardScaler().fit_transform(X)
    alone = MKLSearchCV(machine, {"C": [100]}, cv=3).fit(Z, y, groups=group, sample_weight=weights)
    assert np.array_equal(found.predict_proba(X), alone.predict_proba(Z))
    assert np.ptp(found.predict_proba(X)[:, 1]) < 0.8
    assert not set(found.best_estimator_[-1].support_) & set(np.flatnonzero(weights == 0))


def test_means_that_differ_by_rounding_alone_are_tied():
    # Scores of folds of 20 samples, compared as whole numbers.
    rng = np.random.default_rng(0)
    tied = 0
    for _ in range(300):
        right = rng.integers(14, 18, size=(6, 5))
        means = (right / 20).mean(axis=1)
        ranks = _with_ties({"mean_test_score": means})["rank_test_score"]
        sums = right.sum(axis=1)
        assert ranks.tolist() == [1 + int(np.sum(sums > own)) for own in sums]
        tied += len(set(sums)) < len(sums)
    assert tied > 100
    assert _with_ties({"mean_test_score": np.array([np.nan, 0.5])})["rank_test_score"].tolist() == [2, 1]
