"""The optimal value of many tasks on one combination of kernels agrees with a conic solver (Clarabel).

The primal problems of docs/explanation/sharing.md and docs/explanation/joint.md as they stand, with kernel weights d as variables:

    sum_k, or max_k, of  C sum_i xi_i + 1/2 sum_m |w_mk|^2 / d_m,    d in D

over functions f_k = sum_m L_m w_mk + b_k of factors K_m = L_m L_m'. For joint, one xi and all classes in w_m.
"""

import itertools

import cvxpy as cp
import numpy as np
import pytest
from conftest import random_problem
from test_conic import accurate_value, drawn_for, factor

CLASSES = 3

WEIGHTS = {
    "l1": lambda d: [cp.sum(d) <= 1],
    "average": lambda d: [d == 1 / d.size],
    "lp:p=4/3": lambda d: [cp.pnorm(d, 4 / 3) <= 1],
    "lp:p=2": lambda d: [cp.norm(d, 2) <= 1],
    "soft-margin:theta=0.4": lambda d: [cp.sum(d) == 1, d <= 0.4],
}
FORMS = {
    "sum": ["--multiclass", "one-vs-rest"],
    "minimax": ["--multiclass", "one-vs-rest", "--sharing", "minimax"],
    "pairs": ["--multiclass", "one-vs-one"],
    "joint": ["--multiclass", "joint"],
}


def three_classes(seed):
    """Kernels of conftest and overlapping classes in bands of their first direction."""
    K, _ = random_problem(seed)
    rng = np.random.default_rng(seed + 100)
    score = K[0][0] + 0.3 * rng.normal(size=K.shape[1])
    y = np.argsort(np.argsort(score)) * CLASSES // len(score)
    return K, y


def function(factors, rows, width, bias):
    """f on the rows, w of each kernel, and the constraints on the bias."""
    w = [cp.Variable((L.shape[0], width)) for L in factors]
    b = cp.Variable((1, width))
    f = sum(L.T[rows] @ part for L, part in zip(factors, w)) + np.ones((len(rows), 1)) @ b
    return f, w, [] if bias == "free" else [b == 0]


def half_norms(w, d):
    """1/2 sum_m |w_m|^2 / d_m, by variables of its own: finite where d_m = 0, and its constraints."""
    parts = cp.Variable(len(w))
    return cp.sum(parts) / 2, [cp.quad_over_lin(part, d[m]) <= parts[m] for m, part in enumerate(w)]


def tasks_of(form, y):
    """(rows, signs) of each task."""
    if form == "pairs":
        for k, j in itertools.combinations(range(CLASSES), 2):
            rows = np.flatnonzero((y == k) | (y == j))
            yield rows, np.where(y[rows] == k, 1.0, -1.0)
        return
    for k in range(CLASSES):
        yield np.arange(len(y)), np.where(y == k, 1.0, -1.0)


def value_of_tasks(form, factors, y, C, regularizer, bias):
    d = cp.Variable(len(factors), nonneg=True)
    values, constraints = [], WEIGHTS[regularizer](d)
    for rows, signs in tasks_of(form, y):
        f, w, held = function(factors, rows, 1, bias)
        norms, above = half_norms(w, d)
        values.append(C * cp.sum(cp.pos(1 - cp.multiply(signs, f[:, 0]))) + norms)
        constraints += held + above
    objective = cp.maximum(*values) if form == "minimax" else sum(values)
    return accurate_value(cp.Problem(cp.Minimize(objective), constraints))


def value_of_classes(factors, y, C, regularizer, bias):
    d = cp.Variable(len(factors), nonneg=True)
    f, w, constraints = function(factors, np.arange(len(y)), CLASSES, bias)
    own = np.eye(CLASSES)[y]
    of_own = cp.sum(cp.multiply(own, f), axis=1, keepdims=True)
    margins = 1 - own + f - of_own @ np.ones((1, CLASSES))
    norms, above = half_norms(w, d)
    constraints += above + WEIGHTS[regularizer](d)
    objective = C * cp.sum(cp.max(margins, axis=1)) + norms
    return accurate_value(cp.Problem(cp.Minimize(objective), constraints))


@pytest.mark.parametrize("bias", ["free", "none"])
@pytest.mark.parametrize("regularizer", WEIGHTS)
@pytest.mark.parametrize("form", FORMS)
def test_value_is_the_conic_solvers(train, form, regularizer, bias):
    seed, C = drawn_for(form, regularizer, bias)
    K, y = three_classes(seed)
    options = [*FORMS[form], "--regularizer", regularizer, "--bias", bias, "-C", C]
    run = train(K, y, *options, "--tolerance", 1e-7)
    factors = [factor(k) for k in K]
    if form == "joint":
        reference = value_of_classes(factors, y, C, regularizer, bias)
    else:
        reference = value_of_tasks(form, factors, y, C, regularizer, bias)
    slack = 1e-6 * abs(reference)
    assert run["relative_gap"] <= 1e-7
    assert run["dual"] <= reference + slack
    assert run["primal"] >= reference - slack
    assert abs(run["primal"] - reference) <= slack
