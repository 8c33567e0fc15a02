"""Conversion of dicts and lists of views, AnnData and MuData to one table.

Each function returns a table X of all columns, with the columns of each view in `views`:

    data = kernmix.adapters.from_views({"color": A, "shape": B})
    MKLClassifier(views=data.views).fit(data.X, y)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._names import aligned_rows, sample_names
from ._names import places as places_of
from ._sets import views_of_groups

__all__ = ["Table", "from_anndata", "from_mudata", "from_views"]


@dataclass(frozen=True)
class Table:
    """One table of several views.

    Attributes
    ----------
    X : array (n, D) of float64, C-contiguous
    views : dict of view names and the indices of their columns
    columns : list of the D names, VIEW:COLUMN
    samples : list of the n names of the samples, or None if the views have no names
    """

    X: NDArray[np.float64]
    views: dict[str, NDArray[np.intp]]
    columns: list[str]
    samples: list[Any] | None = None

    def to_pandas(self) -> Any:
        """X as a pandas.DataFrame with these columns, and the samples as its index."""
        import pandas

        return pandas.DataFrame(self.X, index=self.samples, columns=self.columns, copy=False)


def from_views(views: Mapping[str, Any] | Sequence[Any]) -> Table:
    """Joins views that are separate tables.

    Parameters
    ----------
    views : mapping of names and tables (n, d_v), or sequence of tables, named view1, view2, ...
        Arrays, data frames or sparse matrices of the same n samples. Data frames whose index names
        the samples are reordered like the first one; arrays, and frames with a RangeIndex, keep
        their order.

    Raises
    ------
    ValueError
        If there are no views, if a view is not two-dimensional or has another number of samples, or
        if the indexes of data frames name different samples (`frame.to_numpy()` removes the names).
    """
    named = views if isinstance(views, Mapping) else {f"view{i + 1}": v for i, v in enumerate(views)}
    if not named:
        raise ValueError("views is empty: give at least one table")
    named = {str(name): part for name, part in named.items()}
    parts = {name: (_dense(name, part), _column_names(part)) for name, part in named.items()}
    rows = aligned_rows(named)
    for name, order in rows.items():
        if order is not None:
            parts[name] = (parts[name][0][order], parts[name][1])
    samples = next((own for part in named.values() if (own := sample_names(part)) is not None), None)
    return replace(_joined(parts), samples=samples)


def from_anndata(
    adata: Any,
    *,
    layers: Sequence[str | None] = (None,),
    obsm: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | str | PathLike[str] | None = None,
) -> Table:
    """Views of an anndata.AnnData.

    Parameters
    ----------
    adata : AnnData of n observations and D variables.
    layers : names of layers, None for `adata.X`, "raw" for `adata.raw.X`; each is a view.
    obsm : keys of `adata.obsm`; each is a view.
    groups : mapping of names (of pathways or gene sets) and names of variables, the path of a GMT file, or a
        column of `adata.var` with the group of each variable. Each group of each layer is a
        view, instead of the whole layer. Groups without a variable are left out with a warning.

    Raises
    ------
    ValueError
        If `adata` lacks an entry, if no group has a variable, or if there are no views.
    """
    parts: dict[str, tuple[NDArray[np.float64], list[str]]] = {}
    chosen = _groups(adata, groups)
    for layer in layers:
        if layer == "raw" and layer not in adata.layers:
            parts["raw"] = _raw(adata, groups)
            continue
        matrix = adata.X if layer is None else _item(adata.layers, layer, "layers")
        if matrix is None:
            raise ValueError("adata.X is empty: name layers or obsm")
        name = "X" if layer is None else layer
        for group, places in chosen.items():
            view = name if group is None else group if len(layers) == 1 else f"{name}:{group}"
            part = matrix if group is None else matrix[:, places]
            parts[view] = (_dense(view, part), [str(v) for v in adata.var_names[places]])
    for key in obsm:
        table = _item(adata.obsm, key, "obsm")
        parts[key] = (_dense(key, table), _column_names(table))
    if not parts:
        raise ValueError("no views: name at least one of layers and obsm")
    return replace(_joined(parts), samples=list(adata.obs_names))


def from_mudata(mdata: Any, *, layer: str | None = None) -> Table:
    """Views of a mudata.MuData: one for each modality, with the common observations.

    Parameters
    ----------
    mdata : MuData.
    layer : the layer of each modality, None for its X.

    Raises
    ------
    ValueError
        If modalities have different observations; `muon.pp.intersect_obs(mdata)` keeps the common ones.
    """
    parts: dict[str, tuple[NDArray[np.float64], list[str]]] = {}
    first: list[Any] = []
    for name, modality in mdata.mod.items():
        own = list(modality.obs_names)
        first = first or own
        if set(own) != set(first):
            raise ValueError(
                f"modality '{name}' has other observations than the first: muon.pp.intersect_obs(mdata), of the "
                "package muon, keeps those that all have"
            )
        order = places_of(first, own, f"modality '{name}'", "the first one")
        matrix = modality.X if layer is None else _item(modality.layers, layer, "layers")
        table = _dense(name, matrix)
        parts[name] = (table if order is None else table[order], [str(v) for v in modality.var_names])
    if not parts:
        raise ValueError("mdata has no modalities")
    return replace(_joined(parts), samples=first)


def _raw(adata: Any, groups: object) -> tuple[NDArray[np.float64], list[str]]:
    """The matrix that `adata.raw` keeps, with its own variables."""
    if adata.raw is None:
        names = ", ".join(str(name) for name in adata.layers if name is not None)
        raise ValueError(f"layers has no 'raw': there are {names}, and adata.raw is empty")
    if groups is not None:
        raise ValueError("groups name variables of adata.var, and adata.raw has others: read 'raw' without groups")
    return _dense("raw", adata.raw.X), [str(v) for v in adata.raw.var_names]


def _groups(adata: Any, groups: Mapping[str, Sequence[str]] | str | PathLike[str] | None) -> dict[Any, Any]:
    if groups is None:
        return {None: slice(None)}
    if isinstance(groups, str) and not groups.lower().endswith(".gmt"):
        if groups not in adata.var:
            raise ValueError(f"adata.var has no column '{groups}'")
        values = adata.var[groups]
        known = values.dropna().unique()
        return {str(value): np.flatnonzero(values == value) for value in known}
    names = [str(name) for name in adata.var_names]
    index = {name: place for place, name in reversed(list(enumerate(names)))}
    views, _ = views_of_groups(groups, names, "adata.var_names")
    return {name: np.array([index[column] for column in columns], dtype=np.intp) for name, columns in views.items()}


def _item(container: Any, key: str, where: str) -> Any:
    if key not in container:
        names = [str(name) for name in container if name is not None]  # None is X among newer AnnData's layers
        raise ValueError(f"{where} has no '{key}': there are {', '.join(names)}")
    return container[key]


def _column_names(table: Any) -> list[str]:
    names = getattr(table, "columns", None)
    return [str(i + 1) for i in range(table.shape[1])] if names is None else [str(n) for n in names]


def _dense(name: str, table: Any) -> NDArray[np.float64]:
    table = table.toarray() if scipy.sparse.issparse(table) else np.asarray(table)
    if table.ndim != 2:
        raise ValueError(f"view '{name}' must have the shape (n, d), got {table.shape}")
    return table


def _joined(parts: Mapping[str, tuple[NDArray[np.float64], list[str]]]) -> Table:
    counts = {name: len(values) for name, (values, _) in parts.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ValueError(f"all views need the same samples, got {told}")
    widths = [values.shape[1] for values, _ in parts.values()]
    ends = np.cumsum(widths)
    X = np.empty((next(iter(counts.values())), int(ends[-1])))
    views: dict[str, NDArray[np.intp]] = {}
    columns: list[str] = []
    for (name, (values, names)), width, end in zip(parts.items(), widths, ends, strict=True):
        views[name] = np.arange(end - width, end)
        X[:, end - width : end] = values
        columns += [f"{name}:{column}" for column in names]
    return Table(X, views, columns)
