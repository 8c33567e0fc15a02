"""The parts of docstrings that all estimators share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeVar

ATTRIBUTES = """
weights_ : WeightTable
    One row for each kernel with name, view, group, weight, norm and raw_weight; with separate weights also
    one column for each task.
kernel_names_, groups_ : arrays (M,)
views_ : dict of view names and column names
sets_ : Table, with `groups`: set, matched (columns) and named (names) of each set
view_samples_ : dict
    The number of training samples that have each view.
scaling_ : dict
    The scaling rule of each view with columns.
certificate_ : (primal, dual, gap, relative_gap)
    `dual` is a lower bound on the optimum. With landmarks both refer to the Nystroem kernels, and `exact` has the
    bounds for the exact kernels, or None.
objective_, dual_gap_ : float
    Primal value and gap of the certificate; of a product, `objective_` also has the weight penalty.
product_ : dict or None
    With combination="product": `optimum`, which is "local", `stationarity`, `objective`, `penalty`, `start` and
    `iterations`; `weights_` has the weights of its factors, and `certificate_` is that of the SVM at these weights.
support_ : array (S,)
    Indices of the support vectors among the rows given to `fit`.
dual_coef_ : array (T, S)
    Signed dual variables of each task.
intercept_ : array (T,)
n_iter_ : int
history_ : dict of arrays
    One entry for each iteration: number, primal, dual, relative_gap, seconds, ...
status_ : text
    "converged", "iteration limit", "time limit", "stalled" or "stopping rule" (of the solver).
seconds_ : dict
    kernels, solve, certify, total.
n_features_in_ : int
feature_names_in_ : array (n_features_in_,), of data frames
"""

Class = TypeVar("Class", bound=type)


def documented(parameters: str) -> Callable[[Class], Class]:
    """Puts the shared parts in place of {parameters} and {attributes}."""
    parts = {"parameters": parameters, "attributes": ATTRIBUTES.strip()}

    def decorate(cls: Class) -> Class:
        if cls.__doc__ is not None:  # None under python -OO
            cls.__doc__ = inspect.cleandoc(cls.__doc__).format(**parts)  # as Python 3.13 and later have it anyway
        return cls

    return decorate
