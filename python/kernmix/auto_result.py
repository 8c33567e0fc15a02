"""The result of automatic model selection."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .search_result import SearchResult, record_table


class AutoResult(SearchResult):
    """The model selected by `kernmix.auto`, with an estimate of its performance.

    Attributes
    ----------
    best_estimator_, best_name_, best_params_, best_score_, candidates_, score_, folds_, expected_, nested_, held_out_
        As of SearchResult.
    view_shares_, column_shares_ : Table
        The share of each view in the kernel weights and of each column in the importance, with the minimum
        and the maximum over this model and those of the outer folds.
    subsample_ : dict or None
        With landmarks and more than 10,000 samples: n_samples, on which candidates are compared; n_all, on which the
        model is trained; n_estimate, of the estimate, which take no part in the choice; and the seed that draws them.
    answer : list of texts
        Sentences for non-specialists: the samples, the expected performance, the views and columns that matter.
    remarks, complete
        As of SearchResult.
    """

    def __init__(self, estimator: Any, found: dict[str, Any], rows: NDArray[np.intp], chosen: dict[str, Any]) -> None:
        super().__init__(estimator, found, rows, chosen)
        self.view_shares_ = record_table(found["views"], ("view", "share", "least", "most"))
        self.column_shares_ = record_table(found["columns"], ("view", "column", "share", "least", "most"))
        self.subsample_: dict[str, int] | None = found["subsample"]
        self.answer: list[str] = found["answer"]
        self._documents: dict[str, str] = found["documents"]

    def _said(self) -> list[str]:
        return self.answer

    def report(self, path: str | PathLike[str]) -> None:
        """Writes the report of `kernmix auto`, one HTML file without external resources."""
        Path(path).write_text(self._page(), encoding="utf-8")

    def save(self, folder: str | PathLike[str]) -> None:
        """Writes the files of `kernmix auto`: model.kmx, run.json, tune.json, held_out.json and report.html.

        The folder is created if missing; files of an earlier result in it are replaced.

        Raises ValueError for a model with kernels that are Python functions, which cannot be saved.
        """
        target = Path(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".kernmix-", dir=target.parent) as name:
            made = Path(name)
            self.best_estimator_.save(made / "model.kmx")
            for file, text in {**self._documents, "report.html": self._page()}.items():
                if text:
                    (made / file).write_text(text, encoding="utf-8")
            target.mkdir(exist_ok=True)
            for file in ("model.kmx", *self._documents, "report.html"):
                if (made / file).exists():
                    (made / file).replace(target / file)
                else:
                    (target / file).unlink(missing_ok=True)

    def _page(self) -> str:
        return _core.report_page(*(self._documents[file] for file in ("run.json", "tune.json", "held_out.json")))
