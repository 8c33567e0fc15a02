"""Grid search that computes the kernels once for each fold."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Sequence
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import get_active_backend
from sklearn import get_config
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.parallel import Parallel, delayed

from . import _core
from ._base import BaseMKL
from ._containers import as_container, checked_sparse
from ._folds import splits_of
from ._names import check_same_samples
from ._parameters import DATA
from ._progress import logger
from ._samples import is_missing
from ._training import Part, Trainings
from .gram_stack import GramStack

_DATA = ("kernels", *DATA)  # what decides which numbers the library is given
_ATTEMPTS = 3
_PLACE = "place"  # of a candidate among all, as a parameter of `_Found`


class Fit(NamedTuple):
    """A candidate on one split."""

    test: Any  # its score, a dict of them, or the error of a fit that failed
    train: Any  # the same of the train part; None where it is not asked for
    fit_time: float
    score_time: float


class MKLSearchCV(GridSearchCV):
    """Exhaustive search over parameters of a kernmix estimator, with one kernel computation for each fold.

    The interface is that of scikit-learn's GridSearchCV. Candidates with the same kernels, views, scaling and
    normalization share the kernels of a fold. Those that differ in C alone follow each other with
    ascending C, and each starts from the weights of the most similar earlier one. Every model is
    certified to its own `tol`, and within this tolerance scores agree with those of GridSearchCV.

    Parameters
    ----------
    estimator : MKLClassifier, MKLRegressor, MKLOneClass or MultilabelMKL
        Or a Pipeline that ends in one; its other steps are fitted on the training part of each fold.
    param_grid : dict of lists, or list of such dicts
    scoring, n_jobs, refit, cv, verbose, pre_dispatch, error_score, return_train_score
        As in GridSearchCV. n_jobs folds are searched at a time; results do not depend on it. If a worker is
        killed, its folds are searched again.

    Attributes
    ----------
    cv_results_, best_estimator_, best_score_, best_params_, best_index_, scorer_, n_splits_, refit_time_
        As in GridSearchCV. Fit times include an equal share of the kernel computation for all candidates that
        share kernels.
    saved_ : dict
        Counts of the search without the refit: `models`; `kernel_builds`, the number of models for which
        kernels were computed (in GridSearchCV all of them); `kernel_seconds` of this computation, and
        `saved_seconds` that it would have taken for the other models; `warm_starts`; `svm_solves` in total;
        `warnings`, a dict with the number of models that did not reach their `tol` ("not-converged"), if there are
        any. All other warnings are about the refitted model.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from kernmix import MKLClassifier, MKLSearchCV
    >>> X, y = load_iris(return_X_y=True)
    >>> search = MKLSearchCV(MKLClassifier(), {"C": [0.1, 1, 10]}, cv=3).fit(X, y)
    >>> search.saved_["models"], search.saved_["kernel_builds"]
    (9, 3)
    """

    def fit(self, X: Any, y: Any = None, **params: Any) -> MKLSearchCV:
        """Searches, then fits the best candidate on all samples.

        X, y and params are as in GridSearchCV: params are for the estimator's `fit`, the scorer and the
        splitter. `groups` keeps samples in the same fold: an integer cv is the number of folds of GroupKFold,
        and calibration and thresholds of the estimator keep groups together, too. `sample_weight` is used in
        fits and in the sizes of groups; scikit-learn uses it in scores from version 1.7 on. Raises TypeError
        for an estimator that is not one of kernmix.
        """
        _require_mkl(self.estimator)
        self.get_metadata_routing()  # refuses scorers, and a refit that is none of them, before any fit
        by_name = {name: values for name, values in params.items() if name in ("groups", "sample_weight")}
        X = as_container(X) if isinstance(self.estimator, BaseMKL) else checked_sparse(X, "X")
        check_same_samples(X, y=y, **by_name)
        X, y = indexable(X, y)
        fit_params, own_params, split_params = self._routed(params)
        weights = _weights_of(self.estimator, fit_params)
        splits = splits_of(self.estimator, self.cv, X, y, sample_weight=weights, **split_params)
        if not splits:
            raise ValueError("No fits were performed: the cross-validation iterator is empty")
        candidates = list(ParameterGrid(self.param_grid))
        keeps_groups = "groups" in signature(_last_step(self.estimator).fit).parameters  # in folds of its own
        groups = split_params.get("groups") if keeps_groups else None
        table = self._table(candidates, self._search(X, y, splits, candidates, own_params, groups))
        self.cv_results_, self.multimetric_ = table.cv_results_, table.multimetric_
        if self.refit or not self.multimetric_:
            self._choose("score" if not self.multimetric_ else self.refit)
        if self.refit:
            self._refit(X, y, fit_params, groups)
        self.scorer_ = self._scorers()
        self.n_splits_ = len(splits)
        return self

    def _routed(self, params: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """The parameters of `fit`, those of fits and scores together, and those of the splitter."""
        if not _routes():
            own = {name: value for name, value in params.items() if name != "groups"}
            return own, own, {"groups": params.get("groups")}
        routed = process_routing(self, "fit", **params)
        taken = {*routed.estimator.fit, *routed.scorer.score}
        own = {name: value for name, value in params.items() if name in taken}
        return routed.estimator.fit, own, routed.splitter.split

    def _scorers(self) -> Any:
        """What `scorer_` is of GridSearchCV."""
        if callable(self.scoring):
            return self.scoring
        if self.scoring is None or isinstance(self.scoring, str):
            return check_scoring(self.estimator, self.scoring)
        named = self.scoring if isinstance(self.scoring, dict) else {name: name for name in self.scoring}
        return {name: check_scoring(self.estimator, scorer) for name, scorer in named.items()}

    def _search(
        self, X: Any, y: Any, splits: list[tuple[Any, Any]], candidates: list[dict[str, Any]], params: Any, groups: Any
    ) -> list[list[Fit]]:
        """The fits of each split, in the order of the candidates. Sets `saved_`."""
        path = _path(self.estimator, candidates)
        if self.verbose > 0:
            print(
                f"Fitting {len(splits)} folds for each of {len(candidates)} candidates, "
                f"totalling {len(splits) * len(candidates)} fits"
            )
        options = {name: getattr(self, name) for name in ("scoring", "error_score", "return_train_score")}
        estimator = self.estimator
        if isinstance(estimator, Pipeline) and not _routes() and "sample_weight" in params:
            estimator = _Weighed(**estimator.get_params(deep=False))
        presence = _presence(estimator, X, candidates, path)
        parts = [{data: _part_of(split, own, k) for data, own in presence.items()} for k, split in enumerate(splits)]
        tasks = [
            delayed(_search_fold)(estimator, X, y, part, candidates, path, options, params, groups, presence)
            for part in parts
        ]
        folds = _run_all(tasks, self.n_jobs, self.pre_dispatch)
        self.saved_ = _sum([saved for _, saved in folds])
        logger.info(
            "%(models)d models on %(kernel_builds)d computations of kernels, which took %(kernel_seconds).3g s "
            "and saved %(saved_seconds).3g s; %(warm_starts)d warm starts, %(svm_solves)d SVMs",
            self.saved_,
        )
        _warn_of_missed_tolerances(self.saved_)
        return [fits for fits, _ in folds]

    def _table(self, candidates: list[dict[str, Any]], folds: list[list[Fit]]) -> GridSearchCV:
        """GridSearchCV over what was found, with its ways to name failures and to tell one score from several."""
        count = len(folds)
        found = [[fit.test for fit in fits] for fits in folds] + [[fit.train for fit in fits] for fits in folds]
        grid = [{**{name: [value] for name, value in c.items()}, _PLACE: [i]} for i, c in enumerate(candidates)]
        table = GridSearchCV(
            _Found(),
            grid,
            scoring=_found_score,
            cv=[([count + k], [k]) for k in range(count)],
            refit=self.refit if isinstance(self.refit, (bool, str)) else False,
            error_score=self.error_score,
            return_train_score=self.return_train_score,
        ).fit(found)
        results = table.cv_results_
        del results[f"param_{_PLACE}"]
        results["params"] = candidates
        for name in ("fit_time", "score_time"):
            seconds = np.array([[getattr(fit, name) for fit in fits] for fits in folds])
            results[f"mean_{name}"], results[f"std_{name}"] = seconds.mean(axis=0), seconds.std(axis=0)
        _leave_out_undefined(results, count)
        _with_ties(results)
        return table

    def _choose(self, metric: Any) -> None:
        results = self.cv_results_
        if callable(self.refit):
            self.best_index_ = self.refit(results)
        else:
            self.best_index_ = results[f"rank_test_{metric}"].argmin()
            self.best_score_ = results[f"mean_test_{metric}"][self.best_index_]
        self.best_params_ = results["params"][self.best_index_]

    def _refit(self, X: Any, y: Any, fit_params: dict[str, Any], groups: Any) -> None:
        best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
        _last_step(best)._part = Part(groups=groups)
        if isinstance(best, Pipeline) and not _routes() and "sample_weight" in fit_params:
            fit_params = {_weight_name(best): fit_params.pop("sample_weight"), **fit_params}
        started = time.time()
        self.best_estimator_ = best.fit(X, **fit_params) if y is None else best.fit(X, y, **fit_params)
        self.refit_time_ = time.time() - started
        if hasattr(best, "feature_names_in_"):
            self.feature_names_in_ = best.feature_names_in_


class _Found(BaseEstimator):
    """A candidate of a search that is done. Its samples are the parts: what all candidates had there."""

    def __init__(self, place: int = 0) -> None:
        self.place = place

    def set_params(self, **params: Any) -> _Found:
        self.place = params[_PLACE]
        return self

    def fit(self, X: Any, y: Any = None) -> _Found:
        if len(X) == 1 and isinstance(X[0][self.place], Exception):
            raise X[0][self.place]
        return self


def _found_score(found: _Found, X: Any, y: Any = None) -> Any:
    return X[0][found.place]


class _Weighed(Pipeline):
    """A pipeline whose `fit` takes weights of samples, which are those of its last step."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **params: Any) -> _Weighed:
        return super().fit(X, y, **{_weight_name(self): sample_weight}, **params)


