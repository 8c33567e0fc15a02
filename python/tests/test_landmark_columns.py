"""Gram matrices that have the columns of landmarks alone."""

import json
import os
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
import toy
from sklearn.base import clone
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

import kernmix
from kernmix import GramStack, MKLClassifier, MKLRegressor

KERNMIX = os.environ.get("KERNMIX")

X = toy.points(90, 6, seed=3)
NEW = toy.points(25, 6, seed=4)
Y = toy.two_classes(X)
ROWS = np.array([60, 3, 17, 41, 88, 29, 5, 74, 12, 50])  # in any order
NAMES = np.array([f"s{i}" for i in range(len(X))])


def kernels(A, B):
    return np.stack([rbf_kernel(A, B, gamma=0.3), rbf_kernel(A[:, :3], B[:, :3], gamma=0.1), linear_kernel(A, B)])


COLUMNS = GramStack(kernels(X, X[ROWS]), landmarks=ROWS)
FRESH = GramStack(kernels(NEW, X[ROWS]))


def nystroem(A, rows):
    """The matrices between samples A whose columns are those of the landmarks X[rows]."""
    left, middle = kernels(A, X[rows]), kernels(X[rows], X[rows])
    right = kernels(X[rows], X)
    return np.stack([a @ np.linalg.pinv(m, hermitian=True) @ b for a, m, b in zip(left, middle, right, strict=True)])


@pytest.fixture(scope="module")
def fitted():
    return MKLClassifier(C=10, tol=1e-7).fit(COLUMNS, Y)


def test_the_model_is_that_of_the_nystroem_matrices(fitted):
    whole = MKLClassifier(C=10, tol=1e-7, landmarks="none").fit(GramStack(nystroem(X, ROWS)), Y)
    assert fitted.objective_ == pytest.approx(whole.objective_, rel=1e-5)
    assert np.allclose(fitted.weights_["weight"], whole.weights_["weight"], atol=1e-3)
    right = whole.decision_function(GramStack(nystroem(NEW, ROWS)))
    assert np.allclose(fitted.decision_function(FRESH), right, atol=1e-2)
    assert fitted.support_.tolist() == sorted(ROWS)
    assert fitted.dual_gap_ >= 0 and fitted.certificate_.relative_gap <= 1e-7


def test_new_samples_need_the_columns_of_the_landmarks(fitted):
    assert fitted.predict(FRESH).shape == (25,)
    assert fitted.n_features_in_ == len(ROWS)
    assert fitted.score(COLUMNS, Y) > 0.8
    with pytest.raises(ValueError, match=r"25 x 90 and need 10 columns, one for each landmark"):
        fitted.predict(GramStack(kernels(NEW, X)))


def test_verify_recomputes_all_of_it(fitted):
    assert fitted.verify(COLUMNS, Y)
    assert not fitted.verify(COLUMNS, Y[::-1])


def test_a_part_of_the_rows_has_its_own_landmarks():
    rows = np.arange(0, 90, 2)[::-1]
    part = COLUMNS[rows]
    kept = np.flatnonzero(np.isin(ROWS, rows))
    by_hand = GramStack(kernels(X[rows], X[ROWS[kept]]), landmarks=[rows.tolist().index(row) for row in ROWS[kept]])
    left, right = (MKLClassifier(C=10, tol=1e-6).fit(stack, Y[rows]) for stack in (part, by_hand))
    assert np.array_equal(left.weights_["weight"], right.weights_["weight"])
    assert rows[left.support_].tolist() == [row for row in rows if row in ROWS]
    fresh = GramStack(kernels(NEW, X[ROWS[kept]]))
    assert np.array_equal(left.decision_function(FRESH), right.decision_function(fresh))


def test_rows_are_split_as_those_of_a_table():
    folds = KFold(4, shuffle=True, random_state=0)
    scores = cross_val_score(MKLClassifier(C=10), COLUMNS, Y, cv=folds, error_score="raise")
    by_hand = []
    for train, test in folds.split(X):
        machine = MKLClassifier(C=10).fit(COLUMNS[train], Y[train])
        by_hand.append(machine.score(COLUMNS[test], Y[test]))
    assert scores.tolist() == by_hand and scores.mean() > 0.75


