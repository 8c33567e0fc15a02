"""Part of experiments/multi-label: average precision and time of shared and separate weights on sets
with classes or labels. Cells run one at a time: their times are processor time of this process."""

import statistics
import time
import warnings
from typing import NamedTuple

import common
import estimates
import image_sets
import printed
import timing
from common import Claim, number, sized, table
from image_sets import numpy

SAMPLED, SUMMED, SIMPLE, VSKL, AVERAGE = "ML-MKL-SA", "ML-MKL-Sum", "SimpleMKL", "VSKL", "AVG"
METHODS = {  # of the paper; options of the solver that is timed, and of one that chooses C
    SAMPLED: (
        {"coupling": "minimax", "solver": "stochastic-approximation"},
        {"solver": "lazy-bundle"},
    ),
    SUMMED: ({"coupling": "sum", "solver": "newton"}, {}),
    SIMPLE: ({"coupling": "separate", "solver": "simple"}, {"solver": "newton"}),
    VSKL: (
        {"coupling": "separate", "solver": "mixed-norm-sound", "regularizer": "mixed-norm:q=inf"},
        {"solver": "saddle-newton"},
    ),
    AVERAGE: ({"regularizer": "average"}, {}),
}
STEPS = [0.1, 1, 10, 100, 1000]  # C times the sum of even weights
GAP = 0.05  # relative
SAME = 1.0  # points of average precision that count as similar


class Plan(NamedTuple):
    """A set: what it is, classes at most (0: all), samples a class at least, exponents of widths, and
    (splits, samples of a class, or of all for labels, for training, validation and tests)."""

    words: str
    classes: int
    per_class: int
    powers: list
    sizes: list


PLANS = {
    "flower17": Plan(
        "17 kinds of flowers, seven descriptors of our own with two Gaussians each",
        0,
        80,
        [-1, 1],
        [(2, (4, 2, 4)), (4, (15, 10, 20)), (10, (30, 20, 30))],
    ),
    "leaves100": Plan(
        "the first 40 of 100 kinds of leaves, three descriptors with five Gaussians each",
        40,
        16,
        [-4, -2, 0, 2, 4],
        [(2, (4, 2, 4)), (4, (3, 2, 11)), (10, (3, 2, 11))],
    ),
    "emotions": Plan(
        "songs with six labels, two sets of columns with five Gaussians each",
        0,
        0,
        [-2, -1, 0, 1, 2],
        [(2, (40, 20, 40)), (6, (300, 93, 200)), (10, (300, 93, 200))],
    ),
}


def limit(options):
    return sized(options, 5, 100, 600)


def run(options, journal):
    """{set: [{method: what a split tells} of each split]} of the sets that are here."""
    found = {}
    for name, plan in PLANS.items():
        if not image_sets.available(options, journal, name):
            continue
        count, counts = sized(options, *plan.sizes)
        found[name] = [
            {
                method: journal.cell(
                    ["sets", name, list(counts), k, method],
                    lambda n=name, k=k, m=method: one_method(options, n, k, m),
                )
                for method in METHODS
            }
            for k in range(count)
        ]
    return found


def parts_of(labels, counts, seed):
    """Rows for training, validation and tests: so many of each class, or of all with labels."""
    if labels.ndim == 1:
        return image_sets.split(labels, counts, seed)
    drawn = numpy.random.default_rng(seed).permutation(len(labels))
    ends = numpy.cumsum([0, *counts])
    return [numpy.sort(drawn[a:b]) for a, b in zip(ends[:-1], ends[1:], strict=True)]


def load(options, name):
    plan, images = PLANS[name], image_sets.load(tuple(options.data), name)
    if images.labels.ndim == 1:
        images = image_sets.balanced(images, plan.per_class)
        classes = 4 if options.tiny else plan.classes or len(images.labels)
        images = images.kept(numpy.isin(images.labels, numpy.unique(images.labels)[:classes]))
    return images


