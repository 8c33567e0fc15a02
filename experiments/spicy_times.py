"""Part of experiments/spicy: training time against the number of kernels and of samples, against
the number of active kernels, and the rate of convergence."""

import itertools
import math
import pathlib
import statistics
import tempfile

import common
import data_sets
import estimates
import generate
import timing
from common import Claim, number, sized, table

OTHERS = {"simple": "SimpleMKL", "silp": "SILP"}  # of the time of the slides
SOLVERS = ["spicy", *OTHERS, "level", "newton"]
SETS = ["ringnorm", "twonorm", "waveform", "banana", "diabetes", "heart"]
DRAWN = {"ringnorm": generate.ringnorm, "twonorm": generate.twonorm, "waveform": generate.waveform}
COST = 100  # the slides weigh the regularizer lightly
WIDTHS = "{0.1; 0.25; 0.5; 0.75; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 14; 15; 16; 17; 18; 19; 20}"
ALL_AND_EACH = [f"rbf(width={WIDTHS}) on all", f"rbf(width={WIDTHS}) on all, each"]
RANDOM_COLUMNS = "rbf(width=median*{0.25; 0.35; 0.5; 0.7; 1; 1.4; 2; 2.8; 4; 5.6}) on v*"
SHARES = [0.0, 0.1, 0.3, 0.5, 0.7, 0.9]  # of the dense penalty
STATUS = timing.Timed._fields.index("status")
NEAR = 0.3  # of exponents: "almost the same growth"
MANY = 1000  # kernels


def limit(options):
    return sized(options, 2, 5, 120)


def asked(loss, solver, cost, gap=timing.GAP):
    """No limit of iterations ends a run."""
    return ["--loss", loss, "--solver", solver, "-C", cost, "--tolerance", gap] + [
        "--max-iterations",
        1000000,
    ]


def measured(options, file, kernels, loss, solver, **words):
    """One training: times, active kernels, objective; {"refused": words} where the tool has none."""
    problem = [file, "--label", "y", *kernels, *asked(loss, solver, COST)]
    try:
        result = common.train(*problem, most=limit(options), may_refuse=True)
    except common.RefusedError as refused:
        return {"refused": str(refused).strip().splitlines()[-1]}
    timed = timing.of(result, limit(options))
    own = {"active": result["n_kernels_used"], "kernels": result["n_kernels"]}
    return {"timed": list(timed), **own, "objective": result["primal"], **words}


