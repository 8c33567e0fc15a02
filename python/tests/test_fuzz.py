"""Nothing that Python can hand over crashes the extension module or raises what is not documented.

KERNMIX_FUZZ_CALLS says how many calls are made; they are the same ones each time.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
import toy

from kernmix import _core

CALLS = int(os.environ.get("KERNMIX_FUZZ_CALLS", "12000"))
# ParameterError and DataError are ValueErrors, ResourceError is a MemoryError.
DOCUMENTED = (TypeError, ValueError, MemoryError, OSError)
N = 12
X = toy.points(N, 4)
COLUMNS = ["c1", "c2", "c3", "c4"]
MODELS: list[_core.Model] = []


class Evil:
    """Raises whatever is asked of it."""

    def __getattr__(self, name):
        raise ValueError(name)

    def __len__(self):
        raise ValueError("len")

    def __fspath__(self):
        raise ValueError("fspath")

    def __float__(self):
        raise ValueError("float")


def arrays(rng: random.Random) -> object:
    """Arrays of wrong types, shapes, strides; read only, empty, huge, not finite, of others' memory."""
    shape = rng.choice([(N, 4), (N, N), (0, 0), (0, 4), (N, 0), (1, 1), (N,), (), (3, N, N), (N, 4, 1), (5, 4), (N, 3)])
    dtype = rng.choice(["f8"] * 8 + ["f4", "i8", "u1", "?", "c16", ">f8", "O", "U3", "M8[s]", "V8", "f2"])
    values = np.random.default_rng(rng.randrange(99)).normal(size=shape)
    try:
        array = values.astype(dtype)
    except (TypeError, ValueError):
        array = np.zeros(shape, dtype)
    change = rng.choice(
        [None] * 6 + ["F", "readonly", "reversed", "strided", "nan", "inf", "huge", "symmetric", "zero"]
    )
    if change == "F":
        return np.asfortranarray(array)
    if change == "readonly":
        array.setflags(write=False)
    if change == "reversed" and array.ndim:
        return array[::-1]
    if change == "strided" and array.ndim:
        return array[..., ::2]
    if dtype == "f8" and array.size:
        if change in ("nan", "inf", "huge"):
            array.flat[rng.randrange(array.size)] = {"nan": np.nan, "inf": np.inf, "huge": 1e308}[change]
        if change == "symmetric" and array.ndim == 2 and shape[0] == shape[1]:
            return array @ array.T
        if change == "zero":
            array[...] = 0
    return array


