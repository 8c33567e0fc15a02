"""The parameters of estimators: the settings of the library, and what Python adds to them.

A setting of the library is a parameter of every estimator that does not leave it out. OWN has those that Python
says otherwise: their names, defaults, constraints and descriptions.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar

from sklearn.utils._param_validation import Interval, StrOptions

from . import _core
from ._docs import documented
from .kernels import Function, Kernel

POSITIVE = Interval(Real, 0, None, closed="neither")
SCALING_RULES = ("auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none")
SCHEMES = {"auto": None, "ovr": "one-vs-rest", "ovo": "one-vs-one", "joint": "joint"}

Class = TypeVar("Class", bound=type)


class Parameter(NamedTuple):
    """One parameter of an estimator."""

    name: str
    default: Any
    constraint: list[Any]
    description: str  # "name : what it may be", and an indented text
    setting: str | None = None  # its name in the library
    to_library: Callable[[Any], Any] = lambda value: value


def scaling_rules(scaling: str | dict[str, str]) -> list[str]:
    """A rule for all views, or {view: rule}, as the library reads them."""
    if isinstance(scaling, str):
        return [scaling]
    return [f"{view}={rule}" for view, rule in scaling.items()]


def _described(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n{textwrap.fill(text, 100, initial_indent='    ', subsequent_indent='    ')}"


_FORMS: dict[str, tuple[str, list[Any], Callable[[Any], Any]]] = {
    "text": ("text", [str], str),
    "number": ("float > 0", [POSITIVE], float),
    "whole": ("int", [Integral], int),
    "toggle": ("bool", ["boolean"], bool),
    "list": ("list of texts", [list, tuple], list),
    "shares": ("dict", [dict], dict),
}


def _of_setting(row: dict[str, Any]) -> Parameter:
    """The parameter of a setting that Python says as the library does."""
    kind, constraint, convert = _FORMS[row["form"]]
    optional = row["preset"] is None
    return Parameter(
        row["name"],
        row["preset"],
        [*constraint, None] if optional else constraint,
        _described(row["name"], kind + (" or None" if optional else ""), row["help"]),
        row["name"],
        lambda value: None if value is None else convert(value),
    )


OWN = {
    "kernels": Parameter(
        "kernels",
        None,
        [None, str, list, tuple, Kernel, Function, callable],
        """kernels : None, expression, kernel, function, or list of these
    Expressions of the kernel language such as "rbf(width=median*2^-1..2^1) on color", kernels of
    `kernmix.kernels`, and functions (A, B) -> array (|A|, |B|). None is five Gaussian widths on
    every view, and every matrix of a GramStack. "precomputed" alone takes an array X of shape
    (n, n) as a Gram matrix, as scikit-learn's SVC does.""",
    ),
    "scaling": Parameter(
        "scaling",
        "auto",
        [StrOptions(set(SCALING_RULES)), dict],
        """scaling : "auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none", or a dict
    How columns are scaled, fitted on the training samples: one rule for all views, or a dict with the
    rule of each view by name and "auto" for the others. "auto" chooses by the numbers of each view;
    `scaling_` has its choice.""",
        "scaling",
        scaling_rules,
    ),
    "normalization": Parameter(
        "normalization",
        "auto",
        [str],
        """normalization : text
    Of kernels that do not say their own: "variance", "trace", "unit-trace", "cosine", "center",
    "none", or several joined by "+". "auto" is "variance", and "trace" where dual variables do not
    sum to zero (novelty detection by "one-class", a bias that is not free).""",
        "normalization",
    ),
    "repair": Parameter(
        "repair",
        None,
        [StrOptions({"clip", "shift", "flip"}), None],
        """repair : "clip", "shift", "flip" or None
    Of given matrices, and kernels that are Python functions, that are indefinite: clip their negative
    eigenvalues to 0, add the size of the smallest to the diagonal, or flip the signs of the negative ones.
    It is learned from the training samples, and new samples are changed alike; None refuses such a matrix.""",
        "repair",
    ),
    "bias": Parameter(
        "bias",
        "free",
        [StrOptions({"free", "none", "penalised"})],
        """bias : "free", "none" or "penalised"
    Of the constant term: free, zero, or with 1/2 b^2 added to the objective.""",
        "bias",
    ),
    "class_weights": Parameter(
        "class_weight",
        None,
        [StrOptions({"balanced"}), dict, None],
        """class_weight : dict, "balanced" or None
    Factors of C by class; "balanced" is n / (classes n_class). A class that y lacks is an error,
    unless every class of y has a factor.""",
    ),
    "scheme": Parameter(
        "multi_class",
        "auto",
        [StrOptions(set(SCHEMES))],
        """multi_class : "auto", "ovr", "ovo" or "joint"
    One task for each class against the rest, one for each pair of classes, or one problem of
    all classes. "auto" is a single task for two classes and "ovr" for more, and "joint" with
    loss="crammer-singer".""",
        "scheme",
        lambda value: SCHEMES[value],
    ),
    "coupling": Parameter(
        "coupling",
        "sum",
        [StrOptions({"sum", "minimax", "separate"})],
        """coupling : "sum", "minimax" or "separate"
    What kernel weights several tasks (classes, labels, targets) have: shared, for all tasks alike;
    shared, for the task of the largest objective; or each its own.""",
        "coupling",
    ),
    "threshold_folds": Parameter(
        "threshold_folds",
        0,
        [Interval(Integral, 0, None, closed="left")],
        """threshold_folds : int
    Choose the threshold of each label for the largest F1 on samples that models of this number of
    folds were not trained on; 0: all thresholds are 0.""",
        "threshold_folds",
        int,
    ),
    "calibration": Parameter(
        "calibration",
        None,
        [StrOptions({"platt", "isotonic", "beta"}), None],
        """calibration : "platt", "isotonic", "beta" or None
    Fit `predict_proba` to decision values of samples that models were not trained on. Classes and
    labels then follow from probabilities, so that the two agree; `decision_function` stays as it is,
    and beside the threshold its sign and the class may differ. Refused beside threshold_folds.""",
        "calibration",
    ),
    "calibration_folds": Parameter(
        "calibration_folds",
        5,
        [Interval(Integral, 2, None, closed="left")],
        """calibration_folds : int >= 2
    Number of cross-fitting folds for that.""",
        "calibration_folds",
        int,
    ),
    "C": Parameter(
        "C",
        None,
        [POSITIVE, None],
        """C : float > 0 or None
    Weight of the loss. None is 10 for classes and labels and 1 for numbers.""",
        "C",
        lambda value: None if value is None else float(value),
    ),
    "tolerance": Parameter(
        "tol",
        1e-3,
        [Interval(Real, 0, 1, closed="neither")],
        """tol : float in (0, 1)
    Stop at this relative duality gap.""",
        "tolerance",
        float,
    ),
    "max_iterations": Parameter(
        "max_iter",
        1000,
        [Interval(Integral, 1, None, closed="left")],
        """max_iter : int >= 1
    Outer iterations at most.""",
        "max_iterations",
        int,
    ),
}

