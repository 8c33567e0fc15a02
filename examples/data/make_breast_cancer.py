#!/usr/bin/env python3
"""Writes the demo data from the copy of the data set that scikit-learn ships.

Usage: make_breast_cancer.py [FOLDER]      (needs: pip install scikit-learn)

Ten measurements of cell nuclei, each as mean, standard error and worst value: three views, found
as mean_*, error_* and worst_*. The test samples are spread evenly over each class in file
order, so that the split needs no random numbers.
"""

import csv
import pathlib
import sys

from sklearn.datasets import load_breast_cancer

TEST_SAMPLES = 171  # 30 % of 569


def column_name(original):
    """'mean radius' -> 'mean_radius', 'radius error' -> 'error_radius'."""
    words = original.split()
    if words[-1] == "error":
        words = words[-1:] + words[:-1]
    return "_".join(words)


def test_rows(target, count):
    """`count` rows for the test set: spread evenly over each class, in proportion to its size."""
    chosen = set()
    for label in sorted(set(target)):
        rows = [i for i, y in enumerate(target) if y == label]
        share = round(count * len(rows) / len(target))
        chosen.update(rows[(2 * k + 1) * len(rows) // (2 * share)] for k in range(share))
    return chosen


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    data = load_breast_cancer()
    header = ["sample", "diagnosis"] + [column_name(name) for name in data.feature_names]
    rows = [
        [f"s{i + 1:03d}", data.target_names[y]] + [repr(float(value)) for value in x]
        for i, (x, y) in enumerate(zip(data.data, data.target))
    ]
    test = test_rows(data.target, TEST_SAMPLES)
    assert len(test) == TEST_SAMPLES
    write(folder / "breast_cancer.csv", header, rows)
    write(folder / "breast_cancer_train.csv", header, [r for i, r in enumerate(rows) if i not in test])
    write(folder / "breast_cancer_test.csv", header, [r for i, r in enumerate(rows) if i in test])


if __name__ == "__main__":
    main()
