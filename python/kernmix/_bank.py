"""The `kernels` of an estimator as the library reads them, and the data that they are of."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from . import _core
from ._arrays import MappedPlace, doubles
from ._samples import Samples
from ._warnings import KernmixWarning, level_of_caller
from .gram_stack import GramStack, StackColumns, check_training, row_id
from .kernels import Function, Kernel, expression


@dataclass(frozen=True)
class PythonKernel:
    """A kernel written in Python, under the name of its matrix, on columns of the table."""

    name: str
    function: Function
    columns: list[str]


@dataclass(frozen=True)
class Bank:
    """Expressions of the kernel language, and the kernels in Python that some of them name."""

    expressions: list[str]
    python: list[PythonKernel]


def listed(kernels: Any) -> list[str | Kernel | Function]:
    """`kernels` as a list; callables become Function. Raises TypeError naming what is no kernel.

    Raises ValueError for an empty list.
    """
    if kernels is None:
        return []
    if isinstance(kernels, (str, Kernel, Function)) or callable(kernels):
        kernels = [kernels]
    if len(kernels) == 0:
        raise ValueError("kernels is empty: name at least one, or leave it None")
    items: list[str | Kernel | Function] = []
    for kernel in kernels:
        if isinstance(kernel, (str, Kernel, Function)):
            items.append(kernel)
        elif callable(kernel):
            items.append(Function(kernel))
        else:
            raise TypeError(
                f"kernels must hold expressions, kernmix.kernels or functions of two arrays, got {kernel!r}"
            )
    return items


def reads_every_column(kernels: Any) -> bool:
    """Has it a kernel in Python that names no view?"""
    return any(isinstance(kernel, Function) and kernel.view is None for kernel in listed(kernels))


def make_bank(kernels: Any, samples: Samples, views: dict[str, list[str]]) -> Bank:
    """Raises ValueError for a kernel in Python on a view that is not there."""
    expressions: list[str] = []
    python: list[PythonKernel] = []
    taken = set(views)
    for kernel in listed(kernels):
        if isinstance(kernel, Function):
            name = _free_name(kernel.label, taken)
            python.append(PythonKernel(name, kernel, _columns(kernel, samples, views)))
            group = kernel.group or kernel.view
            options = {"normalize": kernel.normalize, "group": group}
            expressions.append(expression("precomputed", [name], **options))
        else:
            expressions.append(str(kernel))
    return Bank(expressions, python)


def view_of_matrix(python: Sequence[PythonKernel]) -> dict[str, str]:
    """The views that matrices of kernels in Python count to, by the names of the matrices; others count to none."""
    return {kernel.name: kernel.function.view for kernel in python if kernel.function.view is not None}


def _free_name(label: str, taken: set[str]) -> str:
    name = next(name for i in range(len(taken) + 1) if (name := label if i == 0 else f"{label}-{i + 1}") not in taken)
    taken.add(name)
    return name


def _columns(kernel: Function, samples: Samples, views: dict[str, list[str]]) -> list[str]:
    if samples.stack is not None:
        raise ValueError(f"the kernel '{kernel.label}' reads columns, and a GramStack has none")
    if kernel.view is None:
        return samples.columns
    if kernel.view not in views:
        raise ValueError(f"the kernel '{kernel.label}' reads the view '{kernel.view}': there are {', '.join(views)}")
    return views[kernel.view]


def training_data(
    samples: Samples,
    views: dict[str, list[str]],
    python: Sequence[PythonKernel],
    *,
    missing: str = "refuse",
    model: _core.Model | None = None,
    memory: int | None = None,
    time_limit: float | None = None,
    incomplete: Sequence[str] = (),
) -> _core.Data:
    """The samples with matrices between all of them. Raises ValueError for a stack not square.

    Indicators are those that the rule `missing` asks for, or those of a model. `incomplete` names the views that
    other samples lack.
    """
    data = _core.Data()
    data.set_incomplete([*incomplete, *(kernel.name for kernel in python if kernel.function.view in incomplete)])
    if samples.stack is not None:
        stack = samples.stack
        check_training(stack)
        columns = stack.landmarks()[1] if stack.has_landmarks else stack.rows
        _add_matrices(data, samples, columns, len(stack.names))
        if ids := _ids(stack):
            data.set_ids(ids)
        return data
    _set_table(data, samples)
    for name, columns in views.items():
        data.add_view(name, columns)
    for kernel in python:
        table = _numbers(samples, kernel)
        data.add_matrix(kernel.name, "gram", _values(kernel, table, table))
    _make_indicators(data, samples, missing, model, memory, time_limit)
    return data


def _ids(stack: GramStack) -> list[str]:
    """The names of the samples; of landmarks, which are found by them, otherwise the rows; none without names."""
    columns = StackColumns.of(stack)
    if columns.names is not None and columns.distinct:
        return columns.names
    return [row_id(i) for i in range(len(stack))] if stack.has_landmarks else []


def landmark_ids(samples: Samples) -> list[str]:
    """The ids of the landmarks that a stack has columns of; none for other samples."""
    stack = samples.stack
    if stack is None or not stack.has_landmarks:
        return []
    ids = _ids(stack)
    return [ids[place] for place in stack.landmarks()[0]]


def complete_samples(samples: Samples, views: dict[str, list[str]], **limits: Any) -> NDArray[np.intp]:
    """The samples that lack no view, ascending. Raises ValueError if there are none.

    The limits are the memory and time of `training_data`.
    """
    complete = np.array(training_data(samples, views, (), **limits).complete, dtype=np.intp)
    if len(complete) == 0:
        raise ValueError("absent='drop' leaves no sample: every one lacks some view; use absent='keep'")
    return complete


def _make_indicators(
    data: _core.Data,
    samples: Samples,
    missing: str,
    model: _core.Model | None,
    memory: int | None,
    time_limit: float | None = None,
) -> None:
    if samples.words:
        data.set_words(samples.words)
    if model is None:
        data.make_indicators(missing, memory, time_limit)
        return
    for note in data.make_indicators_of(model, memory, time_limit):
        warnings.warn(KernmixWarning(f"{note} [unseen-words]", "unseen-words"), stacklevel=level_of_caller())


def _set_table(data: _core.Data, samples: Samples) -> None:
    values = samples.values
    if not scipy.sparse.issparse(values):
        data.set_table(values, samples.columns)
        return
    indices, indptr = values.indices.astype(np.int32, copy=False), values.indptr.astype(np.int64, copy=False)
    data.set_sparse_table(doubles(values.data), indices, indptr, samples.columns)


def _numbers(samples: Samples, kernel: PythonKernel) -> NDArray[np.float64]:
    """Rows of NaN are samples that lack the kernel's view, if it names one.

    Raises ValueError for words and missing values, which only the library fills and encodes.
    """
    words = [name for name in kernel.columns if name in samples.words]
    table = samples.columns_at(kernel.columns)
    read = table if kernel.function.view is None else table[_has_view(table)]
    if words or np.isnan(read).any():
        raise ValueError(
            f"the kernel '{kernel.name}' is a Python function of numbers: "
            + (f"column {words[0]!r} holds words" if words else "values are missing in its columns")
            + "; leave such columns out of its view, or encode and fill them before"
        )
    return table


def _has_view(table: NDArray[np.float64]) -> NDArray[np.bool_]:
    return ~np.isnan(table).all(axis=1)


def _values(kernel: PythonKernel, A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kernel values between rows of A and of B, NaN where a sample lacks the view."""
    left, right = _has_view(A), _has_view(B)
    if left.all() and right.all():
        return kernel.function(A, B)
    values = np.full((len(A), len(B)), np.nan)
    if left.any() and right.any():
        same = A is B
        part = A[left]
        values[np.ix_(left, right)] = kernel.function(part, part if same else B[right])
    return values


