"""Numbers that are not finite: which they are, and what to do about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from ._arrays import within_doubles
from ._compat import FINITE
from .recipes import named


def finite(
    estimator: BaseEstimator,
    check: Callable[..., Any],
    X: Any,
    *,
    may_lack: bool,
    names: Sequence[str] | None = None,
    **checks: Any,
) -> Any:
    """The values that a check of scikit-learn passes. Raises ValueError that names a cell which is not finite.

    NaN pass if samples `may_lack` a view, and where the estimator fills them: the library refuses single ones.
    `names` are those of the columns of a frame.
    """
    missing = getattr(estimator, "missing", None)
    if missing not in (None, "refuse") or may_lack:
        checks[FINITE] = "allow-nan"
    try:
        return within_doubles("X", check, X, **checks)
    except ValueError as error:
        said = (str(error).splitlines() or [""])[0]
        is_nan = "contains NaN" in said
        if not is_nan and "contains infinity" not in said:
            raise
        place = _place(X, np.isnan if is_nan else np.isinf, names)
        remedy = _remedy(estimator, is_nan=is_nan, may_lack=may_lack)
        raise ValueError(f"{said.rstrip('.')}{place}: {remedy}") from None


def _place(X: Any, is_bad: Callable[[Any], Any], names: Sequence[str] | None) -> str:
    """The first of these cells and their number, or "" where X is no table of numbers."""
    try:
        if scipy.sparse.issparse(X):
            entries = X.tocoo()
            bad = is_bad(entries.data.astype(np.float64))
            rows, columns = entries.row[bad], entries.col[bad]
        else:
            rows, columns = np.nonzero(is_bad(np.asarray(X, dtype=np.float64)))
    except (TypeError, ValueError, AttributeError):
        return ""
    if len(rows) == 0:
        return ""
    first = int(np.lexsort((columns, rows))[0])
    column = repr(names[columns[first]]) if names is not None else str(columns[first])
    count = f" ({len(rows)} cells)" if len(rows) > 1 else ""
    return f", in column {column}, row {rows[first]} of X{count}"


def _remedy(estimator: BaseEstimator, *, is_nan: bool, may_lack: bool) -> str:
    rule = getattr(estimator, "missing", None)
    name = type(estimator).__name__
    if rule is None or (hasattr(estimator, "_model") and rule == "refuse"):
        return "correct it, or leave the sample out"
    fills = f'{name}(missing="mean") and other rules of missing fill them from the training samples'
    if is_nan:
        return fills
    lacking = ", and samples without any value in a view lack it" if may_lack else ""
    return f"correct it, or make such cells missing, {named('missing')}: {fills}{lacking}"
