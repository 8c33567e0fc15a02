"""Regression with learned kernel weights."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import doubles, within_doubles
from ._base import BaseMKL, ScoreMixin
from ._names import check_same_samples, in_order
from ._parameters import estimator
from ._targets import refuse_missing
from .classifier import _require


@estimator(learns="numbers", loss="squared")
class MKLRegressor(ScoreMixin, MultiOutputMixin, RegressorMixin, BaseMKL):
    """Regression with a weighted sum of kernels whose weights are learned.

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
        """Fits samples X, (n, D) or a GramStack of n, and numbers y, (n,) or (n, T).

        sample_weight has weights >= 0: a sample of weight 2 is equivalent to two equal samples, and samples
        of weight 0 are ignored.

        Raises ValueError for invalid data or parameters, if possible before any kernel is computed;
        ResourceError (a MemoryError) if memory is insufficient.
        """
        return self._fit(X, y, sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = not self._is_product()
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {**super()._more_tags(), "multioutput": not self._is_product()}

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predicted numbers, (n,), or (n, T) if y was (n, T) in `fit`."""
        decision = self._predicted(X).decision
        return decision if self._several else decision[:, 0]

    def explained_by_view(
        self, X: Any, y: ArrayLike, *, measure: Literal["split", "product"] = "split"
    ) -> dict[str, float | NDArray[np.float64]]:
        """Share of the variance of y explained by the kernels of each group (by default a view).

        With centred y, centred predictions f = sum_v f_v, and var = sum y^2:

        - "split": sum f_v (2 y - f) / var, as `r2_score_split` of himalaya (Dupre la Tour et al.,
          NeuroImage 2022). The shares sum to R^2 plus n (mean y - mean f)^2 / var, the error of the mean,
          which belongs to no view.
        - "product": sum f_v y / var, the product measure (Pratt, 1987). The shares sum to cov(y, f) / var(y).

        A share is negative if the view makes predictions worse, given the others. With several targets each
        share is an array (T,), nan for a constant target.
        """
        check_is_fitted(self)
        if measure not in ("split", "product"):
            raise ValueError(f"measure must be 'split' or 'product', got {measure!r}")
        check_same_samples(X, y=y)
        y = self._check_target(in_order(y, self._target_names))
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
        refuse_missing(y)
        y = within_doubles("y", check_array, y, ensure_2d=False, dtype=np.float64, order="C", input_name="y")
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
