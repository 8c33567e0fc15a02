"""Part of experiments/multi-label: precision and time of shared and separate weights on sets with
classes or labels, and ML-MKL-SA with the paper's numbers."""

import contextlib
import itertools
import pathlib
import statistics
import tempfile
from typing import NamedTuple

import common
import estimates
import generate
import image_sets
import printed
import timing
from common import Claim, number, sized, table
from image_sets import numpy

SAMPLED, STOPPED = "ML-MKL-SA", "ML-MKL-SA, its own stop"
PLANES, SUBGRADIENTS, SUMMED = "ML-MKL-Sum, planes", "ML-MKL-Sum, subgradients", "ML-MKL-Sum"
SIMPLE, VSKL, AVERAGE = "SimpleMKL", "VSKL", "AVG"
SOLVER = "stochastic-approximation"
MIXED = ["--sharing", "separate", "--regularizer", "mixed-norm:q=inf"]
PROBLEMS = {  # of several methods each, with the solver that chooses C
    "minimax": ["--sharing", "minimax", "--solver", "lazy-bundle"],
    "sum": ["--sharing", "sum", "--solver", "newton"],
    "separate": ["--sharing", "separate", "--solver", "newton"],
    "mixed": [*MIXED, "--solver", "saddle-newton"],
    "average": ["--regularizer", "average"],
}
METHODS = {  # name: (problem, options)
    SAMPLED: ("minimax", ["--sharing", "minimax", "--solver", SOLVER]),
    STOPPED: ("minimax", ["--sharing", "minimax", "--solver", f"{SOLVER}:delta=0.2,change=0.01"]),
    PLANES: ("sum", ["--sharing", "sum", "--solver", "silp"]),
    SUBGRADIENTS: ("sum", ["--sharing", "sum", "--solver", "mirror-descent"]),
    SIMPLE: ("separate", ["--sharing", "separate", "--solver", "simple"]),
    VSKL: ("mixed", [*MIXED, "--solver", "mixed-norm-sound"]),
    AVERAGE: ("average", ["--regularizer", "average"]),
}
DELTAS = {f"delta = {d}": f"{SOLVER}:delta={d},eta=0.01" for d in (0, 0.2, 0.6, 1)}
ETAS = {f"eta = {e}": f"{SOLVER}:delta=0,eta={e}" for e in (0.01, 0.001, 0.0001)}
STEPS = [1, 10, 100, 1000]  # C times the sum of even weights
GAP = 0.05  # relative
SAME = 1.0  # points of precision that count as similar
TRACED = "flower17"  # the set of the figures over time and over delta and eta


class Plan(NamedTuple):
    """A set: what it is, samples a class (0: labels), exponents of widths, rule of scaling, and
    (splits, samples of a class, or of all with labels, for training, validation and tests)."""

    words: str
    per_class: int
    powers: str
    scale: str
    sizes: list


PLANS = {
    "flower17": Plan(
        "17 kinds of flowers (the default run: the first eight), seven descriptors of our own with two Gaussians each",
        80,
        "0.71; 1.41",
        "sqrt",
        [(2, (4, 2, 4)), (4, (10, 8, 40)), (10, (30, 20, 30))],
    ),
    "protein-fold": Plan(
        "proteins of the eight folds with 21 members or more, twelve descriptors with one Gaussian each",
        21,
        "1",
        "standard",
        [(2, (4, 2, 4)), (4, (8, 6, 7)), (10, (8, 6, 7))],
    ),
    "emotions": Plan(
        "songs with six labels, two sets of columns with five Gaussians each",
        0,
        "0.25; 0.5; 1; 2; 4",
        "standard",
        [(2, (40, 20, 40)), (4, (150, 100, 343)), (10, (300, 93, 200))],
    ),
}


def limit(options):
    return sized(options, 2, 30, 600)


def iterations(options):
    """Of the runs with the paper's delta and eta, which have no stop."""
    return sized(options, 50, 1000, 5000)


