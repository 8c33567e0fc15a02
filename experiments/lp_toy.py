"""The toy experiment of Lp-norm MKL (Kloft et al., JMLR 2011, section 6.1): how p does where few or
many of fifty kernels matter, and what theory says of it."""

import itertools
import math
import pathlib
import tempfile

import common
import estimates
import generate
import timing
from common import Claim, sized

COLUMNS = 50
RELEVANT = [1, 4, 9, 18, 28, 50]  # of 50: 98, 92, 82, 64, 44 and 0 % of the kernels are noise
NORMS = ["1", "4/3", "2", "4", "inf"]
COSTS = [10 ** (step / 2) for step in range(-7, 5)]
CLOSE = 0.5  # points of test error
LINEAR = ["--kernel", "linear on all, each", "--scale", "none", "--normalize", "center+trace"]
LINEAR += ["--loss", "hinge"]
# With a small C the loss is nearly all of the objective: a gap of 1e-3 of it leaves weights open.
LINEAR += ["--tolerance", 1e-5]
BAYES = 0.5 * math.erfc(1.75 / math.sqrt(2))


def block_exponent(p):
    """r = 2p / (p + 1): Lp weights are the block norm r."""
    return 2.0 if p == "inf" else 2 * fraction(p) / (fraction(p) + 1)


def fraction(text):
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def complexity(relevant, p):
    """Size of the hypothesis class that holds the truth, up to a factor that no p changes.

    The bound of Cortes, Mohri and Rostamizadeh (ICML 2010) and of Kloft et al. (JMLR 2011): ||s||_r
    times the least sqrt(t*) M^(1/t*) over t >= r, t* = t / (t - 1), for a truth s with equal norms
    on the relevant kernels."""
    r = block_exponent(p)
    conjugates = [2 + step / 100 for step in range(10000)]
    allowed = [t for t in conjugates if t / (t - 1) >= r - 1e-12]
    rate = min(math.sqrt(t) * COLUMNS ** (1 / t) for t in allowed)
    return relevant ** (1 / r) * rate


def toy_cell(folder, relevant, repetition, n, held_out):
    """[(p, C, test error, model error)] of one data set, C chosen on validation samples."""
    seed = 10000 * relevant + 10 * repetition
    parts = [
        generate.sparse_gaussians(count, relevant, seed + part)
        for part, count in enumerate([n, held_out, held_out])
    ]
    name = f"{relevant}-{repetition}"
    train, test, both = (folder / f"{name}-{part}.csv" for part in ("train", "test", "both"))
    generate.write_csv(train, *parts[0])
    generate.write_csv(test, *parts[2])
    generate.write_csv(both, *(list(a) + list(b) for a, b in zip(*parts[:2], strict=True)))
    costs = best_costs(both, [n, held_out])
    return [(p, costs[p], *errors(p, costs[p], train, test, relevant)) for p in NORMS]


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


def errors(p, cost, train, test, relevant):
    """(test error, model error)"""
    model = train.with_suffix(".kmx")
    options = ["--label", "y", *LINEAR, "--regularizer", f"lp:p={p}", "-C", cost]
    result = common.train(train, *options, model=model)
    accuracy = common.metric(common.evaluate(model, test, "--label", "y"), "accuracy")
    return 1 - accuracy, model_error(result["weights"], relevant)


def model_error(weights, relevant):
    """||d / ||d|| - truth / ||truth|| ||_2, as the paper has it."""
    d = [entry["weight"] for entry in weights]
    size = math.sqrt(sum(value**2 for value in d)) or 1.0
    truth = [1 / math.sqrt(relevant) if m < relevant else 0.0 for m in range(COLUMNS)]
    return math.sqrt(sum((a / size - b) ** 2 for a, b in zip(d, truth, strict=True)))


def run(options):
    """{(relevant, p): [(C, test error, model error), ...]} over the repetitions."""
    repetitions = sized(options, 1, 80, 250)
    n, held_out = sized(options, (20, 100), (50, 1000), (50, 10000))
    relevant = sized(options, [1, 50], RELEVANT, RELEVANT)
    with tempfile.TemporaryDirectory() as folder:
        cells = list(itertools.product(relevant, range(repetitions)))
        found = common.in_parallel(
            lambda cell: toy_cell(pathlib.Path(folder), *cell, n, held_out), cells
        )
    results = {}
    for (count, _), rows in zip(cells, found, strict=True):
        for p, *values in rows:
            results.setdefault((count, p), []).append(values)
    return results, {"repetitions": repetitions, "n": n, "held_out": held_out}


def error_of(results, relevant, p, place=1):
    return estimates.estimate([entry[place] for entry in results[relevant, p]])


def best_norm(relevant, score):
    return min(NORMS, key=lambda p: score(relevant, p))


def best_of(results, relevant, norms=NORMS):
    """The p with the least mean test error."""
    return min(norms, key=lambda p: error_of(results, relevant, p).mean)


def edge_rows(results):
    """The share of choices of C at an end of the grid."""
    ends = COSTS[0], COSTS[-1]
    for relevant in sorted({key[0] for key in results}):
        found = [[entry[0] in ends for entry in results[relevant, p]] for p in NORMS]
        yield [str(relevant), *(f"{100 * sum(at) / len(at):.0f} %" for at in found)]


