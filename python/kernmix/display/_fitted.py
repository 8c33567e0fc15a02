"""Reading of fitted estimators for displays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted


def kernels(estimator: Any) -> tuple[list[str], list[str]]:
    """Names of the kernels, and the view of each.

    Raises
    ------
    NotFittedError
        If `estimator` is not fitted.
    """
    check_is_fitted(estimator, "kernel_names_")
    names = [str(name) for name in estimator.kernel_names_]
    return names, [str(view) for view in estimator.weights_["view"]]


def view_of(name: str) -> str:
    """The text after the last `on` of a kernel's name; the name itself without `on`."""
    return name.rpartition(" on ")[2]


def function_of(name: str, view: str) -> str:
    """A kernel's name without its view; of a kernel of one column with this column."""
    if name.endswith(f" on {view}"):
        return name.removesuffix(f" on {view}")
    function, found, column = name.partition(f" on {view}:")
    return f"{function} on {column}" if found else name


def weights(estimator: Any, task: str | int | None = None) -> tuple[NDArray[np.float64], str]:
    """The M weights of one task, or the mean over tasks with separate weights.

    Parameters
    ----------
    task : str or int, optional
        Name or index of a class, label or target.

    Returns
    -------
    weights : ndarray of shape (M,)
    what : str
        The task, for a title; empty with shared weights.

    Raises
    ------
    ValueError
        If the task does not exist.
    """
    names, _ = kernels(estimator)
    table = np.asarray(estimator.weights_, dtype=float).reshape(-1, len(names))
    if task is None:
        if len(table) == 1:
            return table[0], ""
        return np.asarray(estimator.weights_["weight"]), f"mean over {len(table)} tasks"
    known = _tasks(estimator, len(table))
    if str(task) in known:
        return table[known.index(str(task))], f"of {task}"
    if isinstance(task, (int, np.integer)) and 0 <= task < len(table):
        return table[task], f"of {known[task]}"
    raise ValueError(f"There is no task {task!r}; those with weights are {', '.join(known)}.")


def weights_of(estimator: Any, names: list[str]) -> NDArray[np.float64]:
    """The weights of the kernels with these names, in their order.

    Raises
    ------
    ValueError
        If the estimator has other kernels.
    """
    own = kernels(estimator)[0]
    values = weights(estimator)[0]
    if own == names:
        return values
    if len(set(own)) < len(own) or set(own) != set(names):
        other = next((name for name in own if name not in names), "one kernel twice")
        raise ValueError(f"The estimators have different kernels: another one has {other!r}.")
    return values[[own.index(name) for name in names]]


def _tasks(estimator: Any, count: int) -> list[str]:
    """Names of the tasks: a table of weights has a column weight[NAME] for each."""
    columns = getattr(estimator.weights_, "columns", ())
    own = [name[7:-1] for name in columns if name.startswith("weight[")]
    return own or [str(task) for task in range(count)]


def history(estimator: Any, column: str) -> NDArray[np.float64]:
    """One column of the history of training, as numbers."""
    check_is_fitted(estimator, "history_")
    return np.asarray(estimator.history_[column], dtype=float)
