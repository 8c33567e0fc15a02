"""Given Gram or distance matrices as one X that can be split by rows."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import Identity, MappedPlace, doubles, unmasked
from ._containers import native, refuse_containers
from ._names import names_of, places
from ._warnings import level_of_caller


class GramStack:
    """M matrices with similarities (or distances) of n samples to N samples, used as X.

    A stack is split by rows like an array, so that `cross_validate`, `GridSearchCV` and
    `train_test_split` work: a part keeps all columns, and `fit` selects those of its rows. Neither
    splitting nor fitting copies matrices of doubles. Matrices that are mapped from a file stay in the
    file, also when the stack is pickled or sent to another process: processes on one machine share
    its pages. A file that becomes shorter, or is replaced before the stack is unpickled, raises
    ValueError.

    Parameters
    ----------
    matrices : array (M, n, N) or (n, N), sequence or dict of arrays (n, N), or path of a .npy file
        For `fit` the rows and the columns are the same samples; for prediction there is a row
        for each new sample and a column for each sample of the training stack. Data frames are
        matched by the names in their index and columns: all matrices with the first, which others
        may exceed, and columns of new matrices with the training samples. A RangeIndex contains no
        names.
        With landmarks, N is their number R: `fit` reads the similarities to the landmarks alone,
        and so does prediction.
    kind : "gram" or "distance"
        Kernels of distances, such as "rbf(width=median)", read distance matrices.
    names : text, or sequence of M texts
        The view names for kernel expressions. A text NAME stands for NAME[0], NAME[1], ..., as
        in `kernmix train --gram`; None is the stem of the file's name, or the kind. A dict has the
        names as its keys, by which new matrices are matched.
    landmarks : array (R,) of row indices, or None
        Each column has the similarities to one sample, a landmark: its row. Training then uses the
        Nystroem kernel K[:, P] K[P, P]^-1 K[P, :], and a part of the rows the landmarks among them.
        None: the columns are all samples, or of data frames the rows with the names of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> stack = GramStack(np.stack([np.eye(4), np.ones((4, 4))]))
    >>> stack[[0, 2]].shape
    (2, 4)
    >>> K = np.eye(4) + 1
    >>> GramStack(K[:, [0, 2]], landmarks=[0, 2]).shape
    (4, 2)
    """

    def __init__(
        self,
        matrices: NDArray[Any] | Sequence[NDArray[Any]] | Mapping[str, NDArray[Any]] | str | PathLike[str],
        *,
        kind: Literal["gram", "distance"] = "gram",
        names: str | Sequence[str] | None = None,
        landmarks: Sequence[int] | NDArray[np.integer[Any]] | None = None,
    ) -> None:
        if kind not in ("gram", "distance"):
            raise ValueError(f"kind must be 'gram' or 'distance', got {kind!r}")
        if isinstance(matrices, (str, PathLike)):
            names = Path(matrices).stem if names is None else names
            matrices = _mapped(fspath(matrices))
        elif isinstance(matrices, Mapping):
            names, matrices = _of_dict(matrices, names)
        self.kind = kind
        self._matrices, self._row_names, self.column_names = _named_planes(matrices)
        self.names = _names(kind if names is None else names, len(self._matrices))
        self._files = _identities(self._matrices)
        self._rows: NDArray[np.intp] | None = None
        self._landmarks = self._checked_landmarks(landmarks)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows of this part and columns of the whole: (n, N)."""
        rows, columns = self._matrices[0].shape
        return (rows if self._rows is None else len(self._rows)), columns

    @property
    def ndim(self) -> int:
        """2, because a stack is split like a table."""
        return 2

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the entries."""
        return np.result_type(*{matrix.dtype for matrix in self._matrices})

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> GramStack:
        """The rows `key`: indices, a slice or a mask. A single index gives one row.

        Of `numpy.ix_(rows, columns)`, by which scikit-learn splits for kernels="precomputed", only the rows count.
        """
        if isinstance(key, tuple):
            key = _row_key(key)
        part = GramStack.__new__(GramStack)
        part.kind, part._matrices, part.names = self.kind, self._matrices, self.names
        part._row_names, part.column_names, part._files = self._row_names, self.column_names, self._files
        part._rows = np.atleast_1d(self.rows[key])
        part._landmarks = self._landmarks
        return part

    @property
    def row_names(self) -> list[Hashable] | None:
        """The names of these rows, None if the matrices have no names."""
        if self._row_names is None or self._rows is None:
            return self._row_names
        return [self._row_names[row] for row in self._rows]

    @property
    def whole_shape(self) -> tuple[int, int]:
        """The shape of the whole matrices."""
        return self._matrices[0].shape

    @property
    def rows(self) -> NDArray[np.intp]:
        """The indices of these rows in the whole matrices."""
        return np.arange(self._matrices[0].shape[0]) if self._rows is None else self._rows

    @property
    def has_landmarks(self) -> bool:
        """Whether the columns are landmarks, not all samples."""
        return self._landmarks is not None

    def landmarks(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places among these rows of the landmarks that are here, ascending, and their columns.

        Of a row that occurs several times the first place counts.
        """
        column = self._columns_of_rows()
        _, first = np.unique(column, return_index=True)
        places = np.sort(first[column[first] >= 0])
        return places, column[places]

    def _columns_of_rows(self) -> NDArray[np.intp]:
        """The column that belongs to each of these rows, -1 where there is none."""
        if self._landmarks is None:
            return self.rows
        column = np.full(self.whole_shape[0], -1, dtype=np.intp)
        column[self._landmarks] = np.arange(len(self._landmarks))
        return column[self.rows]

    def _checked_landmarks(self, landmarks: Any) -> NDArray[np.intp] | None:
        """Raises ValueError if they are not one row for each column."""
        named = None if self.kind == "distance" else _rows_of_columns(self._row_names, self.column_names)
        if landmarks is None:
            return named
        rows, columns = self.whole_shape
        if self.kind == "distance":
            raise ValueError("landmarks need similarities: give the kernel values of the distances, kind='gram'")
        found = np.asarray(landmarks)
        if found.dtype.kind not in "iu" or found.shape != (columns,):
            raise ValueError(
                f"landmarks must have the row of each of the {columns} columns, an array of {columns} indices"
            )
        if found.min() < 0 or found.max() >= rows or len(np.unique(found)) < columns:
            raise ValueError(f"landmarks must be different rows of the matrices, from 0 to {rows - 1}")
        if named is not None and not np.array_equal(named, found):
            raise ValueError("landmarks differ from the rows with the names of the columns: leave landmarks out")
        return found.astype(np.intp)

    def matrices(self, columns: NDArray[np.intp] | None = None) -> list[NDArray[np.float64]]:
        """The M matrices on these rows and on `columns` (None: all columns).

        Whole matrices of double precision are not copied.
        """
        _check_files(self._files)
        return [part.values if part.rows is None else part.values[part.places()] for part in self._parts(columns)]

    def _parts(self, columns: NDArray[np.intp] | None = None) -> list[_Part]:
        """Like `matrices`, without a copy of matrices of double precision. Raises ValueError if a file changed."""
        _check_files(self._files)
        whole = columns is None or _is_range(columns, self.shape[1])
        if whole and (self._rows is None or _is_range(self._rows, self._matrices[0].shape[0])):
            return [_Part(_rows_of_doubles(matrix)) for matrix in self._matrices]
        columns = np.arange(self.shape[1]) if columns is None else columns
        return [_part(matrix, self.rows, columns) for matrix in self._matrices]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"GramStack({len(self._matrices)} of {rows} x {columns}, kind={self.kind!r})"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_matrices"] = [_reference(matrix) for matrix in self._matrices]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({"_row_names": None, "column_names": None, "_files": {}, "_landmarks": None} | state)
        _check_files(self._files)
        self._matrices = [_opened(matrix) for matrix in state["_matrices"]]


