"""Part of experiments/soft-margin that `kernmix compare` runs: soft-margin.toml on at most so many
samples of each set, and what its results say of the paper's claims."""

import os
import pathlib
import random
import re
import statistics
import tempfile
from typing import NamedTuple

import common
from common import Claim, number, table

FILE = common.FOLDER / "soft-margin.toml"
PROPOSED = ["SM1", "SM2"]
LEVEL = 0.05  # of the tests


class Comparison(NamedTuple):
    """What `kernmix compare --json` says, and processor seconds for each second of its clocks."""

    result: dict
    processor: float
    scale: float

    @property
    def methods(self):
        return self.result["methods"]

    @property
    def ranks(self):
        """{method: average rank}, 1 the most accurate."""
        found = self.result["scores"][0]["ranks"]["average_ranks"]
        return dict(zip(self.methods, found, strict=True))

    def sets(self):
        """[(what JSON says of the data, {method: (mean accuracy, deviation, costs)})]"""
        found = []
        for data, score in zip(self.result["data"], self.result["scores"][0]["data"], strict=True):
            costs = {entry["method"]: entry for entry in data["costs"]}
            means = {
                entry["method"]: (entry["mean"], entry["sd"], costs[entry["method"]])
                for entry in score["methods"]
            }
            found.append((data, means))
        return found

    def pair(self, first, second):
        """(signed-rank p over the sets, wins of `first`, losses)"""
        for entry in self.result["scores"][0]["ranks"]["pairs"]:
            signs = entry["signs"]
            if (entry["first"], entry["second"]) == (first, second):
                return entry["wilcoxon_p"], signs["wins"], signs["losses"]
            if (entry["second"], entry["first"]) == (first, second):
                return entry["wilcoxon_p"], signs["losses"], signs["wins"]
        raise KeyError((first, second))


def lines_of(options, name, most):
    """The CSV lines of a set, header first, of at most `most` samples; None where it is absent."""
    file = options.data / f"{name}.csv"
    if not file.exists():
        print(f"{file} is not here (experiments/get-data makes it)")
        return None
    header, *rows = file.read_text().splitlines()
    chosen = sorted(random.Random(1).sample(range(len(rows)), min(most, len(rows))))
    return [header, *(rows[i] for i in chosen)]


def write_experiment(options, folder, most):
    """The TOML file in `folder`, with the sets that are there beside it."""
    (folder / "data").mkdir()
    head, *sets = FILE.read_text().split("[[data]]\n")
    kept = []
    for text in sets:
        name = re.search(r'name = "(.*)"', text)[1]
        lines = lines_of(options, name, most)
        if lines:
            (folder / "data" / f"{name}.csv").write_text("\n".join(lines) + "\n")
            kept.append(text)
    if options.tiny:
        head = head.replace("splits = 10", "splits = 2").replace("folds = 5", "folds = 2")
        head = head.replace("[0.01, 0.1, 1, 10, 100]", "[1]")
    file = folder / FILE.name
    file.write_text("[[data]]\n".join([head, *kept]))
    return file


def run(options, most):
    """The comparison; a line for each set, split and method in soft-margin.csv, and the figure of
    ranks. A run of --full that was killed goes on where it stopped."""
    threads = os.cpu_count()
    asked = ["--csv", options.results / "soft-margin.csv"]
    asked += ["--figure", options.results / "soft-margin-ranks.svg"]
    if options.full:
        asked += ["--journal", options.data / "soft-margin.jsonl"]
    with tempfile.TemporaryDirectory() as name:
        file = write_experiment(options, pathlib.Path(name), most)
        result = common.run("compare", file, *asked, threads=threads)
    scale = min(result["processor"] / (result["seconds"] * threads), 1.0)
    return Comparison(result, result["processor"], scale)


