"""The optimal value agrees with an independent conic solver (Clarabel through CVXPY)."""

import cvxpy as cp
import numpy as np
import pytest
from conftest import random_problem

REGULARIZERS = ["l1", "lp:p=1.1", "lp:p=1.3333333333333333", "lp:p=2", "lp:p=4", "average", "sum"]


def factor(K):
    """L with L'L = K, from the eigenvalues that are positive beyond rounding."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-12 * values.max()
    return np.sqrt(values[keep])[:, None] * vectors[:, keep].T


def conic_value(K, y, C, regularizer):
    """max sum(alpha) - sigma(q / 2), q_m = |L_m a|^2, written as a cone program."""
    a = cp.Variable(len(y))
    norms = [cp.norm(factor(k) @ a, 2) for k in K]
    M = len(K)
    if regularizer == "l1":
        penalty = cp.square(cp.maximum(*norms)) / 2
    elif regularizer == "average":
        penalty = sum(cp.square(u) for u in norms) / (2 * M)
    elif regularizer == "sum":
        penalty = sum(cp.square(u) for u in norms) / 2
    else:
        # ||q||_{p*} = || sqrt(q) ||_{2 p*}^2
        # (CVXPY rounds the exponent to a fraction: it is a whole number for these p)
        p = float(regularizer.split("=")[1])
        penalty = cp.square(cp.pnorm(cp.hstack(norms), 2 * p / (p - 1))) / 2
    alpha = cp.multiply(y, a)
    problem = cp.Problem(
        cp.Maximize(cp.sum(alpha) - penalty), [alpha >= 0, alpha <= C, cp.sum(a) == 0]
    )
    return problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("seed", [1, 2])
def test_value_is_the_conic_solvers(train, regularizer, C, seed):
    K, y = random_problem(seed)
    run = train(K, y, "--regularizer", regularizer, "-C", C, "--tolerance", 1e-7)
    reference = conic_value(K, y, C, regularizer)
    slack = 1e-6 * abs(reference)
    assert run["relative_gap"] <= 1e-7
    assert run["dual"] <= reference + slack
    assert run["primal"] >= reference - slack
    assert abs(run["primal"] - reference) <= slack
