"""MKLSearchCV beside GridSearchCV: processor time and winner of a 5 x 8 grid of C and p on 5 folds.

KERNMIX_DATA=DATA python benchmarks/python/search.py [SET...]        # the installed package
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from kernmix import MKLClassifier, MKLSearchCV, adapters
from sklearn.datasets import load_breast_cancer, load_svmlight_file
from sklearn.model_selection import GridSearchCV, StratifiedKFold

GRID = {
    "C": [0.01, 0.1, 1, 10, 100],
    "regularizer": [f"lp:p={p}" for p in (1, 1.1, 1.25, 1.5, 2, 3, 5, 10)],
}
DEFAULT_KERNELS = "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})"
DATA = Path(os.environ.get("KERNMIX_DATA", ""))


def breast_cancer() -> tuple[Any, Any, Any]:
    X, y = load_breast_cancer(return_X_y=True)
    return X, y, {"mean": range(10), "error": range(10, 20), "worst": range(20, 30)}


def ionosphere() -> tuple[Any, Any, Any]:
    X, y = load_svmlight_file(str(next((DATA / "ionosphere").glob("*.libsvm"))))
    return X.toarray(), y, {f"pulse{j}": [j, j + 1] for j in range(0, X.shape[1] - 1, 2)}


def mfeat() -> tuple[Any, Any, Any]:
    files = sorted((DATA / "mfeat").glob("view*.libsvm"))
    views, labels = zip(*(load_svmlight_file(str(file)) for file in files), strict=True)
    table = adapters.from_views(dict(zip([file.stem for file in files], views, strict=True)))
    rows = np.arange(0, 2000, 5)
    return table.X.iloc[rows], labels[0][rows].astype(int), table.views


SETS = {"breast-cancer": breast_cancer, "ionosphere": ionosphere, "mfeat": mfeat}


def cpu_seconds(search: Any, X: Any, y: Any) -> float:
    begin = time.process_time()
    search.fit(X, y)
    return time.process_time() - begin


def compare(name: str) -> str:
    X, y, views = SETS[name]()
    estimator = MKLClassifier(
        DEFAULT_KERNELS, views=views, loss="hinge", scaling="standard", normalization="trace"
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    searches = [
        kind(estimator, GRID, cv=folds, refit=False) for kind in (GridSearchCV, MKLSearchCV)
    ]
    seconds = [cpu_seconds(search, X, y) for search in searches]
    scores = [search.cv_results_["mean_test_score"] for search in searches]
    same = searches[0].best_params_ == searches[1].best_params_
    saved = searches[1].saved_
    columns = [
        name,
        len(y),
        *(f"{s:.1f}" for s in seconds),
        f"{seconds[1] / seconds[0]:.2f}",
        "same" if same else "another",
        f"{np.abs(scores[0] - scores[1]).max():.4f}",
        f"{saved['kernel_builds']} of {saved['models']}",
    ]
    return f"| {' | '.join(map(str, columns))} |"


HEADER = (
    "data | n | GridSearchCV, s | MKLSearchCV, s | ratio | winner | difference of scores | kernels"
)

if __name__ == "__main__":
    print(f"| {HEADER} |\n|{'---|' * 8}")
    for chosen in sys.argv[1:] or SETS:
        print(compare(chosen), flush=True)
