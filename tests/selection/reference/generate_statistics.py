#!/usr/bin/env python3
"""Writes statistics.json beside itself: inputs and scipy's values for statistics_reference_test.cpp.

Scores are multiples of 1/8, so that there are ties and every number is exact. The exact p of signed
ranks with ties is scipy's permutation over all signs; that of average ranks is its rankdata. The
corrected resampled t-test has no function in scipy: its formula is computed with scipy's t.
"""

import itertools
import json
import pathlib

import numpy as np
from scipy import stats


def friedman(scores):
    n, k = scores.shape
    chi2, p = stats.friedmanchisquare(*scores.T)
    f = (n - 1) * chi2 / (n * (k - 1) - chi2)
    ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
    return {"scores": scores.tolist(), "ranks": ranks.tolist(), "chi_squared": chi2, "p": p, "f": f,
            "f_p": stats.f.sf(f, k - 1, (k - 1) * (n - 1))}


def signed_ranks(differences):
    kept = differences[differences != 0]
    sizes = stats.rankdata(np.abs(kept))
    larger, smaller = sizes[kept > 0].sum(), sizes[kept < 0].sum()
    if len(kept) > 50:
        p = stats.wilcoxon(kept, method="asymptotic", correction=False).pvalue
    elif len(np.unique(np.abs(kept))) == len(kept):
        p = stats.wilcoxon(kept, method="exact").pvalue
    else:  # all signs, counted one by one
        signs = np.array(list(itertools.product([0, 1], repeat=len(kept))))
        p = min(1.0, 2 * np.mean(signs @ sizes <= min(larger, smaller)))
    return {"differences": differences.tolist(), "larger": larger, "smaller": smaller, "p": p}


def corrected_t(differences, ratio, level):
    splits = len(differences)
    error = np.sqrt((1 / splits + ratio) * differences.var(ddof=1))
    t = differences.mean() / error
    low, high = stats.t.interval(level, splits - 1, differences.mean(), error)
    return {"differences": differences.tolist(), "test_over_train": ratio, "level": level, "t": t,
            "p": 2 * stats.t.sf(abs(t), splits - 1), "low": low, "high": high}


def cases():
    random = np.random.default_rng(7)
    eighths = lambda shape, scale: np.round(8 * scale * random.standard_normal(shape)) / 8
    small = [eighths(n, 1.0) + shift for n, shift in [(6, 0.5), (9, 0.25), (14, 0.0)]]
    distinct = [random.permutation(np.arange(1, n + 1)) * random.choice([-1, 1, 1], n) / 8
                for n in (5, 12, 30)]
    return {
        "friedman": [friedman(eighths((n, k), 0.5) + np.arange(k) / 4)
                     for n, k in [(4, 3), (8, 4), (12, 7), (30, 5)]],
        "signed_ranks": [signed_ranks(d) for d in [*small, *distinct, eighths(80, 1.0) + 0.25]],
        "corrected_t": [corrected_t(eighths(n, 0.5) + 0.125, ratio, level)
                        for n, ratio, level in [(5, 0.25, 0.95), (10, 3 / 7, 0.95), (100, 1 / 9, 0.99)]],
        "range": [{"k": k, "q": q, "probability": stats.studentized_range.cdf(q, k, np.inf)}
                  for k in (2, 3, 5, 10, 30) for q in (0.25, 1.0, 3.0, 5.0, 7.0)],
        "holm": [{"p": p, "adjusted": holm(p)} for p in ([0.01, 0.04, 0.03, 0.005], [0.5, 0.6, 0.0, 0.3, 0.3])],
    }


def holm(p):
    """Directly: the i-th smallest times the number of those that are not smaller, never descending."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    return [min(1.0, max(p[order[j]] * (len(p) - j) for j in range(order.index(i) + 1)))
            for i in range(len(p))]


if __name__ == "__main__":
    text = json.dumps(cases(), indent=1)
    (pathlib.Path(__file__).parent / "statistics.json").write_text(text + "\n")
