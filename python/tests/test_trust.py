"""How surely kernels matter, what views add, and what a model looks at."""

import csv
import json
import os
import subprocess

import numpy as np
import pytest
import toy
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score, permutation_test_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernmix import (
    GramStack,
    KernmixWarning,
    MKLClassifier,
    MKLOneClass,
    MKLRegressor,
    MultilabelMKL,
    ParameterError,
    explain,
    significance,
    weight_stability,
)

X = toy.points(80, 6, seed=1)
y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, "yes", "no")
VIEWS = {"known": [0, 1], "noise": [2, 3, 4, 5]}
NAMES = [f"c{j + 1}" for j in range(6)]
FOLDS = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, y))
FOLD_OF = np.select([np.isin(np.arange(80), test) for _, test in FOLDS], range(4))
KERNELS = ["rbf(width=median*2^-1..2^1) on *", "linear on *"]

pytestmark = pytest.mark.filterwarnings("ignore::kernmix.KernmixWarning")


def machine(**options):
    return MKLClassifier(**{"kernels": KERNELS, "views": VIEWS, "tol": 1e-5, **options})


# --------------------------------------------------------------------------------------- stability


def test_planted_views_are_chosen_and_numbers_are_those_of_the_resamples():
    found = weight_stability(machine(), X, y, resamples=20, null_runs=2, often=0.8)
    assert found.kernels["kernel"].tolist() == machine().fit(X, y).kernel_names_.tolist()
    assert sorted(found.kernels["view"]) == ["known"] * 4 + ["noise"] * 4
    assert found.views["view"].tolist() == ["known", "noise"]
    assert found.views.row(0)["frequency"] == 1 and found.views.row(0)["mean"] > 0.5
    assert found.shares.shape == (20, 8) and found.resamples == 20 and found.complete
    np.testing.assert_allclose(found.shares.sum(axis=1), 1)
    np.testing.assert_allclose(found.kernels["mean"], found.shares.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.kernels["frequency"], (found.shares > 1e-5).mean(axis=0), atol=1e-12)
    assert (found.kernels["low"] <= found.kernels["high"]).all()
    assert found.stable == (found.kernels["frequency"] >= 0.8).sum()
    assert np.isfinite(found.kernels["null_frequency"]).all() and found.null_stable is not None
    assert f"{found.stable} of 8 kernels are chosen in at least 80% of 20 resamples; with permuted" in repr(found)


def test_weights_of_all_samples_are_the_shares_of_fit():
    found = weight_stability(machine(regularizer="lp:p=2"), X, y, resamples=4, null_runs=0)
    weights = np.asarray(machine(regularizer="lp:p=2").fit(X, y).weights_)
    np.testing.assert_allclose(found.kernels["weight"], weights / weights.sum(), atol=1e-3)
    assert np.isnan(found.kernels["null_frequency"]).all() and found.null_stable is None
    assert "a bank that knows nothing" not in repr(found)


def test_answers_depend_on_the_seed_and_not_on_threads():
    one, two = (weight_stability(machine(n_jobs=k), X, y, resamples=6, null_runs=1) for k in (1, 3))
    assert np.array_equal(one.shares, two.shares)
    assert np.array_equal(one.kernels["null_frequency"], two.kernels["null_frequency"])
    other = weight_stability(machine(random_state=1), X, y, resamples=6, null_runs=0)
    assert not np.array_equal(one.shares, other.shares)


def test_tasks_with_weights_of_their_own():
    labels = toy.three_classes(X)
    found = weight_stability(machine(coupling="separate"), X, labels, resamples=4, null_runs=0)
    assert list(found.tasks) == ["a", "b", "c"]
    mean = np.mean([table["weight"] for table in found.tasks.values()], axis=0)
    np.testing.assert_allclose(found.kernels["weight"], mean, atol=1e-12)
    assert not weight_stability(machine(), X, labels, resamples=4, null_runs=0).tasks


def test_numbers_and_matrices_have_stability_too():
    regressor = MKLRegressor(KERNELS, views=VIEWS)
    assert weight_stability(regressor, X, X[:, 0] ** 2, resamples=4, null_runs=0).views["frequency"][0] == 1
    stack = GramStack(toy.gram_stack(X), names="given")
    found = weight_stability(MKLClassifier(), stack, y, method="bootstrap", resamples=3, null_runs=0)
    assert len(found.kernels) == 3 and found.false_bound is None