def _of_dict(matrices: Mapping[Any, Any], names: Any) -> tuple[list[str], list[Any]]:
    """The names of the matrices, and the matrices. Raises ValueError for further names, and where there is no matrix."""
    if names is not None:
        raise ValueError("the dict of matrices has their names: leave names out")
    if not matrices:
        raise ValueError("the dict of matrices is empty: give at least one")
    return [str(name) for name in matrices], list(matrices.values())


def _row_key(key: tuple[Any, ...]) -> Any:
    """Raises IndexError for a choice of columns."""
    if len(key) == 2 and all(isinstance(part, np.ndarray) for part in key):
        rows, columns = key
        if rows.ndim == columns.ndim == 2 and rows.shape[1] == columns.shape[0] == 1:
            return rows[:, 0]
    elif len(key) == 2 and (key[1] is Ellipsis or isinstance(key[1], slice) and key[1] == slice(None)):
        return key[0]
    raise IndexError("a GramStack is split by rows; fit takes the columns of its rows")


def _mapped(path: str) -> NDArray[Any]:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise ValueError(f"'{path}' is no .npy file of numbers: {error}") from error


def stack_of(X: Any, values: NDArray[np.float64]) -> GramStack:
    """A stack of one matrix of checked `values`, with the names of X."""
    X = native(X)
    _refuse_names_of_columns_alone(X)
    return GramStack([type(X)(values, index=X.index, columns=X.columns)] if _is_frame(X) else values)


