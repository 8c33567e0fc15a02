"""Estimators of model files."""

from __future__ import annotations

import logging
import re
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._base import BaseMKL, mixes_columns
from ._parameters import SCHEMES
from .classifier import MKLClassifier, typed_classes
from .gram_stack import StackColumns, row_id
from .kernels import Kernel
from .multilabel import MultilabelMKL
from .one_class import MKLOneClass
from .regressor import MKLRegressor

logger = logging.getLogger("kernmix")


def load(path: str | PathLike[str]) -> BaseMKL:
    """Loads a fitted estimator from a model file that `save` or `kernmix train` wrote.

    The parameters of the problem are restored: kernels (with the fitted widths), views, regularizer,
    loss, C, bias, class weights, calibration, scheme, coupling, scaling, tol and seed. The file does
    not contain n_jobs, memory, time_limit, max_iter, threshold_folds, assume_psd, verbose and
    callback, which get their defaults, nor n_iter_, history_, status_ and seconds_.

    `classes_` have the type of the labels in `fit`. For a model of the command line they are booleans
    if they are called False and True, numbers if each is written as Python writes numbers, and
    otherwise texts. `decision_function` is positive for classes_[1], even if the file has the other
    class as positive. Columns are read by name; an array must have the columns of the training table
    in their order. A column of words, such as a nominal attribute of an ARFF file, contains these
    words, or their indices in `categories_`.

    Raises
    ------
    DataError (a ValueError)
        If the file is not a model, has a newer version, or is truncated or altered.
    """
    model = _core.Model.load(path)
    estimator = _estimator(model)
    estimator._model = model
    estimator._python_kernels = []
    estimator._pairwise = False
    estimator._is_loaded = True
    estimator._support_rows = None
    estimator._support_columns = _support_columns(model)
    estimator.views_ = _source_views(model)
    estimator.support_ = _support(model)
    _restore_columns(estimator, model)
    estimator._describe(model)
    logger.info("%s: resources, limits and history are not part of a model file", path)
    return estimator


def _rows_of(ids: list[str]) -> list[int] | None:
    """The rows, from 0, that the command line tool gives as ids where it leaves samples out; None of other ids."""
    rows = [re.fullmatch(r"\(row (\d+)\)", own) for own in ids]
    return [int(row[1]) - 1 for row in rows if row] if ids and all(rows) else None


def _support(model: _core.Model) -> Any:
    """The rows of the support vectors in the file of training."""
    rows = _rows_of(list(model.support_ids))
    return model.support if rows is None else np.array(rows, dtype=model.support.dtype)


def _support_columns(model: _core.Model) -> StackColumns | None:
    """The names of the columns that new matrices have; None without names."""
    ids, of_landmarks = list(model.support_ids), model.landmarks is not None
    unnamed = of_landmarks and ids == [row_id(row) for row in model.support] or _rows_of(ids) is not None
    if not ids or _views(model) or mixes_columns(model) or unnamed:
        return None
    return StackColumns(model.training_samples, None, ids, of_landmarks)


def _estimator(model: _core.Model) -> Any:
    settings = model.settings
    common = {
        "kernels": _kernels(model),
        "views": _selections(model) or None,
        "regularizer": settings["regularizer"],
        "bias": settings["bias"],
        "scaling": _scaling(model),
        "missing": settings["missing"],
        "absent": settings["absent"],
        "landmarks": _landmarks(settings["landmarks"]),
        "certificate": "landmarks" if model.exact_certificate is None else "exact",
        "categorical": list(model.word_columns) or None,
        "repair": _repair(model),
        "solver": settings["solver"],
        "tol": settings["tolerance"],
        "random_state": settings["seed"],
        **_combination(model),
    }
    if model.target == "none":
        name, nu = settings["loss"].split(":nu=")
        return MKLOneClass(loss=name, nu=float(nu), **common)
    common |= {"loss": settings["loss"], "C": settings["C"]}
    if model.scheme != "joint" and model.coupling in ("sum", "minimax", "separate"):
        common["coupling"] = model.coupling
    if model.target == "numbers":
        regressor = MKLRegressor(**common)
        regressor._target_names = [task["name"] for task in model.tasks]
        return regressor
    if model.calibration["method"] != "none":
        common["calibration"] = model.calibration["method"]
        common["calibration_folds"] = model.calibration["folds"]
    if model.scheme == "labels":
        estimator = MultilabelMKL(**common)
        estimator._label_names = list(model.names)
        integers = model.class_type == "integer"
        estimator.classes_ = np.array([int(name) for name in model.names] if integers else model.names)
        return estimator
    estimator = MKLClassifier(multi_class=_scheme(model.scheme), **common)
    estimator.classes_ = typed_classes(model.names, model.class_type)
    weights = settings["class_weights"]
    if any(weight != 1 for weight in weights):
        place = {name: i for i, name in enumerate(model.names)}
        estimator.class_weight = {c: weights[place[str(c)]] for c in estimator.classes_.tolist()}
    return estimator


