"""What an estimator is given as X, as the library reads it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array

from . import _core
from ._arrays import doubles, within_doubles
from ._cells import FrameColumn, numbers_of, problem_of, refuse_repeated_names
from ._compat import note_columns, validated
from ._containers import as_container
from ._finite import finite
from ._sets import views_of_groups
from ._settings import memory_bytes
from ._spellings import warn_of_look_alikes
from .gram_stack import GramStack
from .views import resolve_views

_CHECKS = {"dtype": np.float64, "order": "C"}
_MIN_TRAINING = 2


@dataclass(frozen=True)
class Samples:
    """A table of n samples with named columns, or a stack of matrices of theirs."""

    values: Any
    """(n, D), the numbers of the caller where they are C-contiguous doubles; a CSR matrix where that takes less memory;
    None of a stack."""
    columns: list[str]
    """The names of the D columns."""
    stack: GramStack | None = None
    words: dict[str, list[str]] = field(default_factory=dict)
    """Of columns that hold words: the words, whose places are the numbers in `values`."""

    def __len__(self) -> int:
        return len(self.stack) if self.stack is not None else self.values.shape[0]

    def __getitem__(self, rows: NDArray[Any]) -> Samples:
        if self.stack is not None:
            return replace(self, stack=self.stack[rows])
        return replace(self, values=self.values[rows])

    def columns_at(self, names: list[str]) -> NDArray[np.float64]:
        """The numbers in these columns; the table itself where they are all of its columns."""
        place = {name: i for i, name in enumerate(self.columns)}
        if scipy.sparse.issparse(self.values):
            return _columns_of(self.values, np.array([place[name] for name in names])).toarray(order="C")
        if names == self.columns:
            return self.values
        return doubles(self.values[:, [place[name] for name in names]])

    def have_nothing(self) -> NDArray[np.bool_]:
        """(n,), the samples without any number."""
        if self.stack is not None:
            return np.all([np.isnan(matrix).all(axis=1) for matrix in self.stack.matrices()], axis=0)
        return np.isnan(self.numbers()).all(axis=1)

    def with_absent(self, columns: list[str]) -> Samples:
        """The same with further columns of missing cells."""
        cells = np.full((len(self), len(columns)), np.nan)
        return replace(self, values=np.hstack([self.numbers(), cells]), columns=[*self.columns, *columns])

    def numbers(self) -> NDArray[np.float64]:
        """The table as a dense one."""
        return self.values.toarray(order="C") if scipy.sparse.issparse(self.values) else self.values


def read_training(
    estimator: BaseEstimator, X: Any, views: Any, *, every_column: bool
) -> tuple[Samples, dict[str, list[str]]]:
    """X with its views, each a list of column names.

    Sets n_features_in_ and feature_names_in_. Of a DataFrame only the columns of the views are read,
    unless `every_column`; the others may hold anything.
    """
    X = as_container(X)
    vars(estimator).pop("sets_", None)
    estimator._column_labels, estimator._categories, estimator._column_order_known = None, {}, True
    if isinstance(X, GramStack):
        if views is not None:
            raise ValueError("views is for tables: the views of a GramStack are its matrices")
        if getattr(estimator, "groups", None) is not None:
            raise ValueError("groups names columns, and a GramStack has none: leave it out")
        estimator._table_names = None
        note_columns(estimator, X, reset=True)
        _check_count(estimator, X, _MIN_TRAINING)
        return Samples(None, [], X), {}
    frame = _frame(X)
    if frame is None:
        values, kept = _validated(estimator, X, reset=True)
        names, count = None, estimator.n_features_in_
        estimator._table_names = None
    else:
        note_columns(estimator, X, reset=True)
        _check_count(estimator, frame, _MIN_TRAINING)
        names, count = _frame_names(frame, estimator), frame.shape[1]
        estimator._table_names = names
        if names is None:
            estimator._column_labels = _column_labels(frame)
    if frame is None and kept is not None:
        return Samples(values, _numbered(kept)), _kept_views(estimator, views, X, count, kept)
    places = _places(estimator, views, X, count, names)
    columns = names or _numbered(range(count))
    if frame is not None:
        used = np.unique(np.concatenate([*places.values()]))
        used = np.arange(count) if every_column else used
        words = _asked_words(estimator, frame, used.tolist(), columns)
        values = _frame_values(estimator, frame, used.tolist(), columns, words)
        samples = Samples(values, [columns[i] for i in used], words=words)
    elif getattr(estimator, "categorical", None) is not None and not isinstance(estimator.categorical, str):
        raise ValueError("categorical names columns of a data frame: give X as a data frame")
    else:
        samples = Samples(values, columns)
    return samples, {name: [columns[i] for i in chosen] for name, chosen in places.items()}


def _numbered(places: Any, first: int = 1) -> list[str]:
    return [str(i + first) for i in places]


def first_number(estimator: BaseEstimator) -> int:
    """The number of the first column: 0 for a model of a LIBSVM file that counts from 0."""
    return getattr(estimator, "_first_column", 1)


def _places(
    estimator: BaseEstimator, views: Any, X: Any, count: int, names: list[str] | None
) -> dict[str, NDArray[np.intp]]:
    """The indices of the columns of each view and of each set of `groups`, whose sizes become sets_."""
    names = _known_names(estimator, count, names)
    groups = getattr(estimator, "groups", None)
    if groups is None:
        return resolve_views(views, X, count, names)
    if names is None:
        raise ValueError(
            "groups names columns, and X has no column names: give a data frame or feature_names, or the indices of "
            "the columns as views"
        )
    found = {} if views is None else resolve_views(views, X, count, names)
    sets, estimator.sets_ = views_of_groups(groups, names)
    index = {name: place for place, name in enumerate(names)}
    for name, columns in sets.items():
        if name in found:
            raise ValueError(f"'{name}' is a view and a set of groups: give them different names")
        found[name] = np.array([index[column] for column in columns], dtype=np.intp)
    return found


def _known_names(estimator: BaseEstimator, count: int, names: list[str] | None) -> list[str] | None:
    """The names of the columns, in X or in `feature_names`."""
    given = getattr(estimator, "feature_names", None)
    if given is None:
        return names
    given = [str(name) for name in given]
    if len(given) != count or len(set(given)) != count:
        raise ValueError(
            f"feature_names must be different names of the {count} columns of X, got {len(given)} names"
            f"{', of which some are equal' if len(set(given)) < len(given) else ''}"
        )
    if names is not None and names != given:
        raise ValueError("feature_names differ from the names of the columns of X: leave them out")
    return given


def _kept_views(estimator: BaseEstimator, views: Any, X: Any, count: int, kept: NDArray[Any]) -> dict[str, list[str]]:
    """Views of the columns that a wide sparse table keeps."""
    if views is None and getattr(estimator, "groups", None) is None:
        return {"data": _numbered(kept)}
    places = _places(estimator, views, X, count, None)
    places = {name: chosen[np.isin(chosen, kept)] for name, chosen in places.items()}
    for name, chosen in places.items():
        if len(chosen) == 0:
            raise ValueError(f"view '{name}': X has no entry other than zero in its columns")
    return {name: _numbered(chosen) for name, chosen in places.items()}


def read_new(estimator: BaseEstimator, X: Any, columns: list[str] | None) -> Samples:
    """X of new samples, with the same columns as in training, of which `columns` are read (None: all)."""
    X = as_container(X)
    if isinstance(X, GramStack):
        _check_count(estimator, X, 1)
        return Samples(None, [], X)
    frame = _frame(X)
    if frame is None:
        if not getattr(estimator, "_column_order_known", True):
            raise ValueError(
                "kernmix 0.1 wrote this model and did not store the order of the columns of several views: give a "
                "DataFrame with the names of the columns, or train the model again"
            )
        values, kept = _validated(estimator, X, reset=False, columns=columns)
        names = _array_names(estimator, values.shape[1]) if kept is None else _numbered(kept, first_number(estimator))
        return Samples(values, names)
    names = _new_names(frame, estimator, X)
    place = {name: i for i, name in enumerate(names)}
    # The library names a column that is missing.
    used = list(place.values()) if columns is None else [place[c] for c in columns if c in place]
    words = _words_of(estimator, frame, used, names)
    return Samples(_frame_values(estimator, frame, used, names, words), [names[i] for i in used], words=words)


def weighing(sample_weight: Any, n_samples: int) -> tuple[NDArray[np.bool_] | None, NDArray[np.float64] | None]:
    """Which samples are kept, None for all of them, and their weights, None for equal ones.

    A sample of weight zero is left out: it has no part in scaling and normalisation either.
    """
    if sample_weight is None:
        return None, None
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_samples, float(sample_weight))
    weights = within_doubles(
        "sample_weight", check_array, sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    weights = doubles(weights)
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_samples,)}: one for each sample")
    if weights.min() < 0:
        raise ValueError("Negative values in data passed to `sample_weight`")
    kept = weights > 0
    if not kept.any():
        raise ValueError("sample_weight is zero for every sample: at least one class needs some")
    return (None, weights) if kept.all() else (kept, weights[kept])


def _check_count(estimator: BaseEstimator, X: Any, fewest: int) -> None:
    """As scikit-learn's check_array says it, of what that does not read."""
    if X.shape[0] < fewest:
        raise ValueError(
            f"Found array with {X.shape[0]} sample(s) (shape={X.shape}) while a minimum of "
            f"{fewest} is required by {type(estimator).__name__}."
        )