def check_training(stack: GramStack) -> None:
    """Raises ValueError if rows and columns are not the same training samples, and no column is a landmark."""
    rows, columns = stack.whole_shape
    if stack.has_landmarks:
        if len(stack.landmarks()[0]) == 0:
            raise ValueError(
                f"none of the {columns} landmarks is among the {len(stack)} training samples: take more of them"
            )
        return
    if rows == columns:
        if stack.column_names is not None and stack._row_names not in (None, stack.column_names):
            raise ValueError("the rows and the columns of the matrices name different samples: training needs the same")
        return
    why = f"training needs matrices between the same samples, which must be square, n x n; got {rows} x {columns}"
    if rows == len(stack.names):
        raise ValueError(
            f"{why}, {rows} times: n x n x M matrices, one behind the other, are given as "
            "GramStack(numpy.moveaxis(K, -1, 0))"
        )
    remedy = "features are given as a table X, with kernels such as 'linear' or 'rbf(width=median)'"
    if columns < rows:
        remedy += ", and similarities to landmarks alone as GramStack(K, landmarks=rows), with the row of each column"
    raise ValueError(f"{why}: {remedy}")


def row_id(row: int) -> str:
    """The id in a model file of a training sample without a name, one of the landmarks."""
    return f"row {row}"


@dataclass(frozen=True)
class StackColumns:
    """The columns that new matrices must have for some training samples."""

    count: int
    """Number of all columns."""
    places: NDArray[np.intp] | None
    """Columns of the samples; None if the library finds them, as for a model file."""
    names: list[str] | None
    """Names of the samples, None without names."""
    landmarks: bool = False
    """The columns are landmarks."""
    distinct: bool = True
    """No name of a training sample occurs twice, so that a model file has them."""

    @classmethod
    def of(cls, stack: GramStack, rows: Any = slice(None)) -> StackColumns:
        """The columns of some rows of a training stack."""
        names = stack.row_names
        if stack.has_landmarks and stack.column_names is None:
            names = None
        elif stack.column_names is not None and not stack.has_landmarks:
            names = [stack.column_names[row] for row in stack.rows]
        places = stack._columns_of_rows()[rows]
        own = None if names is None else [str(name) for name in np.array(names, dtype=object)[rows]]
        distinct = names is None or len({str(name) for name in names}) == len(names)
        return cls(stack.whole_shape[1], places, own, stack.has_landmarks, distinct)

    def within(self, new: GramStack) -> NDArray[np.intp] | None:
        """The indices of these columns in `new`, by name if both have names. Raises ValueError if some are missing."""
        if self.names is not None and new.column_names is not None:
            place = {str(name): i for i, name in enumerate(new.column_names)}
            missing = [name for name in self.names if name not in place]
            if missing:
                what, wanted = ("landmark", "landmarks") if self.landmarks else ("training sample", "training")
                raise ValueError(f"the new matrices have no column of the {what} '{missing[0]}': give k(new, {wanted})")
            if not self.landmarks:
                self._warn_of_others(new, set(place))
            return np.array([place[name] for name in self.names], dtype=np.intp)
        rows, columns = new.shape
        if self.places is not None and columns != self.count:
            hint = ": the transpose would fit" if rows == self.count else ""
            what = "landmark" if self.landmarks else "sample"
            raise ValueError(
                f"the new matrices are {rows} x {columns} and need {self.count} columns, one for each {what} of the "
                f"matrices of training{hint}"
            )
        return self.places

    def check_order(self) -> None:
        """Raises ValueError if columns of landmarks have names or an order that a model file cannot hold."""
        if not self.landmarks or self.places is None:
            return
        if not self.distinct:
            raise ValueError("a model file needs different names of all training samples: pickle the estimator")
        if self.names is not None or np.all(np.diff(self.places) > 0):
            return
        raise ValueError(
            "a model file has landmarks without names in the order of the training samples, and the columns of the "
            "GramStack have another one: put them in that order, name rows and columns by data frames, or pickle the "
            "estimator"
        )

    def _warn_of_others(self, new: GramStack, columns: set[str]) -> None:
        """Columns beside all training samples and the new samples are not read."""
        unseen = self.count - len(self.names or [])
        others = columns - set(self.names or []) - {str(name) for name in new.row_names or []}
        if len(others) > unseen:
            example = f", for example {min(others)!r}" if unseen == 0 else ""
            warnings.warn(
                f"{'' if unseen == 0 else 'at least '}{len(others) - unseen} of {len(columns)} columns of the new "
                f"matrices are neither training samples nor new samples and are not read{example}",
                stacklevel=level_of_caller(),
            )


