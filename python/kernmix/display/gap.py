"""The duality gap as a function of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _fitted
from ._figure import SOFT, axes, style, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class GapDisplay:
    """The best relative duality gap so far, as a function of training time in seconds.

    Parameters
    ----------
    seconds, gaps : array-like of shape (iterations,)
        A gap of 0 is drawn at the lower end of the axis.
    tolerance : float, optional
        Drawn as a dashed line.
    name : str, optional
        Name in the legend.

    Attributes
    ----------
    ax_, figure_, line_
        Objects of matplotlib, set by `plot`.
    """

    def __init__(
        self,
        seconds: ArrayLike,
        gaps: ArrayLike,
        *,
        tolerance: float | None = None,
        name: str | None = None,
    ) -> None:
        self.seconds = np.asarray(seconds, dtype=float)
        self.gaps = np.asarray(gaps, dtype=float)
        self.tolerance = tolerance
        self.name = name
        if self.seconds.shape != self.gaps.shape or self.seconds.ndim != 1:
            raise ValueError("There must be one gap for each time: two lists of equal length.")

    @classmethod
    def from_estimator(cls, estimator: Any, *, name: str | None = None, ax: Axes | None = None) -> GapDisplay:
        """Draws the history of a fitted estimator.

        Call it again with `ax=display.ax_` to compare several.
        """
        display = cls(
            _fitted.history(estimator, "seconds"),
            _fitted.history(estimator, "relative_gap"),
            tolerance=getattr(estimator, "tol", None),
            name=name,
        )
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> GapDisplay:
        """Draws a step function, since a bound holds until a better one is found."""
        ax = tidy(axes(ax), grid="y")
        looks = style(len([line for line in ax.lines if line.get_gid() == "gap"]))
        positive = self.gaps[self.gaps > 0]
        floor = positive.min() / 3 if len(positive) else 1e-16
        (self.line_,) = ax.plot(
            self.seconds,
            np.maximum(self.gaps, floor),
            drawstyle="steps-post",
            label=self.name,
            gid="gap",
            markevery=max(1, len(self.gaps) // 12),
            **looks,
        )
        if self.tolerance and not any(line.get_gid() == "tolerance" for line in ax.lines):
            ax.axhline(
                self.tolerance,
                color=SOFT,
                linestyle=(0, (2, 2)),
                linewidth=1,
                label="tolerance",
                gid="tolerance",
            )
        ax.set(yscale="log", xlabel="seconds", ylabel="relative gap")
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
