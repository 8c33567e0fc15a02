"""`kernmix.auto` gives the numbers of `kernmix auto`, to the last digit, and an estimator that can be fitted again."""

from __future__ import annotations

import json
import pickle
import warnings
from itertools import pairwise

import numpy as np
import pytest
import toy
from sklearn.base import clone
from study_data import (
    COLUMNS,
    FRAME,
    NUMBER,
    TABLE,
    VIEWS,
    N,
    X,
    ignored,
    known,
    pandas,
    result,
    target_of,
    tool,
    with_tool,
    write_samples,
)

import kernmix
from kernmix import GramStack, KernmixWarning, MKLClassifier, MKLRegressor, MultilabelMKL

pytestmark = pytest.mark.filterwarnings("ignore::kernmix.KernmixWarning")

# What the tool is asked, and Python: the target and options of both.
CASES = {
    "two classes": ("two", [], {}),
    "three classes": ("three", ["--folds", "3"], {"folds": 3}),
    "whole numbers": ("count", ["--folds", "4", "--seed", "7"], {"folds": 4, "random_state": 7}),
    "a number": ("number", [], {}),
    "numbers": (["number", "other"], ["--folds", "3"], {"folds": 3}),
    "labels": (["red", "blue"], ["--score", "hamming_loss"], {"score": "hamming_loss"}),
    "groups": ("two", ["--groups", "group", "--score", "auc"], {"groups": TABLE["group"], "score": "auc"}),
    "groups of numbers": ("number", ["--groups", "group", "--folds", "3"], {"groups": TABLE["group"], "folds": 3}),
    "weights": ("two", ["--sample-weight", "weight"], {"sample_weight": TABLE["weight"]}),
    "probabilities": (
        "two",
        ["--calibrate", "platt", "--positive", "no", "--class-weight", "balanced", "--folds", "3"],
        {"calibration": "platt", "positive": "no", "class_weight": "balanced", "folds": 3},
    ),
    "kernels": ("three", ["--kernel", "linear", "--loss", "logistic"], {"kernels": "linear", "loss": "logistic"}),
}


def by_tool(folder, name, flags):
    file = write_samples(folder)
    names = name if isinstance(name, list) else [name]
    kind = "--label" if names == [name] else "--targets" if "other" in names else "--labels"
    columns = [value for flag, value in pairwise(flags) if flag in ("--groups", "--sample-weight")]
    left_out = [part for column in ignored(*names, *columns) for part in ("--ignore", column)]
    views = [part for view, columns in VIEWS.items() for part in ("--view", f"{view}={','.join(columns)}")]
    tool("auto", file, kind, ",".join(names), *left_out, *views, *flags, "-o", folder / "out")
    return {name: result(folder / "out" / f"{name}.json") for name in ("run", "tune", "held_out")}


@with_tool
@pytest.mark.parametrize("case", CASES)
def test_the_tool_and_python_find_the_same(case, tmp_path):
    name, flags, options = CASES[case]
    theirs = by_tool(tmp_path, name, flags)
    found = kernmix.auto(FRAME, target_of(name), views=VIEWS, memory="2G", n_jobs=2, **options)
    tune, held_out = theirs["tune"], theirs["held_out"]
    assert found.candidates_["name"].tolist() == [one["name"] for one in tune["candidates"]]
    assert known(found.candidates_["mean"]) == [one["mean"] for one in tune["candidates"]]
    for fold in range(tune["folds"]["count"]):
        assert known(found.candidates_[f"split{fold}"]) == [one["scores"][fold] for one in tune["candidates"]]
    assert found.best_name_ == tune["candidates"][tune["best"]]["name"]
    nested = tune["nested"]["folds"]
    assert known(found.nested_["score"]) == [fold["score"] for fold in nested]
    assert found.nested_["candidate"].tolist() == [tune["candidates"][fold["candidate"]]["name"] for fold in nested]
    for one in held_out["metrics"]:
        estimate = [None if np.isnan(value) else value for value in found.expected_[one["name"]]]
        assert estimate == [one["value"], one["low"], one["high"]], one["name"]
    assert found.answer == held_out["answer"]
    assert [one["weight"] for one in theirs["run"]["weights"]] == found.best_estimator_.weights_["weight"].tolist()
    assert theirs["run"]["dual"] == found.best_estimator_.certificate_.dual
    check_documents(found, theirs, tmp_path)


