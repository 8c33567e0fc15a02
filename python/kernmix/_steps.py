"""The steps of a pipeline before its estimator, fitted again on some of the samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from . import _core
from ._base import BaseMKL, Prepared
from ._samples import weighing


class Steps:
    """A pipeline whose last step is an estimator of kernmix, on samples of weight above zero."""

    def __init__(self, pipeline: Pipeline, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        kept, self._weights = weighing(sample_weight, _num_samples(X))
        self._rows = np.arange(_num_samples(X)) if kept is None else np.flatnonzero(kept)
        self._steps, self._last = pipeline[:-1], pipeline.steps[-1][1]
        self._X, self._y, self._groups = (self._kept(values) for values in (X, y, groups))

    def _kept(self, values: Any) -> Any:
        return None if values is None else _safe_indexing(values, self._rows)

    def of_all(self) -> Prepared:
        """What training is given, of steps that are fitted on all samples."""
        every = np.arange(len(self._rows))
        return self._prepared(every, None)._replace(rows=self._rows)

    def __call__(self, rows: ArrayLike, label_order: ArrayLike | None) -> _core.Data:
        """All samples, of steps that are fitted on `rows`, sample i with the label of label_order[i]."""
        return self._prepared(np.asarray(rows), label_order).data()

    def _prepared(self, rows: NDArray[np.intp], label_order: ArrayLike | None) -> Prepared:
        y = self._y
        if y is not None:
            y = _safe_indexing(y, rows if label_order is None else np.asarray(label_order)[rows])
        made = self._transformed(rows, y)
        estimator: BaseMKL = clone(self._last)
        return estimator._prepare(made, self._y, self._weights, self._groups)

    def _transformed(self, rows: NDArray[np.intp], y: Any) -> Any:
        """As a pipeline does it: samples that the steps are fitted on by fit_transform, the others by transform."""
        steps = clone(self._steps)
        fitted = steps.fit_transform(_safe_indexing(self._X, rows), y)
        seen, first = np.unique(rows, return_index=True)
        others = np.setdiff1d(np.arange(len(self._rows)), seen)
        fitted = _safe_indexing(fitted, first)
        if not len(others):
            return fitted
        made = _stacked(fitted, transformed(steps, _safe_indexing(self._X, others)))
        return _safe_indexing(made, np.argsort(np.concatenate([seen, others])))


def transformed(steps: Pipeline, X: Any) -> Any:
    """X as fitted steps make it; unlike Pipeline.transform it takes steps that learn nothing and do not say so."""
    for _, step in steps.steps:
        if step is not None and step != "passthrough":
            X = step.transform(X)
    return X


def _stacked(first: Any, second: Any) -> Any:
    """One table of two with the same columns."""
    if scipy.sparse.issparse(first):
        return scipy.sparse.vstack([first, second], format="csr")
    if hasattr(first, "iloc"):
        import pandas as pd

        return pd.concat([first, second])
    return np.concatenate([np.asarray(first), np.asarray(second)])