def one_method(options, name, seed, method):
    """Test scores and processor seconds of a method, C chosen on validation samples."""
    images, most = load(options, name), limit(options)
    train, valid, test = parts_of(images.labels, sized(options, *PLANS[name].sizes)[1], seed)
    kernels, groups = image_sets.gaussians(images, train, PLANS[name].powers)
    own, choosing = METHODS[method]
    even = {VSKL: len(set(groups)) ** 2}.get(method, 1)
    costs, scores = [step / even for step in STEPS], []
    for cost in costs:
        asked = {**own, **choosing, "C": cost, "tol": GAP, "time_limit": most}
        machine, _ = trained(kernels, groups, images.labels, train, asked)
        scores.append(precision(machine, kernels, images.labels, train, valid))
    place = common.best_place(scores)
    asked = {**own, "C": costs[place], "tol": GAP, "time_limit": most}
    machine, seconds = trained(kernels, groups, images.labels, train, asked)
    return {
        "precision": 100 * precision(machine, kernels, images.labels, train, test),
        "place": place,
        "seconds": seconds,
        "status": machine.status_,
        "gap": float(machine.certificate_[3]),
        "solves": int(machine.history_["svm_solves"][-1]),
    }


def trained(kernels, groups, labels, train, asked):
    """(estimator, processor seconds of its solver)"""
    import kernmix

    warnings.filterwarnings("ignore", category=kernmix.KernmixWarning)
    kind = kernmix.MKLClassifier if labels.ndim == 1 else kernmix.MultilabelMKL
    names = [f"precomputed on k[{m}], group=g{group}" for m, group in enumerate(groups)]
    fixed = {"normalization": "none", "assume_psd": True, "n_jobs": 1, "max_iter": 10**6}
    own = kind(kernels=names, random_state=1, **fixed, **asked)
    start = time.process_time()
    own.fit(kernmix.GramStack(kernels[:, train][:, :, train], names="k"), labels[train])
    used = time.process_time() - start
    return own, used * own.seconds_["solve"] / max(own.seconds_["total"], 1e-9)


def precision(machine, kernels, labels, train, rows):
    """Mean of the average precisions of classes or labels that occur among the rows."""
    import kernmix

    stack = kernmix.GramStack(kernels[:, rows][:, :, train], names="k")
    values = machine.decision_function(stack)
    positive = labels[rows]
    if positive.ndim == 1:
        positive = (positive[:, None] == machine.classes_[None]).astype(int)
    found = [
        image_sets.average_precision(values[:, t], positive[:, t])
        for t in range(positive.shape[1])
        if positive[:, t].any()
    ]
    return statistics.fmean(found)


def ratio(options, name):
    _, (train, valid, test) = sized(options, *PLANS[name].sizes)
    return test / (train + valid)


def difference(options, name, splits, method, other):
    values = [[split[m]["precision"] for split in splits] for m in (method, other)]
    return estimates.paired(*values, ratio(options, name))


def as_timed(splits, method):
    """The splits together."""
    return timing.pooled(
        [
            timing.Timed(s["seconds"], s["seconds"], s["seconds"], 1, s["status"], s["gap"], 0)
            for s in (split[method] for split in splits)
        ]
    )


def printed_precision(method):
    metric = "area under precision-recall curve, mean of classes"
    found = printed.numbers("multi-label", metric)
    return ", ".join(f"{data} {entry.mean:.2f}" for (data, m), entry in found.items() if m == method)


def printed_ratio(method):
    """Time over that of ML-MKL-SA in table 1."""
    found = printed.numbers("multi-label", "training seconds")
    sets = dict.fromkeys(data for data, m in found if m == method)
    return ", ".join(f"{d} {found[d, method].mean / found[d, SAMPLED].mean:.3g}" for d in sets)


WITHIN = "the difference is within its error"


def claims(options, found):
    yield from precision_claims(options, found)
    yield from time_claims(found)


