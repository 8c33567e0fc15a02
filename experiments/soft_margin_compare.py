"""Part of experiments/soft-margin that `kernmix compare` runs: soft-margin.toml on at most so many
samples of each set, and what its results say of the paper's claims."""

import hashlib
import math
import os
import pathlib
import random
import re
import shutil
import statistics
import tempfile
from typing import NamedTuple

import common
from common import Claim, number, table
from estimates import LEVEL

FILE = common.FOLDER / "soft-margin.toml"
PROPOSED = ["SM1", "SM2"]
KERNELS = 13  # on all columns and on each
TRAIN, INNER = 0.7, 0.8  # shares of a training part and of what is left of it by a fold
SPARSE = 0.5  # fewer kernels than this share of them


class Comparison(NamedTuple):
    """What `kernmix compare --json` says, the share of its cores that it had (None of a run that
    goes on from a journal), the sets that memory cuts, {name: samples}, and the grid of C of each
    method."""

    result: dict
    share: float | None
    cut: dict
    grids: dict

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

    def cells(self, method):
        """What JSON says of a method on each split of each set."""
        splits = [split["methods"] for split in self.result["splits"]]
        return [entry for split in splits for entry in split if entry["method"] == method]

    def unfinished(self, method):
        """How many final models are not solved to the gap."""
        return sum(entry["status"] != "converged" for entry in self.cells(method))

    def pair(self, first, second):
        """(signed-rank p over the sets, wins of `first`, losses)"""
        for entry in self.result["scores"][0]["ranks"]["pairs"]:
            signs = entry["signs"]
            if (entry["first"], entry["second"]) == (first, second):
                return entry["wilcoxon_p"], signs["wins"], signs["losses"]
            if (entry["second"], entry["first"]) == (first, second):
                return entry["wilcoxon_p"], signs["losses"], signs["wins"]
        raise KeyError((first, second))


def lines_of(options, name):
    """The CSV lines of a set, header first; None where it is absent."""
    file = options.data / f"{name}.csv"
    if not file.exists():
        print(f"{file} is not here (experiments/get-data makes it)")
        return None
    return file.read_text().splitlines()


