"""Progress and messages of a long call: a callback, a bar, the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

logger = logging.getLogger("kernmix")
logger.addHandler(logging.NullHandler())

Callback = Callable[[str, int, int, float], object]
"""(stage, done, total, relative_gap); total is 0 where it is not known."""


class Reporter:
    """What the library calls while it works; a context manager that closes the bar.

    Parameters
    ----------
    callback : called at each moment, or None.
    verbose : show a bar, by tqdm where it is installed, else as lines of the log.
    """

    def __init__(self, callback: Callback | None, verbose: bool) -> None:
        self._callback = callback
        self._verbose = verbose
        self._bar: Any = None
        self._stage = ""

    def __enter__(self) -> Reporter:  # noqa: PYI034  Python 3.10 has no Self
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    @property
    def progress(self) -> Callback | None:
        """None where nobody listens, so that the library need not take Python's lock."""
        return self._report if self._callback or self._verbose else None

    @property
    def log(self) -> Callable[[str], object] | None:
        """Decisions of the library, at level INFO."""
        return logger.info if logger.isEnabledFor(logging.INFO) else None

    def _report(self, stage: str, done: int, total: int, gap: float) -> None:
        if self._callback:
            self._callback(stage, done, total, gap)
        if self._verbose:
            self._show(stage, done, total, gap)

    def _show(self, stage: str, done: int, total: int, gap: float) -> None:
        if stage != self._stage:
            self._close()
            self._stage, self._bar = stage, _bar(stage, total)
        if self._bar is None:
            logger.info("%s: %d%s, relative gap %.2g", stage, done, f" of {total}" if total else "", gap)
            return
        if stage == "solve":
            self._bar.set_postfix(gap=f"{gap:.2g}", refresh=False)
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._stage = None, ""


def _bar(stage: str, total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(desc=stage, total=total or None, leave=False)
