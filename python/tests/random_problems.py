"""Small learning problems drawn at random, as files for the tool and the library and as arrays for the estimators."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

KINDS = ("two", "several", "labels", "number", "numbers")
CLASSES: dict[str, list[list[Any]]] = {
    "two": [
        ["10", "9"],
        ["yes", "no"],
        ["b", "a"],
        [1, 0],
        [-1, 1],
        [False, True],
        [2.0, 1.0],
        ["no, never", 'is "so"'],
    ],
    "several": [["c", "a", "b"], ["10", "9", "8"], [3, 10, 1], ["z", "Ä", "B", "a b"], [3.0, 1.0, -1.0]],
}
COLUMNS = ["age", "x 1", "b*", "7", "Größe", "c.1", "a-b", "y2", 'in "', "T"]
VIEWS = ["meth", "2", "RNA", "clinic.data"]
KERNELS = [
    ["rbf(width=median*{0.5; 1; 2}) on *"],
    ["linear on *", "poly(degree=2,coef0=1) on *, each"],
    ["rbf(gamma=0.3) on *", "linear on *"],
    ["laplacian(gamma=0.2) on *", "rbf(width=near) on *"],
    [],
]
LOSSES = {
    "two": ["hinge", "logistic", "squared-hinge", "huber-hinge:h=0.5"],
    "several": ["hinge", "logistic", "squared-hinge"],
    "labels": ["hinge", "logistic"],
    "number": ["squared", "epsilon:eps=0.1", "huber:delta=1"],
    "numbers": ["squared", "pinball:tau=0.3"],
}


@dataclass
class Problem:
    """Samples in the order of the file, with what is learned from them and by which options."""

    kind: str
    X: pd.DataFrame
    y: Any  # (n,) of classes or numbers, or a data frame (n, T)
    views: dict[str, list[str]]
    options: dict[str, Any]  # under the names of the library
    groups: np.ndarray | None = None
    weights: np.ndarray | None = None
    ids: np.ndarray | None = None  # names of samples, which are then stored in two files of different order
    rng: np.random.Generator = field(repr=False, default_factory=np.random.default_rng)

    def __len__(self) -> int:
        return len(self.X)

    def part(self, rows: np.ndarray) -> Problem:
        """Some of the samples, to train on."""
        y = self.y.iloc[rows] if isinstance(self.y, pd.DataFrame) else self.y[rows]
        take = lambda values: None if values is None else values[rows]
        X = self.X.iloc[rows].reset_index(drop=True)
        y = y.reset_index(drop=True) if isinstance(y, pd.DataFrame) else y
        own = (take(values) for values in (self.groups, self.weights, self.ids))
        return Problem(self.kind, X, y, self.views, dict(self.options), *own, rng=self.rng)

    @property
    def classes(self) -> list[Any]:
        """In ascending order, as the estimators have them."""
        return np.unique(self.y).tolist() if self.kind in ("two", "several") else []


def draw(seed: int) -> tuple[Problem, Problem]:
    """What is learned and twenty new samples. Kinds take turns, everything else is drawn."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    n = int(rng.integers(50, 68))
    columns = rng.permutation(COLUMNS)[: rng.integers(2, 7)].tolist()
    X = pd.DataFrame(rng.normal(size=(n, len(columns))) * np.exp(rng.normal(size=len(columns))), columns=columns)
    for name in columns[::3]:
        X[name] = np.round(np.abs(X[name]) * 3)
    problem = Problem(kind, X, _targets(rng, kind, X), _views(rng, columns), {}, rng=rng)
    if rng.random() < 0.4:
        problem.groups = rng.permutation(np.arange(n) % int(rng.integers(10, 16)))
    if rng.random() < 0.4:
        problem.weights = rng.choice([0.5, 1.0, 2.0, 3.0], size=n)
        problem.weights[rng.permutation(n)[: rng.integers(0, 5)]] = 0.0
    problem.options = _options(rng, problem)
    learned, new = problem.part(np.arange(n - 20)), problem.part(np.arange(n - 20, n))
    if rng.random() < 0.3:
        learned.ids = np.array([f"s{i}" for i in rng.permutation(len(learned))])
    return learned, new


def _views(rng: np.random.Generator, columns: list[str]) -> dict[str, list[str]]:
    names = rng.permutation(VIEWS)[: rng.integers(1, 4)].tolist()
    views = {name: rng.permutation(columns)[: rng.integers(1, len(columns) + 1)].tolist() for name in names}
    return {names[0]: columns[::-1]} if rng.random() < 0.2 else views


