"""Stability of kernel weights, significance of views and scores, and explanation of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import _num_samples, check_is_fitted

from . import _core
from ._bank import prediction_data
from ._base import BaseMKL, Prepared
from ._containers import checked_sparse
from ._folds import group_codes, splits_among
from ._names import check_same_samples
from ._progress import Reporter
from ._samples import first_number, training_names
from ._steps import Steps, transformed
from ._warnings import warn_of_findings
from .findings import Explanation, PermutationTest, Significance, WeightStability
from .table import Table
from .weight_table import WeightTable

_Records = list[dict[str, Any]]


def weight_stability(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    method: str = "subsample",
    resamples: int = 100,
    threshold: float | None = None,
    level: float = 0.95,
    often: float = 0.9,
    null_runs: int = 5,
    permute_within: Any = None,
) -> WeightStability:
    """Measures selection frequencies and the variation of kernel weights on resamples of the data.

    The numbers are those of `kernmix stability` with the same settings and seed.

    Parameters
    ----------
    estimator : estimator of kernmix, or a Pipeline that ends in one
        Its settings are used, including `n_jobs`, `time_limit`, `random_state`, `callback` and
        `verbose`; it may be fitted or not. The other steps of a pipeline are fitted again on every
        resample (in `significance` on the training part of every fold, and for every permutation
        of the labels), so that what they learn comes from these samples only. Weights go to the last
        step.
    X, y, sample_weight
        As in `fit`.
    groups : array-like of shape (n,), optional
        Group of each sample (a patient, a batch): whole groups are drawn instead of samples,
        and labels are permuted between groups.
    method : {"subsample", "bootstrap"}
        Halves without replacement, in pairs that share no sample, or n samples with replacement.
    resamples : int, default=100
        At least 2, and an even number for "subsample".
    threshold : float in [0, 1), optional
        A kernel is selected if its share of the weight is larger; default: the estimator's `tol`.
    level : float in (0, 1), default=0.95
        Level of the intervals.
    often : float in (0.5, 1], default=0.9
        Smallest selection frequency of a stable kernel.
    null_runs : int, default=5
        Number of repetitions with permuted labels, which give frequencies and mean weights under the null
        hypothesis. Sample weights that depend on the labels, such as those that balance classes, move with them.
    permute_within : array-like of shape (n,), optional
        Block of each sample (its site): labels are permuted within blocks only. Blocks consist of whole groups,
        or lie inside of groups, whose samples are then permuted one by one.

    Returns
    -------
    WeightStability

    Raises
    ------
    TypeError
        For an estimator, or the last step of a pipeline, that is not one of kernmix.
    ParameterError
        A ValueError, for a setting out of range and for losses of distances.
    DataError
        A ValueError, for steps of a pipeline that lead to other kernels in some resample.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from kernmix import MKLClassifier, weight_stability
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> machine = MKLClassifier(views={"error": range(10, 20), "worst": range(20, 30)}, C=0.1)
    >>> found = weight_stability(machine, X[:150], y[:150], resamples=40, null_runs=2)
    >>> str(found.views["view"][found.views["frequency"].argmax()])
    'worst'
    >>> found.stable > found.null_stable
    True
    """
    own, steps = _prepared("weight_stability", estimator, X, y, sample_weight, groups)
    asked: dict[str, Any] = {
        "method": method,
        "resamples": resamples,
        "threshold": threshold,
        "level": level,
        "often": often,
        "within": _blocks(permute_within, own, X),
    }
    found = _told(_last_step(estimator), _core.weight_stability, own, null_runs=null_runs, steps=steps, **asked)
    return WeightStability(
        _kernel_table(found["kernels"]),
        _weights("view", found["views"], **_set_sizes(own.sets, found["views"])),
        {task["name"]: _kernel_table(task["kernels"]) for task in found["tasks"]},
        often=often,
        level=level,
        **{
            name: found[name]
            for name in (
                "resamples",
                "shares",
                "mean_chosen",
                "stable",
                "false_bound",
                "null_stable",
                "complete",
                "sparse",
            )
        },
    )


def significance(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    cv: Any = 5,
    groups: Any = None,
    score: str = "",
    permutations: int = 0,
    views: bool = True,
    permute_views: bool = False,
    permute_within: Any = None,
) -> Significance:
    """Cross-validates the model with permuted labels, without each view, and with each view alone.

    The numbers are those of `kernmix stability` with the same settings, seed and folds.

    Parameters
    ----------
    estimator, X, y, sample_weight
        As in `weight_stability`.
    cv : int, splitter or iterable of (train, test), default=5
        As in scikit-learn; with groups, an integer is the number of folds of GroupKFold, where the size
        of a group is the sum of its sample weights.
    groups : array-like of shape (n,), optional
        Group of each sample (a patient, a batch): groups are tested as a whole, and labels are
        permuted between groups. A splitter that separates samples of a group is an error.
    score : str, optional
        A metric of `kernmix evaluate`; default: accuracy for classes, R^2 for numbers.
    permutations : int, default=0
        Number of label permutations; 0 omits the test. The smallest p-value is 1 / (permutations + 1).
    views : bool, default=True
        Also train without each view and with each view alone.
    permute_views : bool, default=False
        Also permute the samples of each view: `permutations` more models for each view and fold.
    permute_within : array-like of shape (n,), optional
        As in `weight_stability`, for labels and views.

    Returns
    -------
    Significance

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from kernmix import MKLClassifier, significance
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> machine = MKLClassifier(views={"error": range(10, 20), "worst": range(20, 30)})
    >>> found = significance(machine, X[:150], y[:150], permutations=19)
    >>> found.labels.p
    0.05
    >>> bool(found.views["drop"][1] > 0.1)
    True
    """
    own, steps = _prepared("significance", estimator, X, y, sample_weight, groups)
    splits = splits_among(own.rows, estimator, cv, _num_samples(X), y, groups, sample_weight)
    asked = {"score": score, "permutations": permutations, "views": views, "permute_views": permute_views}
    asked["within"] = _blocks(permute_within, own, X)
    found = _told(_last_step(estimator), _core.significance, own, splits, steps=steps, **asked)
    tests = {view["view"]: view["permuted"] for view in found["views"] if view["permuted"] is not None}
    alone, without = (_by_fold(found["views"], name, len(found["folds"])) for name in ("alone", "without"))
    return Significance(
        labels=None if found["labels"] is None else PermutationTest(**found["labels"]),
        views=_view_table(found["views"], alone, without),
        alone=alone,
        without=without,
        permuted_views={name: PermutationTest(**test) for name, test in tests.items()},
        **{name: found[name] for name in ("score", "larger_is_better", "mean", "folds", "complete")},
    )


def explain(estimator: Any, X: Any, *, gradients: bool = False) -> Explanation:
    """Attributes the decisions on X to views and columns.

    The numbers are those of `kernmix explain`.

    Parameters
    ----------
    estimator : fitted estimator of kernmix, or a fitted Pipeline that ends in one
        For a pipeline the columns are the outputs of its other steps.
    X
        At least two samples from the population that the model predicts.
    gradients : bool, default=False
        Also return, for each sample, the derivatives of the contributions of the views with respect to their columns.

    Returns
    -------
    Explanation
        Columns of an array are named x0, x1, ..., as in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from kernmix import MKLClassifier, explain
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> machine = MKLClassifier("linear", views={"mean": range(10), "worst": range(20, 30)}).fit(X, y)
    >>> found = explain(machine, X)
    >>> float(found.views["share"].sum().round(9))
    1.0
    >>> sorted({abs(round(direction)) for direction in found.features["direction"].tolist()})
    [1]
    """
    names = None
    if isinstance(estimator, Pipeline):
        check_is_fitted(estimator)
        X, names = _transformed(estimator, X)
        estimator = estimator.steps[-1][1]
    names = getattr(estimator, "feature_names", None) if names is None else names
    _require_mkl("explain", estimator)
    check_is_fitted(estimator)
    model = estimator._model
    columns = model.sources(model.columns) or estimator._view_columns()
    samples = estimator._new_samples(X, estimator._columns_read(columns))
    support = (estimator._support_rows, estimator._support_columns)
    data = prediction_data(samples, estimator._python_kernels, *support, model, **estimator._reading_limits())
    found = _core.explain(
        model, data, gradients=gradients, view_of_matrix=estimator._view_of_matrix(), **estimator._resources()
    )
    views = _task_table(found["views"], ("view", "kernels", "share", "deviation"))
    for feature in found["features"]:
        feature["feature"] = _column_name(estimator, feature["feature"], names)
        feature["direction"] *= estimator._direction
    features = _task_table(found["features"], ("view", "feature", "importance", "direction"))
    return Explanation(views, features, estimator._direction * found["gradients"])


def _transformed(pipeline: Pipeline, X: Any) -> tuple[Any, list[str] | None]:
    """X as the last step reads it, and the names of its columns if the other steps provide them."""
    steps = pipeline[:-1]
    if not len(steps):
        return X, None
    try:
        names = list(steps.get_feature_names_out())
    except (AttributeError, ValueError):
        names = None
    return transformed(steps, X), names


def _column_name(estimator: BaseMKL, name: str, names: list[str] | None) -> str:
    """The library numbers columns without names from 1; scikit-learn calls them x0, x1 and so on."""
    if training_names(estimator) is not None:
        return name
    place = int(name) - first_number(estimator)
    return f"x{place}" if names is None else str(names[place])


def _last_step(estimator: Any) -> Any:
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def _require_mkl(function: str, estimator: Any) -> None:
    last = _last_step(estimator)
    if isinstance(last, BaseMKL):
        return
    got = f"a Pipeline that ends in {type(last).__name__}" if last is not estimator else type(last).__name__
    raise TypeError(
        f"{function} takes an estimator of kernmix, or a Pipeline that ends in one, got {got}: of a search give its "
        "best_estimator_"
    )


def _prepared(
    function: str, estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any
) -> tuple[Prepared, Steps | None]:
    """All samples as training takes them, and the steps of a pipeline that has some."""
    _require_mkl(function, estimator)
    checked_sparse(X, "X")
    check_same_samples(X, y=y, sample_weight=sample_weight, groups=groups)
    if not isinstance(estimator, Pipeline) or len(estimator.steps) == 1:
        prepared = clone(_last_step(estimator))._prepare(X, y, sample_weight, groups)
        if prepared.samples.stack is not None and prepared.samples.stack.has_landmarks:
            raise ValueError(f"{function} needs the whole n x n matrices: these have the columns of landmarks alone")
        return prepared, None
    steps = Steps(estimator, X, y, sample_weight, groups)
    return steps.of_all(), steps


def _told(
    estimator: BaseMKL, function: Callable[..., dict[str, Any]], own: Prepared, *more: Any, **asked: Any
) -> dict[str, Any]:
    """Calls `function` with progress reports and raises its warnings."""
    with Reporter(estimator.callback, bool(estimator.verbose)) as reporter:
        options = {**own.options, "progress": reporter.progress, "log": reporter.log}
        found = function(own.data, options, *more, view_of_matrix=own.view_of_matrix(), **asked)
    warn_of_findings(found["warnings"], stacklevel=3)
    return found


def _blocks(permute_within: Any, own: Prepared, X: Any) -> list[int]:
    """The block of each sample of weight above zero, as a number."""
    check_same_samples(X, permute_within=permute_within)
    codes = group_codes(permute_within, _num_samples(X))
    return [] if codes is None else codes[own.rows].tolist()


def _by_fold(views: _Records, name: str, folds: int) -> Any:
    rows = [view[name] if len(view[name]) else np.full(folds, np.nan) for view in views]
    return np.array(rows).reshape(len(rows), folds)


def _view_table(views: _Records, alone: Any, without: Any) -> Table:
    columns: dict[str, Any] = {"view": np.array([view["view"] for view in views], dtype=str)}
    columns |= {"alone": _mean_of_known(alone), "without": _mean_of_known(without)}
    for name in ("drop", "p_drop", "p_holm", "explained"):
        columns[name] = _numbers(views, name)
    if any(view["permuted"] is not None for view in views):
        tests = [view["permuted"] or {"p": np.nan} for view in views]
        columns["p_permuted"] = np.array([test["p"] for test in tests])
    return Table(columns)


def _mean_of_known(scores: Any) -> Any:
    """The mean of each row over the folds with a score; NaN without any."""
    known = ~np.isnan(scores)
    count = known.sum(axis=1)
    return np.where(count > 0, np.where(known, scores, 0.0).sum(axis=1) / np.maximum(count, 1), np.nan)


def _numbers(records: _Records, name: str) -> Any:
    """The values of all records, NaN for missing ones."""
    return np.array([record[name] for record in records], dtype=float)


def _kernel_table(kernels: _Records) -> WeightTable:
    return _weights("kernel", kernels, view=[kernel["view"] for kernel in kernels])


def _set_sizes(sets: Table | None, views: _Records) -> dict[str, Any]:
    """The numbers of columns and of names of the sets, NaN for other views."""
    if sets is None:
        return {}
    place = {str(name): k for k, name in enumerate(sets["set"])}
    rows = [place.get(view["name"]) for view in views]
    return {name: [np.nan if k is None else int(sets[name][k]) for k in rows] for name in ("matched", "named")}


def _weights(what: str, records: _Records, **more: Any) -> WeightTable:
    columns: dict[str, Any] = {what: [record["name"] for record in records], **more}
    columns["weight"] = _numbers(records, "share")
    for name in ("frequency", "mean", "low", "high", "null_frequency", "null_mean"):
        columns[name] = _numbers(records, name)
    return WeightTable(columns)


def _task_table(records: _Records, names: tuple[str, ...]) -> Table:
    """A table that begins with the column task if there are several tasks."""
    several = len({record["task"] for record in records}) > 1
    return Table({name: [r[name] for r in records] for name in (("task", *names) if several else names)})
