"""Estimators at the points of grids, as the library's searches and comparisons take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from numbers import Real
from typing import Any

from sklearn.base import clone

from . import _parameters
from ._bank import listed
from ._base import BaseMKL, Prepared
from .kernels import Function

Point = dict[str, Any]
# Its name, the options of training, its numbers in the grid, and the number of its path.
Candidate = tuple[str, dict[str, Any], list[tuple[str, float]], int]

RESOURCES = ("time_limit", "memory", "threads", "seed")
_SHARED = {*_parameters.DATA, *(parameter.name for parameter in _parameters.RESOURCES)}


def points_of(
    grid: Mapping[str, Sequence[Any]] | Iterable[Mapping[str, Sequence[Any]]],
) -> tuple[list[Point], list[int]]:
    """The points of a grid, or of several, and the number of the path that each lies on.

    Parameters are taken in the order of their names, C last: models that differ in their last number alone
    follow each other, and each begins with the answer of the one before.
    """
    points: list[Point] = []
    paths: list[int] = []
    for one in [grid] if isinstance(grid, Mapping) else list(grid):
        names = sorted(one, key=lambda name: (name == "C", name))
        for name in names:
            if isinstance(one[name], str) or not isinstance(one[name], Iterable) or len(list(one[name])) == 0:
                raise ValueError(f"the grid of {name} must be a list of values, got {one[name]!r}")
        values = [list(one[name]) for name in names]
        along = len(values[-1]) if values and all(_is_number(value) for value in values[-1]) else 1
        first = paths[-1] + 1 if paths else 0
        for place, point in enumerate(product(*values)):
            points.append(dict(zip(names, point, strict=True)))
            paths.append(first + place // along)
    return points, paths


def candidates_of(
    estimator: BaseMKL, points: Sequence[Point], paths: Sequence[int], X: Any, y: Any, sample_weight: Any, groups: Any
) -> tuple[list[Candidate], Prepared]:
    """The estimator at each point, and its training set. Raises ValueError for points with other samples or kernels."""
    several = _varying(points)
    candidates: list[Candidate] = []
    for point, path in zip(points, paths, strict=True):
        machine = clone(estimator).set_params(**point)
        _require_expressions(machine)
        own = machine._prepare(X, y, sample_weight, groups)
        name = ", ".join(f"{key}={_shown(point[key])}" for key in several if key in point)
        numbers = [(key, float(value)) for key, value in point.items() if _is_number(value)]
        candidates.append((name, own.options, numbers, path))
    return candidates, own


def resources_of(estimator: BaseMKL) -> dict[str, Any]:
    """What a call may use, as the estimator says it."""
    settings = estimator._settings()
    return {name: settings[name] for name in RESOURCES}


def check_grid(estimator: BaseMKL, names: Iterable[str]) -> None:
    """Raises ValueError for what cannot differ between candidates of the same samples."""
    known = estimator.get_params()
    for name in names:
        if name not in known:
            raise ValueError(f"{type(estimator).__name__} has no parameter {name!r}: there are {', '.join(known)}")
        if name in _SHARED:
            raise ValueError(f"{name} is the same for all candidates here: set it once, or use MKLSearchCV")


def _varying(points: Sequence[Point]) -> list[str]:
    names = list(dict.fromkeys(name for point in points for name in point))
    return [name for name in names if len({_shown(point.get(name)) for point in points}) > 1]


def _require_expressions(machine: BaseMKL) -> None:
    if any(isinstance(kernel, Function) for kernel in listed(machine.kernels)):
        raise ValueError(
            "kernels that are functions in Python are computed anew for each candidate: give their matrices as a "
            "GramStack, or use MKLSearchCV"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """As the command line tool writes it: 10 for 10.0."""
    if _is_number(value) and float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
