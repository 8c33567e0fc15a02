"""Part of experiments/multi-label: accuracy and time on sets of images, against classes and
kernels, C chosen on validation samples."""

import itertools
import pathlib
import random
import statistics
import tempfile
from typing import NamedTuple

import common
import estimates
import timing
import view_sets
from common import Claim, sized, table

SAMPLED, SUMMED, AVERAGE = "ML-MKL-SA", "ML-MKL-Sum, `newton`", "average"
EACH = "each class, `{}`"
SEPARATE = {EACH.format(s): ["--sharing", "separate", "--solver", s] for s in ("silp", "simple")}
METHODS = {  # name: options
    SAMPLED: ["--sharing", "minimax", "--solver", "stochastic-approximation"],
    "minimax, `lazy-bundle`": ["--sharing", "minimax", "--solver", "lazy-bundle"],
    SUMMED: ["--sharing", "sum", "--solver", "newton"],
    EACH.format("newton"): ["--sharing", "separate", "--solver", "newton"],
    **SEPARATE,
    AVERAGE: ["--regularizer", "average"],
}
GAP = 0.05  # relative, of all runs whose accuracies are compared
SAME = 1.0  # points of average precision that count as none


class Plan(NamedTuple):
    """Of a set: splits, and samples a class for training, validation and tests; tiny, default,
    full."""

    sizes: list


PLANS = {
    "digits": Plan([(1, (4, 2, 4)), (6, (30, 15, 45)), (10, (100, 40, 60))]),
    "mnist": Plan([(2, (3, 2, 4)), (8, (20, 20, 40)), (10, (40, 20, 40))]),
}


class Tried(NamedTuple):
    """One method on one split."""

    auc: float
    precision: float
    cost: float
    at_end: bool  # whether C is the first or the last that was tried, and no other does as well
    solves: int
    timed: timing.Timed


class Found(NamedTuple):
    """Of one set."""

    ratio: float  # test samples over samples to learn from
    cells: dict  # (classes, views): [{method: Tried} of each split]

    @property
    def complete(self):
        """The splits with all classes and views."""
        return self.cells[max(self.cells)]

    def difference(self, method, other):
        """Points of average precision, with all classes and views."""
        values = ([entry[m].precision for entry in self.complete] for m in (method, other))
        return estimates.paired(*values, self.ratio)


def cells(options, data):
    """(classes, views), the last with all of both."""
    most = len(data.rows) // data.per_class, len(data.views)
    classes = sized(options, [3], [3, 6], [3, 5, 7])
    views = sized(options, [], [2, 5], [1, 2, 4, 5])
    few = [(count, most[1]) for count in classes] + [(most[0], count) for count in views]
    return [cell for cell in few if cell[0] < most[0] or cell[1] < most[1]] + [most]


def restricted(data, cell, seed):
    """The set with so many of its classes and of its views, at random."""
    rng = random.Random(seed)
    size, (classes, views) = data.per_class, cell
    firsts = sorted(rng.sample(range(0, len(data.rows), size), classes))
    rows = itertools.chain(*(data.rows[first : first + size] for first in firsts))
    names = rng.sample(list(data.views), views)
    kept = {name: glob for name, glob in data.views.items() if name in names}
    return data._replace(rows=list(rows), views=kept)


def costs(options):
    return sized(options, [1], [1, 10, 100], [0.1, 1, 10, 100])


def run(options, limit):
    """{set: Found} for the sets that are here."""
    found = {}
    for name, plan in PLANS.items():
        data = view_sets.load(options, name)
        if data:
            number_of, counts = sized(options, *plan.sizes)
            asked = list(itertools.product(cells(options, data), range(number_of)))
            tried = common.in_parallel(
                lambda at, data=data, counts=counts: of_split(
                    data, *at, counts, costs(options), limit
                ),
                asked,
            )
            of_cell = {}
            for (cell, _), entry in zip(asked, tried, strict=True):
                of_cell.setdefault(cell, []).append(entry)
            found[name] = Found(data.ratio(counts), of_cell)
    return found


def of_split(data, cell, split, counts, grid, limit):
    part = restricted(data, cell, split)
    with tempfile.TemporaryDirectory() as folder:
        files = part.write_split(pathlib.Path(folder), counts, split)
        return {method: chosen(part, files, method, grid, limit) for method in METHODS}


