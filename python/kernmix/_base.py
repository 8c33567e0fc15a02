"""The common base of all estimators: it reads X, trains and predicts."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import check_is_fitted

from . import _core, _settings
from ._bank import (
    Bank,
    complete_samples,
    landmark_ids,
    make_bank,
    prediction_data,
    reads_every_column,
    training_data,
    view_of_matrix,
)
from ._fitted import FittedMixin
from ._folds import group_codes
from ._names import check_same_samples, in_order
from ._parameters import Parameter
from ._progress import Reporter
from ._repr import HtmlMixin
from ._samples import Samples, has_several_views, read_new, read_training, weighing
from ._training import Part
from ._warnings import KernmixWarning, level_of_caller, warn_of
from .gram_stack import GramStack, StackColumns, check_training, stack_of
from .table import Table


class ScoreMixin:
    """Base class to precede scikit-learn's mixins, whose `score` would match rows of frames and series by position."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy, subset accuracy for multi-label data, or R^2 in regression (the mean over targets).

        Raises ValueError if the index of y or of sample_weight differs from that of X.
        """
        check_same_samples(X, y=y, sample_weight=sample_weight)
        return super().score(X, in_order(y, _target_names(self)), sample_weight)  # type: ignore[misc]


def _target_names(estimator: Any) -> list[str] | None:
    """The names of labels or of several targets, where training had some."""
    own = vars(estimator)
    return own.get("_label_names") or own.get("_target_names")


class Prepared(NamedTuple):
    """A training set in the form of the library."""

    data: Callable[[], _core.Data]
    options: dict[str, Any]  # of _core.train
    bank: Bank
    samples: Samples  # of weight above zero
    rows: NDArray[np.intp]  # their places in X
    y: Any
    sets: Table | None = None  # of `groups`: set, matched, named

    def view_of_matrix(self) -> dict[str, str]:
        """The views that matrices of kernels in Python count to, by the names of the matrices."""
        return view_of_matrix(self.bank.python)


class BaseMKL(HtmlMixin, FittedMixin, BaseEstimator, ABC):
    """Reads samples, trains a certified model and predicts with it.

    A derived class defines the kind of target (`_target`), checks it, and passes it to the library.
    """

    _target: ClassVar[str]  # what its losses learn from: "classes", "numbers" or "none"
    _parameters: ClassVar[list[Parameter]]  # by the decorator `estimator`, as are its constraints
    _parameter_constraints: ClassVar[dict[str, list[Any]]]

    def __init__(self, kernels: Any = None, **parameters: Any) -> None:
        """Replaced in each class by the decorator `estimator`."""

    @abstractmethod
    def _check_target(self, y: Any) -> Any:
        """y as an array, or None without a target. Raises ValueError for an invalid target."""

    @abstractmethod
    def _learn_target(self, y: Any) -> dict[str, Any]:
        """Sets the attributes that describe the target of the samples with weight; returns options of training."""

    @abstractmethod
    def _give_target(self, data: _core.Data, y: Any) -> None:
        """Passes the target of training or verification to the library."""

    def _note_names(self, y: Any) -> None:
        """Keeps the column names of y before it becomes an array."""

    def _loss(self) -> str:
        return self.loss

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> BaseMKL:
        vars(self).pop("_model", None)  # a fit that fails leaves no fitted estimator
        part = self.__dict__.get("_part", Part())
        own = self._prepare(X, y, sample_weight, part.groups if groups is None else groups)
        vars(self).pop("_part", None)
        with Reporter(self.callback, bool(self.verbose)) as reporter:
            options = {"progress": reporter.progress, "log": reporter.log, **own.options}
            result = part.trainings.fit(own.data, **options) if part.trainings else _core.train(own.data(), **options)
        self._remember(result.model, own.bank, own.samples, own.rows)
        self._adopt(result)
        if not part.trainings:
            warn_of(result, self.tol)
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> Prepared:
        """The arguments of training; sets the attributes that describe X and y."""
        self._validate_params()
        check_same_samples(X, y=y, sample_weight=sample_weight, groups=groups)
        self._note_names(y)
        _settings.check_loss(self._loss(), self._target, type(self).__name__)
        samples, self.views_ = self._read_training(X)
        y = self._checked_target(y, samples)
        count = len(samples)
        kept, weights = weighing(sample_weight, count)
        codes = group_codes(groups, len(samples))
        rows = np.arange(len(samples)) if kept is None else np.flatnonzero(kept)
        if kept is not None:
            samples, y = samples[rows], None if y is None else y[rows]
        if self.absent == "drop":
            complete = complete_samples(samples, self.views_, **self._reading_limits())
            samples, rows, y = samples[complete], rows[complete], None if y is None else y[complete]
            weights = None if weights is None else weights[complete]
        options = self._learn_target(y)
        bank = make_bank(self.kernels, samples, self.views_)

        reading = {**self._reading_limits(), "incomplete": self.__dict__.get("_part", Part()).incomplete}

        def data() -> _core.Data:
            data = training_data(samples, self.views_, bank.python, missing=self.missing, **reading)
            if landmarks:
                data.join_landmark_columns(landmarks, **self._reading_limits())
            if samples.stack is None and len(rows) < count:
                data.set_ids([f"(row {row + 1})" for row in rows])  # as the command line tool
            self._give_target(data, y)
            return data

        options = {"kernels": bank.expressions, "sample_weights": weights, **self._settings(), **options}
        landmarks = landmark_ids(samples)
        if landmarks:
            del options["landmarks"]
            options["landmark_ids"] = landmarks
        options["groups"] = () if codes is None else codes[rows].tolist()
        if bank.python:
            self._check_before_kernels(samples, bank, y, options)
        return Prepared(data, options, bank, samples, rows, y, getattr(self, "sets_", None))

    def _incomplete_views(self, X: Any) -> tuple[str, ...]:
        """The views that some samples lack and that training keeps. What `fit` refuses has none."""
        try:
            samples, views = self._read_training(X)
            return () if self.absent == "drop" else tuple(training_data(samples, views, ()).incomplete)
        except (TypeError, ValueError):
            return ()

    def _kept_rows(self, X: Any) -> NDArray[np.intp] | None:
        """The samples that training keeps, None for all of them. What `fit` refuses keeps all."""
        if self.absent != "drop":
            return None
        try:
            samples, views = self._read_training(X)
            return complete_samples(samples, views, **self._reading_limits())
        except (TypeError, ValueError):
            return None

    def _check_before_kernels(self, samples: Samples, bank: Bank, y: Any, options: dict[str, Any]) -> None:
        """Makes the library's checks that need no matrix, before kernels in Python are computed, which may
        take long.
        """
        data = training_data(samples, self.views_, (), missing=self.missing, **self._reading_limits())
        for kernel in bank.python:
            data.announce_matrix(kernel.name, len(samples))
        self._give_target(data, y)
        _core.check_training(data, **options)

    def _settings(self) -> dict[str, Any]:
        """The parameters by their names in the library."""
        own = {p.setting: p.to_library(getattr(self, p.name)) for p in self._parameters if p.setting}
        return {
            **own,
            "loss": self._loss(),
            "seed": _settings.seed(self.random_state),
            **self._resources(),
        }

    def _reading_limits(self) -> dict[str, Any]:
        """Memory and time that a call may take."""
        return {
            "memory": _settings.memory_bytes(self.memory),
            "time_limit": None if self.time_limit is None else float(self.time_limit),
        }

    def _is_product(self) -> bool:
        return getattr(self, "combination", "sum") == "product"

    def _resources(self) -> dict[str, Any]:
        return {
            **self._reading_limits(),
            "threads": _settings.threads(self.n_jobs),
        }

    def _read_training(self, X: Any) -> tuple[Samples, dict[str, list[str]]]:
        every = reads_every_column(self.kernels)
        samples, views = read_training(self, X, self.views, every_column=every)
        self._pairwise = _is_pairwise(self)
        if self._pairwise and samples.stack is None:
            samples, views = Samples(None, [], stack_of(X, samples.numbers())), {}
        if samples.stack is not None:
            check_training(samples.stack)
            self._check_landmarks(samples.stack)
        return samples, views

    def _check_landmarks(self, stack: GramStack) -> None:
        """Raises ValueError for a choice of landmarks if the stack has the columns of its own alone."""
        if stack.has_landmarks and self.landmarks != "auto":
            raise ValueError(
                f"landmarks={self.landmarks!r}, and the GramStack has the columns of its own landmarks alone: use "
                "landmarks='auto', or give the whole n x n matrices"
            )

    def _checked_target(self, y: Any, samples: Samples) -> Any:
        y = self._check_target(in_order(y, _target_names(self)))
        if y is not None:
            check_consistent_length(y, np.empty(len(samples)))
        return y

    def _remember(self, model: _core.Model, bank: Bank, samples: Samples, rows: NDArray[np.intp]) -> None:
        """Keeps what prediction needs in addition to the model."""
        self._model = model
        self._python_kernels = bank.python
        read = np.arange(len(samples)) if mixes_columns(model) else model.support
        self._support_rows = samples[read] if bank.python else None
        stack = samples.stack
        self._support_columns = None if stack is None else StackColumns.of(stack, read)
        self.support_ = rows[model.support]

    def _new_samples(self, X: Any, columns: list[str], *, tell: bool = True) -> Samples:
        samples = read_new(self, X, None if self._pairwise else columns)
        if self._pairwise and samples.stack is None:
            return Samples(None, [], stack_of(X, samples.numbers()))
        if (samples.stack is None) != bool(self.views_):
            raise ValueError(
                f"this {type(self).__name__} was trained on "
                f"{'a table' if self.views_ else 'a GramStack'}: give new samples in the same form"
            )
        return self._with_absent_views(samples, columns, tell=tell)

    def _with_absent_views(self, samples: Samples, columns: list[str], *, tell: bool) -> Samples:
        """Missing cells in views that some training samples lacked and of which X has no column, with a warning."""
        if samples.stack is not None or self._model is None:
            return samples
        known = set(samples.columns)
        for view in self._model.presences:
            own = self.views_.get(view, [])
            wanted = [column for column in own if column in set(columns)]
            if not wanted or not known.isdisjoint(own):
                continue
            samples = samples.with_absent(wanted)
            if tell:
                message = (
                    f"none of the {len(samples)} samples has view '{view}' (X has no column of it, such as {own[0]!r}), so "
                    "the predictions use the other views alone; if the view was measured, give its columns, too, with "
                    "their names of training [absent-view]"
                )
                warnings.warn(KernmixWarning(message, "absent-view"), stacklevel=level_of_caller())
        return samples

    def _predicted(self, X: Any, *, contributions: bool = False) -> _core.Prediction:
        check_is_fitted(self)
        columns = self._model.columns or self._view_columns()  # none where no kernel has weight
        samples = self._new_samples(X, self._columns_read(self._model.sources(columns)))
        data = prediction_data(
            samples,
            self._python_kernels,
            self._support_rows,
            self._support_columns,
            self._model,
            **self._reading_limits(),
        )
        prediction = self._model.predict(data, contributions=contributions, **self._resources())
        if "" in prediction.views:
            self._check_views(X, np.array([not views for views in prediction.views]))
        if prediction.views and not self._model.presences:
            self._warn_of_incomplete_views(prediction.views)
        if message := self._model.far_samples(data):
            warnings.warn(KernmixWarning(f"{message} [far-samples]", "far-samples"), stacklevel=level_of_caller())
        return prediction

    def _warn_of_incomplete_views(self, views: list[str]) -> None:
        """Warns of samples that lack a view that every training sample had."""
        most = max(own.count("+") for own in views)
        complete = {own for own in views if own.count("+") == most}  # unless no sample has the view
        lacking = [i for i, own in enumerate(views) if own not in complete] or list(range(len(views)))
        message = (
            f"{len(lacking)} of {len(views)} samples lack a view that every training sample had, for example row "
            f"{lacking[0]} of X, which has {views[lacking[0]] or 'none with weight'}: their predictions use their "
            "other views, and each lacked view adds the mean of what it adds to the support vectors "
            "[incomplete-views]"
        )
        warnings.warn(KernmixWarning(message, "incomplete-views"), stacklevel=level_of_caller())

    def _check_views(self, X: Any, lacking: NDArray[np.bool_]) -> None:
        """Warns of samples that lack all views with weight. Raises ValueError if one has no view at all."""
        empty = self._new_samples(X, self._columns_read(self._view_columns()), tell=False).have_nothing()
        if empty.any():
            raise ValueError(
                f"{empty.sum()} of {len(empty)} samples have none of the views, for example row "
                f"{np.flatnonzero(empty)[0]} of X: leave such samples out"
            )
        message = (
            f"{lacking.sum()} of {len(lacking)} samples have only views without weight, for example row "
            f"{np.flatnonzero(lacking)[0]} of X: all of them have the same prediction [no-view]"
        )
        warnings.warn(KernmixWarning(message, "no-view"), stacklevel=level_of_caller())

    def _view_columns(self) -> list[str]:
        return list(dict.fromkeys(name for view in self.views_.values() for name in view))

    def _columns_read(self, columns: list[str]) -> list[str]:
        """`columns` and the columns of the kernels in Python, without duplicates."""
        own = [name for kernel in self._python_kernels for name in kernel.columns]
        return list(dict.fromkeys([*columns, *own]))

    def _view_of_matrix(self) -> dict[str, str]:
        """The views that matrices of kernels in Python count to, by the names of the matrices."""
        return view_of_matrix(self._python_kernels)

    def __sklearn_clone__(self) -> Any:
        copy = super().__sklearn_clone__()
        if "_part" in vars(self):  # a search has it fitted by copies
            copy._part = self._part
        return copy

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "refuse" or has_several_views(self)
        tags.input_tags.pairwise = _is_pairwise(self)
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"pairwise": _is_pairwise(self)}


def mixes_columns(model: _core.Model) -> bool:
    """Whether prediction needs kernel values with all training samples, as clipped matrices do."""
    return any(kernel["mixes_columns"] and kernel["weight"] > 0 for kernel in model.kernels)


def _is_pairwise(estimator: BaseMKL) -> bool:
    """Is X a square matrix of kernel values, as of scikit-learn's SVC(kernel="precomputed")?"""
    return isinstance(estimator.kernels, str) and estimator.kernels == "precomputed"
