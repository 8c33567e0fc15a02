"""Grid search that computes the kernels once for each fold."""

from __future__ import annotations

import re
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from inspect import signature
from itertools import chain
from typing import Any

import numpy as np
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import get_active_backend
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.model_selection import GridSearchCV, ParameterGrid
from sklearn.model_selection._validation import (
    _fit_and_score,
    _insert_error_scores,
    _warn_or_raise_about_fit_failures,
)
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from ._base import BaseMKL
from ._compat import search_scorers
from ._folds import splits_of
from ._names import check_same_samples
from ._parameters import kernel_parameters
from ._progress import logger
from ._training import Trainings

_DATA = ("kernels", "views")  # what decides which numbers the library is given
_KERNELS = kernel_parameters()  # what it makes of them before it solves
_PATH = ("regularizer", "C", "nu")
_ATTEMPTS = 3


class MKLSearchCV(GridSearchCV):
    """Exhaustive search over parameters of a kernmix estimator, with one kernel computation for each fold.

    The interface is that of scikit-learn's GridSearchCV. Candidates with the same kernels, views, scaling and
    normalization share the kernels of a fold. They are ordered by C, the numbers of the regularizer, and the
    other parameters, and each starts from the weights of the most similar earlier one. Every model is
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
        `warnings`, the number of models that did not reach their `tol` ("not-converged"). All other warnings
        are about the refitted model.

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
        self._validate_params()
        _require_mkl(self.estimator)
        scorers, refit_metric = search_scorers(self)
        by_name = {name: values for name, values in params.items() if name in ("groups", "sample_weight")}
        check_same_samples(X, y=y, **by_name)
        X, y = indexable(X, y)
        params = _check_method_params(X, params=params)
        routed = self._get_routed_params_for_fit(params)
        routed.estimator.fit = _with_groups(self.estimator, routed)
        splits = self._splits(X, y, _weights_of(self.estimator, routed.estimator.fit), routed.splitter.split)
        candidates = list(ParameterGrid(self.param_grid))
        out = self._search(X, y, splits, candidates, scorers, routed)
        refit_metric = self._refit_metric(out, refit_metric)
        results = self._format_results(candidates, len(splits), out)
        _leave_out_undefined(results, len(splits))
        self.cv_results_ = _with_ties(results)
        self._choose(refit_metric)
        if self.refit:
            self._refit(X, y, routed.estimator.fit)
        self.scorer_ = getattr(scorers, "_scorers", scorers)
        self.n_splits_ = len(splits)
        return self

    def _splits(self, X: Any, y: Any, weights: Any, split_params: dict[str, Any]) -> list[tuple[Any, Any]]:
        splits = splits_of(self.estimator, self.cv, X, y, sample_weight=weights, **split_params)
        if not splits:
            raise ValueError("No fits were performed: the cross-validation iterator is empty")
        return splits

    def _search(
        self, X: Any, y: Any, splits: list[tuple[Any, Any]], candidates: list[dict[str, Any]], scorers: Any, routed: Any
    ) -> list[dict[str, Any]]:
        """The results of `_fit_and_score` for each candidate and, within it, each split. Sets `saved_`."""
        path = _path(self.estimator, candidates)
        if self.verbose > 0:
            print(
                f"Fitting {len(splits)} folds for each of {len(candidates)} candidates, "
                f"totalling {len(splits) * len(candidates)} fits"
            )
        options = {
            "scorer": scorers,
            "fit_params": routed.estimator.fit,
            "score_params": routed.scorer.score,
            "return_train_score": self.return_train_score,
            "error_score": self.error_score,
            "verbose": self.verbose,
        }
        tasks = [
            delayed(_search_fold)(self.estimator, X, y, split, (k, len(splits)), candidates, path, options)
            for k, split in enumerate(splits)
        ]
        folds = _run_all(tasks, self.n_jobs, self.pre_dispatch)
        self.saved_ = _sum([saved for _, saved in folds])
        logger.info(
            "%(models)d models on %(kernel_builds)d computations of kernels, which took %(kernel_seconds).3g s "
            "and saved %(saved_seconds).3g s; %(warm_starts)d warm starts, %(svm_solves)d SVMs",
            self.saved_,
        )
        _warn_of_missed_tolerances(self.saved_)
        out = list(chain.from_iterable(zip(*(results for results, _ in folds), strict=True)))
        _warn_or_raise_about_fit_failures(out, self.error_score)
        if callable(self.scoring):
            _insert_error_scores(out, self.error_score)
        return out

    def _refit_metric(self, out: list[dict[str, Any]], metric: str) -> str:
        """The metric of the refit; the form of the result of a callable `scoring` is known only now."""
        first = out[0]["test_scores"]
        self.multimetric_ = isinstance(first, dict)
        if callable(self.scoring) and self.multimetric_:
            self._check_refit_for_multimetric(first)
            return self.refit
        return metric

    def _choose(self, metric: str) -> None:
        if not self.refit and self.multimetric_:
            return
        self.best_index_ = self._select_best_index(self.refit, metric, self.cv_results_)
        if not callable(self.refit):
            self.best_score_ = self.cv_results_[f"mean_test_{metric}"][self.best_index_]
        self.best_params_ = self.cv_results_["params"][self.best_index_]

    def _refit(self, X: Any, y: Any, fit_params: dict[str, Any]) -> None:
        best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
        started = time.time()
        self.best_estimator_ = best.fit(X, **fit_params) if y is None else best.fit(X, y, **fit_params)
        self.refit_time_ = time.time() - started
        if hasattr(best, "feature_names_in_"):
            self.feature_names_in_ = best.feature_names_in_


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
            "missing in their training or test part: means are over the other splits",
            UndefinedMetricWarning,
            stacklevel=4,
        )
        known = scores[~undefined]
        results[key], results[f"std_{name}"] = known.mean(axis=0), known.std(axis=0)


def _with_groups(estimator: Any, routed: Any) -> dict[str, Any]:
    """Parameters of `fit`, with the groups of the splitter if the estimator makes folds itself.

    In a pipeline groups and sample weights are for the last step.
    """
    params = dict(routed.estimator.fit)
    piped = isinstance(estimator, Pipeline) and not get_config().get("enable_metadata_routing", False)
    prefix = f"{estimator.steps[-1][0]}__" if piped else ""
    groups = routed.splitter.split.get("groups")
    if groups is not None and "groups" in signature(_last_step(estimator).fit).parameters:
        params.setdefault(f"{prefix}groups", groups)
    if piped and "sample_weight" in params:
        params[f"{prefix}sample_weight"] = params.pop("sample_weight")
    return params


def _weights_of(estimator: Any, fit_params: dict[str, Any]) -> Any:
    """The sample weights for the fit of the last step, or None."""
    name = f"{estimator.steps[-1][0]}__sample_weight" if isinstance(estimator, Pipeline) else "sample_weight"
    return fit_params.get(name)


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


# Which candidate comes when: [(place in the list of candidates, number of its kernels and views)].
_Path = list[tuple[int, int]]


def _path(estimator: BaseMKL, candidates: Sequence[dict[str, Any]]) -> _Path:
    """The order of the candidates: those with common kernels are consecutive, with ascending C."""
    machines = [clone(estimator).set_params(**clone(c, safe=False)) for c in candidates]
    settings = [_last_step(machine).get_params() for machine in machines]
    before = [_steps_before(machine, candidate) for machine, candidate in zip(machines, candidates, strict=True)]
    others = sorted(set(settings[0]) - {*_DATA, *_KERNELS, *_PATH})
    data = _numbered([[steps, *(s[name] for name in _DATA)] for s, steps in zip(settings, before, strict=True)])
    kernels = _numbered([[s[name] for name in _KERNELS] for s in settings])
    rest = _numbered([[s[name] for name in others] for s in settings])

    def place(i: int) -> tuple[Any, ...]:
        size = settings[i].get("C", settings[i].get("nu"))
        return data[i], kernels[i], rest[i], _parts(str(settings[i]["regularizer"])), _number(size), i

    return [(i, data[i]) for i in sorted(range(len(candidates)), key=place)]


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


def _parts(regularizer: str) -> tuple[str, list[float]]:
    """Its name and its numbers: "lp:p=1.5" is ("lp", [1.5])."""
    name, _, parameters = regularizer.partition(":")
    numbers = re.findall(r"=\s*([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)", parameters)
    return name, [float(number) for number in numbers]


def _number(C: Any) -> float:
    """C as a number; infinite if it is not one, which the fit will report."""
    try:
        return float(C)
    except (TypeError, ValueError):
        return float("inf")


def _search_fold(
    estimator: BaseMKL,
    X: Any,
    y: Any,
    split: tuple[Any, Any],
    number: tuple[int, int],
    candidates: list[dict[str, Any]],
    path: _Path,
    options: dict[str, Any],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The results of all candidates on one split, in their order, and the counts for `saved_`."""
    results: list[Any] = [None] * len(candidates)
    trainings = Trainings()
    known = frozenset(np.asarray(y).tolist()) if is_classifier(estimator) and np.ndim(y) == 1 else frozenset()
    if _trains_one_class(y, split[0], known):
        return _constant_results(X, y, split, number, candidates, options), {**trainings.close(), "svm_solves": 0}
    for i, data in path:
        trainings.choose(data)
        own = clone(estimator)
        last = _last_step(own)
        last._trainings = trainings
        last._known_classes = known
        results[i] = _fit_and_score(
            own,
            X,
            y,
            train=split[0],
            test=split[1],
            parameters=candidates[i],
            split_progress=number,
            candidate_progress=(i, len(candidates)),
            return_n_test_samples=True,
            return_times=True,
            return_estimator=True,
            **options,
        )
        fitted = _last_step(results[i].pop("estimator"))
        for name in ("_trainings", "_known_classes"):  # of a fit that did not come as far
            _last_step(own).__dict__.pop(name, None)
        results[i]["kernels"] = fitted.seconds_["kernels"] if hasattr(fitted, "seconds_") else 0.0
        results[i]["svm_solves"] = _svm_solves(fitted)
    svm_solves = sum(result.pop("svm_solves") for result in results)
    _spread_kernels(results, path)
    return results, {**trainings.close(), "svm_solves": svm_solves}


