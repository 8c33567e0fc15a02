"""The claims of the soft margin paper, its numbers, and a rule for each, which was written before
the run and can come out either way."""

import itertools
import math
import random
import statistics

import estimates
import printed
import timing
from common import Claim
from soft_margin_cells import METHODS, NOISY, PROPOSED, TEST

RATIO = TEST / (1 - TEST)  # test samples over training samples
PAIRS = [(first, second) for second in ("SimpleMKL", "AveKernel") for first in PROPOSED]
PAIRS += [("SM2MKL", "SGMKL"), ("SimpleMKL", "AveKernel"), ("SimpleMKL", "LpMKL")]
WORDS = {  # of pairs that the paper words otherwise
    ("SimpleMKL", "AveKernel"): "SimpleMKL is more accurate than AveKernel (the paper: AveKernel does not beat it)",
    ("SimpleMKL", "LpMKL"): "SimpleMKL is more accurate than LpMKL (the paper: LpMKL does not beat it)",
}
CLOSE = 2.0  # points of accuracy: "good"
BOOTSTRAPS, SURE = 1000, 0.95
WITHIN_ERROR = "the difference is within its error"
NOT_EVERY = "Holm's procedure does not tell every difference"


def accuracies(splits, method):
    """Per cent of each split."""
    return [100 * rows[method]["accuracy"] for rows in splits]


def used(splits, method):
    return [rows[method]["kernels_used"] for rows in splits]


def paired(splits, first, second, values=accuracies):
    """Of one method less another, on the same splits."""
    found = estimates.paired(values(splits, first), values(splits, second), RATIO)
    return at_least_one_sample(found, splits, first) if values is accuracies else found


def at_least_one_sample(found, splits, method):
    """Accuracies are multiples of one test sample: where a few of them agree by chance, their
    error is that of one sample."""
    least = 100 / splits[0][method]["tests"] * math.sqrt(1 / len(splits) + RATIO)
    return found._replace(error=max(found.error, least))


def over_sets(rows, first, second):
    """The mean over the sets of the difference of accuracies, in points."""
    return estimates.average([paired(splits, first, second) for splits in rows.values()])


def differences(rows, first, second):
    """Of the mean accuracies, one number a set."""
    return [paired(splits, first, second).mean for splits in rows.values()]


def printed_differences(first, second, sets=None):
    means = printed.numbers("soft-margin", "accuracy %")
    sets = sets or dict.fromkeys(data for data, _ in means)
    return [means[data, first].mean - means[data, second].mean for data in sets]


def summary(found):
    """Words on differences, one number a set."""
    wins, losses = (sum(sign * d > 1e-9 for d in found) for sign in (1, -1))
    return f"{wins} wins, {losses} losses; signed-rank p = {estimates.signed_rank(found):.2g}"


def accuracy_claims(rows):
    """Told by the mean over the sets, by t tests with Holm's procedure over all pairs."""
    found = [over_sets(rows, *pair) for pair in PAIRS]
    for pair, own, holds in zip(PAIRS, found, estimates.told_together(found), strict=True):
        of_paper = printed_differences(*pair)
        same = statistics.fmean(printed_differences(*pair, rows))
        paper = f"by its table I, on its {len(of_paper)} sets {statistics.fmean(of_paper):+.2f} points "
        paper += f"({same:+.2f} on these {len(rows)}); {summary(of_paper)}"
        ours = f"{own} points; {summary(differences(rows, *pair))}"
        words = WORDS.get(pair, f"{pair[0]} is more accurate than {pair[1]}")
        yield Claim(words, paper, ours, holds, WITHIN_ERROR)


def ranks(means):
    """{method: rank} of {method: mean accuracy}; of equal means all have the better rank."""
    return {m: 1 + sum(other > own + 1e-9 for other in means.values()) for m, own in means.items()}


