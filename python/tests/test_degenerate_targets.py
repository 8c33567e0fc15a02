"""Constant targets among others, one target, and what is refused before a kernel in Python is called."""

from __future__ import annotations

import os
import re
import subprocess

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from kernmix import KernmixWarning, MKLClassifier, MKLOneClass, MKLRegressor, MKLSearchCV, MultilabelMKL, kernels

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

RNG = np.random.default_rng(0)
N = 80
X = RNG.normal(size=(N, 6))
ALIVE = np.column_stack([X[:, 0], X[:, 1]]) + 0.1 * RNG.normal(size=(N, 2))
VIEWS = {"s": [0, 1, 2], "m": [3, 4, 5]}


def regressor(**more):
    return MKLRegressor(views=VIEWS, C=10, **more)


@pytest.mark.parametrize("dead", [1, 3])
@pytest.mark.parametrize("value", [0.0, 0.1, -7e5])
def test_a_dead_target_takes_nothing_from_the_others(dead, value):
    alone = regressor(coupling="separate").fit(X, ALIVE)
    fitted = regressor(coupling="separate").fit(X, np.column_stack([ALIVE, np.full((N, dead), value)]))
    np.testing.assert_allclose(fitted.weights_["weight"], alone.weights_["weight"], rtol=1e-12)
    expected = alone.explained_by_view(X, ALIVE)
    found = fitted.explained_by_view(X, np.column_stack([ALIVE, np.full((N, dead), value)]))
    for view in VIEWS:
        np.testing.assert_allclose(found[view][:2], expected[view], atol=1e-12)
        assert np.isnan(found[view][2:]).all()
    assert fitted.verify(X, np.column_stack([ALIVE, np.full((N, dead), value)]))


def test_explained_by_view_of_nothing_but_constants():
    fitted = regressor().fit(X, ALIVE)
    with pytest.raises(ValueError, match="constant"):
        fitted.explained_by_view(X, np.ones((N, 2)))


@pytest.mark.parametrize("coupling", ["sum", "minimax"])
def test_a_dead_target_of_shared_weights_converges(coupling):
    fitted = regressor(coupling=coupling).fit(X, np.column_stack([ALIVE, np.zeros(N)]))
    assert fitted.status_ == "converged"


def test_one_target_is_one_task_whatever_the_coupling():
    y = ALIVE[:, 0]
    plain = regressor().fit(X, y).predict(X)
    for coupling in ("sum", "minimax", "separate"):
        for target in (y, y[:, None]):
            np.testing.assert_array_equal(regressor(coupling=coupling).fit(X, target).predict(X).ravel(), plain)
    for search in (GridSearchCV, MKLSearchCV):
        found = search(regressor(), {"coupling": ["sum", "separate", "minimax"]}).fit(X, y)
        scores = found.cv_results_["mean_test_score"]
        np.testing.assert_allclose(scores, scores[0], rtol=1e-2)
    with pytest.raises(ValueError, match="coupling|sharing"):
        regressor(coupling="product").fit(X, y)


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.csv"
    rows = ["a,b,price,dead"] + [f"{x[0]:.3f},{x[1]:.3f},{x[0] * 2:.3f},1" for x in X]
    path.write_text("\n".join(rows) + "\n")
    return path