def _weight_name(pipeline: Pipeline) -> str:
    return f"{pipeline.steps[-1][0]}__sample_weight"


def _weights_of(estimator: Any, fit_params: dict[str, Any]) -> Any:
    """The sample weights that the last step is fitted with, or None."""
    own = fit_params.get("sample_weight")
    return fit_params.get(_weight_name(estimator), own) if isinstance(estimator, Pipeline) else own


def _routes() -> bool:
    return bool(get_config().get("enable_metadata_routing", False))


def _leave_out_undefined(results: dict[str, Any], n_splits: int) -> None:
    """Replaces means by those over the splits with a score of some candidate.

    A split on which the score of every candidate is nan, as AUC with one class, says nothing about the
    candidates.
    """
    for key in [key for key in results if key.startswith(("mean_test_", "mean_train_"))]:
        name = key.removeprefix("mean_")
        scores = np.array([results[f"split{k}_{name}"] for k in range(n_splits)])
        undefined = np.isnan(scores).all(axis=1)
        if not undefined.any() or undefined.all():
            continue
        warnings.warn(
            f"{name.split('_', 1)[1]} is undefined on {undefined.sum()} of {n_splits} splits, because a class is "
            "missing in their training or test part, or because scoring failed: means are over the other splits",
            UndefinedMetricWarning,
            stacklevel=4,
        )
        known = scores[~undefined]
        results[key], results[f"std_{name}"] = known.mean(axis=0), known.std(axis=0)