def mean_ranks(rows, choose=None):
    """{method: mean rank over the sets}, of the splits that `choose(number)` takes."""
    found = []
    for splits in rows.values():
        kept = [splits[k] for k in choose(len(splits))] if choose else splits
        found.append(ranks({m: statistics.fmean(accuracies(kept, m)) for m in METHODS}))
    return {m: statistics.fmean(of_set[m] for of_set in found) for m in METHODS}


def share_of(rows, event):
    """How often `event(mean ranks)` is true when the splits of each set are drawn again."""
    rng, count = random.Random(1), 0
    for _ in range(BOOTSTRAPS):
        count += event(mean_ranks(rows, lambda number: rng.choices(range(number), k=number)))
    return count / BOOTSTRAPS


def proposed_first(found):
    """Whether the best mean rank is that of a soft margin alone."""
    return min(found[m] for m in PROPOSED) < min(found[m] for m in METHODS if m not in PROPOSED)


def average_last(found):
    """Whether the worst mean rank is that of the average kernel alone."""
    return found["AveKernel"] > max(rank for m, rank in found.items() if m != "AveKernel")


def rank_claims(rows):
    printed_ranks = printed.numbers("soft-margin", "average rank printed", "table I")
    paper = in_order({method: entry.mean for (_, method), entry in printed_ranks.items()})
    for words, event in [
        ("The best mean rank over the sets is that of a soft margin", proposed_first),
        ("The worst mean rank over the sets is that of AveKernel", average_last),
    ]:
        share = share_of(rows, event)
        ours = f"{in_order(mean_ranks(rows))}; true in {100 * share:.0f} % of draws of the splits with replacement"
        holds = True if share >= SURE else False if share <= 1 - SURE else None
        yield Claim(words, paper, ours, holds, "the rank depends on the splits")


def in_order(found):
    return ", ".join(f"{m} {r:.2f}" for m, r in sorted(found.items(), key=lambda entry: entry[1]))


def kernels_claims(rows):
    """Set by set: fewer, more, or within the error of the number of kernels."""
    answers, shares = [], {m: [] for m in METHODS}
    for splits in rows.values():
        pairs = itertools.product(PROPOSED, ("L2MKL", "LpMKL"))
        told = [fewer(paired(splits, dense, own, used)) for own, dense in pairs]
        answers.append(timing.all_of(told))
        for method in METHODS:
            of_all = splits[0][method]["kernels"]
            shares[method].append(statistics.fmean(used(splits, method)) / of_all)
    ours = "per cent of the kernels, mean of the sets: " + ", ".join(
        f"{m} {100 * statistics.fmean(own):.0f}" for m, own in shares.items()
    )
    yield fewer_claim("SM1MKL and SM2MKL use fewer kernels than L2MKL and LpMKL", answers, f"{ours}; ")
    answers = [fewer(paired(splits, "LpMKL", "SGMKL", used)) for splits in rows.values()]
    yield fewer_claim("SGMKL uses fewer kernels than LpMKL", answers)
    yield fewest_claim(rows)


def fewer_claim(words, answers, shown=""):
    """On every set; `answers` are of the sets."""
    ours = f"{shown}fewer on {answers.count(True)}, not on {answers.count(False)} of {len(answers)} sets"
    why = f"within the error on {answers.count(None)} sets"
    return Claim(words, "figure 1, no numbers", ours, timing.all_of(answers), why)


def fewer(difference):
    """Whether a number is less; the same number in all splits is not."""
    return False if difference.mean == difference.error == 0 else estimates.told(difference)


def fewest_claim(rows):
    """Most sets: more than half of them, each told by t tests against every other method."""
    found = []
    for splits in rows.values():
        others = [m for m in METHODS if m != "SimpleMKL"]
        gaps = [paired(splits, other, "SimpleMKL", used) for other in others]
        found.append(timing.all_of(estimates.told_together(gaps)))
    least = sum(
        min(METHODS, key=lambda m, s=splits: statistics.fmean(used(s, m))) == "SimpleMKL" for splits in rows.values()
    )
    told = f"told to be fewest on {found.count(True)}, not on {found.count(False)}"
    ours = f"the least mean on {least} of {len(found)} sets; {told}"
    half = len(found) / 2
    holds = True if found.count(True) > half else False if found.count(False) >= half else None
    why = f"within the error on {found.count(None)} sets"
    words = "SimpleMKL uses the fewest kernels on most sets"
    return Claim(words, "figure 1, no numbers", ours, holds, why)