def _named_planes(matrices: Any) -> tuple[list[NDArray[Any]], list[Hashable] | None, list[Hashable] | None]:
    """Matrices with the rows and columns of the first data frame, and their names.

    If rows and columns are the same samples, the columns get the order of the rows.
    """
    matrices = native(matrices)
    if not isinstance(matrices, Iterator):
        refuse_containers(matrices, "matrices")
    if isinstance(matrices, (Sequence, Iterator)):
        matrices = [native(matrix) for matrix in matrices]
    frames = matrices if isinstance(matrices, list) else [matrices] if _is_frame(matrices) else None
    for matrix in frames or [matrices]:
        _refuse_names_of_columns_alone(matrix)
    if frames is None:
        matrices = np.asanyarray(matrices)  # of polars
    if frames is None or not any(_is_frame(frame) for frame in frames):
        return _planes(matrices), None, None
    planes = [np.asarray(unmasked(frame)) for frame in frames]
    rows = [names_of(frame.index) if _is_frame(frame) else None for frame in frames]
    columns = [names_of(frame.columns) if _is_frame(frame) else None for frame in frames]
    own_rows, own_columns = _first(rows), _first(columns)
    if own_rows is not None and own_columns is not None and set(own_rows) == set(own_columns):
        own_columns = own_rows
    for i, plane in enumerate(planes):
        by_row = _chosen(own_rows, rows[i], f"rows of matrix {i}")
        by_column = _chosen(own_columns, columns[i], f"columns of matrix {i}")
        plane = plane if by_row is None else plane[by_row]
        planes[i] = plane if by_column is None else plane[:, by_column]
    return _planes(planes), own_rows, own_columns


def _refuse_names_of_columns_alone(matrix: Any) -> None:
    """Raises ValueError for a frame that names its columns but not its rows, as of polars, unless the names count."""
    labels = getattr(matrix, "column_names", getattr(matrix, "columns", None))
    if not isinstance(labels, list) or labels == [f"column_{k}" for k in range(len(labels))]:
        return
    raise ValueError(
        f"a matrix is a {type(matrix).__name__} whose columns have names and whose rows have none: give a "
        "pandas.DataFrame with both, or matrix.to_numpy() to match both by position"
    )


def _rows_of_columns(rows: list[Hashable] | None, columns: list[Hashable] | None) -> NDArray[np.intp] | None:
    """The rows with the names of the columns, if these are some of them."""
    if rows is None or columns is None or len(columns) >= len(rows):
        return None
    place = {name: i for i, name in reversed(list(enumerate(rows)))}
    if len(set(columns)) < len(columns) or not set(columns) <= set(place):
        return None
    return np.array([place[name] for name in columns], dtype=np.intp)


def _chosen(wanted: list[Hashable] | None, own: list[Hashable] | None, what: str) -> NDArray[np.intp] | None:
    """Where the names of the first matrix are among `own`; other names are left out with a warning."""
    if own is None or wanted is None:
        return None
    known = set(wanted)
    kept = np.array([i for i, name in enumerate(own) if name in known], dtype=np.intp)
    if len(kept) != len(wanted) or len(kept) == len(own):
        return places(wanted, own, what, "those of the first")
    extra = next(name for name in own if name not in known)
    warnings.warn(
        f"{len(own) - len(kept)} {what} are not in the first matrix and are left out, for example {extra!r}",
        stacklevel=level_of_caller(),
    )
    order = places(wanted, [own[i] for i in kept], what, "those of the first")
    return kept if order is None else kept[order]


def _is_frame(matrix: Any) -> bool:
    return hasattr(matrix, "index") and hasattr(matrix, "columns") and hasattr(matrix, "to_numpy")


def _first(names: list[list[Hashable] | None]) -> list[Hashable] | None:
    return next((own for own in names if own is not None), None)