def fitting(columns):
    """Samples whose kernels take half of the memory: one triangle of numbers of four bytes each,
    of a final model or of as many folds at a time as there are cores."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    share = max(1, os.cpu_count() * INNER**2) * TRAIN**2
    return int(math.sqrt(memory / 2 / (KERNELS * (columns + 1) * share / 2 * 4)))


def write_experiment(options, folder, most):
    """(the TOML file in `folder`, with the sets that are there beside it, of at most `most` samples
    each; {set: samples} of those that do not fit into memory)"""
    (folder / "data").mkdir()
    head, *sets = FILE.read_text().split("[[data]]\n")
    kept, cut = [], {}
    for text in sets:
        name = re.search(r'name = "(.*)"', text)[1]
        lines = lines_of(options, name)
        if lines:
            header, *rows = lines
            fit = fitting(header.count(","))
            if fit < min(most, len(rows)):
                cut[name] = fit
                print(f"{name} is cut to {fit} samples, whose kernels fit into memory")
            count = min(most, fit, len(rows))
            drawn = sorted(random.Random(1).sample(range(len(rows)), count))
            chosen = [header, *(rows[i] for i in drawn)]
            (folder / "data" / f"{name}.csv").write_text("\n".join(chosen) + "\n")
            kept.append(text)
    if options.tiny:
        head = head.replace("splits = 10", "splits = 2").replace("folds = 5", "folds = 2")
        head = re.sub(r"C = \[.*?\]", "C = [1]", head)
    file = folder / FILE.name
    file.write_text("[[data]]\n".join([head, *kept]))
    return file, cut


def grids_of(file):
    """{method: values of C} of the TOML file."""
    head, *methods = file.read_text().partition("[[data]]")[0].split("[[method]]")
    found = {}
    for text in methods:
        values = re.search(r"\bC = \[(.*?)\]", text) or re.search(r"\bC = \[(.*?)\]", head)
        found[re.search(r'name = "(.*)"', text)[1]] = [float(v) for v in values[1].split(",")]
    return found


def build_mark():
    """A name for the build of the tool: what another one computed is not gone on with."""
    path = pathlib.Path(shutil.which(common.tool()) or common.tool())
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def run(options, most):
    """The comparison; a line for each set, split and method in soft-margin.csv, and the figure of
    ranks. A run of --full that was killed goes on where it stopped."""
    threads = os.cpu_count()
    asked = ["--csv", options.results / "soft-margin.csv"]
    asked += ["--figure", options.results / "soft-margin-ranks.svg"]
    journal = options.data / f"soft-margin-{build_mark()}.jsonl"
    goes_on = options.full and journal.exists()
    if options.full:
        asked += ["--journal", journal]
    with tempfile.TemporaryDirectory() as name:
        file, cut = write_experiment(options, pathlib.Path(name), most)
        result = common.run("compare", file, *asked, threads=threads)
        share = None if goes_on else result["processor"] / (result["seconds"] * threads)
        return Comparison(result, share, cut, grids_of(file))


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
    """Seconds of a final model, and of the five folds with all options before it: of the clock,
    times the share of the cores."""
    share = comparison.share or 1
    rows = []
    for data, means in comparison.sets():
        cells = [
            f"{number(share * costs['solve_seconds'], 2)} "
            f"({number(share * costs['choose_seconds'], 2)})"
            for *_, costs in means.values()
        ]
        rows.append([data["name"], *cells])
    return table(["set", *comparison.methods], rows)


def edges_table(comparison):
    """The share of choices of C at an end of its grid."""
    shares = []
    for method in comparison.methods:
        ends = min(comparison.grids[method]), max(comparison.grids[method])
        outside = [entry["C"] in ends for entry in comparison.cells(method)]
        shares.append(f"{100 * statistics.fmean(outside):.0f} %")
    return table(["", *comparison.methods], [["C at an end of its grid", *shares]])


def differs(comparison, first, second):
    """What is said of two methods, and whether the first is better; None where the signed-rank test
    over the sets does not tell them apart, or a model of theirs was not solved to the gap."""
    p, wins, losses = comparison.pair(first, second)
    pairs = [[100 * means[m][0] for _, means in comparison.sets()] for m in (first, second)]
    mean = statistics.fmean(a - b for a, b in zip(*pairs, strict=True))
    ranks = comparison.ranks
    words = (
        f"{mean:+.2f} points, mean rank {ranks[first]:.2f} to {ranks[second]:.2f}; more accurate "
        f"on {wins} sets, less on {losses}; signed-rank p = {p:.2g}"
    )
    unfinished = comparison.unfinished(first) + comparison.unfinished(second)
    if unfinished:
        words += f"; {unfinished} models are not solved to the gap"
    return words, None if p > LEVEL or unfinished else wins > losses


def claims(comparison):
    for method in PROPOSED:
        for other, name in [("L1", "L1"), ("AveKernel", "the average kernel")]:
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
    least = min(comparison.ranks[method] for method in PROPOSED)
    apart = min(rank for method, rank in order if method not in PROPOSED) - least
    far = abs(apart) > found["critical_difference"]
    return Claim("The best mean rank is that of a soft margin", ours, apart > 0 if far else None)


def sparse_claim(comparison):
    """Sparse: fewer than SPARSE of the kernels, of the mean over the splits of a set."""
    shares = {
        method: [
            means[method][2]["kernels_used"] / means[method][2]["kernels"]
            for _, means in comparison.sets()
        ]
        for method in comparison.methods
    }
    ours = "mean share of kernels used, %: " + ", ".join(
        f"{method} {100 * statistics.fmean(own):.0f}" for method, own in shares.items()
    )
    both = [max(pair) < SPARSE for pair in zip(*(shares[m] for m in PROPOSED), strict=True)]
    ours += f"; both below {100 * SPARSE:.0f} % on {sum(both)} of {len(both)} sets"
    words = "Soft margins are sparse, while L2 and average use all kernels"
    if min(shares["L2MKL"] + shares["AveKernel"]) < 1 or not any(both):
        return Claim(words, ours, False)
    return Claim(words, ours, True if all(both) else f"holds on {sum(both)} of {len(both)} sets")


def choices_claim(comparison):
    """Where on the path from average to L1 the folds put SM1: not in the paper."""
    counts = {}
    for entry in comparison.cells("SM1"):
        nu = entry["chosen"].partition(",")[0].removeprefix("nu=")
        counts[nu] = counts.get(nu, 0) + 1
    ours = ", ".join(f"nu = {nu}: {counts[nu]}" for nu in sorted(counts, key=float))
    words = (
        "Selected nu of SM1 over all splits (not in the paper; 0.001: L1, 1: average)"
    )
    return Claim(words, ours, common.NO_CLAIM)
