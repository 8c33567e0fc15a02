"""The command line tool and the extension module write the same model files, byte by byte, and predict the same numbers.

KERNMIX names the tool, as for the tests against independent solvers.
"""

from __future__ import annotations

import csv
import os
import subprocess

import numpy as np
import pytest
import toy

from kernmix import _core

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N = 48
X = toy.points(N, 6, seed=3)
NEW = toy.points(17, 6, seed=4)
COLUMNS = [f"c{j + 1}" for j in range(6)]
VIEWS = {"v1": COLUMNS[:2], "v2": COLUMNS[2:]}
MARKS = np.column_stack([X[:, 0] > 0, X[:, 1] + X[:, 4] > 0, X[:, 2] > 0.2])
NUMBERS = X[:, 0] + X[:, 1] ** 2
TARGETS = {
    "two": toy.two_classes(X),
    "three": toy.three_classes(X),
    "numbers": NUMBERS,
    "marks": MARKS,
    "many numbers": np.column_stack([NUMBERS, X[:, 2] * X[:, 3]]),
    "none": None,
}

# What is learned, and options by their names in Python.
SETTINGS = [
    ("two", {}),
    ("two", {"kernels": []}),
    ("two", {"regularizer": "lp:p=2"}),
    ("two", {"regularizer": "average"}),
    ("two", {"regularizer": "elastic-net:l1=1,l2=0.5"}),
    ("two", {"regularizer": "entropy:theta=0.1"}),
    ("two", {"regularizer": "sum", "C": 0.1}),
    ("two", {"loss": "squared-hinge", "C": 10.0}),
    ("two", {"loss": "logistic", "C": 3.0}),
    ("two", {"loss": "logistic", "regularizer": "lp:p=1.5", "bias": "none"}),
    ("two", {"loss": "huber-hinge:h=0.5", "tolerance": 1e-5}),
    ("two", {"loss": "nu-svc:nu=0.4"}),
    ("two", {"bias": "none"}),
    ("two", {"bias": "penalised"}),
    ("two", {"scaling": ["minmax"]}),
    ("two", {"scaling": ["none"]}),
    ("two", {"scaling": ["standard"]}),
    ("two", {"scaling": ["common"]}),
    ("two", {"normalization": "center+trace"}),
    ("two", {"normalization": "cosine"}),
    ("two", {"normalization": "none"}),
    ("two", {"solver": "silp"}),
    ("two", {"solver": "simple"}),
    ("two", {"solver": "level", "tolerance": 1e-6}),
    ("two", {"class_weights": {"yes": 2.0, "no": 0.5}}),
    ("two", {"positive": "no"}),
    ("two", {"seed": 7, "max_iterations": 3}),
    ("two", {"kernels": ["poly(degree=1..3) on *, each"], "assume_psd": True}),
    ("two", {"kernels": ["matern(width=near) on all", "laplacian(gamma=0.5) on v2, group=g"]}),
    ("three", {}),
    ("three", {"scheme": "one-vs-one"}),
    ("three", {"scheme": "joint"}),
    ("three", {"loss": "crammer-singer"}),
    ("three", {"coupling": "minimax", "loss": "squared-hinge"}),
    ("three", {"coupling": "separate"}),
    ("marks", {"C": 5.0}),
    ("marks", {"threshold_folds": 3, "loss": "logistic"}),
    ("marks", {"calibration": "beta", "calibration_folds": 3}),
    ("two", {"calibration": "platt", "seed": 3}),
    ("three", {"calibration": "isotonic", "scheme": "one-vs-one"}),
    ("numbers", {"loss": "squared", "C": 10.0}),
    ("numbers", {"loss": "epsilon:eps=0.1", "C": 10.0}),
    ("numbers", {"loss": "huber:delta=1", "regularizer": "lp:p=2"}),
    ("many numbers", {"loss": "squared", "C": 10.0}),
    ("many numbers", {"loss": "pinball:tau=0.3", "coupling": "separate"}),
    ("none", {"loss": "one-class:nu=0.2"}),
    ("none", {"loss": "svdd:nu=0.5", "kernels": ["rbf(width=median*2^-1..2^1) on *"]}),
]
FLAGS = {row["name"]: row["key"] for row in _core.settings()} | {"C": "cost"}


