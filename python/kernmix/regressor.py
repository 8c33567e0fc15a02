"""Regression with learned kernel weights."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import doubles
from ._base import BaseMKL, ScoreMixin
from ._parameters import estimator
from .classifier import _require


@estimator(
    loss="squared",
    leave_out=["scheme", "class_weights", "threshold_folds", "calibration", "calibration_folds"],
)
class MKLRegressor(ScoreMixin, MultiOutputMixin, RegressorMixin, BaseMKL):
    """Numbers predicted by a weighted sum of kernels whose weights are learned.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> import numpy as np
    >>> from kernmix import MKLRegressor
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> model = MKLRegressor(C=100).fit(X, np.sin(X).ravel())
    >>> bool(model.score(X, np.sin(X).ravel()) > 0.99)
    True
    """

    _target = "numbers"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> MKLRegressor:
        """Learns from the samples X, (n, D) or a GramStack of n, and numbers y, (n,) or (n, T).

        sample_weight says how often each sample counts, >= 0: one of weight 2 is two equal samples
        in everything that is learned, and one of weight zero is left out.

        Raises ValueError for data or parameters that cannot be used, before any kernel is computed
        where possible; ResourceError (a MemoryError) where the memory does not suffice.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The numbers predicted, (n,), or (n, T) where `fit` was given (n, T)."""
        decision = self._predicted(X).decision
        return decision if self._several else decision[:, 0]

    def explained_by_view(
        self, X: Any, y: ArrayLike, *, measure: Literal["split", "product"] = "split"
    ) -> dict[str, float | NDArray[np.float64]]:
        """How much of the variance of y the kernels of each group (by default a view) explain.

        With y and the predictions f = sum_v f_v + b about their means and var = sum y^2:

        - "split": sum f_v (2 y - f) / var, as `r2_score_split` of himalaya (Dupre la Tour et al.,
          NeuroImage 2022). The shares add up to R^2, but for the squared error of the mean,
          n (mean y - mean f)^2 / var, which no view has.
        - "product": sum f_v y / var, the product measure (Pratt, 1987). The shares add up to
          cov(y, f) / var(y).

        A share is negative where the view makes predictions worse, given the others. Of several
        targets each share is an array (T,), nan where a target is constant.
        """
        check_is_fitted(self)
        if measure not in ("split", "product"):
            raise ValueError(f"measure must be 'split' or 'product', got {measure!r}")
        y = self._check_target(y)
        parts = self.contributions(X)
        if parts.shape[:-1] != y.shape:
            raise ValueError(f"X and y must be {parts.shape[:-1]} samples and targets, got {y.shape}")
        constant = np.ptp(y, axis=0) == 0
        if constant.all():
            raise ValueError("y is constant: it has no variance to explain")
        y = y - y.mean(axis=0)
        parts = parts - parts.mean(axis=0)
        against = y if measure == "product" else 2 * y - parts.sum(axis=-1)
        variance = np.where(constant, np.nan, (y * y).sum(axis=0))
        shares = np.einsum("n...m,n...->m...", parts, against) / variance
        groups = dict.fromkeys(self.groups_.tolist())
        return {group: shares[self.groups_ == group].sum(axis=0) for group in groups}

    def _note_names(self, y: Any) -> None:
        self._target_names = [str(name) for name in getattr(y, "columns", [])]

    def _check_target(self, y: Any) -> NDArray[np.float64]:
        _require(self, y)
        y = check_array(y, ensure_2d=False, dtype=np.float64, order="C", input_name="y")
        if y.ndim > 2:
            raise ValueError(f"y must have the shape (n,) or (n, T), got {y.shape}")
        return column_or_1d(y, warn=True) if y.ndim == 1 or y.shape[1] == 1 else y

    def _learn_target(self, y: NDArray[np.float64]) -> dict[str, Any]:
        return {}

    def _give_target(self, data: _core.Data, y: NDArray[np.float64]) -> None:
        if y.ndim == 1:
            data.set_numbers(doubles(y))
        else:
            names = self._target_names or [str(t + 1) for t in range(y.shape[1])]
            data.set_numbers(doubles(y), names)

    @property
    def _several(self) -> bool:
        return self._model.scheme == "targets"
