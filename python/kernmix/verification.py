"""Results of `verify`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Claim:
    """One claim of a model, recomputed from its training data.

    Attributes
    ----------
    name : data, support, settings, scaling, kernels, predictions, weights, dual, bounds, bias or
        status.
    agrees : whether the recomputed value agrees.
    finding : a sentence about the disagreement; empty if the claim agrees.
    reported, recomputed : the two numbers that were compared.
    """

    name: str
    agrees: bool
    finding: str
    reported: float
    recomputed: float


@dataclass(frozen=True, repr=False)
class Verification:
    """Verification of a model: every kernel is evaluated again in double precision, without the solver.

    It is true if every claim agrees to 1e-9.

    Attributes
    ----------
    agrees : whether the data is the training data and every claim agrees.
    claims : list of Claim.
    same_data : whether the data has the fingerprint of the training data.
    difference : largest difference of a part of the certificate, divided by max(|primal|, |dual|).
    reported, recomputed : the certificate of the model and the recomputed one: primal, dual, gap, ...
    exact_reported, exact_recomputed : with landmarks and certificate="exact" the bounds for the exact kernels,
        otherwise None.
    """

    agrees: bool
    claims: list[Claim]
    same_data: bool
    difference: float
    reported: dict[str, float]
    recomputed: dict[str, float]
    exact_reported: dict[str, float] | None = None
    exact_recomputed: dict[str, float] | None = None

    def __bool__(self) -> bool:
        return self.agrees

    def __repr__(self) -> str:
        lines = [f"{claim.name:<12} {claim.finding or 'agrees'}" for claim in self.claims]
        return "\n".join([*lines, "all claims agree" if self.agrees else "NOT verified"])


def _copy(bounds: Any) -> dict[str, float] | None:
    return None if bounds is None else dict(bounds)


def verification(found: Any) -> Verification:
    """Converts the library's result (`_core.Verification`)."""
    return Verification(
        agrees=found.agrees,
        claims=[Claim(**claim) for claim in found.claims],
        same_data=found.same_data,
        difference=found.difference,
        reported=dict(found.reported),
        recomputed=dict(found.recomputed),
        exact_reported=_copy(found.exact_reported),
        exact_recomputed=_copy(found.exact_recomputed),
    )
