"""Base kernels as Python values: the functions of the library, and your own functions.

Every function of `kernmix list kernels` has its name here. It computes matrices, and in
`kernels` of an estimator it stands for an expression of the kernel language:

    >>> from kernmix import kernels
    >>> kernels.rbf(gamma=0.5)([[0.0], [1.0]]).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    >>> str(kernels.rbf(width="median*2^-1..2^1").on("color", "shape"))
    'rbf(width=median*2^-1..2^1) on color|shape'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from . import _core
from ._arrays import doubles, unmasked, within_doubles
from ._containers import as_container

__all__ = ["Function", "Kernel", "function", "names"]

Value = float | str | Sequence[float]


@dataclass(frozen=True)
class Kernel:
    """A kernel function of the library with its parameters and the views that it reads.

    Parameters
    ----------
    name : one of `names()`.
    parameters : for each parameter a number, a sequence of numbers (one kernel for each), or a text
        of the kernel language such as "2^-3..2^3" or "median*2".
    views : names or globs of views; empty means every view. ("all",) joins the columns of all views.
    each : one kernel for every single column instead of one for each view.
    normalize : "variance", "trace", "unit-trace", "cosine", "center", "none", or several joined by "+";
        None is the rule of the estimator.
    group : the group in reports; None is the view.
    """

    name: str
    parameters: dict[str, Value] = field(default_factory=dict)
    views: tuple[str, ...] = ()
    each: bool = False
    normalize: str | None = None
    group: str | None = None

    def on(
        self,
        *views: str,
        each: bool = False,
        normalize: str | None = None,
        group: str | None = None,
    ) -> Kernel:
        """The same function on these views."""
        return replace(self, views=views, each=each, normalize=normalize, group=group)

    @property
    def function(self) -> str:
        """ "rbf(gamma=0.5)": the function without views."""
        values = ", ".join(f"{key}={_text(value)}" for key, value in self.parameters.items())
        return f"{self.name}({values})" if values else self.name

    def __str__(self) -> str:
        """The expression of the kernel language."""
        return self.function + _suffix(self.views, self.each, self.normalize, self.group)

    def __hash__(self) -> int:
        return hash(str(self))

    def __call__(self, X: ArrayLike, Z: ArrayLike | None = None) -> NDArray[np.float64]:
        """The matrix (|X|, |Z|) between the rows of X and of Z; without Z between the rows of X.

        Columns are not scaled and the kernel is not normalised; widths must be numbers.
        """
        return _core.kernel_matrix(self.function, _doubles(X), None if Z is None else _doubles(Z))


@dataclass(frozen=True)
class Function:
    """A kernel written in Python.

    Parameters
    ----------
    function : callable (A, B) -> array (|A|, |B|)
        A and B are read-only arrays of float64 whose rows are samples, with the unscaled columns of X. The
        function must be symmetric and positive semidefinite.
    view : the view whose columns it gets; None is all columns of X.
    name : the name of the kernel; None is the name of the function.
    normalize : as in `Kernel`.
    group : as in `Kernel`.
    """

    function: Callable[[NDArray[np.float64], NDArray[np.float64]], ArrayLike]
    view: str | None = None
    name: str | None = None
    normalize: str | None = None
    group: str | None = None

    @property
    def label(self) -> str:
        """The name of the kernel."""
        return self.name or getattr(self.function, "__name__", type(self.function).__name__)

    def __call__(self, A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
        """The matrix (|A|, |B|). Raises ValueError for another shape, and for numbers complex or not finite."""
        left = _read_only(A)
        values = np.asarray(unmasked(self.function(left, left if A is B else _read_only(B))))
        if values.dtype.kind == "c":
            raise ValueError(f"the kernel '{self.label}' gave complex numbers: it must give real ones")
        matrix = doubles(values)
        if matrix.shape != (len(A), len(B)):
            raise ValueError(
                f"the kernel '{self.label}' gave an array of shape {matrix.shape} for "
                f"{len(A)} and {len(B)} samples: it must give one row for each of the first and "
                "one column for each of the second"
            )
        if not np.isfinite(matrix).all():
            raise ValueError(f"the kernel '{self.label}' gave numbers that are not finite")
        return matrix


def _read_only(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same numbers, which may be those of the caller."""
    view = values.view()
    view.flags.writeable = False
    return view


def function(
    function: Callable[..., ArrayLike],
    *,
    view: str | None = None,
    name: str | None = None,
    normalize: str | None = None,
    group: str | None = None,
) -> Function:
    """A kernel written in Python; see `Function`."""
    return Function(function, view, name, normalize, group)


def names() -> list[str]:
    """The kernel functions of the library."""
    return [info["name"] for info in _core.kernel_functions()]


def expression(name: str, views: Sequence[str] = (), **options: Any) -> str:
    """The expression of one kernel function on views, with names quoted where necessary."""
    return name + _suffix(tuple(views), False, options.get("normalize"), options.get("group"))


def _suffix(views: tuple[str, ...], each: bool, normalize: str | None, group: str | None) -> str:
    text = " on " + "|".join(map(_quoted, views)) if views else ""
    text += ", each" if each else ""
    text += f", normalize={normalize}" if normalize else ""
    return text + (f", group={_quoted(group)}" if group else "")


def _quoted(name: str) -> str:
    if name == "each view" or not any(character in " \t,|()'\"" for character in name):
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


def _text(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (Sequence, np.ndarray)):
        return "{" + "; ".join(_text(item) for item in value) + "}"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def _doubles(X: ArrayLike) -> NDArray[np.float64]:
    checked = within_doubles("X", check_array, as_container(X), dtype=np.float64, order="C", input_name="X")
    return doubles(checked)


def _maker(info: dict[str, Any]) -> Callable[..., Kernel]:
    name = info["name"]

    def make(**parameters: Value) -> Kernel:
        return Kernel(name, parameters)

    make.__name__ = make.__qualname__ = name
    make.__module__ = __name__
    make.__doc__ = f"{info['formula']}. Parameters: {info['parameters']}. It reads {info['reads']}."
    return make


def __getattr__(name: str) -> Callable[..., Kernel]:
    for info in _core.kernel_functions():
        if info["name"] == name:
            return _maker(info)
    raise AttributeError(f"there is no kernel '{name}': there are {', '.join(names())}")


def __dir__() -> list[str]:
    return [*__all__, *names()]
