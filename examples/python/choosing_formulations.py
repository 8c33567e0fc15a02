"""Choosing between formulations

The regularizer determines the distribution of the weights: `l1` keeps few kernels, `lp:p=2` keeps all, and `average`,
the baseline, learns no weights. The example compares each at its best C on the same folds. The path shows the effect of
the norm: near p = 1 few kernels have weight, and for large p all have equal shares.
"""

import matplotlib.pyplot as plt
from kernmix import MKLClassifier
from kernmix.display import WeightPathDisplay
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
views = {"mean": "mean *", "error": "* error", "worst": "worst *"}
machine = MKLClassifier(views=views)

regularizers = ["average", "l1", "lp:p=4/3", "lp:p=2", "elastic-net-bach:lambda=1"]
grid = {"regularizer": regularizers, "C": [0.1, 1, 10]}
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
search = GridSearchCV(machine, grid, scoring="roc_auc", cv=folds, refit=False).fit(X, y)

results = search.cv_results_
for regularizer in regularizers:
    rows = [k for k, r in enumerate(results["param_regularizer"]) if r == regularizer]
    best = max(rows, key=lambda k: results["mean_test_score"][k])
    mean, spread = results["mean_test_score"][best], results["std_test_score"][best]
    print(f"{regularizer:26} C = {results['param_C'][best]:<4} AUC {mean:.4f} +- {spread:.4f}")

norms = [1.01, 1.1, 1.25, 1.5, 2, 4, 8, 16]
machines = [MKLClassifier(views=views, C=10, regularizer=f"lp:p={p}").fit(X, y) for p in norms]
WeightPathDisplay.from_estimators(norms, machines, parameter="p of the Lp norm", share=True, log=True)
plt.show()
