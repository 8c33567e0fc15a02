"""The two generations of scikit-learn's helpers for authors of estimators (1.6 moved them)."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # scikit-learn 1.4 and 1.5: methods of the estimator
    _validate_data = None

try:
    from sklearn.utils import ClassifierTags
except ImportError:  # scikit-learn 1.4 and 1.5 have dicts of tags, and `_more_tags`
    ClassifierTags = dict


FINITE = "ensure_all_finite" if _validate_data is not None else "force_all_finite"
"""The name of the check that all values are finite."""


def validated(estimator: BaseEstimator, X: Any, *, reset: bool, **checks: Any) -> Any:
    """X as `check_array` gives it; sets or compares the number and the names of its columns."""
    if _validate_data is not None:
        return _validate_data(estimator, X, reset=reset, **checks)
    return estimator._validate_data(X, reset=reset, **checks)


def note_columns(estimator: BaseEstimator, X: Any, *, reset: bool) -> None:
    """Sets or compares the number and the names of the columns of X, which stays as it is."""
    if _validate_data is not None:
        _validate_data(estimator, X, reset=reset, skip_check_array=True)
    else:
        estimator._validate_data(X, reset=reset, cast_to_ndarray=False)
