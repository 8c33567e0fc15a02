"""Similarities instead of columns

Where samples are compared rather than measured, the input is a stack of M matrices, one n x n matrix of
similarities for each way to compare. `GramStack` is such a stack that scikit-learn can cut into folds: rows
and columns go together. Here three ways to compare profiles of breast masses: by rank correlation, by how many
measurements agree in their quartile, and by distance.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata
from sklearn.datasets import load_breast_cancer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score

from kernmix import GramStack, MKLClassifier
from kernmix.display import AlignmentDisplay

X, y = load_breast_cancer(return_X_y=True)
Z = (X - X.mean(axis=0)) / X.std(axis=0)

quartiles = np.stack([np.searchsorted(np.quantile(z, [0.25, 0.5, 0.75]), z) for z in Z.T], axis=1)
similarities = {
    "ranks": np.corrcoef(rankdata(Z, axis=1)),
    "quartiles": (quartiles[:, None] == quartiles).mean(axis=2),
    "distance": rbf_kernel(Z, gamma=0.02),
}
stack = GramStack(np.array(list(similarities.values())), names=list(similarities))

search = GridSearchCV(MKLClassifier(), {"C": [0.1, 1, 10, 100]}, cv=5).fit(stack, y)
print(f"best C {search.best_params_['C']}, accuracy {search.best_score_:.4f}")
for name, weight in zip(search.best_estimator_.kernel_names_, search.best_estimator_.weights_):
    print(f"{name:10} weight {weight:.3f}")
for place, name in enumerate(similarities):
    one = GramStack(stack.values[[place]], names=[name])
    print(f"{name:10} alone  {cross_val_score(MKLClassifier(C=10), one, y, cv=5).mean():.4f}")

AlignmentDisplay.from_stack(stack.values, list(similarities), y)
plt.show()
