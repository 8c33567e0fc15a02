"""Groups stay together wherever samples are dealt out, by every command and estimator that takes groups.

Samples of a group are copies of one another, and labels of groups are noise. Whoever puts copies on
both sides of a split finds labels that look learned: every held-out sample right, probabilities near 0 and 1, small
p-values. Whoever does not finds chance.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit

from kernmix import MKLClassifier, MKLSearchCV, MultilabelMKL, ParameterError, significance, weight_stability

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

GROUPS, COPIES = 24, 4
KERNEL = "rbf(gamma=4)"
RNG = np.random.default_rng(7)
G = np.tile(np.arange(GROUPS), COPIES)
X = RNG.normal(size=(GROUPS, 4))[G]
Y = RNG.permutation(np.arange(GROUPS) % 2)[G]
MARKS = np.column_stack([Y, RNG.permutation(np.arange(GROUPS) % 2)[G]])
CHANCE = 0.8  # right answers of 24 coins are no more, but for 1 in 5000 seeds


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    path = tmp_path_factory.mktemp("groups") / "visits.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["a", "b", "c", "d", "patient", "y", "m1", "m2"])
        for row, group, label, marks in zip(X, G, Y, MARKS, strict=True):
            table.writerow([*row, f"p{group:02}", "np"[label], *marks])
    return path


def run(folder, *arguments):
    """The JSON that the tool writes."""
    out = folder / "out.json"
    command = [KERNMIX, *map(str, arguments), "--groups", "patient", "--threads", "1", "--quiet", "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(out.read_text())


COMMON = ("--label", "y", "--ignore", "m*", "--kernel", KERNEL, "-C", "100")


def held_out_groups(tested):
    for places in tested:
        test = np.isin(np.arange(len(G)), np.array(places) - 1)
        yield set(G[test]) & set(G[~test])


@needs_tool
def test_cv_and_compare_with_another_model(visits, tmp_path):
    found = run(tmp_path, "cv", visits, *COMMON, "--folds", "4", "--also", "platt: --calibrate platt")
    assert not any(held_out_groups(found["folds"]["tested"]))
    for model in found["models"]:
        accuracy = next(m for m in model["metrics"] if m["name"] == "accuracy")
        assert accuracy["mean"] < CHANCE


def probabilities(folder, model, data, *more):
    out = folder / "predicted.csv"
    subprocess.run([KERNMIX, "predict", model, data, *more, "-o", out, "--quiet"], check=True, capture_output=True)
    with out.open() as file:
        return np.array([float(row["probability"]) for row in csv.DictReader(file)])


@needs_tool
@pytest.mark.parametrize("method", ["platt", "beta", "isotonic"])
def test_train_calibrates_on_other_groups(visits, tmp_path, method):
    model = tmp_path / "m.kmx"
    run(tmp_path, "train", visits, *COMMON, "--calibrate", method, "--calibration-folds", "4", "-o", model)
    assert np.ptp(probabilities(tmp_path, model, visits)) < CHANCE
    subprocess.run([KERNMIX, "verify", model, visits, "--label", "y", "--quiet"], check=True, capture_output=True)


@needs_tool
def test_tune_and_nested(visits, tmp_path):
    common = ("--label", "y", "--ignore", "m*", "--kernel", KERNEL)
    found = run(
        tmp_path,
        "tune",
        visits,
        *common,
        "--grid",
        "C=10,100",
        "--folds",
        "3",
        "--nested",
        "3",
        "-o",
        tmp_path / "m.kmx",
    )
    assert all(score < CHANCE for cell in found["candidates"] for score in [cell["mean"]] if score is not None)
    assert found["nested"]["mean"] < CHANCE


@needs_tool
def test_auto(visits, tmp_path):
    found = run(tmp_path, "auto", visits, *COMMON[:-2], "--folds", "3", "-o", tmp_path / "result")
    assert found["nested"]["mean"] < CHANCE


@needs_tool
def test_significance_of_noise(visits, tmp_path):
    command = ("stability", visits, *COMMON, "--folds", "3", "--resamples", "2", "--null-runs", "0")
    found = run(tmp_path, *command, "--permutations", "19")
    permuted = found["significance"]["labels"]["permuted"]
    assert np.ptp(permuted) > 0.1  # whole groups move: samples one by one would all but equal chance
    assert found["significance"]["labels"]["p"] > 0.05


@needs_tool
def test_random_splits_of_compare(visits, tmp_path):
    experiment = tmp_path / "e.toml"
    experiment.write_text(
        f"""
        [experiment]
        splits = 4
        test = 0.25
        inner-folds = 3
        baselines = false
        [[data]]
        name = "visits"
        files = ["{visits}"]
        label = "y"
        ignore = ["m*"]
        groups = "patient"
        [[method]]
        name = "narrow"
        kernel = ["{KERNEL}"]
        grid.C = [10, 100]
        """
    )
    out = tmp_path / "compare.json"
    subprocess.run([KERNMIX, "compare", experiment, "--json", out, "--quiet"], check=True, capture_output=True)
    text = json.loads(out.read_text())
    means = [method["mean"] for score in text["scores"] for data in score["data"] for method in data["methods"]]
    assert max(means) < CHANCE


def machine(**more):
    return MKLClassifier(KERNEL, C=100, **more)


@pytest.mark.parametrize("method", ["platt", "beta", "isotonic"])
def test_classifier(method):
    fitted = machine(calibration=method, calibration_folds=4).fit(X, Y, groups=G)
    assert np.ptp(fitted.predict_proba(X)[:, 1]) < CHANCE
    apart = machine(calibration=method, calibration_folds=4).fit(X, Y)
    assert np.ptp(apart.predict_proba(X)[:, 1]) > CHANCE  # what groups guard against


def test_multilabel_thresholds_and_calibration():
    fitted = MultilabelMKL(KERNEL, C=100, calibration="platt", calibration_folds=4).fit(X, MARKS, groups=G)
    assert np.ptp(fitted.predict_proba(X), axis=0).max() < CHANCE
    names = np.array([f"p{g}" for g in G])
    whole = MultilabelMKL(KERNEL, C=100, threshold_folds=3).fit(X, MARKS, groups=names)
    other = MultilabelMKL(KERNEL, C=100, threshold_folds=3).fit(X, MARKS)
    assert not np.allclose([t["threshold"] for t in whole._model.tasks], [t["threshold"] for t in other._model.tasks])


def test_search():
    search = MKLSearchCV(machine(calibration="platt"), {"C": [10, 100]}, cv=3, error_score="raise")
    search.fit(X, Y, groups=G)
    assert search.best_score_ < CHANCE
    assert np.ptp(search.predict_proba(X)[:, 1]) < CHANCE


def test_significance_and_weight_stability():
    found = significance(machine(), X, Y, cv=3, groups=G, permutations=19, views=False)
    assert found.mean < CHANCE
    assert np.ptp(found.labels.permuted) > 0.1
    stable = weight_stability(machine(), X, Y, groups=G, resamples=4, null_runs=1)
    assert stable.complete


@pytest.mark.parametrize(
    "cv", [KFold(3), PredefinedSplit(np.arange(len(G)) // GROUPS - 1), [(np.arange(48), np.arange(48, 96))]]
)
def test_splitters_that_part_a_group_are_refused(cv):
    with pytest.raises(ValueError, match="of the group 0"):
        MKLSearchCV(machine(), {"C": [10]}, cv=cv).fit(X, Y, groups=G)
    with pytest.raises(ValueError, match="of the group 0"):
        significance(machine(), X, Y, cv=cv, groups=G)


def test_splitters_of_groups_are_taken():
    assert MKLSearchCV(machine(), {"C": [10]}, cv=GroupKFold(3)).fit(X, Y, groups=G).best_score_ < CHANCE


def test_refusals_name_the_remedy():
    with pytest.raises(ValueError, match="24, 96|inconsistent"):
        machine(calibration="platt").fit(X, Y, groups=np.arange(GROUPS))
    with pytest.raises(ParameterError, match="30 folds of 24 groups"):
        machine(calibration="platt", calibration_folds=30).fit(X, Y, groups=G)
    one = np.where(G == 3, "rare", "usual")
    with pytest.raises(ValueError, match="the groups with class 'rare' are all in one of the 4 folds"):
        machine(calibration="platt", calibration_folds=4).fit(X, one, groups=G)
    with pytest.raises(ValueError, match="samples of only one group"):
        weight_stability(machine(), X, one, groups=G, resamples=2)
