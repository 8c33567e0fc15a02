"""Targets that are missing, and labels that are spelled in two ways."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._samples import is_missing
from ._warnings import KernmixWarning, level_of_caller
from .recipes import named

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
        f"Input y contains {kind}, for {len(absent)} of {len(values)} samples, the first at {absent[0]}: leave these "
        f"samples out of X and y, {named('missing')}"
    )


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
