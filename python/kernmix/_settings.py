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
    """Number of threads as in joblib: None is 1 unless a context sets another number, -1 is all cores."""
    return int(effective_n_jobs(n_jobs))


def seed(random_state: Any) -> int:
    """None is 0, so that runs are reproducible by default."""
    if random_state is None or isinstance(random_state, Integral):
        return int(random_state or 0)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def loss_info(loss: Any) -> dict[str, Any]:
    """The row of this loss in `_core.losses()`, or an empty dict for an unknown name."""
    name = str(loss).split(":")[0].strip()
    return next((info for info in _core.losses() if info["name"].split(":")[0] == name), {})


def check_loss(loss: str, target: str, estimator: str) -> None:
    """Raises ValueError if `loss` is for another kind of target.

    The library rejects unknown names, with similar ones in the message.
    """
    learned = loss_info(loss).get("target", target)
    if learned != target:
        fitting = ", ".join(i["name"] for i in _core.losses() if i["target"] == target)
        raise ValueError(f"loss '{loss}' is for {learned}, but {estimator} needs a loss for {target}: {fitting}")