def check_documents(found, theirs, folder, by="nested cross-validation"):
    found.save(folder / "saved")
    assert sorted(file.name for file in (folder / "saved").iterdir()) == sorted(
        ["model.kmx", "run.json", "tune.json", "held_out.json", "report.html"]
    )
    own = {name: json.loads((folder / "saved" / f"{name}.json").read_text()) for name in theirs}
    for name in ("candidates", "nested", "choice", "cost", "score"):
        assert own["tune"][name] == theirs["tune"][name]
    for name in ("metrics", "expected", "answer", "held_out", "n_samples"):
        assert own["held_out"][name] == theirs["held_out"][name]
    for name in ("weights", "warnings", "similarity", "primal", "iterations"):
        assert own["run"][name] == theirs["run"][name]
    page = (folder / "saved" / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and by in page


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (TABLE["two"], MKLClassifier),
        (TABLE["two"] == "yes", MKLClassifier),
        (TABLE["three"].astype(object), MKLClassifier),
        (TABLE["count"], MKLClassifier),
        (TABLE["count"].astype(float), MKLClassifier),
        (NUMBER, MKLRegressor),
        (NUMBER.reshape(-1, 1), MKLRegressor),
        (np.column_stack([NUMBER, TABLE["other"]]), MKLRegressor),
        (np.column_stack([TABLE["red"], TABLE["blue"]]), MultilabelMKL),
    ],
    ids=range(9),
)
def test_the_estimator_fits_y_and_can_be_fitted_again(y, kind):
    found = kernmix.auto(X, y, folds=3)
    assert type(found.best_estimator_) is kind
    np.testing.assert_array_equal(found.predict(X), found.best_estimator_.predict(X))
    again = clone(found.best_estimator_).fit(X, y)
    np.testing.assert_array_equal(again.weights_["weight"], found.best_estimator_.weights_["weight"])
    np.testing.assert_array_equal(again.predict(X), found.predict(X))
    np.testing.assert_array_equal(found.held_out_["sample"], np.arange(N))
    assert found.best_params_["C"] == found.best_estimator_.C
    assert "Chosen: " + found.best_name_ in repr(found) and found.best_name_ in found._repr_html_()


def test_held_out_predictions_are_those_of_the_estimate():
    found = kernmix.auto(X, TABLE["two"], folds=3)
    right = found.held_out_["predicted"] == TABLE["two"]
    assert found.expected_["accuracy"].value == pytest.approx(right.mean(), abs=1e-12)
    assert found.expected_.n_samples == N and found.complete
    decision = found.held_out_["decision yes"]
    np.testing.assert_array_equal(decision >= 0, found.held_out_["predicted"] == "yes")


def test_samples_of_weight_zero_are_left_out():
    found = kernmix.auto(X, TABLE["two"], sample_weight=TABLE["weight"], folds=3)
    np.testing.assert_array_equal(found.held_out_["sample"], np.flatnonzero(TABLE["weight"]))


def test_groups_stay_in_one_fold():
    for y in (TABLE["two"], NUMBER):
        held_out = kernmix.auto(X, y, groups=TABLE["group"], folds=3).held_out_
        for group in np.unique(TABLE["group"]):
            assert len(set(held_out["fold"][TABLE["group"] == group])) == 1


