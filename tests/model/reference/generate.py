#!/usr/bin/env python3
"""Writes votes.json beside itself: decision values of pairs and what scikit-learn makes of them.

Values are multiples of 1/4, so that there are ties, zeros and exact numbers. A pair (i, j) with i < j
is positive for class i here; scikit-learn's confidences are positive for class j.
"""

import json
import pathlib

import numpy as np
from sklearn.utils.multiclass import _ovr_decision_function

CASES = {2: 12, 3: 40, 4: 40, 5: 20}


def case(random, K, n):
    values = np.round(4 * random.normal(size=(n, K * (K - 1) // 2))) / 4
    values[0] = 0.0
    votes = _ovr_decision_function((-values > 0).astype(int), -values, K)
    return {"classes": K, "pairs": values.tolist(), "decision": votes.tolist()}


def main():
    random = np.random.default_rng(1)
    cases = [case(random, K, n) for K, n in CASES.items()]
    text = ",\n".join(json.dumps(one) for one in cases)
    pathlib.Path(__file__).with_name("votes.json").write_text(f"[{text}]\n")


if __name__ == "__main__":
    main()
