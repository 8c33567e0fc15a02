"""A grid search by the library's own folds and scores, with nested cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from sklearn.base import clone

from . import _core
from ._auto import Learner, table_of
from ._base import BaseMKL
from ._candidates import candidates_of, check_grid, points_of, resources_of
from ._progress import Reporter
from ._warnings import KernmixWarning, warn_of, warn_of_findings
from .search_result import SearchResult


def nested_search(
    estimator: BaseMKL,
    param_grid: Any,
    X: Any,
    y: Any,
    *,
    nested: int | None = 5,
    folds: int = 5,
    repeats: int = 1,
    score: str | None = None,
    choose: str = "best",
    sample_weight: Any = None,
    groups: Any = None,
) -> SearchResult:
    """Searches a grid, trains the best candidate, and estimates what the whole search gives on new samples.

    The numbers are those of `kernmix tune --nested` with the same settings and seed. `MKLSearchCV` searches as
    scikit-learn does, with its scorers and pipelines, and has no estimate of its own.

    Parameters
    ----------
    estimator : MKLClassifier, MKLRegressor or MultilabelMKL
        Its settings count where the grid does not say otherwise, `random_state`, `n_jobs` and `time_limit` among them.
    param_grid : dict of lists, or list of such dicts
        Parameters of the estimator and their values: "regularizer": ["l1", "lp:p=1.5"].
    X, y, sample_weight
        As of `kernmix.auto`, but for views, which the estimator names.
    nested : int >= 2 or None, default=5
        Outer folds, inside each of which the search is repeated; None: there is no estimate.
    folds, repeats : int, default 5 and 1
        To choose by: stratified by class, shuffled by random_state.
    score : text, optional
        A metric of `kernmix evaluate` by which candidates are chosen; default as of `kernmix.auto`.
    choose : "best" or "one-se"
        The best mean, or the simplest candidate within one standard error of it.
    groups : array-like (n,), optional
        Which samples belong together (a patient, a batch): they are never on both sides of a fold.

    Returns
    -------
    SearchResult

    Raises
    ------
    ValueError
        For a grid, data or parameters that cannot be used.
    TypeError
        For an estimator that is not one of kernmix.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from kernmix import MKLClassifier, nested_search
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> grid = {"regularizer": ["l1", "average"], "C": [0.1, 1, 10]}
    >>> found = nested_search(MKLClassifier(), grid, X[:150], y[:150], nested=3, folds=3)
    >>> sorted(found.best_params_)
    ['C', 'regularizer']
    >>> found.expected_["accuracy"].low > 0.8
    True
    """
    if not isinstance(estimator, BaseMKL):
        raise TypeError(f"nested_search takes an estimator of kernmix, got {type(estimator).__name__}")
    given = table_of(X, estimator.views, estimator.groups)
    given.check_names(y=y, groups=groups, sample_weight=sample_weight)
    X, machine = given.X, clone(estimator).set_params(views=given.views, groups=given.sets)
    points, paths = points_of(param_grid)
    check_grid(machine, {name for point in points for name in point})
    candidates, _ = candidates_of(machine, points, paths, X, y, sample_weight, groups)
    asked = {"score": score or "", "choose": choose, "folds": int(folds), "repeats": int(repeats)}
    search = _Search(machine, candidates, {**asked, "nested": 0 if nested is None else int(nested)})
    search.learn(X, y, sample_weight)
    machine.set_params(**points[search.found["chosen"]])
    result = SearchResult(machine, search.found, search.rows, points[search.found["chosen"]])
    warn_of(search.trained, machine.tol)
    warn_of_findings(search.found["warnings"], told=search.trained.warnings, stacklevel=2)
    if nested is not None and result.expected_ is None:
        warnings.warn(KernmixWarning("there is no estimate of test performance: time ran out"), stacklevel=2)
    return result


class _Search(Learner):
    """Trains the best of its candidates."""

    def __init__(self, estimator: BaseMKL, candidates: list[Any], asked: dict[str, Any]) -> None:
        super().__init__(estimator)
        self._candidates, self._asked = candidates, asked

    def fit(self, data: Callable[[], _core.Data], **options: Any) -> _core.TrainResult:
        with Reporter(self._estimator.callback, bool(self._estimator.verbose)) as reporter:
            resources = {**resources_of(self._estimator), "progress": reporter.progress, "log": reporter.log}
            self.trained, self.found = _core.tune(data(), self._candidates, resources, **self._asked)
        return self.trained