def test_views_come_as_a_mapping_too():
    parts = {"v1": X[:, :3], "v2": X[:, 3:]}
    found = kernmix.auto(parts, TABLE["two"], folds=3)
    same = kernmix.auto(X, TABLE["two"], views={"v1": range(3), "v2": range(3, 6)}, folds=3)
    np.testing.assert_array_equal(found.candidates_["mean"], same.candidates_["mean"])
    np.testing.assert_array_equal(found.predict(parts), same.predict(X))
    with pytest.raises(ValueError, match="views is for one table"):
        kernmix.auto(parts, TABLE["two"], views={"v1": [0]})


def test_a_stack_has_its_matrices_as_kernels():
    stack = GramStack(toy.gram_stack(X), names=["narrow", "middle", "wide"])
    found = kernmix.auto(stack, TABLE["two"], folds=3)
    assert set(found.best_estimator_.weights_["view"]) == {"narrow", "middle", "wide"}
    assert found.predict(stack).shape == (N,)


def test_columns_of_arrays_are_called_as_scikit_learn_calls_them():
    found = kernmix.auto(X, TABLE["two"], folds=3)
    assert set(found.column_shares_["column"]) == {f"x{j}" for j in range(6)}
    assert set(kernmix.auto(FRAME, TABLE["two"], folds=3).column_shares_["column"]) == set(COLUMNS)


def test_the_result_can_be_pickled_and_saved_again(tmp_path):
    found = pickle.loads(pickle.dumps(kernmix.auto(X, TABLE["two"], folds=3)))
    found.report(tmp_path / "page.html")
    found.save(tmp_path / "made" / "out")
    (tmp_path / "made" / "out" / "notes.txt").write_text("mine")
    found.save(tmp_path / "made" / "out")
    assert sorted(file.name for file in (tmp_path / "made" / "out").iterdir()) == sorted(
        ["held_out.json", "model.kmx", "notes.txt", "report.html", "run.json", "tune.json"]
    )
    assert [file.name for file in (tmp_path / "made").iterdir()] == ["out"]
    model = kernmix.load(tmp_path / "made" / "out" / "model.kmx")
    np.testing.assert_array_equal(model.predict(X), found.predict(X))
    run = json.loads((tmp_path / "made" / "out" / "run.json").read_text())
    assert run["model_checksum"] == kernmix_checksum(tmp_path / "made" / "out" / "model.kmx")


def kernmix_checksum(file):
    return file.read_bytes()[-8:][::-1].hex()


def test_kernels_in_python_are_chosen_among_and_cannot_be_saved(tmp_path):
    found = kernmix.auto(X, TABLE["two"], kernels=[lambda a, b: a @ b.T, "rbf(width=median)"], folds=3)
    assert found.predict(X).shape == (N,)
    with pytest.raises(ValueError, match="functions in Python"):
        found.save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_labels_without_signal_warn():
    noise = np.array(["a", "b", "b"])[np.random.default_rng(5).integers(0, 3, N)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = kernmix.auto(X, noise, folds=3)
    codes = [one.message.code for one in caught if isinstance(one.message, KernmixWarning)]
    better = found.expected_["accuracy"].value > found.expected_.majority_share
    assert better or "no-better-than-majority" in codes


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"y": None}, ValueError, "needs the labels"),
        ({"folds": 1}, ValueError, "folds"),
        ({"folds": N + 1}, ValueError, "folds"),
        ({"score": "acuracy"}, ValueError, "accuracy"),
        ({"loss": "one-class:nu=0.5"}, ValueError, "MKLOneClass"),
        ({"loss": "hinges"}, ValueError, "hinge"),
        ({"y": NUMBER, "calibration": "platt"}, ValueError, "calibration is for classes"),
        ({"y": NUMBER, "class_weight": "balanced"}, ValueError, "class_weight is for classes"),
        ({"positive": "maybe"}, ValueError, "maybe"),
        ({"groups": ["a"]}, ValueError, "inconsistent"),
        ({"y": TABLE["two"][:5]}, ValueError, "inconsistent"),
        ({"regularizer": "l1"}, TypeError, "regularizer"),
        ({"kernels": "gaussian"}, ValueError, "^kernel expression: unknown kernel 'gaussian'"),
    ],
    ids=range(13),
)
def test_refuses_what_cannot_be(options, error, said):
    options = {"y": TABLE["two"], **options}
    with pytest.raises(error, match=said):
        kernmix.auto(X, options.pop("y"), **options)