def chosen(data, files, method, grid, limit):
    """C by the mean average precision of validation samples."""
    options = [*data.asked, *view_sets.KERNELS, *METHODS[method], *to_gap()]
    tried = common.try_each(
        files, data.label, [[*options, "-C", cost] for cost in grid], most=limit
    )
    chosen_by = [common.metric(valid, "average_precision") for _, valid, _ in tried]
    best = common.best_place(chosen_by)
    result, _, test = tried[best]
    scores = [100 * common.metric(test, name) for name in ("auc", "average_precision")]
    timed = timing.of(result, limit)
    end = best in (0, len(grid) - 1) and chosen_by.count(chosen_by[best]) == 1
    return Tried(*scores, grid[best], end, result["svm_solves"], timed)


def to_gap(gap=GAP):
    """Sampled steps need many iterations."""
    return ["--tolerance", gap, "--max-iterations", 1000000]


def traces(options, limit):
    """Rows (method, seconds of the clock, mean AUC of tests) of moments of training."""
    data = view_sets.load(options, "digits")
    if not data:
        return []
    _, counts = sized(options, *PLANS["digits"].sizes)
    rows = []
    with data.splits(counts, 1) as [files]:
        asked = [files[0], *data.train, *view_sets.KERNELS, "-C", 10, "--trace", files[2]]
        for method in list(METHODS)[:3]:
            words = [*METHODS[method], *to_gap(1e-2)]
            trace = common.train(*asked, *words, most=limit)["trace"]
            rows += [(method, at["seconds"], common.metric(at, "mean_auc")) for at in trace]
    return rows


COLUMNS = ["data", "classes", "views", "split", "method", "C", "AUC", "average precision"]
COLUMNS += ["SVM solves", *timing.TIMED]


def rows(found):
    for name, cell, split, method, tried in every(found):
        scores = [tried.cost, tried.auc, tried.precision, tried.solves]
        yield (name, *cell, split, method, *scores, *tried.timed)


def every(found):
    for name, of_set in found.items():
        for cell, splits in of_set.cells.items():
            for split, entry in enumerate(splits):
                for method, tried in entry.items():
                    yield name, cell, split, method, tried


def result_table(of_set):
    """Means of the scores, medians of times, with all classes and views."""
    lines = []
    for method in METHODS:
        own = [entry[method] for entry in of_set.complete]
        scores = [f"{statistics.fmean(t[place] for t in own):.2f}" for place in (0, 1)]
        ends = f"{sum(t.at_end for t in own)} of {len(own)}"
        solves = f"{statistics.median(t.solves for t in own):g}"
        lines.append([method, *scores, timing.shown(pool(own)), solves, ends])
    columns = ["method", "mean AUC", "mean average precision", "seconds", "SVM solves"]
    return table([*columns, "C at an end of its grid, alone"], lines)


def pool(own):
    return timing.pooled([tried.timed for tried in own])


def growth_table(of_set):
    """Mean average precision and seconds against classes and views."""
    lines = []
    for cell, splits in of_set.cells.items():
        words = [str(cell[0]), str(cell[1])]
        for method in METHODS:
            own = [entry[method] for entry in splits]
            precision = statistics.fmean(tried.precision for tried in own)
            words.append(f"{precision:.2f} ({timing.shown(pool(own))})")
        lines.append(words)
    return table(["classes", "views", *METHODS], lines)


def similar_claims(found):
    """Told by two t tests; only where the set tells any method from ML-MKL-Sum."""
    for name, of_set in found.items():
        apart = of_set.difference(SAMPLED, SUMMED)
        others = [m for m in METHODS if m not in (SAMPLED, SUMMED)]
        rest = [of_set.difference(m, SUMMED) for m in others]
        some = any(answer is not None for answer in estimates.told_together(rest))
        holds = estimates.within(apart, SAME)
        ours = f"{name}: {apart} points"
        if not some:
            ours += "; no other method differs significantly from ML-MKL-Sum on this set"
        words = f"Its average precision equals that of ML-MKL-Sum (here: within {SAME:g} point)"
        yield Claim(words, ours, None if holds and not some else holds)
        ours = f"{name}, points: " + ", ".join(
            f"{m} {of_set.difference(SAMPLED, m)}" for m in (EACH.format("newton"), AVERAGE)
        )
        yield Claim("Its average precision minus that of the others", ours, common.NO_CLAIM)
