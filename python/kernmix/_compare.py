"""Comparison of methods on splits of data sets: what `kernmix compare` does, on arrays and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _num_samples

from . import _core
from ._auto import estimator_for, table_of
from ._base import BaseMKL, Prepared
from ._candidates import Point, candidates_of, check_grid, points_of, resources_of
from ._folds import splits_among
from ._progress import Reporter
from .comparison import Comparison

_NO_GRIDS = ("kernels", "views", "class_weight", "scaling")  # whose lists are values

_BASELINES = ("average kernel", "best single kernel")


def compare(
    X: Any,
    y: Any,
    methods: Mapping[str, Any],
    *,
    splits: Any = 10,
    test: float = 0.3,
    inner_folds: int = 5,
    groups: Any = None,
    sample_weight: Any = None,
    score: str | Sequence[str] | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
    baselines: bool = True,
    loss: str | None = None,
    views: Any = None,
    sets: Any = None,
    kernels: Any = None,
    missing: str = "refuse",
    categorical: Any = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    memory: str | int | None = None,
    random_state: Any = None,
    verbose: bool | int = False,
    callback: Any = None,
) -> Comparison:
    """Means, ranks and corrected tests of methods on the same splits, each with its options chosen inside.

    The numbers are those of `kernmix compare` with the same settings and seed.

    Parameters
    ----------
    X, y
        As of `kernmix.auto`; of several data sets mappings of their names and the X and y of each.
    methods : mapping of names and methods
        A method is an estimator of kernmix, or a dict of parameters of the one that fits y. Lists in it are grids, but
        for those of kernels, class_weight and scaling: {"l1": {"regularizer": "l1", "C": [0.1, 1, 10]}}.
    splits : int, splitter or iterable of (train, test), default=10
        A number of random splits, stratified by class, or as scikit-learn's functions take cv.
    test : float in (0, 1), default=0.3
        The share of samples, or of groups, that random splits test.
    inner_folds : int >= 2, default=5
        Of the train part of each split, by which options are chosen.
    groups : array-like (n,), optional
        Which samples belong together (a patient, a batch): they are never on both sides of a split. Of several data
        sets a mapping, as of sample_weight.
    score : text or list of texts, optional
        Metrics of `kernmix evaluate`, of which the first chooses options; default as of `kernmix.auto`.
    grid : dict of lists, optional
        For all methods that do not say otherwise.
    baselines : bool, default=True
        Also compare the average of the kernels and the best single kernel, with `grid`.
    loss, views, sets, kernels, missing, categorical
        Of all methods that do not say otherwise; views, sets, missing and categorical may be said here alone.
        sets are the `groups` of the estimators.
    sample_weight, time_limit, n_jobs, memory, random_state, verbose, callback
        As of the estimators. Splits that time does not suffice for are left out.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        For data, methods or parameters that cannot be used.
    ResourceError
        A MemoryError, where time did not suffice for one split.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> import kernmix
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> methods = {"l1": {"regularizer": "l1"}, "l2": {"regularizer": "lp:p=2"}}
    >>> found = kernmix.compare(X[:120], y[:120], methods, splits=3, grid={"C": [0.1, 1]}, inner_folds=3)
    >>> found.methods
    ['average kernel', 'best single kernel', 'l1', 'l2']
    >>> bool(found.means()["mean"].min() > 0.8)
    True
    """
    several = isinstance(y, Mapping)
    shared = {"time_limit": time_limit, "n_jobs": n_jobs, "memory": memory, "random_state": random_state}
    common = {**shared, "kernels": kernels, "missing": missing, "categorical": categorical}
    tables = (
        {name: (X[name], y[name], _of(groups, name), _of(sample_weight, name)) for name in y}
        if several
        else {"data": (X, y, groups, sample_weight)}
    )
    data = []
    for name, (samples, target, own_groups, weights) in tables.items():
        given = table_of(samples, views, sets)
        given.check_names(y=target, groups=own_groups, sample_weight=weights)
        base = estimator_for(target, loss, "compare").set_params(**common, views=given.views, groups=given.sets)
        plan = _Plan(base, given.X, target, weights, own_groups)
        data.append((name, *plan.of(methods, grid or {}, baselines, splits)))
    base = clone(base).set_params(verbose=verbose, callback=callback)
    numbers = {"splits": int(splits) if isinstance(splits, Integral) else 1, "test": float(test)}
    scores = [] if score is None else [score] if isinstance(score, str) else list(score)
    with Reporter(callback, bool(verbose)) as reporter:
        resources = {**resources_of(base), "progress": reporter.progress, "log": reporter.log}
        asked = {**numbers, "scores": scores, "inner_folds": int(inner_folds), "baselines": bool(baselines)}
        found = _core.compare(data, resources, **asked)
    if not found["splits"]:
        raise _core.ResourceError("stopped before any split was finished: there is nothing to compare; allow more time")
    return Comparison(found)


def _of(values: Any, name: str) -> Any:
    return None if values is None else values.get(name)


class _Plan:
    """The methods and splits of one data set."""

    def __init__(self, base: BaseMKL, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        self._base, self._X, self._y = base, X, y
        self._weights, self._groups = sample_weight, groups
        self._own: Prepared

    def of(self, methods: Mapping[str, Any], grid: Mapping[str, Any], baselines: bool, splits: Any) -> tuple[Any, ...]:
        """Data, methods with their candidates, and splits: none where the library draws them."""
        if not methods and not baselines:
            raise ValueError("methods is empty: there is nothing to compare")
        listed = [("baselines", self._candidates(self._base, grid))] if baselines else []
        for name, method in methods.items():
            if baselines and name in _BASELINES:
                raise ValueError(
                    f"the method '{name}' is among the baselines: give it another name, or baselines=False"
                )
            listed.append((str(name), self._candidates(*self._read(str(name), method, grid))))
        return self._own.data(), listed, self._splits(splits)

    def _read(self, name: str, method: Any, grid: Mapping[str, Any]) -> tuple[BaseMKL, dict[str, Any]]:
        """The estimator of a method and its grid."""
        if isinstance(method, BaseMKL):
            if type(method) is not type(self._base):
                raise ValueError(
                    f"method '{name}' is a {type(method).__name__}, and y is for a {type(self._base).__name__}"
                )
            fixed = method.get_params(deep=False)
            kept = {key for key in fixed if key in ("time_limit", "n_jobs", "memory", "random_state")}
            own = self._base.get_params(deep=False)
            kept |= {"views", "groups", "missing", "categorical"}
            return clone(method).set_params(**{key: own[key] for key in kept}), dict(grid)
        if not isinstance(method, Mapping):
            raise TypeError(
                f"method '{name}' must be an estimator of kernmix or a dict of its parameters, got {method!r}"
            )
        check_grid(self._base, method)
        own = {key: list(value) for key, value in method.items() if _is_grid(key, value)}
        fixed = {key: value for key, value in method.items() if key not in own}
        rest = {key: values for key, values in grid.items() if key not in method}
        return clone(self._base).set_params(**fixed), {**own, **rest}

    def _candidates(self, estimator: BaseMKL, grid: Mapping[str, Any]) -> list[Any]:
        check_grid(estimator, grid)
        points: list[Point]
        points, paths = points_of(grid)
        found, self._own = candidates_of(estimator, points, paths, self._X, self._y, self._weights, self._groups)
        return found

    def _splits(self, splits: Any) -> list[tuple[list[int], list[int]]]:
        if isinstance(splits, Integral):
            return []
        size = _num_samples(self._X)
        return splits_among(self._own.rows, self._base, splits, size, self._y, self._groups, self._weights)


def _is_grid(name: str, value: Any) -> bool:
    return name not in _NO_GRIDS and isinstance(value, (list, tuple, np.ndarray))
