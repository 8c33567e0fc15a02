"""A kernel written in Python

A base kernel can be any function of two arrays that returns their matrix of similarities and is positive
semi-definite. The kernel of this example compares images of digits after small shifts: it is the mean of Gaussian
kernels over all pairs of shifts by at most one pixel, and therefore a kernel. The classifier combines it with Gaussians
on the unshifted pixels.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import MKLClassifier
from kernmix.display import KernelWeightsDisplay
from sklearn.datasets import load_digits
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import train_test_split

SHIFTS = [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)]


def shifted(X, by):
    return np.roll(X.reshape(-1, 8, 8), by, axis=(1, 2)).reshape(len(X), -1)


def shift_kernel(A, B):
    """Mean over shifts of both images: <mean of phi(shifts of a), mean of phi(shifts of b)>."""
    of_B = np.vstack([shifted(B, by) for by in SHIFTS])
    total = sum(rbf_kernel(shifted(A, by), of_B, gamma=0.002) for by in SHIFTS)
    return total.reshape(len(A), len(SHIFTS), len(B)).sum(axis=1) / len(SHIFTS) ** 2


X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=100, stratify=y, random_state=0)

plain = ["rbf(gamma={0.0005; 0.001; 0.002; 0.004})"]
for name, kernels in {"plain": plain, "with shifts": [*plain, shift_kernel]}.items():
    machine = MKLClassifier(kernels=kernels, scaling="none", C=10).fit(X_train, y_train)
    print(f"{name:12} accuracy {machine.score(X_test, y_test):.4f}")

KernelWeightsDisplay.from_estimator(machine)
plt.show()
