"""Kernel weights as bars, by view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _fitted
from ._figure import COLORS, INK, REST, axes, labels, largest, number, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..findings import WeightStability


_Row = tuple[str, "float | None", str, "int | None"]  # label, weight, colour, kernel


class KernelWeightsDisplay:
    """Kernel weights as horizontal bars: views by their sum, kernels of a view by their weight.

    Parameters
    ----------
    weights : array-like of shape (M,)
    names : list of M str
        Names of the kernels, such as `rbf(gamma=1) on color`.
    views : list of M str, optional
        The view of each kernel; default: the text after the last `on` of its name.
    low, high : array-like of shape (M,), optional
        Ends of an interval for each weight, drawn as whiskers.
    title : str, optional

    Attributes
    ----------
    ax_, figure_
        Objects of matplotlib, set by `plot`.
    bars_ : BarContainer
        The bars from top to bottom, the bar of all other kernels last; set by `plot`.

    Examples
    --------
    >>> from kernmix.display import KernelWeightsDisplay
    >>> display = KernelWeightsDisplay([0.7, 0.3], ["rbf on a", "linear on b"])
    >>> display.by_view()
    {'a': 0.7, 'b': 0.3}
    """

    def __init__(
        self,
        weights: ArrayLike,
        names: Sequence[str],
        views: Sequence[str] | None = None,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        title: str | None = None,
    ) -> None:
        self.weights = np.asarray(weights, dtype=float)
        self.names = list(names)
        self.views = list(views) if views is not None else [_fitted.view_of(n) for n in names]
        self.low = None if low is None else np.asarray(low, dtype=float)
        self.high = None if high is None else np.asarray(high, dtype=float)
        self.title = title
        self._check()

    def _check(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError("An interval needs both ends: give low and high, or neither.")
        for name in ("weights", "names", "views", "low", "high"):
            value = getattr(self, name)
            if value is not None and len(value) != len(self.names):
                raise ValueError(f"There are {len(self.names)} names but {len(value)} {name}.")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        task: str | int | None = None,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        ax: Axes | None = None,
        max_bars: int = 20,
    ) -> KernelWeightsDisplay:
        """Draws the weights of a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator with `weights_` and `kernel_names_`
        task : str or int, optional
            A class, label or target with weights of its own; default: the mean over all tasks.
        low, high : array-like of shape (M,), optional
            Ends of intervals.
        ax : matplotlib Axes, optional
        max_bars : int, default=20
        """
        values, what = _fitted.weights(estimator, task)
        names, views = _fitted.kernels(estimator)
        display = cls(values, names, views, low=low, high=high, title=what or None)
        return display.plot(ax, max_bars=max_bars)

    @classmethod
    def from_stability(
        cls, found: WeightStability, *, task: str | None = None, ax: Axes | None = None, max_bars: int = 20
    ) -> KernelWeightsDisplay:
        """Draws the mean weights over resamples, with their intervals.

        Parameters
        ----------
        found : result of `kernmix.weight_stability`
        task : str, optional
            A task with weights of its own; default: the mean over all tasks.
        ax : matplotlib Axes, optional
        max_bars : int, default=20
        """
        if task is not None and task not in found.tasks:
            known = ", ".join(found.tasks) or "none, for all share them"
            raise ValueError(f"There is no task {task!r}; those with weights of their own are {known}.")
        table = found.kernels if task is None else found.tasks[task]
        title = f"mean of {found.resamples} resamples, {found.level:.0%} intervals"
        display = cls(
            table["mean"],
            table["kernel"].tolist(),
            table["view"].tolist(),
            low=table["low"],
            high=table["high"],
            title=title if task is None else f"of {task}: {title}",
        )
        return display.plot(ax, max_bars=max_bars)

    def by_view(self) -> dict[str, float]:
        """Sums of weights by view, the largest first."""
        sums: dict[str, float] = {}
        for view, weight in zip(self.views, self.weights, strict=True):
            sums[view] = sums.get(view, 0.0) + float(weight)
        return dict(sorted(sums.items(), key=lambda item: -item[1]))

    def plot(self, ax: Axes | None = None, *, max_bars: int = 20) -> KernelWeightsDisplay:
        """Draws at most `max_bars` kernels; the rest is one bar, labelled with their number.

        Kernels without weight get no bar and are counted in the label of the axis.
        """
        used = np.flatnonzero(self.weights)
        shown = used[largest(self.weights[used], max_bars)]
        rows = self._rows(shown)
        others = np.setdiff1d(used, shown)
        if len(others):
            text = f"{len(others)} other kernels together"
            rows.append((text, self.weights[others].sum(), REST, None))
        ax = tidy(axes(ax, 7.2, 1.0 + 0.26 * max(len(rows), 3)), grid="x")
        self._draw(ax, rows)
        unused = len(self.weights) - len(used)
        ax.set_xlabel("weight" + (f"    ({unused} kernels without weight)" if unused else ""))
        ax.set_title(self.title or "")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _rows(self, shown: NDArray[np.intp]) -> list[_Row]:
        """(label, weight, color, kernel) from top to bottom; a view starts with a heading without a bar."""
        sums = self.by_view()
        headings = labels(list(sums), 30)
        rows: list[_Row] = []
        for place, view in enumerate(sums):
            part = [m for m in shown if self.views[m] == view]
            if part and len(sums) > 1:
                rows.append((f"{headings[place]}  {number(sums[view])}", None, INK, None))
            color = COLORS[place % len(COLORS)]
            texts = labels([_fitted.function_of(self.names[m], view) for m in part])
            rows += [(text, self.weights[m], color, m) for text, m in zip(texts, part, strict=True)]
        return rows

    def _draw(self, ax: Axes, rows: list[_Row]) -> None:
        texts, values, colors, kernels = zip(*rows, strict=True) if rows else ((), (), (), ())
        bars = [row for row, value in enumerate(values) if value is not None]
        self.bars_ = ax.barh(bars, [values[row] for row in bars], color=[colors[row] for row in bars], height=0.72)
        self._intervals(ax, [(row, m) for row, m in enumerate(kernels) if m is not None])
        ax.set_yticks(np.arange(len(texts)), texts)
        for tick, value in zip(ax.get_yticklabels(), values, strict=True):
            tick.set_fontweight("bold" if value is None else "normal")
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(texts) - 0.4, -0.6)
        ax.axvline(0, color=INK, linewidth=0.8)

    def _intervals(self, ax: Axes, rows: list[tuple[int, int]]) -> None:
        if self.low is None or self.high is None:
            return
        kernels = [m for _, m in rows]
        middle = self.weights[kernels]
        ends = [middle - self.low[kernels], self.high[kernels] - middle]
        ax.errorbar(
            middle,
            [row for row, _ in rows],
            xerr=np.maximum(ends, 0),
            fmt="none",
            ecolor=INK,
            elinewidth=1.2,
            capsize=3,
        )
