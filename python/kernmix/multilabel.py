"""Several labels for each sample, with learned kernel weights."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray
from sklearn.utils._param_validation import Interval
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from . import _core
from ._base import BaseMKL, Prepared
from ._docs import documented
from .classifier import CALIBRATION, COUPLINGS, MKLClassifier, _has_probabilities, _require


@documented
class MultilabelMKL(MKLClassifier):
    """One task for each of T labels, of which a sample has any number.

    Given one class for each sample, y of shape (n,), it learns one task for each class against
    the rest and predicts one class, as scikit-learn's OneVsRestClassifier does.

    Parameters
    ----------
    {parameters}
    coupling : "sum", "minimax" or "separate"
        What kernel weights the labels have: shared, for all labels alike; shared, for the label
        of the largest objective; or each its own.
    threshold_folds : int
        Choose the threshold of each label for the largest F1 on samples that models of so many
        folds were not trained on; 0: all thresholds are 0.
    calibration : "platt", "isotonic", "beta" or None
        Fit `predict_proba` to decision values of samples that models were not trained on. A label
        is then predicted where its probability is more than 1/2, and threshold_folds is refused.
    calibration_folds : int >= 2
        How many models are trained for that, each without one part of the samples.

    Attributes
    ----------
    classes_ : array (T,)
        The labels: names of the columns of a data frame Y, else 0, 1, ...
    {attributes}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from kernmix import MultilabelMKL
    >>> X, Y = make_multilabel_classification(60, n_classes=3, random_state=0)
    >>> MultilabelMKL().fit(X, Y).predict(X).shape
    (60, 3)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseMKL._parameter_constraints,
        "coupling": [COUPLINGS],
        "threshold_folds": [Interval(Integral, 0, None, closed="left")],
        **CALIBRATION,
    }
    multi_class = "auto"
    class_weight = None

    def __init__(
        self,
        kernels: Any = None,
        *,
        views: Any = None,
        regularizer: str = "l1",
        loss: str = "hinge",
        C: float | None = None,
        coupling: str = "sum",
        threshold_folds: int = 0,
        calibration: str | None = None,
        calibration_folds: int = 5,
        bias: str = "free",
        scaling: str | dict[str, str] = "auto",
        normalization: str = "auto",
        assume_psd: bool = False,
        repair: str | None = None,
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
        self.coupling = coupling
        self.threshold_folds = threshold_folds
        self.calibration = calibration
        self.calibration_folds = calibration_folds
        self.bias = bias
        self.scaling = scaling
        self.normalization = normalization
        self.assume_psd = assume_psd
        self.repair = repair
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.memory = memory
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None
    ) -> MultilabelMKL:
        """Learns from the samples X, (n, D) or a GramStack of n, and their labels.

        y is (n, T) of 0 and 1, dense or sparse, or (n,) of classes. sample_weight says how often each
        sample counts, >= 0: one of weight 2 is two equal samples in everything that is learned, and
        one of weight zero is left out. groups, (n,), says which samples belong together (a patient, a
        batch): they stay in one fold of thresholds and calibration.

        Raises ValueError for data or parameters that cannot be used, before any kernel is computed
        where possible; ResourceError (a MemoryError) where the memory does not suffice.
        """
        return self._fit(X, y, sample_weight, groups)

    def _prepare(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> Prepared:
        _require(self, y)
        several = type_of_target(y, input_name="y").startswith("multilabel")
        self._label_names = [str(name) for name in getattr(y, "columns", [])] if several else None
        return super()._prepare(X, y, sample_weight, groups)

    def predict(self, X: Any) -> NDArray[Any]:
        """(n, T) of 0 and 1, or the class of each sample where `fit` was given classes."""
        if not self._of_labels():
            return super().predict(X)
        return self._predicted(X).has_label[:, self._order].astype(np.int64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """(n, T): positive for the labels of a sample where thresholds are 0."""
        if not self._of_labels():
            return super().decision_function(X)
        return self._predicted(X).decision[:, self._order]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """(n, T): the probability of each label of a calibrated or a logistic model."""
        if not self._of_labels():
            return super().predict_proba(X)
        self._is_calibrated()
        return self._predicted(X).probability[:, self._order]

    def _of_labels(self) -> bool:
        return not hasattr(self, "_model") or self._model.scheme == "labels"

    def _check_target(self, y: Any) -> NDArray[Any]:
        if self._label_names is None:
            return super()._check_target(y)
        _require(self, y)
        table = y.toarray() if scipy.sparse.issparse(y) else np.asarray(y)
        return table > 0

    def _learn_target(self, y: NDArray[Any]) -> dict[str, Any]:
        if self._label_names is None:
            return super()._learn_target(y)
        self.classes_ = np.array(self._label_names or range(y.shape[1]))
        return {
            "coupling": self.coupling,
            "threshold_folds": int(self.threshold_folds),
            **self._calibrating(),
        }

    def _give_target(self, data: _core.Data, y: NDArray[Any]) -> None:
        if self._label_names is None:
            super()._give_target(data, y)
        else:
            data.set_multilabel(np.ascontiguousarray(y), [str(name) for name in self.classes_])
            data.set_label_type("text" if self._label_names else "integer")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"multilabel": True}
