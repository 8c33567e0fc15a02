"""The kernel weights of a model as a labelled table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHOWN = 20


class WeightTable:
    """One row for each kernel: kernel, view, group, weight, norm, raw_weight, ...

    `weight` is d_m, on the normalised kernel (of separate weights their mean over the tasks, which
    have a column `weight[TASK]` each); `norm` is ||f_m||; `raw_weight` is on the kernel before
    its normalisation. `numpy.asarray` gives the weights, (M,) or (T, M) where each task has its
    own.

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

    def __init__(self, columns: dict[str, Any], tasks: tuple[str, ...] = ()) -> None:
        self._columns = {name: np.asarray(values) for name, values in columns.items()}
        self._tasks = tasks

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(self._columns["weight"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dict."""
        return (self.row(place) for place in range(len(self)))

    def __getitem__(self, column: str) -> NDArray[Any]:
        """The values of a column, in the order of the kernels."""
        if column not in self._columns:
            raise KeyError(f"no column {column!r}: there are {', '.join(self._columns)}")
        return self._columns[column]

    def row(self, place: int) -> dict[str, Any]:
        """Kernel number `place`."""
        return {name: values[place] for name, values in self._columns.items()}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:
        if self._tasks:
            weights = np.array([self._columns[task] for task in self._tasks])
        else:
            weights = self._columns["weight"].copy() if copy else self._columns["weight"]
        return weights if dtype is None else weights.astype(dtype)

    def by(self, column: str = "view") -> WeightTable:
        """The sums of weights over the kernels that agree in `column`, such as view or group.

        Norms are added as lengths are: sqrt(sum ||f_m||^2).
        """
        keys, places = np.unique(self[column], return_inverse=True)
        first = np.array([np.flatnonzero(places == key)[0] for key in range(len(keys))], int)
        order = np.argsort(first)
        summed: dict[str, Any] = {column: keys[order]}
        for name in ("weight", *self._tasks):
            summed[name] = np.bincount(places, self._columns[name], len(keys))[order]
        if "norm" in self._columns:
            squares = np.bincount(places, self._columns["norm"] ** 2, len(keys))
            summed["norm"] = np.sqrt(squares)[order]
        return WeightTable(summed, self._tasks)

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """The columns, which pandas, polars and narwhals make frames of."""
        return dict(self._columns)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        import polars

        return polars.DataFrame({name: values.tolist() for name, values in self._columns.items()})

    def _order(self) -> NDArray[np.intp]:
        return np.argsort(-self._columns["weight"], kind="stable")

    def _cells(self, shown: int) -> list[list[str]]:
        """The heaviest kernels first, one list of texts for each."""
        return [[_cell(self._columns[name][place]) for name in self._columns] for place in self._order()[:shown]]

    def _rest(self, shown: int) -> str:
        hidden = len(self) - shown
        if hidden <= 0:
            return ""
        weight = self._columns["weight"][self._order()[shown:]].sum()
        return f"... and {hidden} more, of weight {_cell(weight)} together"

    def __repr__(self) -> str:
        lines = [self.columns, *self._cells(_SHOWN)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        rest = self._rest(_SHOWN)
        return "\n".join([*text, rest] if rest else text)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in self._cells(_SHOWN)
        )
        rest = f"<caption>{escape(self._rest(_SHOWN))}</caption>" if len(self) > _SHOWN else ""
        return f"<table>{rest}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


def weight_table(model: Any) -> WeightTable:
    """The table of a trained model (`_core.Model`)."""
    kernels = model.kernels
    columns: dict[str, Any] = {"kernel": [kernel["name"] for kernel in kernels]}
    for name in ("view", "group", "weight", "norm", "raw_weight"):
        columns[name] = [kernel[name] for kernel in kernels]
    tasks: tuple[str, ...] = ()
    if len(model.weights) > 1:
        tasks = tuple(f"weight[{task['name']}]" for task in model.tasks)
        columns.update(zip(tasks, model.weights, strict=True))
    return WeightTable(columns, tasks)
