"""ROC and precision-recall curves with bands over folds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_curve
from sklearn.utils import _safe_indexing

from .._names import check_same_samples
from ._figure import SOFT, axes, style, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from typing_extensions import Self

GRID = np.linspace(0, 1, 201)


class _CurveDisplay(ABC):
    """Curves of folds, averaged at points of the horizontal axis.

    Parameters
    ----------
    curves : array-like of shape (folds, points)
        Heights at `GRID`, evenly spaced from 0 to 1.
    areas : array-like of shape (folds,)
        The number in the legend.
    name : str, optional

    Attributes
    ----------
    ax_, figure_, line_
        Objects of matplotlib, set by `plot`.
    """

    _x: ClassVar[str]
    _y: ClassVar[str]
    _area: ClassVar[str]
    _corner: ClassVar[Literal["lower left", "lower right"]]

    @staticmethod
    @abstractmethod
    def _curve(truth: NDArray[Any], score: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
        """Heights at `GRID`, and the area."""

    @abstractmethod
    def _draw_chance(self, ax: Axes) -> None:
        """The curve of random scores."""

    def __init__(
        self,
        curves: ArrayLike,
        areas: ArrayLike,
        *,
        name: str | None = None,
        chance: float | None = None,
    ) -> None:
        self.curves = np.atleast_2d(np.asarray(curves, dtype=float))
        self.areas = np.atleast_1d(np.asarray(areas, dtype=float))
        self.name = name
        self.chance = chance

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draws one curve, or a band for lists of folds.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,), or lists of such arrays, one for each fold
            Two classes, and scores that are large for `pos_label`.
        pos_label : default: the second class in ascending order
        """
        if hasattr(y_score, "iloc") or np.ndim(y_score[0]) == 0:
            y_true, y_score = [y_true], [y_score]
        for truth, score in zip(y_true, y_score, strict=True):
            check_same_samples(score, y_true=truth)
        classes = np.unique(np.concatenate([np.asarray(part) for part in y_true]))
        if len(classes) != 2:
            raise ValueError(f"These curves need two classes, and y_true has {len(classes)}.")
        positive = classes[1] if pos_label is None else pos_label
        truths = [np.asarray(part) == positive for part in y_true]
        results = [
            cls._curve(truth, np.asarray(score, dtype=float)) for truth, score in zip(truths, y_score, strict=True)
        ]
        share = float(np.mean(np.concatenate(truths)))
        display = cls(*zip(*results, strict=True), name=name, chance=share)
        return display.plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, name: str | None = None, ax: Axes | None = None) -> Self:
        """Draws the curve of a fitted binary classifier on held-out samples."""
        check_same_samples(X, y=y)
        scores = estimator.decision_function(X)
        return cls.from_predictions(y, scores, pos_label=estimator.classes_[1], name=name, ax=ax)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draws the band over the folds of `cross_validate`.

        Parameters
        ----------
        cv_results : dict
            Result of `cross_validate(..., return_estimator=True, return_indices=True)`.
        X, y : as given to `cross_validate`
        """
        if not {"estimator", "indices"} <= set(cv_results):
            raise ValueError("cross_validate must be called with return_estimator=True and return_indices=True.")
        check_same_samples(X, y=y)
        estimators = cv_results["estimator"]
        folds = cv_results["indices"]["test"]
        scores = [
            estimator.decision_function(_safe_indexing(X, fold))
            for estimator, fold in zip(estimators, folds, strict=True)
        ]
        truths = [_safe_indexing(y, fold) for fold in folds]
        positive = estimators[0].classes_[1]
        return cls.from_predictions(truths, scores, pos_label=positive, name=name, ax=ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draws the mean curve and, for several folds, a band of one standard deviation."""
        ax = tidy(axes(ax, 5.0, 4.6), grid="both")
        place = len([line for line in ax.lines if line.get_gid() == "curve"])
        looks = dict(style(place), marker=None)
        mean, spread = self.curves.mean(axis=0), self.curves.std(axis=0)
        (self.line_,) = ax.plot(GRID, mean, label=self._label(), gid="curve", **looks)
        if len(self.curves) > 1:
            low, high = np.clip(mean - spread, 0, 1), np.clip(mean + spread, 0, 1)
            ax.fill_between(GRID, low, high, color=looks["color"], alpha=0.2, linewidth=0)
        if place == 0:
            self._draw_chance(ax)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=self._x, ylabel=self._y)
        ax.set_aspect("equal")
        ax.legend(frameon=False, loc=self._corner)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _label(self) -> str:
        mean = f"{self._area} {self.areas.mean():.3f}"
        if len(self.areas) > 1:
            mean += f" ± {self.areas.std(ddof=1):.3f}"
        return f"{self.name}: {mean}" if self.name else mean


class RocDisplay(_CurveDisplay):
    """ROC curves with a band over folds, averaged vertically (Fawcett 2006)."""

    _x, _y, _area, _corner = "false positive rate", "true positive rate", "AUC", "lower right"

    @staticmethod
    def _curve(truth: NDArray[Any], score: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
        false, true, _ = roc_curve(truth, score)
        heights = np.interp(GRID, false, true)
        heights[0] = 0.0
        return heights, auc(false, true)

    def _draw_chance(self, ax: Axes) -> None:
        ax.plot([0, 1], [0, 1], color=SOFT, linestyle=(0, (2, 2)), linewidth=1, label="chance")


class PrecisionRecallDisplay(_CurveDisplay):
    """Precision-recall curves with a band over folds, and the average precision."""

    _x, _y, _area, _corner = "recall", "precision", "AP", "lower left"

    @staticmethod
    def _curve(truth: NDArray[Any], score: NDArray[Any]) -> tuple[NDArray[np.float64], float]:
        precision, recall, _ = precision_recall_curve(truth, score)
        places = np.searchsorted(recall[::-1], GRID)  # the best threshold that recalls as much
        return precision[::-1][places], average_precision_score(truth, score)

    def _draw_chance(self, ax: Axes) -> None:
        if self.chance is not None:
            ax.axhline(self.chance, color=SOFT, linestyle=(0, (2, 2)), linewidth=1, label="chance")
