"""What displays read from fitted estimators, and samples by their numbers from any X."""

import numpy as np
from sklearn.utils.validation import check_is_fitted


def kernels(estimator):
    """Names of the kernels and of their views, one each.

    Raises
    ------
    NotFittedError
        Where `estimator` was not fitted.
    """
    check_is_fitted(estimator, "kernel_names_")
    names = [str(name) for name in estimator.kernel_names_]
    return names, [view_of(name) for name in names]


def view_of(name):
    """What stands after the last `on` of a kernel's name; the name itself where there is none."""
    head, separator, view = name.rpartition(" on ")
    return view if separator else head or view


def function_of(name):
    """A kernel's name without its view."""
    return name.rpartition(" on ")[0] or name


def weights(estimator, task=None):
    """The M weights, of one task or the mean over tasks that have weights of their own.

    Parameters
    ----------
    task : str or int, optional
        Name or place of a class, label or target.

    Returns
    -------
    weights : ndarray of shape (M,)
    what : str
        Of whom they are, for a title; empty where there is nothing to say.

    Raises
    ------
    ValueError
        Where there is no such task.
    """
    names, _ = kernels(estimator)
    table = np.asarray(estimator.weights_, dtype=float)
    table = table.reshape(-1, len(names))
    if len(table) == 1:
        return table[0], ""
    if task is None:
        return table.mean(axis=0), f"mean over {len(table)} tasks"
    place = _place(estimator, task, len(table))
    return table[place], f"of {task}"


def _place(estimator, task, count):
    known = [str(name) for name in getattr(estimator, "task_names_", range(count))]
    if str(task) in known:
        return known.index(str(task))
    if isinstance(task, (int, np.integer)) and 0 <= task < count:
        return int(task)
    raise ValueError(f"There is no task {task!r}; the tasks are {', '.join(known)}.")


def history(estimator, column):
    """One column of the history of training, as numbers."""
    check_is_fitted(estimator, "history_")
    records = estimator.history_
    if isinstance(records, dict):
        return np.asarray(records[column], dtype=float)
    return np.asarray([record[column] for record in records], dtype=float)
