"""The numbers of the papers: experiments/papers/NAME.csv, one row a value."""

import csv
import math
from typing import NamedTuple

import common


class Printed(NamedTuple):
    """A number as a paper prints it: a mean, its deviation over the repetitions (nan where it is not
    given), how many these are (0 where that is not given), and whether the text leaves no doubt."""

    mean: float
    deviation: float
    repeats: int
    certain: bool

    def __str__(self):
        doubt = "" if self.certain else "?"
        if math.isnan(self.deviation):
            return f"{self.mean:g}{doubt}"
        return f"{self.mean:.2f} ± {self.deviation:.2f}{doubt}"


def rows(name):
    """The rows of a paper, as dictionaries."""
    with open(common.FOLDER / "papers" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def numbers(name, metric, source=""):
    """{(data set, method): Printed} of a metric, where its value is a number; of one source (a
    table, a slide) if it is given."""
    found = {}
    for row in rows(name):
        if row["metric"] == metric and is_number(row["value"]) and source in ("", row["source"]):
            deviation = float(row["std"] or "nan")
            repeats = int(row["n_repeats"] or 0)
            entry = Printed(float(row["value"]), deviation, repeats, row["certain"] == "yes")
            found[row["dataset"], row["method"]] = entry
    return found


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
