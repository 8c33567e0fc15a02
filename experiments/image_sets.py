"""Sets of several views with classes or labels, as Gram matrices, for experiments that train in
Python (`pip install kernmix`): flower17, protein-fold, leaves100, mfeat, emotions.

A folder of `--data` has NAME/view01.npy ... and NAME/labels.txt, or NAME/view01.libsvm ... with the
label in front of each line (for several labels: 1,3,4).
"""

import functools
import hashlib
import importlib.util
import os
import sys
import warnings
from typing import NamedTuple

import common
import data_sets

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # cells run side by side; idle threads would spin
try:
    import numpy
except ImportError:  # pages and the rules of verdicts need no arrays
    numpy = None

NAMES = {"digits": ["mfeat"]}


class Images(NamedTuple):
    """Samples of several views: arrays (n, columns), and labels: classes (n,), or 0 and 1 (n, T)."""

    name: str
    views: list
    labels: object
    mark: str

    def kept(self, rows):
        return self._replace(views=[v[rows] for v in self.views], labels=self.labels[rows])


def available(options, journal, name, package="kernmix"):
    """Whether a set is in the folders of `--data`, and the Python package that trains on it is
    installed; the journal then has the checksum of the set. Of `--page`: whether the results have it."""
    if journal.only_read:
        return name in journal.data
    if not importlib.util.find_spec(package):
        print(f"the Python package {package} is not installed: {name} is left out", file=sys.stderr)
        return False
    found = load(tuple(options.data), name)
    if found is None:
        return False
    journal.use_data(name, found.mark, samples=len(found.labels), source=f"{len(found.views)} views")
    return True


@functools.cache
def load(folders, name):
    """The Images of a set; None, with a message, if it is absent."""
    folder = data_sets.find(folders, *NAMES.get(name, [name]))
    files = sorted(folder.glob("view*.*")) if folder else []
    if not files:
        print(f"{name} is not in {', '.join(map(str, folders))}: left out", file=sys.stderr)
        return None
    labels = folder / "labels.txt"
    digest = hashlib.sha256()
    for file in [*files, *([labels] if labels.exists() else [])]:
        digest.update(file.read_bytes())
    read = read_arrays if files[0].suffix == ".npy" else read_libsvm
    return Images(name, *read(files, labels), digest.hexdigest())


def read_arrays(files, labels):
    views = [numpy.load(file).astype(float) for file in files]
    return views, numpy.array([int(word) for word in labels.read_text().split()])


def read_libsvm(files, _labels):
    views = []
    for file in files:
        lines = [line.split() for line in file.read_text().splitlines()]
        entries = [[word.split(":") for word in line if ":" in word] for line in lines]
        width = max(int(k) for entry in entries for k, _ in entry)
        view = numpy.zeros((len(lines), width))
        for row, entry in enumerate(entries):
            for k, value in entry:
                view[row, int(k) - 1] = float(value)
        views.append(view)
    words = [line[0] if line and ":" not in line[0] else "" for line in lines]
    return views, labels_of(words)


def labels_of(words):
    """Classes, or an array of 0 and 1 where samples have lists of labels."""
    if not any("," in word or not word for word in words):
        return numpy.array([int(float(word)) for word in words])
    lists = [[int(float(k)) for k in word.split(",") if k] for word in words]
    names = sorted(set().union(*lists))
    return numpy.array([[int(name in own) for name in names] for own in lists])


def balanced(images, size):
    """The classes of `size` samples or more, with the first `size` of each."""
    rows = [numpy.flatnonzero(images.labels == c) for c in numpy.unique(images.labels)]
    return images.kept(numpy.concatenate([own[:size] for own in rows if len(own) >= size]))


def classes_of(options):
    """How many classes a run of this size takes at most."""
    return common.sized(options, 4, 8, 10**6)


def first_classes(images, count):
    """The samples of the first classes."""
    return images.kept(numpy.isin(images.labels, numpy.unique(images.labels)[:count]))


def split(labels, counts, seed):
    """[rows of each part]: counts[k] samples of each class in part k, drawn from a seed."""
    rng = numpy.random.default_rng(seed)
    parts = [[] for _ in counts]
    for name in numpy.unique(labels):
        drawn = rng.permutation(numpy.flatnonzero(labels == name))
        ends = numpy.cumsum([0, *counts])
        for part, start, end in zip(parts, ends[:-1], ends[1:], strict=True):
            part.append(drawn[start:end])
    return [numpy.sort(numpy.concatenate(part)) for part in parts]


def used(images, parts):
    """(the samples of some parts alone, the parts among them)"""
    ends = numpy.cumsum([0, *map(len, parts)])
    places = [numpy.arange(a, b) for a, b in zip(ends[:-1], ends[1:], strict=True)]
    return images.kept(numpy.concatenate(parts)), places


def distances(view, train):
    """Squared distances (n, n) of a view, over their median among training samples: Hellinger's of
    rows that are not negative, else Euclid's of columns that are standardised on these samples."""
    if view.min() >= 0:
        x = numpy.sqrt(view)
    else:
        deviation = view[train].std(axis=0)
        x = (view - view[train].mean(axis=0)) / numpy.where(deviation > 0, deviation, 1)
    squares = (x**2).sum(axis=1)
    found = numpy.maximum(squares[:, None] + squares[None] - 2 * x @ x.T, 0)
    own = found[numpy.ix_(train, train)]
    return found / numpy.median(own[~numpy.eye(len(train), dtype=bool)])


def gaussians(images, train, powers):
    """(kernels (M, n, n) of diagonal 1, group of each): exp(-2^e d^2 / median) for e in `powers`."""
    kernels = [
        numpy.exp(-(2.0**e) * d).astype(numpy.float32)
        for d in (distances(view, train) for view in images.views)
        for e in powers
    ]
    groups = [view for view in range(len(images.views)) for _ in powers]
    return numpy.stack(kernels), groups


def average_precision(scores, positive):
    """The mean over the positives of the precision at each; scores of equals share their last rank."""
    order = numpy.argsort(-scores, kind="stable")
    ranked, hits = scores[order], numpy.cumsum(positive[order])
    last = numpy.searchsorted(-ranked, -ranked, side="right") - 1
    precision = hits[last] / (last + 1)
    return float(precision[positive[order] > 0].mean())


class Machine:
    """A trained kernmix.MKLClassifier on some rows of a stack of Gram matrices."""

    def __init__(self, kernels, groups, y, **asked):
        import kernmix

        names = [f"precomputed on k[{m}], group=g{group}" for m, group in enumerate(groups)]
        own = kernmix.MKLClassifier(kernels=names, normalization="none", assume_psd=True, n_jobs=1, **asked)
        warnings.filterwarnings("ignore", category=kernmix.KernmixWarning)
        own.fit(kernmix.GramStack(kernels, names="k"), y)
        self.own = own
        self.weights = own.weights_["raw_weight"]
        self.status = own.status_
        self.solve_seconds = own.seconds_["solve"]

    def decisions(self, rows):
        """Decision values (n_new,) of a problem of two classes; `rows` (M, n_new, n) are kernels of
        new samples with the training samples."""
        used = numpy.flatnonzero(self.weights)
        weights = self.weights[used].astype(numpy.float32)
        combined = numpy.tensordot(weights, rows[used][:, :, self.own.support_], 1)
        return combined @ self.own.dual_coef_[0] + self.own.intercept_[0]