@needs_tool
@pytest.mark.parametrize("sharing", ["sum", "minimax", "separate"])
@pytest.mark.parametrize("target", [("--label", "price"), ("--targets", "price"), ("--targets", "price,dead")])
def test_tool_takes_one_target_and_dead_ones(prices, tmp_path, sharing, target):
    ignored = () if "dead" in target[1] else ("--ignore", "dead")
    options = ("--loss", "squared", "--sharing", sharing, "-o", tmp_path / "m.kmx", "--quiet")
    done = subprocess.run(
        [KERNMIX, "train", prices, *target, *ignored, *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@needs_tool
def test_a_constant_target_has_one_warning_in_python_and_the_tool(prices, tmp_path):
    sentence = "The target has one value for all samples, so there is nothing to learn. Is it the right column?"
    with pytest.warns(KernmixWarning, match=re.escape(f"{sentence} [constant-target]")):
        fitted = regressor().fit(X, np.full(N, 7.0))
    np.testing.assert_allclose(fitted.predict(X), 7.0, rtol=1e-12)
    for command in (("train", "-o", tmp_path / "m.kmx"), ("cv", "--folds", "3")):
        data = (prices, "--label", "dead", "--ignore", "price", "--loss", "squared")
        done = subprocess.run([KERNMIX, *command, *data], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert sentence in " ".join(done.stderr.split())


@needs_tool
def test_auto_takes_targets_without_a_loss(prices, tmp_path):
    command = [KERNMIX, "auto", prices, "--targets", "price,dead", "--folds", "3", "-o", tmp_path / "r", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "squared" in done.stdout


@pytest.mark.parametrize("normalize", ["center", "center+trace", "cosine+center+trace", "variance", "trace"])
@pytest.mark.parametrize("constant", [1.0, 3.3, 0.1, 1e-12, 1e12])
def test_verify_takes_constant_kernels(normalize, constant):
    y = (X[:, 0] > 0).astype(int)
    column = np.column_stack([X[:, :2], np.full(N, constant)])
    for kernel in ("linear", "rbf", "poly(degree=2,coef0=1)"):
        machine = MKLClassifier(
            ["rbf on u", f"{kernel} on v"], views={"u": [0, 1], "v": [2]}, normalization=normalize, scaling="none"
        ).fit(column, y)
        checked = machine.verify(column, y)
        assert checked, checked


class Slow:
    """A kernel in Python that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, A, B):
        self.calls += 1
        return A @ B.T


RARE = np.r_[np.ones(6), np.zeros(N - 6)].astype(int)
MARKS = np.column_stack([RARE, 1 - RARE])
REFUSED = [
    (MKLClassifier, {"loss": "nu-svc:nu=0.5"}, RARE),
    (MKLClassifier, {"class_weight": {7: 2}}, RARE),
    (MKLClassifier, {"loss": "hing"}, RARE),
    (MKLClassifier, {"loss": "squared"}, RARE),
    (MKLClassifier, {"regularizer": "l7"}, RARE),
    (MKLClassifier, {"regularizer": "fixed:1,2"}, RARE),
    (MKLClassifier, {"solver": "spicy", "loss": "nu-svc:nu=0.1"}, RARE),
    (MKLClassifier, {"solver": "nowton"}, RARE),
    (MKLClassifier, {"calibration": "platt", "calibration_folds": 10}, RARE),
    (MKLClassifier, {"C": 1e60}, RARE),
    (MKLClassifier, {"normalization": "cosin"}, RARE),
    (MKLClassifier, {"multi_class": "joint", "coupling": "minimax"}, RARE),
    (MultilabelMKL, {"threshold_folds": N + 1}, MARKS),
    (MultilabelMKL, {"threshold_folds": 3, "calibration": "platt"}, MARKS),
    (MultilabelMKL, {"calibration": "platt", "calibration_folds": 7}, MARKS),
    (MKLRegressor, {"loss": "hinge"}, X[:, 0]),
    (MKLRegressor, {"loss": "nu-svr:nu=2"}, X[:, 0]),
    (MKLRegressor, {"solver": "smo-mkl", "regularizer": "l1"}, X[:, 0]),
    (MKLOneClass, {"loss": "one-clas"}, None),
    (MKLOneClass, {"nu": 1e-300}, None),
]


@pytest.mark.parametrize(("kind", "wrong", "y"), REFUSED, ids=[f"{k.__name__}-{w}" for k, w, _ in REFUSED])
def test_refused_before_a_kernel_is_called(kind, wrong, y):
    slow = Slow()
    with pytest.raises((ValueError, TypeError)):
        kind(kernels.function(slow), **wrong).fit(X, y)
    assert slow.calls == 0


def test_a_misspelt_kernel_beside_one_in_python():
    slow = Slow()
    with pytest.raises(ValueError, match="rbff"):
        MKLClassifier([kernels.function(slow), "rbff"]).fit(X, RARE)
    assert slow.calls == 0


@pytest.mark.parametrize("kernel", ["rbf(width=median)", "linear", "poly(degree=2)"])
@pytest.mark.parametrize("nu", [0.01, 0.05, 0.1, 0.5])
def test_no_more_outliers_than_nu(kernel, nu):
    rng = np.random.default_rng(3)
    sets = [rng.normal(size=(100, 3)), rng.integers(0, 3, size=(90, 3)), np.repeat(rng.normal(size=(3, 3)), 20, axis=0)]
    for samples in sets:
        fitted = MKLOneClass(kernel, nu=nu, tol=1e-6).fit(samples.astype(float))
        decision = fitted.decision_function(samples.astype(float))
        assert np.mean(decision < 0) <= nu + 1e-12
        assert np.mean(fitted.predict(samples.astype(float)) == -1) <= nu + 1e-12
        assert fitted.verify(samples.astype(float))


@pytest.mark.parametrize("solver", ["auto", "lazy-bundle", "stochastic-approximation"])
@pytest.mark.parametrize("loss", ["squared", "epsilon:eps=0.1", "huber:delta=1"])
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("noise", [0.0, 1e-9])
def test_a_dead_target_has_no_part_in_the_maximum(solver, loss, unit, place, noise):
    """The weights are those without it, wherever it stands and in whatever unit the others are."""
    if unit != 1.0 and loss != "squared":
        pytest.skip("the tolerances of these losses have the unit of the target")
    alive = unit * ALIVE
    dead = unit * noise * np.random.default_rng(1).normal(size=N)
    tol = 0.05 if solver == "stochastic-approximation" else 1e-3
    settings = {"coupling": "minimax", "loss": loss, "solver": solver, "tol": tol, "max_iter": 20000}
    alone = regressor(**settings).fit(X, alive)
    fitted = regressor(**settings).fit(X, np.insert(alive, place, dead, axis=1))
    assert fitted.status_ in ("converged", "stopping-rule")
    assert fitted.certificate_.relative_gap <= tol
    size = alone.certificate_.primal
    assert abs(fitted.certificate_.primal - size) <= 2 * tol * size


def test_a_label_of_nobody_has_no_part_in_the_maximum():
    labels = np.column_stack([ALIVE > 0, np.zeros(N, bool)])
    for order in ([0, 1, 2], [2, 0, 1], [0, 2, 1]):
        try:
            fitted = MultilabelMKL(views=VIEWS, coupling="minimax").fit(X, labels[:, order])
        except ValueError:  # refused in every order
            continue
        assert fitted.status_ == "converged"
