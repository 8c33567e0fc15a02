"""One split of a set, as contestants see it, and what a contestant answers."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sets import CLASSES, DataSet, is_sparse

SMALLEST = 1e-15  # probability that enters a logarithm


class Answer(NamedTuple):
    """Predictions (n_test,) of the test samples; where the contestant has them: probabilities
    (n_test, training classes), or a function that computes them at a cost of its own; the share of
    the kernel weights by view; the score of each view alone."""

    predictions: np.ndarray
    probabilities: np.ndarray | Callable | None = None
    weights: dict | None = None
    alone: dict | None = None


class Problem:
    """Training and test samples; only the training labels are for contestants."""

    def __init__(self, data: DataSet, split: int):
        self.data = data
        self.train = np.flatnonzero(data.splits[split])
        self.test = np.flatnonzero(~data.splits[split])
        self.classes = None
        if data.task == CLASSES:
            self.classes, self.y = np.unique(data.y[self.train], return_inverse=True)
        else:
            values = data.y[self.train]
            self.center, self.scale = values.mean(), values.std() or 1.0
            self.y = (values - self.center) / self.scale

    def decoded(self, predicted):
        """Codes of training classes, or numbers of mean 0 and variance 1, as in the data."""
        if self.classes is None:
            return np.asarray(predicted).ravel() * self.scale + self.center
        return self.classes[np.asarray(predicted, dtype=int)]

    def scaled(self, X):
        """All rows of a view: of unit length where it is sparse, else with standardised columns."""
        if is_sparse(X[self.train]):
            return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
        center, deviation = X[self.train].mean(axis=0), X[self.train].std(axis=0)
        return (X - center) / np.where(deviation > 0, deviation, 1.0)

    def score(self, predictions):
        """Accuracy of classes, R^2 of numbers, on the test samples."""
        truth = self.data.y[self.test]
        if self.classes is not None:
            return float(np.mean(predictions == truth))
        rest = np.sum((truth - predictions) ** 2)
        return float(1 - rest / np.sum((truth - truth.mean()) ** 2))

    def log_loss(self, probabilities):
        """Over the test samples whose class has training samples."""
        truth = self.data.y[self.test]
        known = np.isin(truth, self.classes)
        columns = np.searchsorted(self.classes, truth[known])
        chosen = np.asarray(probabilities, dtype=float)[np.flatnonzero(known), columns]
        return float(-np.mean(np.log(np.clip(chosen, SMALLEST, 1))))
