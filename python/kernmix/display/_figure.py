"""Shared parts of all displays: colours, axes, and shortening of long lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os.path import commonprefix
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


def labels(names: Sequence[str], most: int = 44) -> list[str]:
    """A label for each name, shortened, and different from the labels of all others.

    Names that would look alike keep their beginning and the part in which they differ; equal ones are numbered.
    """
    made = [shortened(name, most) for name in names]
    for same in _alike(names, made, range(len(names))):
        _separate(names, same, most, made)
    taken: set[str] = set()
    for k, label in enumerate(made):
        plain, count = label, 1
        while made[k] in taken:
            count += 1
            made[k] = f"{plain} ({count})"
        taken.add(made[k])
    return made


def _alike(names: Sequence[str], made: Sequence[str], some: Iterable[int]) -> list[list[int]]:
    """Those of `some` different names that have one label."""
    groups: dict[str, list[int]] = {}
    for k in some:
        groups.setdefault(made[k], []).append(k)
    return [same for same in groups.values() if len({names[k] for k in same}) > 1]


def _separate(names: Sequence[str], same: list[int], most: int, made: list[str]) -> None:
    prefix = len(commonprefix([names[k] for k in same]))
    for k in same:
        made[k] = _around(names[k], prefix, most)
    for rest in _alike(names, made, same):
        if len(commonprefix([names[k] for k in rest])) > prefix:
            _separate(names, rest, most, made)


def _around(name: str, place: int, most: int) -> str:
    """The beginning of a long name, and its part around the character at `place`."""
    if len(name) <= most:
        return name
    head = most // 3
    room = most - head - 1
    begin = max(head, place - room // 4)
    if begin + room >= len(name):
        return f"{name[:head]}…{name[-room:]}"
    return f"{name[:head]}…{name[begin : begin + room - 1]}…"


def number(value: float) -> str:
    """A number with three digits, without an exponent if that is short."""
    return f"{value:.3g}"
