"""Warnings of the library as warnings of Python."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
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
            "the certificate holds, but a better answer may exist; raise max_iter or time_limit, "
            "or scale the data",
            ConvergenceWarning,
            stacklevel=4,
        )


def warn_of_findings(found: Iterable[tuple[str, str, Any]], *, told: Iterable[Any] = (), stacklevel: int) -> None:
    """Raises warnings (code, message, kernels), except those of `told`, in which a message was raised before."""
    messages = {message for _, message, _ in told}
    for code, message, _ in found:
        if message not in messages:
            warnings.warn(KernmixWarning(f"{message} [{code}]", code), stacklevel=stacklevel + 1)
