"""Sets of several views that experiments/get-data writes into a folder DATA: the multi-feature
digits of UCI, DATA/mfeat, a file a view, and sets of images, DATA/NAME.csv, a view a descriptor."""

import contextlib
import itertools
import pathlib
import random
import sys
import tempfile
from typing import NamedTuple

DIGIT_VIEWS = ["fou", "fac", "kar", "pix", "zer", "mor"]
KERNELS = ["--kernel", "rbf(width=near*{0.35; 0.7; 1.4; 2.8; 5.6}) on *"]


class ViewSet(NamedTuple):
    """Lines of CSV. Rows of a class follow each other, as many of each class."""

    name: str
    label: str
    views: dict[str, str]  # name: a glob of its columns
    header: str
    rows: list[str]

    @property
    def options(self):
        return ["--label", self.label]

    @property
    def asked(self):
        """--view options"""
        views = self.views.items()
        return [word for name, glob in views for word in ("--view", f"{name}={glob}")]

    @property
    def train(self):
        return [*self.options, *self.asked]

    @property
    def per_class(self):
        place = self.header.split(",").index(self.label)
        labels = [row.split(",")[place] for row in self.rows]
        return labels.count(labels[0])

    def ratio(self, counts):
        """Test samples over samples to learn from, of `estimates.estimate`."""
        return tests_of(counts, self.per_class) / (counts[0] + counts[1])

    @contextlib.contextmanager
    def splits(self, counts, number):
        """Of each of `number` random splits [file for training, for validation, for tests]:
        counts[0] samples of each class, counts[1], and counts[2] or the rest. Split k is the same
        whatever the number."""
        with tempfile.TemporaryDirectory() as folder:
            yield [self.write_split(pathlib.Path(folder), counts, k) for k in range(number)]

    def write_split(self, folder, counts, seed):
        files = []
        for part, kept in enumerate(divide(self.rows, counts, self.per_class, seed)):
            files.append(folder / f"{self.name}-{seed}-{part}.csv")
            files[-1].write_text("\n".join([self.header, *kept]) + "\n")
        return files


def tests_of(counts, size):
    """Test samples a class, of classes of `size` samples."""
    rest = size - counts[0] - counts[1]
    tests = counts[2] if len(counts) > 2 else rest
    if not 0 < tests <= rest:
        raise ValueError(f"{counts} samples a class for training, validation and tests of {size}")
    return tests


def divide(rows, counts, size, seed):
    """Rows for training, validation and tests, of classes of `size` rows each, that follow each
    other."""
    rng = random.Random(seed)
    ends = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + tests_of(counts, size)]
    parts = [[], [], []]
    for first in range(0, len(rows), size):
        drawn = rng.sample(rows[first : first + size], size)
        for part, (start, end) in zip(parts, itertools.pairwise(ends), strict=True):
            part += drawn[start:end]
    return parts


def load(options, name):
    """The digits or a set of images; None, with a word, where they are not here."""
    source = options.data / ("mfeat" if name == "digits" else f"{name}.csv")
    if not source.exists():
        print(f"{source} is not here (experiments/get-data makes it): no {name}", file=sys.stderr)
        return None
    return digits(source) if name == "digits" else images(source)


def digits(folder):
    views = [(folder / f"{view}.csv").read_text().splitlines() for view in DIGIT_VIEWS]
    header, *rows = [",".join(line) for line in zip(*views, strict=True)]
    return ViewSet("digits", "digit", {view: f"{view}*" for view in DIGIT_VIEWS}, header, rows)


def images(file):
    header, *rows = file.read_text().splitlines()
    views = dict.fromkeys(column.partition("_")[0] for column in header.split(",")[:-1])
    return ViewSet(file.stem, "class", {view: f"{view}_*" for view in views}, header, rows)
