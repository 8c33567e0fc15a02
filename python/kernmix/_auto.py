"""Automatic model selection, as by `kernmix auto`, for arrays, data frames and stacks of matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples

from . import _core, _settings, adapters
from ._base import BaseMKL
from ._containers import as_container
from ._folds import group_codes
from ._names import check_same_samples
from ._samples import weighing
from ._training import Part
from ._warnings import KernmixWarning, warn_of, warn_of_findings
from .auto_result import AutoResult
from .classifier import MKLClassifier
from .multilabel import MultilabelMKL
from .regressor import MKLRegressor


def auto(
    X: Any,
    y: Any,
    *,
    views: Any = None,
    sets: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    loss: str | None = None,
    score: str | None = None,
    folds: int = 5,
    kernels: Any = None,
    missing: str = "refuse",
    absent: str = "keep",
    landmarks: str | int = "auto",
    categorical: Any = None,
    calibration: str | None = None,
    positive: Any = None,
    class_weight: Any = None,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    memory: str | int | None = None,
    random_state: Any = None,
    verbose: bool | int = False,
    callback: Any = None,
) -> AutoResult:
    """Selects the kernels, the regularizer and C, trains, and estimates the performance on new samples.

    The selection, the model and all numbers are those of `kernmix auto` with the same settings and seed.

    Parameters
    ----------
    X : array, data frame, GramStack, mapping of views, AnnData or MuData, of n samples
        A mapping from names to tables, an AnnData and a MuData are read by `kernmix.adapters`; each table or
        modality is a view.
    y : (n,) of classes or numbers, (n, T) of labels (0 and 1) or of numbers
        Two distinct numbers are always classes. Integers are classes if there are at most 20 different ones, or if
        they count up from 0 or 1 without a gap with five samples each on average.
    views, kernels, missing, absent, landmarks, categorical
        As in the estimators. Without kernels a second bank of default kernels is also tried. With landmarks and
        more than 10,000 samples, the settings are chosen on a subsample drawn by random_state, the model is trained
        on all samples, and the estimate is of samples that took no part in the choice (`subsample_`).
    sets : path of a GMT file, dict of names and lists of column names, or None
        The `groups` of the estimators: each named set of columns, such as a gene set, is a view.
    groups : array-like (n,), optional
        Group of each sample (a patient, a batch): samples of a group stay in the same fold.
    sample_weight : array-like (n,), optional
        Sample weights; samples of weight 0 are ignored.
    loss : text, optional
        Default: "hinge" for classes and labels, "squared" for numbers.
    score : text, optional
        The metric of `kernmix evaluate` that selects; default: accuracy for classes, r2 for one target,
        mean_r2 for several, macro_average_precision for labels.
    folds : int >= 2, default=5
        Number of folds of the search and of the outer cross-validation, which repeats the selection without
        each fold to estimate the performance.
    calibration : "platt", "isotonic", "beta" or None
        Fit probabilities of classes and labels to held-out decision values.
    positive : one of two classes, optional
        The class of precision, recall and similar metrics; default: the larger label.
    class_weight, time_limit, n_jobs, memory, random_state, verbose, callback
        As in the estimators. If time runs out after the model is trained, there is no estimate.

    Returns
    -------
    AutoResult
        With the fitted estimator, the candidates, the estimate, and the held-out predictions.

    Raises
    ------
    ValueError
        For invalid data or parameters.
    ResourceError
        A MemoryError, if time or memory is insufficient for a model.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> import kernmix
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = kernmix.auto(X[:150], y[:150], views={"mean": range(10), "worst": range(20, 30)}, folds=3)
    >>> found.best_estimator_.predict(X[150:152]).tolist()
    [1, 1]
    >>> found.expected_["accuracy"].low > 0.8
    True
    """
    given = table_of(X, views, sets)
    given.check_names(y=y, groups=groups, sample_weight=sample_weight)
    estimator = estimator_for(y, loss)
    _set(estimator, kernels=kernels, views=given.views, groups=given.sets)
    _set(estimator, time_limit=time_limit, n_jobs=n_jobs, memory=memory)
    _set(estimator, missing=missing, absent=absent, landmarks=landmarks, categorical=categorical)
    _set(estimator, random_state=random_state, verbose=verbose, callback=callback)
    _set(estimator, calibration=calibration, class_weight=class_weight)
    label = str(getattr(y, "name", None) or "")
    study = _Study(estimator, given.columns, label, score=score or "", folds=int(folds))
    study.groups = group_codes(groups, _num_samples(given.X))
    study.options = {} if positive is None else {"positive": str(positive)}
    study.learn(given.X, y, sample_weight)
    estimator.set_params(**study.chosen)
    result = AutoResult(estimator, study.found, study.rows, {"loss": estimator.loss, **study.chosen})
    _warn(study, result)
    return result


class Given(NamedTuple):
    """X in the form of the estimators, its views and sets of columns, and its original names."""

    X: Any
    views: Any
    sets: Any
    columns: dict[str, str]  # names for the columns that the library counts from 1
    row_names: list[Any] | None  # where X does not have them itself

    def check_names(self, **others: Any) -> None:
        """Raises ValueError if the index of y or of another series differs from that of X."""
        check_same_samples(self if self.row_names is not None else self.X, **others)


def table_of(X: Any, views: Any = None, sets: Any = None) -> Given:
    """X in any form that `auto` supports, in the form of the estimators."""
    if isinstance(X, Mapping) and not (scipy.sparse.issparse(X) or hasattr(X, "data_vars")):  # a dok_matrix is a dict
        table = adapters.from_views(X, groups=sets)
    elif hasattr(X, "mod") and hasattr(X, "obs_names"):
        table = adapters.from_mudata(X, groups=sets)
    elif hasattr(X, "var_names") and hasattr(X, "layers"):
        table = adapters.from_anndata(X, groups=sets)
    else:
        X = as_container(X)
        return Given(X, views, sets, _column_names(X), None)
    if views is not None:
        raise ValueError(f"views is for one table: the views of this {type(X).__name__} are its tables")
    known = table.columns if _is_frame(table.X) else [str(j + 1) for j in range(len(table.columns))]
    short = {own: column.partition(":")[2] for own, column in zip(known, table.columns, strict=True)}
    return Given(table.X, table.views, None, short, table.samples)


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns")


def _column_names(X: Any) -> dict[str, str]:
    """Columns of arrays are named x0, x1, ..., as in scikit-learn; those of data frames keep their names."""
    names = list(getattr(X, "columns", ()))
    if names:
        return {} if all(isinstance(name, str) for name in names) else {str(j + 1): str(n) for j, n in enumerate(names)}
    shape = np.shape(X)
    return {str(j + 1): f"x{j}" for j in range(shape[1])} if len(shape) == 2 else {}


def _set(estimator: BaseMKL, **parameters: Any) -> None:
    """Sets parameters that are not None. Raises ValueError for one that the estimator does not have."""
    known = estimator.get_params()
    for name, value in parameters.items():
        if name in known:
            estimator.set_params(**{name: value})
        elif value is not None:
            raise ValueError(f"{name} is for classes, and {type(estimator).__name__} does not have it: omit it")


def estimator_for(y: Any, loss: str | None, function: str = "auto") -> BaseMKL:
    """The estimator for the target y, with its loss."""
    if y is None:
        raise ValueError(f"{function} needs the labels or numbers y of the samples")
    target = None if loss is None else _settings.loss_info(loss).get("target")
    if target == "none":
        raise ValueError(
            f"{function} does not support novelty detection, for which the loss {loss!r} is: fit an MKLOneClass"
        )
    shape = np.shape(y)
    if len(shape) == 2 and (shape[1] > 1 or scipy.sparse.issparse(y)):
        several = target == "classes" or target is None and type_of_target(y).startswith("multilabel")
        return MultilabelMKL(loss=loss or "hinge") if several else MKLRegressor(loss=loss or "squared")
    if loss is None:
        loss = _core.loss_for([str(label) for label in column_or_1d(y).tolist()])
    numbers = _settings.loss_info(loss).get("target") == "numbers"
    return MKLRegressor(loss=loss) if numbers else MKLClassifier(loss=loss)


class Learner:
    """Trains in place of `_core.train`, which an estimator's `fit` otherwise calls: see `_training.Part`.

    `found` and `trained` are results of its `fit`; `rows` are the indices in X of the samples with weight.
    """

    found: dict[str, Any]
    trained: _core.TrainResult

    def __init__(self, estimator: BaseMKL) -> None:
        self._estimator = estimator

    def learn(self, X: Any, y: Any, sample_weight: Any) -> None:
        """Fits the estimator, whose `fit` calls this object's `fit`."""
        size = _num_samples(X)
        kept, _ = weighing(sample_weight, size)
        self.rows = np.arange(size) if kept is None else np.flatnonzero(kept)
        self._estimator._part = Part(trainings=self)
        try:
            self._estimator.fit(X, y, sample_weight=sample_weight)
        finally:
            vars(self._estimator).pop("_part", None)

    def fit(self, data: Callable[[], _core.Data], **options: Any) -> _core.TrainResult:
        """Trains a model of the samples with the options of the estimator."""
        raise NotImplementedError


