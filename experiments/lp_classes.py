"""Lp-norm MKL on sets of several views: average precision of one-against-rest machines, p chosen
for all classes (p-joint) and for each (p-single)."""

import statistics
from fractions import Fraction
from typing import NamedTuple

import common
import estimates
import image_sets
import printed
from common import Claim, sized, table
from image_sets import numpy

NORMS = ["1", "33/32", "17/16", "9/8", "5/4", "3/2", "2", "inf"]
STEPS = [0.1, 1, 10, 100, 1e3, 1e4]  # C times the largest sum of weights
SPARSE, EVEN, SINGLE, JOINT = "1-norm", "inf-norm", "p-single", "p-joint"
GAP = 1e-3


class Plan(NamedTuple):
    """A set: what it is, samples a class, exponents of widths, and (splits, samples of a class for
    training, validation and tests), tiny, default and full."""

    words: str
    per_class: int
    powers: list
    sizes: list


PLANS = {
    "flower17": Plan(
        "17 kinds of flowers, seven descriptors of our own with two Gaussians each, M = 14",
        80,
        [-1, 1],
        [(2, (4, 3, 3)), (5, (10, 10, 40)), (10, (40, 20, 20))],
    ),
    "protein-fold": Plan(
        "proteins of the eight folds with 21 members or more, twelve descriptors, M = 12",
        21,
        [0],
        [(2, (4, 3, 3)), (10, (8, 6, 7)), (10, (8, 6, 7))],
    ),
}


def run(options, journal):
    """{set: [what a split tells] of the sets that are here}"""
    found = {}
    for name, plan in PLANS.items():
        if not image_sets.available(options, journal, name):
            continue
        count, counts = sized(options, *plan.sizes)

        def one(k, name=name, counts=counts):
            return journal.cell(["classes", name, list(counts), k], lambda: one_split(options, name, k))

        found[name] = common.in_parallel(one, range(count))
    return found


def scale(p, count):
    """M^(1 - 1/p), the largest sum of weights whose norm is 1."""
    return count ** (1 - (0 if p == "inf" else 1 / float(Fraction(p))))


def one_split(options, name, seed):
    """{class: {p: [validation AP, test AP, place of C]}}, C by the AP of validation samples."""
    plan = PLANS[name]
    images = image_sets.balanced(image_sets.load(tuple(options.data), name), plan.per_class)
    if options.tiny:
        images = images.kept(images.labels <= sorted(set(images.labels))[2])
    _, counts = sized(options, *plan.sizes)
    images, (train, valid, test) = image_sets.used(images, image_sets.split(images.labels, counts, seed))
    kernels, groups = image_sets.gaussians(images, train, plan.powers)
    own, held = kernels[:, train][:, :, train], [kernels[:, r][:, :, train] for r in (valid, test)]
    found = {}
    for category in numpy.unique(images.labels):
        y = numpy.where(images.labels[train] == category, 1, -1)
        positive = [(images.labels[rows] == category).astype(int) for rows in (valid, test)]
        found[str(category)] = {p: best_cost(p, own, groups, y, held, positive) for p in NORMS}
    return found


def best_cost(p, own, groups, y, held, positive):
    tried = []
    for step in STEPS:
        cost = step / scale(p, len(groups))
        machine = image_sets.Machine(own, groups, y, regularizer=f"lp:p={p}", C=cost, tol=GAP)
        tried.append(
            [
                image_sets.average_precision(machine.decisions(rows), hits)
                for rows, hits in zip(held, positive, strict=True)
            ]
        )
    place = common.best_place([valid for valid, _ in tried])
    return [*tried[place], place]


def choices(split):
    """{method: {class: test AP in per cent}}; p by the AP of validation samples, of equals the
    first, as in p-single for each class, and as in p-joint for their mean."""
    joint = joint_norm(split)
    found = {SPARSE: {}, EVEN: {}, SINGLE: {}, JOINT: {}}
    for name, own in split.items():
        single = single_norm(own)
        norms = {SPARSE: "1", EVEN: "inf", SINGLE: single, JOINT: joint}
        for method, p in norms.items():
            found[method][name] = 100 * own[p][1]
    return found


def single_norm(own):
    return max(NORMS, key=lambda p: own[p][0])


def joint_norm(split):
    return max(NORMS, key=lambda p: statistics.fmean(own[p][0] for own in split.values()))


def of_splits(splits, method, name=None):
    """AP of each split: of a class, or the mean of all."""
    found = [choices(split)[method] for split in splits]
    return [own[name] if name else statistics.fmean(own.values()) for own in found]


def ratio(options, name):
    _, (train, valid, test) = sized(options, *PLANS[name].sizes)
    return test / (train + valid)


WITHIN = "not significant by Holm's procedure"


def claims(options, found):
    means = printed.numbers("lp-norm", "average precision %")
    for name, splits in found.items():
        yield from gain_claims(options, name, splits, means)
    for name, splits in found.items():
        yield every_class_claim(options, name, splits, means)


