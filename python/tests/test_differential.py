"""The tool, the library and the estimators answer alike, and cross-validation is what anybody does by hand.

Of problems drawn at random all three learn the same file and predict another one: labels, decision values,
probabilities and scores are the same to the last digit. `kernmix cv`, `cross_validate` and MKLSearchCV say of each
fold what the tool says that is given the train part and the test part as files of their own.

KERNMIX names the tool, and KERNMIX_ANSWERS a program of the library (tests/differential).
"""

from __future__ import annotations

import csv
import json
import os
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from answers import (
    ANSWERS,
    KERNMIX,
    Answer,
    answer_of_library,
    data_flags,
    estimator,
    extra_columns,
    fitted,
    for_library,
    learning_flags,
    of_estimator,
    of_library,
    of_tool,
    predicted_by_tool,
    target_flags,
    tool,
)
from random_problems import KINDS, Problem, draw, folds_of, write
from sklearn.model_selection import GroupKFold

from kernmix import MKLRegressor, MKLSearchCV, load
from kernmix._folds import _weighed_groups

pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

SEEDS = range(int(os.environ.get("KERNMIX_SEEDS", 8 * len(KINDS))))


def assert_same(found: Answer, right: Answer, *, skip: tuple[str, ...] = ()) -> None:
    for what in ("decision", "probability"):
        if what in skip:
            continue
        assert sorted(found[what]) == sorted(right[what]), what
        for name, values in right[what].items():
            np.testing.assert_array_equal(found[what][name], values, err_msg=f"{what} {name}")
    assert found["labels"] == right["labels"]
    if "scores" in found and "scores" in right:
        assert found["scores"] == right["scores"]


def assert_score(model: Any, problem: Problem, scores: dict[str, float | None]) -> None:
    """The estimator's own score is the tool's; scikit-learn sums squares in another order."""
    score = model.score(problem.X, problem.y)
    if isinstance(model, MKLRegressor):
        assert score == pytest.approx(scores.get("r2", scores.get("mean_r2")), rel=1e-11, abs=1e-11)
    else:
        assert score == scores.get("accuracy", scores.get("subset_accuracy"))


