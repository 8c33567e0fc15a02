"""The toy experiment of the lecture on Lp-norm MKL (sizes as in Kloft et al., JMLR 2011, section
6.1): how p does where few or many of fifty kernels matter."""

import itertools
import math
import pathlib
import tempfile

import common
import estimates
import generate
from common import Claim, sized

COLUMNS = 50
RELEVANT = [1, 4, 9, 18, 28, 50]  # of 50: 98, 92, 82, 64, 44 and 0 % of the kernels are noise
NORMS = ["1", "4/3", "2", "4", "inf"]
COSTS = [10 ** (step / 2) for step in range(-7, 5)]
CLOSE = 1.0  # points of test error: "low"
LINEAR = ["--kernel", "linear on all, each", "--scale", "none", "--normalize", "center+trace"]
LINEAR += ["--loss", "hinge"]
# With a small C the loss is nearly all of the objective: a gap of 1e-3 of it leaves weights open.
LINEAR += ["--tolerance", 1e-5]
BAYES = 0.5 * math.erfc(1.75 / math.sqrt(2))


def fraction(text):
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def toy_cell(relevant, repetition, n, held_out):
    """[(p, C, test error)] of one data set, C chosen on validation samples."""
    seed = 10000 * relevant + 10 * repetition
    parts = [
        generate.sparse_gaussians(count, relevant, seed + part) for part, count in enumerate([n, held_out, held_out])
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        train, test, both = (folder / f"{part}.csv" for part in ("train", "test", "both"))
        generate.write_csv(train, *parts[0])
        generate.write_csv(test, *parts[2])
        generate.write_csv(both, *(list(a) + list(b) for a, b in zip(*parts[:2], strict=True)))
        costs = best_costs(both, [n, held_out])
        return [(p, costs[p], error(p, costs[p], train, test)) for p in NORMS]


def best_costs(both, sizes):
    """{p: the C with the best accuracy on the samples after the first, of equals the middle one} by
    one `kernmix tune` on the one split into training and validation samples."""
    split = both.with_suffix(".split")
    split.write_text("1" * sizes[0] + "0" * sizes[1] + "\n")
    grid = ["--regularizer", "lp", "--grid", "p=" + ",".join(NORMS)]
    grid += ["--grid", "C=" + ",".join(f"{cost:.10g}" for cost in COSTS)]
    asked = ["--label", "y", *LINEAR, *grid, "--split-file", split, "--all-cells"]
    tuned = common.run("tune", both, *asked, "-o", both.with_suffix(".kmx"))
    scores = [entry["mean"] for entry in tuned["candidates"]]  # C runs fastest
    count = len(COSTS)
    grids = [scores[k * count : (k + 1) * count] for k in range(len(NORMS))]
    return {p: COSTS[common.best_place(g)] for p, g in zip(NORMS, grids, strict=True)}


def error(p, cost, train, test):
    model = train.with_suffix(".kmx")
    options = ["--label", "y", *LINEAR, "--regularizer", f"lp:p={p}", "-C", cost]
    common.train(train, *options, model=model)
    return 1 - common.metric(common.evaluate(model, test, "--label", "y"), "accuracy")


def plan(options):
    """(repetitions, training samples, validation and test samples, numbers of relevant columns)"""
    return sized(options, (2, 20, 100, [1, 50]), (25, 50, 1000, RELEVANT), (250, 50, 5000, RELEVANT))


def run(options, journal):
    """{(relevant, p): [(C, test error) of each repetition]}"""
    repetitions, n, held_out, relevant = plan(options)
    cells = list(itertools.product(relevant, range(repetitions)))

    def one(cell):
        key = ["toy", held_out, *cell]
        return journal.cell(key, lambda: toy_cell(*cell, n, held_out))

    results = {}
    for (count, _), rows in zip(cells, common.in_parallel(one, cells), strict=True):
        for p, *values in rows:
            results.setdefault((count, p), []).append(values)
    return results


def error_of(results, relevant, p):
    return estimates.estimate([100 * entry[1] for entry in results[relevant, p]])


def scenarios(results):
    return sorted({key[0] for key in results})


def difference(results, relevant, p, other):
    """Of test errors in points, of one p less another, on the same data sets."""
    return estimates.paired(*([100 * e[1] for e in results[relevant, q]] for q in (p, other)))


def best_of(results, relevant):
    """The p with the least mean test error."""
    return min(NORMS, key=lambda p: error_of(results, relevant, p).mean)


def claims(results):
    yield beats_claim(results)
    yield low_claim(results)


def beats_claim(results):
    """Almost all: all scenarios but one, told together by Holm's procedure; it does not hold where
    two scenarios are told the other way."""
    found = [difference(results, k, "1", "2") for k in scenarios(results)]
    told = estimates.told_together(found)
    words = [f"{k} relevant {own}" for k, own in zip(scenarios(results), found, strict=True)]
    ours = "error of l1 less that of l2, points: " + ", ".join(words)
    holds = True if told.count(True) >= len(told) - 1 else False if told.count(False) > 1 else None
    why = f"significant in {told.count(True)} of {len(told)} scenarios, the other way in {told.count(False)}"
    words = "l2-MKL beats l1-MKL in almost all scenarios (here: all but one)"
    return Claim(words, "figure, no numbers", ours, holds, why)


def low_claim(results):
    """Most levels: more than half of the scenarios, each by a t test against CLOSE."""
    answers, words = [], []
    for relevant in scenarios(results):
        best = best_of(results, relevant)
        own = difference(results, relevant, "2", best)
        answers.append(True if best == "2" else near(own))
        words.append(f"{relevant} relevant {own} over p = {best}")
    half = len(answers) / 2
    holds = True if answers.count(True) > half else False if answers.count(False) >= half else None
    ours = "error of l2 less the least, points: " + ", ".join(words)
    why = f"not significant in {answers.count(None)} scenarios"
    text = f"l2-MKL has a low error for most levels of redundancy (here: at most {CLOSE:g} point above the least)"
    return Claim(text, "figure, no numbers", ours, holds, why)


def near(own):
    """Whether an error is less than CLOSE above the least; None where a t test cannot tell."""
    return estimates.told(own._replace(mean=CLOSE - own.mean))


def table_rows(results):
    for relevant in scenarios(results):
        errors = [error_of(results, relevant, p).unsigned() for p in NORMS]
        yield [str(relevant), *errors, best_of(results, relevant)]


def edge_rows(results):
    """The share of choices of C at an end of the grid."""
    ends = COSTS[0], COSTS[-1]
    for relevant in scenarios(results):
        found = [[entry[0] in ends for entry in results[relevant, p]] for p in NORMS]
        yield [str(relevant), *(f"{100 * sum(at) / len(at):.0f} %" for at in found)]


def draw(axes, results):
    noise = [100 * (1 - k / COLUMNS) for k in scenarios(results)]
    for p in NORMS:
        found = [error_of(results, k, p)[:2] for k in scenarios(results)]
        axes.errorbar(noise, *zip(*found, strict=True), marker="o", label=f"p = {p}")
    axes.axhline(100 * BAYES, color="grey", ls="--", label="Bayes")
    axes.set(title="toy: test error, %", xlabel="columns that are noise, %")
    axes.legend(fontsize=8)
