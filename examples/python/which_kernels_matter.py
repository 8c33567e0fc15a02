"""Which kernels matter

Weights of one fit depend on the sample. Forty fits, each on a random half of the samples, say how much: the
whiskers hold the middle 90 % of a kernel's weights, and the frequency says in how many halves it was selected at
all. Kernels that say nearly the same trade their weight: compare sums by view, which are steadier.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import MKLClassifier
from kernmix.display import KernelWeightsDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedShuffleSplit

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
machine = MKLClassifier(views=views, C=10).fit(X, y)

halves = StratifiedShuffleSplit(n_splits=40, train_size=0.5, random_state=0)
weights = np.array(
    [
        np.ravel(MKLClassifier(views=views, C=10).fit(X.iloc[half], y.iloc[half]).weights_)
        for half, _ in halves.split(X, y)
    ]
)
weights /= weights.sum(axis=1, keepdims=True)
low, middle, high = np.quantile(weights, [0.05, 0.5, 0.95], axis=0)

names = machine.kernel_names_
for m in np.argsort(-middle)[:6]:
    often = np.mean(weights[:, m] > 0)
    print(f"{names[m]:32} {middle[m]:.3f} [{low[m]:.3f}, {high[m]:.3f}]  selected in {often:.0%}")
for view in views:
    sums = weights[:, [name.endswith(f" on {view}") for name in names]].sum(axis=1)
    low_sum, high_sum = np.quantile(sums, [0.05, 0.95])
    print(f"all on {view:25} {np.median(sums):.3f} [{low_sum:.3f}, {high_sum:.3f}]")

KernelWeightsDisplay(middle, names, low=low, high=high, title="median over 40 halves").plot()
plt.show()
