"""Commands that people type, on data that stands here or is drawn, as cells of comparisons."""

import pathlib
from typing import NamedTuple

import numpy as np

import class_data
from train import DEMO_FILE, PROTOCOL, ROOT, kernels, settled

DEMO = [DEMO_FILE, "--label", "diagnosis", "--id", "sample"]
WINE = [ROOT / "examples" / "data" / "wine_train.csv", "--label", "cultivar", "--id", "sample"]


class Cell(NamedTuple):
    """One command: the question it belongs to, a name, and what follows `kernmix train`."""

    group: str
    name: str
    arguments: list


def write_csv(path, X, y):
    """Labels in column y, columns x1, x2, ...; kept where it is there."""
    if not path.exists():
        header = ",".join(["y", *(f"x{j + 1}" for j in range(X.shape[1]))])
        rows = [
            f"{label}," + ",".join(f"{value:.6g}" for value in row)
            for label, row in zip(y, X, strict=True)
        ]
        path.write_text("\n".join([header, *rows]) + "\n")
    return [path, "--label", "y"]


def two_classes(folder, n, columns):
    """Two overlapping classes that differ on a fifth of the columns."""
    draw = np.random.default_rng(n + columns)
    y = draw.choice([-1, 1], n)
    X = draw.standard_normal((n, columns))
    X[:, : max(columns // 5, 1)] += 0.6 * y[:, None]
    return write_csv(folder / f"two-{n}-{columns}.csv", X, np.where(y > 0, "p", "n"))


def many_classes(folder, n, columns, classes):
    """Normal classes with means of their own on half of the columns."""
    draw = np.random.default_rng(n + classes)
    y = np.arange(n) % classes
    means = 1.2 * draw.standard_normal((classes, columns))
    means[:, columns // 2 :] = 0.0
    X = means[y] + draw.standard_normal((n, columns))
    return write_csv(folder / f"classes-{n}-{classes}.csv", X, [f"c{k}" for k in y])


def numbers(folder, n, columns):
    draw = np.random.default_rng(n)
    X = draw.standard_normal((n, columns))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * draw.standard_normal(n)
    return write_csv(folder / f"numbers-{n}-{columns}.csv", X, [f"{value:.6g}" for value in y])


def gram_stack(folder, n, count):
    """A .npy stack of Gaussian kernels on 20 columns each, of which five tell the classes apart."""
    file, labels = folder / f"stack-{n}-{count}.npy", folder / f"stack-{n}-{count}.csv"
    if not file.exists():
        draw = np.random.default_rng(n)
        y = draw.choice([-1.0, 1.0], n)
        K = np.empty((count, n, n))
        for m in range(count):
            X = draw.standard_normal((n, 20)) + (0.5 * y[:, None] if m < 5 else 0.0)
            squares = (X**2).sum(1)
            k = np.exp(-(squares[:, None] + squares[None, :] - 2.0 * X @ X.T) / 80.0)
            K[m] = (k + k.T) / 2.0
        np.save(file, K)
        labels.write_text("y\n" + "".join("p\n" if value > 0 else "n\n" for value in y))
    return [labels, "--label", "y", "--gram", file]


def class_set(folder, found):
    """A set of class_data.py with its views: one label column, or one for each label."""
    labels = found.y.reshape(len(found.X), -1)
    path = folder / f"{found.name}.csv"
    names = [f"y{k + 1}" for k in range(labels.shape[1])]
    if not path.exists():
        header = ",".join([*names, *(f"x{j + 1}" for j in range(found.X.shape[1]))])
        path.write_text(header + "\n")
        with path.open("a") as file:
            for row, X in zip(labels, found.X, strict=True):
                file.write(",".join([*map(str, row), *(f"{value:.6g}" for value in X)]) + "\n")
    asked = ["--label", "y1"] if len(names) == 1 else ["--labels", ",".join(names)]
    for name, columns in found.views.items():
        asked += ["--view", f"{name}=x{columns[0] + 1}..x{columns[-1] + 1}"]
    return [path, *asked]


def cells(folder, data=None):
    """All cells; `folder` is for what is drawn, `data` a folder of LIBSVM sets or None."""
    found = []

    def add(group, name, *arguments):
        found.append(Cell(group, name, [str(argument) for argument in settled(arguments)]))

    sets = [("breast cancer", DEMO)]
    for name in ("ionosphere", "sonar", "heart"):
        file = pathlib.Path(data or ".") / name / "data.libsvm"
        if data and file.exists():
            sets.append((name, [file]))
    for name, arguments in sets:
        for C in (0.1, 1, 10, 1000):
            add(
                "small, many kernels", f"{name}, C = {C:g}", *arguments, *kernels(PROTOCOL), "-C", C
            )
        add(
            "small, many kernels",
            f"{name}, C = 1, to 1e-6",
            *arguments,
            *kernels(PROTOCOL),
            "--tolerance",
            1e-6,
        )
    for regularizer in (
        "lp:p=1.33",
        "lp:p=2",
        "elastic-net:l1=1,l2=1",
        "soft-margin:theta=0.1",
        "average",
    ):
        add(
            "regularizers",
            f"breast cancer, {regularizer}",
            *DEMO,
            *kernels(PROTOCOL),
            "--regularizer",
            regularizer,
        )
    for loss in ("squared-hinge", "logistic"):
        add("losses", f"breast cancer, {loss}", *DEMO, *kernels(PROTOCOL), "--loss", loss)
    add(
        "losses",
        "1000 numbers, squared",
        *numbers(folder, 1000, 8),
        "--loss",
        "squared",
        *kernels(PROTOCOL),
    )
    add(
        "losses",
        "1000 numbers, epsilon",
        *numbers(folder, 1000, 8),
        "--loss",
        "epsilon:eps=0.1",
        *kernels(PROTOCOL),
    )
    views = [word for k in range(6) for word in ("--view", f"v{k}={5 * k + 1}-{5 * k + 5}")]
    dense = ["--kernel", "rbf(width=median*2^-2..2^2) on v*"]
    for n in (500, 1000, 2000):
        for C in (1, 10):
            add(
                "dense",
                f"{n} x 30 kernels, C = {C}",
                *two_classes(folder, n, 30),
                *views,
                *dense,
                "-C",
                C,
            )
    for n, count in ((400, 200), (1000, 60)):
        add("file of matrices", f"{n} x {count}", *gram_stack(folder, n, count))
    for n in (1000, 5000, 20000):
        add(
            "single columns",
            f"{n} x 20 kernels",
            *two_classes(folder, n, 20),
            "--kernel",
            "rbf(width=1) on all, each",
        )
    add(
        "single columns",
        "2000 x 100 kernels",
        *two_classes(folder, 2000, 100),
        "--kernel",
        "rbf(width=1) on all, each",
    )
    for sharing in ("sum", "minimax", "separate"):
        add(
            "classes",
            f"10 classes, {sharing}",
            *many_classes(folder, 1000, 20, 10),
            "--kernel",
            "rbf(width=median*2^-2..2^2) on all",
            "--kernel",
            "rbf(width=1) on all, each",
            "--sharing",
            sharing,
        )
    for classes in class_data.load(("emotions", "mfeat", "leaves"), data) if data else ():
        for sharing in ("sum", "minimax"):
            for C in (1, 10):
                add(
                    "shared weights",
                    f"{classes.name}, {sharing}, C = {C}",
                    *class_set(folder, classes),
                    *("--kernel", "rbf(width=median*2^-2..2^2) on *"),
                    *("--sharing", sharing, "-C", C),
                )
    add("classes", "wine, joint", *WINE, *kernels(PROTOCOL), "--multiclass", "joint")
    add("classes", "wine, one-vs-one", *WINE, *kernels(PROTOCOL), "--multiclass", "one-vs-one")
    return found
