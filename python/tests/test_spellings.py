"""Labels and categories that look alike are named, with what differs."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest

from kernmix import KernmixWarning, MKLClassifier
from kernmix._spellings import warn_of_look_alikes

N = 24
X = np.random.default_rng(0).normal(size=(N, 2))
PAIRS = {
    ("male", "Male"): "case or blanks",
    ("very good", "verygood"): "case or blanks",
    ("pos", "pos\u00a0"): "a no-break space",
    ("pos", "po\u200bs"): "a zero-width character",
    ("caf\u00e9", "cafe\u0301"): "letters that are one character or two",
    ("\u304c", "\u304b\u3099"): "letters that are one character or two",
}


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("place", ["labels", "words"])
def test_look_alikes_are_named(pair, place):
    alike = np.array([*pair, "other"], dtype=object)[np.arange(N) % 3]
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(c=alike)
    data = (X, alike) if place == "labels" else (frame, np.arange(N) % 2)
    model = MKLClassifier(categorical=None if place == "labels" else "auto", n_jobs=1)
    with pytest.warns(KernmixWarning, match=f"differ only in {PAIRS[pair]} and are different"):
        model.fit(*data)


def test_all_differences_are_named_together():
    for (left, differ), (right, also) in itertools.combinations([(p, PAIRS[p]) for p in PAIRS], 2):
        with pytest.warns(KernmixWarning) as said:
            warn_of_look_alikes([left[0] + right[1], left[1] + right[0]], "words", "words", "word")
        assert differ in str(said[0].message) and also in str(said[0].message)


def test_other_words_are_not_named():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_look_alikes(["a", "\u00e4", "b", "\u00e9", "\u00e8", "1", "1.0", "a", ""], "words", "words", "word")
