"""Steps of a pipeline are fitted again wherever stability and significance train on some of the samples."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, TargetEncoder

from kernmix import DataError, MKLClassifier, MKLOneClass, MKLRegressor, MultilabelMKL, significance, weight_stability

RNG = np.random.default_rng(7)
N = 48
X = RNG.normal(size=(N, 4))
Y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.5 * RNG.normal(size=N) > 0.3, "ill", "well")
GROUPS = np.arange(N) // 2
WEIGHTS = RNG.integers(0, 3, size=N).astype(float)
VIEWS = {"a": [0, 1], "b": [2, 3]}
FEW = {"resamples": 6, "null_runs": 1}


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Recorder(TransformerMixin, BaseEstimator):
    """Does nothing, and remembers what it was fitted on."""

    seen: list[np.ndarray] = []  # noqa: RUF012  of all clones together

    def fit(self, X, y=None):
        Recorder.seen.append(np.asarray(X))
        return self

    def transform(self, X):
        return X


MACHINES = {
    "two classes": (MKLClassifier(views=VIEWS), Y),
    "several": (MKLClassifier(views=VIEWS, coupling="separate"), np.where(X[:, 2] > 0.8, "mild", Y)),
    "number": (MKLRegressor(views=VIEWS), X[:, 0] + 0.3 * RNG.normal(size=N)),
    "labels": (MultilabelMKL(views=VIEWS), np.column_stack([Y == "ill", X[:, 2] > 0])),
}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("method", ["subsample", "bootstrap"])
def test_steps_that_do_nothing_change_no_weight(name, method):
    machine, y = MACHINES[name]
    piped = make_pipeline(FunctionTransformer(), machine)
    for more in ({}, {"groups": GROUPS if name != "labels" else None, "sample_weight": WEIGHTS}):
        found = weight_stability(piped, X, y, method=method, **FEW, **more)
        right = weight_stability(machine, X, y, method=method, **FEW, **more)
        np.testing.assert_array_equal(found.shares, right.shares)
        for column in ("frequency", "mean", "low", "high", "null_frequency"):
            np.testing.assert_array_equal(found.views[column], right.views[column])
        assert (found.stable, found.null_stable, found.mean_chosen) == (
            right.stable,
            right.null_stable,
            right.mean_chosen,
        )


@pytest.mark.parametrize("name", MACHINES)
def test_steps_that_do_nothing_change_no_score(name):
    machine, y = MACHINES[name]
    piped = make_pipeline(FunctionTransformer(), machine)
    folds = KFold(3, shuffle=True, random_state=1)
    for more in ({}, {"sample_weight": WEIGHTS, "groups": GROUPS, "cv": 3}):
        asked = {"cv": folds, "permutations": 4, "permute_views": True, **more}
        found, right = (significance(one, X, y, **asked) for one in (piped, machine))
        for attribute in ("folds", "alone", "without"):
            np.testing.assert_array_equal(getattr(found, attribute), getattr(right, attribute))
        np.testing.assert_array_equal(found.labels.permuted, right.labels.permuted)
        assert found.labels.p == right.labels.p
        for view in VIEWS:
            np.testing.assert_array_equal(found.permuted_views[view].permuted, right.permuted_views[view].permuted)


def test_repeated_folds_carry_labels_through_the_steps():
    splits = [s for seed in (0, 1) for s in StratifiedKFold(3, shuffle=True, random_state=seed).split(X, Y)]
    asked = {"cv": splits, "permutations": 5, "views": False}
    machine = MKLClassifier(views=VIEWS, tol=1e-6)
    found = significance(make_pipeline(FunctionTransformer(), machine), X, Y, **asked)
    right = significance(machine, X, Y, **asked)
    np.testing.assert_allclose(found.folds, right.folds)
    np.testing.assert_allclose(found.labels.permuted, right.labels.permuted, atol=1e-9)


def test_missing_values_are_filled_in_from_the_training_part():
    holes = X.copy()
    holes[RNG.random(X.shape) < 0.2] = np.nan
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    pipeline = make_pipeline(SimpleImputer(), MKLClassifier(views=VIEWS, tol=1e-6))
    found = significance(pipeline, holes, Y, cv=folds, permutations=3)
    np.testing.assert_allclose(found.folds, cross_val_score(pipeline, holes, Y, cv=folds))
    stable = weight_stability(pipeline, holes, Y, **FEW)
    assert np.isfinite(stable.shares).all()


def test_what_steps_learn_of_labels_is_no_finding():
    """The ten of 300 columns of noise that go best with the labels of all samples look fine; chosen inside they do not."""
    rng = np.random.default_rng(3)
    noise, labels = rng.normal(size=(40, 300)), np.arange(40) % 2
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    leaky = significance(
        MKLClassifier("linear"), SelectKBest(k=10).fit_transform(noise, labels), labels, cv=folds, permutations=19
    )
    pipeline = make_pipeline(SelectKBest(k=10), MKLClassifier("linear", tol=1e-6))
    honest = significance(pipeline, noise, labels, cv=folds, permutations=19)
    np.testing.assert_allclose(honest.folds, cross_val_score(pipeline, noise, labels, cv=folds))
    assert leaky.mean > 0.8
    assert leaky.labels.p == 0.05
    assert honest.labels.p > 0.1
    # Steps choose by the permuted labels as well: with columns that are chosen once they would not reach this far.
    assert max(honest.labels.permuted) > 0.5


def test_steps_are_fitted_on_the_samples_that_were_drawn():
    Recorder.seen = []
    pipeline = make_pipeline(Recorder(), MKLClassifier(views=VIEWS))
    weight_stability(pipeline, X, Y, method="bootstrap", resamples=4, null_runs=0)
    whole, *drawn = Recorder.seen
    np.testing.assert_array_equal(whole, X)
    assert [len(rows) for rows in drawn] == [N] * 4
    assert all(len(np.unique(rows, axis=0)) < N for rows in drawn)
    Recorder.seen = []
    weight_stability(pipeline, X, Y, resamples=4, null_runs=0)
    halves = Recorder.seen[1:]
    assert [len(rows) for rows in halves] == [N // 2] * 4
    np.testing.assert_array_equal(np.unique(np.vstack(halves[:2]), axis=0), np.unique(X, axis=0))


def test_encoders_that_fit_on_parts_transform_as_in_a_pipeline():
    words = pd.DataFrame({"a": X[:, 0], "word": RNG.choice(list("abc"), size=N)})
    encode = TargetEncoder(random_state=0).set_output(transform="pandas")
    pipeline = make_pipeline(encode, MKLClassifier(tol=1e-6))
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    found = significance(pipeline, words, Y, cv=folds, views=False)
    np.testing.assert_allclose(found.folds, cross_val_score(pipeline, words, Y, cv=folds))


def test_other_kernels_in_some_resample_are_refused():
    """A column is dropped where it is constant, which depends on the samples."""

    class DropConstant(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            self.kept_ = np.ptp(X, axis=0) > 0
            return self

        def transform(self, X):
            return X[:, self.kept_]

    rare = X.copy()
    rare[:, 3] = 0.0
    rare[0, 3] = 1.0
    with pytest.raises(DataError, match="other kernels when they are fitted on a resample"):
        weight_stability(make_pipeline(DropConstant(), MKLClassifier("rbf on *, each")), rare, Y, **FEW)


def test_what_a_step_raises_is_raised():
    class Fails(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            if len(X) < N:
                raise RuntimeError("not today")
            return self

        def transform(self, X):
            return X

    pipeline = make_pipeline(Fails(), MKLClassifier(views=VIEWS, n_jobs=2))
    with pytest.raises(RuntimeError, match="not today"):
        weight_stability(pipeline, X, Y, **FEW)
    with pytest.raises(RuntimeError, match="not today"):
        significance(pipeline, X, Y)


def test_a_pipeline_without_labels():
    found = weight_stability(make_pipeline(FunctionTransformer(), MKLOneClass("rbf", nu=0.3)), X, resamples=4)
    right = weight_stability(MKLOneClass("rbf", nu=0.3), X, resamples=4)
    np.testing.assert_array_equal(found.shares, right.shares)
