"""The certificate of docs/explanation/problem.md in numpy, a second time and apart from the C++
code: bounds on the optimum of the problem as stated for any weights d and any dual vector a,
whoever found them.

    primal >= optimum >= dual,    relative gap = (primal - dual) / max(|primal|, |dual|)

K is the stack of Gram matrices, M x n x n.
"""

from typing import NamedTuple

import numpy as np


class Bounds(NamedTuple):
    primal: float
    dual: float

    @property
    def relative_gap(self):
        return (self.primal - self.dual) / max(abs(self.primal), abs(self.dual), 1e-300)


def quadratic_forms(K, a):
    return np.maximum(K.reshape(len(K), -1) @ np.outer(a, a).ravel(), 0.0)


def combine(K, d):
    return np.tensordot(d, K, axes=1)


def hinge_loss(y, z):
    """min over b of sum max(0, 1 - y (z + b)): it is piecewise linear with its kinks at y - z."""
    return np.maximum(0.0, 1.0 - y * (z + (y - z)[:, None])).sum(axis=1).min()


def balanced(y, a):
    """The class of larger sum is scaled down until sum a = 0."""
    a = a.copy()
    sums = {sign: np.abs(a[y == sign]).sum() for sign in (1, -1)}
    least = min(sums.values())
    for sign, total in sums.items():
        if total > 0:
            a[y == sign] *= least / total
    return a


def hinge_dual(K, y, C, a):
    """sum a y - sigma(q / 2) at the best multiple t a in the box 0 <= t a y <= C."""
    a = balanced(y, np.clip(a * y, 0.0, C) * y)
    gain, largest = a @ y, (a * y).max()
    if gain == 0.0:
        return 0.0
    sigma = 0.5 * quadratic_forms(K, a).max()
    t = min(gain / (2 * sigma), C / largest)
    return t * gain - t * t * sigma


def hinge(K, y, C, d, a, proof=None):
    """Bounds for the hinge loss and L1: Omega = 1/2 (sum s)^2, sigma(q / 2) = 1/2 max q.
    \\param proof: a second dual vector, for the lower bound alone"""
    z = combine(K, d) @ a
    s = d * np.sqrt(quadratic_forms(K, a))
    duals = [hinge_dual(K, y, C, v) for v in (a, proof) if v is not None]
    return Bounds(0.5 * s.sum() ** 2 + C * hinge_loss(y, z), max(duals))


def group_lasso(K, y, C, lam, z, norms):
    """C/2 sum (y - z - b)^2 + lambda sum of norms: predictions z without the bias and the norm of
    each group. The residuals, scaled into the set max sqrt(q) <= lambda, are the dual vector."""
    residual = y - z
    residual = residual - residual.mean()
    a = C * residual
    scale = min(1.0, lam / np.sqrt(quadratic_forms(K, a).max()))
    a = scale * a
    primal = 0.5 * C * residual @ residual + lam * norms.sum()
    return Bounds(primal, a @ y - a @ a / (2 * C))
