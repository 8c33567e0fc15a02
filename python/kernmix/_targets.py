"""Targets that are missing, and labels that are spelled in two ways."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._samples import is_missing
from ._spellings import warn_of_look_alikes
from .recipes import named


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
    """Warns of two labels that look alike, as the command line tool does."""
    labels = classes.tolist()
    if all(isinstance(label, str) for label in labels):
        warn_of_look_alikes(labels, "labels", "classes", "class")