def run(*arguments: object) -> None:
    done = subprocess.run([KERNMIX, *map(str, arguments)], check=False, capture_output=True, text=True)
    assert done.returncode in (0, 5), done.stderr


def write_table(file, values, target):
    y = TARGETS[target]
    header, rows = list(COLUMNS), [[repr(float(v)) for v in row] for row in values]
    if target in ("marks", "many numbers"):
        header += label_names(y)
        rows = [[*row, *(repr(float(v)) for v in marks)] for row, marks in zip(rows, y, strict=True)]
    elif y is not None:
        header.append("y")
        texts = y if y.dtype.kind == "U" else [repr(float(v)) for v in y]
        rows = [[*row, text] for row, text in zip(rows, texts, strict=True)]
    with open(file, "w", newline="") as out:
        csv.writer(out).writerows([header, *rows])


def label_names(y):
    return [f"t{k + 1}" for k in range(y.shape[1])]


def flags(target, options):
    yield from ("--memory", "2G", "--threads", "2", "--quiet")
    for name, columns in VIEWS.items():
        yield from ("--view", f"{name}={','.join(columns)}")
    for kernel in options.get("kernels", toy.KERNELS):
        yield from ("--kernel", kernel)
    if target in ("two", "three", "numbers"):
        yield from ("--label", "y")
    if target in ("marks", "many numbers"):
        yield from ("--labels" if target == "marks" else "--targets", ",".join(label_names(TARGETS[target])))
    for name, value in options.items():
        if name == "class_weights":
            for label, weight in value.items():
                yield from ("--class-weight", f"{label}={weight}")
        elif name == "assume_psd":
            yield "--assume-psd"
        elif name == "scaling":
            yield from ("--scale", value[0])
        elif name != "kernels":
            yield from (f"--{FLAGS.get(name, name)}", value)


def data_of(values, target=None):
    data = _core.Data()
    data.set_table(values, COLUMNS, "train.csv")
    for name, columns in VIEWS.items():
        data.add_view(name, columns)
    y = None if target is None else TARGETS[target]
    if target == "marks":
        data.set_multilabel(y, label_names(y))
    elif target == "many numbers":
        data.set_numbers(y, label_names(y))
    elif target == "numbers":
        data.set_numbers(y)
    elif y is not None:
        data.set_labels(list(y))
    return data


def predicted_by_tool(model, file, folder):
    out = folder / "predictions.csv"
    run("predict", model, file, "-o", out, "--quiet")
    with open(out) as lines:
        rows = list(csv.DictReader(lines))
    numbers = ("decision", "prediction", "t") if "decision t1" not in rows[0] else ("decision",)
    names = [name for name in rows[0] if name.startswith(numbers)]
    return np.array([[float(row[name]) for name in names] for row in rows])


@pytest.mark.parametrize(("target", "options"), SETTINGS, ids=[f"{t} {o}" for t, o in SETTINGS])
def test_same_bits(target, options, tmp_path):
    write_table(tmp_path / "train.csv", X, target)
    model_file = tmp_path / "model.kmx"
    run("train", tmp_path / "train.csv", "-o", model_file, *flags(target, options))
    sharing = {"scheme": "one-vs-rest"} if "coupling" in options and target == "three" else {}
    settings = {"kernels": toy.KERNELS, "memory": 2 << 30, **sharing, **options}
    model = _core.train(data_of(X, target), **settings).model
    assert model.to_bytes() == model_file.read_bytes()
    write_table(tmp_path / "new.csv", NEW, "none")
    decision = model.predict(data_of(NEW)).decision
    np.testing.assert_array_equal(decision, predicted_by_tool(model_file, tmp_path / "new.csv", tmp_path))
    assert model.verify(data_of(X, target)).agrees


def test_there_are_thirty_settings():
    assert len(SETTINGS) >= 30
