#!/usr/bin/env python3
"""kernmix beside scikit-learn, MKLpy and himalaya: the same kernels in memory, the same splits.

  benchmarks/python/peers.py [--data FOLDER] [--seconds 60] [--splits 5] [--only NAME,...]

Each pair of a data set and a method has a process of its own, which is given normalised kernels of
the training and of the test samples. `processor seconds` are those of `fit`, user and system of all
threads, the median over the splits; `MB` the peak of the process during `fit` above what it held
before. A process may use --seconds of processor time for all its splits. What is not installed is
left out. Prints the table benchmarks/results/python-peers.md.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy is imported

import argparse  # noqa: E402
import json  # noqa: E402
import platform  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from importlib.metadata import version  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))
from peer_data import DATA, load, split_kernels  # noqa: E402
from peer_methods import METHODS  # noqa: E402

PACKAGES = ("kernmix", "scikit-learn", "MKLpy", "torch", "himalaya", "numpy")
HEAD = ["data", "method", "solves", "score", "+-", "processor seconds", "MB beyond the kernels"]


def memory(key):
    """A line of /proc/self/status in MB: VmRSS now, VmHWM the peak since it was reset."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) / 1024
    return float("nan")


def measure(data, method, splits, folder):
    """Runs in a process of its own; prints one JSON object."""
    warnings.filterwarnings("ignore")
    X, y, views = load(data, folder)
    make, _ = METHODS[method]
    scores, seconds, beyond = [], [], []
    for seed in range(splits):
        K, cross, y_train, y_test = split_kernels(X, y, views, seed)
        machine = make(K, cross, y_train)  # brings the kernels into the form that it takes
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before = memory("VmRSS")
        start = time.process_time()
        machine.fit()
        seconds.append(time.process_time() - start)
        beyond.append(memory("VmHWM") - before)
        scores.append(score(y_test, machine.predict()))
    print(
        json.dumps(
            {
                "score": float(np.mean(scores)),
                "spread": float(np.std(scores)),
                "seconds": float(np.median(seconds)),
                "beyond": float(np.max(beyond)),
                "kernels": len(K),
                "samples": len(y_train),
            }
        )
    )


def score(truth, predicted):
    """Accuracy of classes, R^2 of numbers."""
    if truth.dtype.kind == "f":
        return 1 - np.sum((truth - predicted) ** 2) / np.sum((truth - truth.mean()) ** 2)
    return np.mean(truth == predicted)


def in_a_process(data, method, options):
    command = [sys.executable, __file__, "--measure", data, method]
    command += ["--splits", str(min(options.splits, DATA[data]["most_splits"]))]
    command += ["--data", options.data or ""]
    command += ["--seconds", str(options.seconds)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == -signal.SIGXCPU:
        return {"why": f"> {options.seconds} s in all"}
    if done.returncode:
        return {"why": done.stderr.strip().splitlines()[-1][:80]}
    return json.loads(done.stdout.splitlines()[-1])


def installed():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except Exception:
            print(f"{name} is not installed and left out", file=sys.stderr)
    return found


def row(data, method, result):
    cells = [data, method, METHODS[method][1]["solves"]]
    if "why" in result:
        return [*cells, result["why"], "", "", ""]
    return [
        *cells,
        f"{result['score']:.4f}",
        f"{result['spread']:.4f}",
        f"{result['seconds']:.3g}",
        f"{result['beyond']:.0f}",
    ]


def describe(data, result):
    return f"{data}: {result['samples']} training samples, {result['kernels']} kernels"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", default=os.environ.get("KERNMIX_DATA"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--only", default=",".join(DATA))
    parser.add_argument("--measure", nargs=2)
    options = parser.parse_args()
    if options.measure:
        resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds + 5))
        measure(*options.measure, options.splits, options.data)
        return
    found = installed()
    shapes = []
    print("# Python packages on the same kernels\n")
    versions = ", ".join(f"{name} {number}" for name, number in found.items())
    print(f"`benchmarks/python/peers.py --data FOLDER`, one thread: {versions}, ", end="")
    print(f"Python {platform.python_version()}. Score: accuracy; R^2 for concrete.\n")
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|")
    for data in options.only.split(","):
        if DATA[data]["needs_folder"] and not options.data:
            print(f"{data} is left out: it needs --data", file=sys.stderr)
            continue
        for method, (_, about) in METHODS.items():
            if about["package"] not in found or DATA[data]["task"] not in about["tasks"]:
                continue
            result = in_a_process(data, method, options)
            if "why" not in result and describe(data, result) not in shapes:
                shapes.append(describe(data, result))
            print("| " + " | ".join(row(data, method, result)) + " |", flush=True)
    parts = "The samples of mfeat and concrete are a random part of the data set."
    print("\n" + "; ".join(shapes) + ". " + parts)


if __name__ == "__main__":
    main()
