"""What the experiments share: one run of kernmix, tables, verdicts, pages and figures.

Standard library only; a figure needs matplotlib and is left out, with a word, without it.
The tool is what the environment variable KERNMIX names, else build/release/cli/kernmix.
"""

import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent
REFUSED = 2  # docs/reference/errors.md
BEFORE_TOLERANCE = 5  # stopped early, with the best certified answer
HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "not decided"

# What `kernmix train` is told wherever an experiment does not say it, so that defaults of kernmix
# can change and the numbers stay. The kernel is for data in one view.
SETTINGS = {
    "--kernel": "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6})",
    "--normalize": "trace",
    "--scale": "standard",
    "--loss": "hinge",
    "-C": 1,
}


def tool():
    return os.environ.get("KERNMIX", str(ROOT / "build" / "release" / "cli" / "kernmix"))


class Done(NamedTuple):
    """A command that has ended: exit code, standard error, processor seconds (user and system)."""

    code: int
    errors: str
    processor: float


def kernmix(*arguments, most=math.inf):
    """One run of the tool, interrupted (Ctrl-C) after `most` processor seconds."""
    command = [tool(), *(str(argument) for argument in arguments)]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        if most < math.inf:
            interrupt_after(process, most)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return Done(process.returncode, errors.read(), usage.ru_utime + usage.ru_stime)


def interrupt_after(process, most):
    """Returns when the process has ended or has been interrupted. Linux alone tells how much of
    the processor another process has had."""
    stat = pathlib.Path(f"/proc/{process.pid}/stat")
    while True:
        state, *fields = stat.read_text().rpartition(")")[2].split()
        if state == "Z":
            return
        if sum(map(int, fields[10:12])) / os.sysconf("SC_CLK_TCK") > most:
            process.send_signal(signal.SIGINT)
            return
        time.sleep(0.01)


class RefusedError(Exception):
    """The tool has no method for what it was asked; its words."""


def run(*arguments, allowed=(0,), threads=1, most=math.inf, may_refuse=False):
    """The JSON of one run, with `processor`, its processor seconds, added.

    Ends the program, with what the tool says, at any other exit code; raises RefusedError at code 2 of
    a request that `may_refuse`."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "run.json"
        done = kernmix(*arguments, "--threads", threads, "--quiet", "--json", result, most=most)
        if may_refuse and done.code == REFUSED:
            raise RefusedError(done.errors)
        if done.code not in allowed:
            sys.exit(f"kernmix {shlex.join(map(str, arguments))}\nended with {done.code}: {done.errors}")
        return {**json.loads(result.read_text()), "processor": done.processor}


def settled(arguments):
    """Options of `kernmix train`, with SETTINGS where they say nothing."""
    said = set(map(str, arguments))
    missing = {flag: value for flag, value in SETTINGS.items() if flag not in said}
    return [*arguments, *(word for option in missing.items() for word in option)]


def train(*arguments, model=None, most=math.inf, may_refuse=False):
    """The result of `kernmix train` with SETTINGS; a run that a limit stops counts.
    `solver_seconds` is added: the solver's share of the processor time, for which other programs do
    not matter."""
    with tempfile.TemporaryDirectory() as folder:
        kept = model or pathlib.Path(folder) / "model.kmx"
        asked = [*settled(arguments), "-o", kept]
        result = run("train", *asked, allowed=(0, BEFORE_TOLERANCE), most=most, may_refuse=may_refuse)
    seconds = result["seconds"]
    result["solver_seconds"] = result["processor"] * seconds["solve"] / max(seconds["total"], 1e-9)
    return result


def train_by(solvers, *arguments, **limits):
    """(solver, result of training) by the first of these solvers that takes the problem."""
    for solver in solvers[:-1]:
        try:
            return solver, train(*arguments, "--solver", solver, may_refuse=True, **limits)
        except RefusedError:
            continue
    return solvers[-1], train(*arguments, "--solver", solvers[-1], **limits)


def try_each(parts, label, candidates, read=None, most=math.inf):
    """[(JSON of training, validation, tests)] of each list of options: what `read(model, file)`, or
    `kernmix evaluate`, says of validation and of test samples. The parts: files for training,
    validation and tests"""
    model = parts[0].with_suffix(".kmx")
    read = read or (lambda model, file: evaluate(model, file, "--label", label))
    found = []
    for options in candidates:
        trained = train(parts[0], "--label", label, *options, model=model, most=most)
        found.append((trained, *(read(model, part) for part in parts[1:])))
    return found


def best_place(scores):
    """The place of the best score in a grid; of equals the middle one."""
    equals = [place for place, score in enumerate(scores) if score == max(scores)]
    return equals[len(equals) // 2]


def evaluate(model, *data):
    return run("evaluate", model, *data)


def metric(evaluation, name):
    """A metric of `kernmix evaluate`; those of many tasks are means over the tasks."""
    for entry in evaluation["metrics"]:
        if entry["name"] == name:
            return entry["value"]
    return next(entry["macro"] for entry in evaluation["classwise"] if entry["name"] == name)


def of_each(evaluation, name):
    """{class or label: value} of a metric that each of them has."""
    found = next(entry for entry in evaluation["classwise"] if entry["name"] == name)
    values = [entry["value"] for entry in found["values"]]
    return dict(zip(evaluation["names"], values, strict=True))


def kernels(expressions):
    return [word for expression in expressions for word in ("--kernel", expression)]


def column_views(sets):
    """--view options for sets of columns x1, x2, ... of generate.write_csv: v0, v1, ..."""
    words = []
    for place, columns in enumerate(sets):
        words += ["--view", f"v{place}=" + ",".join(f"x{j + 1}" for j in columns)]
    return words


def in_parallel(function, items):
    """[function(item)] on all cores: for accuracies, not for times."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def number(value, digits=3):
    """A short form of a number, - for None."""
    return "-" if value is None else value if isinstance(value, str) else f"{value:.{digits}g}"


