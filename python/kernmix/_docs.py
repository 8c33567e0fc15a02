"""The parts of docstrings that all estimators share."""

from __future__ import annotations

import inspect
import re
from typing import TypeVar

PARAMETERS = """
kernels : None, expression, kernel, function, or list of these
    Expressions of the kernel language such as "rbf(width=median*2^-1..2^1) on color", kernels of
    `kernmix.kernels`, and functions (A, B) -> array (|A|, |B|). None is five Gaussian widths on
    every view, and every matrix of a GramStack. With "precomputed" alone, X may be an array of shape
    (n, n) with a Gram matrix, as for scikit-learn's SVC.
views : dict or list of pairs of names and columns, or None
    Columns are selected by name, index, slice, list, boolean mask, glob ("mean_*") or a function of
    X. None is one view "data" of all columns.
regularizer : text
    Name of the regularizer of the kernel weights, for example "l1", "lp:p=2" or "average".
loss : text
    Name of the loss, as in `kernmix list losses`.
C : float > 0 or None
    Weight of the loss. None is 10 for classes and labels and 1 for numbers.
bias : "free", "none" or "penalised"
    The constant term: free, zero, or with 1/2 b^2 added to the objective.
scaling : "auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none", or a dict
    Scaling of the columns, fitted on the training samples: one rule for all views, or a dict with the
    rule of each view by name and "auto" for the others. "auto" chooses the rule from the values of each
    view; `scaling_` has its choice.
normalization : text
    Normalisation of kernels that do not set their own: "variance", "trace", "unit-trace", "cosine",
    "center", "none", or several joined by "+". "auto" is "variance", and "trace" if the dual variables
    do not sum to zero (novelty detection by "one-class", a bias that is not free).
assume_psd : bool
    Skip the test for positive semidefiniteness of kernels that may be indefinite.
repair : "clip", "shift", "flip" or None
    Repair of indefinite given matrices and Python kernels: clip their negative
    eigenvalues to 0, add the size of the smallest to the diagonal, or flip the signs of the negative ones.
    The repair is fitted on the training samples and applied to new samples; with None an indefinite
    matrix is an error.
solver : text
    "auto", or a solver that supports the regularizer and the loss.
tol : float in (0, 1)
    Stop at this relative duality gap.
max_iter : int >= 1
    Maximum number of outer iterations.
time_limit : seconds > 0 or None
    Stop after this time with the best certified answer.
n_jobs : int or None
    Threads; None is 1 unless a joblib context sets another number, -1 is all cores. The answer does not
    depend on it.
memory : text such as "4G", bytes, or None
    Memory budget; a fit that would exceed it raises an error before it starts. None is 80 % of the free
    memory.
random_state : int, RandomState or None
    Seed of all random choices; None is 0.
verbose : bool
    Show a progress bar, by tqdm if it is installed.
callback : function (stage, done, total, relative_gap) or None
    Called during the fit; an exception in it ends the fit.
"""

ATTRIBUTES = """
weights_ : WeightTable
    One row for each kernel: name, view, group, weight, norm, raw_weight, and with separate weights one
    column for each task.
kernel_names_, groups_ : arrays (M,)
views_ : dict of view names and their column names
scaling_ : dict
    The scaling rule of each view with columns.
certificate_ : (primal, dual, gap, relative_gap)
    `dual` is a lower bound on the optimum.
objective_, dual_gap_ : float
    Primal value and gap of the certificate.
support_ : array (S,)
    Indices of the support vectors among the rows given to `fit`.
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
