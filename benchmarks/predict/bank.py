"""The kernels that the packages are given, since they bring none of their own: on each view cosine
and three Gaussians; of given Gram matrices each with a mean diagonal of 1."""

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

WIDTHS = (0.5, 1.0, 2.0)  # times the median distance of training samples


def cosine_kernels(problem):
    """Name of the view or matrix -> (n, n) over all samples."""
    kernels = {}
    for name, X in problem.data.views.items():
        Z = problem.scaled(X)
        kernels[name] = unit_diagonal(Z @ Z.T)
    for name, K in problem.data.grams.items():
        kernels[name] = unit_diagonal(K)
    return kernels


def unit_diagonal(K):
    length = np.sqrt(np.maximum(np.diag(K), 1e-300))
    return K / length / length[:, None]


def bank(problem):
    """Kernels (M, n, n) over all samples, and the name of the view or matrix of each."""
    kernels, names = [], []
    cosines = cosine_kernels(problem)
    for name, X in problem.data.views.items():
        squares = euclidean_distances(problem.scaled(X), squared=True)
        own = squares[np.ix_(problem.train, problem.train)]
        middle = np.median(own[np.triu_indices(len(own), 1)]) or 1.0
        kernels += [
            cosines[name],
            *(np.exp(-squares / (2 * middle * width**2)) for width in WIDTHS),
        ]
        names += [name] * (1 + len(WIDTHS))
    for name, K in problem.data.grams.items():
        kernels.append(K / np.mean(np.diag(K)[problem.train]))
        names.append(name)
    return np.array(kernels), names


def blocks(problem, kernels):
    """(M, n_train, n_train) and (M, n_test, n_train)."""
    columns = np.asarray(kernels)[:, :, problem.train]
    return columns[:, problem.train], columns[:, problem.test]


def shares(names, weights):
    """View -> its share of the weights of its kernels."""
    total = float(np.sum(weights)) or 1.0
    result = dict.fromkeys(names, 0.0)
    for name, weight in zip(names, weights, strict=True):
        result[name] += float(weight) / total
    return result
