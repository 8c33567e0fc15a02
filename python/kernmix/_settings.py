"""Values of parameters as the library reads them."""

from __future__ import annotations

import re
from numbers import Integral
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from . import _core

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_bytes(memory: str | int | None) -> int | None:
    """ "500M" or "4G" as bytes. Raises ValueError for another text."""
    if memory is None or isinstance(memory, Integral):
        return None if memory is None else int(memory)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", memory)
    if not found:
        raise ValueError(f"memory must be a size such as '500M' or '4G', got {memory!r}")
    return int(float(found[1]) * _UNITS[found[2]])


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
