#!/usr/bin/env python3
"""Writes metrics.json beside itself: inputs and scikit-learn's values for metrics_reference_test.cpp.

Scores are multiples of 1/4, so that there are ties and every number is exact. A value that does not
exist is null; averages leave such classes out, as scikit-learn does with zero_division=nan. There is
no scikit-learn function for the interpolated average precisions: they are computed from the points of
its precision_recall_curve.
"""

import json
import pathlib
import warnings

import numpy as np
from sklearn import metrics

RANKED = ["auc", "average_precision", "average_precision_11_point",
          "average_precision_interpolated", "auc_pr"]


def eleven_points(y, precision, recall):
    found = np.rint(recall * y.sum())  # whole numbers: no rounding decides about a recall of 0.3
    return np.mean([precision[10 * found >= tenth * y.sum()].max() for tenth in range(11)])


def interpolated(precision, recall):
    best = np.maximum.accumulate(precision[:-1])  # thresholds ascend: the largest recall is first
    return np.sum((recall[:-1] - recall[1:]) * best)


def ranked_values(y, score):
    """The five metrics of one class; None where it has no positive, or for auc no negative, sample."""
    if not y.any():
        return [None] * len(RANKED)
    precision, recall, _ = metrics.precision_recall_curve(y, score)
    return [None if y.all() else metrics.roc_auc_score(y, score),
            metrics.average_precision_score(y, score),
            eleven_points(y, precision[:-1], recall[:-1]),
            interpolated(precision, recall),
            metrics.auc(recall, precision)]


def mean(values, weights):
    pairs = [(v, w) for v, w in zip(values, weights) if v is not None]
    total = sum(w for _, w in pairs)
    return sum(v * w for v, w in pairs) / total if total else None


def ranked_metrics(Y, score):
    """scikit-learn's own averages where it has them: where every class has a value."""
    table = [ranked_values(Y[:, t], score[:, t]) for t in range(Y.shape[1])]
    micro = ranked_values(Y.ravel(), score.ravel())
    functions = {"auc": metrics.roc_auc_score, "average_precision": metrics.average_precision_score}
    result = {}
    for k, name in enumerate(RANKED):
        classes = [row[k] for row in table]
        average = {"micro": micro[k], "macro": mean(classes, [1] * len(classes)),
                   "weighted": mean(classes, Y.sum(axis=0))}
        if name in functions and None not in classes and Y.shape[1] > 1:
            average = {kind: functions[name](Y, score, average=kind) for kind in average}
        result[name] = {"classes": classes, **average}
    return result


def number(value):
    return None if value is None or np.isnan(value) else float(value)


def count_metrics(truth, predicted, **options):
    functions = {"precision": metrics.precision_score, "recall": metrics.recall_score,
                 "f1": metrics.f1_score}
    support = metrics.precision_recall_fscore_support(truth, predicted, **options)[3]
    result = {}
    for name, function in functions.items():
        value = {kind: number(function(truth, predicted, average=kind, zero_division=np.nan, **options))
                 for kind in ["micro", "macro", "weighted"]}
        classes = function(truth, predicted, average=None, zero_division=np.nan, **options)
        if not support[~np.isnan(classes)].any():
            value["weighted"] = None  # scikit-learn takes equal weights in place of zeros
        result[name] = {"classes": [number(v) for v in classes], **value}
    return result


def multiclass_case(name, truth, predicted, score):
    K = score.shape[1]
    labels = list(range(K))
    one_hot = np.eye(K, dtype=int)[truth]
    return {
        "name": name, "truth": truth.tolist(), "predicted": predicted.tolist(), "score": score.tolist(),
        "confusion": metrics.confusion_matrix(truth, predicted, labels=labels).tolist(),
        "metrics": {"accuracy": metrics.accuracy_score(truth, predicted),
                    "balanced_accuracy": metrics.balanced_accuracy_score(truth, predicted)},
        "classwise": {**count_metrics(truth, predicted, labels=labels), **ranked_metrics(one_hot, score)},
    }


