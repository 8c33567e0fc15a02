"""Samples of whole studies, as a table for the tool and as arrays."""

from __future__ import annotations

import csv
import json
import os
import subprocess

import numpy as np
import pytest
import toy

pandas = pytest.importorskip("pandas")

KERNMIX = os.environ.get("KERNMIX")
with_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N = 60
X = toy.points(N, 6, seed=3)
COLUMNS = [f"c{j + 1}" for j in range(6)]
VIEWS = {"v1": COLUMNS[:3], "v2": COLUMNS[3:]}
FRAME = pandas.DataFrame(X, columns=COLUMNS)
NUMBER = X[:, 0] + X[:, 1] ** 2
TABLE = {
    **{name: X[:, j] for j, name in enumerate(COLUMNS)},
    "two": toy.two_classes(X),
    "three": toy.three_classes(X),
    "number": NUMBER,
    "other": X[:, 2] * X[:, 3] + X[:, 0],
    "red": (X[:, 0] > 0).astype(int),
    "blue": (X[:, 1] + X[:, 4] > 0).astype(int),
    "count": np.digitize(NUMBER, [-0.5, 0.5, 1.5]),
    "group": np.array([f"g{i // 3}" for i in range(N)]),
    "weight": np.arange(N) % 3,
}


def target_of(name):
    return pandas.DataFrame({k: TABLE[k] for k in name}) if isinstance(name, list) else TABLE[name]


def write_samples(folder):
    rows = zip(*(map(repr, v.tolist()) if v.dtype.kind == "f" else v.tolist() for v in TABLE.values()), strict=True)
    with open(folder / "samples.csv", "w", newline="") as out:
        csv.writer(out).writerows([list(TABLE), *rows])
    return folder / "samples.csv"


def ignored(*read):
    """All columns but those of the views and these."""
    return [column for column in TABLE if column not in {*COLUMNS, *read}]


def tool(*arguments):
    command = [KERNMIX, *arguments, "--memory", "2G", "--threads", "2", "--quiet"]
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def result(file):
    return json.loads(file.read_text())


def known(values):
    return [None if np.isnan(value) else value for value in values]
