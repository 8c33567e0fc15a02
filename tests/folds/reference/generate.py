#!/usr/bin/env python3
"""Writes folds.json: splits of scikit-learn's splitters, as lists of the samples that each tests.

pip install numpy==2.4.3 scikit-learn==1.9.1; python tests/folds/reference/generate.py
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)


def tests_of(splitter, n, y=None, groups=None):
    return [test.tolist() for _, test in splitter.split(np.zeros((n, 1)), y, groups)]


def cases():
    rng = np.random.default_rng(3)
    for n, folds, seed in [(10, 3, 0), (23, 5, 7), (60, 4, 4294967295)]:
        y = rng.integers(0, 3, n) if n > 10 else np.array([2, 0, 0, 1, 2, 1, 0, 2, 1, 0])
        common = {"n": n, "folds": folds, "seed": seed, "classes": y.tolist()}
        yield {**common, "kind": "plain", "tests": tests_of(KFold(folds), n)}
        yield {**common, "kind": "plain-shuffled", "tests": tests_of(KFold(folds, shuffle=True, random_state=seed), n)}
        yield {**common, "kind": "stratified", "tests": tests_of(StratifiedKFold(folds), n, y)}
        yield {
            **common,
            "kind": "stratified-shuffled",
            "tests": tests_of(StratifiedKFold(folds, shuffle=True, random_state=seed), n, y),
        }
        repeats = {"n_splits": folds, "n_repeats": 3, "random_state": seed}
        yield {**common, "kind": "plain-repeated", "tests": tests_of(RepeatedKFold(**repeats), n)}
        yield {**common, "kind": "stratified-repeated", "tests": tests_of(RepeatedStratifiedKFold(**repeats), n, y)}
    # Groups of different sizes: of equal ones scikit-learn's order depends on numpy's sort.
    groups = np.repeat([4, 1, 7, 2, 9], [5, 3, 8, 1, 6])
    yield {"kind": "grouped", "n": 23, "folds": 3, "seed": 0, "classes": groups.tolist(), "tests": tests_of(GroupKFold(3), 23, None, groups)}
    fold = np.array([0, -1, 2, 2, 0, -1, 5, 0])
    yield {"kind": "predefined", "n": 8, "folds": 3, "seed": 0, "classes": fold.tolist(), "tests": tests_of(PredefinedSplit(fold), 8)}
    yield {"kind": "leave-one-out", "n": 4, "folds": 4, "seed": 0, "classes": [], "tests": tests_of(LeaveOneOut(), 4)}


if __name__ == "__main__":
    document = {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "cases": list(cases())}
    path = pathlib.Path(__file__).with_name("folds.json")
    path.write_text(json.dumps(document, indent=None, separators=(",", ":")).replace('{"kind"', '\n{"kind"').replace('{"n"', '\n{"n"') + "\n")
