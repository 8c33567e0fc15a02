"""Classification with learned kernel weights."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from . import _core
from ._base import BaseMKL
from ._docs import documented
from ._settings import loss_info

SCHEMES = {"auto": None, "ovr": "one-vs-rest", "ovo": "one-vs-one", "joint": "joint"}
COUPLINGS = StrOptions({"sum", "minimax", "separate"})


CALIBRATION: dict[str, list[Any]] = {
    "calibration": [StrOptions({"platt", "isotonic", "beta"}), None],
    "calibration_folds": [Interval(Integral, 2, None, closed="left")],
}


def _has_probabilities(estimator: Any) -> bool:
    if estimator.calibration is not None:
        return True
    if loss_info(estimator.loss).get("gives_probability") and estimator.multi_class != "ovo":
        return True
    raise AttributeError(
        "predict_proba needs calibration='platt', 'isotonic' or 'beta', or loss='logistic' and decision "
        "values of one class each (not 'ovo')"
    )


@documented
class MKLClassifier(ClassifierMixin, BaseMKL):
    """Two or more classes, told apart by a weighted sum of kernels whose weights are learned.

    Parameters
    ----------
    {parameters}
    multi_class : "auto", "ovr", "ovo" or "joint"
        One task for each class against the rest, one for each pair of classes, or one problem of
        all classes. "auto" is a single task for two classes and "ovr" for more, and "joint" with
        loss="crammer-singer".
    coupling : "sum", "minimax" or "separate"
        What kernel weights the tasks have: shared, for all tasks alike; shared, for the task of the
        largest objective; or each its own.
    class_weight : dict, "balanced" or None
        Factors of C by class; "balanced" is n / (classes n_class).
    calibration : "platt", "isotonic", "beta" or None
        Fit `predict_proba` to decision values of samples that models were not trained on. Classes
        then follow from probabilities, so that the two agree; `decision_function` stays as it is,
        and beside the threshold its sign and the class may differ.
    calibration_folds : int >= 2
        How many models are trained for that, each without one part of the samples.

    Attributes
    ----------
    classes_ : array (K,)
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from kernmix import MKLClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MKLClassifier("linear", views={{"sepal": [0, 1], "petal": [2, 3]}}).fit(X, y)
    >>> bool(model.weights_.by("view")["weight"].argmax() == 1)  # petals tell the species
    True
    """

    _target = "classes"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseMKL._parameter_constraints,
        "multi_class": [StrOptions(set(SCHEMES))],
        "coupling": [COUPLINGS],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        **CALIBRATION,
    }

    def __init__(
        self,
        kernels: Any = None,
        *,
        views: Any = None,
        regularizer: str = "l1",
        loss: str = "hinge",
        C: float = 1.0,
        multi_class: str = "auto",
        coupling: str = "sum",
        class_weight: Any = None,
        calibration: str | None = None,
        calibration_folds: int = 5,
        bias: str = "free",
        scaling: str = "standard",
        normalization: str = "auto",
        assume_psd: bool = False,
        solver: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 1000,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        memory: str | int | None = None,
        random_state: Any = None,
        verbose: bool | int = False,
        callback: Any = None,
    ) -> None:
        self.kernels = kernels
        self.views = views
        self.regularizer = regularizer
        self.loss = loss
        self.C = C
        self.multi_class = multi_class
        self.coupling = coupling
        self.class_weight = class_weight
        self.calibration = calibration
        self.calibration_folds = calibration_folds
        self.bias = bias
        self.scaling = scaling
        self.normalization = normalization
        self.assume_psd = assume_psd
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.memory = memory
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> MKLClassifier:
        """Learns from the samples X, (n, D) or a GramStack of n, and their classes y, (n,).

        sample_weight has a factor >= 0 of C for each sample; those of weight zero are left out.

        Raises ValueError for data or parameters that cannot be used, before any kernel is computed
        where possible; ResourceError (a MemoryError) where the memory does not suffice.
        """
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each sample, (n,)."""
        winner = self._predicted(X).winner
        return self.classes_[np.argsort(self._order)[winner]]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Of two classes (n,), positive for classes_[1]; of K > 2 classes (n, K).

        Of one-vs-one it has, as in scikit-learn, for each class the votes of the pairs plus their
        decision values squeezed into (-1/3, 1/3).
        """
        decision = self._predicted(X).decision
        if decision.shape[1] == 1:
            return decision[:, 0]
        decision = decision[:, self._order]
        return decision[:, 1] - decision[:, 0] if len(self.classes_) == 2 else decision

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities (n, K) of a calibrated or a logistic model.

        Of many classes each one's own, divided by their sum as scikit-learn's
        OneVsRestClassifier does.
        """
        prediction = self._predicted(X)
        if self._is_calibrated():
            p = prediction.probability
            return np.column_stack([1 - p[:, 0], p[:, 0]]) if p.shape[1] == 1 else p[:, self._order]
        decision = prediction.decision
        if decision.shape[1] == 1:
            return expit(np.column_stack([-decision[:, 0], decision[:, 0]]))
        each = expit(decision[:, self._order])
        return each / each.sum(axis=1, keepdims=True)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def _is_calibrated(self) -> bool:
        """Raises ValueError where it should be and time was up before."""
        if self._model.calibration["method"] != "none":
            return True
        if self.calibration is not None:
            raise ValueError(
                "predict_proba: no time was left to calibrate; fit again with a longer time_limit or fewer "
                "calibration_folds"
            )
        return False

    def _calibrating(self) -> dict[str, Any]:
        return {"calibration": self.calibration or "none", "calibration_folds": int(self.calibration_folds)}

    def _check_target(self, y: Any) -> NDArray[Any]:
        _require(self, y)
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        return y

    def _learn_target(self, y: NDArray[Any]) -> dict[str, Any]:
        self.classes_ = np.unique(y)
        names = class_names(self.classes_)
        weights = self.class_weight
        balanced = isinstance(weights, str)  # of the samples that are trained on, also in folds
        return {
            "scheme": SCHEMES[self.multi_class],
            "coupling": self.coupling,
            **self._calibrating(),
            "positive": names[1] if self._is_single() else "",
            "balanced_classes": balanced,
            "class_weights": {} if balanced else _weights_by_name(weights or {}, self.classes_),
        }

    def _is_single(self) -> bool:
        """One task: the second of two classes against the first."""
        together = self.multi_class == "auto" and self.coupling == "sum"
        joins = loss_info(self.loss).get("joins_classes", False)
        return together and len(self.classes_) == 2 and not joins

    def _give_target(self, data: _core.Data, y: NDArray[Any]) -> None:
        classes, codes = np.unique(y, return_inverse=True)
        names = [str(name) for name in classes]
        data.set_labels([names[code] for code in codes])

    @property
    def _order(self) -> list[int]:
        """For each of classes_ its place among the names of the model, which sorts as numbers."""
        place = {name: i for i, name in enumerate(self._model.names)}
        return [place[str(name)] for name in self.classes_]

    def _task_order(self, model: Any) -> list[int]:
        by_class = len(model.tasks) == len(model.names) and model.scheme != "one-vs-one"
        return self._order if by_class else super()._task_order(model)


def _require(estimator: Any, y: Any) -> None:
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")


def class_names(classes: NDArray[Any]) -> list[str]:
    """The names under which the library knows classes. Raises ValueError where two are the same."""
    names = [str(name) for name in classes]
    if len(names) < 2:
        raise ValueError(f"y has one class only ({names[0]}): a classifier needs at least two")
    try:
        distinct = len({float(name) for name in names})
    except ValueError:
        return names
    if distinct < len(names):
        raise ValueError("two classes in y are the same number written in two ways: rename one")
    return names


def _weights_by_name(weights: dict[Any, float], classes: NDArray[Any]) -> dict[str, float]:
    known = set(classes.tolist())
    named: dict[str, float] = {}
    for label, weight in weights.items():
        if label not in known:
            raise ValueError(f"class_weight has the class {label!r}, which y does not have")
        if not weight > 0:
            raise ValueError(f"class_weight of {label!r} must be > 0, got {weight!r}")
        named[str(label)] = float(weight)
    return named