def _combination(model: _core.Model) -> dict[str, Any]:
    """The parameters of a product, which has neither regularizer nor solver."""
    if model.product is None:
        return {}
    own = {"combination": "product", "weight_penalty": model.product["penalty"], "weight_start": model.product["start"]}
    return {**own, "regularizer": "l1", "solver": "auto"}


def _described(model: _core.Model) -> list[dict[str, Any]]:
    """The kernels that expressions describe."""
    return model.factors or model.kernels


def _scaling(model: _core.Model) -> str | dict[str, str]:
    """The requested rule of all views, or the rule of each."""
    asked: dict[str, str] = model.scaling["asked"]
    rules = set(asked.values())
    return dict(asked) if len(rules) > 1 else next(iter(rules), "auto")


def _landmarks(rule: str) -> str | int:
    """A list of ids was in a file that the model does not know; a model without landmarks used the exact kernels."""
    return int(rule) if rule.isdigit() else "none"


def _repair(model: _core.Model) -> str | None:
    """The requested rule for indefinite matrices."""
    return next((kernel["repair"] for kernel in model.kernels if kernel["repair"] != "none"), None)


def _scheme(scheme: str) -> str:
    return next((short for short, name in SCHEMES.items() if name == scheme), "auto")


def _selections(model: _core.Model) -> dict[str, list[Any]]:
    """The parameter `views`: columns by name, or by index if they have no names."""
    views: dict[str, list[Any]] = dict(_source_views(model))
    first = _first_number(list(model.table_columns))
    if first is None:
        return views
    return {name: [int(column) - first for column in columns] for name, columns in views.items()}


def _views(model: _core.Model) -> dict[str, list[str]]:
    """The columns of each view that a kernel reads, in their order there."""
    views: dict[str, dict[str, None]] = {}
    for kernel in _described(model):
        if not kernel["from_matrix"]:
            views.setdefault(kernel["view"], {}).update(dict.fromkeys(kernel["columns"]))
    return {name: list(columns) for name, columns in views.items()}


def _source_views(model: _core.Model) -> dict[str, list[str]]:
    """The same with the columns that indicators are made of, without the view of missing values."""
    views = _views(model)
    if model.settings["missing"].endswith("+indicator"):
        views.pop("missing", None)
    return {name: model.sources(columns) for name, columns in views.items()}


def _kernels(model: _core.Model) -> list[str]:
    """Expressions that expand to the kernels of the model, each written once."""
    views = _views(model)
    expressions: dict[str, None] = {}
    for kernel in _described(model):
        single = not kernel["from_matrix"] and len(kernel["columns"]) < len(views[kernel["view"]])
        group = kernel["group"] if kernel["group"] != kernel["view"] else None
        options = {"each": single, "normalize": kernel["normalization"], "group": group}
        text = str(Kernel(kernel["function"], kernel["parameters"]).on(kernel["view"], **options))
        expressions[text] = None
    return list(expressions)


def _restore_columns(estimator: Any, model: _core.Model) -> None:
    """The columns of the training table, in its order, which is that of arrays."""
    estimator._categories = model.categories
    names = list(model.table_columns)
    first = _first_number(names)
    if first is not None:
        estimator.n_features_in_, estimator._first_column = len(names), first
        return
    if not names:
        names = list(dict.fromkeys(name for columns in _views(model).values() for name in columns))
        estimator._column_order_known = len(estimator.views_) < 2
    if names and not all(name.isdecimal() for name in names):
        estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator.n_features_in_ = len(names)


def _first_number(names: list[str]) -> int | None:
    """1 if the columns are called 1, 2, ..., as those of arrays; 0 if 0, 1, ..., as of some LIBSVM files."""
    if not names or names[0] not in ("0", "1"):
        return None
    first = int(names[0])
    return first if names == [str(i + first) for i in range(len(names))] else None
