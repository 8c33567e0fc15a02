"""The kernel weights of a model as a labelled table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .table import Table


class WeightTable(Table):
    """One row for each kernel: kernel, view, group, weight, norm, raw_weight, ...

    `weight` is d_m on the normalised kernel; with separate weights it is their mean over the tasks that
    have functions, and each task has a column `weight[TASK]`. `norm` is ||f_m||, and `raw_weight` the
    weight on the kernel before normalisation. `numpy.asarray` returns the weights, (M,) or, with
    separate weights, (T, M).

    Examples
    --------
    >>> table = WeightTable({"kernel": ["a", "b"], "weight": [0.25, 0.75]})
    >>> table
    kernel  weight
    b       0.75
    a       0.25
    >>> float(table["weight"].sum())
    1.0
    """

    def __init__(
        self, columns: dict[str, Any], tasks: tuple[str, ...] = (), counted: NDArray[np.bool_] | None = None
    ) -> None:
        super().__init__(columns)
        self._tasks = tasks
        self._counted = counted  # the kernels whose weight belongs to their view; None: all

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:
        if self._tasks:
            weights = np.array([self._columns[task] for task in self._tasks])
        else:
            weights = self._columns["weight"].copy() if copy else self._columns["weight"]
        return weights if dtype is None else weights.astype(dtype)

    def by(self, column: str = "view") -> WeightTable:
        """The sums of weights over kernels with the same value of `column`, such as view or group.

        Norms are combined as sqrt(sum ||f_m||^2). Kernels that act as the identity count nowhere, unless
        all kernels with weight do: they separate the training samples whatever their columns, so that
        their weight says nothing about a view.
        """
        keys, places = np.unique(self[column], return_inverse=True)
        first = np.array([np.flatnonzero(places == key)[0] for key in range(len(keys))], int)
        order = np.argsort(first)
        summed: dict[str, Any] = {column: keys[order]}
        counted = 1.0 if self._counted is None else self._counted.astype(float)
        for name in ("weight", *self._tasks):
            summed[name] = np.bincount(places, counted * self._columns[name], len(keys))[order]
        if "norm" in self._columns:
            squares = np.bincount(places, counted * self._columns["norm"] ** 2, len(keys))
            summed["norm"] = np.sqrt(squares)[order]
        return WeightTable(summed, self._tasks)

    def _order(self) -> NDArray[np.intp]:
        """The largest weight first."""
        return np.argsort(-self._columns["weight"], kind="stable")

    def _rest(self, shown: int) -> str:
        hidden = len(self) - shown
        if hidden <= 0:
            return ""
        weight = self._columns["weight"][self._order()[shown:]].sum()
        return f"... and {hidden} more, of weight {weight:.4g} together"


def weight_table(model: Any, view_of_matrix: Mapping[str, str] | None = None) -> WeightTable:
    """The table of a trained model (`_core.Model`): of its kernels, or of the factors of its product.

    `view_of_matrix` has the views of matrices that are computed from their columns.
    """
    kernels = model.factors or model.kernels
    columns: dict[str, Any] = {"kernel": [kernel["name"] for kernel in kernels]}
    for name in ("view", "group", "weight", "norm", "raw_weight"):
        columns[name] = [kernel[name] for kernel in kernels]
    of_matrix = [kernel["from_matrix"] for kernel in kernels]
    known = view_of_matrix or {}
    columns["view"] = [known.get(v, v) if own else v for v, own in zip(columns["view"], of_matrix, strict=True)]
    tasks: tuple[str, ...] = ()
    if len(model.weights) > 1:
        tasks = tuple(f"weight[{task['name']}]" for task in model.tasks)
        columns.update(zip(tasks, model.weights, strict=True))
    if model.factors:
        return WeightTable(columns, tasks)
    in_views = np.asarray(model.weights_in_views)
    return WeightTable(columns, tasks, (in_views > 0) | (np.asarray(columns["weight"]) == 0))
