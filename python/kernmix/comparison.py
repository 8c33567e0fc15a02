"""What a comparison of methods finds."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from .table import Table

_Record = dict[str, Any]


class Comparison:
    """Methods on the same splits of one data set or of several.

    Attributes
    ----------
    methods, data, scores : lists of texts
        The names of the methods and data sets, and the metrics.
    splits : Table
        One row for each data set, split and method: data, split, method, chosen (its options), n_train, n_test, the
        scores, regularizer, C, kernels_used, kernels, status, relative_gap, solve_seconds, choose_seconds.
    rules : dict
        How each data set was split.
    remarks : list of texts
        What limits the interpretation: missing splits, small classes, few data sets, choices at an end of a grid.
    complete : bool
        Whether no split is missing.
    """

    def __init__(self, found: _Record) -> None:
        self.methods: list[str] = found["methods"]
        self.data: list[str] = found["data"]
        self.scores: list[str] = [one["score"] for one in found["scores"]]
        self.rules = dict(zip(self.data, found["rules"], strict=True))
        self.remarks: list[str] = found["remarks"]
        self.complete: bool = found["complete"]
        self.splits = _table(found["splits"])
        self._found = {one["score"]: one for one in found["scores"]}

    def means(self, score: str | None = None) -> Table:
        """data, method, mean, sd and se (standard error) of a score over the splits; default: the first score.

        Splits of one data set overlap: the standard error is too small for a test, for which `differences` corrects.
        """
        rows = []
        for one in self._of(score)["data"]:
            for mean in one["methods"]:
                sd, count = _number(mean["sd"]), len(mean["values"])
                row = {"data": one["data"], "method": mean["method"], "mean": mean["mean"], "sd": mean["sd"]}
                rows.append({**row, "se": sd / np.sqrt(count) if count else np.nan, "splits": count})
        return _table(rows)

    def differences(self, score: str | None = None) -> Table:
        """Each pair of methods on each data set: mean (first minus second) with its 95 % interval low and high, t and p
        of the corrected resampled t-test (Nadeau and Bengio 2003), p_holm of all pairs, and wins, ties, losses of the
        first over the splits."""
        return _table([{"data": one["data"], **pair} for one in self._of(score)["data"] for pair in one["differences"]])

    def ranks(self, score: str | None = None) -> Table:
        """method and its average rank over the data sets that every method has a mean on."""
        found = self._of(score)
        ranks = found["average_ranks"]
        return Table({"method": self.methods if len(ranks) else [], "rank": np.asarray(ranks, dtype=float)})

    def tests(self, score: str | None = None) -> dict[str, Any]:
        """Over data sets: friedman (chi_squared, p, f, f_p), critical_difference (Nemenyi, 0.05) and pairs, a Table with
        wilcoxon_p, p_holm and nemenyi_p. With fewer than five data sets they can hardly become significant."""
        found = self._of(score)
        return {
            "friedman": found["friedman"],
            "critical_difference": found["critical_difference"],
            "pairs": _table(found["pairs"]),
        }

    def _of(self, score: str | None) -> _Record:
        name = self.scores[0] if score is None else score
        if name not in self._found:
            raise ValueError(f"no score {name!r}: there are {', '.join(self.scores)}")
        return self._found[name]

    def __repr__(self) -> str:
        means = self.means()
        shown = means.to_dict() if len(self.data) > 1 else {k: v for k, v in means.to_dict().items() if k != "data"}
        return "\n".join([f"{self.scores[0]}, mean over splits", repr(Table(shown)), *self.remarks])

    def _repr_html_(self) -> str:
        remarks = "".join(f"<p>{html.escape(remark)}</p>" for remark in self.remarks)
        return f"<p>{self.scores[0]}, mean over splits</p>{self.means()._repr_html_()}{remarks}"


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _table(records: list[_Record]) -> Table:
    """Columns of texts, whole numbers, booleans, or numbers with nan for what is absent."""
    columns: dict[str, Any] = {}
    for name in records[0] if records else ():
        values = [record[name] for record in records]
        columns[name] = np.array([np.nan if v is None else v for v in values]) if None in values else np.array(values)
    return Table(columns)