VIEWS = Parameter(
    "views",
    None,
    [None, dict, list, tuple],
    """views : dict or list of pairs of names and columns, or None
    Columns are chosen by name, index, slice, list, boolean mask, glob ("mean_*") or a function of
    X. None is one view "data" of all columns.""",
)

RESOURCES = (
    Parameter(
        "time_limit",
        None,
        [None, POSITIVE],
        """time_limit : seconds > 0 or None
    Stop after this time with the best certified answer.""",
    ),
    Parameter(
        "n_jobs",
        None,
        [None, Integral],
        """n_jobs : int or None
    Threads; None is 1 unless a joblib context says otherwise, -1 is all cores. The answer does not
    depend on it.""",
    ),
    Parameter(
        "memory",
        None,
        [None, str, Interval(Integral, 0, None, closed="left")],
        """memory : text such as "4G", bytes, or None
    Budget; work that would exceed it is refused before it starts. None is 80 % of what is free.""",
    ),
    Parameter(
        "random_state",
        None,
        ["random_state"],
        """random_state : int, RandomState or None
    Seed of everything random; None is 0.""",
    ),
    Parameter(
        "verbose",
        False,
        ["verbose"],
        """verbose : bool
    Show a progress bar, by tqdm where it is installed.""",
    ),
    Parameter(
        "callback",
        None,
        [None, callable],
        """callback : function (stage, done, total, relative_gap) or None
    Called while the library works; an exception in it ends the run.""",
    ),
)

# The positive class follows from y; strategies are left out by developers of the library.
_NOT_IN_PYTHON = {"positive", "without"}


def settings(leave_out: Iterable[str] = ()) -> list[Parameter]:
    """A parameter for each setting of the library but some."""
    hidden = _NOT_IN_PYTHON | set(leave_out)
    return [OWN.get(row["name"]) or _of_setting(row) for row in _core.settings() if row["name"] not in hidden]


def _named(names: Iterable[str]) -> list[Parameter]:
    known = {parameter.name: parameter for parameter in [VIEWS, *settings(), *RESOURCES]}
    return [known[name] for name in names]


def constraints(*names: str) -> dict[str, list[Any]]:
    """Of some parameters, by name."""
    return {parameter.name: parameter.constraint for parameter in _named(names)}


def descriptions(*names: str) -> str:
    """Of some parameters, for a docstring."""
    return "\n".join(parameter.description for parameter in _named(names))


def estimator(
    *, loss: str, leave_out: Iterable[str] = (), own: Iterable[Parameter] = (), losses: Iterable[Any] = (str,)
) -> Callable[[Class], Class]:
    """Gives a class its constructor, its constraints and its description.

    loss is the default and losses are its constraint; own are parameters beside those of all estimators.
    """
    losses = list(losses)
    of_loss = {"default": loss, "constraint": losses}
    kernels, *rest = [p._replace(**of_loss) if p.name == "loss" else p for p in settings(leave_out)]
    every = [kernels, VIEWS, *rest, *own, *RESOURCES]

    def decorate(cls: Class) -> Class:
        cls._parameters = every  # type: ignore[attr-defined]
        cls._parameter_constraints = {p.name: p.constraint for p in every}  # type: ignore[attr-defined]
        cls.__init__ = _constructor(cls, every)  # type: ignore[misc]
        return documented("\n".join(p.description for p in every))(cls)

    return decorate


def _constructor(cls: type, every: list[Parameter]) -> Callable[..., None]:
    """Stores each parameter under its name; only the first one may be given by place."""
    kinds = inspect.Parameter
    arguments = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    for parameter in every:
        kind = kinds.POSITIONAL_OR_KEYWORD if parameter is every[0] else kinds.KEYWORD_ONLY
        arguments.append(kinds(parameter.name, kind, default=parameter.default))
    signature = inspect.Signature(arguments)

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        try:
            bound = signature.bind(self, *values, **named)
        except TypeError as error:
            raise TypeError(f"{cls.__name__}() {error}") from None
        bound.apply_defaults()
        del bound.arguments["self"]
        for name, value in bound.arguments.items():
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    __init__.__module__ = cls.__module__  # the reference pages inspect classes by module
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__
