"""Timed trainings: repeated, with their status, compared with a margin, shown and drawn."""

import statistics
from typing import NamedTuple

import common

GAP = 1e-2  # relative, of runs that are not asked for another one
CONVERGED, TIME_LIMIT = "converged", "time limit"  # docs/reference/results.md
STOPPED = (TIME_LIMIT, "interrupted")  # by a limit of the clock, of the processor
MARGIN = 1.2  # times that differ by a smaller factor are not told apart


class Timed(NamedTuple):
    """Trainings on one problem, repeated where they are short: processor seconds of the solver
    (median, least, most), status and relative gap."""

    seconds: float
    least: float
    most: float
    runs: int
    status: str
    gap: float
    limit: float  # seconds that each run is given, of the clock or of a processor


TIMED = ["seconds", "least", "most", "runs", "status", "relative gap", "limit"]


def of(result, limit):
    """The Timed of one JSON of `common.train`."""
    seconds = result["solver_seconds"]
    return Timed(seconds, seconds, seconds, 1, result["status"], result["relative_gap"], limit)


def timed(*arguments, limit, runs=3, short=2, clock=True, model=None):
    """(Timed, JSON of the last) of `kernmix train`. Runs of more than `short` seconds are not
    repeated. The limit is one of the clock or of the processor, for which other programs do not
    matter."""
    found = []
    while len(found) < runs and (not found or found[0].seconds <= short):
        if clock:
            result = common.train(*arguments, "--time-limit", f"{limit}s", model=model)
        else:
            result = common.train(*arguments, most=limit, model=model)
        found.append(of(result, limit))
    return pooled(found), result


def pooled(found):
    """One Timed of several, with the least favourable status and gap."""
    worst = max(found, key=lambda one: (one.status != CONVERGED, one.status not in STOPPED))
    middle = statistics.median(one.seconds for one in found)
    spread = [middle, min(one.least for one in found), max(one.most for one in found)]
    runs = sum(one.runs for one in found)
    return Timed(*spread, runs, worst.status, max(one.gap for one in found), found[0].limit)


def shown(found):
    """A cell for a Timed: seconds, `>` of runs that the limit stopped; others that did not reach
    the gap by their status; - for None."""
    if found is None:
        return "-"
    if found.status == CONVERGED:
        return common.number(found.seconds)
    gap = f"(gap {common.number(found.gap, 2)})"
    words = ">" if found.status in STOPPED else f"{found.status} at"
    return f"{words} {common.number(found.seconds)} {gap}"


def faster(one, other):
    """Whether one Timed ends before another: the slowest of its runs is MARGIN times faster than
    the fastest of the other, which takes longer still where it ended before the gap, by a limit or
    because it stalled. None where this does not decide."""
    return True if before(one, other) else False if before(other, one) else None


def before(one, other):
    return one.status == CONVERGED and MARGIN * one.most <= other.least


def voided(one, other):
    """Whether a comparison cannot be decided because a run stalled before the gap, so that it is
    left out of a verdict over several problems."""
    return faster(one, other) is None and any(timed.status not in (CONVERGED, *STOPPED) for timed in (one, other))


def all_of(answers):
    """Whether all are true; None where none is false and some are undecided."""
    return False if False in answers else None if None in answers else True


def plot_times(axes, points, color, label):
    """A line of {size: Timed}, hollow where the gap was not reached."""
    found = sorted(points.items())
    axes.plot(*zip(*((x, t.seconds) for x, t in found), strict=True), color=color, label=label)
    for size, at in found:
        fill = color if at.status == CONVERGED else "white"
        axes.plot(size, at.seconds, "o", color=color, markerfacecolor=fill)
