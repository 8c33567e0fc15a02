"""What experiments/soft-margin measures: the paper's comparison, its noise experiment, and training
time by the paper's algorithms. Every cell is one run of the tool, which the journal keeps."""

import itertools
import os
import pathlib
import tempfile
from typing import NamedTuple

import common
import data_sets
import generate
from common import sized

SETS = ["heart", "diabetes", "australian", "ionosphere", "ringnorm", "banana"]
DRAWN = 400  # samples of ringnorm and of banana, as in the paper
TEST = 0.3
NOISE = [0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2]  # columns of noise over columns of data
KERNELS = [  # of the SimpleMKL toolbox, which the paper follows
    "rbf(width=2^-3..2^6) on all",
    "rbf(width=2^-3..2^6) on all, each",
    "poly(degree=1..3, coef0=1) on all",
    "poly(degree=1..3, coef0=1) on all, each",
]
COSTS = [0.01, 0.1, 1, 10, 100]
WIDER_COSTS = [*COSTS, 1e3, 1e4, 1e5]
NORMS = ["1", "32/31", "16/15", "8/7", "4/3", "2", "3", "inf"]
TENTHS = [k / 10 for k in range(11)]
PROPOSED = ["SM1MKL", "SM2MKL"]
METHODS = ["AveKernel", "SimpleMKL", "L2MKL", "LpMKL", "SGMKL", *PROPOSED]  # order of the paper
WIDER = {"AveKernel": "AveKernel, C to 1e5", "SimpleMKL": "SimpleMKL, C to 1e5"}
NOISY = ["AveKernel", "SimpleMKL", "L2MKL", *PROPOSED]
OWN_SOLVERS = {  # of the paper; the second where the first does not take the regularizer
    "AveKernel": ["auto"],
    "SimpleMKL": ["simple"],
    "L2MKL": ["alternating"],
    "LpMKL": ["alternating", "auto"],
    "SGMKL": ["level", "spg"],
    "SM1MKL": ["block-coordinate"],
    "SM2MKL": ["projected-gradient"],
}
GAP = 0.01  # relative, of timed trainings; that of the SimpleMKL toolbox


class Plan(NamedTuple):
    """Numbers of splits of the three parts, folds, seconds of a timed training, samples at most."""

    splits: int
    noise_splits: int
    timed_splits: int
    folds: int
    limit: float
    most: int


def plan(options):
    return sized(
        options,
        Plan(2, 2, 1, 2, 2, 40),
        Plan(3, 2, 2, 5, 20, 10**6),
        Plan(10, 5, 10, 5, 20, 10**6),
    )


def kernel_count(columns):
    return 13 * (columns + 1)


def methods(columns, tiny=False):
    """{method: (regularizer, its grid without C, grid of C)}"""
    inverse = 1 / kernel_count(columns)
    found = {
        "AveKernel": ("average", {}, COSTS),
        "SimpleMKL": ("l1", {}, COSTS),
        "L2MKL": ("lp:p=2", {}, COSTS),
        "LpMKL": ("lp", {"p": NORMS}, COSTS),
        "SGMKL": ("sgmkl", {"v": TENTHS}, COSTS),
        "SM1MKL": ("soft-margin", {"nu": [inverse, *TENTHS[1:]]}, COSTS),
        "SM2MKL": ("soft-margin-squared", {"theta": [10.0**k for k in range(-5, 6)]}, COSTS),
        WIDER["AveKernel"]: ("average", {}, WIDER_COSTS),
        WIDER["SimpleMKL"]: ("l1", {}, WIDER_COSTS),
    }
    if tiny:
        found = {m: (r, {k: v[:2] for k, v in g.items()}, c[2:4]) for m, (r, g, c) in found.items()}
    return found


def toml(values):
    """A TOML list of numbers and words."""
    return "[" + ", ".join(f'"{v}"' if isinstance(v, str) else f"{v!r}" for v in values) + "]"


def experiment(data, split, folds, asked):
    """The text of an experiment of `kernmix compare`: one set, one split, these methods."""
    lines = ["[experiment]", 'score = "accuracy"', f"inner-folds = {folds}", "seed = 1"]
    lines += ["baselines = false", 'normalize = "unit-trace"', 'scale = "standard"']
    lines += ['loss = "hinge"', f"kernel = {toml(KERNELS)}", f'split-file = "{split}"']
    for name, (regularizer, grid, costs) in asked.items():
        words = [f"{key} = {toml(values)}" for key, values in {**grid, "C": costs}.items()]
        lines += ["", "[[method]]", f'name = "{name}"', f'regularizer = "{regularizer}"']
        lines += [f"grid = {{ {', '.join(words)} }}"]
    lines += ["", "[[data]]", f'name = "{data.stem}"', f'files = "{data}"', 'label = "y"']
    return "\n".join(lines) + "\n"


def size_of(options, name, whole):
    """Samples of a set, `whole` of which are there."""
    return min(plan(options).most, DRAWN if name in ("ringnorm", "banana") else whole)


def available(options, journal, name):
    """Whether a set is here, whose checksum the journal then has; of `--page`, in the results."""
    if journal.only_read:
        return name in journal.data
    table = whole_set(options, name)
    if table is None:
        return False
    count = size_of(options, name, len(table.rows))
    journal.use_data(name, table.mark, samples=count, columns=table.columns, source=table.source)
    return True


