"""Splits of samples into parts to train on and to test, which keep groups together."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils import check_consistent_length, column_or_1d

from ._samples import is_missing

_DEFAULT_FOLDS = 5


def group_codes(groups: Any, n_samples: int) -> NDArray[np.intp] | None:
    """Equal groups have equal numbers, in the order of the groups; None without groups.

    Raises ValueError where there is not one group for each sample.
    """
    if groups is None:
        return None
    groups = column_or_1d(groups)
    check_consistent_length(groups, np.empty(n_samples))
    for i, value in enumerate(groups.tolist()):
        if is_missing(value):
            raise ValueError(f"sample {i} has no group: name one, or leave the sample out")
    return np.unique(groups, return_inverse=True)[1]


def splits_of(
    estimator: Any, cv: Any, X: Any, y: Any, groups: Any = None, sample_weight: Any = None, **split_params: Any
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The splits of `cv`, as scikit-learn takes it. With groups, a number of folds is that of GroupKFold.

    A sample counts as often as its weight says in the size of its group; one of weight zero is in no part.

    Raises ValueError for a splitter that puts samples of one group on both sides.
    """
    if groups is not None and (cv is None or isinstance(cv, Integral)):
        folds = _DEFAULT_FOLDS if cv is None else int(cv)
        weighed = sample_weight is not None and np.ndim(sample_weight) == 1
        cv = _weighed_groups(folds, groups, sample_weight) if weighed else GroupKFold(folds)
    splitter = check_cv(cv, y, classifier=is_classifier(estimator))
    splits = list(splitter.split(X, y, groups, **split_params))
    if groups is not None:
        names = column_or_1d(groups)
        for fold, (train, test) in enumerate(splits, start=1):
            _require_whole_groups(names, fold, train, test)
    return splits


def splits_among(
    rows: NDArray[np.intp], estimator: Any, cv: Any, size: int, y: Any, groups: Any, sample_weight: Any
) -> list[tuple[list[int], list[int]]]:
    """The splits of all `size` samples as ascending places among `rows`, those with a weight above zero."""
    place = np.full(size, -1)
    place[rows] = np.arange(len(rows))
    splits = splits_of(estimator, cv, np.empty((size, 1)), y, groups, sample_weight)
    parts = ((place[train], place[test]) for train, test in splits)
    return [tuple(np.sort(part[part >= 0]).tolist() for part in split) for split in parts]


def _weighed_groups(folds: int, groups: Any, sample_weight: Any) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """What GroupKFold makes of samples that are repeated as often as their weights say; none of weight zero."""
    weights = np.asarray(sample_weight, dtype=float)
    kept = np.flatnonzero(weights > 0)
    names, codes = np.unique(column_or_1d(groups)[kept], return_inverse=True)
    if len(names) < folds:
        raise ValueError(f"{folds} folds of {len(names)} groups: give fewer folds, or more groups of weight above zero")
    sizes = np.bincount(codes, weights=weights[kept])
    fold_of, load = np.empty(len(names), dtype=np.intp), np.zeros(folds)
    for group in np.argsort(sizes, kind="stable")[::-1]:
        fold_of[group] = np.argmin(load)
        load[fold_of[group]] += sizes[group]
    tested = fold_of[codes]
    return [(kept[tested != fold], kept[tested == fold]) for fold in range(folds)]


def _require_whole_groups(names: NDArray[Any], fold: int, train: Any, test: Any) -> None:
    shared = np.intersect1d(names[train], names[test])
    if len(shared):
        raise ValueError(
            f"fold {fold} trains on some samples of the group {shared.tolist()[0]!r} and tests others: "
            "take a splitter that keeps groups together, such as GroupKFold, or leave groups out"
        )