def gain_claims(options, name, splits, means):
    """The four pairs of methods on a set, t tests together by Holm's procedure."""
    pairs = [(a, b) for a in (SINGLE, JOINT) for b in (SPARSE, EVEN)]
    gains = [estimates.paired(of_splits(splits, a), of_splits(splits, b), ratio(options, name)) for a, b in pairs]
    for (a, b), own, holds in zip(pairs, gains, estimates.told_together(gains), strict=True):
        paper = f"VOC 2008: {means['average', a].mean - means['average', b].mean:+.1f} points"
        words = f"Lp-norm MKL, {a}, has a higher average precision than {b}"
        better = sum(gain_of_class(splits, a, b, c) > 0 for c in splits[0])
        yield Claim(
            words, paper, f"{name}: {own} points, better in {better} of {len(splits[0])} classes", holds, WITHIN
        )


def gain_of_class(splits, method, other, category):
    """Of the mean over the splits."""
    own, base = (statistics.fmean(of_splits(splits, m, category)) for m in (method, other))
    return own - base


def every_class_claim(options, name, splits, means):
    """For each class p-single or p-joint against the better of l1 and uniform; it does not hold where
    a t test of some class, by Holm's procedure, tells that both are worse."""
    classes = list(splits[0])
    told, gains = [], []
    for other in (SINGLE, JOINT):
        gains.append([better_baseline(options, name, splits, other, c) for c in classes])
        told.append(estimates.told_together(gains[-1]))
    best = sum(max(one.mean, both.mean) >= 0 for one, both in zip(*gains, strict=True))
    answers = [False if pair == (False, False) else True if True in pair else None for pair in zip(*told, strict=True)]
    names = dict.fromkeys(data for data, _ in means if data != "average")
    wins = sum(
        max(means[c, SINGLE].mean, means[c, JOINT].mean) >= max(means[c, SPARSE].mean, means[c, EVEN].mean)
        for c in names
    )
    paper = f"best in {wins} of {len(names)} classes of its own table (not of cow and dog)"
    ours = (
        f"{name}: best mean in {best} of {len(classes)} classes, significantly in {answers.count(True)}; "
        f"significantly worse in {answers.count(False)}"
    )
    words = "Lp-norm MKL is the best for all classes"
    why = f"not significant in {answers.count(None)} classes by Holm's procedure"
    holds = False if False in answers else True if all(answers) else None
    return Claim(words, paper, ours, holds, why)


def better_baseline(options, name, splits, method, category):
    """Of a method less the better of the two baselines, on one class."""
    baselines = (SPARSE, EVEN)
    base = max(baselines, key=lambda m: statistics.fmean(of_splits(splits, m, category)))
    pair = of_splits(splits, method, category), of_splits(splits, base, category)
    return estimates.paired(*pair, ratio(options, name))


def result_table(options, found):
    means = printed.numbers("lp-norm", "average precision %")
    methods = (SPARSE, EVEN, SINGLE, JOINT)
    cells = [f"{means['average', m].mean:.1f} ± {means['average', m].deviation:.1f}" for m in methods]
    lines = [["paper: VOC 2008, 20 classes (± deviation)", *cells]]
    for name, splits in found.items():
        own = [estimates.estimate(of_splits(splits, m), ratio(options, name)) for m in methods]
        lines.append([f"ours: {name} (± standard error)", *(e.unsigned() for e in own)])
    return table(["mean average precision, %", *methods], lines)


def selected_table(found):
    """How often each p is selected, in per cent of the classes of all splits, or of the splits."""
    lines = []
    for name, splits in found.items():
        single = [single_norm(own) for split in splits for own in split.values()]
        joint = [joint_norm(split) for split in splits]
        for method, chosen in ((SINGLE, single), (JOINT, joint)):
            lines.append([f"{name}, {method}", *(f"{100 * chosen.count(p) / len(chosen):.0f} %" for p in NORMS)])
    return table(["selected", *(f"p = {p}" for p in NORMS)], lines)


def selected_in_paper():
    found = [entry.mean for entry in printed.numbers("lp-norm", "p selected").values()]
    least, middle, most = min(found), statistics.median(found), max(found)
    return f"The lecture's p-single selects p from {least:.2f} to {most:g}, in the median {middle:g}."


def norms_table(options, found):
    """Mean AP of each p, and how often C is at an end of its grid."""
    lines = []
    for name, splits in found.items():
        cells, ends = [], []
        for p in NORMS:
            values = [100 * statistics.fmean(own[p][1] for own in s.values()) for s in splits]
            cells.append(estimates.estimate(values, ratio(options, name)).unsigned())
            places = [own[p][2] in (0, len(STEPS) - 1) for s in splits for own in s.values()]
            ends.append(f"{100 * statistics.fmean(places):.0f} %")
        lines += [[name, *cells], [f"{name}, C at an end", *ends]]
    return table(["mean average precision, %", *(f"p = {p}" for p in NORMS)], lines)


def rows(found):
    for name, splits in found.items():
        for k, split in enumerate(splits):
            for category, own in split.items():
                for p, (valid, test, place) in own.items():
                    yield name, k, category, p, STEPS[place], valid, test


COLUMNS = ["data", "split", "class", "p", "C times scale", "validation AP", "test AP"]


def draw(axes, name, splits, share):
    """share: [ratio], for the errors"""
    values = [[100 * statistics.fmean(own[p][1] for own in split.values()) for split in splits] for p in NORMS]
    means = [estimates.estimate(own, share)[:2] for own in values]
    axes.errorbar(NORMS, *zip(*means, strict=True), marker="o")
    axes.set(title=f"{name}:\nmean average precision, %", xlabel="p")