def _trains_one_class(y: Any, train: Any, known: frozenset[Any]) -> bool:
    """Whether the training part has only one of several classes; all samples are then assigned to it, as in
    `kernmix cv`.
    """
    return len(known) > 1 and len(set(np.asarray(y)[train].tolist())) == 1


def _constant_results(
    X: Any, y: Any, split: tuple[Any, Any], number: tuple[int, int], candidates: list[Any], options: dict[str, Any]
) -> list[dict[str, Any]]:
    results = []
    for i in range(len(candidates)):
        result = _fit_and_score(
            DummyClassifier(strategy="most_frequent"),
            X,
            y,
            train=split[0],
            test=split[1],
            parameters=None,
            split_progress=number,
            candidate_progress=(i, len(candidates)),
            return_n_test_samples=True,
            return_times=True,
            **{**options, "fit_params": {}},
        )
        results.append(result)
    return results


def _svm_solves(fitted: BaseMKL) -> int:
    counts = getattr(fitted, "history_", {}).get("svm_solves", ())
    return int(counts[-1]) if len(counts) else 0


def _spread_kernels(results: list[dict[str, Any]], path: _Path) -> None:
    """Divides the time for kernels equally among the candidates that share them."""
    for data in {data for _, data in path}:
        sharing = [results[i] for i, own in path if own == data]
        each = sum(result["kernels"] for result in sharing) / len(sharing)
        for result in sharing:
            result["fit_time"] += each - result.pop("kernels")


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