def table_rows(results):
    rows = []
    for relevant in sorted({key[0] for key in results}):
        errors = [error_of(results, relevant, p) for p in NORMS]
        cells = [f"{100 * e.mean:.2f} ± {100 * e.error:.2f}" for e in errors]
        best = best_of(results, relevant)
        rows.append([relevant, *cells, best, best_norm(relevant, complexity)])
    return rows


def bound_rows(results):
    """The bound of each p over the least one: it is known up to a factor."""
    rows = []
    for relevant in sorted({key[0] for key in results}):
        bounds = [complexity(relevant, p) for p in NORMS]
        rows.append([relevant, *(f"{bound / min(bounds):.2f}" for bound in bounds)])
    return rows


def difference(results, relevant, p, other):
    """Of test errors in points, of one p less another, on the same data sets."""
    return estimates.paired(*([100 * e[1] for e in results[relevant, q]] for q in (p, other)))


def claims(results):
    relevant = sorted({key[0] for key in results})
    sparse, dense = relevant[0], relevant[-1]
    words = "With one relevant kernel of fifty, p = 1 has the least error"
    yield extreme_claim(results, words, [(sparse, "1", other) for other in NORMS[1:]])
    words = "If all kernels are equally relevant, p = inf has the least error and p = 1 the largest"
    pairs = [(dense, "inf", other) for other in NORMS[:-1]]
    pairs += [(dense, other, "1") for other in NORMS[1:-1]]
    yield extreme_claim(results, words, pairs)
    middle = [k for k in relevant if k not in (sparse, dense)] or relevant
    words = "In between, some p between 1 and inf has a smaller error than both ends"
    answers = [between(results, k, len(middle)) for k in middle]
    ours = "least error with " + ", ".join(
        f"{k} relevant: p = {best_of(results, k)}" for k in middle
    )
    yield Claim(words, ours, in_scenarios(answers))
    yield bound_claim(results, relevant)


def extreme_claim(results, words, pairs):
    """Whether of all (relevant, p, other) p errs less, tested together; the nearest is told."""
    found = [difference(results, *pair) for pair in pairs]
    near = max(range(len(found)), key=lambda k: found[k].mean)
    _, p, other = pairs[near]
    errs_less = [None if told is None else not told for told in estimates.told_together(found)]
    ours = f"closest: p = {p} minus p = {other}: {found[near]} points of test error"
    return Claim(words, ours, timing.all_of(errs_less))


def between(results, relevant, scenarios):
    """Whether some p between 1 and inf errs less than both; False where one of the two errs less
    than all between. Tests are corrected for the number of p and of scenarios."""
    inner = NORMS[1:-1]
    level = estimates.LEVEL / (len(inner) * scenarios)

    def told(p, other):
        return estimates.told(difference(results, relevant, p, other), level)

    if any(told(p, "1") is told(p, "inf") is False for p in inner):
        return True
    return False if any(all(told(end, p) is False for p in inner) for end in ("1", "inf")) else None


def in_scenarios(answers):
    """The verdict from one answer for each scenario."""
    if all(answers) or not any(answers):
        return True if all(answers) else False if None not in answers else None
    return f"holds in {answers.count(True)} of {len(answers)} scenarios"


def bound_claim(results, relevant):
    """Whether the p of the smallest bound errs at most CLOSE more than the best."""
    answers, far = [], []
    for count in relevant:
        p, best = best_norm(count, complexity), best_of(results, count)
        found = difference(results, count, p, best)
        above = found._replace(mean=found.mean - CLOSE)
        answers.append(True if p == best else {True: False, False: True}.get(estimates.told(above)))
        far.append((found.mean, f"p = {p} minus p = {best} with {count} relevant: {found} points"))
    words = (
        "The error of the p with the smallest theoretical bound is at most "
        f"{CLOSE} points above the least"
    )
    return Claim(words, f"largest: {max(far)[1]}", in_scenarios(answers))


def figure(results):
    relevant = sorted({key[0] for key in results})

    def draw(pyplot):
        _, panels = pyplot.subplots(1, 3, figsize=(12, 3.8))
        titles = ["test error", "model error", "bound over its least value"]
        for axes, title in zip(panels, titles, strict=True):
            axes.set_title(title)
            axes.set_xlabel("kernels that are noise, %")
            axes.grid(alpha=0.3)
        noise = [100 * (1 - k / COLUMNS) for k in relevant]
        for p in NORMS:
            for place, axes in [(1, panels[0]), (2, panels[1])]:
                found = [error_of(results, k, p, place)[:2] for k in relevant]
                axes.errorbar(noise, *zip(*found, strict=True), marker="o", label=f"p = {p}")
            least = [min(complexity(k, q) for q in NORMS) for k in relevant]
            bounds = [complexity(k, p) / x for k, x in zip(relevant, least, strict=True)]
            panels[2].plot(noise, bounds, "o-", label=f"p = {p}")
        panels[0].axhline(BAYES, color="grey", ls="--", label="Bayes")
        panels[2].legend(*panels[0].get_legend_handles_labels(), loc="upper right", fontsize=8)

    return draw