def random_kernels(count, seed):
    views = common.column_views(generate.subsets(20, count // 10, seed))
    return [*views, "--kernel", RANDOM_COLUMNS]


def with_file(rows, labels, use):
    with tempfile.TemporaryDirectory() as folder:
        return use(generate.write_csv(pathlib.Path(folder) / "data.csv", rows, labels))


def kernels_plan(options):
    """(samples, numbers of kernels, draws)"""
    counts = [100, 300, 1000, 3000]
    return sized(options, (40, [10, 20, 40], 2), (100, counts[:3] + [2000], 3), (400, [*counts, 6000], 5))


def against_kernels(options, journal):
    """{(loss, solver, M): [cell of each draw]}. A solver that does not reach the gap in
    every draw is not tried on more kernels; SimpleMKL has one draw."""
    n, counts, draws = kernels_plan(options)
    found, left = {}, set()
    cases = [("logistic", solver) for solver in SOLVERS] + [("hinge", "spicy"), ("hinge", "silp")]
    for count, (loss, solver) in itertools.product(counts, cases):
        if (loss, solver) in left:
            continue

        def one(draw, count=count, loss=loss, solver=solver):
            key = ["kernels", n, count, loss, solver, draw]
            return journal.cell(key, lambda: one_count(options, n, count, loss, solver, draw))

        cells = common.in_parallel(one, range(1 if solver == "simple" else draws))
        found[loss, solver, count] = cells
        if any("refused" in cell or cell["timed"][STATUS] != timing.CONVERGED for cell in cells):
            left.add((loss, solver))
    return found


def one_count(options, n, count, loss, solver, draw):
    kernels = random_kernels(count, 3 + 10 * draw)
    drawn = generate.ringnorm(n, 1 + 10 * draw)
    return with_file(*drawn, lambda file: measured(options, file, kernels, loss, solver))


def samples_plan(options):
    return sized(options, [20, 30, 40], [50, 100, 200], [100, 200, 400, 800, 1600])


def against_samples(options, journal):
    """{(set, solver, n): cell} of Gaussians of the 24 widths on all columns and on each."""
    cells = []
    for name in sized(options, SETS[2:3], SETS[::2] + SETS[-1:], SETS):
        if name in DRAWN or data_sets.available(options, journal, name):
            sizes = [n for n in samples_plan(options) if name in DRAWN or n <= journal.data[name]["samples"]]
            cells += itertools.product([name], SOLVERS, sizes)

    def one(cell):
        name, solver, n = cell
        return journal.cell(["samples", name, n, solver], lambda: samples_cell(options, name, n, solver))

    return dict(zip(cells, common.in_parallel(one, cells), strict=True))


def samples_cell(options, name, n, solver):
    if name in DRAWN:
        rows, labels = DRAWN[name](n, 2)
    else:
        part = data_sets.load(tuple(options.data), name).drawn(n, 2)
        rows, labels = part.rows, part.labels
    kernels = common.kernels(ALL_AND_EACH)
    return with_file(rows, labels, lambda file: measured(options, file, kernels, "logistic", solver))


def against_active(options, journal):
    """{(draw, share): cell} of spicy on the elastic net (1 - t) ||f|| + t/2 ||f||^2."""
    n, count, draws = sized(options, (40, 20, 2), (200, 1000, 3), (400, 3000, 10))
    cells = list(itertools.product(range(draws), SHARES))

    def one(cell):
        return journal.cell(["active", n, count, *cell], lambda: one_share(options, n, count, *cell))

    return dict(zip(cells, common.in_parallel(one, cells), strict=True))


def one_share(options, n, count, draw, share):
    kernels = random_kernels(count, 3 + 10 * draw)
    kernels += ["--regularizer", f"elastic-net:l1={1 - share:g},l2={share:g}"]
    drawn = generate.ringnorm(n, 1 + 10 * draw)
    return with_file(*drawn, lambda file: measured(options, file, kernels, "logistic", "spicy"))


def rates(options, journal):
    """[relative gaps of the updates] of spicy to 1e-6, one list a draw."""
    n, draws = sized(options, (40, 2), (200, 6), (400, 10))

    def one(draw):
        return journal.cell(["rate", n, draw], lambda: one_rate(options, n, draw))

    return common.in_parallel(one, range(draws))


def one_rate(options, n, draw):
    def gaps(file):
        problem = [file, "--label", "y", *random_kernels(50, 3 + 10 * draw)]
        problem += asked("logistic", "spicy", COST, 1e-6)
        history = common.train(*problem, most=limit(options))["history"]
        return [step["relative_gap"] for step in history]

    return with_file(*generate.ringnorm(n, 1 + 10 * draw), gaps)


def together(cells):
    """The Timed of some cells; None where there is none, or the tool has no such method."""
    kept = [timing.Timed(*cell["timed"]) for cell in cells or [] if "timed" in cell]
    return timing.pooled(kept) if kept else None


WITHIN = "times overlap, or a run did not end"
ABSTRACT = "(Abstract of arXiv:0909.5026) "


def many_claims(found):
    """Above MANY kernels, or at the most, against each of the others."""
    counts = sorted({count for _, _, count in found})
    most = [count for count in counts if count > MANY] or counts[-1:]
    for other, name in OTHERS.items():
        words, answers = [], []
        for count in most:
            one, two = (together(found.get(("logistic", s, count))) for s in ("spicy", other))
            if two is None:  # not tried: it did not reach the gap on fewer kernels
                two = slowest(found, other, count)
            answers.append(timing.faster(one, two))
            words.append(f"M = {count}: {timing.shown(one)} s against {timing.shown(two)} s")
        claim = f"{ABSTRACT}With more than {MANY} kernels it is faster than {name}"
        yield Claim(claim, "in words", "; ".join(words), timing.all_of(answers), WITHIN)


def slowest(found, solver, count):
    """The Timed of the most kernels below `count` that a solver was tried on: a lower bound."""
    tried = [m for _, s, m in found if s == solver and m < count]
    return together(found["logistic", solver, max(tried)])


def slopes(points):
    """The exponent of one list of (size, Timed), of the runs that reached the gap; None of fewer
    than three."""
    logs = [(math.log(x), math.log(t.seconds)) for x, t in points if t.status == timing.CONVERGED]
    return statistics.linear_regression(*zip(*logs, strict=True)).slope if len(logs) >= 3 else None


def kernel_powers(found, solver):
    """Exponents of M, one a draw."""
    draws = {}
    for (loss, name, count), cells in found.items():
        if (loss, name) == ("logistic", solver):
            for draw, cell in enumerate(cells):
                draws.setdefault(draw, []).append((count, timing.Timed(*cell["timed"])))
    return [slope for points in draws.values() if (slope := slopes(points)) is not None]


def kernel_growth_claim(found):
    """Efficient where M is large: its exponent of M is less than that of a method that existed."""
    own, other = (kernel_powers(found, solver) for solver in ("spicy", "silp"))
    shown = ", ".join(f"`{s}` {estimates.estimate(p).unsigned()}" for s in SOLVERS if (p := kernel_powers(found, s)))
    pairs = list(zip(own, other, strict=False))
    less = estimates.estimate([b - a for a, b in pairs]) if pairs else None
    words = "It scales well with the number of kernels (here: a smaller exponent than SILP)"
    holds = less and estimates.told(less)
    why = "too few runs reached the gap" if less is None else "the exponents are within their errors"
    return Claim(words, "figure, no numbers", f"exponent of M: {shown}", holds, why)


def sample_powers(found, solver, other=None):
    """{set: exponent of n}, with another solver of the n at which both reached the gap"""
    points = {}
    for (name, own, n), cell in found.items():
        if own == solver and timing.Timed(*found[name, other or own, n]["timed"]).status == timing.CONVERGED:
            points.setdefault(name, []).append((n, timing.Timed(*cell["timed"])))
    return {name: s for name, own in points.items() if (s := slopes(own)) is not None}


def sample_growth_claim(found):
    """Over the sets: its exponent of n less that of the others, whose runs reached the gap."""
    words, apart = [f"`spicy` {mean_words(sample_powers(found, 'spicy'))}"], []
    for other in [*OTHERS, "newton"]:  # `newton` for HessianMKL
        own, theirs = sample_powers(found, "spicy", other), sample_powers(found, other, "spicy")
        shared = [name for name in own if name in theirs]
        if len(shared) > 1:
            apart.append(estimates.estimate([own[name] - theirs[name] for name in shared]))
            words.append(f"`{other}` {mean_words(theirs)}, `spicy` less it {apart[-1]}")
    answers = [estimates.within(one, NEAR) for one in apart]
    claim = (
        "Its time grows with the number of samples almost as that of existing methods (here: "
        f"exponents within {NEAR:g})"
    )
    ours = "exponent of n, mean of the sets: " + "; ".join(words)
    holds = timing.all_of(answers) if answers else None
    return Claim(claim, "figure, no numbers", ours, holds, f"an error reaches {NEAR:g}")


def mean_words(powers):
    return estimates.estimate(list(powers.values())).unsigned() if powers else "-"


def benchmark_rows(found):
    """(set, n, {solver: Timed}) at the most samples of each set."""
    sizes = {}
    for name, _, n in found:
        sizes[name] = max(n, sizes.get(name, 0))
    for name, n in sizes.items():
        yield name, n, {s: together([found[name, s, n]]) for s in SOLVERS}


def active_claim(found):
    """The slope of log time in log active kernels over the elastic nets, one number a draw."""
    own = []
    for draw in dict.fromkeys(d for d, _ in found):
        cells = [found[draw, share] for share in SHARES]
        points = [(cell["active"], timing.Timed(*cell["timed"])) for cell in cells]
        if (slope := slopes(points)) is not None:
            own.append(slope)
    actives = [cell["active"] for cell in found.values()]
    words = f"{ABSTRACT}Its cost follows the number of active kernels (there: of inner minimisation; here: of whole "
    words += "runs, with passes over all kernels, and an exponent above 0.5)"
    if not own:
        return Claim(words, "in words", "-", None, "too few runs reached the gap")
    power = estimates.estimate(own)
    ours = f"{min(actives)} to {max(actives)} active kernels: exponent {power.unsigned()}"
    holds = estimates.told(power._replace(mean=power.mean - 0.5))
    return Claim(words, "in words", ours, holds, "the exponent is within its error of 0.5")


def rate_claim(found):
    """Whether the factor of the gap falls: its mean logarithm over the second half of the updates
    less that over the first, a number for each draw."""
    halves, updates = [], []
    for gaps in found:
        kept = [gap for gap in gaps if gap > 0]
        logs = [math.log10(b / a) for a, b in zip(kept, kept[1:], strict=False)]
        half = len(logs) // 2
        if half:
            halves.append((statistics.fmean(logs[:half]), statistics.fmean(logs[half:])))
            updates.append(len(logs))
    words = f"{ABSTRACT}It converges super-linearly"
    if not halves:
        return Claim(words, "in words", "-", None, "fewer than two updates")
    early, late = ([half[k] for half in halves] for k in (0, 1))
    change = estimates.paired(late, early)
    ours = (
        f"{common.span(updates)} updates to a gap of 1e-6; factor of the gap for each update, "
        f"first half {number(10 ** statistics.fmean(early), 2)}, second half "
        f"{number(10 ** statistics.fmean(late), 2)}; difference of their decimal logarithms: {change}"
    )
    holds = estimates.told(change._replace(mean=-change.mean))
    return Claim(words, "in words", ours, holds, "the factor is within its error")


def hinge_claim(found):
    """Whether the hinge loss is solved, at the most kernels that all draws were tried on."""
    cells = {m: own for (loss, s, m), own in found.items() if (loss, s) == ("hinge", "spicy")}
    words = "The hinge loss is solved by almost the same algorithm, with a Moreau envelope"
    refused = [cell["refused"] for own in cells.values() for cell in own if "refused" in cell]
    if refused:
        return Claim(words, "in words", "-", None, "this build has `spicy` for smooth duals only")
    shown = [f"M = {m} {timing.shown(together(own))} s" for m, own in cells.items()]
    holds = all(together(own).status == timing.CONVERGED for own in cells.values())
    return Claim(words, "in words", f"to a gap of {timing.GAP:g}: " + ", ".join(shown), holds)


def kernels_table(found):
    cases = list(dict.fromkeys((loss, solver) for loss, solver, _ in found))
    lines = []
    for count in sorted({count for _, _, count in found}):
        cells = [timing.shown(together(found.get((*case, count)))) for case in cases]
        actives = [c["active"] for c in found["logistic", "spicy", count] if "active" in c]
        lines.append([str(count), common.span(actives), *cells])
    return table(["M", "active kernels", *(f"`{s}`, {loss}" for loss, s in cases)], lines)


def samples_table(found):
    lines = []
    for name, n in dict.fromkeys((name, n) for name, _, n in found):
        cells = [timing.shown(together([found[name, s, n]])) for s in SOLVERS]
        lines.append([name, str(n), str(found[name, "spicy", n]["kernels"]), *cells])
    return table(["set", "n", "M", *(f"`{s}`, seconds" for s in SOLVERS)], lines)


def active_table(found):
    lines = []
    for share in SHARES:
        cells = [cell for (_, t), cell in found.items() if t == share]
        active = statistics.fmean(cell["active"] for cell in cells)
        lines.append([share, f"{active:.0f}", timing.shown(together(cells))])
    return table(["share of the dense penalty", "active kernels, mean", "seconds"], lines)


def rows(kernels, samples):
    for (loss, solver, count), cells in kernels.items():
        for draw, cell in enumerate(cells):
            if "timed" in cell:
                yield "kernels", "ringnorm", count, loss, solver, draw, *row_of(cell)
    for (name, solver, n), cell in samples.items():
        yield "samples", f"{name} {n}", cell["kernels"], "logistic", solver, 0, *row_of(cell)


def row_of(cell):
    return [*cell["timed"], cell["active"], cell["objective"]]


COLUMNS = ["part", "data", "M", "loss", "solver", "draw", *timing.TIMED, "active", "objective"]


def draw_kernels(axes, found):
    for color, solver in enumerate(SOLVERS):
        points = {m: together(c) for (lo, s, m), c in found.items() if (lo, s) == ("logistic", solver)}
        timing.plot_times(axes, points, f"C{color}", solver)
    axes.set(xscale="log", yscale="log", xlabel="M", title="ringnorm: seconds")


def draw_samples(axes, found):
    name = next(iter(found))[0]
    for color, solver in enumerate(SOLVERS):
        points = {n: together([c]) for (d, s, n), c in found.items() if (d, s) == (name, solver)}
        timing.plot_times(axes, points, f"C{color}", solver)
    axes.set(xscale="log", yscale="log", xlabel="n", title=f"{name}: seconds")
