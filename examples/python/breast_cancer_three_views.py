"""Three views of breast cancer

Each of 569 breast masses has thirty measurements of its cell nuclei in three views: the means, their standard
errors and the worst values. One classifier learns the weights of views and kernel widths. The band of the ROC curve
is over five folds.
"""

import matplotlib.pyplot as plt
from kernmix import MKLClassifier
from kernmix.display import KernelWeightsDisplay, RocDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_validate

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
machine = MKLClassifier(views=views, C=10)

results = cross_validate(machine, X, y, scoring="roc_auc", return_estimator=True, return_indices=True)
print(f"AUC of five folds: {results['test_score'].round(4)}")

machine.fit(X, y)
print(f"relative gap {machine.certificate_.relative_gap:.1e} after {machine.n_iter_} iterations")

KernelWeightsDisplay.from_estimator(machine)

band = RocDisplay.from_cv_results(results, X, y, name="three views")
for view in ("mean", "error"):
    alone = MKLClassifier(views={view: views[view]}, C=10)
    folds = cross_validate(alone, X, y, return_estimator=True, return_indices=True)
    RocDisplay.from_cv_results(folds, X, y, name=view, ax=band.ax_)
plt.show()