def _with_ties(results: dict[str, Any]) -> dict[str, Any]:
    """Ranks of the mean scores; means that differ only by rounding are tied."""
    for name in [name for name in results if name.startswith("mean_test_")]:
        means = np.asarray(results[name], dtype=float)
        known = np.isfinite(means)
        grid = 2.0**-30 * max(1.0, float(np.max(np.abs(means[known]), initial=0.0)))
        rounded = np.where(known, np.round(means / grid), -np.inf)
        ranks = [1 + int(np.sum(rounded > own)) for own in rounded]
        results[name.replace("mean_", "rank_", 1)] = np.array(ranks, dtype=np.int32)
    return results


def _require_mkl(estimator: Any) -> None:
    if not isinstance(_last_step(estimator), BaseMKL):
        raise TypeError(
            f"MKLSearchCV shares the kernels of kernmix estimators, got {type(estimator).__name__}: "
            "use scikit-learn's GridSearchCV"
        )


def _last_step(estimator: Any) -> Any:
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def _path(estimator: BaseMKL, candidates: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
    """The places of candidates in the order of the library, each with the number of its kernels and views."""
    machines = [clone(estimator).set_params(**clone(c, safe=False)) for c in candidates]
    last = [_last_step(machine) for machine in machines]
    before = [_steps_before(machine, candidate) for machine, candidate in zip(machines, candidates, strict=True)]
    data = _numbered([[steps, *(getattr(own, n) for n in _DATA)] for own, steps in zip(last, before, strict=True)])
    order = _core.training_order([_settings_of(own) for own in last])
    return [(i, data[i]) for i in sorted(order, key=data.__getitem__)]


def _settings_of(machine: BaseMKL) -> dict[str, Any]:
    try:
        return machine._settings()
    except (TypeError, ValueError):  # which the fit will say
        return {}


def _steps_before(machine: Any, candidate: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a candidate for the steps of a pipeline before the last one."""
    if not isinstance(machine, Pipeline):
        return {}
    last = machine.steps[-1][0]
    return {name: value for name, value in candidate.items() if name.split("__")[0] != last}


def _numbered(values: list[list[Any]]) -> list[int]:
    """For each value the index of the first equal one."""
    return [next(k for k, first in enumerate(values) if _same(first, value)) for value in values]


def _same(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and _same(list(left.values()), list(right.values()))
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(_same, left, right))
    try:
        return bool(np.all(left == right)) and np.shape(left) == np.shape(right)
    except Exception:  # noqa: BLE001  what cannot be compared is not the same
        return False


class _Presence(NamedTuple):
    """Which views and samples the candidates with the same kernels and views learn from."""

    incomplete: tuple[str, ...] = ()  # views that some of all samples lack
    kept: Any = None  # samples that lack no view, where the others are dropped; None: all


def _presence(
    estimator: Any, X: Any, candidates: list[dict[str, Any]], path: list[tuple[int, int]]
) -> dict[int, _Presence]:
    """For each number of kernels and views. Steps of a pipeline hide them.

    Raises ValueError where they hide which samples are dropped.
    """
    found: dict[int, _Presence] = {}
    for i, data in path:
        if data in found:
            continue
        machine = clone(estimator).set_params(**clone(candidates[i], safe=False))
        if not isinstance(machine, Pipeline):
            found[data] = _Presence(machine._incomplete_views(X), machine._kept_rows(X))
            continue
        if _last_step(machine).absent == "drop" and _has_missing(X):
            raise ValueError(
                "absent='drop' inside a pipeline: its steps hide which samples of X lack a view; leave these samples "
                "out of X, or use absent='keep'"
            )
        found[data] = _Presence()
    return found


def _has_missing(X: Any) -> bool:
    if isinstance(X, GramStack):
        return False
    values = X.data if scipy.sparse.issparse(X) else np.asarray(X)
    if values.dtype == object:
        return any(is_missing(value) for value in values.ravel())
    return bool(np.any(values != values))  # noqa: PLR0124 (NaN)


def _part_of(split: tuple[Any, Any], presence: _Presence, number: int) -> tuple[Any, Any]:
    """The train and test part of a split without dropped samples. Raises ValueError for one without samples."""
    if presence.kept is None:
        return split
    parts = tuple(np.asarray(part)[np.isin(part, presence.kept)] for part in split)
    for part, name in zip(parts, ("training", "test"), strict=True):
        if len(part) == 0:
            raise ValueError(
                f"absent='drop' leaves no sample in the {name} part of split {number}: every one lacks some view; use "
                "absent='keep', or fewer folds"
            )
    return parts


def _search_fold(
    estimator: Any,
    X: Any,
    y: Any,
    parts: dict[int, tuple[Any, Any]],
    candidates: list[dict[str, Any]],
    path: list[tuple[int, int]],
    options: dict[str, Any],
    params: dict[str, Any],
    groups: Any,
    presence: dict[int, _Presence],
) -> tuple[list[Fit], dict[str, Any]]:
    """The fits of all candidates on one split, in their order, and what they saved.

    `parts` are the train and test samples for each number of kernels and views.
    """
    trainings = Trainings()
    known = frozenset(np.asarray(y).tolist()) if is_classifier(estimator) and np.ndim(y) == 1 else frozenset()
    fits: dict[int, Fit] = {}
    kernels = np.zeros(len(candidates))
    for i, data in path:
        split = parts[data]
        if len(known) > 1 and len(set(np.asarray(y)[split[0]].tolist())) == 1:  # `kernmix cv` scores it alike
            fits[i] = _constant_fit(X, y, split, options, params)
            continue
        trainings.choose(data)
        machine = clone(estimator).set_params(**clone(candidates[i], safe=False))
        own_groups = None if groups is None else np.asarray(groups)[split[0]]
        _last_step(machine)._part = Part(trainings, known, own_groups, presence[data].incomplete)
        fits[i] = _fit(machine, X, y, split, options, params)
        kernels[i] = trainings.kernel_seconds
    sharing = {data: [i for i, own in path if own == data] for _, data in path}
    each = {i: kernels[places].mean() for places in sharing.values() for i in places}
    seconds = [fits[i].fit_time + each[i] - kernels[i] for i in range(len(candidates))]
    return [fits[i]._replace(fit_time=own) for i, own in enumerate(seconds)], trainings.close()


def _constant_fit(X: Any, y: Any, split: tuple[Any, Any], options: dict[str, Any], params: dict[str, Any]) -> Fit:
    """Every sample gets the one class of the train part."""
    constant = DummyClassifier(strategy="most_frequent")
    if _routes():
        constant.set_fit_request(sample_weight=False).set_score_request(sample_weight=True)
    return _fit(constant, X, y, split, options, {name: params[name] for name in params if name == "sample_weight"})


def _fit(machine: Any, X: Any, y: Any, split: tuple[Any, Any], options: dict[str, Any], params: dict[str, Any]) -> Fit:
    """One machine on one split, as GridSearchCV fits and scores it."""
    search = GridSearchCV(machine, {}, cv=[split], refit=False, **options)
    started = time.time()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "One or more of the")  # scores are non-finite, which the table says
            search.fit(X, y, **params)
    except ValueError as error:
        if options["error_score"] == "raise" or "fits failed" not in str(error):
            raise
        failure = RuntimeError(str(error).rpartition("following error:\n")[2].strip())
        return Fit(failure, failure, time.time() - started, 0.0)
    results = search.cv_results_

    def scores(part: str) -> Any:
        begin = f"split0_{part}_"
        found = {name.removeprefix(begin): results[name][0] for name in results if name.startswith(begin)}
        return found if search.multimetric_ else found.get("score")

    return Fit(scores("test"), scores("train"), results["mean_fit_time"][0], results["mean_score_time"][0])


def _run_all(tasks: list[Any], n_jobs: int | None, pre_dispatch: Any) -> list[Any]:
    """Results of the tasks in their order. If a worker is killed, the missing tasks are run again."""
    generates = getattr(get_active_backend()[0], "supports_return_generator", False)
    done: list[Any] = []
    for attempt in range(1, _ATTEMPTS + 1):
        parallel = Parallel(n_jobs=n_jobs, pre_dispatch=pre_dispatch, return_as="generator" if generates else "list")
        try:
            for result in parallel(tasks[len(done) :] if generates else tasks):
                done.append(result)  # noqa: PERF402  what came before a worker is killed stays
        except TerminatedWorkerError:
            if attempt == _ATTEMPTS:
                raise
            logger.warning("a worker was killed: %d of %d folds are searched again", len(tasks) - len(done), len(tasks))
        else:
            return done
    return done


def _sum(each: Sequence[dict[str, Any]]) -> dict[str, Any]:
    warned: Counter[str] = sum((one["warnings"] for one in each), Counter())
    numbers = [name for name in each[0] if name != "warnings"]
    return {**{name: sum(one[name] for one in each) for name in numbers}, "warnings": dict(warned)}


def _warn_of_missed_tolerances(saved: dict[str, Any]) -> None:
    missed = saved["warnings"].get("not-converged", 0)
    if missed:
        warnings.warn(
            f"{missed} of {saved['models']} models of the search did not reach their tol, so their scores may be "
            "inaccurate: raise max_iter or time_limit, or scale the data",
            ConvergenceWarning,
            stacklevel=4,
        )
