"""Parts of experiments/soft-margin that need `kernmix train` alone: noisy base kernels, the path of
theta, and training time."""

import itertools
import pathlib
import statistics
import tempfile
from typing import NamedTuple

import common
import estimates
import generate
import timing
from common import Claim, sized, table
from timing import Timed

PROTOCOL = [  # of SimpleMKL, which the paper follows
    "rbf(width=2^-3..2^6) on all",
    "rbf(width=2^-3..2^6) on all, each",
    "poly(degree=1..3, coef0=1) on all",
    "poly(degree=1..3, coef0=1) on all, each",
]
COSTS = [0.01, 0.1, 1, 10, 100]
CLOSE = 0.5  # points of accuracy: not worse
KERNELS = 40  # of the experiment with noise
FAMILIES = {  # method: regularizers with M kernels to choose from
    "average": lambda count: ["average"],
    "L1": lambda count: ["l1"],
    "L2": lambda count: ["lp:p=2"],
    "SM1": lambda count: [f"soft-margin:theta={k / count:.6g}" for k in (2, 5, 10, 20)],
    "SM2": lambda count: [f"soft-margin-squared:theta={t}" for t in (0.001, 0.01, 0.1, 1)],
}


class Chosen(NamedTuple):
    """What a method does on tests with the options that were chosen."""

    accuracy: float
    used: int  # kernels
    regularizer: str
    cost: float


def best_on_validation(files, kernels, regularizers):
    """The Chosen of the regularizer and C with the best validation accuracy, of equals the middle
    one."""
    pairs = list(itertools.product(regularizers, COSTS))
    asked = [[*kernels, "--regularizer", name, "-C", cost] for name, cost in pairs]
    tried = common.try_each(files, "y", asked)
    place = common.best_place([common.metric(valid, "accuracy") for _, valid, _ in tried])
    trained, _, test = tried[place]
    return Chosen(common.metric(test, "accuracy"), trained["n_kernels_used"], *pairs[place])


def noisy_kernels(options):
    """{(share of noise, method): [Chosen]}: waveform beside 21 columns of noise;
    each kernel is a Gaussian on three random columns, of the data or of the noise."""
    repetitions, n = sized(options, (1, 30), (12, 100), (50, 200))
    shares = sized(options, [0.0, 0.5], [0.0, 0.5, 0.8, 0.95], [0.0, 0.25, 0.5, 0.8, 0.9, 0.95])
    cells = list(itertools.product(shares, range(repetitions)))
    with tempfile.TemporaryDirectory() as name:
        found = common.in_parallel(lambda cell: noisy_cell(pathlib.Path(name), *cell, n), cells)
    results = {}
    for (share, _), entry in zip(cells, found, strict=True):
        for method, values in entry.items():
            results.setdefault((share, method), []).append(values)
    return results


def noisy_cell(folder, share, repetition, n):
    files = []
    for part, count in enumerate([n, 500, 1000]):
        seed = 100 * repetition + part
        rows, y = generate.waveform(count, seed)
        noise = generate.noise(count, 21, seed + 50)
        mixed = [a + b for a, b in zip(rows, noise, strict=True)]
        files.append(generate.write_csv(folder / f"{share}-{repetition}-{part}.csv", mixed, y))
    bad = round(share * KERNELS)
    good = generate.triples(range(21), KERNELS - bad, repetition)
    views = common.column_views(good + generate.triples(range(21, 42), bad, repetition))
    kernels = [*views, "--kernel", "rbf(width=median) on v*"]
    return {
        method: best_on_validation(files, kernels, regularizers(KERNELS))
        for method, regularizers in FAMILIES.items()
    }


def mean_of(results, share, method, place=0):
    return statistics.fmean(entry[place] for entry in results[share, method])


def noise_table(results):
    shares = sorted({key[0] for key in results})
    rows = []
    for method in FAMILIES:
        cells = [
            f"{100 * mean_of(results, s, method):.1f} ({mean_of(results, s, method, 1):.1f})"
            for s in shares
        ]
        rows.append([method, *cells])
    return table(["method", *(f"{100 * share:.0f} % noise" for share in shares)], rows)


def gain(results, share, method, other):
    """Of the difference of accuracy, in points, on the same draws."""
    return estimates.paired(*([100 * e[0] for e in results[share, m]] for m in (method, other)))


def noise_claims(results):
    """At no noise and at the most of it."""
    shares = sorted({key[0] for key in results})
    first, last = shares[0], shares[-1]
    words = "With many noisy base kernels, {} is more accurate than the average kernel"
    for method in ("SM1", "SM2"):
        found = gain(results, last, method, "average")
        ours = f"{100 * last:.0f} % of the kernels noise: {found} points of accuracy"
        yield Claim(words.format(method), ours, estimates.told(found))
    found = gain(results, first, "average", "L1")
    words = "Without noise, the average kernel is better than L1"
    yield Claim(words, f"no noise: {found} points of accuracy", estimates.told(found))
    words = "Without noise, {} is at least as good as the average kernel, up to {} points"
    for method in ("SM1", "SM2"):
        found = gain(results, first, method, "average")
        ours = f"no noise: {found} points of accuracy"
        yield Claim(words.format(method, CLOSE), ours, at_least_as_good(found))