class _Study(Learner):
    """Trains the candidate of automatic model selection."""

    def __init__(self, estimator: BaseMKL, names: dict[str, str], label: str, **asked: Any) -> None:
        super().__init__(estimator)
        self._names, self._label, self._asked = names, label, asked
        self.groups: Any = None
        self.options: dict[str, Any] = {}

    def fit(self, data: Callable[[], _core.Data], **options: Any) -> _core.TrainResult:
        codes = self.groups
        own = {} if codes is None else {"groups": codes[self.rows].tolist()}
        study = _core.auto_train(data(), {**options, **own, **self.options}, columns=self._names, **self._asked)
        self.found, self.trained = study.record, study.trained
        self.found["documents"] = study.documents(label=self._label)
        chosen = self.found["candidates"][self.found["chosen"]]
        self.chosen = {"regularizer": chosen["regularizer"], "C": chosen["C"]}
        if self._estimator.kernels is None and chosen["kernels"]:
            self.chosen["kernels"] = chosen["kernels"]
        if self.found["landmarks"] > 0:  # of an automatic choice, which fitting again repeats
            self.chosen["landmarks"] = self.found["landmarks"]
        return self.trained


def _warn(study: _Study, result: AutoResult) -> None:
    """Raises the warnings of `kernmix auto`, and one if it could not finish."""
    warn_of(study.trained, study._estimator.tol)
    warn_of_findings(study.found["warnings"], told=study.trained.warnings, stacklevel=3)
    if result.expected_ is None:
        warnings.warn(KernmixWarning(result.remarks[-1]), stacklevel=3)
