"""Forms of data that estimators do not read themselves, each with the call that makes a table of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse

from ._arrays import unmasked

_STACK = 3  # dimensions
_VIEWS = "then data.X with views=data.views"
_ARRAY = ("__array__", "__array_interface__", "__array_struct__", "__dlpack__", "__arrow_c_stream__", "__dataframe__")


def as_container(X: Any) -> Any:
    """X, which must be one table or a GramStack, in a form that is read without a look at its type.

    Masked cells become NaN, objects of narwhals and xarray those of the library that they are of, or pandas.

    Raises
    ------
    ValueError
        For every other form, with the call that makes a table of it, and for sparse matrices whose indices lie
        outside of them.
    """
    if _is_stack(X):
        return X
    X = native(X)
    refuse_containers(X)
    if getattr(X, "ndim", 2) == _STACK:
        raise ValueError(_of_three_dimensions(X.shape))
    if _holds_tables(X):
        raise ValueError(
            "X is a list of matrices: give kernel matrices as kernmix.GramStack(X); tables of the same samples as "
            f"data = kernmix.adapters.from_views(X), {_VIEWS}"
        )
    return checked_sparse(unmasked(X), "X")


def _is_stack(X: Any) -> bool:
    return type(X).__name__ == "GramStack"


def native(values: Any) -> Any:
    """The object that narwhals wraps; a table or vector of xarray with its names, in pandas."""
    values = nw.to_native(values, pass_through=True)
    if _is_labelled_array(values) and values.ndim in (1, 2):
        return values.to_pandas()
    return values


def _is_labelled_array(values: Any) -> bool:
    return type(values).__name__ == "DataArray" and hasattr(values, "coords") and hasattr(values, "to_pandas")


def refuse_containers(X: Any, name: str = "X") -> None:
    """Raises ValueError for what NumPy would read item by item, perhaps for ever, and not as a table."""
    if X is None or isinstance(X, (np.ndarray, Sequence)) or _is_stack(X) or scipy.sparse.issparse(X):
        return  # a dok_matrix is a dict
    kind = type(X).__name__
    if hasattr(X, "mod") and hasattr(X, "obs_names"):
        raise ValueError(f"{name} is a {kind}: give data = kernmix.adapters.from_mudata({name}), {_VIEWS}")
    if hasattr(X, "var_names") and hasattr(X, "obs_names"):
        raise ValueError(
            f"{name} is an {kind}: give {name}.to_df(), or data = kernmix.adapters.from_anndata({name}), {_VIEWS}"
        )
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        raise ValueError(f"{name} is a {kind}, which has no values yet: give {name}.collect()")
    if hasattr(X, "data_vars"):
        raise ValueError(f"{name} is a {kind} of xarray: give one of its tables, such as {name}[NAME]")
    if isinstance(X, Mapping):
        raise ValueError(  # noqa: TRY004  as scikit-learn refuses an X
            f"{name} is a dict: give named tables as data = kernmix.adapters.from_views({name}), {_VIEWS}; named "
            f"kernels as kernmix.GramStack({name})"
        )
    if isinstance(X, (Iterator, AbstractSet)):
        raise ValueError(f"{name} is a {kind}: give its rows as numpy.array(list({name}))")  # noqa: TRY004
    if not any(hasattr(type(X), own) for own in _ARRAY) and hasattr(type(X), "__getitem__") and not _is_buffer(X):
        raise ValueError(f"{name} is a {kind}, which is no table: give an array or a data frame")


def _is_buffer(X: Any) -> bool:
    try:
        memoryview(X)
    except TypeError:
        return isinstance(X, str)  # which scikit-learn refuses
    return True


def checked_sparse(values: Any, name: str) -> Any:
    """`values`, which SciPy can read if they are sparse. Raises ValueError for indices outside of the matrix."""
    if not scipy.sparse.issparse(values):
        return values
    try:
        if values.format in ("csr", "csc", "bsr"):
            values.check_format(full_check=True)
        elif values.format == "coo":
            _check_coordinates(values)
        elif values.format == "dia":
            _require(values.data.ndim == 2 and len(values.data) == len(values.offsets), "offsets and data differ")
        elif values.format == "lil":
            _check_rows(values)
    except (ValueError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"{name} is a damaged sparse matrix ({error}): make it anew from its entries") from error
    return values


def _check_coordinates(values: Any) -> None:
    places = values.coords if hasattr(values, "coords") else (values.row, values.col)
    for own, size in zip(places, values.shape, strict=True):
        _require(len(own) == len(values.data), "there is not one place for each entry")
        _require(len(own) == 0 or 0 <= own.min() <= own.max() < size, "an entry lies outside of the matrix")


def _check_rows(values: Any) -> None:
    _require(len(values.rows) == len(values.data) == values.shape[0], "there is not one list for each row")
    for places, numbers in zip(values.rows, values.data, strict=True):
        _require(len(places) == len(numbers), "there is not one place for each entry")
        _require(not places or 0 <= min(places) <= max(places) < values.shape[1], "an entry lies outside of the matrix")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _holds_tables(X: Any) -> bool:
    several = isinstance(X, (list, tuple)) or getattr(X, "dtype", None) == object and getattr(X, "ndim", 2) == 1
    if not several or len(X) == 0:
        return False
    first = X[0]
    if isinstance(first, (list, tuple)):
        return len(first) > 0 and isinstance(first[0], (list, tuple, np.ndarray))
    return getattr(first, "ndim", 1) == 2 or hasattr(first, "columns")


def _of_three_dimensions(shape: tuple[int, ...]) -> str:
    start = f"Found array with dim 3, expected <= 2: X has the shape {tuple(shape)}: "
    if shape[1] == shape[2]:
        return start + "give a stack of Gram matrices as kernmix.GramStack(X)"
    if shape[0] == shape[1]:
        return start + (
            "give n x n x M Gram matrices, one behind the other, as kernmix.GramStack(numpy.moveaxis(X, -1, 0))"
        )
    return start + (
        f"give tables of the same samples as data = kernmix.adapters.from_views(list(X)), {_VIEWS}; matrices of new "
        "samples by training samples as kernmix.GramStack(X)"
    )
