"""Tables of the experiments: a set by its name, from the folders of `--data`.

A folder has NAME/data.libsvm (one view, LIBSVM text, labels +1 and -1) or NAME.csv (columns of
numbers and `y`), which experiments/get-data writes.
"""

import csv
import functools
import hashlib
import math
import random
import sys
from typing import NamedTuple

import generate

FILES = {"diabetes": ["pima", "diabetes"]}  # other names that a set has
GENERATED = {"ringnorm": generate.ringnorm, "twonorm": generate.twonorm}


class Table(NamedTuple):
    """Samples of two classes: rows of numbers, labels 1 and -1, where they are from, and the SHA-256
    of the file or, of drawn samples, of the numbers."""

    name: str
    rows: list
    labels: list
    source: str
    mark: str

    @property
    def columns(self):
        return len(self.rows[0])

    def drawn(self, count, seed):
        """`count` of the samples, drawn once."""
        places = sorted(random.Random(seed).sample(range(len(self.rows)), count))
        rows, labels = ([kept[i] for i in places] for kept in (self.rows, self.labels))
        return self._replace(rows=rows, labels=labels)

    def write(self, file):
        return generate.write_csv(file, self.rows, self.labels)


def find(folders, *names):
    """The first path with one of these names in the folders; None where none is there."""
    paths = (folder / name for folder in folders for name in names)
    return next((path for path in paths if path.exists()), None)


def available(options, journal, name):
    """Whether a set is in the folders of `--data`, whose checksum the journal then has; of `--page`,
    whether the results have it."""
    if journal.only_read:
        return name in journal.data
    table = load(tuple(options.data), name)
    if table is None:
        return False
    journal.use_data(name, table.mark, samples=len(table.rows), columns=table.columns, source=table.source)
    return True


@functools.cache
def load(folders, name):
    """The Table of a set; None, with a message, if it is absent."""
    names = FILES.get(name, [name])
    path = find(folders, *(f"{n}/data.libsvm" for n in names), *(f"{n}.csv" for n in names))
    if path is None:
        words = ", ".join(map(str, folders))
        print(f"{name} is not in {words} (experiments/get-data makes it): left out", file=sys.stderr)
        return None
    read = read_csv if path.suffix == ".csv" else read_libsvm
    source = "CSV of experiments/get-data" if path.suffix == ".csv" else "LIBSVM text"
    return Table(name, *read(path), source, hashlib.sha256(path.read_bytes()).hexdigest())


def generated(name, count, seed):
    """The Table of a set that a distribution defines."""
    rows, labels = GENERATED[name](count, seed)
    mark = hashlib.sha256(repr((rows, labels)).encode()).hexdigest()
    return Table(name, rows, labels, f"drawn by its definition, seed {seed}", mark)


def read_csv(path):
    with open(path, newline="") as file:
        _, *lines = csv.reader(file)
    return [[float(x) for x in line[:-1]] for line in lines], [int(line[-1]) for line in lines]


def read_libsvm(path):
    entries, labels = [], []
    for line in path.read_text().splitlines():
        label, *words = line.split()
        labels.append(1 if float(label) > 0 else -1)
        entries.append({int(k): float(v) for k, v in (word.split(":") for word in words)})
    width = max(max(entry, default=0) for entry in entries)
    return [[entry.get(j + 1, 0.0) for j in range(width)] for entry in entries], labels


def held_out(share, count):
    """How many of `count` samples are a share of them, without the rest."""
    return math.floor(share * count + 1e-9)


def one_split(labels, share, seed):
    """A stratified random split: 1 (training) or 0 (test) of each sample, `share` of them to test."""
    rng, tested = random.Random(seed), set()
    classes = sorted(set(labels))
    left = held_out(share, len(labels))
    for place, own in enumerate(classes):
        members = [i for i, label in enumerate(labels) if label == own]
        last = place == len(classes) - 1
        count = left if last else round(share * len(members))
        left -= count
        tested |= set(rng.sample(members, count))
    return [0 if i in tested else 1 for i in range(len(labels))]
