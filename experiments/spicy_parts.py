"""Parts of experiments/spicy: the elastic net from sparse to dense, and the rate of convergence."""

import math
import statistics

import common
import estimates
import generate
import timing
from common import Claim, number, sized, table

RANDOM_COLUMNS = "rbf(width=median*{0.25; 0.35; 0.5; 0.7; 1; 1.4; 2; 2.8; 4; 5.6}) on v*"
SHARES = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9]
NET_SOLVERS = {"logistic": "spicy", "hinge": "newton"}
NET_COLUMNS = ["loss", "solver", "draw", "share of the dense penalty"]
NET_COLUMNS += [*timing.TIMED, "active", "accuracy"]
LOSS, DRAW, SHARE, SECONDS, ACTIVE, ACCURACY = 0, 2, 3, 4, -2, -1  # places in a row


def asked(file, loss, solver, cost, kernels, tolerance=timing.GAP):
    """With the logistic loss, whose times are compared, no limit of iterations ends a run."""
    problem = ["--loss", loss, "--solver", solver, "-C", cost, "--tolerance", tolerance]
    if loss == "logistic":
        problem += ["--max-iterations", 1000000]
    return [file, "--label", "y", *kernels, *problem]


def measured(file, loss, solver, cost, limit, kernels, **repeated):
    """(Timed, JSON) on L1, where the options of the kernels do not say another regularizer."""
    problem = asked(file, loss, solver, cost, kernels)
    return timing.timed(*problem, limit=limit, clock=False, **repeated)


def random_kernels(count, seed):
    return [
        *common.column_views(generate.subsets(20, count // 10, seed)),
        "--kernel",
        RANDOM_COLUMNS,
    ]


def sparse_to_dense(options, folder, limit):
    """Rows NET_COLUMNS of the elastic net (1 - t) ||f|| + t/2 ||f||^2, on one strength."""
    n, count = sized(options, (40, 20), (200, 1000), (400, 3000))
    tests = generate.write_csv(folder / "tests.csv", *generate.ringnorm(2000, 5))
    model, rows = folder / "net.kmx", []
    for draw in range(sized(options, 1, 4, 10)):
        file = generate.write_csv(folder / "net.csv", *generate.ringnorm(n, 1 + 10 * draw))
        kernels = random_kernels(count, 3 + 10 * draw)
        for loss, solver in NET_SOLVERS.items():
            for share in SHARES:
                net = [*kernels, "--regularizer", f"elastic-net:l1={1 - share:g},l2={share:g}"]
                problem = [file, loss, solver, 1, limit, net]
                timed, result = measured(*problem, runs=1, model=model)
                accuracy = common.metric(common.evaluate(model, tests, "--label", "y"), "accuracy")
                found = [*timed, result["n_kernels_used"], accuracy]
                rows.append((loss, solver, draw, share, *found))
    return rows


def column(rows, loss, share, place):
    return [row[place] for row in rows if (row[LOSS], row[SHARE]) == (loss, share)]


def net_table(rows):
    columns = ["share of the dense penalty"]
    lines = [[share] for share in SHARES]
    for loss, solver in NET_SOLVERS.items():
        named = f"{loss}, `{solver}`"
        columns += [f"seconds, {named}", f"active kernels, {loss}", f"accuracy, {loss}"]
        for line in lines:
            cells = [column(rows, loss, line[0], p) for p in (SECONDS, ACTIVE, ACCURACY)]
            seconds, active, accuracy = map(statistics.fmean, cells)
            line += [number(seconds), f"{active:.0f}", f"{100 * accuracy:.1f}"]
    return table(columns, lines)


def dense_less_sparse(rows, loss, place, factor=1):
    """At the largest share of the dense penalty less at none, over the draws."""
    dense, sparse = (column(rows, loss, share, place) for share in (SHARES[-1], SHARES[0]))
    return estimates.paired(*([factor * value for value in values] for values in (dense, sparse)))


def net_claims(rows):
    found = {loss: dense_less_sparse(rows, loss, ACTIVE) for loss in NET_SOLVERS}
    ours = f"active kernels at a share of {SHARES[-1]} minus those at {SHARES[0]}: " + ", ".join(
        f"{loss} {value.mean:+.0f} ± {value.error:.0f}" if value.degrees else f"{loss} {value}"
        for loss, value in found.items()
    )
    holds = timing.all_of([estimates.told(value) for value in found.values()])
    yield Claim("The elastic net leads from sparse to dense weights", ours, holds)
    found = {loss: dense_less_sparse(rows, loss, ACCURACY, 100) for loss in NET_SOLVERS}
    ours = "points of accuracy, dense minus sparse: " + ", ".join(
        f"{loss} {value}" for loss, value in found.items()
    )
    yield Claim("Its effect on accuracy (not a claim of the paper)", ours, common.NO_CLAIM)
    yield active_claim(rows)


def active_claim(rows):
    """Our spicy reads all kernels in every trial step: its time is no test of this."""
    sparse, dense = (
        [statistics.fmean(column(rows, "logistic", share, p)) for p in (ACTIVE, SECONDS)]
        for share in (SHARES[0], SHARES[-1])
    )
    ours = (
        f"{sparse[0]:.0f} active kernels: {number(sparse[1])} s, {dense[0]:.0f}: "
        f"{number(dense[1])} s; our `spicy` reads all kernels in every trial step, so its "
        "time does not test this"
    )
    words = "The cost of the inner minimisation follows the number of active kernels"
    return Claim(words, ours, None)


def gaps(options, folder, cost, limit):
    """Rows (draw, update, relative gap) of spicy to 1e-6."""
    n = sized(options, 40, 200, 400)
    rows = []
    for draw in range(sized(options, 1, 6, 10)):
        file = generate.write_csv(folder / "rate.csv", *generate.ringnorm(n, 1 + 10 * draw))
        problem = asked(file, "logistic", "spicy", cost, random_kernels(50, 3 + 10 * draw), 1e-6)
        result = common.train(*problem, most=limit)
        steps = [step["relative_gap"] for step in result["history"]]
        rows += [(draw, update, gap) for update, gap in enumerate(steps)]
    return rows


def rate_claim(rows):
    """Whether the factor of the gap falls: its mean logarithm over the second half of the updates
    less that over the first, a number for each draw."""
    halves, updates = [], []
    for draw in dict.fromkeys(row[0] for row in rows):
        found = [gap for d, _, gap in rows if d == draw and gap > 0]
        logs = [math.log10(b / a) for a, b in zip(found, found[1:], strict=False)]
        half = len(logs) // 2
        if half:
            halves.append((statistics.fmean(logs[:half]), statistics.fmean(logs[half:])))
            updates.append(len(logs))
    if not halves:
        return Claim("It converges super-linearly", "fewer than two updates", None)
    early, late = ([half[k] for half in halves] for k in (0, 1))
    change = estimates.paired(late, early)
    ours = (
        f"{common.span(updates)} updates to a gap of 1e-6; factor of the gap for each update, "
        f"first half {number(10 ** statistics.fmean(early), 2)}, second half "
        f"{number(10 ** statistics.fmean(late), 2)}; difference of their decimal logarithms: "
        f"{change}"
    )
    return Claim(
        "It converges super-linearly", ours, estimates.told(change._replace(mean=-change.mean))
    )