def prediction_data(
    samples: Samples,
    python: Sequence[PythonKernel],
    support_rows: Samples | None,
    support_columns: StackColumns | None,
    model: _core.Model | None = None,
    memory: int | None = None,
    time_limit: float | None = None,
) -> _core.Data:
    """New samples with matrices between them and the support vectors.

    Warns of words that `model` does not know.
    """
    data = _core.Data()
    if samples.stack is not None:
        columns = None if support_columns is None else support_columns.within(samples.stack)
        _add_matrices(data, samples, columns, len(samples.stack.names) if model is None else len(model.matrices))
        return data
    _set_table(data, samples)
    for kernel in python:
        new, old = _numbers(samples, kernel), support_rows.columns_at(kernel.columns)
        data.add_matrix(kernel.name, "gram", _values(kernel, new, old))
    _make_indicators(data, samples, "refuse", model, memory, time_limit)
    return data


def _has_absent_rows(part: Any, *, symmetric: bool) -> bool:
    """Whether samples lack the matrix: a sample that has it has a number in every column of others that do.

    A mapped file is read, because it may become shorter. Of a symmetric matrix one row says the same as one column,
    and lies in one piece.
    """
    first = (0, 0) if part.rows is None else (part.rows[0], part.columns[0])
    line = part.values[first[0]] if symmetric else part.values[:, first[1]]
    place = MappedPlace.of(line)
    numbers = line if place is None else place.read()
    if part.rows is not None:
        numbers = numbers[part.columns if symmetric else part.rows]
    return bool(np.isnan(numbers).any())


def _add_matrices(data: _core.Data, samples: Samples, columns: NDArray[np.intp] | None, count: int) -> None:
    """Those of a stack. `count` is the number of matrices of training, whose only one every sample has."""
    stack = samples.stack
    for name, part in zip(stack.names, stack._parts(columns), strict=True):
        lacking = _has_absent_rows(part, symmetric=columns is None)
        if lacking and count == 1:
            raise ValueError(f"matrix '{name}' has rows of NaN, and it is the only matrix: leave these samples out")
        place = None if lacking else part.in_file()  # the library refuses NaN in files
        if place is None:
            data.add_matrix(name, stack.kind, *part)
        else:
            data.add_mapped_matrix(name, stack.kind, *place, part.rows, part.columns)