def test_samples_in_another_order_are_refused():
    frame = pandas.DataFrame(X, columns=COLUMNS, index=[f"s{i}" for i in range(N)])
    labels = pandas.Series(TABLE["two"], index=frame.index)
    shuffled = labels.sample(frac=1, random_state=0)
    for given in (frame, {"v1": frame[COLUMNS[:3]], "v2": frame[COLUMNS[3:]]}):
        with pytest.raises(ValueError, match="another order"):
            kernmix.auto(given, shuffled, folds=3)
        with pytest.raises(ValueError, match="another order"):
            kernmix.auto(given, labels, groups=pandas.Series(TABLE["group"], index=shuffled.index), folds=3)
        with pytest.raises(ValueError, match="another order"):
            kernmix.nested_search(MKLClassifier(), {"C": [1]}, given, shuffled)
        with pytest.raises(ValueError, match="another order"):
            kernmix.compare(given, shuffled, {"l1": {}})
    assert set(kernmix.auto(given, labels, folds=3).column_shares_["column"]) == set(COLUMNS)


def test_columns_whose_names_are_numbers_keep_them():
    frame = pandas.DataFrame(X, columns=[10 * j for j in range(6)])
    found = kernmix.auto(frame, TABLE["two"], views={"some": [0, 1, 2, 3]}, folds=3)
    assert set(found.column_shares_["column"]) == {"0", "10", "20", "30"}


def test_time_that_does_not_suffice_says_so():
    with pytest.raises(MemoryError, match="time"):
        kernmix.auto(X, TABLE["two"], time_limit=1e-6)


MANY = 10_500


@with_tool
def test_many_samples_choose_on_a_subsample_as_by_the_tool(tmp_path):
    points = toy.points(MANY, 3, seed=5)
    two = np.where(points[:, 0] + points[:, 1] ** 2 > 1, "yes", "no")
    file = tmp_path / "many.csv"
    lines = [",".join([*map(repr, row), label]) for row, label in zip(points.tolist(), two, strict=True)]
    file.write_text("\n".join(["a,b,c,two", *lines]) + "\n")
    asked = ["--landmarks", "10", "--kernel", "rbf(width=median)", "--folds", "3", "--seed", "2"]
    tool("auto", file, "--label", "two", *asked, "-o", tmp_path / "out")
    theirs = {name: result(tmp_path / "out" / f"{name}.json") for name in ("run", "tune", "held_out")}
    frame = pandas.DataFrame(points, columns=["a", "b", "c"])
    options = {"kernels": "rbf(width=median)", "folds": 3, "random_state": 2, "memory": "2G", "n_jobs": 2}
    found = kernmix.auto(frame, two, landmarks=10, **options)
    assert found.subsample_ == theirs["tune"]["subsample"]
    assert found.subsample_ == {"n_samples": 5000, "n_all": MANY, "n_estimate": 1100, "seed": 2}
    assert found.answer == theirs["held_out"]["answer"]
    assert found.best_name_ == theirs["tune"]["candidates"][theirs["tune"]["best"]]["name"]
    assert theirs["run"]["dual"] == found.best_estimator_.certificate_.dual
    assert len(found.held_out_["sample"]) == 1100
    assert found.best_params_["landmarks"] == 10
    check_documents(found, theirs, tmp_path, by="took no part in the choice")
    assert kernmix.auto(X, TABLE["two"], folds=3).subsample_ is None