def texts(rng: random.Random) -> list[str]:
    good = [f"s{k}" for k in range(N)]
    return rng.choice(
        [
            COLUMNS,
            good,
            ["a", "b"] * (N // 2),
            ["a", "b", "c"] * (N // 3),
            ["1", "2.5"] * (N // 2),
            [],
            ["c1"],
            ["c1", "c1"],
            ["\0"],
            ["\ud800"],
            [""] * N,
            ["é" * 100] * N,
            ["a"] * N,
        ]
    )


def text(rng: random.Random) -> str:
    return rng.choice(
        [
            "",
            "c1",
            "v",
            "gram",
            "distance",
            "hinge",
            "squared",
            "logistic",
            "l1",
            "lp:p=2",
            "auto",
            "newton",
            "silp",
            "none",
            "free",
            "standard",
            "trace",
            "center+trace",
            "sum",
            "minimax",
            "rbf",
            "rbf(gamma=1)",
            "linear on *",
            "precomputed",
            "poly(degree=1..3)",
            "one-class:nu=0.5",
            "joint",
            "one-vs-one",
            "/no/such",
            "\0",
            "\ud800",
            "x" * 1000,
            "rbf(gamma=",
            "1..9",
        ]
    )


def anything(rng: random.Random) -> object:
    return rng.choice([
        lambda: arrays(rng), lambda: arrays(rng), lambda: arrays(rng), lambda: text(rng), lambda: texts(rng),
        lambda: None, lambda: rng.choice([0, 1, -1, 2, 2**31, 2**63, 2**64, -(2**63), 10**30]),
        lambda: rng.choice([0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, float("nan"), float("inf")]),
        lambda: rng.choice([True, False]), lambda: {"yes": 2.0}, lambda: {"a": float("nan"), "b": 1}, lambda: {1: 2},
        lambda: Evil(), lambda: b"bytes", lambda: object(), lambda: [1, "a", None], lambda: (lambda *a: None),
        lambda: (lambda *a: 1 / 0), lambda: _core.Data(), lambda: data(rng), lambda: rng.choice(MODELS),
        lambda: memoryview(b"12345678"), lambda: type,
    ])()  # fmt: skip


def data(rng: random.Random) -> _core.Data:
    """Often good, or nearly so."""
    made = _core.Data()
    labels = rng.choice([["yes", "no"] * (N // 2), ["a", "b", "c"] * (N // 3), None])
    steps = [
        lambda: made.set_table(X, COLUMNS),
        lambda: made.add_view("v", COLUMNS[:2]),
        lambda: made.add_view("w", COLUMNS[2:]),
        lambda: made.set_labels(labels) if labels else made.set_numbers(X[:, 0].copy()),
    ]
    if rng.random() < 0.3:
        steps.append(lambda: made.add_matrix("k", rng.choice(["gram", "distance"]), X @ X.T))
    if rng.random() < 0.2:
        steps.append(lambda: made.set_multilabel(X[:, :2] > 0, ["p", "q"]))
    if rng.random() < 0.2:
        steps.pop(rng.randrange(len(steps)))
    for step in steps:
        step()
    if rng.random() < 0.2:
        mutate(made, rng)
    return made


def mutate(made: _core.Data, rng: random.Random) -> None:
    name = rng.choice(
        [
            "set_table",
            "add_view",
            "add_matrix",
            "set_labels",
            "set_numbers",
            "set_multilabel",
            "set_ids",
            "add_matrix_file",
        ]
    )
    arguments = {
        "set_table": lambda: (arrays(rng), texts(rng)),
        "add_view": lambda: (text(rng), texts(rng)),
        "add_matrix": lambda: (text(rng), rng.choice(["gram", "distance", text(rng)]), arrays(rng)),
        "set_labels": lambda: (texts(rng),),
        "set_numbers": lambda: (arrays(rng), rng.choice([None, ["a"], ["a", "b", "c", "d"]])),
        "set_multilabel": lambda: (arrays(rng), texts(rng)),
        "set_ids": lambda: (texts(rng),),
        "add_matrix_file": lambda: (text(rng), "gram", rng.choice([text(rng), b"/no", Evil(), 3])),
    }[name]()
    try:
        getattr(made, name)(*arguments)
    except DOCUMENTED:
        pass


TRAINING = [
    "kernels",
    "regularizer",
    "loss",
    "C",
    "bias",
    "class_weights",
    "sample_weights",
    "positive",
    "scaling",
    "normalization",
    "assume_psd",
    "solver",
    "tolerance",
    "max_iterations",
    "without",
    "scheme",
    "coupling",
    "threshold_folds",
    "calibration",
    "calibration_folds",
    "time_limit",
    "memory",
    "threads",
    "seed",
    "progress",
    "log",
]
GOOD = {
    "kernels": [["rbf on *"], ["linear on *", "rbf(width=median)"], ["precomputed"], ["chi2 on v"], []],
    "regularizer": ["l1", "lp:p=2", "average", "sum", "elastic-net:l1=1,l2=0.5", "entropy:theta=1", "align", "alignf"],
    "loss": ["hinge", "squared-hinge", "logistic", "squared", "epsilon:eps=0.1", "one-class:nu=0.5", "svdd:nu=0.5"],
    "C": [1.0, 100.0, 1e-50, 1e50],
    "bias": ["free", "none", "penalised"],
    "solver": ["auto", "newton", "silp", "level", "simple"],
    "scheme": ["one-vs-rest", "one-vs-one", "joint", "labels", "targets", None],
    "coupling": ["sum", "minimax", "separate"],
    "max_iterations": [1, 5],
    "sample_weights": [np.ones(N), np.linspace(1, 2, N)[::-1], None],
    "threads": [1, 2],
    "threshold_folds": [0, 2],
    "calibration": ["none", "platt", "isotonic", "beta"],
    "calibration_folds": [2, 3],
    "time_limit": [0.0, 1.0, None],
    "progress": [None, lambda *a: False],
}  # fmt: skip


def training_options(rng: random.Random) -> dict[str, object]:
    options: dict[str, object] = {"kernels": ["rbf on *"], "max_iterations": 3}
    for name in rng.sample(TRAINING, rng.randrange(4)):
        options[name] = rng.choice(GOOD[name]) if name in GOOD and rng.random() < 0.7 else anything(rng)
    if isinstance(options.get("threads"), int) and options["threads"] > 8:
        del options["threads"]
    return options


def read_all(value: object) -> None:
    """Every attribute of a result."""
    for name in dir(value):
        if not name.startswith("_") and not callable(getattr(value, name)):
            repr(getattr(value, name))


def train(rng: random.Random) -> None:
    result = _core.train(data(rng), **training_options(rng))
    read_all(result)
    read_all(result.model)
    MODELS[rng.randrange(len(MODELS))] = result.model


def use_model(rng: random.Random) -> None:
    model = rng.choice(MODELS)
    given = data(rng) if rng.random() < 0.8 else anything(rng)
    if rng.random() < 0.5:
        read_all(model.predict(given, contributions=rng.random() < 0.5))
    else:
        read_all(model.verify(given))


def damaged_model(rng: random.Random) -> None:
    state = bytearray(rng.choice(MODELS).to_bytes())
    for _ in range(rng.randrange(1, 4)):
        state[rng.randrange(len(state))] ^= 1 << rng.randrange(8)
    del state[rng.randrange(len(state)) :]
    _core.Model.from_bytes(bytes(state))


FUNCTIONS = [
    "train",
    "expand_kernels",
    "kernel_matrix",
    "KernelStack",
    "losses",
    "regularizers",
    "solvers",
    "strategies",
    "support_matrix",
    "kernel_functions",
    "weight_stability",
    "significance",
    "explain",
    "Data",
    "Model",
    "TrainResult",
    "Prediction",
]


def wild_call(rng: random.Random) -> None:
    getattr(_core, rng.choice(FUNCTIONS))(*[anything(rng) for _ in range(rng.randrange(4))])


def wild_method(rng: random.Random) -> None:
    target = rng.choice([data(rng), rng.choice(MODELS), _core.Model])
    names = [name for name in dir(target) if not name.startswith("_")] + ["__setstate__", "__init__", "__getstate__"]
    method = getattr(target, rng.choice([name for name in names if name != "save"]), None)
    if callable(method):
        method(*[anything(rng) for _ in range(rng.randrange(4))])


def matrix(rng: random.Random) -> None:
    _core.kernel_matrix(rng.choice(["rbf", "linear", "chi2", text(rng)]), arrays(rng), rng.choice([None, arrays(rng)]))


def stack(rng: random.Random) -> None:
    made = _core.KernelStack(data(rng), rng.choice([[], ["rbf on *"], [text(rng)]]))
    read_all(made)
    rng.choice([lambda: made.training(), lambda: made.between(data(rng)), lambda: made.alignment(arrays(rng))])()


def count(rng: random.Random) -> object:
    """Small, for each is as much work."""
    given = anything(rng)
    return rng.choice([0, 1, 2, 4]) if isinstance(given, int) and given > 8 else given


def trust(rng: random.Random) -> None:
    """Resamples, permutations and explanations."""
    folds = [(list(range(1, N, 2)), list(range(0, N, 2))), (list(range(0, N, 2)), list(range(1, N, 2)))]
    splits = rng.choice([folds, folds, folds[:1], [], [([0, 1], [N + 5])], [([], [])], [([3, 1], [2])], anything(rng)])
    options = training_options(rng) if rng.random() < 0.9 else anything(rng)
    given = data(rng) if rng.random() < 0.9 else anything(rng)
    share = rng.choice([0.5, 0.9, None, anything(rng)])
    rng.choice([
        lambda: _core.weight_stability(
            given, options, resamples=count(rng), null_runs=count(rng), method=rng.choice(["subsample", "bootstrap"])
        ),
        lambda: _core.weight_stability(
            given, options, resamples=2, null_runs=0, threshold=share, level=rng.choice([0.9, share])
        ),
        lambda: _core.significance(
            given, options, splits, permutations=count(rng), views=rng.random() < 0.5, permute_views=rng.random() < 0.2
        ),
        lambda: _core.significance(given, options, splits, score=text(rng)),
        lambda: _core.explain(rng.choice(MODELS), given, gradients=anything(rng)),
    ])()  # fmt: skip


ACTIONS = (
    [trust] * 3 + [train] * 4 + [use_model] * 3 + [wild_call] * 3 + [wild_method] * 4 + [damaged_model, matrix, stack]
)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_no_call_crashes():
    good = _core.Data()
    good.set_table(X, COLUMNS)
    good.add_view("v", COLUMNS)
    good.set_labels(["yes", "no"] * (N // 2))
    MODELS.extend(_core.train(good, kernels=["rbf", "linear"]).model for _ in range(4))
    refused = 0
    for call in range(CALLS):
        rng = random.Random(call)
        action = rng.choice(ACTIONS)
        try:
            action(rng)
        except DOCUMENTED:
            refused += 1
        except ZeroDivisionError:  # what a callback raised
            pass
        except Exception as wrong:
            raise AssertionError(f"call {call} ({action.__name__}) raised {type(wrong).__name__}") from wrong
    print(f"{CALLS} calls, {refused} refused")
    assert refused > 0.1 * CALLS
