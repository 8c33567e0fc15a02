"""The parameters that all estimators share: what they may be, and as the library reads them."""

from __future__ import annotations

import re
from numbers import Integral, Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from . import _core
from .kernels import Function, Kernel

POSITIVE = Interval(Real, 0, None, closed="neither")

SCALING_RULES = ("auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none")

CONSTRAINTS: dict[str, list[Any]] = {
    "kernels": [None, str, list, tuple, Kernel, Function, callable],
    "views": [None, dict, list, tuple],
    "regularizer": [str],
    "loss": [str],
    "C": [POSITIVE, None],
    "bias": [StrOptions({"free", "none", "penalised"})],
    "scaling": [StrOptions(set(SCALING_RULES)), dict],
    "normalization": [str],
    "assume_psd": ["boolean"],
    "repair": [StrOptions({"clip", "shift", "flip"}), None],
    "solver": [str],
    "tol": [Interval(Real, 0, 1, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "time_limit": [None, POSITIVE],
    "n_jobs": [None, Integral],
    "memory": [None, str, Interval(Integral, 0, None, closed="left")],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
    "callback": [None, callable],
}

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_bytes(memory: str | int | None) -> int | None:
    """ "500M" or "4G" as bytes. Raises ValueError for another text."""
    if memory is None or isinstance(memory, Integral):
        return None if memory is None else int(memory)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", memory)
    if not found:
        raise ValueError(f"memory must be a size such as '500M' or '4G', got {memory!r}")
    return int(float(found[1]) * _UNITS[found[2]])


def scaling_rules(scaling: str | dict[str, str]) -> list[str]:
    """A rule for all views, or {view: rule}, as the library reads them."""
    if isinstance(scaling, str):
        return [scaling]
    return [f"{view}={rule}" for view, rule in scaling.items()]


def threads(n_jobs: int | None) -> int:
    """As joblib counts: None is 1 unless a context says otherwise, -1 is all cores."""
    return int(effective_n_jobs(n_jobs))


def seed(random_state: Any) -> int:
    """None is 0: answers are the same from run to run unless they are asked to differ."""
    if random_state is None or isinstance(random_state, Integral):
        return int(random_state or 0)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def loss_info(loss: Any) -> dict[str, Any]:
    """Its row of `_core.losses()`, or an empty one of an unknown name."""
    name = str(loss).split(":")[0].strip()
    return next((info for info in _core.losses() if info["name"].split(":")[0] == name), {})


def check_loss(loss: str, target: str, estimator: str) -> None:
    """Raises ValueError where `loss` learns from something else than `target`.

    An unknown name is left to the library, which knows the near ones.
    """
    learned = loss_info(loss).get("target", target)
    if learned != target:
        fitting = ", ".join(i["name"] for i in _core.losses() if i["target"] == target)
        raise ValueError(f"loss '{loss}' learns from {learned}, {estimator} needs one of {target}: {fitting}")
