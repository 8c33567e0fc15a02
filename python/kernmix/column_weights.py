"""Generalised MKL: weights of columns in a product of Gaussian kernels."""

from __future__ import annotations

import warnings
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from . import _compat, _core, _settings
from ._arrays import within_doubles
from ._compat import ClassifierTags
from ._containers import as_container
from ._docs import documented
from ._names import check_same_samples
from ._parameters import constraints, descriptions


@documented(descriptions("n_jobs", "memory", "time_limit"))
class ColumnWeights(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Multiplies each column by the square root of its weight in a product of Gaussian kernels.

    Generalised MKL (Varma and Babu, ICML 2009) learns the weights d >= 0 of

        k(x, z) = prod_m exp(-d_m (x_m - z_m)^2),   min_d  penalty * sum_m d_m + the SVM's optimum at d,

    and sets those of columns that do not help to zero. The kernel is "rbf(gamma=1)" on the transformed
    columns: an estimator of kernmix with `scaling="none"` that follows in a Pipeline trains with a certificate
    at these weights. **The weights themselves have no certificate**: the problem is not convex, and they
    are a local optimum, of which `stationarity_` is a measure. Scale the columns before, for example by StandardScaler.
    If one or two columns get nearly all of the weight, the estimator warns of this (`column-dominates`).

    Parameters
    ----------
    loss : text or None
        A loss of two classes or of numbers; None is "hinge" for classes and "squared" for numbers.
    C : float > 0
        Weight of the loss.
    penalty : float > 0
        Larger ones give more weights of zero.
    views : list of int or None
        For each column the number of its weight, from 0: columns of one view share it. None is a weight for each.
    tol : float > 0
        The stationarity to reach.
    max_iter : int > 0
    {parameters}

    Attributes
    ----------
    weights_ : array (n_features_in_,)
        d of each column.
    stationarity_ : float
        The projected gradient relative to its two parts, 0 at a stationary point.
    inner_gap_ : float
        The certified gap of the SVM at these weights.
    objective_ : float
        An upper bound on the objective at these weights.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : array (n_features_in_,), of data frames

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from kernmix import ColumnWeights, MKLClassifier
    >>> X = np.random.default_rng(0).normal(size=(80, 5))
    >>> y = X[:, 1] > 0
    >>> model = make_pipeline(ColumnWeights(), MKLClassifier("rbf(gamma=1)", scaling="none")).fit(X, y)
    >>> int(np.argmax(model[0].weights_))
    1
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **constraints("n_jobs", "memory", "time_limit"),
        "loss": [str, None],
        "C": [Interval(Real, 0, None, closed="neither")],
        "penalty": [Interval(Real, 0, None, closed="neither")],
        "views": ["array-like", None],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        loss: str | None = None,
        *,
        C: float = 1.0,
        penalty: float = 1.0,
        views: ArrayLike | None = None,
        tol: float = 1e-3,
        max_iter: int = 500,
        n_jobs: int | None = None,
        memory: str | int | None = None,
        time_limit: float | None = None,
    ) -> None:
        self.loss = loss
        self.C = C
        self.penalty = penalty
        self.views = views
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.memory = memory
        self.time_limit = time_limit

    def fit(self, X: Any, y: Any) -> ColumnWeights:
        """Learns the weights of the columns of X, (n, D), from two classes or numbers y, (n,).

        Warns with ConvergenceWarning where the stationarity did not reach `tol`. Raises ValueError for
        data or parameters that cannot be used; ResourceError (a MemoryError) where the memory does not suffice.
        """
        self._validate_params()
        check_same_samples(X, y=y)
        read = partial(_compat.validated, self, as_container(X), reset=True, dtype=np.float64, order="C")
        X, y = within_doubles("X", read, y=y, ensure_min_samples=2)
        loss, targets = self._target(y)
        found = _core.column_weights(
            X,
            targets,
            view=self._views(X.shape[1]),
            loss=loss,
            C=float(self.C),
            penalty=float(self.penalty),
            tolerance=float(self.tol),
            max_iterations=int(self.max_iter),
            threads=_settings.threads(self.n_jobs),
            memory=_settings.memory_bytes(self.memory),
            time_limit=None if self.time_limit is None else float(self.time_limit),
        )
        view = np.asarray(self._views(X.shape[1]) or range(X.shape[1]), dtype=int)
        self.weights_ = found["weights"][view]
        self.stationarity_, self.inner_gap_ = found["stationarity"], found["inner_gap"]
        self.objective_, self.n_iter_ = found["objective"], found["iterations"]
        if found["status"] != "converged":
            warnings.warn(
                f"generalised MKL ended with a stationarity of {self.stationarity_:.1e}, above tol={self.tol:g} "
                f"({found['status']}): the weights of columns may be improved; raise max_iter or scale the columns",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """(n, D): each column times the square root of its weight."""
        check_is_fitted(self)
        X = within_doubles("X", _compat.validated, self, as_container(X), reset=False, dtype=np.float64)
        return X * np.sqrt(self.weights_)

    def _target(self, y: NDArray[Any]) -> tuple[str, NDArray[np.float64]]:
        kind = type_of_target(y, input_name="y")
        loss = self.loss or ("squared" if kind.startswith("continuous") else "hinge")
        learned = _settings.loss_info(loss).get("target", "classes")
        if learned == "numbers" and np.asarray(y).dtype.kind in "buif":
            return loss, y.astype(np.float64)
        if learned != "classes":
            raise ValueError(
                f"loss '{loss}' learns from {learned if learned == 'numbers' else 'samples without targets'}, and y has "
                f"{'labels' if learned == 'numbers' else 'targets'}: ColumnWeights needs numbers with loss='squared', or "
                "two classes with loss='hinge'"
            )
        classes = np.unique(y)
        if len(classes) != 2:
            raise ValueError(
                f"ColumnWeights learns from two classes, or from numbers with loss='squared'; y has {len(classes)} "
                f"class{'' if len(classes) == 1 else 'es'}: fit one for each class against the others"
            )
        return loss, np.where(y == classes[1], 1.0, -1.0)

    def _views(self, columns: int) -> list[int]:
        if self.views is None:
            return []
        views = np.asarray(self.views)
        if views.shape != (columns,) or not np.issubdtype(views.dtype, np.integer):
            raise ValueError(f"views must be {columns} whole numbers, the view of each column")
        if set(views.tolist()) != set(range(views.max() + 1)):
            raise ValueError("views must count from 0, with a column for each of them")
        return [int(view) for view in views]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "weights_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn 1.4 and 1.5
        return {"requires_y": True, "binary_only": True}
