"""Part of experiments/spicy: accuracy of the elastic net from sparse to dense on ten binary problems
of images."""

import itertools
import statistics

import common
import estimates
import image_sets
import timing
from common import Claim, sized, table
from image_sets import numpy

SHARES = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]  # of the dense penalty
STEPS = [0.1, 1, 10, 100]  # C
POWERS = range(-5, 5)  # ten widths
CLASSES = 5
MEDIUM = 0.5  # fixed before the run: the best of several shares would favour the claim
CLOSE = 1.0  # points of accuracy: "works well, too"
GAP = 1e-3


def plan(options):
    """(splits, samples a class for training, validation and tests)"""
    return sized(options, (1, (3, 2, 3)), (3, (6, 6, 40)), (10, (6, 6, 40)))


def run(options, journal):
    """{(pair of classes, split): [[accuracy, active kernels] of each share]}"""
    if not image_sets.available(options, journal, "flower17"):
        return {}
    splits, counts = plan(options)
    cells = list(itertools.product(itertools.combinations(range(1, CLASSES + 1), 2), range(splits)))

    def one(cell):
        pair, k = cell
        key = ["density", list(counts), list(pair), k]
        return journal.cell(key, lambda: one_problem(options, pair, k))

    return dict(zip(cells, common.in_parallel(one, cells), strict=True))


def one_problem(options, pair, seed):
    """C of each share by the accuracy of validation samples, of equals the middle one."""
    images = image_sets.load(tuple(options.data), "flower17")
    _, counts = plan(options)
    own = images.kept(numpy.isin(images.labels, pair))
    own, (train, valid, test) = image_sets.used(own, image_sets.split(own.labels, counts, seed))
    kernels, groups = image_sets.gaussians(own, train, POWERS)
    y = numpy.where(own.labels == pair[0], 1, -1)
    inner = kernels[:, train][:, :, train]
    found = []
    for share in SHARES:
        tried = []
        for cost in STEPS:
            asked = {**net(share), "loss": "logistic", "C": cost, "tol": GAP}
            machine = image_sets.Machine(inner, groups, y[train], **asked)
            scores = [
                float(numpy.mean((machine.decisions(kernels[:, r][:, :, train]) > 0) == (y[r] > 0)))
                for r in (valid, test)
            ]
            tried.append((*scores, int(numpy.count_nonzero(machine.weights))))
        best = tried[common.best_place([score[0] for score in tried])]
        found.append([100 * best[1], best[2]])
    return found


def net(share):
    """The elastic net; the dense penalty alone is that of the sum of the kernels."""
    if share == 1:
        return {"regularizer": "sum"}
    return {"regularizer": f"elastic-net:l1={1 - share:g},l2={share:g}", "solver": "spicy"}


def of_share(found, share, column=0):
    """One number a problem: the mean over its splits."""
    place, problems = SHARES.index(share), {}
    for (pair, _), values in found.items():
        problems.setdefault(pair, []).append(values[place][column])
    return [statistics.fmean(own) for own in problems.values()]


def gain(found, share, other):
    return estimates.paired(of_share(found, share), of_share(found, other))


def best_of(found, shares):
    return max(shares, key=lambda share: statistics.fmean(of_share(found, share)))


def claims(found):
    words = ("Medium density has the best performance", "A sparse solution works well, too")
    if not found:
        for text in words:
            yield Claim(text, "figure, no numbers", "-", None, "the set flower17 is not here")
        return
    gains = [gain(found, MEDIUM, end) for end in (SHARES[0], SHARES[-1])]
    told = estimates.told_together(gains)
    holds = False if False in told else timing.all_of(told)
    ours = f"share {MEDIUM:g} over sparse {gains[0]} points, over dense {gains[1]} points"
    why = "the difference is within its error over the problems"
    yield Claim(words[0], "figure, no numbers", ours, holds, why)
    best = best_of(found, SHARES)
    own = gain(found, SHARES[0], best)
    ours = f"sparse less the best, share {best:g}: {own} points"
    text = f"{words[1]} (here: at most {CLOSE:g} point below the best)"
    holds = True if best == SHARES[0] else estimates.told(own._replace(mean=own.mean + CLOSE))
    yield Claim(text, "figure, no numbers", ours, holds, why)


def density_table(found):
    lines = []
    for share in SHARES:
        own = estimates.estimate(of_share(found, share)).unsigned()
        active = statistics.fmean(of_share(found, share, 1))
        lines.append([share, own, f"{active:.0f}"])
    return table(["share of the dense penalty", "accuracy, %", "active kernels"], lines)


def rows(found):
    for (pair, k), values in found.items():
        for share, (accuracy, active) in zip(SHARES, values, strict=True):
            yield f"{pair[0]} {pair[1]}", k, share, accuracy, active


COLUMNS = ["classes", "split", "share of the dense penalty", "accuracy %", "active kernels"]


def draw(axes, found):
    means = [estimates.estimate(of_share(found, share))[:2] for share in SHARES]
    axes.errorbar(SHARES, *zip(*means, strict=True), marker="o")
    axes.set(xlabel="share of the dense penalty", title="flower17, ten pairs: accuracy, %")