def shuffled(X: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return X[rng.permutation(X.columns)]


def competing(problem: Problem) -> bool:
    """Of many classes of a logistic model that is not calibrated the estimators alone give probabilities."""
    return problem.kind == "several" and "calibration" not in problem.options


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def without_weightless(problem: Problem) -> Problem:
    return problem if problem.weights is None else problem.part(np.flatnonzero(problem.weights))


@pytest.mark.parametrize("seed", SEEDS)
def test_one_model(seed: int, tmp_path: Any) -> None:
    problem, new = draw(seed)
    train = write(problem, tmp_path, "train", extra_columns(problem))
    files = write(new, tmp_path, "new", {"remark": ["none yet"] * len(new)})
    flags = target_flags(new)
    right = of_tool(problem, train, files, flags, tmp_path / "tool.kmx")
    skip = ("probability",) if competing(problem) else ()
    X = shuffled(new.X, problem.rng)
    model = fitted(problem)
    assert_same(of_estimator(model, problem, X), right, skip=skip)
    assert_score(model, new, right["scores"])
    assert_same(of_estimator(load(tmp_path / "tool.kmx"), problem, X), right, skip=skip)
    model.save(tmp_path / "estimator.kmx")
    assert_same(predicted_by_tool(tmp_path / "estimator.kmx", files, flags), right)
    if not ANSWERS:
        return
    weighty = without_weightless(problem)
    own = train if len(weighty) == len(problem) else write(weighty, tmp_path, "weighty", extra_columns(weighty))
    spec = for_library(weighty, own, new=files, model=str(tmp_path / "library.kmx"))
    [said] = of_library(tmp_path, [spec])["runs"]
    assert_same(answer_of_library(said), right)
    if own == train:
        assert (tmp_path / "library.kmx").read_bytes() == (tmp_path / "tool.kmx").read_bytes()


def lacking_a_view(problem: Problem, columns: list[str]) -> Problem:
    lacking = problem.rng.random(len(problem)) < 0.3
    problem.X.loc[lacking, columns] = np.nan
    return problem


def permuted(answer: Answer, order: np.ndarray) -> Answer:
    values = {what: {n: v[order] for n, v in answer[what].items()} for what in ("decision", "probability")}
    return {**values, "labels": [answer["labels"][i] for i in order]}


@pytest.mark.parametrize("seed", SEEDS)
def test_names_orders_and_absent_views(seed: int, tmp_path: Any) -> None:
    """Of samples that lack a view, too; new ones stand in another order, in columns of another order."""
    problem, new = draw(seed)
    columns = list(problem.X)
    problem.views = {"RNA": columns[::2], "2": columns[1::2]}
    new.views = problem.views
    for part in (problem, new):
        lacking_a_view(part, columns[1::2])
    train, flags = write(problem, tmp_path, "train", extra_columns(problem)), target_flags(new)
    files = write(new, tmp_path, "new")
    try:
        right = of_tool(problem, train, files, flags, tmp_path / "tool.kmx")
    except ValueError as refusal:
        reason = str(refusal).split(": ")[-1].split(";")[0]
        with pytest.raises(ValueError, match=re.escape(reason[:40])):
            fitted(problem)
        return
    order = problem.rng.permutation(len(new))
    skip = ("probability",) if competing(problem) else ()
    model = fitted(problem)
    assert_same(of_estimator(model, problem, shuffled(new.X, problem.rng)), right, skip=skip)
    moved = permuted(right, order)
    assert_same(of_estimator(model, problem, shuffled(new.X.iloc[order], problem.rng)), moved, skip=skip)
    others = write(new.part(order), tmp_path, "moved", {"remark": [""] * len(new)})
    assert_same(predicted_by_tool(tmp_path / "tool.kmx", others, []), moved)
    if not ANSWERS or len(without_weightless(problem)) < len(problem):
        return
    more = {"keep_missing": True, "scored": False}
    spec = for_library(problem, train, new=others, model=str(tmp_path / "library.kmx"), **more)
    [said] = of_library(tmp_path, [spec])["runs"]
    assert_same(answer_of_library(said), moved)
    assert (tmp_path / "library.kmx").read_bytes() == (tmp_path / "tool.kmx").read_bytes()


def cv_of_tool(problem: Problem, folder: Any) -> tuple[list[np.ndarray], list[dict[str, Any]], list[dict[str, str]]]:
    """The samples that each fold tests, its JSON, and the rows of --predictions; no JSON where it refuses to run."""
    every, extra = np.arange(len(problem)), extra_columns(problem)
    if problem.groups is None:
        fold = folds_of(problem)
        flags, extra["fold"] = ["--fold-column", "fold"], [k + 1 if k >= 0 else k for k in fold.tolist()]
        tested = [every[fold == k] for k in range(3)]
    else:
        flags = ["--groups", "patient", "--folds", "3"]
        splits = (
            GroupKFold(3).split(every, groups=problem.groups)
            if problem.weights is None
            else _weighed_groups(3, problem.groups, problem.weights)
        )
        tested = [test for _, test in splits]
    files = write(problem, folder, "all", extra)
    out, predictions = folder / "cv.json", folder / "held-out.csv"
    flags = [*data_flags(problem), *learning_flags(problem), *flags]
    try:
        tool("cv", *files, *flags, "--json", out, "--predictions", predictions)
    except ValueError as refusal:
        assert_refused_by_hand(problem, tested, str(refusal), folder)
        return tested, [], []
    found = json.loads(out.read_text())
    assert found["folds"]["tested"] == [(places + 1).tolist() for places in tested]
    with predictions.open(newline="") as file:
        return tested, found["models"][0]["folds"], list(csv.DictReader(file))


def assert_refused_by_hand(problem: Problem, tested: list[np.ndarray], refusal: str, folder: Any) -> None:
    fold, reason = re.fullmatch(r"kernmix: fold (\d): (.*)", refusal).groups()
    part = part_by_hand(problem, np.setdiff1d(np.arange(len(problem)), tested[int(fold) - 1]))
    with pytest.raises(ValueError, match=re.escape(reason)):
        of_tool(part, write(part, folder, "refused", extra_columns(part)), [], [], folder / "refused.kmx")
    with pytest.raises(ValueError, match=re.escape(reason)):
        fitted(part)


def part_by_hand(problem: Problem, rows: np.ndarray) -> Problem:
    """What somebody would ask for who has these samples alone: no weights of absent classes, no label of one side."""
    part = problem.part(rows)
    if part.kind == "labels":
        part.y = part.y.loc[:, [part.y[label].nunique() == 2 for label in part.y]]
    known = {str(c) for c in part.classes}
    if "class_weights" in part.options:
        weights = {c: w for c, w in part.options["class_weights"].items() if c in known}
        part.options["class_weights"] = weights
    return part


def held_out(rows: list[dict[str, str]], fold: int) -> Answer:
    own = [row for row in rows if row["split"] == str(fold + 1)]

    def columns(what: str) -> dict[str, np.ndarray]:
        titles = [t for t in own[0] if t == what or t.startswith(what + " ")]
        values = {t[len(what) + 1 :]: [row[t] for row in own] for t in titles}
        return {name: np.array(v, dtype=float) for name, v in values.items() if "" not in v}

    return {"decision": columns("decision"), "probability": columns("probability"), "labels": [r["label"] for r in own]}


def known_only(answer: Answer, names: list[str]) -> Answer:
    """Without the classes that the part lacks, whose decision values are those of no sample."""
    kept = {what: {n: v for n, v in answer[what].items() if n in names} for what in ("decision", "probability")}
    return {**answer, **kept}


def assert_held_out(held: Answer, hand: Answer, part: Problem) -> None:
    own = known_only(held, list(hand["decision"]))
    if part.kind == "labels":
        labels = [",".join(np.array(list(part.y))[row]) for row in hand["labels"]]
    else:
        labels = [label or "" for label in hand["labels"]]
    assert_same(own, {**hand, "labels": labels})


def share_of_right_ones(held: Answer, rest: Problem) -> float:
    right = [label == str(true) for label, true in zip(held["labels"], rest.y.tolist(), strict=True)]
    weights = np.ones(len(rest)) if rest.weights is None else rest.weights
    return float(weights[right].sum() / weights.sum())


def by_hand(part: Problem, rest: Problem, folder: Any, k: int, scored: bool) -> tuple[Answer, dict[str, Any]]:
    """What the tool says that is given the two parts as files, and the same for the library."""
    rest.ids = None
    train = write(part, folder, f"train{k}", extra_columns(part))
    files = write(rest, folder, f"test{k}", extra_columns(rest))
    flags = [*target_flags(part), *([] if rest.weights is None else ["--sample-weight", "w"])] if scored else []
    hand = of_tool(part, train, files, flags, folder / f"{k}.kmx")
    more = {} if rest.weights is None else {"new_weights": rest.weights.tolist()}
    return hand, for_library(part, train, new=files, model=str(folder / "library.kmx"), scored=scored, **more)


def assert_estimator(part: Problem, rest: Problem, hand: Answer, whole: Problem) -> None:
    found = of_estimator(fitted(part), part, shuffled(rest.X, part.rng))
    fewer = part.kind == "several" and len(part.classes) == 2  # scikit-learn has one decision value of two classes
    skip = (*(("decision",) if fewer else ()), *(("probability",) if competing(whole) else ()))
    assert_same(found, hand, skip=skip)


def assert_search(problem: Problem, tested: list[np.ndarray], folds: list[dict[str, Any]]) -> None:
    """MKLSearchCV scores each fold as `cv` does."""
    every = np.arange(len(problem))
    splits = [(np.setdiff1d(every, test), test) for test in tested]
    search = MKLSearchCV(estimator(problem), {"tol": [1e-3]}, cv=splits, refit=False, error_score="raise")
    search.fit(problem.X, problem.y, groups=problem.groups)
    for k, fold in enumerate(folds):
        scores = {metric["name"]: metric["value"] for metric in fold["metrics"]}
        found = search.cv_results_[f"split{k}_test_score"][0]
        names = ("accuracy", "subset_accuracy", "r2", "mean_r2")
        right = next(scores[name] for name in names if name in scores)
        assert found == pytest.approx(right, rel=1e-5, abs=1e-5)  # it solves on kernels in single precision


def scores_of_fold(scores: dict[str, Any], tested: Problem) -> dict[str, Any]:
    """A fold that tests one class has no average precision, which any ranking would make 1 for this class."""
    if not tested.classes or len(np.unique(tested.y)) > 1:
        return scores
    rankings = {name for name in scores if "average_precision" in name or name.endswith("auc_pr")}
    return {name: None if name in rankings else value for name, value in scores.items()}


@pytest.mark.parametrize("seed", SEEDS)
def test_cross_validation_is_what_is_done_by_hand(seed: int, tmp_path: Any) -> None:
    problem = without_weightless(draw(seed)[0])
    tested, folds, rows = cv_of_tool(problem, tmp_path)
    if not folds:
        return
    done: list[tuple[Answer, dict[str, Any]]] = []
    every = list(problem.y) if problem.kind == "labels" else []
    for k, test in enumerate(tested):
        part, rest = part_by_hand(problem, np.setdiff1d(np.arange(len(problem)), test)), problem.part(test)
        held = held_out(rows, k)
        scores = {metric["name"]: metric["value"] for metric in folds[k]["metrics"]}
        if problem.classes:
            assert scores["accuracy"] == share_of_right_ones(held, rest)
            if len(part.classes) == 1:
                assert set(held["labels"]) == {str(part.classes[0])}
                continue
        whole = part.classes == problem.classes
        hand, spec = by_hand(part, rest, tmp_path, k, whole)
        assert_held_out(held, hand, part)
        assert not whole or scores == scores_of_fold(hand["scores"], rest)
        assert_estimator(part, rest, hand, problem)
        done.append((hand, spec))
    complete = len(done) == len(tested) and all(spec.get("labels", every) == every for _, spec in done)
    if complete and problem.weights is None:
        assert_search(problem, tested, folds)
    if ANSWERS:
        assert_library(problem, tested, folds, rows, done, tmp_path)


def assert_library(
    problem: Problem, tested: list[np.ndarray], folds: Any, rows: Any, done: list[tuple[Answer, Any]], folder: Any
) -> None:
    files = write(problem, folder, "whole", extra_columns(problem))
    cv = for_library(problem, files, tested=[test.tolist() for test in tested])
    found = of_library(folder, [spec for _, spec in done], cv)
    for (hand, _), said in zip(done, found["runs"], strict=True):
        assert_same(answer_of_library(said), hand)
    for k, said in enumerate(found["cv"]):
        own, held = answer_of_library(said), held_out(rows, k)
        if problem.kind == "labels":
            names = np.array(said["prediction"]["names"])
            own["labels"] = [",".join(names[row]) for row in own["labels"]]
        own["labels"] = [label or "" for label in own["labels"]]
        assert_same(known_only(own, list(held["decision"])), held)
        assert own["scores"] == {metric["name"]: metric["value"] for metric in folds[k]["metrics"]}
