"""What differences over splits and sets say."""

import numpy as np
from scipy import stats

LEVEL = 0.05


def corrected_error(differences, test_over_train):
    """Standard error of the mean of paired differences over k random splits of one set, which share
    samples: its variance is (1/k + n_test / n_train) s^2 (Nadeau and Bengio, Inference for the
    generalization error, 2003). NaN of a single split."""
    if len(differences) < 2:
        return float("nan")
    return float(np.std(differences, ddof=1) * np.sqrt(1 / len(differences) + test_over_train))


def mean_ranks(scores):
    """Scores (N sets, k methods), larger is better -> (k,) mean ranks: 1 is the best, methods with
    equal scores share the mean of their places."""
    return stats.rankdata(-np.asarray(scores), axis=1).mean(axis=0)


def critical_difference(methods, sets, level=LEVEL):
    """Two of k methods differ on N sets where their mean ranks are further apart than this
    (Nemenyi; Demsar, Statistical comparisons of classifiers over multiple data sets, 2006)."""
    q = stats.studentized_range.ppf(1 - level, methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(methods * (methods + 1) / (6 * sets)))


def friedman(scores):
    """P-value of Friedman's test that all of k >= 3 methods have the same ranks; 1 where all scores
    of each set are equal."""
    scores = np.asarray(scores)
    if np.all(scores == scores[:, :1]):
        return 1.0
    return float(stats.friedmanchisquare(*scores.T).pvalue)