def run(options, journal):
    """{set: [{method: what a split tells} of each split]} of the sets that are here; the TRACED one
    with DELTAS and ETAS among the methods."""
    found = {}
    for name, plan in PLANS.items():
        if not image_sets.available(options, journal, name, "numpy"):
            continue
        count, counts = sized(options, *plan.sizes)

        def choose(cell, name=name, counts=counts):
            k, problem = cell
            key = ["choose", name, list(counts), image_sets.classes_of(options), k, problem]
            return journal.cell(key, lambda: chosen_place(options, name, k, problem))

        cells = list(itertools.product(range(count), PROBLEMS))
        places = dict(zip(cells, common.in_parallel(choose, cells), strict=True))

        def final(cell, name=name, counts=counts, places=places):
            k, method = cell
            place = places[k, asked_of(method)[0]]
            key = ["final", name, list(counts), image_sets.classes_of(options), k, method]
            return journal.cell(key, lambda: final_model(options, name, k, method, place))

        methods = [*METHODS, *([*DELTAS, *ETAS] if name == TRACED else [])]
        cells = list(itertools.product(range(count), methods))
        found[name] = [{} for _ in range(count)]
        for (k, method), entry in zip(cells, common.in_parallel(final, cells), strict=True):
            found[name][k][method] = entry
    return found


def asked_of(method):
    """(problem, options of the method)"""
    if method in METHODS:
        return METHODS[method]
    return "minimax", ["--sharing", "minimax", "--solver", {**DELTAS, **ETAS}[method]]


@contextlib.contextmanager
def parts(options, name, seed):
    """(options of training, files for training, validation and tests) of a split."""
    plan, images = PLANS[name], image_sets.load(tuple(options.data), name)
    _, counts = sized(options, *plan.sizes)
    if plan.per_class:
        images = image_sets.balanced(images, plan.per_class)
        images = image_sets.first_classes(images, image_sets.classes_of(options))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for part, rows in enumerate(rows_of(images.labels, counts, seed)):
            own = images.kept(rows)
            labels = own.labels.tolist()
            columns = numpy.hstack(own.views).tolist()
            files.append(generate.write_csv(pathlib.Path(folder) / f"{part}.csv", columns, labels))
        asked = ["--label", "y"] if plan.per_class else ["--labels", "y*"]
        yield [*asked, *view_options(images.views), *kernel_options(plan)], asked, files


def rows_of(labels, counts, seed):
    """Rows for training, validation and tests: so many of each class, or of all with labels."""
    if labels.ndim == 1:
        return image_sets.split(labels, counts, seed)
    drawn = numpy.random.default_rng(seed).permutation(len(labels))
    ends = numpy.cumsum([0, *counts])
    return [numpy.sort(drawn[a:b]) for a, b in itertools.pairwise(ends)]


def view_options(views):
    words, first = [], 1
    for place, view in enumerate(views):
        words += ["--view", f"v{place}=x{first}..x{first + view.shape[1] - 1}"]
        first += view.shape[1]
    return words


def kernel_options(plan):
    kernel = f"rbf(width=median*{{{plan.powers}}}) on v*"
    return ["--kernel", kernel, "--scale", plan.scale, "--normalize", "trace"]


def costs_of(problem, views):
    """C of each step over the sum of even weights: n^2 of mixed norms over n groups."""
    return [step / (views**2 if problem == "mixed" else 1) for step in STEPS]


def groups_of(asked):
    return asked.count("--view")


def chosen_place(options, name, seed, problem):
    """The place of C with the best precision on validation samples, of equals the middle one."""
    with parts(options, name, seed) as (asked, label, files):
        costs = costs_of(problem, groups_of(asked))
        settings = [[*asked[2:], *PROBLEMS[problem], "-C", c, *to_gap()] for c in costs]
        scores = []
        for words in settings:
            model = files[0].with_suffix(".kmx")
            common.train(files[0], *label, *words, model=model, most=limit(options))
            scores.append(precision(common.evaluate(model, files[1], *label)))
        return common.best_place(scores)


