"""How well kernmix and its peers predict, what their probabilities are worth and what they cost.

  python benchmarks/predict [FOLDER...] [--sets A,B] [--methods A,B] [--splits 5] [--most 700]
                            [--seconds 600] [--cells FILE] [--again A,B] [--page FILE]

FOLDER: data sets in the form of benchmarks/README.md. To them come sets that packages bring.
The tool is what the environment variable KERNMIX names. Each cell (set, split, contestant) is a
process of its own with one thread; what it finds becomes a line of --cells, and a cell that has a
line is not run again, unless its contestant is named by --again. A cell may use --seconds of
processor time. --page is written from all lines of --cells.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse  # noqa: E402
import functools  # noqa: E402
import hashlib  # noqa: E402
import json  # noqa: E402
import multiprocessing  # noqa: E402
import resource  # noqa: E402
import shutil  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import warnings  # noqa: E402
from importlib import metadata  # noqa: E402
from pathlib import Path  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import train  # noqa: E402
from contestants import METHODS  # noqa: E402
from page import write_page  # noqa: E402
from problem import Problem  # noqa: E402
from sets import AbsentError, sources  # noqa: E402

ROOT = HERE.parents[1]


def processor_seconds():
    """User and system, of this process and of the programs that it has run."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


def measured(problem, method):
    """What a cell says of the answer of a contestant."""
    with tempfile.TemporaryDirectory() as folder:
        answer = METHODS[method].prepare(problem, Path(folder))
        before = processor_seconds()
        found = answer()
        seconds = processor_seconds() - before
    result = {"score": problem.score(found.predictions), "seconds": round(seconds, 3)}
    probabilities = found.probabilities
    if probabilities is not None:
        probabilities = probabilities() if callable(probabilities) else probabilities
        result["log_loss"] = problem.log_loss(probabilities)
    if found.weights:
        result["weights"] = {name: round(w, 4) for name, w in found.weights.items()}
    if found.alone:
        result["alone"] = {name: round(score, 4) for name, score in found.alone.items()}
    return result


def work(problem, method, limit, pipe):
    """In a process of its own."""
    warnings.filterwarnings("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    try:
        result = measured(problem, method)
    except Exception as error:
        result = {"why": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    pipe.send(result)


def in_a_process(problem, method, limit):
    context = multiprocessing.get_context("fork")  # which has the data and the packages already
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(problem, method, limit, sending))
    process.start()
    sending.close()
    try:
        result = receiving.recv()
    except EOFError:
        result = {"why": f"killed by signal {-(process.exitcode or 0)}"}
    process.join()
    if process.exitcode == -signal.SIGXCPU:
        result = {"why": f"more than {limit} s"}
    return result


def description(data, split):
    """What makes a cell the same as an earlier one: the samples and who trains."""
    samples = hashlib.sha256(data.y.tobytes() + data.splits[split].tobytes())
    return {
        "set": data.name,
        "split": split,
        "samples": samples.hexdigest()[:12],
        "task": data.task,
        "sparse": data.sparse(),
        "views": len(data.views or data.grams),
        "train": int(data.splits[split].sum()),
        "test": int((~data.splits[split]).sum()),
    }


def key(cell):
    return cell["set"], cell["split"], cell["samples"], cell["method"]


def read_cells(file):
    """The last line of each cell, by its key."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {key(cell): cell for cell in map(json.loads, lines)}


@functools.cache
def version(package):
    """Of an installed package; of kernmix also which build, as versions outlive many of them."""
    if package != "kernmix":
        return metadata.version("scikit-learn" if package == "sklearn" else package)
    build = hashlib.sha256(Path(shutil.which(train.tool())).read_bytes()).hexdigest()
    return f"{train.kernmix('--version').stdout.split()[-1]} (build {build[:8]})"


def run_set(data, methods, options, cells):
    """Every cell of a set that has no line yet; writes the lines."""
    for split in range(len(data.splits)):
        problem, about = Problem(data, split), description(data, split)
        for method in methods:
            cell = about | {"method": method}
            again = method in options.again
            if not METHODS[method].takes(data) or (key(cell) in cells and not again):
                continue
            package = METHODS[method].package
            cell |= {"package": package, "version": version(package)}
            cell |= in_a_process(problem, method, options.seconds)
            with options.cells.open("a") as out:
                out.write(json.dumps(cell) + "\n")
            cells[key(cell)] = cell
            said = f"{cell['score']:.4f}" if "score" in cell else cell["why"]
            print(f"{data.name} {split} {method}: {said}", file=sys.stderr, flush=True)


def present(folders):
    for folder in folders:
        if folder.is_dir():
            yield folder
        else:
            print(f"{folder} is not here, skipped", file=sys.stderr)


def installed(methods):
    for method in methods:
        if METHODS[method].is_installed():
            yield method
        else:
            package = METHODS[method].package
            needed = "MKLpy 0.4" if package == "MKLpy" else package
            print(f"{method} is left out: {needed} is not installed", file=sys.stderr)


def names(text):
    return [name for name in text.split(",") if name]


def parse():
    parser = argparse.ArgumentParser(
        usage=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--sets", type=names)
    parser.add_argument("--methods", type=names, default=list(METHODS))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--most", type=int, default=700)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--cells", type=Path, default=ROOT / "build" / "predict-cells.jsonl")
    parser.add_argument("--again", type=names, default=[])
    parser.add_argument("--page", type=Path, default=HERE.parent / "results" / "predict.md")
    options = parser.parse_args()
    unknown = set(options.methods + options.again) - set(METHODS)
    if unknown:
        parser.error(f"no contestant {', '.join(unknown)}; there are {', '.join(METHODS)}")
    return parser, options


def main():
    parser, options = parse()
    found = sources(present(options.folders))
    missing = set(options.sets or []) - set(found)
    if missing:
        parser.error(f"no set {', '.join(missing)}; there are {', '.join(found)}")
    methods = list(installed(options.methods))
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    cells = read_cells(options.cells)
    for name in options.sets or found:
        try:
            run_set(found[name](options.most, options.splits), methods, options, cells)
        except (AbsentError, OSError) as reason:
            print(f"{name} is skipped: {reason}", file=sys.stderr)
    write_page(options.page, cells.values())


if __name__ == "__main__":
    main()
