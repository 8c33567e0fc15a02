"""Warnings of the library as warnings of Python."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from types import FrameType
from typing import Any

from sklearn.exceptions import ConvergenceWarning


class KernmixWarning(UserWarning):
    """A warning about a fit.

    Attributes
    ----------
    code : a code from the page "Warnings" of the manual, such as "kernel-near-identity".
    kernels : names of the kernels concerned, if any.
    """

    def __init__(self, message: str, code: str = "", kernels: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.kernels = kernels


def level_of_caller() -> int:
    """The stacklevel of a warning in the calling function that shows the line which called the package."""
    frame: FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "kernmix":
        frame, level = frame.f_back, level + 1
    return level


def warn_of(result: Any, tol: float) -> None:
    """Raises the warnings of a training result, and a ConvergenceWarning if the tolerance was missed."""
    names = [kernel["name"] for kernel in result.model.kernels] if result.warnings else []
    for code, message, kernels in result.warnings:
        mentioned = tuple(names[place] for place in kernels)
        warnings.warn(KernmixWarning(f"{message} [{code}]", code, mentioned), stacklevel=4)
    if result.status != "converged":
        product = result.model.product
        measure = "stationarity" if product else "relative gap"
        reached = product["stationarity"] if product else result.model.certificate["relative_gap"]
        warnings.warn(
            f"training stopped ({result.status}) at the {measure} {reached:.2g}, above tol={tol:g}: "
            f"the certificate holds, but a better answer may exist; {_remedy(result.status)}",
            ConvergenceWarning,
            stacklevel=4,
        )


def _remedy(status: str) -> str:
    if status == "stopping rule":
        return "without its stopping rule the solver continues to tol"
    if status == "stalled":
        return "take a larger tol, a smaller C or solver='auto', or scale the data"
    return "raise max_iter or time_limit, or scale the data"


def warn_of_findings(found: Iterable[tuple[str, str, Any]], *, told: Iterable[Any] = (), stacklevel: int) -> None:
    """Raises warnings (code, message, kernels), except those of `told`, in which a message was raised before."""
    messages = {message for _, message, _ in told}
    for code, message, _ in found:
        if message not in messages:
            warnings.warn(KernmixWarning(f"{message} [{code}]", code), stacklevel=stacklevel + 1)
