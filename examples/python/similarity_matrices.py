"""Similarities instead of columns

If the data are comparisons of samples rather than measurements, the input is a stack of M matrices, one n x n matrix of
similarities for each comparison. `GramStack` is a stack that scikit-learn can split: `fit` takes rows and columns
together. The example compares profiles of breast masses by rank correlation, by the number of measurements in the
same quarter, and by distance.
"""

import matplotlib.pyplot as plt
import numpy as np
from kernmix import GramStack, MKLClassifier
from kernmix.display import AlignmentDisplay
from scipy.stats import rankdata
from sklearn.datasets import load_breast_cancer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score

X, y = load_breast_cancer(return_X_y=True)
Z = (X - X.mean(axis=0)) / X.std(axis=0)

quarters = np.stack([np.searchsorted(np.quantile(z, [0.25, 0.5, 0.75]), z) for z in Z.T], axis=1)
similarities = {
    "ranks": np.corrcoef(rankdata(Z, axis=1)),
    "quarters": (quarters[:, None] == quarters).mean(axis=2),
    "distance": rbf_kernel(Z, gamma=0.02),
}
stack = GramStack(list(similarities.values()), names=list(similarities))

search = GridSearchCV(MKLClassifier(), {"C": [0.1, 1, 10, 100]}, cv=5).fit(stack, y)
print(f"best C {search.best_params_['C']}, accuracy {search.best_score_:.4f}")
print(search.best_estimator_.weights_)
for name, matrix in similarities.items():
    scores = cross_val_score(MKLClassifier(C=10), GramStack(matrix, names=name), y, cv=5)
    print(f"{name} alone: accuracy {scores.mean():.4f}")

AlignmentDisplay.from_stack(similarities.values(), list(similarities), y)
plt.show()
