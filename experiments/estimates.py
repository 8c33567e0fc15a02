"""Means with standard errors, and what a t test tells of them. Standard library only."""

import math
import statistics
from typing import NamedTuple

LEVEL = 0.05  # of tests


class Estimate(NamedTuple):
    """A mean, its standard error (infinite of one value) and the degrees of freedom of that."""

    mean: float
    error: float
    degrees: int

    def __str__(self):
        return f"{self.mean:+.2f} ± {self.error:.2f}" if self.degrees else f"{self.mean:+.2f}"

    def unsigned(self):
        """Without a + before a positive mean."""
        return str(self).removeprefix("+")


def paired(ours, others, ratio=0):
    """The mean of the differences of paired numbers."""
    return estimate([a - b for a, b in zip(ours, others, strict=True)], ratio)


def estimate(values, ratio=0):
    """The mean of values of independent draws or, with `ratio`, of random splits of one set:
    number of test samples over number of samples to learn from. The variance of a mean over k
    splits, which share samples, is taken to be (1/k + ratio) s^2 (Nadeau and Bengio, Inference for
    the generalization error, 2003)."""
    spread = statistics.stdev(values) if len(values) > 1 else math.inf
    error = spread * math.sqrt(1 / len(values) + ratio)
    return Estimate(statistics.fmean(values), error, len(values) - 1)


def average(found):
    """The mean of several independent Estimates; degrees of freedom by Welch and Satterthwaite."""
    squares = [one.error**2 for one in found]
    total = sum(squares)
    if min(one.degrees for one in found) == 0:
        return Estimate(statistics.fmean(one.mean for one in found), math.inf, 0)
    parts = sum(s**2 / one.degrees for s, one in zip(squares, found, strict=True))
    degrees = int(total**2 / parts + 1e-9) if parts else sum(one.degrees for one in found)
    error = math.sqrt(total) / len(found)
    return Estimate(statistics.fmean(one.mean for one in found), error, max(degrees, 1))


def of_printed(mean, deviation, repeats, ratio=0):
    """The Estimate of a mean that is printed with the deviation of its repetitions."""
    return Estimate(mean, deviation * math.sqrt(1 / repeats + ratio), repeats - 1)


def apart(one, other):
    """The difference of two independent Estimates; degrees of freedom as of `average`."""
    both = average([one, other._replace(mean=-other.mean)])
    return Estimate(one.mean - other.mean, 2 * both.error, both.degrees)


def signed_rank(differences):
    """The two-sided p of Wilcoxon's signed-rank test, exact; zeros are left out."""
    kept = sorted((d for d in differences if abs(d) > 1e-12), key=abs)
    if not kept:
        return 1.0
    sizes = [round(abs(d), 9) for d in kept]
    ranks = [statistics.fmean(k + 1 for k, s in enumerate(sizes) if s == own) for own in sizes]
    half, found = sum(ranks) / 2, sum(r for r, d in zip(ranks, kept, strict=True) if d > 0)
    sums = (sum(r for place, r in enumerate(ranks) if signs >> place & 1) for signs in range(2 ** len(ranks)))
    far = sum(abs(one - half) >= abs(found - half) - 1e-9 for one in sums)
    return far / 2 ** len(ranks)


def inside(t, degrees):
    """The probability of [-t, t] under Student's distribution (Abramowitz and Stegun, 26.7.3 and
    26.7.4), with one or more degrees of freedom."""
    angle = math.atan(t / math.sqrt(degrees))
    odd, cosine, total = degrees % 2, math.cos(angle), 0.0
    term = cosine if odd else 1.0
    for k in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cosine**2 * (k - 1) / k
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


def p_value(found):
    """Two-sided, of the mean of an Estimate being 0; 1 of a single value."""
    if found.degrees == 0 or found.mean == 0:
        return 1.0
    return 0.0 if found.error == 0 else 1 - inside(abs(found.mean) / found.error, found.degrees)


def told(found, level=LEVEL):
    """Whether the mean of an Estimate is above 0; None where a t test cannot tell."""
    return None if p_value(found) > level else found.mean > 0


def told_together(found, level=LEVEL):
    """[told] of Estimates that are tested together, by Holm's procedure."""
    order = sorted(range(len(found)), key=lambda place: p_value(found[place]))
    answers = [None] * len(found)
    for rank, place in enumerate(order):
        answers[place] = told(found[place], level / (len(found) - rank))
        if answers[place] is None:
            break
    return answers


def within(found, margin, level=LEVEL):
    """Whether the mean of an Estimate lies between -margin and margin; None where two t tests, one
    against each of these, cannot tell."""
    above = told(found._replace(mean=found.mean + margin), level)
    below = told(found._replace(mean=margin - found.mean), level)
    return False if False in (above, below) else above and below
