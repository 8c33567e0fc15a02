"""Nonsense of every kind: an answer, or a documented exception, whatever is given."""

import os
import warnings

import numpy as np
import pandas as pd
import scipy.sparse

from kernmix import GramStack, KernelBank, MKLClassifier, MKLOneClass, MKLRegressor, MultilabelMKL, kernels

CALLS = int(os.environ.get("KERNMIX_FUZZ_CALLS", "400"))
DOCUMENTED = (ValueError, TypeError, AttributeError, MemoryError)  # NotFittedError is two of these

PARAMETERS = {
    "kernels": [None, "linear", "rbf", "rbf(", "", 3, ["linear", 4], [], kernels.rbf(gamma=-1), len, "precomputed"],
    "views": [None, {}, {"a": 0}, {"a": [9]}, [("a", "b")], "a", {"a": slice(1)}, {1: 2}, {"a": None}],
    "regularizer": ["l1", "lp:p=2", "average", "lp", "", 3, None, "fixed:1,2", "entropy:theta=1"],
    "loss": ["hinge", "logistic", "squared", "one-class", "svdd", "", None, "huber:delta=-1"],
    "C": [1, 0, -1, np.nan, np.inf, "1", None, 1e300, True],
    "nu": [0.5, 0, 2, None],
    "coupling": ["sum", "separate", "minimax", "x"],
    "multi_class": ["auto", "ovr", "ovo", "joint", None],
    "class_weight": [None, "balanced", {0: 1.0}, {0: -1}, {"a": np.nan}, 3],
    "bias": ["free", "none", "penalised", 1],
    "scaling": ["standard", "none", "minmax", None],
    "normalization": ["trace", "center+trace", "cosine", "", None, "x"],
    "solver": ["auto", "newton", "silp", "x", None],
    "tol": [1e-3, 0.5, 0, 1, np.nan, None],
    "max_iter": [1000, 1, 0, 2.5],
    "time_limit": [None, 1e-9, 5, -1, np.inf, np.nan],
    "n_jobs": [None, 1, -1, 0, 2.5],
    "memory": [None, "1G", 0, 100, "x", -1],
    "random_state": [None, 0, -1, 2**40, "x", np.random.RandomState(0)],
    "threshold_folds": [0, 2, 100, -1],
    "calibration": [None, "platt", "isotonic", "beta", "x", 1],
    "calibration_folds": [5, 2, 100, 1, None],
    "weights": [None, [1.0], "x", [[1.0]]],
}


def table(rng):
    n, columns = int(rng.integers(0, 30)), int(rng.integers(0, 5))
    X = rng.normal(size=(n, columns))
    kinds = [
        lambda: X,
        lambda: np.asfortranarray(X),
        lambda: X[::-1, ::-1],
        lambda: X.astype(np.float32),
        lambda: X.astype(">f8"),
        lambda: (10 * X).astype(int),
        lambda: X > 0,
        lambda: X.astype(object),
        lambda: X.astype(str),
        lambda: X + 1j,
        lambda: np.where(X > 1, np.nan, X),
        lambda: 1e200 * X,
        lambda: np.broadcast_to(X[:1], (n, columns)),
        lambda: scipy.sparse.csr_array(X),
        lambda: pd.DataFrame(X),
        lambda: pd.DataFrame(X, columns=[f"c{i % 2}" for i in range(columns)]),
        lambda: X.tolist(),
        lambda: X.ravel(),
        lambda: np.stack([X, X]),
        lambda: GramStack(X @ X.T),
        lambda: GramStack(np.stack([X @ X.T, np.eye(n, dtype=np.float32)]))[:: int(rng.integers(1, 3))],
        lambda: X @ X.T,
        lambda: None,
        lambda: "text",
    ]
    return kinds[rng.integers(len(kinds))]


def target(rng):
    n = int(rng.integers(0, 30))
    y = rng.integers(0, int(rng.integers(1, 4)), size=n)
    kinds = [
        y,
        y.astype(str),
        rng.normal(size=n),
        y > 0,
        np.column_stack([y > 0, y > 1]),
        np.where(y > 0, np.nan, 1.0),
        y.astype(object),
        pd.Series(y),
        y.tolist(),
        None,
        "text",
        y.astype(complex),
        [None] * n,
    ]
    return kinds[rng.integers(len(kinds))]


def one_call(rng):
    kind = [MKLClassifier, MKLRegressor, MKLOneClass, MultilabelMKL, KernelBank][rng.integers(5)]
    names = [name for name in kind().get_params() if name in PARAMETERS]
    chosen = rng.choice(names, size=int(rng.integers(0, 3)), replace=False)
    model = kind(**{name: PARAMETERS[name][rng.integers(len(PARAMETERS[name]))] for name in chosen})
    X, y = table(rng)(), target(rng)
    if rng.random() < 0.7 and hasattr(X, "shape") and len(X.shape):
        y = rng.integers(0, 3, size=X.shape[0])
    weights = [None, None, np.ones(5), y, "x"][rng.integers(5)]
    model.fit(X, y) if kind is KernelBank or weights is None else model.fit(X, y, weights)
    for question in ("predict", "decision_function", "contributions", "transform"):
        if hasattr(model, question):
            getattr(model, question)(X if rng.random() < 0.7 else table(rng)())


def test_nonsense_has_documented_exceptions():
    answered = 0
    for seed in range(CALLS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                np.seterr(all="ignore")
                one_call(np.random.default_rng(seed))
            answered += 1
        except DOCUMENTED:
            pass
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
    assert answered > CALLS / 50  # not everything is nonsense
