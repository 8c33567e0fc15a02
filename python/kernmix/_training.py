"""Many models of one training set, which share what is computed of its kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from . import _core

_REUSE = ("models", "kernel_builds", "warm_starts", "kernel_seconds", "saved_seconds")


class Part(NamedTuple):
    """What an estimator is told beside the parameters of its next `fit`, as its `_part`."""

    trainings: Any = None  # by whose `fit` it learns: `Trainings`, or None
    known_classes: frozenset[Any] = frozenset()  # of all samples, of which it may be given some
    groups: Any = None  # of its samples, unless its `fit` is given them
    incomplete: tuple[str, ...] = ()  # views that some of all samples lack


class Trainings:
    """Training sets of the same samples and targets, for one choice of kernels and views after the other.

    The kernels of the last choice stay in memory, with the answers found on them. What single models would warn
    of is counted, not told.
    """

    def __init__(self) -> None:
        self._key: int | None = None
        self._training: _core.Training | None = None
        self._done = dict.fromkeys(_REUSE, 0)
        self._warned: Counter[str] = Counter()
        self._svm_solves = 0
        self.kernel_seconds = 0.0  # of the fit since the last choice, if it did not fail

    def choose(self, key: int) -> None:
        """Says which kernels and views the next fits have: those of one key are the same."""
        if key != self._key:
            self._close()
        self._key = key
        self.kernel_seconds = 0.0

    def fit(self, data: Callable[[], _core.Data], **options: Any) -> _core.TrainResult:
        """`_core.train(data(), **options)`, whose data is made once for each choice."""
        if self._training is None:
            self._training = _core.Training(data())
        result = self._training.fit(**options)
        self._warned.update({code for code, _, _ in result.warnings})
        self._svm_solves += result.svm_solves
        self.kernel_seconds = result.seconds["kernels"]
        if result.status != "converged":
            self._warned["not-converged"] += 1
        return result

    def close(self) -> dict[str, Any]:
        """What was reused, as `_core.Training.reuse` tells it, of all choices together.

        `svm_solves` counts those of all models; `warnings` says how many models each kind of warning was about.
        """
        self._close()
        return {**self._done, "svm_solves": self._svm_solves, "warnings": self._warned}

    def _close(self) -> None:
        if self._training is not None:
            reuse = self._training.reuse
            self._done = {name: self._done[name] + reuse[name] for name in _REUSE}
        self._training = None
