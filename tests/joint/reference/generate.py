#!/usr/bin/env python3
"""Writes optima.json beside itself: multi-class problems and their optimal values for reference_test.cpp.

The primal problem of docs/explanation/joint.md goes to a conic solver (Clarabel through CVXPY) as it stands, with
functions f_m = L_m W_m of a factor K_m = L_m L_m': nothing of the dual, the certificate or the solver of
the library. Features are multiples of 1/4, so that both sides compute the same kernels.
"""

import json
import pathlib

import cvxpy as cp
import numpy as np

CLASSES = [3, 5]
SAMPLES = 20
TOLERANCE = 1e-8


def kernels(X):
    """As reference_test.cpp has them: linear, quadratic on the first column, Gaussian on all."""
    linear = X @ X.T
    quadratic = (1.0 + np.outer(X[:, 0], X[:, 0])) ** 2
    square = np.diag(linear)[:, None] + np.diag(linear)[None, :] - 2.0 * linear
    return [linear, quadratic, np.exp(-0.5 * square)]


def factor(K):
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-13 * values.max()
    return vectors[:, keep] * np.sqrt(values[keep])


REGULARIZERS = {
    "l1": lambda s: cp.square(cp.sum(s)) / 2,
    "average": lambda s: s.size * cp.sum_squares(s) / 2,
    "lp:p=2": lambda s: cp.square(cp.pnorm(s, 4 / 3)) / 2,
    "elastic-net:l1=0.5,l2=0.5": lambda s: 0.5 * cp.sum(s) + 0.25 * cp.sum_squares(s),
}


def optimum(K, y, classes, C, bias, regularizer):
    n = len(y)
    factors = [factor(k) for k in K]
    W = [cp.Variable((L.shape[1], classes)) for L in factors]
    s = cp.Variable(len(K))
    b = cp.Variable((1, classes))
    f = sum(L @ w for L, w in zip(factors, W)) + np.ones((n, 1)) @ b
    xi = cp.Variable(n)
    own = cp.sum(cp.multiply(np.eye(classes)[y], f), axis=1)
    margins = f + 1.0 - np.eye(classes)[y] - cp.reshape(own, (n, 1), order="C") @ np.ones((1, classes))
    constraints = [margins <= cp.reshape(xi, (n, 1), order="C") @ np.ones((1, classes))]
    constraints += [cp.norm(w, "fro") <= s[m] for m, w in enumerate(W)]
    constraints += [cp.sum(b) == 0] if bias == "free" else [b == 0]
    problem = cp.Problem(cp.Minimize(C @ xi + REGULARIZERS[regularizer](s)), constraints)
    problem.solve(solver="CLARABEL", tol_gap_abs=TOLERANCE, tol_gap_rel=TOLERANCE, tol_feas=TOLERANCE)
    assert problem.status == "optimal", problem.status
    return problem.value


def problem(classes, seed):
    rng = np.random.default_rng(seed)
    X = np.round(4 * rng.normal(size=(SAMPLES, 3))) / 4
    angle = np.arctan2(X[:, 1] + 0.3 * rng.normal(size=SAMPLES), X[:, 0])
    y = np.minimum((angle + np.pi) / (2 * np.pi) * classes, classes - 1).astype(int)
    y[:classes] = np.arange(classes)
    weights = np.where(np.arange(SAMPLES) % 2 == 0, 1.0, 0.5)
    cases = [
        {"regularizer": text, "C": C, "bias": bias,
         "optimum": optimum(kernels(X), y, classes, C * weights, bias, text)}
        for text in REGULARIZERS for C in [0.25, 4.0] for bias in ["free", "none"]
    ]
    return {"classes": classes, "X": X.tolist(), "y": y.tolist(), "weights": weights.tolist(), "cases": cases}


if __name__ == "__main__":
    problems = [problem(classes, 10 + classes) for classes in CLASSES]
    path = pathlib.Path(__file__).with_name("optima.json")
    path.write_text(json.dumps(problems, indent=None).replace('{"regularizer"', '\n{"regularizer"') + "\n")
