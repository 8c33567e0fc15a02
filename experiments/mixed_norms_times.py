"""Part of experiments/mixed-norms: training time as kernels grow."""

import itertools
import pathlib
import tempfile
from typing import NamedTuple

import common
import generate
import timing
from common import Claim, sized, table
from timing import Timed

SOLVERS = [  # problem, solver
    ("mixed-norm:q=inf", "mixed-norm-printed"),
    ("mixed-norm:q=inf", "mixed-norm-sound"),
    ("mixed-norm:q=inf", "saddle-newton"),
    ("l1", "mirror-descent"),
    ("l1", "simple"),
    ("l1", "newton"),
]


class Trained(NamedTuple):
    """A training that was timed."""

    count: int  # of kernels
    regularizer: str
    solver: str
    time: Timed
    iterations: int
    objective: float


def times(options):
    """[Trained] on ten groups of kernels on random halves of the columns of waveform. A solver that
    does not reach the gap is not tried on more kernels."""
    n, limit = sized(options, (30, 2), (100, 30), (200, 600))
    counts = sized(options, [20, 40], [50, 500, 5000, 10000], [50, 500, 5000, 10000])
    rows, left_out = [], set()
    with tempfile.TemporaryDirectory() as folder:
        file = generate.write_csv(pathlib.Path(folder) / "wave.csv", *generate.waveform(n, 5))
        for count, (regularizer, solver) in itertools.product(counts, SOLVERS):
            if solver in left_out:
                continue
            asked = ["--regularizer", regularizer, "--solver", solver, "--tolerance", timing.GAP]
            data = [file, "--label", "y", *grouped_kernels(count), "--max-iterations", 100000]
            taken, result = timing.timed(*data, *asked, limit=limit, clock=False)
            found = taken, result["iterations"], result["primal"]
            rows.append(Trained(count, regularizer, solver, *found))
            if taken.status != timing.CONVERGED:
                left_out.add(solver)
    return n, limit, rows


def grouped_kernels(count, groups=10):
    """Gaussians of `count` / `groups` widths on one random half of the columns for each group."""
    words = common.column_views(generate.subsets(21, groups, 7))
    per_group = count // groups
    widths = "; ".join(f"{0.25 * 16 ** (k / max(per_group - 1, 1)):.6g}" for k in range(per_group))
    return [*words, "--kernel", f"rbf(width=median*{{{widths}}}) on v*"]


def at(rows, count, solver):
    """The Timed of a solver, None where it was not tried."""
    return next((r.time for r in rows if (r.count, r.solver) == (count, solver)), None)


def time_table(rows):
    columns = ["M", *(f"`{solver}`, {problem.partition(':')[0]}" for problem, solver in SOLVERS)]
    lines = []
    for count in sorted({row.count for row in rows}):
        found = [at(rows, count, solver) for _, solver in SOLVERS]
        lines.append([str(count), *(timing.shown(own) if own else None for own in found)])
    return table(columns, lines)


def compared(rows, solver, other="simple"):
    """What is said of two solvers, and for which M the first is faster."""
    words, answers = [], {}
    for count in sorted({row.count for row in rows}):
        both = {name: at(rows, count, name) for name in (solver, other)}
        if all(both.values()):
            answers[count] = timing.faster(*both.values())
            cells = ", ".join(f"`{name}` {timing.shown(own)}" for name, own in both.items())
            words.append(f"M = {count}: {cells}")
    return "seconds: " + "; ".join(words), wherever(answers)


def wherever(answers):
    """The verdict from {M: whether it holds there}: one word, or for which M each word is true."""
    found = {word: [] for word in (common.HOLDS, common.FAILS, common.UNKNOWN)}
    for count, holds in answers.items():
        found[common.verdict(holds)].append(str(count))
    words = {
        word: f"{word} for M = {', '.join(counts)}" for word, counts in found.items() if counts
    }
    return next(iter(words)) if len(words) == 1 else "; ".join(words.values())


def time_claims(rows):
    words = "Mirror descent on mixed norms takes less time than SimpleMKL on L1"
    yield Claim(words, *compared(rows, "mixed-norm-printed"))
    words = "Mirror descent takes less time than SimpleMKL on the same problem, L1"
    yield Claim(words, *compared(rows, "mirror-descent"))
    largest = max(row.count for row in rows)
    ours = f"M = {largest}, seconds: " + ", ".join(
        f"{row.regularizer.partition(':')[0]} by `{row.solver}` {timing.shown(row.time)}"
        for row in rows
        if row.count == largest and row.solver in ("saddle-newton", "newton")
    )
    yield Claim("Default solvers of kernmix (not in the paper)", ours, common.NO_CLAIM)


def draw_times(axes, rows):
    for place, (_, solver) in enumerate(SOLVERS):
        points = {row.count: row.time for row in rows if row.solver == solver}
        timing.plot_times(axes, points, f"C{place}", solver)
    title = f"processor seconds to a gap of {timing.GAP:g}"
    axes.set(xscale="log", yscale="log", xlabel="M", title=title)