def span(values):
    """The range of whole numbers in words."""
    least, most = min(values), max(values)
    return f"{least}" if least == most else f"{least} to {most}"


def table(columns, rows):
    """Lines of a Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(number(cell) for cell in row) + " |" for row in rows]


def verdict(holds, why=""):
    """The word for True, False and None, with the reason of None; another word is its own."""
    if isinstance(holds, str):
        return holds
    if holds is None:
        return f"{UNKNOWN}: {why}" if why else UNKNOWN
    return HOLDS if holds else FAILS


class Claim(NamedTuple):
    """What a paper claims, its own numbers for it, what was measured here with errors, whether it
    holds (None: not decided; another word is its own), and why it is not decided."""

    words: str
    paper: str
    ours: str
    holds: bool | None | str
    why: str = ""


class Page:
    """experiments/results/NAME.md, with NAME.csv and figures beside it.

    Parts lie between marks that docs/explanation/papers.md includes by name."""

    def __init__(self, name, title, journal, options):
        self.name, self.folder, self.journal = name, options.results, journal
        self.title, self.lines = title, []
        self.size = "full" if options.full else "tiny" if options.tiny else "default"

    def part(self, name, heading, lines):
        """A section; `lines` are Markdown."""
        self.lines += [f"## {heading}", "", f"<!-- --8<-- [start:{name}] -->", "", *lines, ""]
        self.lines += [f"<!-- --8<-- [end:{name}] -->", ""]

    def claims(self, claims):
        rows = [(c.words, c.paper, c.ours, verdict(c.holds, c.why)) for c in claims]
        lines = table(["claim", "the paper's numbers", "ours, ± standard error", "verdict"], rows)
        self.part("claims", "Claims", lines)

    def figure(self, draw, label, suffix=""):
        """A figure by draw(pyplot); without matplotlib the one that is there."""
        file = f"{self.name}{suffix}.svg"
        if save_figure(self.folder / file, draw) or (self.folder / file).exists():
            self.part(f"figure{suffix}", "Figure", [f"![{label}]({file})"])

    def data(self, columns, rows, suffix=""):
        """All measurements behind the page, one row each."""
        with open(self.folder / f"{self.name}{suffix}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([number(cell, 6) for cell in row] for row in rows)

    def write(self):
        if self.journal.data:
            self.part("data", "Data files", self.journal.data_table())
        lines = [f"# {self.title}", "", self.measured(), "", *self.lines]
        file = self.folder / f"{self.name}.md"
        file.write_text("\n".join(lines).rstrip() + "\n")
        print(f"wrote {file}")

    def measured(self):
        """What measured the numbers, in one sentence."""
        head, option = self.journal.head, "" if self.size == "default" else f" --{self.size}"
        return (
            f"Measured by `experiments/{self.name}{option}` (the {self.size} run): "
            f"{len(self.journal.cells)} cells, {self.journal.seconds / 60:.1f} minutes of their "
            f"clocks, on {head['cores']} cores ({head['machine']}), with {head['build']}, binary "
            f"`{head['tool']}`, Python {head['python']}. `experiments/{self.name}{option} --page` "
            f"writes this page from `{self.name}.jsonl`."
        )


def build():
    """The version of the tool and the kind of its build, where it lies in a build folder."""
    version = subprocess.run([tool(), "--version"], capture_output=True, text=True).stdout.strip()
    cache = pathlib.Path(tool()).resolve().parents[1] / "CMakeCache.txt"
    kinds = cache.read_text().splitlines() if cache.exists() else []
    kind = [line.split("=", 1)[1] for line in kinds if line.startswith("CMAKE_BUILD_TYPE:")]
    return f"{version} ({kind[0]} build)" if kind else version


def save_figure(file, draw):
    """Whether there is matplotlib to draw with."""
    try:
        import matplotlib
    except ImportError:
        print(f"matplotlib is not installed: no figure {file.name}", file=sys.stderr)
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "kernmix"  # the same figure for the same numbers
    from matplotlib import pyplot

    draw(pyplot)
    pyplot.tight_layout()
    pyplot.savefig(file, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close("all")
    return True


def arguments(description, given=None):
    """The command line of every experiment; `words` is how it was called, without its folders."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="the sizes of the paper: up to two hours")
    size.add_argument("--tiny", action="store_true", help="seconds, for the tests")
    parser.add_argument("--page", action="store_true", help="write the page from the results, measure nothing")
    parser.add_argument("--results", type=pathlib.Path, default=FOLDER / "results")
    parser.add_argument(
        "--data",
        type=folders,
        default=folders(os.environ.get("KERNMIX_DATA", str(FOLDER / "data"))),
        metavar="FOLDER[:FOLDER]",
        help="where data sets are [default: KERNMIX_DATA, else experiments/data]",
    )
    options = parser.parse_args(given)
    options.words = [f"--{name}" for name in ("full", "tiny") if getattr(options, name)]
    return options


def folders(text):
    """The folders of a list that is separated as PATH is."""
    return [pathlib.Path(word) for word in text.split(os.pathsep) if word]


def sized(options, tiny, default, full):
    """One of three values, by the size that was asked for."""
    return tiny if options.tiny else full if options.full else default
