"""Products of kernels: an SVM that is LIBSVM's, and weights that are stationary."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernmix
from kernmix import ColumnWeights, MKLClassifier, MKLRegressor

LAMBDA = 2.0


def joint_data(seed=0, n=120, noise=3):
    """Classes that two columns determine together, and columns of noise."""
    X = np.random.default_rng(seed).normal(size=(n, 2 + noise))
    return X, np.where(X[:, 0] * X[:, 1] > 0, "same", "different")


def product_kernel(X, d):
    Z = StandardScaler().fit_transform(X) * np.sqrt(d)
    return np.exp(-((Z[:, None] - Z[None]) ** 2).sum(axis=2))


def libsvm(X, y, d, C):
    """The signed dual variables and the optimum of the SVM on the product, by LIBSVM."""
    K = product_kernel(X, d)
    svm = SVC(kernel="precomputed", C=C, tol=1e-10).fit(K, y)
    a = np.zeros(len(y))
    a[svm.support_] = svm.dual_coef_[0]
    return a, np.abs(a).sum() - 0.5 * a @ K @ a


def objective(X, y, d, C, penalty):
    return libsvm(X, y, d, C)[1] + penalty(d)


PENALTIES = {"linear:lambda=2": lambda d: LAMBDA * d.sum(), "quadratic:lambda=2": lambda d: LAMBDA / 2 * (d**2).sum()}


@pytest.fixture(scope="module", params=PENALTIES)
def fitted(request):
    X, y = joint_data()
    model = MKLClassifier(combination="product", weight_penalty=request.param, C=2, tol=1e-4).fit(X, y)
    return X, y, model, model.weights_["weight"], PENALTIES[request.param]


def test_the_svm_is_that_of_libsvm(fitted):
    X, y, model, d, penalty = fitted
    a, value = libsvm(X, y, d, 2.0)
    assert model.certificate_.dual <= value * (1 + 1e-9)
    assert model.certificate_.primal == pytest.approx(value, rel=1e-7)
    assert model.objective_ == pytest.approx(value + penalty(d), rel=1e-7)
    own = np.zeros(len(y))
    own[model.support_] = model.dual_coef_[0]
    K = product_kernel(X, d)
    assert np.abs(K @ (own - a)).max() < 1e-3
    assert np.abs(model.decision_function(X) - K @ own - model.intercept_[0]).max() < 1e-9


def test_finite_differences_say_that_the_weights_are_stationary(fitted):
    X, y, model, d, penalty = fitted
    assert model.product_["optimum"] == "local"
    assert model.product_["stationarity"] <= 1e-4
    step = 1e-3
    slope = []
    for m in range(len(d)):
        above, below = d.copy(), d.copy()
        above[m], below[m] = d[m] + step, max(d[m] - step, 0)
        change = objective(X, y, above, 2.0, penalty) - objective(X, y, below, 2.0, penalty)
        slope.append(change / (above[m] - below[m]))
    unit = LAMBDA * max(1.0, d.max())  # of the larger part of a slope
    for weight, own in zip(d, slope, strict=True):
        assert own > -0.02 * unit
        assert weight < 2 * step or abs(own) < 0.02 * unit


def test_no_feasible_direction_descends(fitted):
    X, y, _, d, penalty = fitted
    here = objective(X, y, d, 2.0, penalty)
    rng = np.random.default_rng(1)
    for _ in range(30):
        direction = rng.normal(size=len(d))
        direction /= np.linalg.norm(direction)
        step = 1e-2 * direction
        step = np.maximum(d + step, 0) - d
        assert objective(X, y, d + step, 2.0, penalty) >= here - 1e-4 * np.linalg.norm(step) * LAMBDA * len(d)


def test_products_win_where_columns_matter_jointly():
    X, y = joint_data(n=160, noise=6)
    product = cross_val_score(MKLClassifier(combination="product", weight_penalty="linear:lambda=5", C=1), X, y, cv=4)
    each = cross_val_score(MKLClassifier("rbf(width=median) on *, each", C=1), X, y, cv=4)
    together = cross_val_score(MKLClassifier("rbf(width=median)", C=1), X, y, cv=4)
    assert product.mean() > 0.05 + max(each.mean(), together.mean())


def test_the_answer_is_that_of_column_weights():
    X, y = joint_data(n=60)
    Z = StandardScaler().fit_transform(X)
    step = ColumnWeights(C=2, penalty=LAMBDA).fit(Z, y)
    model = MKLClassifier(combination="product", weight_penalty="linear:lambda=2", C=2).fit(X, y)
    # Rounding of the columns leads to other points within the tolerance.
    assert np.allclose(model.weights_["weight"], step.weights_, rtol=0.02, atol=0.02)


def test_a_product_survives_pickle_files_and_clone(tmp_path):
    X, y = joint_data(n=60)
    model = MKLClassifier(combination="product", weight_penalty="quadratic:lambda=1", weight_start=0.3).fit(X, y)
    model.save(tmp_path / "product.kmx")
    loaded = kernmix.load(tmp_path / "product.kmx")
    for other in (pickle.loads(pickle.dumps(model)), loaded, clone(loaded).fit(X, y)):
        assert np.array_equal(other.decision_function(X), model.decision_function(X))
        assert other.product_ == model.product_
        assert other.verify(X, y)
        assert "a local optimum" in other._repr_html_inner()


def test_a_grid_search_tunes_the_penalty():
    X, y = joint_data(n=60)
    grid = {"weight_penalty": ["linear:lambda=1", "linear:lambda=1000"]}
    search = GridSearchCV(MKLClassifier(combination="product", C=1), grid, cv=3).fit(X, y)
    assert search.best_params_ == {"weight_penalty": "linear:lambda=1"}


def test_a_regression_of_a_product_of_columns():
    X = np.random.default_rng(3).normal(size=(120, 4))
    y = X[:, 0] * X[:, 1]
    product = MKLRegressor(combination="product", weight_penalty="linear:lambda=0.1", C=10).fit(X[:80], y[:80])
    assert product.score(X[80:], y[80:]) > 0.5
    assert product.weights_["weight"][:2].min() > product.weights_["weight"][2:].max()
    assert product.verify(X[:80], y[:80])


def test_calibrated_probabilities_and_sample_weights():
    X, y = joint_data(n=80)
    weights = np.random.default_rng(4).integers(1, 3, size=80)
    model = MKLClassifier(combination="product", calibration="platt", calibration_folds=3, C=1)
    model.fit(X, y, sample_weight=weights)
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.verify(X, y, sample_weight=weights)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"regularizer": "lp:p=2"}, "no regularizer"),
        ({"solver": "silp"}, "leave the solver"),
        ({"kernels": "linear"}, "Gaussian kernels"),
        ({"normalization": "trace"}, "no normalization"),
        ({"coupling": "minimax"}, "scheme is one-vs-rest"),
        ({"weight_penalty": "cubic:lambda=1"}, "linear:lambda=L or quadratic:lambda=L"),
        ({"combination": "sum", "weight_start": 0.1}, "weight start belongs to a product"),
    ],
)
def test_settings_without_a_meaning_are_refused(parameters, message):
    X, y = joint_data(n=20)
    with pytest.raises(ValueError, match=message):
        MKLClassifier(**{"combination": "product", **parameters}).fit(X, y)


def test_methods_of_sums_are_refused():
    X, y = joint_data(n=40)
    model = MKLClassifier(combination="product").fit(X, y)
    for refused in (lambda: model.contributions(X), lambda: kernmix.weight_stability(model, X, y)):
        with pytest.raises(ValueError, match=r"product"):
            refused()
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        clone(model).fit(X, np.arange(40) % 3)