def _targets(rng: np.random.Generator, kind: str, X: pd.DataFrame) -> Any:
    Z = ((X - X.mean()) / X.std()).to_numpy()
    signal = Z[:, 0] - Z[:, -1] ** 2 + 0.5 * rng.normal(size=len(X))
    if kind == "number":
        return signal
    if kind == "numbers":
        return pd.DataFrame({"t 2": signal, "t1": Z[:, 1] + rng.normal(size=len(X))})
    if kind == "labels":
        marks = np.column_stack([signal > 0, Z[:, 1] > 0.4, rng.random(len(X)) < 0.12])
        marks[:2] = [[True] * 3, [False] * 3]
        return pd.DataFrame(marks, columns=rng.permutation(["red", "Ä b", "1"]).tolist())
    names = CLASSES[kind][rng.integers(len(CLASSES[kind]))]
    order = rng.permutation(len(names))
    cuts = np.quantile(signal, np.linspace(0, 1, len(names) + 1)[1:-1] ** 1.5)  # the last classes are larger
    return np.array(names)[order][np.digitize(signal, cuts)]


def _options(rng: np.random.Generator, problem: Problem) -> dict[str, Any]:
    kind = problem.kind
    choose = lambda values: values[rng.integers(len(values))]
    options: dict[str, Any] = {
        "kernels": choose(KERNELS),
        "loss": choose(LOSSES[kind]),
        "regularizer": choose(["l1", "lp:p=2", "average"]),
        "scaling": [choose(["auto", "standard", "minmax", "none"])],
        "normalization": choose(["auto", "trace", "center+trace", "cosine"]),
        "seed": int(rng.integers(100)),
    }
    if rng.random() < 0.5:
        options["C"] = float(choose([0.1, 3.0, 30.0]))
    if kind in ("two", "several", "labels") and rng.random() < 0.5:
        options |= {"calibration": choose(["platt", "isotonic", "beta"]), "calibration_folds": int(rng.integers(2, 4))}
    elif kind == "labels" and rng.random() < 0.5:
        options["threshold_folds"] = 2
    if kind in ("two", "several"):
        _weigh_classes(rng, problem.classes, options)
    if kind == "two":
        options["positive"] = str(problem.classes[1])
    if kind == "several":
        options["scheme"] = choose(["one-vs-rest", "one-vs-one"])
    if kind in ("several", "labels", "numbers"):
        options["coupling"] = choose(["sum", "sum", "minimax", "separate"])
    return options


def _weigh_classes(rng: np.random.Generator, classes: list[Any], options: dict[str, Any]) -> None:
    kind = rng.integers(4)
    if kind == 0:
        options["balanced"] = True
    elif kind == 1:
        options["class_weights"] = {str(c): float(w) for c, w in zip(classes, rng.choice([0.5, 2.0], len(classes)))}


def folds_of(problem: Problem) -> np.ndarray:
    """A fold for each sample, 0, 1 or 2: half of the time by class or by group, else so that folds may lack classes."""
    n, rng = len(problem), problem.rng
    if problem.groups is not None:
        return problem.groups % 3
    if rng.random() < 0.5 or problem.kind not in ("two", "several"):
        return rng.permutation(np.arange(n) % 3)
    fold = rng.permutation(np.arange(n) % 3)
    fold[problem.y == problem.classes[0]] = 1  # this class is tested only
    return fold


def write(problem: Problem, folder: Any, name: str, extra: dict[str, Any] | None = None) -> list[str]:
    """Files of the samples, with columns in an order of their own; `extra` columns and words go along."""
    n, rng = len(problem), problem.rng
    table = {str(c): [repr(float(v)) for v in problem.X[c]] for c in problem.X}
    if isinstance(problem.y, pd.DataFrame):
        boolean = problem.kind == "labels"
        targets = {c: [str(int(v)) if boolean else repr(float(v)) for v in problem.y[c]] for c in problem.y}
    else:
        targets = {"target": [str(v) for v in problem.y.tolist()]}
    own = {column: list(map(str, values)) for column, values in (extra or {}).items()}
    table |= targets | own
    columns = rng.permutation(list(table)).tolist()
    if problem.ids is None:
        return [_csv(folder / f"{name}.csv", columns, table, np.arange(n))]
    table["id"] = problem.ids.tolist()
    first, second = columns[::2], columns[1::2]
    return [
        _csv(folder / f"{name}.csv", ["id", *first], table, np.arange(n)),
        _csv(folder / f"{name}-more.csv", [*second, "id"], table, rng.permutation(n)),
    ]


def _csv(file: Any, columns: list[str], table: dict[str, list[str]], rows: np.ndarray) -> str:
    with open(file, "w", newline="") as out:
        csv.writer(out, quoting=csv.QUOTE_ALL).writerow(columns)  # quoted numbers are names
        csv.writer(out).writerows([table[c][i] for c in columns] for i in rows)
    return str(file)