def final_model(options, name, seed, method, place):
    """Precision on test samples, and times; of the TRACED set the precision at moments of training."""
    problem, solver = asked_of(method)
    own_stop = method not in METHODS
    with parts(options, name, seed) as (asked, label, files):
        words = [*asked, *solver, "-C", costs_of(problem, groups_of(asked))[place]]
        words += ["--tolerance", 1e-6, "--max-iterations", iterations(options)] if own_stop else to_gap()
        if name == TRACED and method in (SAMPLED, SUBGRADIENTS):
            words += ["--trace", files[2]]
        model = files[0].with_suffix(".kmx")
        result = common.train(files[0], *words, model=model, most=limit(options))
        scores = precision(common.evaluate(model, files[2], *label))
    trace = [100 * common.metric(at, "mean_average_precision") for at in result.get("trace") or []]
    timed = list(timing.of(result, limit(options)))
    return {"precision": 100 * scores, "place": place, "timed": timed, "solves": result["svm_solves"], "trace": trace}


def to_gap():
    """Sampled steps need many iterations."""
    return ["--tolerance", GAP, "--max-iterations", 1000000]


def precision(evaluation):
    """The area under the precision-recall curve, the mean of the classes: the score of the paper."""
    return common.metric(evaluation, "auc_pr")


def ratio(options, name):
    _, (train, valid, test) = sized(options, *PLANS[name].sizes)
    return test / (train + valid)


def difference(options, name, splits, method, other):
    values = [[split[m]["precision"] for split in splits] for m in (method, other)]
    return estimates.paired(*values, ratio(options, name))


def as_timed(splits, method):
    """The splits together. The paper's stop ends before the gap, as it should."""
    found = timing.pooled([timing.Timed(*split[method]["timed"]) for split in splits])
    return found._replace(status=timing.CONVERGED) if method == STOPPED else found


def printed_precision(method):
    metric = "area under precision-recall curve, mean of classes"
    found = printed.numbers("multi-label", metric)
    return ", ".join(f"{data} {100 * entry.mean:.0f} %" for (data, m), entry in found.items() if m == method)


def printed_ratio(method):
    """Time over that of ML-MKL-SA in table 1."""
    found = printed.numbers("multi-label", "training seconds")
    sets = dict.fromkeys(data for data, m in found if m == method)
    return ", ".join(f"{d} {found[d, method].mean / found[d, SAMPLED].mean:.3g}" for d in sets)


WITHIN = "t tests do not tell every difference from 0"


def claims(options, found):
    yield from precision_claims(options, found)
    yield from time_claims(found)
    why = "the trace has the best weights so far, and none of separate solvers"
    yield Claim(PATTERN, "figure 1, in words", "-", None, why)
    splits = found.get(TRACED)
    if splits is None:
        for words, paper in FIGURES.items():
            yield Claim(words, paper, "-", None, f"the set {TRACED} is not in this run")
    else:
        yield from figure_claims(options, splits)


BEST = "ML-MKL-SA has the best precision of all methods"
WORSE = "The average kernel is significantly worse than ML-MKL-SA"
SIMILAR = f"(Abstract) its precision is similar to that of ML-MKL-Sum (here: {SAME:g} point)"