def _planes(matrices: Any) -> list[NDArray[Any]]:
    matrices = unmasked(matrices)
    if isinstance(matrices, np.ndarray):
        planes = [matrices] if matrices.ndim == 2 else list(matrices) if matrices.ndim == 3 else []
    else:
        planes = [np.asanyarray(unmasked(matrix)) for matrix in matrices]
    if not planes or any(plane.ndim != 2 for plane in planes):
        raise ValueError("matrices must have the shape (M, n, N) or (n, N), with M at least 1")
    for place, plane in enumerate(planes):
        if plane.dtype.kind not in "fiub":
            raise ValueError(f"matrix {place} holds no real numbers but {plane.dtype}")
        if plane.shape != planes[0].shape:
            raise ValueError(
                f"matrix {place} has the shape {plane.shape}, the first one {planes[0].shape}: all need the same"
            )
    return planes


def _names(names: str | Sequence[str], count: int) -> list[str]:
    if isinstance(names, str):
        return [names] if count == 1 else [f"{names}[{i}]" for i in range(count)]
    names = [str(name) for name in names]
    if len(names) != count:
        raise ValueError(f"names has {len(names)} names for {count} matrices")
    if len(set(names)) < count:
        raise ValueError("names must differ from each other")
    return names


def _is_range(places: NDArray[np.intp], count: int) -> bool:
    return len(places) == count and bool(np.array_equal(places, np.arange(count)))


class _Part(NamedTuple):
    """Rows and columns of an array of doubles with contiguous rows; without them the whole array."""

    values: NDArray[np.float64]
    rows: NDArray[np.intp] | None = None
    columns: NDArray[np.intp] | None = None

    def places(self) -> Any:
        """An index that selects them from the array."""
        return np.ix_(self.rows, self.columns)

    def in_file(self) -> tuple[str, int, tuple[int, int, int]] | None:
        """File, offset in bytes, and layout (rows, columns, numbers from row to row); None where they lie in memory."""
        place = MappedPlace.of(self.values)
        return place and (place.file, place.offset, (*place.shape, place.strides[0] // 8))


def _part(matrix: NDArray[Any], rows: NDArray[np.intp], columns: NDArray[np.intp]) -> _Part:
    if _has_rows_of_doubles(matrix):
        return _Part(matrix, rows, columns)
    return _Part(doubles(_in_memory(matrix)[np.ix_(rows, columns)]))


def _rows_of_doubles(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """`matrix` itself if its rows are contiguous doubles, otherwise a copy."""
    return matrix if _has_rows_of_doubles(matrix) else doubles(_in_memory(matrix))


def _in_memory(matrix: NDArray[Any]) -> NDArray[Any]:
    place = MappedPlace.of(matrix)
    return matrix if place is None or min(place.strides) < 0 else place.read()


def _has_rows_of_doubles(matrix: NDArray[Any]) -> bool:
    if matrix.dtype != np.float64 or not matrix.dtype.isnative:
        return False
    step, itemsize = matrix.strides
    return matrix.flags.aligned and itemsize == 8 and step >= 8 * matrix.shape[1]


def _identities(matrices: list[NDArray[Any]]) -> dict[str, Identity]:
    """Of the files that matrices are mapped from."""
    places = [MappedPlace.of(matrix) for matrix in matrices]
    return {file: Identity.of(file) for file in {place.file for place in places if place is not None}}


def _check_files(files: dict[str, Identity]) -> None:
    for file, identity in files.items():
        try:
            now = Identity.of(file)
        except OSError as error:
            raise ValueError(f"'{file}', which a GramStack is mapped from, cannot be read: {error}") from error
        if now != identity:
            raise ValueError(f"'{file}' has changed since a GramStack was mapped from it: make the GramStack again")


# A mapped matrix is pickled as the place where it lies; a tuple, as earlier versions wrote.
_Place = tuple[str, int, tuple[int, ...], tuple[int, ...], Any]


def _reference(matrix: NDArray[Any]) -> NDArray[Any] | _Place:
    place = MappedPlace.of(matrix)
    return matrix if place is None else tuple(place)


def _opened(matrix: NDArray[Any] | _Place) -> NDArray[Any]:
    if isinstance(matrix, np.ndarray):
        return matrix
    place = MappedPlace(*matrix)
    file, offset, shape, strides, dtype = place
    if strides == (dtype.itemsize * shape[1], dtype.itemsize):
        return np.memmap(file, dtype=dtype, mode="r", offset=offset, shape=shape)
    flat = np.memmap(file, dtype=np.uint8, mode="r", offset=offset, shape=(place.bytes,))
    return np.ndarray(shape, dtype, flat, strides=strides)