def sparsity_claim(rows):
    """Whether accuracy follows the number of kernels: the correlation of their ranks over the
    methods, one number a set."""
    found = [correlation(splits) for splits in rows.values()]
    own = estimates.estimate(found)
    near = estimates.within(own, 0.5)
    ours = f"rank correlation of kernels used and accuracy over the methods: {own}"
    words = "Whether weights are sparse is not what decides (here: a correlation within 0.5)"
    why = "its error reaches 0.5"
    return Claim(words, "in words", ours, near, why)


def correlation(splits):
    """Spearman's, over the methods; 0 where one of both is constant."""
    pairs = [(statistics.fmean(used(splits, m)), statistics.fmean(accuracies(splits, m))) for m in METHODS]
    both = [midranks(values) for values in zip(*pairs, strict=True)]
    if any(len(set(values)) == 1 for values in both):
        return 0.0
    return statistics.correlation(*both)


def midranks(values):
    return [statistics.fmean(k for k, v in enumerate(sorted(values)) if v == own) for own in values]


def log_ratios(timed, first, second):
    """The mean over the splits of log10 of time over time, one number a set. A run that its limit
    stopped counts with its limit where that only lessens what is told; otherwise the set is left
    out."""
    found = []
    for splits in timed.values():
        pairs = [(times[first], times[second]) for times in splits]
        if all(usable(*pair) for pair in pairs):
            found.append(statistics.fmean(math.log10(a["seconds"] / b["seconds"]) for a, b in pairs))
    return found


def usable(one, other):
    """Whether the ratio of two times is known or a bound on the side that it is on."""
    ended = [entry["status"] == timing.CONVERGED for entry in (one, other)]
    stopped = [entry["status"] in timing.STOPPED for entry in (one, other)]
    if all(ended):
        return True
    if stopped[0] and ended[1]:
        return one["seconds"] > other["seconds"]
    return stopped[1] and ended[0] and other["seconds"] > one["seconds"]


def slower(timed, first, second):
    """Estimate of log10 of the time of one method over that of another, over the sets."""
    found = log_ratios(timed, first, second)
    return estimates.estimate(found) if found else estimates.Estimate(0.0, math.inf, 0)


def factor(found):
    """An Estimate of log10 as a factor."""
    if found.degrees == 0:
        return "-"
    return f"x {10**found.mean:.2g} (one error: x {10**found.error:.2g}; {found.degrees + 1} sets)"


def printed_slower(first, second):
    seconds = printed.numbers("soft-margin", "training CPU seconds")
    sets = [d for d, m in seconds if m == first and "(" not in d]
    logs = [math.log10(seconds[d, first].mean / seconds[d, second].mean) for d in sets]
    return estimates.estimate(logs)


def time_claims(timed, of_norms):
    slow, rest = ("SimpleMKL", "SGMKL"), [m for m in METHODS if m not in ("SimpleMKL", "SGMKL")]
    pairs = list(itertools.product(slow, rest))
    yield slower_claim("SimpleMKL and SGMKL take longer than every other method", timed, pairs)
    pairs = [("SimpleMKL", m) for m in PROPOSED]
    yield slower_claim("SM1MKL and SM2MKL are faster than SimpleMKL", timed, pairs)
    found = [
        math.log10(small["seconds"] / large["seconds"])
        for small, large in ((norms["32/31"], norms["2"]) for norms in of_norms.values())
        if usable(small, large)
    ]
    own = estimates.estimate(found) if found else estimates.Estimate(0.0, math.inf, 0)
    ours = f"C = 100, p = 32/31 over p = 2: {factor(own)}"
    words = "LpMKL is slow where a small p is chosen"
    yield Claim(words, "in words", ours, estimates.told(own), WITHIN_ERROR)


