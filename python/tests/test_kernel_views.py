"""A kernel that is written in Python counts to the view whose columns it reads, in every result."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score

from kernmix import KernmixWarning, MKLClassifier, explain, kernels, significance, weight_stability

X, y = load_wine(return_X_y=True)
X = X[::2] / X.std(axis=0)
Y = (y[::2] == 1).astype(int)
VIEWS = {"a": list(range(6)), "b": list(range(6, 13))}
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


def near(A, B):
    return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / 6)


def far(A, B):
    return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / 60)


BANKS = {
    "beside a kernel of the view": ["rbf(width=median) on a|b", kernels.function(near, view="a")],
    "alone on the view": ["rbf(width=median) on b", kernels.function(near, view="a")],
    "two alone on the view": ["rbf(width=median) on b", *(kernels.function(f, view="a") for f in (near, far))],
    "with a group of its own": ["rbf(width=median) on a|b", kernels.function(near, view="a", group="mine")],
    "on both views": [kernels.function(near, view="a"), kernels.function(near, view="b"), "linear"],
}


def machine(bank):
    return MKLClassifier(bank, views=VIEWS, regularizer="average", n_jobs=1)


def views_of(bank):
    """The view of each kernel, in the order of the kernels."""
    every = []
    for kernel in bank:
        if isinstance(kernel, kernels.Function):
            every.append(kernel.view)
        elif kernel == "linear":
            every += list(VIEWS)
        else:
            every += kernel.rpartition(" on ")[2].split("|")
    return every


def without(bank, view):
    """The bank without the kernels on a view."""
    own = []
    for kernel in bank:
        if isinstance(kernel, kernels.Function):
            own += [kernel] if kernel.view != view else []
        elif kernel == "linear":
            own += [f"linear on {other}" for other in VIEWS if other != view]
        else:
            function, _, views = kernel.rpartition(" on ")
            own += [f"{function} on {other}" for other in views.split("|") if other != view]
    return own


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KernmixWarning)
        yield


@pytest.mark.parametrize("bank", BANKS.values(), ids=BANKS)
def test_weights_count_to_the_view(bank):
    for model in (fitted := machine(bank).fit(X, Y), pickle.loads(pickle.dumps(fitted))):
        assert model.weights_["view"].tolist() == views_of(bank)
        by_view = model.weights_.by("view")
        assert set(by_view["view"]) == set(VIEWS)
        count = views_of(bank)
        for view, weight in zip(by_view["view"], by_view["weight"], strict=True):
            assert weight / model.weights_["weight"].sum() == pytest.approx(count.count(view) / len(count))
        assert set(model.view_samples_) == set(VIEWS)


@pytest.mark.parametrize("bank", BANKS.values(), ids=BANKS)
def test_significance_leaves_out_every_kernel_of_a_view(bank):
    found = significance(machine(bank), X, Y, cv=FOLDS).views
    assert sorted(found["view"]) == list(VIEWS)
    for view, score in zip(found["view"], found["without"], strict=True):
        expected = cross_val_score(machine(without(bank, view)), X, Y, cv=FOLDS).mean()
        assert score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("bank", BANKS.values(), ids=BANKS)
def test_stability_and_explanation_sum_over_the_kernels_of_a_view(bank):
    found = weight_stability(machine(bank), X, Y, resamples=4, null_runs=0)
    assert set(found.views["view"]) == set(VIEWS)
    assert found.kernels["view"].tolist() == views_of(bank)
    model = machine(bank).fit(X, Y)
    views = explain(model, X).views
    assert sorted(views["view"]) == list(VIEWS)
    assert views["share"].sum() == pytest.approx(1)
    parts = model.contributions(X)
    for view, deviation in zip(views["view"], views["deviation"], strict=True):
        own = parts[:, [k for k, other in enumerate(views_of(bank)) if other == view]].sum(axis=1)
        assert deviation == pytest.approx(own.std(), rel=1e-6)


def test_a_view_of_functions_that_samples_lack_has_its_number_of_samples():
    lacking = X.copy()
    lacking[::5, :6] = np.nan
    model = machine(BANKS["alone on the view"]).fit(lacking, Y)
    assert model.view_samples_ == {"b": len(X), "a": int((~np.isnan(lacking[:, 0])).sum())}


def test_a_function_of_no_view_is_a_view_of_its_own():
    model = machine(["linear on a", near]).fit(X, Y)
    assert model.weights_["view"].tolist() == ["a", "near"]
