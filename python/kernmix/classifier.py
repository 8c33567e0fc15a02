"""Classification with learned kernel weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit
from sklearn.base import ClassifierMixin
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from . import _core
from ._base import BaseMKL, ScoreMixin
from ._parameters import estimator
from ._settings import loss_info
from ._targets import refuse_missing, warn_of_spellings
from ._training import Part


def _has_probabilities(estimator: Any) -> bool:
    if estimator.calibration is not None:
        return True
    if loss_info(estimator.loss).get("gives_probability") and estimator.multi_class != "ovo":
        return True
    raise AttributeError(
        "predict_proba needs calibration='platt', 'isotonic' or 'beta', or loss='logistic' and decision "
        "values of one class each (not 'ovo')"
    )


@estimator(learns="classes", loss="hinge")
class MKLClassifier(ScoreMixin, ClassifierMixin, BaseMKL):
    """Classifier with a weighted sum of kernels whose weights are learned.

    Parameters
    ----------
    {parameters}

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

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None
    ) -> MKLClassifier:
        """Fits samples X, (n, D) or a GramStack of n, and their classes y, (n,).

        sample_weight has weights >= 0: a sample of weight 2 is equivalent to two equal samples, and samples
        of weight 0 are ignored. groups, (n,), has the group of each sample (a patient, a batch); calibration
        keeps groups in one fold.

        Raises ValueError for invalid data or parameters, if possible before any kernel is computed;
        ResourceError (a MemoryError) if memory is insufficient.
        """
        return self._fit(X, y, sample_weight, groups)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._is_product()
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {**super()._more_tags(), "binary_only": self._is_product()}

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each sample, (n,)."""
        winner = self._predicted(X).winner
        return self.classes_[np.argsort(self._order)[winner]]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Decision values: (n,), positive for classes_[1], with two classes; (n, K) with K > 2.

        With multi_class="ovo" the values are, as in scikit-learn, the votes for each class plus the sum of
        its decision values mapped to (-1/3, 1/3).
        """
        decision = self._predicted(X).decision
        if decision.shape[1] == 1:
            return self._direction * decision[:, 0]
        decision = decision[:, self._order]
        return decision[:, 1] - decision[:, 0] if len(self.classes_) == 2 else decision

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities (n, K) of a calibrated or a logistic model.

        Without calibration and with more than two classes, the one-vs-rest probabilities are divided by their
        sum, as in scikit-learn's OneVsRestClassifier.
        """
        prediction = self._predicted(X)
        calibrated = self._is_calibrated()
        p, decision = prediction.probability, prediction.decision
        if p.shape[1] == 1:
            negative = 1 - p[:, 0] if calibrated else expit(-decision[:, 0])
            return _of_two(negative, p[:, 0], self._direction)
        if calibrated:
            return p[:, self._order]
        each = expit(decision[:, self._order])
        return each / each.sum(axis=1, keepdims=True)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))

    def _is_calibrated(self) -> bool:
        """Raises ValueError if calibration was requested but time ran out before it."""
        if self._model.calibration["method"] != "none":
            return True
        if self.calibration is not None:
            raise ValueError(
                "predict_proba: time ran out before the calibration; fit again with a longer time_limit or fewer "
                "calibration_folds"
            )
        return False

    def _check_target(self, y: Any) -> NDArray[Any]:
        _require(self, y)
        refuse_missing(y)
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        kind = type_of_target(y)
        if self._is_product() and kind != "binary":
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}: a product of kernels "
                "learns from two classes; train one model for each class, as OneVsRestClassifier does"
            )
        return y

    def _learn_target(self, y: NDArray[Any]) -> dict[str, Any]:
        self.classes_ = np.unique(y)
        warn_of_spellings(self.classes_)
        names = class_names(self.classes_)
        weights = self.class_weight
        return {
            "positive": names[1] if self._is_single() else "",
            "class_weights": weights  # balanced: of the samples that are trained on, also in folds
            if isinstance(weights, str)
            else _weights_by_name(weights or {}, self.classes_, self.__dict__.get("_part", Part()).known_classes),
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
        data.set_label_type(_type_of(classes))

    @property
    def _direction(self) -> int:
        """1 where a single task is positive for classes_[1], -1 where it is for classes_[0]."""
        single = self._model.scheme == "single"
        return -1 if single and str(self.classes_[1]) != self._model.names[1] else 1

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
    """The names of classes in the library. Raises ValueError if two are equal."""
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


def _type_of(classes: NDArray[Any]) -> str:
    """The type of classes in a model file, which stores them as text; empty for other objects."""
    kinds = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "U": "text"}
    if classes.dtype.kind != "O":
        return kinds.get(classes.dtype.kind, "")
    types = {"text" if isinstance(c, str) else kinds.get(np.asarray(c).dtype.kind, "") for c in classes}
    return types.pop() if len(types) == 1 else ""


def typed_classes(names: list[str], kind: str) -> NDArray[Any]:
    """The classes of a model file in ascending order, with their types in `fit`.

    A file without this type, such as one from the command line, has booleans if the classes are False and
    True, numbers if each text is how Python writes the number, and otherwise texts.
    """
    if kind == "boolean" or not kind and set(names) == {"False", "True"}:
        return np.unique([name == "True" for name in names])
    if kind in ("integer", "number"):
        return np.unique([(int if kind == "integer" else float)(name) for name in names])
    if not kind:
        for number in (int, float):
            try:
                values = np.unique([number(name) for name in names])
            except (ValueError, OverflowError):
                continue
            if sorted(map(str, values)) == sorted(names):
                return values
    return np.unique(names)


def _of_two(negative: NDArray[Any], positive: NDArray[Any], direction: int) -> NDArray[Any]:
    """Columns of classes_[0] and classes_[1]."""
    return np.column_stack([negative, positive][::direction])


def _weights_by_name(weights: dict[Any, float], classes: NDArray[Any], absent: Iterable[Any] = ()) -> dict[str, float]:
    """The weights by class name in the library. Equal labels are one class: False and 0, 1 and 1.0.

    A class that is missing in y is ignored if it is one of `absent`, or if every class of y has a weight:
    another fold may contain it.
    """
    names = {label: str(label) for label in classes.tolist()}
    complete = set(names) <= set(weights)
    named: dict[str, float] = {}
    for label, weight in weights.items():
        if not weight > 0:
            raise ValueError(f"class_weight of {label!r} must be > 0, got {weight!r}")
        if label in names:
            named[names[label]] = float(weight)
        elif not complete and label not in absent:
            raise ValueError(f"class_weight has the class {label!r}, which y does not have")
    return named