def test_searches_and_studies_take_them():
    grid = {"C": [0.1, 10]}
    found = GridSearchCV(MKLClassifier(), grid, cv=3, error_score="raise").fit(COLUMNS, Y)
    own = kernmix.MKLSearchCV(MKLClassifier(), grid, cv=3).fit(COLUMNS, Y)
    assert own.best_params_ == found.best_params_
    assert np.allclose(own.cv_results_["mean_test_score"], found.cv_results_["mean_test_score"])
    assert kernmix.auto(COLUMNS, Y, folds=2).best_estimator_.predict(FRESH).shape == (25,)
    assert MKLClassifier(calibration="platt", calibration_folds=3).fit(COLUMNS, Y).predict_proba(FRESH).shape == (25, 2)


def test_stability_is_refused_by_name():
    with pytest.raises(ValueError, match="weight_stability needs the whole n x n matrices"):
        kernmix.weight_stability(MKLClassifier(), COLUMNS, Y)


def test_numbers_classes_and_weights():
    numbers = X[:, 0] + X[:, 1] ** 2
    regressor = MKLRegressor(tol=1e-5).fit(COLUMNS, numbers)
    assert regressor.predict(FRESH).shape == (25,) and regressor.verify(COLUMNS, numbers)
    three = MKLClassifier().fit(COLUMNS, toy.three_classes(X))
    assert three.decision_function(FRESH).shape == (25, 3)
    weights = np.where(np.arange(90) == ROWS[0], 0.0, 1.0)
    assert ROWS[0] not in MKLClassifier().fit(COLUMNS, Y, sample_weight=weights).support_


def test_repeated_rows_are_samples_of_their_own():
    rows = np.random.default_rng(1).integers(0, 90, 90)
    model = MKLClassifier(tol=1e-6).fit(COLUMNS[rows], Y[rows])
    distinct = set(ROWS.tolist()) & set(rows.tolist())
    assert len(model.support_) == len(distinct) and set(rows[model.support_].tolist()) == distinct


def test_pickle_clone_save_and_load(fitted, tmp_path):
    expected = fitted.decision_function(FRESH)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.decision_function(FRESH), expected)
    stack = pickle.loads(pickle.dumps(COLUMNS[5:]))
    assert stack.has_landmarks and stack.landmarks()[1].tolist() == COLUMNS[5:].landmarks()[1].tolist()
    same = clone(fitted).fit(COLUMNS, Y)
    assert np.array_equal(same.decision_function(FRESH), expected)
    with pytest.raises(ValueError, match="put them in that order"):
        fitted.save(tmp_path / "model.kmx")
    ordered = GramStack(kernels(X, X[np.sort(ROWS)]), landmarks=np.sort(ROWS))
    MKLClassifier(C=10, tol=1e-7).fit(ordered, Y).save(tmp_path / "model.kmx")
    loaded = kernmix.load(tmp_path / "model.kmx")
    assert np.array_equal(loaded.decision_function(GramStack(kernels(NEW, X[np.sort(ROWS)]))), expected)
    assert loaded.verify(COLUMNS, Y) and loaded.verify(ordered, Y)


