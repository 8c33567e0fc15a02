"""Kernels as a step of a scikit-learn pipeline."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core, _settings
from ._bank import make_bank, prediction_data, reads_every_column, training_data
from ._docs import documented
from ._parameters import constraints, descriptions, scaling_rules
from ._samples import read_new, read_training
from .gram_stack import StackColumns


@documented(descriptions("kernels", "views", "scaling", "normalization", "n_jobs", "memory"))
class KernelBank(TransformerMixin, BaseEstimator):
    """Computes kernel values between samples and the training samples.

    `transform` returns one matrix, the weighted sum of all kernels, for any estimator with
    kernel="precomputed"; `stack` returns each kernel. Scaling, relative widths and normalisation
    are fitted on the training samples.

    Parameters
    ----------
    {parameters}
    weights : array (M,) or None
        Weights of the kernels in the sum; None is 1 / M for all.
    time_limit : seconds > 0 or None
        `fit`, `transform` and `stack` that take longer raise ResourceError.

    Attributes
    ----------
    kernel_names_, groups_ : arrays (M,)
    views_ : dict of view names and their column names
    n_features_in_ : int
    feature_names_in_ : array (n_features_in_,), of data frames

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> from kernmix import KernelBank
    >>> X, y = load_iris(return_X_y=True)
    >>> bank = KernelBank(["linear", "rbf(width=median)"])
    >>> make_pipeline(bank, SVC(kernel="precomputed")).fit(X, y).score(X, y) > 0.95
    True
    >>> bank.fit(X).stack(X[:3]).shape
    (2, 3, 150)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **constraints("kernels", "views", "scaling", "normalization", "n_jobs", "memory"),
        "weights": ["array-like", None],
        "time_limit": constraints("time_limit")["time_limit"],
    }

    def __init__(
        self,
        kernels: Any = None,
        *,
        views: Any = None,
        weights: ArrayLike | None = None,
        scaling: str | dict[str, str] = "auto",
        normalization: str = "auto",
        n_jobs: int | None = None,
        memory: str | int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.kernels = kernels
        self.views = views
        self.weights = weights
        self.scaling = scaling
        self.normalization = normalization
        self.n_jobs = n_jobs
        self.memory = memory
        self.time_limit = time_limit

    def fit(self, X: Any, y: Any = None) -> KernelBank:
        """Fits scaling, widths and normalisation on X, (n, D) or a GramStack of n; y is ignored.

        Raises ValueError for data or parameters that cannot be used.
        """
        self._validate_params()
        every = reads_every_column(self.kernels)
        samples, self.views_ = read_training(self, X, self.views, every_column=every)
        self._training = samples
        self._bank = make_bank(self.kernels, samples, self.views_)
        self._options = {"scaling": scaling_rules(self.scaling), "normalization": self.normalization}
        self._stack = self._fitted_stack()
        self.scaling_ = self._stack.scaling
        self.kernel_names_ = np.array([kernel["name"] for kernel in self._stack.kernels])
        self.groups_ = np.array([kernel["group"] for kernel in self._stack.kernels])
        self._weights = self._checked_weights()
        return self

    def _fitted_stack(self) -> _core.KernelStack:
        data = training_data(self._training, self.views_, self._bank.python, **self._limits())
        return _core.KernelStack(data, self._bank.expressions, **self._options, **self._resources())

    def _limits(self) -> dict[str, Any]:
        """Memory and time that a call may take."""
        return {
            "memory": _settings.memory_bytes(self.memory),
            "time_limit": None if self.time_limit is None else float(self.time_limit),
        }

    def _resources(self) -> dict[str, Any]:
        return {**self._limits(), "threads": _settings.threads(self.n_jobs)}

    def transform(self, X: Any) -> NDArray[np.float64]:
        """(new, n): sum_m w_m k_m between the samples of X and the n training samples."""
        stack = self.stack(X)
        return np.tensordot(self._weights, stack, axes=1)

    def stack(self, X: Any) -> NDArray[np.float64]:
        """(M, new, n): each normalised kernel between the samples of X and the training samples."""
        check_is_fitted(self)
        if self._stack is None:  # after it was pickled
            self._stack = self._fitted_stack()
        training, python = self._training, self._bank.python
        samples = read_new(self, X, training.columns)
        columns = None if training.stack is None else StackColumns.of(training.stack)
        data = prediction_data(samples, python, training, columns, **self._limits())
        return self._stack.between(data, **self._resources())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """One name for each training sample: kernelbank0, kernelbank1, ..."""
        check_is_fitted(self)
        return np.array([f"kernelbank{i}" for i in range(len(self._training))], dtype=object)

    def _checked_weights(self) -> NDArray[np.float64]:
        count = len(self.kernel_names_)
        if self.weights is None:
            return np.full(count, 1 / count)
        weights = np.asarray(self.weights, dtype=np.float64)
        if weights.shape != (count,) or not (weights >= 0).all() or not np.isfinite(weights).all():
            raise ValueError(f"weights must be {count} numbers >= 0, one for each kernel")
        return weights

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), **({"_stack": None} if hasattr(self, "_stack") else {})}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_stack")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
