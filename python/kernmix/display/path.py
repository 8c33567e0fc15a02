"""Kernel weights as a function of a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _fitted
from ._figure import REST, SOFT, axes, labels, largest, number, style, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class WeightPathDisplay:
    """Kernel weights as a function of a parameter, such as C or p of an Lp norm.

    Parameters
    ----------
    values : array-like of shape (S,)
        The parameter, one number for each step.
    weights : array-like of shape (S, M)
    names : list of M str
        Kernels or views.
    parameter : str, default="C"
        Label of the axis.

    Attributes
    ----------
    ax_, figure_
        Objects of matplotlib, set by `plot`.
    """

    def __init__(self, values: ArrayLike, weights: ArrayLike, names: Sequence[str], *, parameter: str = "C") -> None:
        self.values = np.asarray(values, dtype=float)
        self.weights = np.asarray(weights, dtype=float)
        self.names = list(names)
        self.parameter = parameter
        if self.weights.shape != (len(self.values), len(self.names)):
            raise ValueError(
                f"weights must have {len(self.values)} rows and {len(self.names)} columns, "
                f"not the shape {self.weights.shape}."
            )

    @classmethod
    def from_estimators(
        cls,
        values: ArrayLike,
        estimators: Sequence[Any],
        *,
        parameter: str = "C",
        by: str = "kernel",
        ax: Axes | None = None,
        **options: Any,
    ) -> WeightPathDisplay:
        """Draws the weights of several fitted estimators.

        Parameters
        ----------
        values : array-like of shape (S,)
        estimators : list of S fitted estimators
            Estimators with the same kernels.
        by : {"kernel", "view"}, default="kernel"
            "view" sums over the kernels of a view.
        **options
            Options of `plot`.
        """
        names, views = _fitted.kernels(estimators[0])
        weights = np.array([_fitted.weights_of(estimator, names) for estimator in estimators])
        if by == "view":
            names, weights = _sums(views, weights)
        elif by != "kernel":
            raise ValueError(f'by must be "kernel" or "view", not {by!r}.')
        return cls(values, weights, names, parameter=parameter).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        param_name: str,
        param_range: Sequence[float],
        ax: Axes | None = None,
        **options: Any,
    ) -> WeightPathDisplay:
        """Fits a clone of the estimator for each number of `param_range`, and draws the weights.

        Parameters
        ----------
        param_name : str
            A numeric parameter of the estimator, such as "C".
        param_range : array-like of shape (S,)
        **options
            Options of `from_estimators`.
        """
        from sklearn.base import clone

        estimators = [clone(estimator).set_params(**{param_name: value}).fit(X, y) for value in param_range]
        return cls.from_estimators(param_range, estimators, parameter=param_name, ax=ax, **options)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        max_lines: int = 10,
        share: bool = False,
        log: bool | None = None,
    ) -> WeightPathDisplay:
        """Draws the `max_lines` kernels with the largest maximal weights, and the sum of the rest.

        Parameters
        ----------
        share : bool, default=False
            Whether to divide weights by their sum at each step, which some norms leave free.
        log : bool, optional
            Whether to use a log scale for the parameter; default: if it spans a factor of 20.
        """
        ax = tidy(axes(ax, 7.2, 4.0), grid="y")
        weights = self.weights
        if share:
            weights = weights / np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        peaks = weights.max(axis=0)
        shown = [m for m in largest(peaks, max_lines) if peaks[m] > 0]
        shown.sort(key=lambda m: -weights[-1, m])
        texts = labels([self.names[m] for m in shown])
        for place, m in enumerate(shown):
            ax.plot(self.values, weights[:, m], label=texts[place], **style(place))
        rest = np.setdiff1d(np.flatnonzero(peaks > 0), shown)
        if len(rest):
            label = f"{len(rest)} others together"
            total = weights[:, rest].sum(axis=1)
            ax.plot(self.values, total, color=REST, linewidth=2, label=label)
        if log if log is not None else self._wide():
            ax.set_xscale("log")
            ticks = self._ticks()
            ax.set_xticks(ticks, [number(value) for value in ticks])
            ax.minorticks_off()
        ax.set(xlabel=self.parameter, ylabel="share of the weights" if share else "weight")
        ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), labelcolor=SOFT)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _ticks(self) -> list[float]:
        """Values that are far enough apart on a log scale for their labels."""
        ticks: list[float] = []
        for value in np.unique(self.values):
            if not ticks or np.log(value / ticks[-1]) > 0.08 * np.log(self.values.max() / ticks[0]):
                ticks.append(value)
        return ticks

    def _wide(self) -> bool:
        return bool(0 < self.values.min() <= self.values.max() / 20)


def _sums(views: list[str], weights: NDArray[np.float64]) -> tuple[list[str], NDArray[np.float64]]:
    names = list(dict.fromkeys(views))
    columns = [[m for m, view in enumerate(views) if view == name] for name in names]
    return names, np.array([weights[:, part].sum(axis=1) for part in columns]).T
