"""The page benchmarks/results/predict.md, from cells."""

from contextlib import redirect_stdout

import numpy as np

from contestants import METHODS, OURS
from results import Results
from sets import CLASSES, NUMBERS
from significance import corrected_error, critical_difference, friedman, mean_ranks
from tables import print_table

MARGIN = 1.0  # points: differences below it count as nothing
NO_WEAK_FAVOURITE = (
    "kernmix puts most of its weight on no view that is weaker than the best view alone."
)


def number(value, digits=1, best=None):
    if np.isnan(value):
        return ""
    text = f"{value:.{digits}f}"
    return (
        f"**{text}**" if best is not None and round(value, digits) == round(best, digits) else text
    )


def means(title, table, digits=1):
    """A row of column means over the sets with a result of the method; their number follows in
    brackets if it is not the number of all sets."""
    if not len(table):
        return []
    cells = []
    for column in table.T:
        known = column[~np.isnan(column)]
        count = f" (of {len(known)})" if 0 < len(known) < len(column) else ""
        cells.append(number(known.mean(), digits) + count if len(known) else "")
    return [[f"mean, {title}: {len(table)}", *cells]]


def titles(methods):
    return [METHODS[method].title for method in methods]


def print_scores(results, what):
    methods = results.methods()
    table = 100 * results.table(methods)
    rows = [
        [results.titled(name), *(number(value, 1, np.nanmax(line)) for value in line)]
        for name, line in zip(results.sets, table, strict=True)
        if not np.isnan(line).all()
    ]
    sparse = np.array([results.about[name]["sparse"] for name in results.sets])
    rows += means("sparse sets", table[sparse]) + means("other sets", table[~sparse])
    print(f"\n## {what}, in per cent\n")
    print_table(["set", *titles(methods)], rows)
    print_ranks(results)


RANKS = """
Mean ranks of {k} methods on the {N} sets with results of all of them. The Friedman test of equal
performance has p = {p:.2g}. Two methods differ at the 5 % level if their mean ranks differ by more
than {apart:.2f} (Nemenyi).
"""


def print_ranks(results):
    methods = [m for m in results.methods() if METHODS[m].ranked]
    sets = results.complete(methods)
    if len(methods) < 3 or len(sets) < 2:
        return
    table = results.table(methods, sets=sets)
    ranks = mean_ranks(table)
    apart = critical_difference(len(methods), len(sets))
    print(RANKS.format(k=len(methods), N=len(sets), p=friedman(table), apart=apart))
    order = np.argsort(ranks, kind="stable")
    rows = [[METHODS[methods[k]].title, f"{ranks[k]:.2f}"] for k in order]
    print_table(["method", "mean rank"], rows)


def difference(results, name, method, other):
    """Mean difference to another method and its corrected error, in points; NaN twice if one of
    them has no result."""
    ours, theirs = results.values(name, method), results.values(name, other)
    if ours is None or theirs is None:
        return float("nan"), float("nan")
    differences = 100 * (np.array(ours) - np.array(theirs))
    about = results.about[name]
    return differences.mean(), corrected_error(differences, about["test"] / about["train"])


def print_behind(results, title, others):
    """Ours against the best of some others, set by set."""
    ours = [m for m in ("default", "auto") if m in results.methods()]
    rows, behind = [], {method: [] for method in ours}
    for name in results.sets:
        best = results.best_other(name, others)
        if best is None or not ours:
            continue
        row = [name, METHODS[best].title, number(100 * results.mean(name, best))]
        for method in ours:
            mean, error = difference(results, name, method, best)
            failed = results.failed(name, method)
            missing = "no result" if failed else ""
            row.append(missing if np.isnan(mean) else f"{mean:+.1f} ± {error:.1f}")
            if failed or mean < -MARGIN:
                behind[method].append(name)
        rows.append(row)
    if not rows:
        return
    print(f"\n### {title}\n")
    print_table(["set", "best other", "its score", *titles(ours)], rows)
    for method, names in behind.items():
        named = f" ({', '.join(names)})" if names else ""
        print(f"\n{METHODS[method].title}: more than 1 point below, or no result,", end=" ")
        print(f"on {len(names)} of {len(rows)} sets{named}.")