def precision_claims(options, found):
    others = [m for m in METHODS if m != SAMPLED]
    for name, splits in found.items():
        gains = [difference(options, name, splits, SAMPLED, m) for m in others]
        shown = ", ".join(f"{m} {own}" for m, own in zip(others, gains, strict=True))
        words = "ML-MKL-SA has the best average precision of all methods"
        paper = f"{SAMPLED}: {printed_precision(SAMPLED)}; GMKL is as good on VOC2006, Sum on Caltech-101"
        holds = timing.all_of(estimates.told_together(gains))
        yield Claim(words, paper, f"{name}, points over {shown}", holds, WITHIN)
    for name, splits in found.items():
        own = difference(options, name, splits, SAMPLED, AVERAGE)
        words = "The average kernel is significantly worse than ML-MKL-SA"
        paper = f"{AVERAGE}: {printed_precision(AVERAGE)}"
        yield Claim(words, paper, f"{name}: {own} points", estimates.told(own), WITHIN)
    for name, splits in found.items():
        own = difference(options, name, splits, SAMPLED, SUMMED)
        words = f"(Abstract) its precision is similar to that of ML-MKL-Sum (here: {SAME:g} point)"
        paper = f"{SUMMED}: {printed_precision(SUMMED)}"
        holds = estimates.within(own, SAME)
        yield Claim(words, paper, f"{name}: {own} points", holds, "its error reaches the margin")


def time_claims(found):
    """To our gap. The paper's stop has a row of its own."""
    for name, splits in found.items():
        sampled = as_timed(splits, SAMPLED)
        cells = [f"{m} {timing.shown(as_timed(splits, m))}" for m in (SIMPLE, VSKL)]
        ours = f"{name}, seconds: {timing.shown(sampled)}; {', '.join(cells)}"
        told = [timing.faster(sampled, as_timed(splits, m)) for m in (SIMPLE, VSKL)]
        words = "ML-MKL-SA takes far less time than SimpleMKL and VSKL for each class"
        paper = f"time over that of SA: SimpleMKL {printed_ratio(SIMPLE)}; VSKL {printed_ratio(VSKL)}"
        yield Claim(words, paper, ours, timing.all_of(told), "times overlap, or a run did not end")
    for name, splits in found.items():
        sampled, summed = (as_timed(splits, m) for m in (SAMPLED, SUMMED))
        ours = f"{name}, seconds: {timing.shown(sampled)}; Sum by `newton` {timing.shown(summed)}"
        words = "ML-MKL-SA takes less time than ML-MKL-Sum"
        paper = f"time over that of SA: {printed_ratio(SUMMED)}"
        holds = timing.faster(sampled, summed)
        yield Claim(words, paper, ours, holds, "times overlap, or a run did not end")


def result_table(options, found):
    lines = []
    for name, splits in found.items():
        for method in METHODS:
            values = [split[method]["precision"] for split in splits]
            own = estimates.estimate(values, ratio(options, name)).unsigned()
            timed = as_timed(splits, method)
            base = as_timed(splits, SAMPLED)
            over = number(timed.seconds / base.seconds, 2)
            solves = f"{statistics.median(split[method]['solves'] for split in splits):g}"
            ends = sum(split[method]["place"] in (0, len(STEPS) - 1) for split in splits)
            cells = [own, timing.shown(timed), over, solves, f"{ends} of {len(splits)}"]
            lines.append([name, method, *cells])
    columns = ["set", "method", "mean average precision, %", "seconds", "over ML-MKL-SA"]
    return table([*columns, "SVM solves", "C at an end"], lines)


def paper_table():
    """Table 1 of the paper: precision and time over that of ML-MKL-SA."""
    metric = "area under precision-recall curve, mean of classes"
    scores = printed.numbers("multi-label", metric)
    seconds = printed.numbers("multi-label", "training seconds")
    lines = []
    for (data, method), entry in scores.items():
        own = seconds.get((data, method))
        over = own and number(own.mean / seconds[data, SAMPLED].mean)
        shown = number(own.mean, 6) if own else None
        lines.append([data, method, f"{entry.mean:.2f}", shown, over])
    columns = ["set", "method", "area under precision-recall curve", "seconds"]
    return table([*columns, "over ML-MKL-SA"], lines)


def rows(found):
    for name, splits in found.items():
        for k, split in enumerate(splits):
            for method, own in split.items():
                cells = [own[key] for key in ("precision", "seconds", "status", "gap", "solves")]
                yield name, k, method, STEPS[own["place"]], *cells


COLUMNS = ["data", "split", "method", "C times scale", "average precision %", "seconds", "status"]
COLUMNS += ["relative gap", "SVM solves"]
