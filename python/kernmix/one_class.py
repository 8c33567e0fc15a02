"""Novelty detection with learned kernel weights."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OutlierMixin
from sklearn.metrics import roc_auc_score
from sklearn.utils._param_validation import Interval, StrOptions

from . import _core
from ._base import BaseMKL
from ._names import check_same_samples
from ._parameters import Parameter, estimator
from ._warnings import KernmixWarning

_NU = Parameter(
    "nu",
    0.5,
    [Interval(Real, 0, 1, closed="right")],
    """nu : float in (0, 1]
    Upper bound on the share of outliers among the training samples and lower bound on the share of support
    vectors. It replaces C.""",
)


def _ranks(decision: NDArray[np.float64]) -> NDArray[np.intp]:
    """The rank of each value; values that differ by rounding are equal, as in the tool (src/base/ranks/ties.hpp)."""
    ascending = np.sort(decision)
    size = np.maximum(np.abs(ascending[1:]), np.abs(ascending[:-1]))
    level = np.concatenate([[0], np.cumsum(np.diff(ascending) > 2.0**-36 * size)])
    ranks: NDArray[np.intp] = level[np.searchsorted(ascending, decision)]
    return ranks


@estimator(
    learns="novelties",
    loss="one-class",
    own=[_NU],
    losses=[StrOptions({"one-class", "svdd"})],
)
class MKLOneClass(OutlierMixin, BaseMKL):
    """Novelty detection with a weighted sum of kernels whose weights are learned.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    offset_ : float
        decision_function = score_samples - offset_.
    {attributes}

    Examples
    --------
    >>> import numpy as np
    >>> from kernmix import MKLOneClass
    >>> X = np.random.default_rng(0).normal(size=(80, 2))
    >>> MKLOneClass("rbf(width=median)", nu=0.1).fit(X).predict([[0.0, 0.0], [9.0, 9.0]])
    array([ 1, -1])
    """

    _target = "none"
    _inlier: str | None = None  # the label that score counts as inliers, where fit was given labels

    def fit(self, X: Any, y: Any = None, sample_weight: ArrayLike | None = None) -> MKLOneClass:
        """Fits samples X, (n, D) or a GramStack of n; the labels y only define the inliers of `score`.

        sample_weight has weights >= 0: a sample of weight 2 is equivalent to two equal samples, and samples
        of weight 0 are ignored.

        Raises ValueError for invalid data or parameters, if possible before any kernel is computed;
        ResourceError (a MemoryError) if memory is insufficient.
        """
        self._inlier = None if y is None else _inlier_of(y)[0]
        return self._fit(X, None, sample_weight)

    def score(self, X: Any, y: ArrayLike) -> float:
        """The area under the ROC curve of the decision values, for labels y of inliers and outliers, (n,).

        The inliers are the class inlier or normal; otherwise the class that is not outlier, anomaly, novelty
        or -1; otherwise the larger class in the y of `fit`, or in this y, with a KernmixWarning. NaN if y has
        one class.
        """
        check_same_samples(X, y=y)
        decision = self.decision_function(X)
        inlier, guessed = _inlier_of(y)
        if guessed and self._inlier is not None:
            inlier, guessed = self._inlier, False
        inliers = np.array([str(label) == inlier for label in np.asarray(y)])
        if inlier is None or inliers.all() or not inliers.any():
            return float("nan")
        if guessed:
            warnings.warn(KernmixWarning(f"the larger class, '{inlier}', is taken for the inliers"), stacklevel=2)
        return float(roc_auc_score(inliers, _ranks(decision)))

    def predict(self, X: Any) -> NDArray[np.int64]:
        """1 for each inlier and -1 for each outlier, (n,)."""
        return np.where(self._predicted(X).winner == 1, 1, -1)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Decision values, (n,), positive for inliers."""
        return self._predicted(X).decision[:, 0]

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Decision values without the threshold, (n,)."""
        return self.decision_function(X) + self.offset_

    @property
    def offset_(self) -> float:
        """The threshold of `score_samples`."""
        return float(-self.intercept_[0])

    def _loss(self) -> str:
        return f"{self.loss}:nu={float(self.nu)!r}"

    def _check_target(self, y: Any) -> None:
        return None

    def _learn_target(self, y: Any) -> dict[str, Any]:
        return {}

    def _give_target(self, data: _core.Data, y: Any) -> None:
        pass


def _inlier_of(y: ArrayLike) -> tuple[str | None, bool]:
    """The label of the inliers, None where y has not two classes, and whether it was guessed."""
    found = _core.novelty_labels([str(label) for label in np.asarray(y)])
    return (None, False) if found is None else (found[1], found[2])