def at_least_as_good(found):
    """Whether the interval of a gain lies above -CLOSE; False where it lies below 0."""
    if estimates.told(found._replace(mean=found.mean + CLOSE)):
        return True
    return False if estimates.told(found) is False else None


def theta_path(options):
    """(rows (theta, objective, kernels used, accuracy), objectives of average and L1) of SM1 on
    ringnorm, from theta = 1/M to 1."""
    n = sized(options, 30, 150, 400)
    count = 20
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        train = generate.write_csv(folder / "train.csv", *generate.ringnorm(n, 1))
        test = generate.write_csv(folder / "test.csv", *generate.ringnorm(1000, 2))
        views = common.column_views(generate.triples(range(20), count, 1))
        data = [train, "--label", "y", *views, "--kernel", "rbf(width=median) on v*", "-C", 1]

        def one(regularizer):
            model = folder / "model.kmx"
            asked = ["--regularizer", regularizer, "--tolerance", 1e-6]
            result = common.train(*data, *asked, model=model)
            accuracy = common.metric(common.evaluate(model, test, "--label", "y"), "accuracy")
            return result["primal"], result["n_kernels_used"], accuracy

        thetas = [k / count for k in (1, 1.5, 2, 3, 4, 6, 9, 13, 20)]
        path = [(theta, *one(f"soft-margin:theta={theta:.10g}")) for theta in thetas]
        return path, one("average"), one("l1")


def theta_claim(path, average, l1):
    ends = max(abs(path[0][1] / average[0] - 1), abs(path[-1][1] / l1[0] - 1))
    falling = all(a[1] >= b[1] * (1 - 1e-5) for a, b in itertools.pairwise(path))
    ours = (
        "a check of the program, not an experiment: relative difference at the ends "
        f"from the objectives of average and L1: {ends:.1e}; the objective "
        f"{'never rises' if falling else 'rises'} with theta"
    )
    words = "theta leads from the average kernel (1/M) to L1 (1)"
    return Claim(words, ours, common.NO_CLAIM if ends < 1e-5 and falling else False)


ALGORITHMS = [  # method, regularizer, the solver of its paper
    ("L1", "l1", "simple"),
    ("L2", "lp:p=2", "alternating"),
    ("SGMKL", "sgmkl:v=0.5", "spg"),
    ("SM1", "soft-margin:theta=0.05", "block-coordinate"),
    ("SM2", "soft-margin-squared:theta=0.01", "projected-gradient"),
]


class Trained(NamedTuple):
    """Training of a method by the solver of its paper, and by `newton`."""

    method: str
    solver: str
    own: Timed
    newton: Timed


def times(options):
    """[Trained] on ringnorm and the kernels of the protocol."""
    n, limit = sized(options, (30, 2), (280, 30), (5180, 3600))
    rows = []
    with tempfile.TemporaryDirectory() as name:
        file = generate.write_csv(pathlib.Path(name) / "ring.csv", *generate.ringnorm(n, 3))
        data = [file, "--label", "y", *common.kernels(PROTOCOL), "-C", 10]
        for method, regularizer, solver in ALGORITHMS:
            asked = [*data, "--regularizer", regularizer, "--tolerance", timing.GAP]
            found = [
                timing.timed(*asked, "--solver", one, limit=limit, runs=5, clock=False)[0]
                for one in (solver, "newton")
            ]
            rows.append(Trained(method, solver, *found))
    return n, limit, rows


def both_faster(rows, times_of):
    """Whether SM1 and SM2 take less time than L1; False where one of them takes longer."""
    at = {row.method: times_of(row) for row in rows}
    return timing.all_of([timing.faster(at[method], at["L1"]) for method in ("SM1", "SM2")])


def time_claims(rows):
    ours = ", ".join(f"{row.method} by `{row.solver}` {timing.shown(row.own)} s" for row in rows)
    words = "Training soft margin MKL with its algorithms is faster than L1 with SimpleMKL"
    yield Claim(words, ours, both_faster(rows, lambda row: row.own))
    ours = ", ".join(f"{row.method} {timing.shown(row.newton)} s" for row in rows)
    words = "The same with the default solver of kernmix, `newton` (not in the paper)"
    yield Claim(words, ours, both_faster(rows, lambda row: row.newton))


def time_rows(rows):
    """For the file of measurements."""
    for row in rows:
        yield row.method, row.solver, *row.own
        yield row.method, "newton", *row.newton
