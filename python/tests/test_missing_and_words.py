"""Missing values and columns of words, as somebody would fill and encode them by hand, and as the tool does."""

from __future__ import annotations

import os
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict

import kernmix
from kernmix import MKLClassifier, MKLRegressor

KERNMIX = os.environ.get("KERNMIX")
RULES = ["mean", "median", "mean+indicator", "median+indicator"]


def survey(n: int = 90, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(50, 10, n).round(1),
            "crp": rng.normal(size=n).round(3),
            "region": rng.choice(["north", "south", "west"], n),
            "smoker": rng.random(n) < 0.4,
        }
    )
    truth = (X["age"] - 50) / 10 + 1.5 * (X["region"] == "north") + rng.normal(0, 0.4, n)
    y = pd.Series(np.where(truth > 0.5, "yes", "no"), name="y")
    for column, share in (("age", 0.1), ("crp", 0.2), ("region", 0.1)):
        X.loc[rng.random(n) < share, column] = np.nan
    return X, y


@pytest.mark.parametrize("rule", ["mean", "median"])
def test_values_are_filled_from_the_training_part_of_each_fold(rule: str) -> None:
    X, y = survey()
    X = X[["age", "crp"]]
    folds = KFold(4)
    own = cross_val_predict(MKLClassifier(missing=rule), X, y, cv=folds, method="decision_function")
    expected = np.empty(len(y))
    for train, test in folds.split(X):
        fill = getattr(X.iloc[train], rule)()
        machine = MKLClassifier().fit(X.iloc[train].fillna(fill), y.iloc[train])
        expected[test] = machine.decision_function(X.iloc[test].fillna(fill))
    np.testing.assert_allclose(own, expected, rtol=1e-6, atol=1e-6)


def test_words_of_the_test_part_do_not_change_the_model() -> None:
    X, y = survey()
    train, test = np.arange(60), np.arange(60, 90)
    machine = MKLClassifier(missing="mean", categorical="auto").fit(X.iloc[train], y.iloc[train])
    new = X.iloc[test].assign(region="moon")
    other = X.iloc[test].assign(region="mars")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        left = machine.decision_function(new)
    assert any("'moon' (30 samples)" in str(warning.message) for warning in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(left, machine.decision_function(other))


@pytest.mark.parametrize("rule", RULES)
def test_a_file_keeps_how_values_and_words_are_read(rule: str, tmp_path) -> None:
    X, y = survey()
    machine = MKLClassifier(missing=rule, categorical=["region", "smoker"]).fit(X, y)
    assert machine.verify(X, y)
    machine.save(tmp_path / "m.kmx")
    loaded = kernmix.load(tmp_path / "m.kmx")
    np.testing.assert_array_equal(loaded.decision_function(X), machine.decision_function(X))
    again = clone(loaded).fit(X, y)
    np.testing.assert_allclose(again.decision_function(X), machine.decision_function(X), atol=1e-2)
    assert again.missing == rule


@pytest.mark.parametrize("estimator", [MKLClassifier, MKLRegressor])
def test_missing_values_are_an_error_that_names_the_remedy(estimator: type) -> None:
    X, y = survey()
    y = y if estimator is MKLClassifier else np.arange(len(y), dtype=float)
    for data in (X[["age"]], X[["age"]].to_numpy()):
        with pytest.raises(ValueError, match=r'Input X contains NaN.*missing="mean"'):
            estimator().fit(data, y)
    with pytest.raises(ValueError, match=r"categorical=\['region'\]"):
        estimator(missing="mean").fit(X, y)


def test_missing_values_of_pandas_are_read_in_every_column_type() -> None:
    X, y = survey()
    expected = MKLClassifier(missing="mean", categorical="auto").fit(X, y).decision_function(X)
    for region in (X["region"].astype("string"), X["region"].where(X["region"].notna(), pd.NA)):
        other = X.assign(region=region)
        machine = MKLClassifier(missing="mean", categorical="auto").fit(other, y)
        np.testing.assert_array_equal(machine.decision_function(other), expected)


def test_columns_that_are_not_there_are_named() -> None:
    X, y = survey()
    with pytest.raises(ValueError, match="'town'"):
        MKLClassifier(categorical=["town"]).fit(X, y)
    with pytest.raises(ValueError, match="data frame"):
        MKLClassifier(categorical=["town"]).fit(X[["age"]].fillna(0).to_numpy(), y)
    with pytest.raises(ValueError, match="is a Python function of numbers"):
        MKLClassifier(lambda a, b: a @ b.T, missing="mean").fit(X[["age"]], y)


@pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
@pytest.mark.parametrize("rule", RULES)
def test_the_tool_and_python_learn_the_same(rule: str, tmp_path) -> None:
    X, y = survey()
    pd.concat([X, y], axis=1).to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "t.kmx"
    options = ["--label", "y", "--missing", rule, "--categorical", "auto", "-o", model, "--quiet"]
    subprocess.run([KERNMIX, "train", tmp_path / "t.csv", *options], check=True)
    read = pd.read_csv(tmp_path / "t.csv")
    own = MKLClassifier(missing=rule, categorical="auto").fit(read[X.columns], read["y"])
    loaded = kernmix.load(model)
    np.testing.assert_array_equal(loaded.decision_function(read[X.columns]), own.decision_function(read[X.columns]))
    assert [kernel["name"] for kernel in loaded._model.kernels] == [kernel["name"] for kernel in own._model.kernels]


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_of_other_libraries_are_read_alike(library: str) -> None:
    module = pytest.importorskip(library)
    X, y = survey()
    columns = {name: X[name].astype(object).where(X[name].notna(), None).tolist() for name in X}
    other = module.DataFrame(columns) if library == "polars" else module.table(columns)
    settings = {"missing": "mean+indicator", "categorical": "auto"}
    own = MKLClassifier(**settings).fit(X, y)
    np.testing.assert_array_equal(
        MKLClassifier(**settings).fit(other, y).decision_function(other), own.decision_function(X)
    )
    np.testing.assert_array_equal(own.decision_function(other), own.decision_function(X))
