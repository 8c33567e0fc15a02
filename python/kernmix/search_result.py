"""What a search finds: candidates, the model that won, and the estimate of test performance."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .table import Table

_Record = dict[str, Any]


class Estimate(NamedTuple):
    """The estimate of a metric on new samples with its 95 % interval; nan if unknown."""

    value: float
    low: float
    high: float


class Expected:
    """Expected performance on new samples of models trained on as many samples as a fold trains on.

    `expected[metric]` is an Estimate (value, low, high).

    Attributes
    ----------
    metrics : Table
        name, value, low, high: all metrics of `kernmix evaluate`.
    answer : text
        One sentence for non-specialists, or empty.
    n_samples, n_independent, n_trained : int
        Samples that were predicted; how many of them, or of their groups, are independent; how many
        samples a model of a fold trains on, on average.
    n_effective : float
        As many units of equal size as the independent ones are worth, where weights or sizes of groups differ.
    majority, majority_share : text, float
        The most frequent class and its share; of numbers and labels empty and nan.
    remarks : list of texts
        Which metrics have no value or interval, and why.
    """

    def __init__(self, record: _Record) -> None:
        self.metrics = record_table(record["metrics"], ("name", "value", "low", "high"))
        self.answer: str = record["answer"]
        self.n_samples, self.n_independent, self.n_trained = (
            int(record[name]) for name in ("samples", "independent", "trained")
        )
        self.n_effective = float(record["effective"])
        self.majority: str = record["majority"]
        self.majority_share = _number(record["majority_share"])
        self.remarks: list[str] = record["remarks"]

    def __getitem__(self, metric: str) -> Estimate:
        for row in self.metrics:
            if row["name"] == metric:
                return Estimate(row["value"], row["low"], row["high"])
        raise KeyError(f"no metric {metric!r}: there are {', '.join(self.metrics['name'])}")

    def __repr__(self) -> str:
        return f"{self.answer}\n{self.metrics!r}" if self.answer else repr(self.metrics)


class SearchResult:
    """The model selected by a search, with an estimate of its performance.

    Attributes
    ----------
    best_estimator_ : MKLClassifier, MKLRegressor or MultilabelMKL
        Fitted on all samples, with the parameters of the candidate that won.
    best_name_, best_params_, best_score_ : text, dict, float
        Name, selected parameters and mean score over the folds of this candidate. This score is the best of
        many and therefore optimistic; `expected_` is not.
    candidates_ : Table
        name, regularizer, C, mean and sd of the score over the folds, kernels_used, abandoned (it could not win any
        more), and split0, split1, ...: its scores, nan where it was not tried.
    score_, folds_ : text
        What chose, and by which folds.
    expected_ : Expected or None
        The estimate of test performance, by nested cross-validation; None where it was not asked for, time did not
        suffice, or some fold lacks a class.
    nested_ : Table
        For each outer fold, the candidate that the search inside it chose, and its score on the fold.
    held_out_ : Table or None
        Each sample, predicted by a model that was not trained on it: sample (its row in X), fold, predicted (of labels
        a column for each), decision and, where there are any, probability. Decision values of different folds are of
        different models.
    remarks : list of texts
        What misleads where it is not said: folds that lack a class, best values at the end of their grid.
    complete : bool
        Whether nothing was cut short by `time_limit`, and the model reached its tolerance.
    """

    def __init__(self, estimator: Any, found: _Record, rows: NDArray[np.intp], chosen: _Record) -> None:
        winner = found["candidates"][found["chosen"]]
        self.best_estimator_ = estimator
        self.best_name_: str = winner["name"]
        self.best_params_ = dict(chosen)
        self.best_score_ = _number(winner["mean"])
        self.score_: str = found["score"]
        self.folds_: str = found["folds"]
        self.candidates_ = candidate_table(found["candidates"])
        self.expected_ = None if found["expected"] is None else Expected(found["expected"])
        self.nested_ = nested_table(found)
        self.held_out_ = None if found["held_out"] is None else held_out_table(estimator, found["held_out"], rows)
        self.remarks: list[str] = found["remarks"]
        self.complete: bool = found["complete"]

    def predict(self, X: Any) -> NDArray[Any]:
        """What `best_estimator_` predicts, of X in every form that `kernmix.auto` takes."""
        from ._auto import table_of

        return self.best_estimator_.predict(table_of(X).X)

    def _said(self) -> list[str]:
        """Sentences before the choice."""
        return [] if self.expected_ is None or not self.expected_.answer else [self.expected_.answer]

    def __repr__(self) -> str:
        return "\n".join([*self._said(), f"Chosen: {self.best_name_} ({self.score_} {self.best_score_:.4f})"])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in [*self._said(), *self.remarks])
        return f"{said}<p>Chosen: {escape(self.best_name_)}</p>{self.candidates_._repr_html_()}"


def candidate_table(candidates: list[_Record]) -> Table:
    """One row for each candidate of a search."""
    columns: dict[str, Any] = {name: [str(one[name]) for one in candidates] for name in ("name", "regularizer")}
    for name in ("C", "mean", "sd", "kernels_used"):
        columns[name] = np.array([_number(one[name]) for one in candidates])
    columns["abandoned"] = np.array([one["abandoned"] for one in candidates], dtype=bool)
    for fold in range(len(candidates[0]["scores"])):
        columns[f"split{fold}"] = np.array([_number(one["scores"][fold]) for one in candidates])
    return Table(columns)


def nested_table(found: _Record) -> Table:
    """One row for each outer fold that was finished."""
    return Table(
        {
            "candidate": np.array(
                [found["candidates"][fold["candidate"]]["name"] for fold in found["nested"]], dtype=str
            ),
            "score": np.array([_number(fold["score"]) for fold in found["nested"]], dtype=float),
        }
    )


def held_out_table(estimator: Any, record: _Record, rows: NDArray[np.intp]) -> Table:
    """One row for each prediction, in the order of the samples and, of one sample, of the folds."""
    places = np.array(record["rows"])
    order = np.lexsort((record["fold"], places))
    columns: dict[str, Any] = {"sample": rows[places[order]], "fold": np.array(record["fold"])[order]}
    names = record["names"]
    decision, probability = (
        values[order] if len(values) else values for values in (record["decision"], record["probability"])
    )
    several = decision.shape[1] > 1
    if record["has_label"]:
        labels = np.array(record["has_label"]).reshape(len(order), len(names))[order]
        columns |= {f"predicted {name}": labels[:, t] for t, name in enumerate(names)}
    elif record["winner"]:
        columns["predicted"] = _classes(estimator, names)[np.array(record["winner"])[order]]
    elif several:
        columns |= {f"predicted {name}": decision[:, t] for t, name in enumerate(names)}
    else:
        columns["predicted"] = decision[:, 0]
    if estimator._target == "classes":
        for what, values in (("decision", decision), ("probability", probability)):
            for k in range(values.shape[1] if len(values) else 0):
                columns[f"{what} {names[k]}" if several or record["has_label"] else f"{what} {names[1]}"] = values[:, k]
    return Table(columns)


def _classes(estimator: Any, names: list[str]) -> NDArray[Any]:
    """The classes under these names of the library."""
    known = {str(label): label for label in estimator.classes_}
    return np.array([known[name] for name in names], dtype=estimator.classes_.dtype)


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def record_table(records: list[_Record], names: tuple[str, ...]) -> Table:
    texts = ("name", "view", "column")
    return Table(
        {
            name: np.array([r[name] for r in records], dtype=str)
            if name in texts
            else np.array([_number(r[name]) for r in records], dtype=float)
            for name in names
        }
    )
