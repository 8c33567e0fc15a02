"""Shared parts of all displays: colours, axes, and shortening of long lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, VERMILION, GREEN, ORANGE, PINK, SKY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#CC79A7",
    "#56B4E9",
)
INK, SOFT, REST = "#1b1f24", "#5b6570", "#b8bfc7"
COLORS = [BLUE, ORANGE, GREEN, VERMILION, SKY, PINK]
DASHES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P"]


def axes(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The given axes, or new ones in a figure with room for its labels."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax


def tidy(ax: Axes, grid: Literal["x", "y", "both"] | None = None) -> Axes:
    """Removes the upper and right frame and draws a pale grid along one axis, below the data."""
    ax.spines[["top", "right"]].set_visible(False)
    if grid:
        ax.grid(axis=grid, color="#e6e9ed", linewidth=0.8)
        ax.set_axisbelow(True)
    return ax


def style(place: int) -> dict[str, Any]:
    """Color, dashes and marker of a line by its index, with 36 different combinations."""
    turn = place // len(COLORS)
    return {
        "color": COLORS[place % len(COLORS)],
        "linestyle": DASHES[(place + turn) % len(DASHES)],
        "marker": MARKERS[(place + turn) % len(MARKERS)],
        "markersize": 4,
    }


def largest(values: ArrayLike, most: int) -> NDArray[np.intp]:
    """Indices of the `most` values with the largest magnitudes, the largest first; ties keep their order."""
    order = np.argsort(-np.abs(values), kind="stable")
    return order[: max(int(most), 1)]


def shortened(text: str, most: int = 44) -> str:
    """The text, or its two ends with an ellipsis between them."""
    if len(text) <= most:
        return text
    head = (most - 1) * 2 // 3
    return f"{text[:head]}…{text[head + 1 - most :]}"


def number(value: float) -> str:
    """A number with three digits, without an exponent if that is short."""
    return f"{value:.3g}"