def slower_claim(words, timed, pairs):
    """Whether the first of each pair takes longer, over the sets, tested together."""
    found = [slower(timed, *pair) for pair in pairs]
    told = estimates.told_together(found)
    open_pairs = [f"{a} and {b}" for (a, b), one in zip(pairs, told, strict=True) if one is None]
    paper = [printed_slower(*pair) for pair in pairs]
    why = f"undecided pairs: {', '.join(open_pairs)}"
    holds = timing.all_of(told)
    return Claim(words, factors(pairs, paper), factors(pairs, found), holds, why)


def factors(pairs, found):
    """Of each first method the least and the largest factor over the others."""
    words = []
    for first in dict.fromkeys(pair[0] for pair in pairs):
        own = [(one, b) for (a, b), one in zip(pairs, found, strict=True) if a == first]
        ends = dict.fromkeys([min(own), max(own)])
        words += [f"{first} over {b} {factor(one)}" for one, b in ends]
    return "; ".join(words)


def noise_claims(found):
    """At the most noise and at none, over the splits."""
    if not found:
        why = "the set diabetes is not here"
        yield Claim("With much noise AveKernel is the worst", "figure 2", "-", None, why)
        return
    most, none = max(found), min(found)
    others = [m for m in NOISY if m != "AveKernel"]
    worse = [paired(found[most], other, "AveKernel") for other in others]
    shown = ", ".join(f"{m} {own}" for m, own in zip(others, worse, strict=True))
    ours = f"r = {most}, points over AveKernel: {shown}"
    holds = timing.all_of(estimates.told_together(worse))
    yield Claim("With much noise AveKernel is the worst", "figure 2", ours, holds, NOT_EVERY)
    yield robust_claim(found, none, most)
    best = max(others, key=lambda m: statistics.fmean(accuracies(found[none], m)))
    own = paired(found[none], "AveKernel", best)
    ours = f"AveKernel less {best}, the best of the others: {own} points"
    words = f"Without noise AveKernel is good (here: at most {CLOSE:g} points below the best)"
    yield Claim(words, "figure 2", ours, above(own, -CLOSE), WITHIN_ERROR)


def above(own, bound):
    """Whether the mean of an Estimate is above a bound; None where a t test cannot tell."""
    return estimates.told(own._replace(mean=own.mean - bound))


def robust_claim(found, none, most):
    def loss(method):
        return [a - b for a, b in zip(accuracies(found[none], method), accuracies(found[most], method), strict=True)]

    others = [m for m in NOISY if m != "SM1MKL"]
    less = [
        at_least_one_sample(estimates.paired(loss(other), loss("SM1MKL"), RATIO), found[most], other)
        for other in others
    ]
    shown = ", ".join(f"{m} {own}" for m, own in zip(others, less, strict=True))
    ours = f"from r = {none} to {most}, points that another method loses more: {shown}"
    holds = timing.all_of(estimates.told_together(less))
    return Claim("SM1MKL is the most robust to noise", "figure 2", ours, holds, NOT_EVERY)


def video_claims():
    """Claims of sets that are not public in this form."""
    table = printed.numbers("soft-margin", "MAP %")
    why = "the descriptors of the videos are not at hand"
    for data, words in [
        (
            "YouTube actions (11 concepts)",
            "YouTube: SM1MKL has the best MAP, L1 is below AveKernel",
        ),
        ("Event6 (6 events)", "Event6: SM1MKL has the best MAP, AveKernel the worst"),
    ]:
        paper = ", ".join(f"{m} {table[data, m].mean:.2f}" for m in METHODS)
        yield Claim(words, f"MAP %: {paper}", "-", None, why)


def claims(rows, found, timed, of_norms):
    if rows:
        yield from accuracy_claims(rows)
        yield from rank_claims(rows)
        yield from kernels_claims(rows)
        yield sparsity_claim(rows)
        yield from time_claims(timed, of_norms)
    yield from noise_claims(found)
    yield from video_claims()