def test_what_says_little_is_warned_of():
    with pytest.warns(KernmixWarning, match="10 resamples are too few for intervals") as told:
        weight_stability(machine(), X, y, resamples=10, null_runs=0)
    assert [warning.message.code for warning in told] == ["few-resamples"]
    assert all(warning.filename == __file__ for warning in told)


def test_callbacks_are_called_and_may_end_it():
    stages = []
    weight_stability(machine(callback=lambda stage, *rest: stages.append(stage)), X, y, resamples=4, null_runs=0)
    assert stages

    def fail(*arguments):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        weight_stability(machine(callback=fail), X, y, resamples=4, null_runs=0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "jackknife"}, "subsample"),
        ({"resamples": 1}, "resamples"),
        ({"resamples": 5}, "even"),
        ({"level": 1.0}, "level"),
        ({"often": 0.5}, "often"),
        ({"threshold": -0.1}, "threshold"),
    ],
)
def test_settings_out_of_range_are_refused(options, sentence):
    with pytest.raises(ParameterError, match=sentence):
        weight_stability(machine(), X, y, **options)


# ------------------------------------------------------------------------------------ significance


def test_scores_and_their_permutations_are_those_of_scikit_learn():
    found = significance(machine(), X, y, cv=FOLDS, permutations=9)
    options = {"cv": FOLDS, "groups": FOLD_OF, "n_permutations": 9, "random_state": 0}
    score, permuted, p = permutation_test_score(machine(), X, y, **options)
    assert found.score == "accuracy" and found.mean == pytest.approx(score)
    np.testing.assert_allclose(found.labels.permuted, permuted)
    assert found.labels.p == pytest.approx(p)
    np.testing.assert_allclose(found.folds, cross_val_score(machine(), X, y, cv=FOLDS))
    assert f"of {len(permuted)} permutations" in repr(found)


def test_views_alone_and_without_are_models_of_their_own():
    found = significance(machine(), X, y, cv=FOLDS)
    for v, name in enumerate(VIEWS):
        own = cross_val_score(machine(views={name: VIEWS[name]}), X, y, cv=FOLDS)
        np.testing.assert_allclose(found.alone[v], own)
        np.testing.assert_allclose(found.without[1 - v], own)
        assert found.views["alone"][v] == pytest.approx(own.mean())
    assert found.views["view"].tolist() == list(VIEWS)
    np.testing.assert_allclose(found.views["drop"], found.mean - found.views["without"], atol=1e-12)
    assert found.labels is None and "p_permuted" not in found.views.columns and not found.permuted_views


def test_permuted_views_and_parts_that_are_not_asked_for():
    found = significance(machine(), X, y, cv=FOLDS, permutations=5, permute_views=True)
    assert list(found.permuted_views) == list(VIEWS)
    assert found.views["p_permuted"][0] == found.permuted_views["known"].p == pytest.approx(1 / 6)
    bare = significance(machine(), X, y, cv=FOLDS, views=False)
    assert len(bare.views) == 0 and bare.mean == found.mean
    assert repr(bare) == f"accuracy {bare.mean:.4f} (mean of 4 folds)."


def test_one_view_has_none_without_it():
    found = significance(machine(views=None), X, y, cv=3)
    assert np.isnan(found.without).all() and np.isnan(found.views["drop"]).all()


def test_samples_of_weight_zero_are_in_no_fold():
    weights = np.where(np.arange(80) % 5, 1.0, 0.0)
    kept = np.flatnonzero(weights)
    place = np.cumsum(weights > 0) - 1
    inside = [tuple(place[part[weights[part] > 0]] for part in split) for split in FOLDS]
    found = significance(machine(), X, y, sample_weight=weights, cv=FOLDS, views=False)
    assert np.array_equal(found.folds, significance(machine(), X[kept], y[kept], cv=inside, views=False).folds)


def test_a_score_of_another_name_and_an_unknown_one():
    found = significance(machine(), X, y, cv=FOLDS, score="auc", views=False)
    expected = cross_val_score(machine(), X, y, cv=FOLDS, scoring="roc_auc")
    assert found.score == "auc" and found.mean == pytest.approx(expected.mean())
    with pytest.raises(ParameterError, match="acuracy"):
        significance(machine(), X, y, score="acuracy")


# ------------------------------------------------------------------------------------- explanation


