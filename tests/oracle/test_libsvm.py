"""One kernel, and the average kernel, are plain SVMs: the same optimum as LIBSVM's."""

import numpy as np
import pytest
from conftest import random_problem
from sklearn.svm import SVC


def libsvm_value(K, y, C):
    """The dual value at LIBSVM's answer: 1'alpha - 1/2 a'Ka."""
    svm = SVC(kernel="precomputed", C=C, tol=1e-9).fit(K, y)
    a = np.zeros(len(y))
    a[svm.support_] = svm.dual_coef_[0]
    return np.abs(a).sum() - 0.5 * a @ K @ a


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_one_kernel(train, C):
    K, y = random_problem(3, n=60, M=1)
    reference = libsvm_value(K[0], y, C)
    for regularizer in ["l1", "lp:p=2", "average"]:
        run = train(K, y, "--regularizer", regularizer, "-C", C, "--tolerance", 1e-7)
        assert run["dual"] == pytest.approx(reference, rel=1e-6)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_average_kernel(train, C):
    K, y = random_problem(4, n=60, M=6)
    run = train(K, y, "--regularizer", "average", "-C", C, "--tolerance", 1e-7)
    assert run["dual"] == pytest.approx(libsvm_value(K.mean(axis=0), y, C), rel=1e-6)