def multilabel_case(name, Y, score, thresholds=None):
    T = Y.shape[1]
    predicted = (score >= (np.zeros(T) if thresholds is None else thresholds)).astype(int)
    return {
        "name": name, "truth": Y.tolist(), "score": score.tolist(),
        "thresholds": [] if thresholds is None else thresholds.tolist(),
        "metrics": {"subset_accuracy": metrics.accuracy_score(Y, predicted),
                    "hamming_loss": metrics.hamming_loss(Y, predicted),
                    "ranking_loss": metrics.label_ranking_loss(Y, score),
                    "coverage_error": metrics.coverage_error(Y, score),
                    "label_ranking_average_precision":
                        metrics.label_ranking_average_precision_score(Y, score)},
        "classwise": {**count_metrics(Y, predicted), **ranked_metrics(Y, score)},
    }


def multiclass_cases(rng):
    def scores(n, K):
        return rng.integers(-6, 7, size=(n, K)) / 4

    def case(name, truth, score):
        return multiclass_case(name, truth, score.argmax(axis=1), score)

    truth = rng.integers(0, 4, size=40)
    yield case("four classes with ties", truth, scores(40, 4))
    yield case("mostly right", truth, scores(40, 4) + 2 * np.eye(4)[truth])
    yield case("two classes", rng.integers(0, 2, size=15), scores(15, 2))
    yield case("class 1 does not occur", rng.choice([0, 2, 3], size=20), scores(20, 4))
    score = scores(20, 3)
    score[:, 2] = -5
    yield case("class 2 is never predicted", rng.integers(0, 3, size=20), score)
    truth = np.array([0, 1, 0, 1, 1])
    yield case("class 2 neither occurs nor is predicted", truth, np.c_[scores(5, 2), np.full(5, -9.0)])
    yield case("one class occurs", np.zeros(4, dtype=int), scores(4, 3))
    yield case("one sample", np.array([1]), scores(1, 3))
    yield case("all scores are equal", rng.integers(0, 3, size=12), np.zeros((12, 3)))
    yield case("perfect", np.arange(9) % 3, np.eye(3)[np.arange(9) % 3])


def multilabel_cases(rng):
    def scores(n, T):
        return rng.integers(-6, 7, size=(n, T)) / 4

    Y = rng.integers(0, 2, size=(30, 5))
    yield multilabel_case("five labels with ties", Y, scores(30, 5))
    yield multilabel_case("mostly right", Y, scores(30, 5) + 2 * (2 * Y - 1))
    yield multilabel_case("thresholds", Y, scores(30, 5), np.array([0.25, -0.5, 0, 1, 9]))
    Y = Y.copy()
    Y[:6], Y[6:10] = 0, 1
    yield multilabel_case("samples without labels and with all", Y, scores(30, 5))
    Y[:, 1], Y[:, 3] = 0, 1
    yield multilabel_case("a label that nobody has and one that all have", Y, scores(30, 5))
    yield multilabel_case("two labels", rng.integers(0, 2, size=(8, 2)), scores(8, 2))
    yield multilabel_case("one sample", np.array([[1, 0, 1, 0]]), scores(1, 4))
    yield multilabel_case("no sample has a label", np.zeros((3, 3), dtype=int), scores(3, 3))
    yield multilabel_case("all scores are equal", rng.integers(0, 2, size=(10, 3)), np.zeros((10, 3)))
    Y = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]])
    yield multilabel_case("perfect", Y, 2.0 * Y - 1)


def cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about classes that do not occur
        return {"multiclass": list(multiclass_cases(np.random.default_rng(1))),
                "multilabel": list(multilabel_cases(np.random.default_rng(2)))}


def write(document, path):
    """One case a line."""
    parts = [f'"{kind}": [\n' + ",\n".join(json.dumps(case, allow_nan=False) for case in list_) + "\n]"
             for kind, list_ in document.items()]
    path.write_text("{" + ",\n".join(parts) + "}\n")


if __name__ == "__main__":
    write(cases(), pathlib.Path(__file__).with_name("metrics.json"))
