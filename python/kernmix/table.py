"""Named columns, one row for each kernel, view or column of the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHOWN = 20


class Table:
    """Named columns of the same length.

    Examples
    --------
    >>> table = Table({"view": ["a", "b"], "share": [0.25, 0.75]})
    >>> table
    view  share
    a     0.25
    b     0.75
    >>> table.row(1)["view"]
    'b'
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = {name: np.asarray(values) for name, values in columns.items()}

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a dict."""
        return (self.row(place) for place in range(len(self)))

    def __getitem__(self, column: str) -> NDArray[Any]:
        """The values of a column, in the order of the rows."""
        if column not in self._columns:
            raise KeyError(f"no column {column!r}: there are {', '.join(self._columns)}")
        return self._columns[column]

    def row(self, place: int) -> dict[str, Any]:
        """Row number `place`; texts and numbers are Python's own."""
        return {name: values.item(place) for name, values in self._columns.items()}

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """The columns as a dict, from which pandas, polars and narwhals build frames."""
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
        """The order of the rows in the printed table."""
        return np.arange(len(self))

    def _rest(self, shown: int) -> str:
        """The line about rows that are not shown."""
        hidden = len(self) - shown
        return f"... and {hidden} more" if hidden > 0 else ""

    def _cells(self, shown: int) -> list[list[str]]:
        return [[_cell(self._columns[name][place]) for name in self._columns] for place in self._order()[:shown]]

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