def test_columns_of_frames_are_found_by_name(tmp_path):
    frames = [pd.DataFrame(K, index=NAMES, columns=NAMES[ROWS]) for K in kernels(X, X[ROWS])]
    stack = GramStack(frames)
    model = MKLClassifier(C=10, tol=1e-7).fit(stack, Y)
    assert np.array_equal(model.support_, np.sort(ROWS))
    order = np.random.default_rng(0).permutation(len(X))
    fresh = [
        pd.DataFrame(K[:, order], index=[f"n{i}" for i in range(25)], columns=NAMES[order]) for K in kernels(NEW, X)
    ]
    expected = MKLClassifier(C=10, tol=1e-7).fit(COLUMNS, Y).decision_function(FRESH)
    assert np.allclose(model.decision_function(GramStack(fresh)), expected, rtol=1e-9, atol=1e-9)
    model.save(tmp_path / "model.kmx")
    loaded = kernmix.load(tmp_path / "model.kmx")
    assert np.allclose(loaded.decision_function(GramStack(fresh)), expected, rtol=1e-9, atol=1e-9)
    few = GramStack([frame.drop(columns="s17") for frame in fresh])
    with pytest.raises(ValueError, match="no column of the landmark 's17'"):
        model.predict(few)


@pytest.mark.parametrize("names", [NAMES, np.where(NAMES == "s1", "s2", NAMES), None], ids=["rows", "twice", "numbers"])
def test_a_loaded_model_reads_the_columns_of_the_fitted_one_or_is_not_saved(tmp_path, names):
    index = pd.RangeIndex(len(X)) if names is None else pd.Index(names)
    for columns in (pd.RangeIndex(len(ROWS)), index[ROWS]):
        frames = [pd.DataFrame(K, index=index, columns=columns) for K in kernels(X, X[ROWS])]
        model = MKLClassifier(C=10).fit(GramStack(frames, landmarks=ROWS), Y)
        try:
            model.save(tmp_path / "model.kmx")
        except ValueError as refusal:
            assert "pickle" in str(refusal)
            continue
        shuffled = np.random.default_rng(1).permutation(len(ROWS))
        fresh = GramStack([pd.DataFrame(K, columns=columns).iloc[:, shuffled] for K in kernels(NEW, X[ROWS])])
        loaded = kernmix.load(tmp_path / "model.kmx")
        assert np.array_equal(loaded.decision_function(fresh), model.decision_function(fresh))


def test_square_matrices_with_numbers_as_names_are_read_by_name(tmp_path):
    names = [str(i) for i in range(len(X))]
    model = MKLClassifier(C=10).fit(GramStack([pd.DataFrame(K, index=names, columns=names) for K in kernels(X, X)]), Y)
    model.save(tmp_path / "model.kmx")
    order = np.random.default_rng(2).permutation(names)
    fresh = GramStack([pd.DataFrame(K, columns=names)[order] for K in kernels(NEW, X)])
    loaded = kernmix.load(tmp_path / "model.kmx")
    assert np.array_equal(loaded.decision_function(fresh), model.decision_function(fresh))


def test_a_single_frame_is_a_precomputed_kernel():
    frame = pd.DataFrame(kernels(X, X[ROWS])[0], index=NAMES, columns=NAMES[ROWS])
    model = MKLClassifier(kernels="precomputed").fit(frame, Y)
    fresh = pd.DataFrame(kernels(NEW, X[ROWS])[0], columns=NAMES[ROWS])
    stack = GramStack(frame)
    right = MKLClassifier(kernels="precomputed").fit(stack, Y).decision_function(GramStack(fresh))
    assert np.array_equal(model.decision_function(fresh), right)


def test_matrices_of_a_file_stay_there(tmp_path):
    np.save(tmp_path / "bank.npy", kernels(X, X[ROWS]))
    model = MKLClassifier(C=10, tol=1e-7).fit(GramStack(tmp_path / "bank.npy", landmarks=ROWS), Y)
    right = MKLClassifier(C=10, tol=1e-7).fit(COLUMNS, Y)
    assert np.array_equal(model.weights_["weight"], right.weights_["weight"])


@pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
def test_the_tool_finds_the_same_weights(tmp_path):
    rows = np.sort(ROWS)
    np.save(tmp_path / "columns.npy", kernels(X, X[rows]))
    np.save(tmp_path / "new.npy", kernels(NEW, X[rows]))
    (tmp_path / "landmarks.txt").write_text("\n".join(NAMES[rows]))
    table = "\n".join(f"{name},{label}" for name, label in zip(NAMES, Y, strict=True))
    (tmp_path / "y.csv").write_text(f"id,y\n{table}\n")
    model, found = tmp_path / "model.kmx", tmp_path / "run.json"
    command = [KERNMIX, "train", "y.csv", "--label", "y", "--id", "id", "--gram", "K=columns.npy", "-C", "3"]
    command += ["--landmarks", "landmarks.txt", "-o", model, "--json", found, "--quiet"]
    subprocess.run(command, check=True, cwd=tmp_path)
    frames = [pd.DataFrame(K, index=NAMES, columns=NAMES[rows]) for K in kernels(X, X[rows])]
    own = MKLClassifier(C=3).fit(GramStack(frames, names="K"), Y)
    assert own.weights_["weight"].tolist() == [row["weight"] for row in json.loads(found.read_text())["weights"]]
    loaded = kernmix.load(model)
    fresh = GramStack(tmp_path / "new.npy", names="K")
    assert np.array_equal(loaded.decision_function(fresh), own.decision_function(fresh))
    assert loaded.verify(GramStack(frames, names="K"), Y)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: GramStack(kernels(X, X[ROWS]), landmarks=ROWS[:9]), "row of each of the 10 columns"),
        (lambda: GramStack(kernels(X, X[ROWS]), landmarks=ROWS / 2), "row of each of the 10 columns"),
        (lambda: GramStack(kernels(X, X[ROWS]), landmarks=np.append(ROWS[:9], 90)), "different rows .* from 0 to 89"),
        (lambda: GramStack(kernels(X, X[ROWS]), landmarks=np.append(ROWS[:9], 60)), "different rows"),
        (lambda: GramStack(kernels(X, X[ROWS]), landmarks=ROWS, kind="distance"), "kind='gram'"),
        (lambda: MKLClassifier().fit(GramStack(kernels(X, X[ROWS])), Y), r"GramStack\(K, landmarks=rows\)"),
        (lambda: MKLClassifier(landmarks=5).fit(COLUMNS, Y), "landmarks='auto', or give the whole"),
        (lambda: MKLClassifier(landmarks="none").fit(COLUMNS, Y), "landmarks='auto', or give the whole"),
        (lambda: MKLClassifier(repair="clip").fit(COLUMNS, Y), "repair"),
        (lambda: MKLClassifier(normalization="center").fit(COLUMNS, Y), "centred"),
        (lambda: MKLClassifier(kernels="precomputed", combination="product").fit(COLUMNS, Y), "product"),
        (
            lambda: MKLClassifier().fit(COLUMNS[np.setdiff1d(np.arange(90), ROWS)], np.delete(Y, ROWS)),
            "none of the 10 landmarks is among the 80 training samples",
        ),
        (
            lambda: MKLClassifier(kernels="precomputed").fit(kernels(X, X[ROWS])[0], Y),
            r"GramStack\(K, landmarks=rows\)",
        ),
        (lambda: MKLClassifier(memory=1000).fit(COLUMNS, Y), "memory"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_remedy(make, match):
    with pytest.raises((ValueError, MemoryError), match=match):
        make()


def test_an_indefinite_part_of_the_landmarks_is_refused():
    bad = kernels(X, X[ROWS])
    bad[1][ROWS, np.arange(len(ROWS))] = -1
    with pytest.raises(ValueError, match=r"matrix 'gram\[1\]' is not positive semidefinite between its landmarks"):
        MKLClassifier().fit(GramStack(bad, landmarks=ROWS), Y)


def test_a_sample_that_lacks_a_matrix_is_refused_or_dropped():
    lacking = kernels(X, X[ROWS])
    lacking[1][7] = np.nan
    stack = GramStack(lacking, landmarks=ROWS)
    with pytest.raises(ValueError, match="must have a row for each sample"):
        MKLClassifier().fit(stack, Y)
    assert MKLClassifier(absent="drop").fit(stack, Y).support_.tolist() == sorted(ROWS)
