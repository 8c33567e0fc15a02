"""Targets that are missing: the statement in the refusal makes the samples usable."""

from __future__ import annotations

import re

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest

from kernmix import MKLRegressor

NUMBERS = [float(i % 7) for i in range(40)]
GAPS = {
    "NaN of pandas": pandas.Series([np.nan, *NUMBERS[1:]]),
    "NaN of polars": polars.Series([float("nan"), *NUMBERS[1:]]),
    "nulls of polars": polars.Series([None, *NUMBERS[1:]]),
    "nulls among integers of polars": polars.Series([None, *range(39)]),
    "NaN of pyarrow": pyarrow.array([float("nan"), *NUMBERS[1:]]),
    "nulls of pyarrow": pyarrow.array([None, *NUMBERS[1:]]),
}


@pytest.mark.parametrize("y", GAPS.values(), ids=GAPS.keys())
def test_the_statement_leaves_the_samples_out(y):
    table = {"a": np.sin(np.arange(40.0)), "b": np.arange(40.0)}
    make = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}
    scope = {"X": make[type(y).__module__.partition(".")[0]](table), "y": y, "pyarrow": pyarrow}
    with pytest.raises(ValueError, match="1 of 40 samples, the first at 0") as refusal:
        MKLRegressor().fit(scope["X"], y)
    exec(re.search("`(.*)`", str(refusal.value)).group(1), scope)  # noqa: S102 (what a user would type)
    assert MKLRegressor().fit(scope["X"], scope["y"]).predict(scope["X"]).shape == (39,)
