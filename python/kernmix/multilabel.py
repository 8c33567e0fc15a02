"""Multi-label classification with learned kernel weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from . import _core
from ._parameters import estimator
from .classifier import MKLClassifier, _has_probabilities, _require


@estimator(learns="labels", loss="hinge")
class MultilabelMKL(MKLClassifier):
    """Multi-label classifier with one task for each of T labels and learned kernel weights.

    If y has the shape (n,), one class for each sample, it fits one task for each class against the rest and
    predicts one class, as scikit-learn's OneVsRestClassifier does.

    Parameters
    ----------
    {parameters}

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

    multi_class = "auto"
    class_weight = None

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, groups: ArrayLike | None = None
    ) -> MultilabelMKL:
        """Fits samples X, (n, D) or a GramStack of n, and their labels.

        y is (n, T) with 0 and 1, dense or sparse, or (n,) with classes. sample_weight has weights >= 0: a
        sample of weight 2 is equivalent to two equal samples, and samples of weight 0 are ignored. groups,
        (n,), has the group of each sample (a patient, a batch); thresholds and calibration keep groups in one
        fold.

        Raises ValueError for invalid data or parameters, if possible before any kernel is computed;
        ResourceError (a MemoryError) if memory is insufficient.
        """
        return self._fit(X, y, sample_weight, groups)

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels (n, T) of 0 and 1, or the class of each sample if `fit` was given classes."""
        if not self._of_labels():
            return super().predict(X)
        return self._predicted(X).has_label[:, self._order].astype(np.int64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Decision values (n, T); with thresholds of 0, positive for the labels of a sample."""
        if not self._of_labels():
            return super().decision_function(X)
        return self._predicted(X).decision[:, self._order]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Label probabilities (n, T) of a calibrated or a logistic model."""
        if not self._of_labels():
            return super().predict_proba(X)
        self._is_calibrated()
        return self._predicted(X).probability[:, self._order]

    def _of_labels(self) -> bool:
        return not hasattr(self, "_model") or self._model.scheme == "labels"

    def _note_names(self, y: Any) -> None:
        _require(self, y)
        several = type_of_target(y, input_name="y").startswith("multilabel")
        self._label_names = [str(name) for name in getattr(y, "columns", [])] if several else None

    def _check_target(self, y: Any) -> NDArray[Any]:
        if self._label_names is None:
            return super()._check_target(y)
        _require(self, y)
        table = y.toarray() if scipy.sparse.issparse(y) else np.asarray(y)
        return table > 0

    def _learn_target(self, y: NDArray[Any]) -> dict[str, Any]:
        if self._label_names is None:
            return {**super()._learn_target(y), "threshold_folds": 0}
        self.classes_ = np.array(self._label_names or range(y.shape[1]))
        return {}

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
