"""What a fitted estimator tells of itself."""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ._bank import complete_samples, landmark_ids, training_data
from ._names import check_same_samples
from ._samples import weighing
from .verification import Verification, verification
from .weight_table import weight_table


class Bounds(NamedTuple):
    """Proof of how good an answer is: no answer has an objective below `dual`."""

    primal: float
    dual: float
    gap: float
    relative_gap: float


class Certificate(Bounds):
    """Bounds for the kernels of the model, and with landmarks, if asked for, for the exact kernels."""

    exact: Bounds | None = None


class FittedMixin:
    """Attributes and questions that all fitted estimators have alike."""

    def _adopt(self, result: Any) -> None:
        self._describe(self._model)
        self.history_ = dict(result.history)
        steps = self.history_["number"]
        last = self.product_["iterations"] if self.product_ else steps[-1] if len(steps) else 1
        self.n_iter_ = max(1, int(last))
        self.status_ = result.status
        self.seconds_ = dict(result.seconds)

    def _describe(self, model: Any) -> None:
        """Everything that a model file holds."""
        view_of_matrix = self._view_of_matrix()
        self.weights_ = weight_table(model, view_of_matrix)
        self.kernel_names_ = self.weights_["kernel"]
        self.groups_ = self.weights_["group"]
        views = dict.fromkeys(str(view) for view in self.weights_["view"])
        matrices = {view: matrix for matrix, view in view_of_matrix.items()}  # samples lack both or neither
        known = {view: model.presences[name] for view, name in matrices.items() if name in model.presences}
        known |= model.presences
        self.view_samples_ = {view: known.get(view, model.training_samples) for view in views}
        self.scaling_ = dict(model.scaling["rules"])
        self.certificate_ = Certificate(*(model.certificate[k] for k in Bounds._fields))
        if model.exact_certificate is not None:
            self.certificate_.exact = Bounds(*(model.exact_certificate[k] for k in Bounds._fields))
        self.product_ = model.product
        self.objective_ = self.product_["objective"] if self.product_ else self.certificate_.primal
        self.dual_gap_ = self.certificate_.gap
        order = self._task_order(model)
        self.dual_coef_ = self._direction * np.ascontiguousarray(model.coefficients.T[order])
        self.intercept_ = self._direction * np.array([model.tasks[k]["bias"] for k in order])

    @property
    def _direction(self) -> int:
        """By which decision values of the model are multiplied."""
        return 1

    def _task_order(self, model: Any) -> list[int]:
        return list(range(len(model.tasks)))

    def contributions(self, X: Any) -> NDArray[np.float64]:
        """What each kernel adds to the decision value, or to the predicted number.

        Returns
        -------
        array (n, M), in the order of `kernel_names_`, or (n, T, M) where there are several tasks
        (classes against the rest, pairs of classes, labels, targets). With `intercept_` they add up
        over the kernels to the decision value or the predicted number of each task.
        """
        check_is_fitted(self)
        prediction = self._predicted(X, contributions=True)
        n, tasks = prediction.task_decision.shape
        full = np.zeros((n, tasks, len(self.kernel_names_)))
        parts = prediction.contributions.reshape(n, tasks, len(prediction.contributing))
        full[:, :, prediction.contributing] = parts[:, self._task_order(self._model)]
        return self._direction * full[:, 0] if self._model.scheme == "single" else full

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None) -> Verification:
        """Recomputes all that the model says, from the data that `fit` was given.

        Every kernel is evaluated anew in double precision; the solver is not involved.

        Returns
        -------
        Verification, true where everything agrees to 1e-9.
        """
        check_is_fitted(self)
        check_same_samples(X, y=y, sample_weight=sample_weight)
        samples = self._new_samples(X, self._columns_read(self._view_columns()))
        y = self._checked_target(y, samples)
        kept, _ = weighing(sample_weight, len(samples))
        if kept is not None:
            rows = np.flatnonzero(kept)
            samples, y = samples[rows], None if y is None else y[rows]
        if self._model.settings["absent"] == "drop":
            complete = complete_samples(samples, self.views_, **self._reading_limits())
            samples, y = samples[complete], None if y is None else y[complete]
        limits = self._reading_limits()
        data = training_data(samples, self.views_, self._python_kernels, model=self._model, **limits)
        if landmarks := landmark_ids(samples):
            data.join_landmark_columns(landmarks, **limits)
        self._give_target(data, y)
        return verification(self._model.verify(data, **self._resources()))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the model file that `kernmix predict` and `kernmix.load` read.

        It holds the model and the settings of the problem; n_jobs, memory, time_limit, max_iter,
        verbose, callback and history_ it does not hold.

        Raises ValueError for a model with kernels that are functions in Python, which no file can
        hold: pickle keeps those that can be imported. Also for columns of landmarks without names in
        another order than that of the training samples, which is that of the file.
        """
        check_is_fitted(self)
        if self._python_kernels:
            names = ", ".join(kernel.name for kernel in self._python_kernels)
            raise ValueError(
                f"a model file cannot hold kernels that are functions in Python ({names}): pickle the estimator, "
                "which keeps functions that can be imported, or give the matrices as a GramStack"
            )
        if self._support_columns is not None:
            self._support_columns.check_order()
        self._model.save(path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Any:
        """The estimator of a model file, as `kernmix.load`. Raises ValueError for another kind."""
        from .io import load

        estimator = load(path)
        if not isinstance(estimator, cls):
            raise ValueError(  # noqa: TRY004  the file is wrong, not the type of an argument
                f"'{path}' holds a {type(estimator).__name__}, not a {cls.__name__}"
            )
        return estimator