def whole_set(options, name):
    if name == "ringnorm":
        return data_sets.generated(name, DRAWN, 11)
    return data_sets.load(tuple(options.data), name)


def load(options, name):
    """The Table of a set at the size of the paper."""
    table = whole_set(options, name)
    count = size_of(options, name, len(table.rows))
    return table.drawn(count, 1) if count < len(table.rows) else table


def compared(table, split, folds, asked):
    """[row of each method] of one `kernmix compare` on one split."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = table.write(folder / f"{table.name}.csv")
        (folder / "one.split").write_text("".join(map(str, split)) + "\n")
        file = folder / "experiment.toml"
        file.write_text(experiment(data, folder / "one.split", folds, asked))
        result = common.run("compare", file, threads=os.cpu_count())
    kernels = result["data"][0]["costs"][0]["kernels"]
    kept = ("method", "C", "regularizer", "kernels_used", "status", "relative_gap")
    rows = [{key: entry[key] for key in kept} for entry in result["splits"][0]["methods"]]
    for row, entry in zip(rows, result["splits"][0]["methods"], strict=True):
        row["accuracy"], row["kernels"] = entry["scores"]["accuracy"], kernels
    return rows


def split_of(table, k):
    return data_sets.one_split(table.labels, TEST, 1000 + k)


def comparison(options, journal):
    """{set: [{method: row} of each split]} of the sets that are here."""
    found = {}
    for name in SETS:
        if available(options, journal, name):
            found[name] = [
                by_method(
                    journal.data[name],
                    journal.cell(["compare", name, k], lambda n=name, k=k: compare_cell(options, n, k)),
                )
                for k in range(plan(options).splits)
            ]
    return found


def compare_cell(options, name, k):
    table = load(options, name)
    asked = methods(table.columns, options.tiny)
    return compared(table, split_of(table, k), plan(options).folds, asked)


def by_method(facts, rows):
    """{method: row}, with the number of test samples."""
    return {row["method"]: {**row, "tests": data_sets.held_out(TEST, facts["samples"])} for row in rows}


def noise(options, journal):
    """{share: [{method: row} of each split]} on diabetes; split k has its own noise."""
    found = {}
    if not available(options, journal, "diabetes"):
        return found
    for share in sized(options, NOISE[::6], NOISE[::2], NOISE):
        found[share] = [
            by_method(
                journal.data["diabetes"],
                journal.cell(["noise", share, k], lambda r=share, k=k: noise_cell(options, r, k)),
            )
            for k in range(plan(options).noise_splits)
        ]
    return found


def noise_cell(options, share, k):
    table = load(options, "diabetes")
    columns = round(share * table.columns)
    asked = methods(table.columns + columns, options.tiny)
    noisy = with_noise(table, columns, 100 + k)
    asked = {method: asked[method] for method in NOISY}
    return compared(noisy, split_of(table, k), plan(options).folds, asked)


def with_noise(table, columns, seed):
    """The set with columns of N(0, 1) numbers."""
    extra = generate.noise(len(table.rows), columns, seed) if columns else [[]] * len(table.rows)
    return table._replace(rows=[a + b for a, b in zip(table.rows, extra, strict=True)])


def times(options, journal, rows):
    """{set: [{method: timing} of each split]} of final models by the paper's algorithms, with the
    options that the comparison has chosen; and {set: {p: timing}} of LpMKL at C = 100."""

    def one(cell):
        name, k, method = cell
        chosen = rows[name][k][method]
        asked = OWN_SOLVERS[method], chosen["regularizer"], chosen["C"]
        return journal.cell(["time", *cell], lambda: trained(options, name, k, *asked))

    def of_norm(cell):
        name, p = cell
        asked = OWN_SOLVERS["LpMKL"], f"lp:p={p}", 100
        return journal.cell(["norm", *cell], lambda: trained(options, name, 0, *asked))

    own = plan(options)
    cells = list(itertools.product(rows, range(own.timed_splits), METHODS))
    found = {name: [{} for _ in range(own.timed_splits)] for name in rows}
    for (name, k, method), entry in zip(cells, common.in_parallel(one, cells), strict=True):
        found[name][k][method] = entry
    cells = list(itertools.product(rows, NORMS[1:-1]))
    norms = {name: {} for name in rows}
    for (name, p), entry in zip(cells, common.in_parallel(of_norm, cells), strict=True):
        norms[name][p] = entry
    return found, norms


def trained(options, name, k, solvers, regularizer, cost):
    """Processor seconds of training on the training part of a split."""
    table, limit = load(options, name), plan(options).limit
    kept = [i for i, inside in enumerate(split_of(table, k)) if inside]
    rows, labels = ([values[i] for i in kept] for values in (table.rows, table.labels))
    with tempfile.TemporaryDirectory() as folder:
        file = generate.write_csv(pathlib.Path(folder) / "train.csv", rows, labels)
        asked = [file, "--label", "y", *common.kernels(KERNELS), "--normalize", "unit-trace"]
        asked += ["--regularizer", regularizer, "-C", cost, "--tolerance", GAP]
        asked += ["--max-iterations", 1000000]
        solver, result = common.train_by(solvers, *asked, most=limit)
    found = {"solver": solver, "seconds": result["solver_seconds"], "limit": limit}
    return {**found, "status": result["status"], "gap": result["relative_gap"]}
