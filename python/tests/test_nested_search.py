"""`nested_search` gives the numbers of `kernmix tune --nested`, to the last digit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from study_data import (
    FRAME,
    NUMBER,
    TABLE,
    VIEWS,
    N,
    X,
    ignored,
    known,
    result,
    target_of,
    tool,
    with_tool,
    write_samples,
)

from kernmix import MKLClassifier, MKLRegressor, MultilabelMKL, nested_search

pytestmark = pytest.mark.filterwarnings("ignore::kernmix.KernmixWarning")

GRID = {"regularizer": ["l1", "average"], "C": [1, 10]}
FLAGS = ["--grid", "regularizer=l1,average", "--grid", "C=1,10"]
CASES = {
    "two classes": (MKLClassifier(), "two", [], {}),
    "one standard error": (MKLClassifier(), "two", ["--choose", "one-se"], {"choose": "one-se"}),
    "three classes": (
        MKLClassifier(random_state=4),
        "three",
        ["--seed", "4", "--score", "macro_f1"],
        {"score": "macro_f1"},
    ),
    "repeats": (MKLClassifier(), "two", ["--repeats", "2", "--folds", "4"], {"repeats": 2, "folds": 4}),
    "a number": (MKLRegressor(), "number", ["--loss", "squared"], {}),
    "labels": (MultilabelMKL(), ["red", "blue"], [], {}),
    "groups": (
        MKLClassifier(),
        "two",
        ["--groups", "group", "--score", "auc"],
        {"groups": TABLE["group"], "score": "auc"},
    ),
    "weights": (MKLClassifier(), "two", ["--sample-weight", "weight"], {"sample_weight": TABLE["weight"]}),
}


@with_tool
@pytest.mark.parametrize("case", CASES)
def test_the_tool_and_python_find_the_same(case, tmp_path):
    estimator, name, flags, options = CASES[case]
    names = name if isinstance(name, list) else [name]
    read = [value for value in ("group", "weight") if value in flags]
    left_out = [part for column in ignored(*names, *read) for part in ("--ignore", column)]
    views = [part for view, columns in VIEWS.items() for part in ("--view", f"{view}={','.join(columns)}")]
    target = ["--labels" if isinstance(name, list) else "--label", ",".join(names)]
    outputs = ["-o", tmp_path / "m.kmx", "--json", tmp_path / "tune.json"]
    tool("tune", write_samples(tmp_path), *target, *left_out, *views, *FLAGS, "--nested", "3", *flags, *outputs)
    theirs = result(tmp_path / "tune.json")
    machine = clone(estimator).set_params(views=VIEWS, memory="2G", n_jobs=2)
    found = nested_search(machine, GRID, FRAME, target_of(name), nested=3, **options)
    assert found.candidates_["name"].tolist() == [one["name"] for one in theirs["candidates"]]
    for fold in range(theirs["folds"]["count"]):
        assert known(found.candidates_[f"split{fold}"]) == [one["scores"][fold] for one in theirs["candidates"]]
    assert found.best_name_ == theirs["candidates"][theirs["choice"]["candidate"]]["name"]
    nested = theirs["nested"]
    assert known(found.nested_["score"]) == [fold["score"] for fold in nested["folds"]]
    for one in nested["expected"]["metrics"]:
        estimate = [None if np.isnan(value) else value for value in found.expected_[one["name"]]]
        assert estimate == [one["value"], one["low"], one["high"]], one["name"]
    assert found.expected_.answer == nested["expected"]["answer"]


@pytest.mark.parametrize(
    ("estimator", "y"),
    [
        (MKLClassifier(), TABLE["two"]),
        (MKLRegressor(), np.column_stack([NUMBER, TABLE["other"]])),
        (MultilabelMKL(calibration="platt", calibration_folds=3), np.column_stack([TABLE["red"], TABLE["blue"]])),
    ],
    ids=range(3),
)
def test_the_estimator_has_what_was_chosen(estimator, y):
    found = nested_search(
        estimator, {"C": [0.1, 1], "kernels": ["linear", ["linear", "rbf(width=median)"]]}, X, y, nested=2, folds=3
    )
    best = found.best_estimator_
    assert {name: getattr(best, name) for name in found.best_params_} == found.best_params_
    np.testing.assert_array_equal(clone(best).fit(X, y).weights_["weight"], best.weights_["weight"])
    np.testing.assert_array_equal(found.held_out_["sample"], np.arange(N))
    assert len(found.nested_) == 2 and found.complete
    assert estimator.C is None


def test_without_nested_folds_there_is_no_estimate():
    found = nested_search(MKLClassifier(), [{"C": [1, 10]}, {"regularizer": ["average"]}], X, TABLE["two"], nested=None)
    assert found.expected_ is None and found.held_out_ is None and len(found.nested_) == 0
    assert len(found.candidates_) == 3
    assert found.predict(X).shape == (N,)


@pytest.mark.parametrize(
    ("estimator", "grid", "options", "error", "said"),
    [
        (make_pipeline(StandardScaler(), MKLClassifier()), GRID, {}, TypeError, "Pipeline"),
        (MKLClassifier(), {"C": 1}, {}, ValueError, "list of values"),
        (MKLClassifier(), {"C": []}, {}, ValueError, "list of values"),
        (MKLClassifier(), {"Cs": [1]}, {}, ValueError, "no parameter 'Cs'"),
        (MKLClassifier(), {"views": [None]}, {}, ValueError, "views is the same"),
        (MKLClassifier(), {"C": [-1]}, {}, ValueError, "C"),
        (MKLClassifier(kernels=lambda a, b: a @ b.T), GRID, {}, ValueError, "functions in Python"),
        (MKLClassifier(), GRID, {"nested": 1}, ValueError, "folds"),
        (MKLClassifier(), GRID, {"folds": 1}, ValueError, "folds"),
        (MKLClassifier(), GRID, {"choose": "worst"}, ValueError, "one-se"),
        (MKLClassifier(), GRID, {"score": "acuracy"}, ValueError, "accuracy"),
    ],
    ids=range(11),
)
def test_refuses_what_cannot_be(estimator, grid, options, error, said):
    with pytest.raises(error, match=said):
        nested_search(estimator, grid, X, TABLE["two"], **options)