def accuracy_table(comparison):
    rows = []
    for data, means in comparison.sets():
        best = max(mean for mean, *_ in means.values())
        cells = [
            ("**{}**" if mean > best - 1e-9 else "{}").format(f"{100 * mean:.1f}")
            + f" ± {100 * sd:.1f}"
            for mean, sd, _ in means.values()
        ]
        rows.append([data["name"], str(data["n_samples"]), *cells])
    ranks = [f"{rank:.2f}" for rank in comparison.ranks.values()]
    rows.append(["mean rank", "", *ranks])
    return table(["set", "samples", *comparison.methods], rows)


def kernels_table(comparison):
    rows = []
    for data, means in comparison.sets():
        used = [f"{costs['kernels_used']:.0f}" for *_, costs in means.values()]
        count = next(iter(means.values()))[2]["kernels"]
        rows.append([data["name"], str(count), *used])
    return table(["set", "of", *comparison.methods], rows)


def time_table(comparison):
    """Processor seconds of a final model, and of the five folds with all options before it."""
    rows = []
    for data, means in comparison.sets():
        cells = [
            f"{number(comparison.scale * costs['solve_seconds'], 2)} "
            f"({number(comparison.scale * costs['choose_seconds'], 2)})"
            for *_, costs in means.values()
        ]
        rows.append([data["name"], *cells])
    return table(["set", *comparison.methods], rows)


def differs(comparison, first, second):
    """What is said of two methods, and whether the first is better; None where the signed-rank test
    over the sets does not tell them apart."""
    p, wins, losses = comparison.pair(first, second)
    pairs = [[100 * means[m][0] for _, means in comparison.sets()] for m in (first, second)]
    mean = statistics.fmean(a - b for a, b in zip(*pairs, strict=True))
    ranks = comparison.ranks
    words = (
        f"{mean:+.2f} points, mean rank {ranks[first]:.2f} to {ranks[second]:.2f}; more accurate "
        f"on {wins} sets, less on {losses}; signed-rank p = {p:.2g}"
    )
    return words, None if p > LEVEL else mean > 0


def claims(comparison):
    for method in PROPOSED:
        for other, name in [("SimpleMKL", "L1"), ("AveKernel", "the average kernel")]:
            yield Claim(
                f"{method} is more accurate than {name}", *differs(comparison, method, other)
            )
    yield best_rank_claim(comparison)
    yield sparse_claim(comparison)


def best_rank_claim(comparison):
    found = comparison.result["scores"][0]["ranks"]
    order = sorted(comparison.ranks.items(), key=lambda entry: entry[1])
    ours = (
        "mean ranks: "
        + ", ".join(f"{method} {rank:.2f}" for method, rank in order)
        + f"; Friedman p = {found['friedman']['p']:.2g}, critical difference of Nemenyi's test "
        f"{found['critical_difference']:.2f}"
    )
    leads = order[0][0] in PROPOSED
    others = [rank for method, rank in order if method not in PROPOSED]
    far = abs(order[0][1] - min(others)) > found["critical_difference"]
    return Claim("The best mean rank is that of a soft margin", ours, leads if far else None)


def sparse_claim(comparison):
    used = {
        method: statistics.fmean(means[method][2]["kernels_used"] for _, means in comparison.sets())
        for method in comparison.methods
    }
    ours = "mean number of kernels used: " + ", ".join(f"{m} {n:.0f}" for m, n in used.items())
    sparse = max(used[method] for method in PROPOSED) < used["L2MKL"]
    return Claim("Soft margins are sparse, where L2 and average take all kernels", ours, sparse)


def choices_claim(comparison):
    """Where on the path from average to L1 the folds put SM1: not in the paper."""
    counts = {}
    for _, means in comparison.sets():
        for choice, count in means["SM1"][2]["choices"].items():
            nu = choice.partition(",")[0].removeprefix("nu=")
            counts[nu] = counts.get(nu, 0) + count
    ours = ", ".join(f"nu = {nu}: {counts[nu]}" for nu in sorted(counts, key=float))
    words = (
        "nu of SM1 that the folds choose, of all splits (not in the paper; 0.001: L1, 1: average)"
    )
    return Claim(words, ours, common.NO_CLAIM)
