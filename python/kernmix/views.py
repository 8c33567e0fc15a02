"""Views: named sets of columns of one table X.

The columns of a view are selected as in scikit-learn's ColumnTransformer: by name, index, slice, list,
boolean mask or a function of X (`make_column_selector`), and also by a glob such as "mean_*".
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

Selection = str | int | slice | Sequence[Any] | NDArray[Any] | Callable[[Any], Any]
Views = Mapping[str, Selection] | Sequence[tuple[str, Selection]]


def resolve_views(
    views: Views | None, X: Any, n_columns: int, names: Sequence[str] | None
) -> dict[str, NDArray[np.intp]]:
    """The indices of the columns of each view, without repetition, in the order of the selection.

    Parameters
    ----------
    views : mapping of view names to selections, sequence of such pairs, or None
        None is one view "data" of all columns.
    X : the table of the user, for selections that are functions.
    n_columns : number of its columns.
    names : the names of its columns, or None.

    Raises
    ------
    ValueError
        If a column does not exist, a view has no columns, or a view name occurs twice.
    TypeError
        If a selection has an unsupported type.
    """
    if views is None:
        return {"data": np.arange(n_columns)}
    pairs = list(views.items()) if isinstance(views, Mapping) else list(views)
    if not pairs:
        raise ValueError("views is empty: name at least one view, or leave it None")
    index = None if names is None else {column: place for place, column in enumerate(names)}
    resolved: dict[str, NDArray[np.intp]] = {}
    for pair in pairs:
        name, selection = _named(pair)
        if name in resolved:
            raise ValueError(f"view '{name}' occurs twice: give each view a name of its own")
        places = _select(name, selection, X, n_columns, index)
        if len(places) == 0:
            raise ValueError(f"view '{name}' selects no column of the {n_columns}")
        resolved[name] = places
    return resolved


def _named(pair: Any) -> tuple[str, Selection]:
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
        raise TypeError(f"views must be a dict of names and columns, or a list of such pairs, got the item {pair!r}")
    if not isinstance(pair[0], str) or not pair[0]:
        raise TypeError(f"the name of a view must be a text, got {pair[0]!r}")
    return pair[0], pair[1]


def _select(
    view: str, selection: Selection, X: Any, n_columns: int, names: Mapping[str, int] | None
) -> NDArray[np.intp]:
    if callable(selection):
        selection = selection(X)
    if isinstance(selection, slice):
        return np.arange(n_columns)[_slice(view, selection, names)]
    items = [selection] if isinstance(selection, str) else np.atleast_1d(_array(view, selection))
    places: list[int] = []
    if isinstance(items, np.ndarray) and items.dtype == bool:
        if len(items) != n_columns:
            raise ValueError(
                f"view '{view}': a mask must have one entry for each of the {n_columns} columns, got {len(items)}"
            )
        places = np.flatnonzero(items).tolist()
    else:
        for item in items:
            places += _places(view, item, n_columns, names)
    return np.array(list(dict.fromkeys(places)), dtype=np.intp)


def _array(view: str, selection: Any) -> NDArray[Any]:
    """An array of one type; NumPy would convert a list of numbers and texts to texts."""
    if isinstance(selection, (list, tuple)) and len({isinstance(i, str) for i in selection}) > 1:
        raise TypeError(f"view '{view}': columns are given by names or by numbers, not by both")
    items = np.asarray(selection)
    if items.ndim > 1 or (items.size and items.dtype.kind not in "biuOUST"):
        raise TypeError(
            f"view '{view}': columns are chosen by names, indices, a slice, a mask or a "
            f"function of X, got {selection!r}"
        )
    return items


def _slice(view: str, wanted: slice, names: Mapping[str, int] | None) -> slice:
    """A slice of names includes its end, as in pandas."""

    def place(end: Any) -> Any:
        return _exact(view, end, names) if isinstance(end, str) else end

    stop = place(wanted.stop)
    return slice(place(wanted.start), stop + 1 if isinstance(wanted.stop, str) else stop, wanted.step)


def _places(view: str, item: Any, n_columns: int, names: Mapping[str, int] | None) -> list[int]:
    if isinstance(item, str):
        if names is not None and item not in names and any(c in item for c in "*?["):
            found = [place for name, place in names.items() if fnmatchcase(name, item)]
            if not found:
                raise ValueError(f"view '{view}': no column has a name like '{item}'")
            return found
        return [_exact(view, item, names)]
    if isinstance(item, (bool, np.bool_)) or not isinstance(item, (int, np.integer)):
        raise TypeError(f"view '{view}': {item!r} is neither the name nor the index of a column")
    if not -n_columns <= item < n_columns:
        raise ValueError(f"view '{view}': X has no column {item}, its {n_columns} columns are 0 to {n_columns - 1}")
    return [int(item) % n_columns]


def _exact(view: str, name: str, names: Mapping[str, int] | None) -> int:
    if names is None:
        raise ValueError(f"view '{view}': X has no column names to find '{name}' in: give a DataFrame, or indices")
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f", did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"view '{view}': X has no column '{name}'{hint}")
    return names[name]
