"""The parameters of estimators: the settings of the library, and what Python adds to them.

A setting of the library is a parameter of every estimator whose models have it. OWN has those that Python
says otherwise: their names, defaults, constraints and descriptions.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from os import PathLike
from typing import Any, NamedTuple, TypeVar

from sklearn.utils._param_validation import Interval, StrOptions

from . import _core
from ._docs import documented
from .kernels import Function, Kernel

POSITIVE = Interval(Real, 0, None, closed="neither")
SCALING_RULES = ("auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none")
MISSING_RULES = ("refuse", "mean", "median", "mean+indicator", "median+indicator")
ABSENT_RULES = ("keep", "drop", "refuse")
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
    if row["least"] is not None:
        kind, constraint = f"{kind} >= {row['least']}", [Interval(Integral, row["least"], None, closed="left")]
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
    `kernmix.kernels`, and functions (A, B) -> array (|A|, |B|). None: five Gaussian widths on every view, or
    every matrix of a GramStack. "precomputed" alone takes an array X of shape
    (n, n) as a Gram matrix, as scikit-learn's SVC does.""",
    ),
    "scaling": Parameter(
        "scaling",
        "auto",
        [StrOptions(set(SCALING_RULES)), dict],
        """scaling : "auto", "standard", "minmax", "common", "sqrt", "sqrt+standard", "none", or a dict
    Scaling of the columns, fitted on the training samples: one rule for all views, or a dict with the
    rule of each view by name and "auto" for the others. "auto" chooses from the values in each view;
    `scaling_` has its choice.""",
        "scaling",
        scaling_rules,
    ),
    "missing": Parameter(
        "missing",
        "refuse",
        [StrOptions(set(MISSING_RULES))],
        """missing : "refuse", "mean", "median", "mean+indicator" or "median+indicator"
    Missing values, which are NaN or None: an error, or the mean or median of the column's training samples
    takes their place. With "+indicator" one indicator for each such column is added, as the view "missing".""",
        "missing",
    ),
    "absent": Parameter(
        "absent",
        "keep",
        [StrOptions(set(ABSENT_RULES))],
        """absent : "keep", "drop" or "refuse"
    Samples that lack a view, whose values are all NaN in it (in a GramStack, their row and column of a matrix):
    training uses their other views, and the absent view contributes its mean over the training samples that have
    it; they are left out; or they are an error. `view_samples_` has the number of samples with each view.""",
        "absent",
    ),
    "normalization": Parameter(
        "normalization",
        "auto",
        [str],
        """normalization : text
    Rule for kernels without one of their own: "variance", "trace", "unit-trace", "cosine", "center",
    "none", or several joined by "+". "auto" is "variance", or "trace" if the dual variables do not sum to
    zero (the loss "one-class", or a bias that is not free).""",
        "normalization",
    ),
    "repair": Parameter(
        "repair",
        None,
        [StrOptions({"clip", "shift", "flip"}), None],
        """repair : "clip", "shift", "flip" or None
    Repair of indefinite matrices, given or from Python functions: clip negative eigenvalues to 0, subtract
    the smallest eigenvalue from the diagonal, or flip the signs of negative eigenvalues. It is fitted on the
    training samples and applied to new samples; with None an indefinite matrix is an error.""",
        "repair",
    ),
    "landmarks": Parameter(
        "landmarks",
        "auto",
        [str, Interval(Integral, 1, None, closed="left")],
        """landmarks : "auto", "none", int or path
    Every kernel is replaced by its Nystroem kernel of some samples, so that time and memory are linear in the number
    of samples: this number of samples, by randomly pivoted Cholesky; those with the ids in a file, one per line;
    "none": exact kernels; "auto": exact kernels if there are fewer than 4000 samples, or if all kernels fit into the
    memory budget, or if their sum does and there are at most 10,000 samples; otherwise at most 1000 landmarks, as many
    as memory and time allow.""",
        "landmarks",
    ),
    "certificate": Parameter(
        "certificate",
        "landmarks",
        [StrOptions({"landmarks", "exact"})],
        """certificate : "landmarks" or "exact"
    With landmarks, "exact" adds bounds on the optimum with the exact kernels
    (`certificate_.exact`).""",
        "certificate",
    ),
    "combination": Parameter(
        "combination",
        "sum",
        [StrOptions({"sum", "product"})],
        """combination : "sum" or "product"
    "sum": the weighted sum of the kernels, a certified optimum. "product": one product of Gaussian kernels of
    columns with learned weights (generalised MKL), for two classes or a single target; its weights
    are a local optimum (`product_`), and `regularizer` and `solver` keep their defaults.""",
        "combination",
    ),
    "weight_penalty": Parameter(
        "weight_penalty",
        "linear:lambda=1",
        [str],
        """weight_penalty : str
    With combination="product", the penalty of its weights d_m: "linear:lambda=L" (L sum d_m, which makes weights
    zero) or "quadratic:lambda=L" (L/2 sum d_m^2).""",
        "weight_penalty",
    ),
    "weight_start": Parameter(
        "weight_start",
        None,
        [POSITIVE, None],
        """weight_start : float > 0 or None
    With combination="product", the initial weight of each kernel; the local optimum depends on it. None is
    1 / number of kernels.""",
        "weight_start",
        lambda value: None if value is None else float(value),
    ),
    "bias": Parameter(
        "bias",
        "free",
        [StrOptions({"free", "none", "penalised"})],
        """bias : "free", "none" or "penalised"
    The constant term b: free, zero, or with 1/2 b^2 added to the objective.""",
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
    all classes. "auto" is a single task for two classes, "ovr" for more, and "joint" with
    loss="crammer-singer".""",
        "scheme",
        lambda value: SCHEMES[value],
    ),
    "coupling": Parameter(
        "coupling",
        "sum",
        [StrOptions({"sum", "minimax", "separate"})],
        """coupling : "sum", "minimax" or "separate"
    Kernel weights of several tasks (classes, labels, targets): shared, for the sum of the objectives; shared,
    for the largest objective; or own weights for each task.""",
        "coupling",
    ),
    "threshold_folds": Parameter(
        "threshold_folds",
        0,
        [Interval(Integral, 0, None, closed="left")],
        """threshold_folds : int
    Number of cross-fitting folds whose held-out decision values determine, for each label, the threshold with
    the largest F1; 0: all thresholds are 0.""",
        "threshold_folds",
        int,
    ),
    "calibration": Parameter(
        "calibration",
        None,
        [StrOptions({"platt", "isotonic", "beta"}), None],
        """calibration : "platt", "isotonic", "beta" or None
    Fit `predict_proba` to held-out decision values. Predicted classes and labels then follow from the
    probabilities; `decision_function` is unchanged, so that near the threshold its sign and the class may
    differ. Cannot be combined with threshold_folds.""",
        "calibration",
    ),
    "C": Parameter(
        "C",
        None,
        [POSITIVE, None],
        """C : float > 0 or None
    Weight of the loss. None: 10 for classes and labels, 1 for regression.""",
        "C",
        lambda value: None if value is None else float(value),
    ),
    "tolerance": Parameter(
        "tol",
        1e-3,
        [Interval(Real, 0, 1, closed="neither")],
        """tol : float in (0, 1)
    Relative duality gap at which training stops.""",
        "tolerance",
        float,
    ),
    "max_iterations": Parameter(
        "max_iter",
        1000,
        [Interval(Integral, 1, None, closed="left")],
        """max_iter : int >= 1
    Largest number of outer iterations.""",
        "max_iterations",
        int,
    ),
}

VIEWS = Parameter(
    "views",
    None,
    [None, dict, list, tuple],
    """views : dict or list of pairs of names and columns, or None
    Columns are given by name, index, slice, list, boolean mask, glob ("mean_*") or a function of X. None: one
    view "data" with all columns.""",
)

GROUPS = Parameter(
    "groups",
    None,
    [None, str, PathLike, dict],
    """groups : path of a GMT file, dict of names and lists of column names, or None
    Named sets of columns, such as gene sets; each is a view of its columns. Names are matched exactly, sets may
    overlap, and sets without a known name are left out with a warning. Columns in no set are not used, except in
    `views`. (Groups of samples, such as the samples of one patient, are an argument of functions and of `fit`.)""",
)

FEATURE_NAMES = Parameter(
    "feature_names",
    None,
    [None, "array-like"],
    """feature_names : list of D names, or None
    The names of the columns of an array, for `groups` and `views`; a data frame has its own.""",
)

SETS = (GROUPS, FEATURE_NAMES)

CATEGORICAL = Parameter(
    "categorical",
    None,
    [None, StrOptions({"auto"}), list, tuple],
    """categorical : list of column names, "auto" or None
    Columns of a data frame whose words become indicators of 0 and 1, with one common divisor, so that a column of
    words counts as one column of numbers. "auto": every column of text, categories or booleans. Words that `fit`
    does not see have no indicator, and a warning names them.""",
)

# Names of what decides which numbers the library is given, beside the kernels.
DATA = ("views", "groups", "feature_names", "categorical", "missing", "absent")

RESOURCES = (
    Parameter(
        "time_limit",
        None,
        [None, POSITIVE],
        """time_limit : seconds > 0 or None
    Training stops after this time and keeps the best certified answer. Predictions and other questions to the
    fitted estimator that take longer raise ResourceError.""",
    ),
    Parameter(
        "n_jobs",
        None,
        [None, Integral],
        """n_jobs : int or None
    Number of threads; None is 1 unless a joblib context sets another number, -1 is all cores. Results do not
    depend on it.""",
    ),
    Parameter(
        "memory",
        None,
        [None, str, Interval(Integral, 0, None, closed="left")],
        """memory : text such as "4G", bytes, or None
    Memory budget; a computation that would exceed it fails before it starts. None: 80 % of the free memory.""",
    ),
    Parameter(
        "random_state",
        None,
        ["random_state"],
        """random_state : int, RandomState or None
    Seed of all random choices; None is 0.""",
    ),
    Parameter(
        "verbose",
        False,
        ["verbose"],
        """verbose : bool
    Show a progress bar, with tqdm if it is installed.""",
    ),
    Parameter(
        "callback",
        None,
        [None, callable],
        """callback : function (stage, done, total, relative_gap) or None
    Called during the computation; an exception in it stops the run.""",
    ),
)

# The positive class follows from y; strategies are left out by developers of the library.
_NOT_IN_PYTHON = {"positive", "without"}


def settings(learns: str | None = None) -> list[Parameter]:
    """A parameter for each setting of models that learn "classes", "labels", "numbers" or "novelties"; None: of all."""
    return [
        OWN.get(row["name"]) or _of_setting(row)
        for row in _core.settings()
        if row["name"] not in _NOT_IN_PYTHON and (learns is None or learns in row["models"])
    ]


def _named(names: Iterable[str]) -> list[Parameter]:
    known = {parameter.name: parameter for parameter in [VIEWS, *SETS, CATEGORICAL, *settings(), *RESOURCES]}
    return [known[name] for name in names]


def constraints(*names: str) -> dict[str, list[Any]]:
    """Of some parameters, by name."""
    return {parameter.name: parameter.constraint for parameter in _named(names)}


def descriptions(*names: str) -> str:
    """Of some parameters, for a docstring."""
    return "\n".join(parameter.description for parameter in _named(names))


def estimator(
    *, learns: str, loss: str, own: Iterable[Parameter] = (), losses: Iterable[Any] = (str,)
) -> Callable[[Class], Class]:
    """Gives a class its constructor, its constraints and its description.

    learns is what the models learn, as in settings(); loss is the default and losses are its constraint; own are
    parameters beside those of all estimators.
    """
    losses = list(losses)
    of_loss = {"default": loss, "constraint": losses}
    kernels, *rest = [p._replace(**of_loss) if p.name == "loss" else p for p in settings(learns)]
    every = [kernels, VIEWS, *SETS, CATEGORICAL, *rest, *own, *RESOURCES]

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
