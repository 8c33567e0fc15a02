"""Indefinite matrices are repaired as Chen, Garcia, Gupta, Rahimi and Cazzanti (JMLR 10, 2009) do, also for new samples."""

from __future__ import annotations

import csv
import json
import os
import subprocess

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_score
from sklearn.svm import SVC

from kernmix import GramStack, MKLClassifier, MKLRegressor, MKLSearchCV, kernels, load

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

RULES = ("clip", "shift", "flip")
N, NEW = 40, 15
RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(N + NEW, 4))
Y = np.where(POINTS[:N, 0] + 0.5 * RNG.normal(size=N) > 0, "yes", "no")
SAME = {"normalization": "none", "tol": 1e-9, "C": 2.0}


def indefinite(seed: int) -> np.ndarray:
    """Between all samples, with some eigenvalues well below zero."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(N + NEW, N + NEW))
    K = POINTS @ POINTS.T + 0.4 * (noise + noise.T)
    assert np.linalg.eigvalsh(K[:N, :N])[0] < -1
    return K


def repaired(K: np.ndarray, new: np.ndarray, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """The matrix of training and the rows of new samples, by numpy."""
    values, U = np.linalg.eigh(K)
    if rule == "shift":
        return K - values[0] * np.eye(len(K)), new
    changed = {"clip": np.maximum(values, 0), "flip": np.abs(values)}[rule]
    P = (U * {"clip": values > 0, "flip": np.sign(values)}[rule]) @ U.T
    return (U * changed) @ U.T, new @ P


def parts(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return K[:N, :N], K[N:, :N]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(4))
def test_an_svm_on_the_matrix_that_numpy_repairs(rule, seed):
    K, new = parts(indefinite(seed))
    machine = MKLClassifier(repair=rule, **SAME).fit(GramStack([K]), Y)
    fixed, rows = repaired(K, new, rule)
    right = SVC(kernel="precomputed", C=SAME["C"], tol=1e-9).fit(fixed, Y)
    found = machine.decision_function(GramStack([new]))
    np.testing.assert_allclose(found, right.decision_function(rows), atol=2e-4 * np.abs(found).max())
    np.testing.assert_array_equal(machine.predict(GramStack([new])), right.predict(rows))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("normalization", ["none", "variance", "center+trace"])
def test_several_matrices_as_if_they_were_given_repaired(rule, normalization):
    both = [parts(indefinite(seed)) for seed in (1, 2)]
    settings = {"normalization": normalization, "regularizer": "lp:p=2", "tol": 1e-7}
    y = POINTS[:N, 1] + 0.1 * POINTS[:N, 2]
    machine = MKLRegressor(loss="squared", repair=rule, **settings).fit(GramStack([K for K, _ in both]), y)
    fixed = [repaired(K, new, rule) for K, new in both]
    right = MKLRegressor(loss="squared", **settings).fit(GramStack([K for K, _ in fixed]), y)
    np.testing.assert_allclose(machine.weights_["weight"], right.weights_["weight"], rtol=1e-4)
    expected = right.predict(GramStack([rows for _, rows in fixed]))
    np.testing.assert_allclose(machine.predict(GramStack([rows for _, rows in both])), expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("rule", ["clip", "flip"])
def test_predictions_for_training_samples_are_the_trained_values(rule):
    K, _ = parts(indefinite(3))
    machine = MKLClassifier(repair=rule, normalization="none").fit(GramStack([K]), Y)
    fixed, _ = repaired(K, K, rule)
    trained = fixed[:, machine.support_] @ machine.dual_coef_.ravel() * machine.weights_["weight"][0]
    np.testing.assert_allclose(machine.decision_function(GramStack([K])), trained + machine.intercept_, atol=1e-6)


@pytest.mark.parametrize("rule", RULES)
def test_what_is_definite_is_left_alone(rule):
    K = POINTS @ POINTS.T + np.eye(N + NEW)
    answers = [
        MKLClassifier(repair=own).fit(GramStack([K[:N, :N]]), Y).decision_function(GramStack([K[N:, :N]]))
        for own in (None, rule)
    ]
    np.testing.assert_array_equal(*answers)


@pytest.mark.parametrize("rule", RULES)
def test_folds_repair_their_own_training_part(rule):
    K, _ = parts(indefinite(6))
    stack = GramStack([K])
    machine = MKLClassifier(repair=rule)
    folds = list(KFold(4).split(K))
    by_hand = []
    for train, test in folds:
        own = clone(machine).fit(GramStack([K[np.ix_(train, train)]]), Y[train])
        by_hand.append(own.score(GramStack([K[np.ix_(test, train)]]), Y[test]))
    assert cross_val_score(machine, stack, Y, cv=folds).tolist() == by_hand
    search = MKLSearchCV(machine, {"repair": [rule, "clip"]}, cv=folds, error_score="raise").fit(stack, Y)
    assert [search.cv_results_[f"split{k}_test_score"][0] for k in range(4)] == by_hand


@pytest.mark.parametrize("rule", RULES)
def test_kernels_in_python(rule):
    X, new = POINTS[:N], POINTS[N:]

    def tanh(A, B):
        return np.tanh(A @ B.T - 1)

    machine = MKLClassifier(kernels.function(tanh), repair=rule, scaling="none", **SAME).fit(X, Y)
    fixed, rows = repaired(tanh(X, X), tanh(new, X), rule)
    right = SVC(kernel="precomputed", C=SAME["C"], tol=1e-9).fit(fixed, Y)
    found = machine.decision_function(new)
    np.testing.assert_allclose(found, right.decision_function(rows), atol=2e-4 * np.abs(found).max())


def test_distances_that_are_not_euclidean():
    D = np.abs(indefinite(8))
    np.fill_diagonal(D, 0)
    machine = MKLClassifier("rbf(gamma=0.05)", repair="clip", **SAME)
    machine.fit(GramStack([D[:N, :N]], kind="distance"), Y)
    gram = np.exp(-0.05 * D**2)
    fixed, rows = repaired(gram[:N, :N], gram[N:, :N], "clip")
    right = SVC(kernel="precomputed", C=SAME["C"], tol=1e-9).fit(fixed, Y)
    found = machine.decision_function(GramStack([D[N:, :N]], kind="distance"))
    np.testing.assert_allclose(found, right.decision_function(rows), atol=2e-4 * np.abs(found).max())


def test_refusals():
    K, new = parts(indefinite(9))
    with pytest.raises(ValueError, match="smallest eigenvalue is -.*repair=clip, shift or flip"):
        MKLClassifier().fit(GramStack([K]), Y)
    with pytest.raises(ValueError, match="'repair' parameter"):
        MKLClassifier(repair="mend").fit(GramStack([K]), Y)
    lopsided = K + np.triu(np.ones_like(K), 1)
    with pytest.raises(ValueError, match="is not symmetric"):
        MKLClassifier(repair="clip").fit(GramStack([lopsided]), Y)
    with pytest.raises(MemoryError, match="the repair of kernel .*memory"):
        MKLClassifier(repair="clip", memory=3 * 8 * N * N - 1).fit(GramStack([K]), Y)
    machine = MKLClassifier(repair="clip").fit(GramStack([K]), Y)
    assert len(machine.support_) < N
    with pytest.raises(ValueError, match="need 40 columns"):
        machine.predict(GramStack([new[:, machine.support_]]))


def test_saved_and_loaded(tmp_path):
    K, new = parts(indefinite(10))
    for rule in RULES:
        machine = MKLClassifier(repair=rule).fit(GramStack([K]), Y)
        machine.save(tmp_path / "m.kmx")
        again = load(tmp_path / "m.kmx")
        assert again.repair == rule
        found = again.decision_function(GramStack([new]))
        np.testing.assert_array_equal(found, machine.decision_function(GramStack([new])))
        assert again.verify(GramStack([K]), Y).agrees
        assert not again.verify(GramStack([K + 0.1 * np.eye(N)]), Y).agrees


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([KERNMIX, *map(str, arguments)], capture_output=True, text=True, check=False)


@needs_tool
def test_the_tool(tmp_path):
    K, new = parts(indefinite(11))
    np.save(tmp_path / "gram.npy", K)
    np.save(tmp_path / "new.npy", new)
    labels = tmp_path / "labels.csv"
    with labels.open("w", newline="") as file:
        csv.writer(file).writerows([["y"], *([y] for y in Y)])
    data = (labels, "--label", "y", "--gram", f"gram={tmp_path / 'gram.npy'}")
    refused = run("train", *data, "-o", tmp_path / "m.kmx")
    assert refused.returncode == 3
    assert "--repair clip, shift or flip" in refused.stderr
    wrong = run("train", *data, "-o", tmp_path / "m.kmx", "--repair", "clipp")
    assert (wrong.returncode, "did you mean 'clip'" in wrong.stderr) == (2, True)
    for rule in RULES:
        model = tmp_path / f"{rule}.kmx"
        done = run("train", *data, "-o", model, "--repair", rule, "--json", tmp_path / "run.json")
        assert done.returncode == 0, done.stderr
        assert f"{rule}: precomputed on gram (" in done.stderr
        assert f"{rule}: precomputed on gram (" in run("inspect", model).stdout
        document = json.loads((tmp_path / "run.json").read_text())
        assert document["settings"]["repair"] == rule
        [kernel] = document["weights"]
        assert kernel["repair"]["smallest_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(K)[0], rel=1e-9)
        assert run("verify", model, *data).returncode == 0
        predicted = run("predict", model, "--gram", tmp_path / "new.npy")
        machine = MKLClassifier(repair=rule).fit(GramStack([K], names=["gram"]), Y)
        decision = [float(line.split(",")[1]) for line in predicted.stdout.splitlines()[1:]]
        np.testing.assert_array_equal(decision, machine.decision_function(GramStack([new], names=["gram"])))
        held = tmp_path / "held.csv"
        done = run("cv", *data, "--repair", rule, "--folds", "4", "--predictions", held, "--json", tmp_path / "cv.json")
        assert done.returncode == 0, done.stderr
        tested = json.loads((tmp_path / "cv.json").read_text())["folds"]["tested"]
        rows = list(csv.DictReader(held.open()))
        for k, places in enumerate(tested):
            test = np.array(places) - 1
            train = np.setdiff1d(np.arange(N), test)
            own = MKLClassifier(repair=rule).fit(GramStack([K[np.ix_(train, train)]]), Y[train])
            values = [float(row["decision"]) for row in rows if row["split"] == str(k + 1)]
            np.testing.assert_array_equal(values, own.decision_function(GramStack([K[np.ix_(test, train)]])))
    support = json.loads(run("inspect", tmp_path / "clip.kmx", "--json", "-").stdout)["n_support"]
    np.save(tmp_path / "few.npy", new[:, :support])
    few = run("predict", tmp_path / "clip.kmx", "--gram", tmp_path / "few.npy")
    assert few.returncode == 3
    assert "one for each training sample" in few.stderr
