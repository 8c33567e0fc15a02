"""A class that a fold lacks stops no run and turns no score into nan, in the tool and in Python."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, LeaveOneGroupOut, TimeSeriesSplit, cross_val_score

from kernmix import GramStack, MKLClassifier, MKLSearchCV, significance

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

RNG = np.random.default_rng(4)
PATIENT = np.repeat(np.arange(12), 5)
STAGE = np.where(PATIENT == 7, "III", np.where(PATIENT % 2, "II", "I"))
X = np.column_stack([np.array([{"I": -1, "II": 1, "III": 3}[s] for s in STAGE]), np.zeros((60, 2))])
X = X + RNG.normal(scale=0.6, size=X.shape)
SITE = np.repeat(np.arange(4), 15)
CASE = np.where((SITE == 0) & (np.arange(60) % 15 < 9), "case", "control")


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    path = tmp_path_factory.mktemp("classes") / "visits.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["a", "b", "c", "patient", "site", "stage", "case", "fold", "odd"])
        for row, *names in zip(X, PATIENT, SITE, STAGE, CASE, SITE, strict=True):
            table.writerow([*row, *(f"p{n}" if k == 0 else n for k, n in enumerate(names)), names[0] % 2])
    return path


def run(command, *arguments, **kept):
    """What the tool says on standard error, and its JSON."""
    out = kept["folder"] / "out.json"
    done = subprocess.run(
        [KERNMIX, command, *map(str, arguments), "--threads", "1", "--json", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr, json.loads(out.read_text())


STAGES = ("--label", "stage", "--ignore", "odd", "--ignore", "site", "--ignore", "case", "--ignore", "fold")
CASES = ("--label", "case", "--ignore", "odd", "--ignore", "stage", "--ignore", "patient")


def metric(found, name):
    return next(m for m in found["models"][0]["metrics"] if m["name"] == name)


@needs_tool
@pytest.mark.parametrize("scheme", ["one-vs-rest", "one-vs-one", "joint"])
def test_cv_of_a_class_that_one_patient_has(visits, tmp_path, scheme):
    options = (*STAGES, "--groups", "patient", "--folds", "12", "--multiclass", scheme, "--class-weight", "III=3")
    said, found = run("cv", visits, *options, folder=tmp_path)
    accuracy = metric(found, "accuracy")["values"]
    assert len(accuracy) == 12
    assert min(accuracy) == 0.0  # all of III are errors
    assert len(metric(found, "macro_auc")["values"]) <= 11
    assert said.count("class 'III' is only in the test part of 1 of 12 folds") == 1


@needs_tool
@pytest.mark.parametrize("folds", [("--groups", "site", "--folds", "4"), ("--fold-column", "fold")])
def test_a_part_of_one_class(visits, tmp_path, folds):
    ignored = ("--ignore", "fold" if folds[0] == "--groups" else "site")
    said, found = run("cv", visits, *CASES, *ignored, *folds, "--class-weight", "case=2", folder=tmp_path)
    assert len(metric(found, "accuracy")["values"]) == 4
    assert min(metric(found, "accuracy")["values"]) == pytest.approx(6 / 15)
    assert metric(found, "auc")["mean"] is None
    assert said.count("class 'case' is only in the test part of 1 of 4 folds") == 1


@needs_tool
def test_leave_one_out_of_a_single_sample(visits, tmp_path):
    _, found = run("cv", visits, *STAGES, "--ignore", "patient", "--leave-one-out", folder=tmp_path)
    assert len(metric(found, "accuracy")["values"]) == 60


@needs_tool
def test_tune_auto_and_stability(visits, tmp_path):
    options = (visits, *STAGES, "--groups", "patient")
    _, tuned = run("tune", *options, "--folds", "12", "--grid", "C=1,10", "-o", tmp_path / "m.kmx", folder=tmp_path)
    assert all(c["mean"] is not None for c in tuned["candidates"] if not c["abandoned"])
    ranking = ("--folds", "7", "--grid", "C=1,10", "--score", "auc", "-o", tmp_path / "m.kmx")
    parity = ("--label", "odd", "--ignore", "stage", "--ignore", "site", "--ignore", "case", "--ignore", "fold")
    _, tuned = run("tune", visits, *parity, "--groups", "patient", *ranking, folder=tmp_path)
    assert tuned["best"] is not None
    assert sum(score is None for score in tuned["candidates"][tuned["best"]]["scores"]) == 2
    _, study = run("auto", *options, "--folds", "6", "-o", tmp_path / "result", folder=tmp_path)
    assert study["nested"]["mean"] > 0.5
    _, found = run(
        "stability",
        visits,
        *CASES,
        "--ignore",
        "fold",
        "--groups",
        "site",
        "--folds",
        "4",
        "--resamples",
        "2",
        "--method",
        "bootstrap",
        "--null-runs",
        "0",
        "--views",
        "--score",
        "accuracy",
        folder=tmp_path,
    )
    assert None not in found["significance"]["folds"]


@needs_tool
def test_compare(visits, tmp_path):
    experiment = tmp_path / "e.toml"
    experiment.write_text(
        f"""
        [experiment]
        score = ["accuracy", "macro_auc"]
        groups = "patient"
        folds = 12
        inner-folds = 11
        baselines = false
        [[data]]
        name = "visits"
        files = ["{visits}"]
        label = "stage"
        ignore = ["site", "case", "fold", "odd"]
        [[method]]
        name = "L1"
        grid.C = [1, 10]
        """
    )
    _, found = run("compare", experiment, folder=tmp_path)
    values = {score["score"]: score["data"][0]["methods"][0]["values"] for score in found["scores"]}
    assert len(values["accuracy"]) == 12
    assert len(values["macro_auc"]) <= 11


CODES = np.array([{"I": 0, "II": 1, "III": 2}[s] for s in STAGE])
WEIGHTS = [{0: 1, 1: 1, 2: 10}, {0: 1.0, 1.0: 1, np.int64(2): 10}]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_class_weight_of_a_class_that_a_fold_lacks(weights):
    machine = MKLClassifier("linear", class_weight=weights)
    assert np.isfinite(cross_val_score(machine, X, CODES, cv=LeaveOneGroupOut(), groups=PATIENT)).all()
    assert np.isfinite(cross_val_score(machine, X, CODES, cv=TimeSeriesSplit(3))).all()
    for search in (GridSearchCV, MKLSearchCV):
        found = search(machine, {"C": [0.001, 10]}, cv=LeaveOneGroupOut()).fit(X, CODES, groups=PATIENT)
        assert np.isfinite(found.cv_results_["mean_test_score"]).all()


def test_weight_of_the_rare_class_alone():
    machine = MKLClassifier("linear", class_weight={2: 10})
    found = MKLSearchCV(machine, {"C": [0.001, 10]}, cv=LeaveOneGroupOut()).fit(X, CODES, groups=PATIENT)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    with pytest.raises(ValueError, match="the class 7, which y does not have"):
        MKLClassifier("linear", class_weight={7: 10}).fit(X, CODES)


@pytest.mark.parametrize("keys", [(False, True), (0, 1), (0.0, 1.0), (np.False_, np.True_)])
@pytest.mark.parametrize("kind", [bool, int, float])
def test_equal_labels_are_the_same_key(keys, kind):
    y = (CODES == 0).astype(kind)
    weighted = MKLClassifier("linear", class_weight=dict(zip(keys, (1, 5), strict=True))).fit(X, y)
    named = MKLClassifier("linear", class_weight={"n": 1, "p": 5}).fit(X, np.where(y == 1, "p", "n"))
    np.testing.assert_allclose(weighted.decision_function(X), named.decision_function(X))


def test_search_leaves_splits_without_a_score_out():
    machine = MKLClassifier("linear")
    splits = [(np.r_[0:40], np.r_[40:60]), (np.r_[20:60], np.r_[0:20]), (np.r_[15:60], np.r_[0:5])]
    y = np.where(np.arange(60) < 5, 1, CODES > 0).astype(int)
    search = MKLSearchCV(machine, {"C": [0.01, 10]}, cv=splits, scoring="roc_auc")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        search.fit(X, y)
    results = search.cv_results_
    assert np.isnan(results["split2_test_score"]).all()
    known = np.array([results[f"split{k}_test_score"] for k in range(2)])
    np.testing.assert_allclose(results["mean_test_score"], known.mean(axis=0))
    np.testing.assert_allclose(results["std_test_score"], known.std(axis=0))
    assert results["rank_test_score"].min() == 1
    assert sum("score is undefined on" in str(w.message) for w in told) == 1
    assert search.best_score_ == results["mean_test_score"].max()


def test_significance():
    found = significance(MKLClassifier("linear"), X, STAGE, cv=12, groups=PATIENT, views=False)
    assert np.isfinite(found.folds).all()
    assert found.mean == pytest.approx(found.folds.mean())


def test_search_scores_a_split_that_trains_on_one_class():
    """As `kernmix cv` does: every sample gets this class, and those of the other are errors."""
    both, one = (np.r_[0:60:2], np.r_[1:60:2]), (np.flatnonzero(CASE == "control"), np.flatnonzero(CASE == "case"))
    mixed = (one[0][:30], np.r_[one[0][30:], one[1]])
    for data in (X, GramStack(X @ X.T)):
        machine = MKLClassifier("linear") if data is X else MKLClassifier()
        search = MKLSearchCV(machine, {"C": [0.1, 1]}, cv=[both, one, mixed]).fit(data, CASE)
        assert search.cv_results_["split1_test_score"].tolist() == [0.0, 0.0]
        assert search.cv_results_["split2_test_score"] == pytest.approx(np.mean(CASE[mixed[1]] == "control"))
        assert search.saved_["models"] == 2


def test_weights_of_classes_that_no_sample_has_are_named_before_any_fold(visits):
    if not KERNMIX:
        pytest.skip("the environment variable KERNMIX does not name the tool")
    command = [KERNMIX, "cv", visits, "--label", "stage", "--fold-column", "fold", "--class-weight", "IV=5"]
    for column in ("patient", "site", "case", "odd"):
        command += ["--ignore", column]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown class 'IV'" in done.stderr
    assert "III" in done.stderr  # not the classes of a fold, which may lack it