def test_gradients_are_those_of_the_decision_function():
    model = machine().fit(X, y)
    found = explain(model, X[:7], gradients=True)
    assert found.gradients.shape == (7, len(found.features))
    step = 1e-5
    for j, row in enumerate(found.features):
        moved = np.zeros(6)
        moved[int(row["feature"].removeprefix("x"))] = step
        slope = (model.decision_function(X[:7] + moved) - model.decision_function(X[:7] - moved)) / (2 * step)
        np.testing.assert_allclose(found.gradients[:, j], slope, atol=1e-6)
    deviations = X[:7].std(axis=0)[np.char.lstrip(found.features["feature"], "x").astype(int)]
    sizes = np.abs(found.gradients).mean(axis=0)
    assert (np.diff(found.features["importance"]) <= 0).all()
    ratio = found.features["importance"] / (sizes * deviations)
    np.testing.assert_allclose(ratio, ratio[0])  # the same definition of a deviation for all
    assert explain(model, X[:7]).gradients.size == 0


def test_shares_are_covariances_of_contributions():
    model = machine().fit(X, y)
    found = explain(model, X)
    decision = model.decision_function(X)
    parts = model.contributions(X)
    for row in found.views:
        part = parts[:, model.weights_["view"] == row["view"]]
        assert row["kernels"] == np.count_nonzero(part.any(axis=0))
        covariance = np.cov(part.sum(axis=1), decision)
        assert row["share"] == pytest.approx(covariance[0, 1] / covariance[1, 1], abs=1e-6)
    assert found.views.columns == ["view", "kernels", "share", "deviation"]
    assert repr(found).count("\n\n") == 1


def test_columns_have_the_names_of_the_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=NAMES)
    found = explain(machine(views={"a": ["c2", "c1"], "b": "c5"}).fit(frame, y), frame)
    assert set(found.features["feature"]) <= {"c1", "c2", "c5"}


def test_several_tasks_are_named():
    found = explain(machine(coupling="separate").fit(X, toy.three_classes(X)), X)
    assert found.views.columns[0] == found.features.columns[0] == "task"
    assert set(found.views["task"]) == {"a", "b", "c"}


def test_matrices_and_kernels_in_python_have_no_columns():
    stack = GramStack(toy.gram_stack(X))
    found = explain(MKLClassifier().fit(stack, y), stack[:9])
    assert len(found.features) == 0 and found.views["share"].sum() == pytest.approx(1)

    def kernel(A, B):
        return A @ B.T

    found = explain(MKLClassifier([kernel]).fit(X, y), X)
    assert len(found.features) == 0 and found.views["share"].tolist() == pytest.approx([1])


def test_a_pipeline_is_explained_by_its_last_step():
    pipeline = make_pipeline(StandardScaler(), MKLClassifier("linear", scaling="none")).fit(X, y)
    alone = MKLClassifier("linear", scaling="none").fit(StandardScaler().fit_transform(X), y)
    found, expected = explain(pipeline, X), explain(alone, StandardScaler().fit_transform(X))
    for name in ("feature", "importance", "direction"):
        assert found.features[name].tolist() == expected.features[name].tolist()
    named = make_pipeline(StandardScaler().set_output(transform="pandas"), MKLClassifier("linear")).fit(X, y)
    assert set(explain(named, X).features["feature"]) <= {f"x{i}" for i in range(X.shape[1])}


def test_several_targets_and_labels_need_no_fit_before():
    numbers = np.column_stack([X[:, 0], X[:, 1] - X[:, 2]])
    for machine, target in ((MKLRegressor("linear"), numbers), (MultilabelMKL("linear"), numbers > 0)):
        assert len(weight_stability(machine, X, target, resamples=4, null_runs=0).views) == 1
        assert np.isfinite(significance(machine, X, target, cv=3, views=False).mean)


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("function", "asked"),
    [
        (weight_stability, {"resamples": 3}),
        (weight_stability, {"method": "jackknife"}),
        (weight_stability, {"threshold": 2.0}),
        (weight_stability, {"level": 1.5}),
        (significance, {"score": "accurcy"}),
        (significance, {"permutations": -1}),
    ],
)
def test_what_is_asked_is_checked_before_a_kernel_is_called(function, asked):
    def kernel(A, B):
        raise AssertionError("called")

    with pytest.raises(ParameterError):
        function(MKLClassifier([kernel]), X, y, **asked)


def test_estimators_that_cannot_be_asked():
    for function in (weight_stability, significance):
        with pytest.raises(TypeError, match="got a Pipeline that ends in LogisticRegression"):
            function(make_pipeline(StandardScaler(), LogisticRegression()), X, y)
    with pytest.raises(ParameterError, match="one-class"):
        significance(MKLOneClass(), X)
    with pytest.raises(ParameterError, match="svdd"):
        weight_stability(MKLOneClass(kernels="rbf", loss="svdd"), X)
    with pytest.raises(TypeError, match="explain takes an estimator of kernmix"):
        explain(StandardScaler(), X)
    with pytest.raises(NotFittedError):
        explain(MKLClassifier(), X)
    with pytest.raises(ParameterError, match="at least two"):
        explain(MKLClassifier().fit(X, y), X[:1])
    with pytest.raises(ValueError, match="features"):
        explain(MKLClassifier().fit(X, y), X[:, :3])


