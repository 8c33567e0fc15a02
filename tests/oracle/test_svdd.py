"""SVDD over kernel weights agrees with an independent conic solver on its own formulation.

max over a of -sigma(v), v_m = a'K_m a - sum_i a_i k_m(x_i, x_i), on 0 <= a_i <= 1 / (nu n), sum a = 1:
no kernel of distances, no shift. The kernels' diagonals vary.
"""

import json
import subprocess

import cvxpy as cp
import numpy as np
import pytest
from test_conic import factor

NU = 0.3
KERNELS = ["linear on x", "linear on x, each", "poly(degree=2,coef0=1,gamma=0.5) on x", "rbf(gamma=0.2) on x"]


def gram_matrices(X, centred):
    """The kernels of KERNELS, in order, with mean diagonal 1, centred or not."""
    dot = X @ X.T
    square = np.diag(dot)[:, None] + np.diag(dot)[None, :] - 2.0 * dot
    kernels = [dot, *[np.outer(x, x) for x in X.T], (0.5 * dot + 1.0) ** 2, np.exp(-0.2 * square)]
    H = np.eye(len(X)) - (1.0 / len(X) if centred else 0.0)
    kernels = [H @ K @ H for K in kernels]
    return [K / np.mean(np.diag(K)) for K in kernels]


def above(penalty):
    """min over t of t + the penalty of what each v exceeds t by: sigma on the simplex."""
    return lambda v: (t := cp.Variable()) + sum(penalty(cp.pos(x - t)) for x in v)


WEIGHTS = [0.2, 0.0, 0.1, 0.3, 0.15, 0.25]
SIGMA = {
    "l1": lambda v: cp.maximum(*v),
    "average": lambda v: sum(v) / len(v),
    "fixed:" + ",".join(map(str, WEIGHTS)): lambda v: sum(w * x for w, x in zip(WEIGHTS, v)),
    "soft-margin:theta=0.3": above(lambda excess: 0.3 * excess),
    "soft-margin-squared:theta=1.5": above(lambda excess: 0.75 * cp.square(excess)),
}


def conic_value(kernels, sigma):
    n = len(kernels[0])
    a = cp.Variable(n)
    v = [cp.sum_squares(factor(K) @ a) - np.diag(K) @ a for K in kernels]
    inside = [a >= 0, a <= 1 / (NU * n), cp.sum(a) == 1]
    problem = cp.Problem(cp.Maximize(-sigma(v)), inside)
    return problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)


@pytest.mark.parametrize("normalization", ["trace", "center+trace"])
@pytest.mark.parametrize("regularizer", SIGMA)
def test_value_is_the_conic_solvers(kernmix, tmp_path, regularizer, normalization):
    X = np.random.default_rng(5).normal(size=(30, 3)) * [1.0, 0.3, 2.0] + [2.0, 0.0, -1.0]
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    command = [kernmix, "train", tmp_path / "x.csv", "--view", "x=a,b,c", "--scale", "none"]
    for kernel in KERNELS:
        command += ["--kernel", kernel]
    command += ["--normalize", normalization, "--loss", f"svdd:nu={NU}", "--quiet"]
    command += ["--regularizer", regularizer, "--tolerance", "1e-7"]
    command += ["-o", tmp_path / "m.kmx", "--json", tmp_path / "run.json"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run = json.loads((tmp_path / "run.json").read_text())
    reference = conic_value(gram_matrices(X, "center" in normalization), SIGMA[regularizer])
    slack = 1e-6 * abs(reference)
    assert run["relative_gap"] <= 1e-7
    assert run["dual"] <= reference + slack
    assert run["primal"] >= reference - slack
    assert abs(run["primal"] - reference) <= slack
