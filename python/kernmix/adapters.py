"""Conversion of dicts and lists of views, AnnData and MuData to one table.

Each function returns a table X of all columns, with the columns of each view in `views`:

    data = kernmix.adapters.from_views({"color": A, "shape": B})
    MKLClassifier(views=data.views).fit(data.X, y)

X is a data frame with the names of views, columns and samples, so that `fit` compares the samples of X and y, and
`predict` finds the columns of new data by name, whatever the order of its views and columns. Only X of a list of
arrays, which have no names, is an array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._arrays import doubles, unmasked, within_doubles
from ._containers import checked_sparse, native, refuse_containers
from ._names import aligned_rows, sample_names
from ._sets import Groups, views_of_groups

__all__ = ["Table", "from_anndata", "from_mudata", "from_views"]


@dataclass(frozen=True)
class Table:
    """One table of several views.

    Attributes
    ----------
    X : data frame (n, D) of float64 with the names `columns` and, in pandas, the index `samples`
        Of pandas, or of the library that all tables are from. Of a list of arrays, and of arrays where pandas is not
        installed, an array (n, D), C-contiguous.
    views : dict of view names and the names of their columns; of an array X their indices
    columns : list of the D names, VIEW:COLUMN
    samples : list of the n names of the samples, or None if the views have no names
    """

    X: Any
    views: dict[str, Any]
    columns: list[str]
    samples: list[Any] | None = None

    def to_pandas(self) -> Any:
        """X as a pandas.DataFrame with these columns, and the samples as its index."""
        import pandas

        if isinstance(self.X, pandas.DataFrame):
            return self.X
        return pandas.DataFrame(np.asarray(self.X), index=self.samples, columns=self.columns, copy=False)


@dataclass(frozen=True)
class _Block:
    """Columns of one origin: a table, layer or modality."""

    values: NDArray[np.float64]
    names: list[str]


_Sets = Groups | Mapping[str, Groups]


def from_views(views: Mapping[str, Any] | Sequence[Any], *, groups: _Sets | None = None) -> Table:
    """Joins views that are separate tables.

    Parameters
    ----------
    views : mapping of names and tables (n, d_v), or sequence of tables, named view1, view2, ...
        Arrays, data frames or sparse matrices of the same n samples, or lists of n rows, with None for a
        sample that lacks the view. None in place of a table, or leaving a table out, makes all samples lack the view,
        which `predict` accepts where some training samples lacked it. Data frames whose index names the samples are
        reordered like the first one; arrays, and frames whose index counts from 0, keep their order. If all views are
        data frames with names, samples may be in some of them alone: the table has all samples, in the order of their
        first occurrence, and NaN in the columns of a view that a sample lacks.
    groups : mapping of names (such as of gene sets) and names of columns, or the path of a GMT file, optional
        Each set is a view, instead of the tables. A mapping from names of tables to such sets makes views
        TABLE.SET of the columns of these tables, and the other tables remain views.

    Raises
    ------
    ValueError
        If there are no views, if a view is not two-dimensional or has another number of samples, if two columns of a
        view have one name, if data frames name samples that no other view has, or beside arrays different ones
        (`frame.to_numpy()` removes the names), or if no set has a column.
    """
    named = views if isinstance(views, Mapping) else {f"view{i + 1}": v for i, v in enumerate(views)}
    parts = {str(name): _filled(str(name), native(part)) for name, part in named.items() if part is not None}
    if not parts:
        raise ValueError("views is empty: give at least one table")
    for name, part in parts.items():
        refuse_containers(part, f"view '{name}'")
    has_names = isinstance(views, Mapping) or any(_has_columns(part) for part in parts.values())
    library = _library_of(list(parts.values())) if has_names else None
    blocks = {name: _Block(_dense(name, part), _column_names(part)) for name, part in parts.items()}
    every = {name: sample_names(part) for name, part in parts.items()}
    if all(own is not None and len(set(own)) == len(own) for own in every.values()):
        return _united(blocks, {name: own or [] for name, own in every.items()}, groups, library)
    rows = aligned_rows(parts)
    samples = next((own for own in every.values() if own is not None), None)
    ordered = {name: block if rows[name] is None else _rows_of(block, rows[name]) for name, block in blocks.items()}
    return _table(ordered, _views(ordered, groups, "the tables"), samples, library)


def from_anndata(
    adata: Any,
    *,
    layers: Sequence[str | None] = (None,),
    obsm: Sequence[str] = (),
    groups: Groups | None = None,
) -> Table:
    """Views of an anndata.AnnData.

    Parameters
    ----------
    adata : AnnData of n observations and D variables.
    layers : names of layers, None for `adata.X`, "raw" for `adata.raw.X`; each is a view.
    obsm : keys of `adata.obsm`; each is a view.
    groups : mapping of names (of pathways or gene sets) and names of variables, the path of a GMT file, or a
        column of `adata.var` with the group of each variable. Each group of each layer is a
        view, instead of the whole layer; views of groups that overlap share columns. Groups without a variable are left
        out with a warning.

    Raises
    ------
    ValueError
        If `adata` lacks an entry, if two variables have one name, if no group has a variable, or if there are no views.
    """
    blocks: dict[str, _Block] = {}
    views: dict[str, list[str]] = {}
    chosen = _chosen(adata, groups)
    for layer in layers:
        if layer == "raw" and layer not in adata.layers:
            blocks["raw"] = _raw(adata, groups)
            views["raw"] = _prefixed("raw", blocks["raw"].names)
            continue
        matrix = adata.X if layer is None else _item(adata.layers, layer, "layers")
        if matrix is None:
            raise ValueError("adata.X is empty: name layers or obsm")
        name = "X" if layer is None else layer
        names = [str(v) for v in adata.var_names]
        if chosen is None:
            blocks[name] = _Block(_dense(name, matrix), names)
            views[name] = _prefixed(name, names)
            continue
        used = np.unique(np.concatenate(list(chosen.values())))
        blocks[name] = _Block(_dense(name, checked_sparse(matrix, name)[:, used]), [names[j] for j in used])
        for group, places in chosen.items():
            views[group if len(layers) == 1 else f"{name}:{group}"] = _prefixed(name, [names[j] for j in places])
    for key in obsm:
        part = native(_item(adata.obsm, key, "obsm"))
        blocks[key] = _Block(_dense(key, part), _column_names(part))
        views[key] = _prefixed(key, blocks[key].names)
    if not blocks:
        raise ValueError("no views: name at least one of layers and obsm")
    return _table(blocks, views, list(adata.obs_names), "pandas")


def from_mudata(mdata: Any, *, layer: str | None = None, groups: _Sets | None = None) -> Table:
    """Views of a mudata.MuData: one for each modality, with the observations of all of them.

    An observation that a modality lacks is NaN in its columns.

    Parameters
    ----------
    mdata : MuData.
        New samples may lack a modality, which is then not in `mdata` or has no observations; `predict` accepts this where
        some training samples lacked it.
    layer : the layer of each modality, None for its X.
    groups : mapping of names (such as of gene sets) and names of variables, or the path of a GMT file, optional
        Each set is a view, instead of the modalities. A mapping from names of modalities to such sets makes views
        MODALITY.SET of their variables, and the other modalities remain views.

    Raises
    ------
    ValueError
        If a modality lacks the layer, or names an observation or a variable twice, if there are no modalities, if no
        set has a variable, or if a set names a variable that two modalities have.
    """
    blocks: dict[str, _Block] = {}
    names: dict[str, list[Any]] = {}
    for name, modality in mdata.mod.items():
        if modality.n_obs == 0:
            continue
        names[name] = list(modality.obs_names)
        matrix = modality.X if layer is None else _item(modality.layers, layer, "layers")
        if matrix is None:
            raise ValueError(f"the modality '{name}' has no X: name a layer")
        blocks[name] = _Block(_dense(name, matrix), [str(v) for v in modality.var_names])
    if not blocks:
        raise ValueError("mdata has no modalities")
    return _united(blocks, names, groups, "pandas")


def _raw(adata: Any, groups: object) -> _Block:
    """The matrix that `adata.raw` keeps, with its own variables."""
    if adata.raw is None:
        names = ", ".join(str(name) for name in adata.layers if name is not None)
        raise ValueError(f"layers has no 'raw': there are {names}, and adata.raw is empty")
    if groups is not None:
        raise ValueError("groups name variables of adata.var, and adata.raw has others: read 'raw' without groups")
    return _Block(_dense("raw", adata.raw.X), [str(v) for v in adata.raw.var_names])


def _chosen(adata: Any, groups: Groups | None) -> dict[str, NDArray[np.intp]] | None:
    """The places of the variables of each group."""
    if groups is None:
        return None
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


def _views(blocks: Mapping[str, _Block], groups: _Sets | None, source: str) -> dict[str, list[str]]:
    """The columns of each view: of each block, or of each set of `groups`."""
    whole = {name: _prefixed(name, block.names) for name, block in blocks.items()}
    if groups is None:
        return whole
    if isinstance(groups, Mapping) and all(isinstance(sets, (str, PathLike, Mapping)) for sets in groups.values()):
        views: dict[str, list[str]] = {}
        for name, sets in groups.items():
            own = _item(blocks, name, "groups names a table, and the data").names
            found, _ = views_of_groups(sets, own, f"'{name}'")
            views |= {f"{name}.{view}": _prefixed(name, columns) for view, columns in found.items()}
        return views | {name: columns for name, columns in whole.items() if name not in groups}
    origin: dict[str, str] = {}
    several: dict[str, str] = {}
    for name, block in blocks.items():
        for column in block.names:
            if origin.setdefault(column, name) != name:
                several[column] = name
    found, _ = views_of_groups(groups, list(origin), source)
    for view, columns in found.items():
        both = next((column for column in columns if column in several), None)
        if both is not None:
            raise ValueError(
                f"the set '{view}' names '{both}', which '{origin[both]}' and '{several[both]}' have: say which is meant, "
                f"groups={{{origin[both]!r}: sets}}"
            )
    return {view: [f"{origin[column]}:{column}" for column in columns] for view, columns in found.items()}


def _prefixed(name: str, columns: Sequence[str]) -> list[str]:
    return [f"{name}:{column}" for column in columns]


def _item(container: Any, key: str, where: str) -> Any:
    if key not in container:
        names = [str(name) for name in container if name is not None]  # None is X among newer AnnData's layers
        raise ValueError(f"{where} has no '{key}': there are {', '.join(names)}")
    return container[key]


def _has_columns(table: Any) -> bool:
    return hasattr(table, "columns")


def _column_names(table: Any) -> list[str]:
    names = getattr(table, "column_names", getattr(table, "columns", None))  # pyarrow's columns are the values
    return [str(i + 1) for i in range(table.shape[1])] if names is None else [str(n) for n in names]


def _library_of(parts: list[Any]) -> str:
    """The library of all tables that are frames, where it is one; otherwise pandas."""
    libraries = {type(part).__module__.partition(".")[0] for part in parts if _has_columns(part)}
    return libraries.pop() if libraries in ({"polars"}, {"pyarrow"}) else "pandas"


def _dense(name: str, table: Any) -> NDArray[np.float64]:
    table = unmasked(table)
    if scipy.sparse.issparse(table):
        table = checked_sparse(table, f"view '{name}'").toarray()
    elif hasattr(table, "dtypes") and hasattr(table, "iloc"):
        table = table.to_numpy(dtype=np.float64, na_value=np.nan)
    elif _has_columns(table):
        table = nw.from_native(table, eager_only=True).to_numpy()
    table = within_doubles(f"view '{name}'", doubles, table)
    if table.ndim != 2:
        raise ValueError(f"view '{name}' must have the shape (n, d), got {table.shape}")
    return table


def _filled(name: str, part: Any) -> Any:
    """A list of rows as an array, with rows of NaN where it has None."""
    if isinstance(part, Iterator):
        part = list(part)
    if not isinstance(part, (list, tuple)):
        return part
    if not any(row is None for row in part):
        return np.asarray(part)
    present = [row for row in part if row is not None]
    if not present:
        raise ValueError(f"view '{name}' has None for every sample: leave it out")
    rows = np.asarray(present, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"view '{name}' must hold None or a row of numbers for each sample")
    values = np.full((len(part), rows.shape[1]), np.nan)
    values[[row is not None for row in part]] = rows
    return values


def _rows_of(block: _Block, rows: NDArray[np.intp] | None) -> _Block:
    return _Block(block.values[rows], block.names)


def _united(
    blocks: Mapping[str, _Block], names: Mapping[str, list[Any]], groups: _Sets | None, library: str | None
) -> Table:
    """All samples in the order of their first occurrence, with NaN where a view has no such sample."""
    views = _views(blocks, groups, "the tables")
    first = next(iter(names.values()))
    if all(own == first for own in names.values()):
        return _table(blocks, views, first, library)
    samples = list(dict.fromkeys(sample for own in names.values() for sample in own))
    place = {sample: i for i, sample in enumerate(samples)}
    for name, own in names.items():
        if len(set(own)) < len(own):
            raise ValueError(f"some names occur twice in '{name}', which has other samples than '{next(iter(names))}'")
        others = {sample for other, theirs in names.items() if other != name for sample in theirs}
        if len(names) > 1 and others.isdisjoint(own):
            raise ValueError(
                f"'{name}' and the other views are of other samples: it has {own[0]!r}, for example, and they have "
                f"{min(others, key=str)!r}; to match rows by their position give arrays, as .to_numpy() makes them"
            )
    whole = {}
    for name, block in blocks.items():
        values = np.full((len(samples), block.values.shape[1]), np.nan)
        values[[place[sample] for sample in names[name]]] = block.values
        whole[name] = _Block(values, block.names)
    return _table(whole, views, samples, library)


def _table(
    blocks: Mapping[str, _Block], views: dict[str, list[str]], samples: list[Any] | None, library: str | None
) -> Table:
    """The blocks side by side; an array with indices as views without a library, or where it is not installed."""
    counts = {name: len(block.values) for name, block in blocks.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ValueError(f"all views need the same samples, got {told}")
    ends = np.cumsum([block.values.shape[1] for block in blocks.values()])
    X = np.empty((next(iter(counts.values())), int(ends[-1])))
    columns: list[str] = []
    for (name, block), end in zip(blocks.items(), ends, strict=True):
        X[:, end - block.values.shape[1] : end] = block.values
        columns += _prefixed(name, block.names)
    place = {column: i for i, column in enumerate(columns)}
    _require_different(columns, place)
    if library is None or find_spec(library) is None:
        indices = {name: np.array([place[column] for column in own], dtype=np.intp) for name, own in views.items()}
        return Table(X, indices, columns, samples)
    return Table(_frame(X, columns, samples, library), views, columns, samples)


def _require_different(columns: list[str], place: Mapping[str, int]) -> None:
    if len(place) == len(columns):
        return
    twice = next(column for i, column in enumerate(columns) if place[column] != i)
    view, _, column = twice.partition(":")
    raise ValueError(
        f"two columns of '{view}' are called {column!r}: rename one of them; of an AnnData by adata.var_names_make_unique()"
    )


def _frame(X: NDArray[np.float64], columns: list[str], samples: list[Any] | None, library: str) -> Any:
    if library != "pandas":
        return nw.from_numpy(X, columns, backend=library).to_native()
    import pandas

    return pandas.DataFrame(X, index=samples, columns=columns, copy=False)
