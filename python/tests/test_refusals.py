"""Misuse: scikit-learn's exception types and one clear sentence."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from kernmix import KernelBank, MKLClassifier, MKLOneClass, MKLRegressor, MultilabelMKL

X = np.random.default_rng(0).normal(size=(30, 3))
CLASSES = np.arange(30) % 2


def with_nan():
    table = X.copy()
    table[4, 1] = np.nan
    return table


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (MKLClassifier(C=0), "The 'C' parameter of MKLClassifier must be a float"),
        (MKLClassifier(C="1"), "The 'C' parameter"),
        (MKLClassifier(tol=1), "The 'tol' parameter"),
        (MKLClassifier(max_iter=0), "The 'max_iter' parameter"),
        (MKLClassifier(bias="yes"), "The 'bias' parameter"),
        (MKLClassifier(scaling="robust"), "The 'scaling' parameter"),
        (MKLClassifier(multi_class="crammer"), "The 'multi_class' parameter"),
        (MKLClassifier(coupling="mean"), "The 'coupling' parameter"),
        (MKLClassifier(kernels=3), "The 'kernels' parameter"),
        (MKLClassifier(kernels=[]), "kernels is empty"),
        (MKLClassifier(views="mean_*"), "The 'views' parameter"),
        (MKLClassifier(time_limit=-1), "The 'time_limit' parameter"),
        (MKLClassifier(memory="much"), "memory must be a size such as '500M'"),
        (MKLClassifier(random_state="x"), "The 'random_state' parameter"),
        (MKLClassifier(callback=3), "The 'callback' parameter"),
        (MKLClassifier(loss="hing"), "unknown loss 'hing', known are"),
        (MKLClassifier(loss="squared"), "loss 'squared' is for numbers, but MKLClassifier needs a loss for classes"),
        (MKLRegressor(loss="hinge"), "loss 'hinge' is for classes"),
        (MKLOneClass(loss="hinge"), "The 'loss' parameter"),
        (MKLOneClass(nu=1.5), "The 'nu' parameter"),
        (MultilabelMKL(threshold_folds=-1), "The 'threshold_folds' parameter"),
        (MKLClassifier(regularizer="l3"), "l3"),
        (MKLClassifier(regularizer="lp:p=0.5"), "p"),
        (MKLClassifier(solver="newtn"), "unknown solver 'newtn', known are"),
        (MKLClassifier(solver="ufo"), "ufo"),
        (MKLClassifier(normalization="l2"), "l2"),
        (MKLClassifier(class_weight={3: 1.0}), "class_weight has the class 3, which y does not have"),
        (MKLClassifier(class_weight={1: 0.0}), "class_weight of 1 must be > 0"),
        (MKLClassifier(views={"a": [7]}), "X has no column 7"),
        (MKLClassifier(views={"a": "b"}), "no column names"),
        (KernelBank(scaling="robust"), "The 'scaling' parameter"),
        (KernelBank("rfb"), "did you mean 'rbf'"),
    ],
    ids=str,
)
def test_a_parameter_that_cannot_be_is_refused(model, sentence):
    y = CLASSES.astype(float) if isinstance(model, MKLRegressor) else CLASSES
    with pytest.raises(ValueError) as refusal:
        model.fit(X, y)
    assert sentence in str(refusal.value)
    assert not hasattr(model, "weights_")


@pytest.mark.parametrize(
    ("table", "y", "sentence"),
    [
        (with_nan(), CLASSES, "Input X contains NaN"),
        (np.where(X > 2, np.inf, X), CLASSES, "Input X contains infinity"),
        (X, np.zeros(30), "y has one class only"),
        (X[:1], CLASSES[:1], "1 sample"),
        (X[0], CLASSES, "Expected 2D array"),
        (X, CLASSES[:20], "inconsistent numbers of samples"),
        (X, np.where(CLASSES, np.nan, 1.0), "Input y contains NaN"),
        (X, X[:, 0], "Unknown label type"),
        (X, None, "requires y to be passed"),
        (X, np.where(CLASSES, "1", "1.0"), "same number written in two ways"),
        (X.astype(str), CLASSES, "could not convert|dtype"),
    ],
)
def test_data_that_cannot_be_learned_is_refused(table, y, sentence):
    if isinstance(table, np.ndarray) and table.dtype.kind == "U":
        table = np.full((30, 3), "a")
    with pytest.raises(ValueError, match=sentence):
        MKLClassifier().fit(table, y)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (np.ones(3), r"sample_weight.shape == \(3,\), expected \(30,\)"),
        (-np.ones(30), "Negative values in data passed to `sample_weight`"),
        (np.zeros(30), "sample_weight is zero for every sample"),
        (np.full(30, np.nan), "sample_weight contains NaN"),
        (CLASSES.astype(float), "one class only"),
    ],
)
def test_weights_that_cannot_be_are_refused(weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        MKLClassifier().fit(X, CLASSES, weights)


@pytest.mark.parametrize("question", ["predict", "decision_function", "contributions", "verify"])
def test_an_estimator_that_is_not_fitted_says_so(question):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(MKLClassifier(), question)(X)


def test_the_others_say_so_too(tmp_path):
    with pytest.raises(NotFittedError):
        MKLClassifier().save(tmp_path / "model.kmx")
    with pytest.raises(NotFittedError):
        MKLRegressor().explained_by_view(X, CLASSES)
    with pytest.raises(NotFittedError):
        KernelBank().transform(X)


def test_another_number_of_columns_is_refused():
    model = MKLClassifier().fit(X, CLASSES)
    with pytest.raises(ValueError, match="X has 2 features, but MKLClassifier is expecting 3"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.predict(with_nan())


def test_probabilities_are_missing_with_a_reason():
    with pytest.raises(AttributeError) as refusal:
        MKLClassifier().fit(X, CLASSES).predict_proba(X)
    assert "calibration='platt'" in f"{refusal.value} {refusal.value.__cause__}"


def test_a_budget_that_is_too_small_is_refused_before_any_work():
    with pytest.raises(MemoryError, match=r"budget of 1000 bytes \(memory\)"):
        MKLClassifier(memory=1000).fit(X, CLASSES)


def test_a_time_limit_gives_the_best_certified_answer():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(400, 10))
    y = table[:, 0] * table[:, 1] + 0.5 * rng.normal(size=400) > 0
    with pytest.warns(Warning, match="time limit"):
        model = MKLClassifier(solver="silp", tol=1e-12, C=1000, time_limit=0.3, max_iter=100_000).fit(table, y)
    assert model.certificate_.primal >= model.certificate_.dual
