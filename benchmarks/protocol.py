"""The kernels of the SimpleMKL protocol in numpy, in the order in which kernmix expands
`train.PROTOCOL`: scaled columns, unit mean diagonal."""

import numpy as np


def features(rows):
    """n x D from n lists of "index:value", with indices from 1."""
    pairs = [[word.split(":") for word in row] for row in rows]
    X = np.zeros((len(rows), max(int(k) for row in pairs for k, _ in row)))
    for i, row in enumerate(pairs):
        for k, value in row:
            X[i, int(k) - 1] = float(value)
    return X


def read_libsvm(file):
    """X (n x D) and y (n) of a LIBSVM file."""
    with open(file) as lines:
        rows = [line.split() for line in lines]
    return features([row[1:] for row in rows]), np.array([float(row[0]) for row in rows])


def standardised(X):
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def unit_mean_diagonal(K):
    return K * (len(K) / np.trace(K))


def gaussians(X):
    squares = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    return [np.exp(-squares / (2 * 4.0**k)) for k in range(-3, 7)]


def polynomials(X):
    return [(X @ X.T + 1.0) ** degree for degree in (1, 2, 3)]


def gram_stack(X):
    """M x n x n: Gaussians of ten widths on all columns and on each, then polynomials likewise."""
    X = standardised(X)
    views = [X, *(X[:, [j]] for j in range(X.shape[1]))]
    stack = []
    for family in (gaussians, polynomials):
        for view in views:
            stack += family(view)
    return np.array([unit_mean_diagonal(K) for K in stack])


def factors(stack, tolerance=1e-13):
    """Z_m with K_m = Z_m Z_m', one matrix for each kernel, from its eigenvectors."""
    result = []
    for K in stack:
        values, vectors = np.linalg.eigh(K)
        kept = values > tolerance * values[-1]
        result.append(vectors[:, kept] * np.sqrt(values[kept]))
    return result
