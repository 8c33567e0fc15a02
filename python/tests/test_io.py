"""Model files: the same for the command line."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine

import kernmix
from kernmix import (
    DataError,
    GramStack,
    MKLClassifier,
    MKLOneClass,
    MKLRegressor,
    MultilabelMKL,
    kernels,
)

X, CULTIVARS = load_wine(return_X_y=True)
COLUMNS = [f"c{i}" for i in range(13)]
FRAME = pd.DataFrame(X, columns=COLUMNS)
VIEWS = {"my view": COLUMNS[:6], "b": COLUMNS[6:]}
LABELS = np.column_stack([X[:, 0] > 13, X[:, 1] > 2])


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (MKLClassifier(C=3, regularizer="lp:p=2", tol=1e-4), CULTIVARS == 0),
        (MKLClassifier(multi_class="ovo", coupling="minimax", bias="none"), CULTIVARS),
        (MKLClassifier(multi_class="joint", scaling="minmax"), np.array(["x", "y", "z"])[CULTIVARS]),
        (MKLClassifier(loss="crammer-singer", C=2), CULTIVARS),
        (MKLClassifier(loss="logistic", class_weight={0: 2.0, 2: 3.0}), CULTIVARS),
        (MKLClassifier(views=VIEWS, kernels=kernels.linear().on("my view", each=True)), CULTIVARS),
        (
            MKLClassifier(
                ["rbf(width=median) on all", "poly(degree=1..2) on b, each, normalize=center, group=g"],
                views=VIEWS,
            ),
            np.array(["x", "y", "z"])[CULTIVARS],
        ),
        (MultilabelMKL(coupling="separate"), pd.DataFrame(LABELS, columns=["p", "q"])),
        (MKLRegressor(loss="huber:delta=0.5", solver="newton", random_state=3), X[:, 0]),
        (MKLOneClass(nu=0.25), None),
        (MKLOneClass(loss="svdd", nu=0.1), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_file_restores_the_estimator(model, y, tmp_path):
    model.fit(FRAME, y).save(tmp_path / "model.kmx")
    again = kernmix.load(tmp_path / "model.kmx")
    assert type(again) is type(model)
    frame = FRAME[again.feature_names_in_]  # those that some kernel reads
    for question in ("predict", "decision_function"):
        if hasattr(model, question):
            assert np.array_equal(getattr(again, question)(frame), getattr(model, question)(FRAME))
    assert again.kernel_names_.tolist() == model.kernel_names_.tolist()
    assert again.certificate_ == model.certificate_
    assert np.array_equal(again.dual_coef_, model.dual_coef_)
    assert again.verify(frame, y)
    if hasattr(model, "classes_"):
        assert again.classes_.tolist() == model.classes_.tolist()
    same = ("regularizer", "loss", "C", "nu", "bias", "scaling", "tol", "multi_class", "coupling")
    for name in same:
        if name != "multi_class" or model.get_params().get(name) != "auto":
            given = model.get_params().get(name)
            if name == "C" and "C" in model.get_params() and given is None:  # the file has the C that was taken
                given = 1.0 if isinstance(model, MKLRegressor) else 10.0
            assert again.get_params().get(name) == given


@pytest.mark.parametrize(
    "model",
    [
        MKLClassifier(),
        MKLClassifier("linear", views=VIEWS),
        MKLClassifier(["rbf(gamma=0.5) on b", 'poly(degree=2) on "my view", each'], views=VIEWS),
        MKLClassifier(["rbf(gamma=0.5) on all", "linear on b, each, group=g"], views=VIEWS),
    ],
    ids=["default", "linear", "each", "all"],
)
def test_a_restored_estimator_trains_again(model, tmp_path):
    model.fit(FRAME, CULTIVARS == 1).save(tmp_path / "model.kmx")
    again = clone(kernmix.load(tmp_path / "model.kmx")).fit(FRAME, CULTIVARS == 1)
    assert np.allclose(again.weights_["weight"], model.weights_["weight"], atol=1e-12)
    assert np.allclose(again.decision_function(FRAME), model.decision_function(FRAME), atol=1e-12)


def test_columns_without_names_are_numbered_as_in_files(tmp_path):
    model = MKLClassifier(views={"a": [0, 3], "b": [12]}).fit(X, CULTIVARS)
    assert model.views_ == {"a": ["1", "4"], "b": ["13"]}
    model.save(tmp_path / "model.kmx")
    again = kernmix.load(tmp_path / "model.kmx")
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    with pytest.raises(ValueError, match="13"):
        again.predict(X[:, :5])


def test_a_class_loads_its_own_kind(tmp_path):
    data = load_diabetes()
    MKLRegressor().fit(data.data[:50], data.target[:50]).save(tmp_path / "model.kmx")
    assert isinstance(MKLRegressor.load(tmp_path / "model.kmx"), MKLRegressor)
    with pytest.raises(ValueError, match="holds a MKLRegressor, not a MKLClassifier"):
        MKLClassifier.load(tmp_path / "model.kmx")


def test_kernels_in_python_are_not_in_the_file(tmp_path):
    def own(A, B):
        return A @ B.T

    model = MKLClassifier([own, "linear"]).fit(X, CULTIVARS)
    with pytest.raises(ValueError, match=r"cannot hold kernels that are functions in Python \(own\): pickle"):
        model.save(tmp_path / "model.kmx")
    assert not (tmp_path / "model.kmx").exists()


def test_matrices_are_given_to_a_loaded_model(tmp_path):
    stack = GramStack(np.stack([X @ X.T, (X @ X.T + 1) ** 2]))
    model = MKLClassifier().fit(stack[::2], CULTIVARS[::2])
    model.save(tmp_path / "model.kmx")
    again = kernmix.load(tmp_path / "model.kmx")
    columns = np.arange(0, len(X), 2)
    new = GramStack([matrix[:, columns] for matrix in stack.matrices()])
    assert np.array_equal(again.predict(new), model.predict(stack))


def test_what_is_no_model_is_refused(tmp_path):
    (tmp_path / "text.kmx").write_text("no model")
    with pytest.raises(DataError, match="text.kmx"):
        kernmix.load(tmp_path / "text.kmx")
    with pytest.raises(Exception, match="none.kmx"):
        kernmix.load(tmp_path / "none.kmx")