def print_log_loss(results):
    methods = results.methods("log_loss")
    if not methods:
        return
    sets = results.complete(methods, "log_loss")
    rows = []
    for name, line in zip(results.sets, results.table(methods, "log_loss"), strict=True):
        if not np.isnan(line).all():
            rows.append([name, *(number(value, 3, np.nanmin(line)) for value in line)])
    common = f"sets on which all {len(methods)} have one"
    rows += means(common, results.table(methods, "log_loss", sets), 3)
    print("\n## Log loss of probabilities\n")
    print_table(["set", *titles(methods)], rows)


def print_seconds(results):
    methods = [m for m in results.methods("seconds") if m != "svc"]
    sets = [name for name in results.sets if results.values(name, "svc") is not None]
    if not sets:
        return
    base = results.table(["svc"], "seconds", sets)
    ratios = results.table(methods, "seconds", sets) / base
    rows = [
        [name, f"{seconds:.2f}", *(number(ratio, 2) for ratio in line)]
        for name, (seconds,), line in zip(sets, base, ratios, strict=True)
    ]
    for title, of in (("median", np.nanmedian), ("largest", np.nanmax)):
        rows.append([title, "", *(number(of(column), 2) for column in ratios.T)])
    print("\n### Processor seconds relative to the SVM with a grid\n")
    print_table(["set", "SVC, grid: s", *titles(methods)], rows)


def print_views(results):
    methods = results.methods("weights")
    rows, wrong = [], []
    for name in results.sets:
        alone = results.alone(name)
        shares = {method: results.shares(name, method) or {} for method in methods}
        for view in alone:
            cells = [number(100 * shares[m].get(view, float("nan")), 0) for m in methods]
            rows.append([name, view, number(100 * alone[view]), *cells])
        for method in methods:
            if method in OURS and shares[method] and alone:
                wrong += weak_favourite(name, method, shares[method], alone)
    if not rows:
        return
    print("\n## Share of the kernel weights by view, in per cent\n")
    print_table(["set", "view", "score alone", *titles(methods)], rows)
    if any(method in OURS for method in methods):
        print("\n" + ("\n".join(wrong) or NO_WEAK_FAVOURITE))


def weak_favourite(name, method, shares, alone):
    """A sentence if most of the weight is on a view that is not the best alone."""
    most = max(shares, key=shares.get)
    behind = 100 * (max(alone.values()) - alone.get(most, max(alone.values())))
    if shares[most] <= 0.5 or behind <= MARGIN:
        return []
    return [
        f"- {name}, {METHODS[method].title}: {100 * shares[most]:.0f} % on {most}, which alone is "
        f"{behind:.1f} points below the best view."
    ]


HEAD = """# Accuracy and time of methods

`benchmarks/predict` on sets of at most {most} samples: means over {splits} splits into
70 % for training and 30 % for tests, one thread. All settings are selected on training samples.
The methods are defined in `benchmarks/README.md`.
± is the standard error of a difference over splits that share samples (Nadeau and Bengio 2003).
Versions: {versions}."""


def print_head(cells):
    most = max(cell["train"] + cell["test"] for cell in cells)
    splits = 1 + max(cell["split"] for cell in cells)
    versions = sorted({f"{cell['package']} {cell['version']}" for cell in cells})
    print(HEAD.format(most=most, splits=splits, versions=", ".join(versions)))


def print_page(cells):
    print_head(cells)
    classes, numbers = Results(cells, CLASSES), Results(cells, NUMBERS)
    if classes.sets:
        print_scores(classes, "Accuracy")
        print_behind(classes, "kernmix against the best other", METHODS)
        print_log_loss(classes)
        print_views(classes)
        print_seconds(classes)
    if numbers.sets:
        machines = [m for m in METHODS if METHODS[m].kernel_machine]
        print_scores(numbers, "R^2")
        print_behind(numbers, "kernmix against the best other", METHODS)
        print_behind(numbers, "kernmix against the best other kernel machine", machines)
        print_seconds(numbers)
    failures = classes.failures() + numbers.failures()
    if failures:
        print("\n## Fits without a result\n")
        print_table(
            ["set", "method", "reason"], [[*names, f"`{why}`"] for *names, why in failures]
        )


def write_page(file, cells):
    cells = list(cells)
    if cells:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w") as out, redirect_stdout(out):
            print_page(cells)
