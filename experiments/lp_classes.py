"""Lp-norm MKL on sets of several views and ten classes: one p for all classes, and one for each."""

import bisect
import csv
import itertools
import statistics
from typing import NamedTuple

import common
import estimates
import lp_toy
import view_sets
from common import Claim, sized, table

NORMS = ["1", "1.1", "4/3", "2", "4", "inf"]
FORMS = ["sum", "separate"]  # weights for all classes, and for each
STEPS = [0.1, 1, 10, 100]  # C times the largest sum of weights
TEN_WIDTHS = "rbf(width=near*{0.25; 0.35; 0.5; 0.7; 1; 1.4; 2; 2.8; 4; 5.6}) on *"
COLUMNS = ["data", "split", "weights", "p", "C", "validation AUC", "test AUC"]
COLUMNS += ["test error"]
ONE, EACH = "one p chosen", "a p for each class"


class Plan(NamedTuple):
    """A set: what it is, its kernels and how many, and (splits, (training, validation, test samples
    of a class)) for each size of the experiment."""

    words: str
    kernels: list[str]
    count: int
    sizes: list


PLANS = {
    "digits": Plan(
        "multi-feature digits, six views with five Gaussians each",
        view_sets.KERNELS,
        30,
        [(1, (5, 5, 20)), (6, (10, 90, 100)), (10, (60, 60, 80))],
    ),
    "mnist": Plan(
        "1000 images of MNIST that scikit-image describes in ten ways, with ten Gaussians each",
        ["--kernel", TEN_WIDTHS],
        100,
        [(1, (3, 3, 4)), (8, (20, 40, 40)), (50, (40, 30, 30))],
    ),
}


class Scores(NamedTuple):
    """Of samples of a file: their classes, and the decision values of each class."""

    classes: list[str]
    decisions: dict[str, list[float]]

    def areas(self):
        """{class: its AUC}"""
        return {name: self.area(name) for name in self.decisions}

    def area(self, name):
        pairs = list(zip(self.decisions[name], self.classes, strict=True))
        others = sorted(value for value, own in pairs if own != name)
        own = [value for value, own in pairs if own == name]
        below = sum(bisect.bisect_left(others, v) + bisect.bisect_right(others, v) for v in own)
        return below / (2 * len(own) * len(others))

    def mean_area(self):
        return statistics.fmean(self.areas().values())

    def error(self):
        """The share of samples for which another class has the largest value."""
        names = list(self.decisions)
        rows = zip(*self.decisions.values(), strict=True)
        said = [names[row.index(max(row))] for row in rows]
        return statistics.fmean(a != b for a, b in zip(said, self.classes, strict=True))


class Tried(NamedTuple):
    """The training with the C that was chosen, STEPS[place] over the largest sum of weights."""

    cost: float
    place: int
    valid: Scores
    test: Scores


def read_column(file, name):
    with open(file, newline="") as lines:
        return [row[name] for row in csv.DictReader(lines)]


def scored(model, file, label):
    found = file.with_suffix(".scores")
    common.run("predict", model, file, "--label", label, "-o", found)
    with open(found, newline="") as lines:
        rows = list(csv.DictReader(lines))
    names = [name for name in rows[0] if name.startswith("decision ")]
    values = {name.partition(" ")[2]: [float(row[name]) for row in rows] for name in names}
    return Scores(read_column(file, label), values)


def protocol(options):
    for name, plan in PLANS.items():
        splits, counts = sized(options, *plan.sizes)
        sizes = "{} training, {} validation and {} test samples a class".format(*counts)
        yield f"- **{name}**: {plan.words}, M = {plan.count}; {splits} random splits with {sizes}."


def run(options):
    """({set: [{(form, p): Tried} of each split]}, {set: test samples over samples to learn from})
    for the sets that are here."""
    loaded = {name: view_sets.load(options, name) for name in PLANS}
    found, ratios = {}, {}
    for name, data in loaded.items():
        if data:
            found[name] = of_set(options, name, data)
            ratios[name] = data.ratio(sized(options, *PLANS[name].sizes)[1])
    return found, ratios


def of_set(options, name, data):
    number, counts = sized(options, *PLANS[name].sizes)
    norms, steps = sized(options, (["1", "2"], [10]), (NORMS, STEPS), (NORMS, STEPS))

    def one(parts):
        return one_split(data, PLANS[name], parts, norms, steps)

    with data.splits(counts, number) as splits:
        return common.in_parallel(one, splits)


def scale(p, count):
    """M^(1 - 1/p), the largest sum of weights whose norm is 1: C over it is as strong for any p."""
    return count ** (1 - (0 if p == "inf" else 1 / lp_toy.fraction(p)))


