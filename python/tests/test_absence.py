"""Samples that lack a view."""

from __future__ import annotations

import os
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernmix
from kernmix import GramStack, KernmixWarning, MKLClassifier, MKLSearchCV
from kernmix.adapters import from_views
from kernmix.kernels import Function

KERNMIX = os.environ.get("KERNMIX")
VIEWS = {"a": [0, 1, 2], "b": [3, 4, 5]}
N = 80
LACKING = np.arange(N) % 3 == 0


def table(lacking: np.ndarray = LACKING) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, 6))
    y = np.where(X[:, 0] + X[:, 3] + rng.normal(0, 0.3, N) > 0, "yes", "no")
    X[np.ix_(lacking, VIEWS["b"])] = np.nan
    return X, y


def weights(model: MKLClassifier) -> np.ndarray:
    return np.asarray(model.weights_)


def test_samples_without_a_view_learn_from_the_others(tmp_path) -> None:
    X, y = table()
    model = MKLClassifier(views=VIEWS).fit(X, y)
    assert model.view_samples_ == {"a": N, "b": int((~LACKING).sum())}
    assert model.verify(X, y)
    expected = model.decision_function(X)
    assert np.isfinite(expected).all() and model.score(X, y) > 0.8
    parts = model.contributions(X)
    np.testing.assert_allclose(parts.sum(axis=1) + model.intercept_, expected, atol=1e-9)
    model.save(tmp_path / "m.kmx")
    loaded = kernmix.load(tmp_path / "m.kmx")
    for other in (pickle.loads(pickle.dumps(model)), loaded, clone(model).fit(X, y)):
        np.testing.assert_array_equal(other.decision_function(X), expected)
        assert other.view_samples_ == model.view_samples_


