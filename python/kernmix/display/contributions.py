"""Contribution of each kernel to the decision on one sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _fitted
from ._figure import BLUE, INK, REST, SOFT, VERMILION, axes, labels, largest, number, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ContributionsDisplay:
    """The decision on one sample as a waterfall: from the bias, kernel by kernel, to the sum.

    Parameters
    ----------
    contributions : array-like of shape (M,)
        Contribution of each kernel or view: d_m sum_i a_i K_m(x_i, x).
    names : list of M str
    bias : float, default=0.0
    title : str, optional

    Attributes
    ----------
    decision : float
        Sum of bias and contributions.
    ax_, figure_
        Objects of matplotlib, set by `plot`.
    """

    def __init__(
        self,
        contributions: ArrayLike,
        names: Sequence[str],
        *,
        bias: float = 0.0,
        title: str | None = None,
    ) -> None:
        self.contributions = np.asarray(contributions, dtype=float)
        self.names = list(names)
        self.bias = float(bias)
        self.title = title
        if self.contributions.shape != (len(self.names),):
            raise ValueError(
                f"{len(self.names)} names need as many contributions, not the shape {self.contributions.shape}."
            )

    @property
    def decision(self) -> float:
        return self.bias + float(self.contributions.sum())

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        sample: int = 0,
        task: int = 0,
        by: str = "kernel",
        ax: Axes | None = None,
        **options: Any,
    ) -> ContributionsDisplay:
        """Draws one row of X.

        Parameters
        ----------
        estimator : fitted estimator with `contributions`
        X : as given to `predict`
        sample : int, default=0
            Index of the sample in X.
        task : int, default=0
            Index of the class, label or target, if there are several.
        by : {"kernel", "view"}, default="kernel"
        **options
            Options of `plot`.
        """
        names, views = _fitted.kernels(estimator)
        values = np.asarray(estimator.contributions(X), dtype=float)[sample]
        values = values.reshape(-1, len(names))[task]
        if by == "view":
            names = list(dict.fromkeys(views))
            values = np.array([values[np.array(views) == name].sum() for name in names])
        elif by != "kernel":
            raise ValueError(f'by must be "kernel" or "view", not {by!r}.')
        bias = float(np.ravel(estimator.intercept_)[task])
        return cls(values, names, bias=bias, title=f"sample {sample}").plot(ax, **options)

    def plot(self, ax: Axes | None = None, *, max_bars: int = 12) -> ContributionsDisplay:
        """Draws the `max_bars` largest steps; the rest is one step, labelled with their number."""
        shown = [m for m in largest(self.contributions, max_bars) if self.contributions[m] != 0]
        rest = np.setdiff1d(np.flatnonzero(self.contributions), shown)
        steps = [self.bias, *self.contributions[shown]]
        texts = ["bias", *labels([self.names[m] for m in shown])]
        if len(rest):
            steps.append(self.contributions[rest].sum())
            texts.append(f"{len(rest)} others together")
        ax = tidy(axes(ax, 7.2, 1.2 + 0.32 * (len(steps) + 1)), grid="x")
        self._steps(ax, np.array(steps))
        ax.set_yticks(np.arange(len(steps) + 1), [*texts, "decision"])
        ax.tick_params(axis="y", length=0)
        ax.set_xlabel("decision value")
        ax.set_title(self.title or "")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _steps(self, ax: Axes, steps: NDArray[np.float64]) -> None:
        """Bars that begin where the one above ends; signs are written, and shown by colour."""
        ends = np.cumsum(steps)
        starts = ends - steps
        colors = [SOFT, *(BLUE if step > 0 else VERMILION for step in steps[1:]), INK]
        widths = [*steps, ends[-1]]
        lefts = [*starts, 0.0]
        ax.barh(np.arange(len(widths)), widths, left=lefts, color=colors, height=0.66)
        for row, end in enumerate(ends):
            ax.plot([end, end], [row - 0.33, row + 1.33], color=REST, linewidth=1)
        for row, (left, width) in enumerate(zip(lefts, widths, strict=True)):
            text = number(width) if row == len(steps) else f"{width:+.3g}"
            ax.annotate(
                text.replace("-", "\N{MINUS SIGN}"),
                (left + width, row),
                xytext=(4 if width >= 0 else -4, 0),
                textcoords="offset points",
                ha="left" if width >= 0 else "right",
                va="center",
                fontsize=8,
                color=INK,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
            )
        ax.axvline(0, color=INK, linewidth=0.8)
        ax.invert_yaxis()
        ends = np.array([0.0, *starts, *ends])
        room = 0.16 * (np.ptp(ends) or 1.0)  # for the numbers
        ax.set_xlim(ends.min() - room, ends.max() + room)