def _array_names(estimator: BaseEstimator, count: int) -> list[str]:
    return training_names(estimator) or _numbered(range(count), first_number(estimator))


def training_names(estimator: BaseEstimator) -> list[str] | None:
    """The names of the columns of training, also where feature_names_in_ was set to None so that none are compared."""
    names = getattr(estimator, "_table_names", None)
    names = getattr(estimator, "feature_names_in_", None) if names is None else names
    return None if names is None else list(names)


def _frame(X: Any) -> nw.DataFrame[Any] | None:
    """X as a data frame of any library, None where it is none."""
    try:
        frame = nw.from_native(X, eager_only=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        twice = next(name for k, name in enumerate(X.columns) if name in list(X.columns[:k]))
        raise ValueError(f"two columns of X are called {twice!r}: rename or remove one of them") from None
    return frame if isinstance(frame, nw.DataFrame) else None


def _frame_names(frame: nw.DataFrame[Any], estimator: BaseEstimator) -> list[str] | None:
    """None where scikit-learn ignores the names because they are no texts."""
    return list(frame.columns) if hasattr(estimator, "feature_names_in_") else None


def _column_labels(frame: nw.DataFrame[Any]) -> list[Any]:
    """Names of columns that are no texts, which scikit-learn does not look at."""
    return list(frame.columns)


def _count(labels: list[Any]) -> bool:
    """Whether labels count the columns, as of a frame that is made of an array."""
    return labels == list(range(len(labels)))


def _new_names(frame: nw.DataFrame[Any], estimator: BaseEstimator, X: Any) -> list[str]:
    """The columns of new samples under the names of training: by name, whatever their order.

    Where training or X has no names, by position, which scikit-learn checks and warns of.
    """
    labels, trained = _column_labels(frame), training_names(estimator)
    named = all(isinstance(label, str) for label in labels)
    if trained is not None:
        compared = getattr(estimator, "feature_names_in_", None) is not None
        if named and (compared or set(trained) <= set(labels)):
            return labels
        note_columns(estimator, X, reset=False)
        return trained
    known = _known_labels(estimator, labels, named=named)
    if known is None or (_count(labels) and set(labels) != set(known)):
        note_columns(estimator, X, reset=False)
        return _numbered(range(frame.shape[1]), first_number(estimator))
    missing = [label for label in known if label not in labels]
    if missing:
        raise ValueError(f"X has no column {missing[0]!r}, which this {type(estimator).__name__} was fitted with")
    place = {label: str(i + first_number(estimator)) for i, label in enumerate(known)}
    return [place.get(label, f"column {label!r}, which is new") for label in labels]


def _known_labels(estimator: BaseEstimator, labels: list[Any], *, named: bool) -> list[Any] | None:
    """The labels of the columns of training that `labels` are compared with; None: they are matched by position.

    Columns of arrays are called 0, 1, ... here. Raises ValueError for other numbers and a model of a file, which has
    no names for them.
    """
    if named:
        given = getattr(estimator, "feature_names", None)
        return None if given is None else [str(name) for name in given]
    known = getattr(estimator, "_column_labels", None)
    if known is not None:
        return known
    counted = list(range(estimator.n_features_in_))
    if set(counted) <= set(labels):
        return counted
    if getattr(estimator, "_is_loaded", False):
        raise ValueError(
            f"X calls its columns {labels[0]!r}, ..., and the model file has no names of columns: give the columns in the "
            "order of training by X.to_numpy()"
        )
    return None


def _text(value: Any) -> str:
    """A word as files have it: a whole number without its point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas calls NA and NaT."""
    if value is None or type(value).__name__ == "NAType":  # pandas.NA has no truth value
        return True
    return bool(value != value)  # noqa: PLR0124 (NaN, NaT)


def _words_in(column: nw.Series[Any]) -> list[str]:
    return sorted({_text(value) for value in column.to_list() if not is_missing(value)})


def _holds_words(column: nw.Series[Any], dtype: Any) -> bool:
    """Does the column hold no number? An unknown type is judged by its values."""
    if dtype.is_numeric():
        return False
    if dtype in (nw.Object, nw.Unknown):
        return all(isinstance(value, (str, bool)) for value in column.to_list() if not is_missing(value))
    return dtype in (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _asked_words(
    estimator: BaseEstimator, frame: nw.DataFrame[Any], used: list[int], names: list[str]
) -> dict[str, list[str]]:
    """The words of the columns that `categorical` names. Raises ValueError for a column that is not there."""
    asked = getattr(estimator, "categorical", None)
    if asked is None:
        return {}
    automatic = isinstance(asked, str)
    unknown = [] if automatic else [name for name in asked if name not in names]
    if unknown:
        raise ValueError(f"categorical names {unknown[0]!r}, and X has no such column")
    words = {}
    for place in used:
        column = frame.get_column(frame.columns[place])
        if _holds_words(column, frame.schema[frame.columns[place]]) if automatic else names[place] in asked:
            words[names[place]] = _words_in(column)
    for name, own in words.items():
        warn_of_look_alikes(own, f"words of column '{name}',", "categories", "category")
    return {name: own for name, own in words.items() if own}


def _words_of(
    estimator: BaseEstimator, frame: nw.DataFrame[Any], used: list[int], names: list[str]
) -> dict[str, list[str]]:
    """The words of new samples in the columns where training had words."""
    model = getattr(estimator, "_model", None)
    known = set() if model is None else set(model.word_columns)
    return {names[i]: _words_in(frame.get_column(frame.columns[i])) for i in used if names[i] in known}


def has_several_views(estimator: BaseEstimator) -> bool:
    """Whether the parameters make several views of the columns, of which samples may lack some."""
    views = getattr(estimator, "views", None)
    return getattr(estimator, "groups", None) is not None or views is not None and len(views) > 1


def _frame_values(
    estimator: BaseEstimator, frame: nw.DataFrame[Any], used: list[int], names: list[str], own: dict[str, list[str]]
) -> NDArray[np.float64]:
    part = frame if used == list(range(frame.shape[1])) else frame[:, used]
    refuse_repeated_names(part)
    words = {**getattr(estimator, "_categories", {}), **own}
    faulty = []
    for name, place, dtype in zip(part.columns, used, part.schema.values(), strict=True):
        if names[place] in own or (names[place] in words and not dtype.is_numeric()):
            part = part.with_columns(_codes(part.get_column(name), names[place], words[names[place]]))
        elif dtype == nw.Boolean:
            part = part.with_columns(part.get_column(name).cast(nw.Float64))
        elif not dtype.is_numeric():
            values = part.get_column(name).to_list()
            numbers = numbers_of(values, is_missing)
            if numbers is None:
                known = [value for value in values if not is_missing(value)]
                faulty.append(FrameColumn(name, known, dtype))
            else:
                backend = part.get_column(name).implementation
                part = part.with_columns(nw.new_series(name, numbers, nw.Float64, backend=backend))
    _refuse_columns(estimator, faulty)
    # The part may have fewer columns than the frame, whose number and names are compared already.
    check = partial(check_array, estimator=estimator)
    values = finite(
        estimator,
        check,
        part.to_numpy(),
        may_lack=has_several_views(estimator),
        names=part.columns,
        input_name="X",
        **_CHECKS,
    )
    return doubles(values)


def _refuse_columns(estimator: BaseEstimator, faulty: list[FrameColumn]) -> None:
    """Raises ValueError about columns without numbers: the first three, and their number."""
    if not faulty:
        return
    categorical = hasattr(estimator, "categorical") and getattr(estimator, "_model", None) is None
    shown = [problem_of(column, categorical=categorical) for column in faulty[:3]]
    if len(faulty) == 1:
        raise ValueError(shown[0])
    first = "; the first three are" if len(faulty) > len(shown) else ""
    raise ValueError("\n  ".join([f"{len(faulty)} columns of X hold no numbers{first}", *shown]))


def _codes(column: nw.Series[Any], name: str, words: list[str]) -> nw.Series[Any]:
    """The places of the words; NaN where the value is missing. Raises ValueError for other words."""
    place = {word: float(i) for i, word in enumerate(words)}
    values = [None if is_missing(value) else _text(value) for value in column.to_list()]
    unknown = next((value for value in values if value is not None and value not in place), None)
    if unknown is not None:
        raise ValueError(
            f"column '{name}' of X has the value {unknown!r}, which does not occur among those of the training data, "
            f"{', '.join(words)}"
        )
    numbers = [float("nan") if value is None else place[value] for value in values]
    return nw.new_series(column.name, numbers, nw.Float64, backend=column.implementation)


_WIDE = 1 << 16
"""A sparse table of more columns keeps those that hold an entry other than zero, as LIBSVM files do."""


def _validated(
    estimator: BaseEstimator, X: Any, *, reset: bool, columns: list[str] | None = None
) -> tuple[Any, NDArray[np.intp] | None]:
    """X as a table, and of a wide sparse one the places of the columns that are in it.

    Those are all that hold an entry or, of new samples, `columns` where they are known.
    """
    values = finite(
        estimator,
        partial(validated, estimator),
        X,
        may_lack=has_several_views(estimator),
        reset=reset,
        accept_sparse="csr",
        ensure_min_samples=_MIN_TRAINING if reset else 1,
        **_CHECKS,
    )
    if not scipy.sparse.issparse(values):
        return doubles(values), None
    kept = None
    if values.shape[1] > _WIDE and training_names(estimator) is None:
        known = (
            None
            if reset or columns is None
            else np.array([int(name) - first_number(estimator) for name in columns], dtype=np.intp)
        )
        kept = known if known is not None else np.unique(values.indices[values.data != 0]).astype(np.intp)
        kept = kept if len(kept) > 0 else np.zeros(1, dtype=np.intp)
    return _table_of(values if kept is None else _columns_of(values, kept), getattr(estimator, "memory", None)), kept


def _table_of(values: Any, memory: str | int | None) -> Any:
    """A CSR matrix with sorted indices, or a dense table where that takes less memory or a number is not finite."""
    rows, columns = values.shape
    if not _core.is_better_sparse(values.nnz, rows, columns) or not np.isfinite(values.data).all():
        _check_size(memory, f"is read as a dense table: {rows} x {columns}", 8 * rows * columns + _NAME * columns)
        return values.toarray(order="C")
    needed = _ENTRY * values.nnz + 8 * rows + _NAME * columns
    _check_size(memory, f"has {values.nnz} entries: {rows} x {columns}", needed)
    if not values.has_canonical_format:
        values = values.copy()
        values.sum_duplicates()
    return values


def _columns_of(values: Any, kept: NDArray[np.intp]) -> Any:
    """The columns of a CSR matrix: scipy's own indexing takes memory for every column."""
    order = np.argsort(kept)
    places = np.minimum(np.searchsorted(kept, values.indices, sorter=order), len(kept) - 1)
    found = kept[order][places] == values.indices
    rows = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    entries = (values.data[found], (rows[found], order[places[found]]))
    return scipy.sparse.csr_matrix(entries, shape=(values.shape[0], len(kept)))


_NAME = 64  # bytes of the number that names a column


_ENTRY = 12  # bytes of a number and its column


def _check_size(memory: str | int | None, what: str, needed: int) -> None:
    budget = _core.default_memory_budget() if memory is None else memory_bytes(memory)
    if 0 < budget < needed:
        raise _core.ResourceError(
            f"X is sparse and {what} numbers take "
            f"{needed / 2**30:.2f} GiB, and {budget / 2**30:.2f} GiB may be used. Reduce its columns, "
            "for example by TruncatedSVD, or give kernels of it as a GramStack"
        )