@pytest.mark.parametrize("search", [GridSearchCV, MKLSearchCV])
def test_searches_score_every_fold(search: type) -> None:
    X, y = table()
    found = search(MKLClassifier(views=VIEWS), {"C": [1, 10]}, cv=3, error_score="raise").fit(X, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_estimator_.view_samples_["b"] == (~LACKING).sum()


def test_drop_is_training_on_the_complete_samples() -> None:
    X, y = table()
    w = np.random.default_rng(1).uniform(0.5, 2, N)
    dropped = MKLClassifier(views=VIEWS, absent="drop").fit(X, y, sample_weight=w)
    complete = MKLClassifier(views=VIEWS).fit(X[~LACKING], y[~LACKING], sample_weight=w[~LACKING])
    np.testing.assert_array_equal(weights(dropped), weights(complete))
    np.testing.assert_array_equal(dropped.support_, np.flatnonzero(~LACKING)[complete.support_])
    assert dropped.view_samples_ == complete.view_samples_
    assert dropped.verify(X, y, sample_weight=w)


def test_without_absent_views_the_rule_changes_nothing() -> None:
    X, y = table(np.zeros(N, dtype=bool))
    models = [MKLClassifier(views=VIEWS, absent=rule).fit(X, y) for rule in ("keep", "drop", "refuse")]
    for model in models[1:]:
        np.testing.assert_array_equal(weights(model), weights(models[0]))
        np.testing.assert_array_equal(model.decision_function(X), models[0].decision_function(X))


def test_what_is_refused() -> None:
    X, y = table()
    with pytest.raises(ValueError, match="'b'"):
        MKLClassifier(views=VIEWS, absent="refuse").fit(X, y)
    with pytest.raises(ValueError, match="absent"):
        MKLClassifier(views=VIEWS, absent="ignore").fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        MKLClassifier().fit(X, y)
    single = X.copy()
    single[1, 4] = np.nan
    with pytest.raises(ValueError, match="missing"):
        MKLClassifier(views=VIEWS).fit(single, y)
    infinite = X.copy()
    infinite[1, 4] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        MKLClassifier(views=VIEWS).fit(infinite, y)


def grams(X: np.ndarray, Z: np.ndarray) -> list[np.ndarray]:
    return [X[:, columns] @ Z[:, columns].T for columns in VIEWS.values()]


def test_rows_of_nan_in_matrices_are_absent_views() -> None:
    X, y = table()
    options = {"scaling": "none", "C": 1.0}
    of_table = MKLClassifier(["linear on a", "linear on b"], views=VIEWS, **options).fit(X, y)
    stack = GramStack(grams(X, X), names=["a", "b"])
    of_matrices = MKLClassifier(C=1.0).fit(stack, y)
    functions = [Function(lambda A, B: A @ B.T, view=view) for view in VIEWS]
    of_functions = MKLClassifier(functions, views=VIEWS, **options).fit(X, y)
    assert of_matrices.view_samples_ == of_table.view_samples_
    assert of_matrices.verify(stack, y) and of_functions.verify(X, y)
    expected = of_table.decision_function(X)
    np.testing.assert_allclose(of_matrices.decision_function(stack), expected, atol=1e-6)
    np.testing.assert_allclose(of_functions.decision_function(X), expected, atol=1e-6)
    rows = np.arange(0, N, 2)
    np.testing.assert_allclose(of_matrices.decision_function(stack[rows]), expected[rows], atol=1e-6)
    part = MKLClassifier(C=1.0).fit(stack[rows], y[rows])
    same = MKLClassifier(["linear on a", "linear on b"], views=VIEWS, **options).fit(X[rows], y[rows])
    np.testing.assert_allclose(part.decision_function(stack), same.decision_function(X), atol=1e-6)


def test_rows_of_nan_in_a_mapped_file(tmp_path) -> None:
    X, y = table()
    np.save(tmp_path / "k.npy", np.stack(grams(X, X)))
    mapped, rows = GramStack(tmp_path / "k.npy", names=["a", "b"]), np.arange(0, N, 2)
    for part in (np.arange(N), rows):
        own = MKLClassifier().fit(mapped[part], y[part])
        same = MKLClassifier().fit(GramStack(grams(X, X), names=["a", "b"])[part], y[part])
        assert own.view_samples_ == same.view_samples_
        np.testing.assert_allclose(own.decision_function(mapped), same.decision_function(mapped), atol=1e-6)
    with pytest.raises(ValueError, match="only matrix"):
        MKLClassifier().fit(GramStack(grams(X, X)[1]), y)


def test_searches_over_the_rule_read_other_samples() -> None:
    X, y = table()
    scores = {}
    for rules in (["keep", "drop"], ["drop", "keep"]):
        found = MKLSearchCV(MKLClassifier(views=VIEWS), {"absent": rules}, cv=3, refit=False).fit(X, y)
        scores[rules[0]] = found.cv_results_["mean_test_score"][rules.index("keep")]
    assert scores["keep"] == scores["drop"] > 0.5
    X[:, VIEWS["b"]] = np.nan
    with pytest.raises(ValueError, match="leaves no sample"):
        MKLClassifier(views=VIEWS, absent="drop").fit(X, y)


def function_on(view: str) -> Function:
    return Function(lambda A, B: A @ B.T, view=view)


DROPPING = {
    "table": MKLClassifier("linear", views=VIEWS, absent="drop"),
    "functions": MKLClassifier([function_on(view) for view in VIEWS], views=VIEWS, absent="drop"),
    "stack": MKLClassifier(absent="drop"),
}


@pytest.mark.parametrize("form", DROPPING)
@pytest.mark.parametrize("more", [{}, {"groups": np.arange(N) // 4}, {"sample_weight": 1.0 + np.arange(N) % 2}])
def test_a_search_drops_samples_inside_every_part(form: str, more: dict) -> None:
    X, y = table()
    given = GramStack(grams(X, X), names=["a", "b"]) if form == "stack" else X
    splits = list((GroupKFold(3) if "groups" in more else StratifiedKFold(3)).split(X, y, more.get("groups")))
    grid, settings = {"C": [0.1, 10]}, {"error_score": "raise", "return_train_score": True}
    found = MKLSearchCV(DROPPING[form], grid, cv=splits, **settings).fit(given, y, **more)
    complete = [tuple(part[~LACKING[part]] for part in split) for split in splits]
    weighed = {name: values for name, values in more.items() if name == "sample_weight"}
    expected = GridSearchCV(DROPPING[form], grid, cv=complete, **settings).fit(given, y, **weighed)
    for name, scores in expected.cv_results_.items():
        if name.endswith(("test_score", "train_score")) and not name.startswith(("rank", "std")):
            np.testing.assert_allclose(found.cv_results_[name], scores, atol=1e-3, err_msg=name)
    assert not LACKING[found.best_estimator_.support_].any()


def test_a_search_with_integer_folds_drops_them_too() -> None:
    X, y = table()
    found = MKLSearchCV(DROPPING["table"], {"C": [0.1, 10], "absent": ["keep", "drop"]}, cv=4).fit(X, y)
    scores = [found.cv_results_[f"split{k}_test_score"] for k in range(4)]
    assert np.isfinite(scores).all()
    dropped = found.cv_results_["param_absent"] == "drop"
    for (_, test), own in zip(StratifiedKFold(4).split(X, y), scores, strict=True):
        count = (~LACKING[test]).sum()
        np.testing.assert_allclose(own[dropped] * count, np.round(own[dropped] * count), atol=1e-9)


def test_parts_without_complete_samples_are_named() -> None:
    X, y = table()
    splits = [(np.flatnonzero(~LACKING), np.flatnonzero(LACKING))]
    with pytest.raises(ValueError, match="leaves no sample in the test part of split 0"):
        MKLSearchCV(DROPPING["table"], {"C": [1]}, cv=splits).fit(X, y)
    splits = [tuple(reversed(split)) for split in splits]
    with pytest.raises(ValueError, match="leaves no sample in the training part of split 0"):
        MKLSearchCV(DROPPING["table"], {"C": [1]}, cv=splits).fit(X, y)


def test_pipelines_that_would_hide_dropped_samples_are_refused() -> None:
    X, y = table()
    for given in (X, pd.DataFrame(X)):
        with pytest.raises(ValueError, match="absent='drop' inside a pipeline"):
            MKLSearchCV(make_pipeline(StandardScaler(), DROPPING["table"]), {"mklclassifier__C": [1]}).fit(given, y)
    complete = X[~LACKING], y[~LACKING]
    steps = make_pipeline(StandardScaler(), DROPPING["table"])
    assert MKLSearchCV(steps, {"mklclassifier__C": [1]}, cv=3).fit(*complete).best_score_ > 0.5


def test_views_with_other_samples_are_joined() -> None:
    X, _ = table()
    names = [f"s{i}" for i in range(N)]
    whole = pd.DataFrame(X, index=names)
    data = from_views({"a": whole[VIEWS["a"]], "b": whole.loc[~LACKING, VIEWS["b"]]})
    assert data.samples == names
    np.testing.assert_array_equal(data.X, X)
    rows = [None if lacks else row for lacks, row in zip(LACKING, X[:, VIEWS["b"]].tolist(), strict=True)]
    np.testing.assert_array_equal(from_views({"a": X[:, VIEWS["a"]], "b": rows}).X, X)
    with pytest.raises(ValueError, match="None for every sample"):
        from_views({"a": X[:, VIEWS["a"]], "b": [None] * N})


def test_one_sample_without_a_view_in_a_search() -> None:
    """The part without it is trained as a part of the whole, whose view is incomplete."""
    X, y = table(np.arange(N) == 4)
    for estimator in (
        MKLClassifier(views=VIEWS),
        MKLClassifier([Function(lambda A, B: A @ B.T, view=view) for view in VIEWS], views=VIEWS),
    ):
        found = MKLSearchCV(estimator, {"C": [1, 10]}, cv=3, error_score="raise").fit(X, y)
        scores = np.array([found.cv_results_[f"split{k}_test_score"] for k in range(3)])
        assert np.isfinite(scores).all()
    stack = GramStack(grams(X, X), names=["a", "b"])
    found = MKLSearchCV(MKLClassifier(), {"C": [1, 10]}, cv=3, error_score="raise").fit(stack, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    for absent in ("keep", "drop"):
        with pytest.warns(KernmixWarning, match="lack a view that every training sample had"):
            GridSearchCV(MKLClassifier(views=VIEWS, absent=absent), {"C": [1]}, cv=3, error_score="raise").fit(X, y)


def test_a_view_that_all_new_samples_lack() -> None:
    X, y = table()
    stack = GramStack(grams(X, X), names=["a", "b"])
    model = MKLClassifier(C=1.0, regularizer="lp:p=2").fit(stack, y)
    one = GramStack(grams(X, X)[:1], names=["a"])
    np.testing.assert_array_equal(model.decision_function(one)[LACKING], model.decision_function(stack)[LACKING])
    with pytest.raises(ValueError, match="needs the matrices a, b"):
        model.decision_function(GramStack(grams(X, X)[1:], names=["b"]))


@pytest.mark.parametrize("rule", ["mean", "mean+indicator", "median+indicator"])
def test_missing_cells_beside_absent_views(rule: str, tmp_path) -> None:
    X, y = table()
    rng = np.random.default_rng(3)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 0] = np.where(np.isnan(X[:, 0]), 0.0, X[:, 0])
    frame = pd.DataFrame(X, columns=list("abcdef"))
    views = {"one": list("abc"), "two": list("cdef"), "three": list("ef")}
    model = MKLClassifier(views=views, missing=rule, regularizer="lp:p=2").fit(frame, y)
    assert model.verify(frame, y)
    model.save(tmp_path / "m.kmx")
    expected = model.decision_function(frame)
    np.testing.assert_array_equal(kernmix.load(tmp_path / "m.kmx").decision_function(frame), expected)
    few = model.decision_function(frame.iloc[:7])
    np.testing.assert_allclose(few, expected[:7], atol=1e-12)


def test_bad_input() -> None:
    X, y = table(np.arange(N) != 4)
    with pytest.raises(ValueError, match="one training sample has view 'b'"):
        MKLClassifier(views=VIEWS).fit(X, y)
    X, y = table()
    X[np.ix_(np.arange(N) % 3 == 1, VIEWS["a"])] = np.nan
    model = MKLClassifier(views=VIEWS, regularizer="lp:p=2").fit(X, y)
    new = X[:3].copy()
    new[1] = np.nan
    with pytest.raises(ValueError, match="1 of 3 samples have none of the views, for example row 1"):
        model.predict(new)
    new = np.vstack([X, np.full((1, 6), np.nan)])
    with pytest.raises(ValueError, match="none of the views"):
        MKLClassifier(views=VIEWS).fit(new, np.append(y, "yes"))
    with pytest.raises(ValueError, match="sample"):
        parts = {"s": X[:, VIEWS["a"]], "x": X[:, VIEWS["b"]]}  # other names in each
        from_views({name: pd.DataFrame(part, index=[f"{name}{i}" for i in range(N)]) for name, part in parts.items()})


def test_samples_with_views_without_weight_only() -> None:
    """Their prediction is the bias, which is said."""
    X, y = table(np.zeros(N, dtype=bool))
    X[:, VIEWS["b"]] = np.random.default_rng(8).normal(size=(N, 3))  # noise
    X[np.ix_(np.arange(N) == 3, VIEWS["a"])] = np.nan
    X[:, 0] += 5 * (y == "yes")
    model = MKLClassifier("linear", views=VIEWS, C=0.01).fit(X, y)
    assert model.weights_.by("view")["weight"].tolist()[1] == 0
    with pytest.warns(kernmix.KernmixWarning, match="1 of 80 samples have only views without weight"):
        model.predict(X)


def test_a_class_without_the_view_is_said() -> None:
    _, y = table(np.zeros(N, dtype=bool))
    X, _ = table(y == "yes")
    with pytest.warns(kernmix.KernmixWarning, match="no sample of class 'yes' has view 'b'"):
        MKLClassifier(views=VIEWS).fit(X, y)


def test_repairs_and_products_are_refused() -> None:
    X, y = table()
    stack = GramStack(grams(X, X), names=["a", "b"])
    with pytest.raises(ValueError, match="leave these samples out"):
        MKLClassifier(repair="clip").fit(stack, y)
    with pytest.raises(ValueError, match="or use a sum of kernels"):
        MKLClassifier(views=VIEWS, combination="product").fit(X, y)


@pytest.mark.skipif(KERNMIX is None, reason="KERNMIX does not name the command-line tool")
def test_the_tool_finds_the_same_weights(tmp_path) -> None:
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    views = {"one": list("abc"), "two": list("def")}
    frame.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    selections = [f"--view={name}={','.join(columns)}" for name, columns in views.items()]
    model = tmp_path / "m.kmx"
    command = [KERNMIX, "train", tmp_path / "t.csv", "--label", "y", *selections, "-o", model]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    own = MKLClassifier(views=views).fit(frame, y)
    np.testing.assert_allclose(weights(own), weights(kernmix.load(model)), atol=1e-9)
