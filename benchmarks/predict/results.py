"""The cells of benchmarks/predict, arranged: what each contestant has on every split of a set."""

from collections import defaultdict

import numpy as np

from contestants import METHODS, OURS


class Results:
    """Of one task, from the last cells of each set. `sets` puts the sparse ones first."""

    def __init__(self, cells, task):
        newest = {}
        for cell in cells:
            newest[cell["set"], cell["split"]] = cell["samples"]
        self._cells = defaultdict(dict)  # (set, method) -> split -> cell
        self.about, self.splits = {}, defaultdict(set)
        for cell in cells:
            if cell["task"] != task or newest[cell["set"], cell["split"]] != cell["samples"]:
                continue
            self._cells[cell["set"], cell["method"]][cell["split"]] = cell
            self.about[cell["set"]] = cell
            self.splits[cell["set"]].add(cell["split"])
        self.sets = sorted(self.about, key=lambda name: (not self.about[name]["sparse"], name))

    def titled(self, name):
        """The name, with the number of splits where that is not the number of other sets."""
        count = len(self.splits[name])
        usual = max(len(splits) for splits in self.splits.values())
        return name if count == usual else f"{name} ({count} splits)"

    def values(self, name, method, field="score"):
        """On every split of a set, in order; None where a split lacks it."""
        cells = self._cells.get((name, method), {})
        found = [cells.get(split, {}).get(field) for split in sorted(self.splits[name])]
        return None if None in found else found

    def mean(self, name, method, field="score"):
        """The mean of `values`, NaN where there is none."""
        values = self.values(name, method, field)
        return float("nan") if values is None else float(np.mean(values))

    def methods(self, field="score"):
        """Those that have this on some set."""
        return [m for m in METHODS if any(self.values(name, m, field) for name in self.sets)]

    def table(self, methods, field="score", sets=None):
        """(sets, methods) means; `sets`: all, or those given."""
        sets = self.sets if sets is None else sets
        return np.array([[self.mean(name, m, field) for m in methods] for name in sets])

    def complete(self, methods, field="score"):
        """The sets on which all of these have a result."""
        return [n for n in self.sets if not np.isnan(self.table(methods, field, [n])).any()]

    def best_other(self, name, methods=METHODS):
        """The contestant with the largest mean score that is not kernmix; None without one."""
        others = [m for m in methods if m not in OURS and self.values(name, m) is not None]
        return max(others, key=lambda m: self.mean(name, m), default=None)

    def shares(self, name, method):
        """View -> mean share of the kernel weights over the splits; None where they are unknown."""
        found = self.values(name, method, "weights")
        if found is None:
            return None
        views = list(dict.fromkeys(view for shares in found for view in shares))
        return {view: np.mean([shares.get(view, 0.0) for shares in found]) for view in views}

    def alone(self, name):
        """View -> mean score of an SVM on that view alone."""
        found = self.values(name, "best-view", "alone")
        if found is None:
            return {}
        return {view: np.mean([scores[view] for scores in found]) for view in found[0]}

    def failed(self, name, method):
        """Whether a contestant was asked for a set and has no result on a split of it."""
        return any("why" in cell for cell in self._cells.get((name, method), {}).values())

    def failures(self):
        """(set, method, why) of the cells without a score, each once."""
        seen = {}
        for (name, method), cells in self._cells.items():
            for cell in cells.values():
                if "why" in cell:
                    seen[name, METHODS[method].title, cell["why"]] = None
        return sorted(seen)
