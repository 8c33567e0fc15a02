"""The parts of docstrings that all estimators share, written once."""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

PARAMETERS = """
kernels : None, expression, kernel, function, or list of these
    Expressions of the kernel language such as "rbf(width=median*2^-1..2^1) on color", kernels of
    `kernmix.kernels`, and functions (A, B) -> array (|A|, |B|). None is five Gaussian widths on
    every view, and every matrix of a GramStack. "precomputed" alone takes an array X of shape
    (n, n) as a Gram matrix, as scikit-learn's SVC does.
views : dict or list of pairs of names and columns, or None
    Columns are chosen by name, index, slice, list, boolean mask, glob ("mean_*") or a function of
    X. None is one view "data" of all columns.
regularizer : text
    What kernel weights are allowed, for example "l1", "lp:p=2" or "average".
loss : text
    Its name, as `kernmix list losses` has it.
C : float > 0 or None
    Weight of the loss. None is 10 for classes and labels and 1 for numbers.
bias : "free", "none" or "penalised"
    Of the constant term: free, zero, or with 1/2 b^2 added to the objective.
scaling : "auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none", or a dict
    How columns are scaled, fitted on the training samples: one rule for all views, or a dict with the
    rule of each view by name and "auto" for the others. "auto" chooses by the numbers of each view;
    `scaling_` has its choice.
normalization : text
    Of kernels that do not say their own: "variance", "trace", "unit-trace", "cosine", "center",
    "none", or several joined by "+". "auto" is "variance", and "trace" where dual variables do not
    sum to zero (novelty detection by "one-class", a bias that is not free).
assume_psd : bool
    Do not test whether kernels that may be indefinite are positive semidefinite.
repair : "clip", "shift", "flip" or None
    Of given matrices, and kernels that are Python functions, that are indefinite: clip their negative
    eigenvalues to 0, add the size of the smallest to the diagonal, or flip the signs of the negative ones.
    It is learned from the training samples, and new samples are changed alike; None refuses such a matrix.
solver : text
    "auto", or a solver that takes the regularizer and the loss.
tol : float in (0, 1)
    Stop at this relative duality gap.
max_iter : int >= 1
    Outer iterations at most.
time_limit : seconds > 0 or None
    Stop after this time with the best certified answer.
n_jobs : int or None
    Threads; None is 1 unless a joblib context says otherwise, -1 is all cores. The answer does not
    depend on it.
memory : text such as "4G", bytes, or None
    Budget; work that would exceed it is refused before it starts. None is 80 % of what is free.
random_state : int, RandomState or None
    Seed of everything random; None is 0.
verbose : bool
    Show a progress bar, by tqdm where it is installed.
callback : function (stage, done, total, relative_gap) or None
    Called while the library works; an exception in it ends the run.
"""

ATTRIBUTES = """
weights_ : WeightTable
    One row for each kernel: name, view, group, weight, norm, raw_weight, and of separate weights a
    column for each task.
kernel_names_, groups_ : arrays (M,)
views_ : dict of view names and their column names
scaling_ : dict
    Of each view with columns, the rule that they are scaled by.
certificate_ : (primal, dual, gap, relative_gap)
    No answer has an objective below `dual`.
objective_, dual_gap_ : float
    Its primal value and its gap.
support_ : array (S,)
    Places of the support vectors among the rows given to `fit`.
dual_coef_ : array (T, S)
    Signed dual variables of each task.
intercept_ : array (T,)
n_iter_ : int
history_ : dict of arrays
    One entry for each iteration: number, primal, dual, relative_gap, seconds, ...
status_ : text
    "converged", "iteration limit", "time limit" or "stalled".
seconds_ : dict
    kernels, solve, certify, total.
n_features_in_ : int
feature_names_in_ : array (n_features_in_,), of data frames
"""

Class = TypeVar("Class", bound=type)


def documented(cls: Class) -> Class:
    """Puts the shared parts in place of {parameters}, those that the class has, and {attributes}."""
    own = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    entries = re.split(r"\n(?=\S)", PARAMETERS.strip())
    fitting = "\n".join(entry for entry in entries if entry.split(" :")[0] in own)
    parts = {"parameters": fitting, "attributes": ATTRIBUTES.strip()}
    if cls.__doc__ is not None:  # None under python -OO
        cls.__doc__ = inspect.cleandoc(cls.__doc__).format(**parts)  # as Python 3.13 and later have it anyway
    return cls