def precision_claims(options, found):
    others = [m for m in METHODS if m not in (SAMPLED, STOPPED)]
    best = f"{SAMPLED}: {printed_precision(SAMPLED)}; GMKL is as good on VOC2006, Sum on Caltech-101"
    average, summed = (f"{m}: {printed_precision(m)}" for m in (AVERAGE, SUMMED))
    for words, paper in ((BEST, best), (WORSE, average), (SIMILAR, summed)) if not found else ():
        yield Claim(words, paper, "-", None, ABSENT)
    for name, splits in found.items():
        gains = [difference(options, name, splits, SAMPLED, m) for m in others]
        shown = ", ".join(f"{m} {own}" for m, own in zip(others, gains, strict=True))
        holds = timing.all_of(estimates.told_together(gains))
        yield Claim(BEST, best, f"{name}, points over {shown}", holds, WITHIN)
    for name, splits in found.items():
        own = difference(options, name, splits, SAMPLED, AVERAGE)
        yield Claim(WORSE, average, f"{name}: {own} points", estimates.told(own), WITHIN)
    for name, splits in found.items():
        own = difference(options, name, splits, SAMPLED, PLANES)
        why = "its error reaches the margin"
        yield Claim(SIMILAR, summed, f"{name}: {own} points", estimates.within(own, SAME), why)


def time_claims(found):
    """To our gap, and with the paper's stop."""
    each = (
        "{} takes far less time than GMKL (left out here), SimpleMKL and VSKL for each class "
        "(here: at least 1.2 times less)"
    )
    whole = "{} takes less time than ML-MKL-Sum"
    shown = (f"{m} {printed_ratio(m)}" for m in ("GMKL", SIMPLE, VSKL))
    printed_each = f"time over that of SA: {'; '.join(shown)}"
    printed_sum = f"time over that of SA: {SUMMED} {printed_ratio(SUMMED)}"
    printed_both = f"{printed_each}; {SUMMED} {printed_ratio(SUMMED)}"
    rows = (each, SAMPLED, printed_each), (each, SUMMED, printed_both), (whole, SAMPLED, printed_sum)
    for words, own, paper in rows if not found else ():
        yield Claim(words.format(own), paper, "-", None, ABSENT)
    for (name, splits), own in itertools.product(found.items(), (SAMPLED, STOPPED)):
        ours, told = against(name, splits, own, (SIMPLE, VSKL))
        yield Claim(each.format(own), printed_each, ours, told, OPEN)
    for name, splits in found.items():
        ours, told = against(name, splits, PLANES, (SIMPLE, VSKL))
        yield Claim(each.format(SUMMED), printed_both, ours, told, OPEN)
    for (name, splits), own in itertools.product(found.items(), (SAMPLED, STOPPED)):
        ours, told = against(name, splits, own, (PLANES,))
        yield Claim(whole.format(own), printed_sum, ours, told, OPEN)


def against(name, splits, method, others):
    """(words, whether a method is faster than each of the others)"""
    own = as_timed(splits, method)
    cells = [f"{m} {timing.shown(as_timed(splits, m))}" for m in others]
    gap = f" (gap {number(median_gap(splits, method), 2)})" if method == STOPPED else ""
    told = [timing.faster(own, as_timed(splits, m)) for m in others]
    return f"{name}, seconds: {timing.shown(own)}{gap}; {', '.join(cells)}", timing.all_of(told)


def median_gap(splits, method):
    return statistics.median(timing.Timed(*split[method]["timed"]).gap for split in splits)


ABSENT = "no set with classes or labels is in this run"
OPEN = "times overlap, or a run did not end"
PATTERN = (
    "The weights of ML-MKL-SA have the pattern of those of GMKL and VSKL, ten times faster; "
    "those of Sum vary much early"
)
VARIES = "The accuracy of ML-MKL-Sum varies much over time, that of ML-MKL-SA does not"
DELTA = f"The final accuracy depends little on delta (here: {SAME:g} point)"
WORST = "It is the worst at delta = 0 and 1"
ETA = f"The final accuracy is similar for the small eta, 0.001 and 0.0001 (here: {SAME:g} point)"
FIGURES = {
    VARIES: "figure 2",
    DELTA: "figure 3: eta = 0.01, four values (0.2 and 0.6 are ours)",
    WORST: "figure 3",
    ETA: "figure 4: delta = 0; 0.01 is not in the text",
}


