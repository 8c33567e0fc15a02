"""Targets that are missing: the statement in the refusal makes the samples usable."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from recipe_page import named_in

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
def test_the_refusal_names_the_samples_and_a_recipe(y):
    make = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "pyarrow": pyarrow.table}
    frame = make[type(y).__module__.partition(".")[0]]
    table = {"a": np.sin(np.arange(40.0)), "b": np.arange(40.0)}
    with pytest.raises(ValueError, match="1 of 40 samples, the first at 0") as refusal:
        MKLRegressor().fit(frame(table), y)
    assert named_in(str(refusal.value))
    rest = frame({name: values[1:] for name, values in table.items()})
    assert MKLRegressor().fit(rest, y[1:]).predict(rest).shape == (39,)