def one_split(data, plan, parts, norms, steps):
    """{(form, p): Tried}, C chosen by the mean AUC of validation samples, of equals the middle."""

    def read(model, file):
        return scored(model, file, data.label)

    found = {}
    for form, p in itertools.product(FORMS, norms):
        costs = [step / scale(p, plan.count) for step in steps]
        asked = [*data.asked, *plan.kernels, "--regularizer", f"lp:p={p}", "--sharing", form]
        grid = [[*asked, "-C", f"{cost:.6g}"] for cost in costs]
        tried = common.try_each(parts, data.label, grid, read)
        place = common.best_place([valid.mean_area() for _, valid, _ in tried])
        found[form, p] = Tried(costs[place], place, *tried[place][1:])
    return found


def choices(split, form):
    """{p: Scores of tests}, and those of ONE p and of EACH, chosen by the AUC of all classes or of
    one on validation samples; of equals the first."""
    norms = [p for kind, p in split if kind == form]
    valid = {p: split[form, p].valid for p in norms}
    test = {p: split[form, p].test for p in norms}
    areas = {p: scores.areas() for p, scores in valid.items()}
    jointly = max(norms, key=lambda p: statistics.fmean(areas[p].values()))
    own = {name: max(norms, key=lambda p, k=name: areas[p][k]) for name in areas[jointly]}
    mixed = {name: test[p].decisions[name] for name, p in own.items()}
    return {**test, ONE: test[jointly], EACH: Scores(test[jointly].classes, mixed)}


MEASURES = {"error": Scores.error, "AUC": Scores.mean_area}


def measured(splits, form, measure):
    """{p, ONE or EACH: [per cent of each split]}"""
    found = [choices(split, form) for split in splits]
    return {key: [100 * MEASURES[measure](split[key]) for split in found] for key in found[0]}


def result_table(splits):
    rows, columns = [], []
    for measure, form in itertools.product(MEASURES, FORMS):
        values = measured(splits, form, measure)
        columns = [key if key in (ONE, EACH) else f"p = {key}" for key in values]
        rows.append(
            [measure, f"`{form}`", *(f"{statistics.fmean(v):.2f}" for v in values.values())]
        )
    return table(["per cent", "weights", *columns], rows)


WORDS = {
    "1": "On many kernels of several views a selected p is better than sparse MKL, p = 1",
    "inf": "On many kernels of several views a selected p is better than equal weights, p = inf",
}


def claims(found, ratios):
    """Verdicts on AUC, which the choices are made by; all sets and forms are tested together."""
    compared = [
        (name, form, p)
        for name, splits in found.items()
        for form, p in itertools.product(FORMS, WORDS)
        if (form, p) in splits[0]
    ]
    gains = [
        difference(found[name], form, ONE, p, "AUC", ratios[name]) for name, form, p in compared
    ]
    together = estimates.told_together(gains)
    for (name, form, p), gain, holds in zip(compared, gains, together, strict=True):
        error = difference(found[name], form, ONE, p, "error", ratios[name])
        ours = f"{name}, `{form}`: {gain} points of AUC ({error} of test error)"
        yield Claim(WORDS[p], ours, holds)
    for name, splits in found.items():
        words = "A p for each class instead of one p for all (not in the paper)"
        known = splits, "separate", EACH, ONE
        gain, error = (difference(*known, measure, ratios[name]) for measure in ("AUC", "error"))
        ours = f"{name}, `separate`: {gain} points of AUC ({error} of test error)"
        yield Claim(words, ours, common.NO_CLAIM)


def difference(splits, form, one, other, measure, ratio):
    """Of one choice of p less another, in points."""
    values = measured(splits, form, measure)
    return estimates.paired(values[one], values[other], ratio)


def edges_table(found):
    """The share of choices of C at an end of the grid."""
    rows, ends = [], (0, len(STEPS) - 1)
    norms = list(dict.fromkeys(p for splits in found.values() for _, p in splits[0]))
    for (name, splits), form in itertools.product(found.items(), FORMS):
        places = [[split[form, p].place in ends for split in splits] for p in norms]
        rows.append([name, f"`{form}`", *(f"{100 * statistics.fmean(at):.0f} %" for at in places)])
    return table(["data", "weights", *(f"p = {p}" for p in norms)], rows)


def rows(found):
    """Rows of COLUMNS."""
    return [
        (name, k, form, p, tried.cost, tried.valid.mean_area())
        + (tried.test.mean_area(), tried.test.error())
        for name, splits in found.items()
        for k, split in enumerate(splits)
        for (form, p), tried in split.items()
    ]


def figure(found):
    def draw(pyplot):
        _, panels = pyplot.subplots(1, len(found), figsize=(5 * len(found), 3.8), squeeze=False)
        for axes, (name, splits) in zip(panels[0], found.items(), strict=True):
            for form in FORMS:
                values = measured(splits, form, "error")
                norms = [key for key in values if key not in (ONE, EACH)]
                means = [estimates.estimate(values[p])[:2] for p in norms]
                axes.errorbar(norms, *zip(*means, strict=True), marker="o", label=form)
            axes.set(title=f"{name}: test error, %", xlabel="p")
            axes.grid(alpha=0.3)
            axes.legend(title="weights")

    return draw
