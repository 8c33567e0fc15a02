#!/usr/bin/env python3
"""Writes the example of three classes from the copy of the data set that scikit-learn ships.

Usage: make_wine.py [FOLDER]      (needs: pip install scikit-learn)

Wines of three cultivars by thirteen chemical measurements, split as make_breast_cancer.py does.
"""

import pathlib
import sys

from make_breast_cancer import test_rows, write
from sklearn.datasets import load_wine

TEST_SAMPLES = 60  # a third of 178
CULTIVARS = ["first", "second", "third"]
NAMES = {"alcalinity_of_ash": "ash_alcalinity", "od280/od315_of_diluted_wines": "dilution"}


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    data = load_wine()
    header = ["sample", "cultivar"] + [NAMES.get(name, name) for name in data.feature_names]
    rows = [
        [f"w{i + 1:03d}", CULTIVARS[y]] + [repr(float(value)) for value in x]
        for i, (x, y) in enumerate(zip(data.data, data.target))
    ]
    test = test_rows(data.target, TEST_SAMPLES)
    assert len(test) == TEST_SAMPLES
    write(folder / "wine_train.csv", header, [r for i, r in enumerate(rows) if i not in test])
    write(folder / "wine_test.csv", header, [r for i, r in enumerate(rows) if i in test])


if __name__ == "__main__":
    main()
