"""Similarity of kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._names import check_same_samples
from ..gram_stack import GramStack
from ._figure import axes, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 30  # characters of a name
LETTER = 0.08  # inches of a letter of a name
WIDTH_OF_DIGIT = 0.64  # of the font size
SMALLEST = 5.0  # points of a number that is read easily


def centered_alignments(stack: Iterable[ArrayLike], y: ArrayLike | None = None) -> NDArray[np.float64]:
    """Centred alignments of kernels with each other, and with the classes or numbers y.

    Source: Cortes, Mohri and Rostamizadeh (2012), "Algorithms for learning kernels based on
    centered alignment", JMLR 13: <H K H, H L H>_F / (||H K H||_F ||H L H||_F), H = I - 11'/n.

    Parameters
    ----------
    stack : array-like of shape (M, n, n)
    y : array-like of shape (n,), optional
        Classes, compared by equality, or numbers (floating point), compared by their product.

    Returns
    -------
    alignments : ndarray of shape (M, M), or (M + 1, M + 1) with y in the last place
        Between -1 and 1; 0 for a kernel that is constant after centring.
    """
    matrices = [np.asarray(matrix, dtype=float) for matrix in stack]
    if y is not None:
        y = np.asarray(y)
        target = np.outer(y, y) if y.dtype.kind == "f" else (y[:, None] == y[None, :]) * 1.0
        matrices.append(target)
    flat = np.array([_centered(matrix).ravel() for matrix in matrices])
    norms = np.linalg.norm(flat, axis=1)
    flat /= np.where(norms > 0, norms, 1.0)[:, None]
    alignments: NDArray[np.float64] = flat @ flat.T
    return alignments


def _centered(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    means = matrix.mean(axis=0)
    centered: NDArray[np.float64] = matrix - means - matrix.mean(axis=1)[:, None] + means.mean()
    return centered


class AlignmentDisplay:
    """Centred alignments of kernels as a heat map.

    Kernels with an alignment near 1 carry the same information; the division of weight among them is arbitrary.

    Parameters
    ----------
    alignments : array-like of shape (M, M)
    names : list of M str

    Attributes
    ----------
    ax_, figure_, image_
        Objects of matplotlib, set by `plot`.

    Examples
    --------
    >>> import numpy as np
    >>> from kernmix.display import AlignmentDisplay
    >>> x = np.array([1.0, 2.0, 4.0])
    >>> K = np.outer(x, x)
    >>> AlignmentDisplay.compute([K, 2 * K], ["a", "b"]).alignments.round(12)
    array([[1., 1.],
           [1., 1.]])
    """

    def __init__(self, alignments: ArrayLike, names: Sequence[str]) -> None:
        self.alignments = np.asarray(alignments, dtype=float)
        self.names = list(names)
        if self.alignments.shape != (len(self.names),) * 2:
            raise ValueError(
                f"{len(self.names)} names need {len(self.names)} x {len(self.names)} alignments, "
                f"not the shape {self.alignments.shape}."
            )

    @classmethod
    def compute(cls, stack: Iterable[ArrayLike], names: Sequence[str], y: ArrayLike | None = None) -> AlignmentDisplay:
        """Alignments of Gram matrices, without drawing; with y its alignment as the last row."""
        stack = list(stack)
        check_same_samples(stack[0] if stack else None, y=y)
        names = [*names, "target"] if y is not None else names
        return cls(centered_alignments(GramStack(stack).matrices(), y), names)

    @classmethod
    def from_stack(
        cls,
        stack: Iterable[ArrayLike],
        names: Sequence[str],
        y: ArrayLike | None = None,
        *,
        ax: Axes | None = None,
        **options: Any,
    ) -> AlignmentDisplay:
        """Draws the alignments of Gram matrices.

        Parameters
        ----------
        stack : array-like of shape (M, n, n)
        names : list of M str
        y : array-like of shape (n,), optional
            Targets (classes or numbers); their alignment is the last row.
        **options
            Options of `plot`.
        """
        return cls.compute(stack, names, y).plot(ax, **options)

    def plot(self, ax: Axes | None = None, *, values: bool | None = None) -> AlignmentDisplay:
        """Draws the matrix.

        Parameters
        ----------
        values : bool, optional
            Whether to write numbers into the cells; default: for at most 12 kernels, if they fit.
        """
        count = len(self.names)
        letters = max((len(name) for name in labels(self.names, LONGEST)), default=0)
        side = min(max(LETTER * letters + 0.45 * count, 4.0), 13.0)
        ax = axes(ax, side + 1.4, side)
        lowest = -1.0 if self.alignments.min() < -0.05 else 0.0
        colors = "cividis" if lowest == 0 else "RdBu_r"
        self.image_ = ax.imshow(self.alignments, vmin=lowest, vmax=1, cmap=colors)
        ax.figure.colorbar(self.image_, ax=ax, label="centred alignment", shrink=0.8)
        self._ticks(ax, count)
        size = self._font_size(ax)
        if values if values is not None else count <= 12 and size >= SMALLEST:
            self._write(ax, max(size, SMALLEST))
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _ticks(self, ax: Axes, count: int) -> None:
        every = -(-count // 40)
        places = np.arange(0, count, every)
        shown = labels([self.names[m] for m in places], LONGEST)
        ax.set_xticks(places, shown, rotation=45, ha="right", rotation_mode="anchor")
        ax.set_yticks(places, shown)

    def _font_size(self, ax: Axes) -> float:
        """In points, so that a number takes at most nine tenths of its cell; at most 8."""
        ax.figure.draw_without_rendering()  # places the axes beside their labels
        cell = 72 * ax.get_window_extent().width / ax.figure.dpi / len(self.names)
        characters = max(len(f"{value:.2f}") for value in self.alignments.flat)
        return float(min(8.0, 0.9 * cell / (WIDTH_OF_DIGIT * characters)))

    def _write(self, ax: Axes, size: float) -> None:
        for (row, column), value in np.ndenumerate(self.alignments):
            red, green, blue, _ = self.image_.cmap(self.image_.norm(value))
            light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
            color = "black" if light else "white"
            ax.text(column, row, f"{value:.2f}", ha="center", va="center", color=color, fontsize=size)