def figure_claims(options, splits):
    """Sum by subgradients; changes of the precision of the best weights so far between moments."""
    steps = {m: [roughness(split[m]["trace"]) for split in splits] for m in (SUBGRADIENTS, SAMPLED)}
    more = estimates.paired(*steps.values(), ratio(options, TRACED))
    means = ", ".join(f"{m} {statistics.fmean(own):.2f}" for m, own in steps.items())
    ours = f"{TRACED}: mean change of precision between moments, points: {means}; difference {more}"
    why = "the trace has the best weights so far, which hide swings"
    yield Claim(VARIES, FIGURES[VARIES], ours, None, why)
    scores = {m: [split[m]["precision"] for split in splits] for m in [*DELTAS, *ETAS]}
    shown = ", ".join(f"{m} {statistics.fmean(scores[m]):.2f}" for m in DELTAS)
    first, *inner, last = DELTAS
    spread = [apart(options, scores, inner[0], m) for m in DELTAS if m != inner[0]]
    holds = timing.all_of([estimates.within(own, SAME) for own in spread])
    ours = f"{TRACED}, %: {shown}; 0.2 less the others: {', '.join(map(str, spread))} points"
    why = "an error reaches the margin"
    yield Claim(DELTA, FIGURES[DELTA], ours, holds, why)
    less = [apart(options, scores, one, end) for one in inner for end in (first, last)]
    words = ", ".join(str(own) for own in less)
    holds = timing.all_of(estimates.told_together(less))
    ours = f"{TRACED}: delta = 0.2 and 0.6 over 0 and 1, points: {words}"
    yield Claim(WORST, FIGURES[WORST], ours, holds, WITHIN)
    _, small, least = ETAS
    own = apart(options, scores, small, least)
    shown = ", ".join(f"{m} {statistics.fmean(scores[m]):.2f}" for m in ETAS)
    ours = f"{TRACED}, %: {shown}; 0.001 less 0.0001: {own} points"
    yield Claim(ETA, FIGURES[ETA], ours, estimates.within(own, SAME), why)


def apart(options, scores, one, other):
    return estimates.paired(scores[one], scores[other], ratio(options, TRACED))


def roughness(trace):
    """The mean absolute change between neighbouring moments, without the first, before any training."""
    steps = [abs(b - a) for a, b in itertools.pairwise(trace[1:])]
    return statistics.fmean(steps) if steps else 0.0


def result_table(options, found):
    lines = []
    for name, splits in found.items():
        base = as_timed(splits, SAMPLED)
        for method in splits[0]:
            values = [split[method]["precision"] for split in splits]
            own = estimates.estimate(values, ratio(options, name)).unsigned()
            timed = as_timed(splits, method)
            over = number(timed.seconds / base.seconds, 2)
            solves = f"{statistics.median(split[method]['solves'] for split in splits):g}"
            ends = sum(split[method]["place"] in (0, len(STEPS) - 1) for split in splits)
            shown = timing.shown(timed) if method in METHODS else number(timed.seconds)
            gap = number(median_gap(splits, method), 2)
            lines.append([name, method, own, shown, over, gap, solves, f"{ends} of {len(splits)}"])
    columns = ["set", "method", "area under precision-recall curve, %", "seconds", "over ML-MKL-SA"]
    return table([*columns, "median gap", "SVM solves", "C at an end"], lines)


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
        lines.append([data, method, f"{100 * entry.mean:.0f}", shown, over])
    columns = ["set", "method", "area under precision-recall curve, %", "seconds"]
    return table([*columns, "over ML-MKL-SA"], lines)


def rows(found):
    for name, splits in found.items():
        for k, split in enumerate(splits):
            for method, own in split.items():
                cells = [own["precision"], own["solves"], *own["timed"]]
                yield name, k, method, STEPS[own["place"]], *cells


COLUMNS = ["data", "split", "method", "C times scale", "precision %", "SVM solves", *timing.TIMED]
