"""Splits of samples into parts to train on and to test, which keep groups together."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils import check_consistent_length, column_or_1d

_DEFAULT_FOLDS = 5


def group_codes(groups: Any, n_samples: int) -> NDArray[np.intp] | None:
    """Equal groups have equal numbers, in the order of the groups; None without groups.

    Raises ValueError where there is not one group for each sample.
    """
    if groups is None:
        return None
    groups = column_or_1d(groups)
    check_consistent_length(groups, np.empty(n_samples))
    return np.unique(groups, return_inverse=True)[1]


def splits_of(
    estimator: Any, cv: Any, X: Any, y: Any, groups: Any = None, **split_params: Any
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """The splits of `cv`, as scikit-learn takes it. With groups, a number of folds is that of GroupKFold.

    Raises ValueError for a splitter that puts samples of one group on both sides.
    """
    if groups is not None and (cv is None or isinstance(cv, Integral)):
        cv = GroupKFold(_DEFAULT_FOLDS if cv is None else int(cv))
    splitter = check_cv(cv, y, classifier=is_classifier(estimator))
    splits = list(splitter.split(X, y, groups, **split_params))
    if groups is not None:
        names = column_or_1d(groups)
        for fold, (train, test) in enumerate(splits, start=1):
            _require_whole_groups(names, fold, train, test)
    return splits


def _require_whole_groups(names: NDArray[Any], fold: int, train: Any, test: Any) -> None:
    shared = np.intersect1d(names[train], names[test])
    if len(shared):
        raise ValueError(
            f"fold {fold} trains on some samples of the group {shared.tolist()[0]!r} and tests others: "
            "take a splitter that keeps groups together, such as GroupKFold, or leave groups out"
        )