# --------------------------------------------------------------------------------- the command line


@pytest.fixture(scope="module")
def from_the_tool(tmp_path_factory):
    """What `kernmix stability` and `kernmix explain` write for the same data, settings and folds."""
    tool = os.environ.get("KERNMIX")
    if not tool:
        pytest.skip("the environment variable KERNMIX does not name the tool")
    folder = tmp_path_factory.mktemp("tool")
    with open(folder / "data.csv", "w", newline="") as out:
        columns = ([*map(repr, map(float, row))] for row in X)
        rows = [[*row, *rest] for row, *rest in zip(columns, y, FOLD_OF, range(80), strict=True)]
        csv.writer(out).writerows([[*NAMES, "y", "fold", "id"], *rows])
    views = ["--view", "known=c1,c2", "--view", "noise=c3,c4,c5,c6", "--kernel", KERNELS[0], "--kernel", KERNELS[1]]
    common = ["--quiet", "--memory", "2G"]
    learning = ["--label", "y", "--id", "id", "--seed", "5", "--tolerance", "1e-5", *views, *common]
    commands = [
        ["stability", "data.csv", *learning, "--resamples", "12", "--null-runs", "2", "--permutations", "7"]
        + ["--views", "--fold-column", "fold", "--json", "stability.json"],
        ["train", "data.csv", *learning, "-o", "model.kmx"],
        ["explain", "model.kmx", "data.csv", "--id", "id", *common, "--json", "explain.json"],
    ]
    for command in commands:
        done = subprocess.run([tool, *command], cwd=folder, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return [json.loads((folder / name).read_text()) for name in ("stability.json", "explain.json")]


def same(values, expected):
    """To the last digit; no number is null in JSON."""
    assert np.array_equal(values, np.array(expected, dtype=float), equal_nan=True)


def test_stability_is_that_of_the_tool(from_the_tool):
    expected = from_the_tool[0]
    found = weight_stability(machine(random_state=5, memory="2G"), X, y, resamples=12, null_runs=2)
    for table, rows in ((found.kernels, expected["kernels"]), (found.views, expected["views"])):
        assert table[table.columns[0]].tolist() == [row["name"] for row in rows]
        same(table["weight"], [row["share"] for row in rows])
        same(table["frequency"], [row["selection_frequency"] for row in rows])
        for name in ("mean", "low", "high", "null_frequency"):
            same(table[name], [row[name] for row in rows])
    same([found.false_bound, found.mean_chosen], [expected["false_bound"], expected["mean_chosen"]])
    assert found.stable == expected["stable"] and found.null_stable == expected["null"]["mean_stable"]


def test_significance_is_that_of_the_tool(from_the_tool):
    expected = from_the_tool[0]["significance"]
    found = significance(machine(random_state=5, memory="2G"), X, y, cv=FOLDS, permutations=7)
    same(found.folds, expected["folds"])
    same(found.labels.permuted, expected["labels"]["permuted"])
    assert found.labels.p == expected["labels"]["p"]
    for v, view in enumerate(expected["views"]):
        same(found.alone[v], view["alone"])
        same(found.without[v], view["without"])
        for name in ("drop", "p_drop", "explained"):
            same(found.views[name][v], view[name])


def test_explanations_are_those_of_the_tool(from_the_tool):
    expected = from_the_tool[1]
    found = explain(machine(random_state=5, memory="2G").fit(X, y), X)
    for name in ("share", "deviation"):
        same(found.views[name], [view[name] for view in expected["views"]])
    same(found.views["kernels"], [view["n_kernels"] for view in expected["views"]])
    for name in ("importance", "direction"):
        same(found.features[name], [feature[name] for feature in expected["features"]])


def test_several_labels_and_several_numbers_are_learned_again():
    labels = np.column_stack([X[:, 0] > 0, X[:, 1] > 0]).astype(int)
    for estimator, target in ((MultilabelMKL(kernels=KERNELS), labels), (MKLRegressor(kernels=KERNELS), X[:, :2] ** 2)):
        assert weight_stability(estimator, X, target, resamples=4, null_runs=0).resamples == 4
        assert len(significance(estimator, X, target, cv=3, views=False).folds) == 3
