"""Part of experiments/mixed-norms: training time of L1 as kernels grow, by mirror descent on one
group and by SimpleMKL, as in figure 2 of the paper."""

import pathlib
import tempfile

import common
import generate
import image_sets
import timing
from common import Claim, sized, table

SOLVERS = ["mirror-descent", "simple", "newton"]
PAIRS = [(1, 2), (3, 4)]  # classes of flower17: two binary problems, as in the paper


def plan(options):
    """(samples a class, numbers of kernels, seconds of a run)"""
    counts = [35, 350, 3500, 10003]
    return sized(options, (15, [14, 28], 2), (60, counts[:3], 10), (60, counts, 300))


def times(options, journal):
    """{problem: {(M, solver): timing}}. A solver that does not reach the gap is not tried on more
    kernels."""
    found = {}
    if not image_sets.available(options, journal, "flower17"):
        return found
    _, counts, _ = plan(options)
    for pair in PAIRS:
        cells = found.setdefault(f"flower17, classes {pair[0]} and {pair[1]}", {})
        for solver in SOLVERS:
            for count in counts:
                key = ["time", list(pair), solver, count]
                cells[count, solver] = journal.cell(
                    key, lambda p=pair, s=solver, c=count: one_training(options, p, s, c)
                )
                if cells[count, solver]["status"] != timing.CONVERGED:
                    break
    return found


def one_training(options, pair, solver, count):
    size, _, limit = plan(options)
    images = image_sets.load(tuple(options.data), "flower17")
    with tempfile.TemporaryDirectory() as folder:
        file, views = write_pair(pathlib.Path(folder), images, pair, size)
        return trained(file, views, solver, count, limit)


def write_pair(folder, images, pair, size):
    """(CSV of `size` samples of each of two classes, --view options)"""
    kept = image_sets.balanced(images.kept(image_sets.numpy.isin(images.labels, pair)), size)
    rows = image_sets.numpy.hstack(kept.views).tolist()
    file = folder / f"pair-{pair[0]}.csv"
    generate.write_csv(file, rows, [1 if c == pair[0] else -1 for c in kept.labels])
    words, first = [], 1
    for place, view in enumerate(kept.views):
        words += ["--view", f"v{place}=x{first}..x{first + view.shape[1] - 1}"]
        first += view.shape[1]
    return file, words


def trained(file, views, solver, count, limit):
    """Processor seconds of `kernmix train` on `count` Gaussians, as many widths for each view."""
    per_view = count * 2 // len(views)
    widths = "; ".join(f"{0.25 * 16 ** (k / max(per_view - 1, 1)):.6g}" for k in range(per_view))
    asked = [file, "--label", "y", *views, "--kernel", f"rbf(width=median*{{{widths}}}) on v*"]
    asked += ["--scale", "sqrt", "--normalize", "trace", "--regularizer", "l1", "-C", 10]
    asked += ["--solver", solver, "--tolerance", timing.GAP, "--max-iterations", 1000000]
    taken, result = timing.timed(*asked, limit=limit, runs=3, short=1, clock=False)
    return {**taken._asdict(), "kernels": result["n_kernels"], "objective": result["primal"]}


def as_timed(entry):
    return timing.Timed(**{name: entry[name] for name in timing.Timed._fields})


def time_table(found):
    lines = []
    for name, cells in found.items():
        for count in sorted({m for m, _ in cells}):
            own = [cells.get((count, solver)) for solver in SOLVERS]
            shown = [timing.shown(as_timed(entry)) if entry else None for entry in own]
            lines.append([name, str(count), *shown])
    return table(["problem", "M", *(f"`{solver}`, seconds" for solver in SOLVERS)], lines)


def answers(found):
    """({(problem, M): whether mirror descent is faster}, the largest factor that is sure)"""
    told, most = {}, 0.0
    for name, cells in found.items():
        for count in sorted({m for m, _ in cells}):
            pair = [cells.get((count, s)) for s in ("mirror-descent", "simple")]
            if all(pair):
                one, other = map(as_timed, pair)
                told[name, count] = timing.faster(one, other)
                if one.status == timing.CONVERGED:
                    most = max(most, other.least / one.most)
    return told, most


def claims(found):
    words = "Mirror descent (one group) takes less time than SimpleMKL on the same problem, L1"
    paper = "up to 12 times faster; 32 to 10,000 kernels"
    if not found:
        why = "the set flower17 is not here"
        yield Claim(words, paper, "-", None, why)
    else:
        told, most = answers(found)
        why = f"times differ by less than a factor of {timing.MARGIN}"
        ours = f"{most:.1f} times faster is the largest factor that is sure"
        for name in found:
            shown = [f"M = {m} {common.verdict(t, why)}" for (own, m), t in told.items() if own == name]
            ours += f"; {name}: {', '.join(shown)}"
        yield Claim(words, paper, ours, wherever(told), why)
    why = "our `simple` does not time its projections"
    words = "Most of the time of SimpleMKL's steps is projection"
    yield Claim(words, "in words", "-", None, why)


def wherever(told):
    """One verdict where all agree, else how many problems each is true of."""
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    counts = {word: 0 for word in (common.HOLDS, common.FAILS, common.UNKNOWN)}
    for answer in told.values():
        counts[common.verdict(answer)] += 1
    return "; ".join(f"{word} on {n} of {len(told)}" for word, n in counts.items() if n)


def draw(axes, found):
    name = next(iter(found))
    for place, solver in enumerate(SOLVERS):
        points = {m: as_timed(e) for (m, s), e in found[name].items() if s == solver}
        timing.plot_times(axes, points, f"C{place}", solver)
    title = f"{name}:\nseconds to a gap of {timing.GAP:g}"
    axes.set(xscale="log", yscale="log", xlabel="M", title=title)
    axes.legend()
