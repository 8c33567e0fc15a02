"""Targets that are missing, and labels that are spelled in two ways."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._samples import is_missing
from ._warnings import KernmixWarning, level_of_caller

_MOST_SPELLINGS = 1000


def refuse_missing(y: Any) -> None:
    """Raises ValueError where targets are missing, with their number, the first one and how to leave the samples out."""
    values = y if isinstance(y, np.ndarray) else np.asarray(y)
    if values.dtype.kind not in "Of" or values.ndim != 1:
        return
    missing = np.isnan(values) if values.dtype.kind == "f" else [is_missing(value) for value in values.tolist()]
    absent = np.flatnonzero(missing)
    if len(absent) == 0:
        return
    kind = "None" if values[absent[0]] is None else "NaN"
    raise ValueError(
        f"Input y contains {kind}, for {len(absent)} of {len(values)} samples, the first at {absent[0]}: "
        f"{_leaving_out(y)}"
    )


def _leaving_out(y: Any) -> str:
    """A statement of the library of y; NaN among floats of polars and pyarrow is no missing value of theirs."""
    module = type(y).__module__.partition(".")[0]
    if module == "pandas":
        made = "X, y = X[y.notna()], y[y.notna()]"
    elif module == "polars":
        nan = "y = y.fill_nan(None); " if "Float" in str(y.dtype) else ""
        made = f"{nan}X, y = X.filter(y.is_not_null()), y.drop_nulls()"
    elif module == "pyarrow":
        is_float = str(y.type) in ("halffloat", "float", "double")
        nan = "import pyarrow.compute; y = pyarrow.compute.if_else(pyarrow.compute.is_nan(y), None, y); "
        made = f"{nan if is_float else ''}X, y = X.filter(y.is_valid()), y.drop_null()"
    else:
        return "leave them out"
    return f"leave these samples out, `{made}`"


def warn_of_spellings(classes: NDArray[Any]) -> None:
    """Warns of two labels that differ only in case or in blanks, as the command line tool does."""
    if len(classes) > _MOST_SPELLINGS:
        return
    seen: dict[str, Any] = {}
    for label in classes.tolist():
        if not isinstance(label, str):
            return
        other = seen.setdefault("".join(label.split()).casefold(), label)
        if other is not label:
            warnings.warn(
                KernmixWarning(
                    f"The labels {other!r} and {label!r} differ only in case or blanks and are different classes; "
                    "write them alike if they are one class."
                ),
                stacklevel=level_of_caller(),
            )
            return
