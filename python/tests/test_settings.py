"""A setting of the library is declared once, and everything that users meet has it."""

import inspect
import os
import re
import subprocess
from pathlib import Path

import pytest

import kernmix
from kernmix import _core
from kernmix._parameters import OWN

KERNMIX = os.environ.get("KERNMIX")
needs_tool = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
SETTINGS = _core.settings()
NAMES = [row["name"] for row in SETTINGS]
ESTIMATORS = [kernmix.MKLClassifier, kernmix.MKLRegressor, kernmix.MultilabelMKL, kernmix.MKLOneClass]
LEARNERS = dict(zip(["classes", "numbers", "labels", "novelties"], ESTIMATORS, strict=True))
REFERENCE = Path(__file__).parents[2] / "docs/reference/settings.md"
# Of these Python derives the value from y, or leaves it to developers of the library.
NOT_PARAMETERS = {"positive", "without"}


@pytest.mark.parametrize("name", NAMES)
def test_the_core_takes_every_setting(name):
    assert re.search(rf"\b{name}: ", _core.train.__doc__ or inspect.getdoc(_core.train))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_PARAMETERS])
def test_an_estimator_has_every_setting_and_describes_it(name):
    parameter = OWN[name].name if name in OWN else name
    having = [cls for cls in ESTIMATORS if parameter in inspect.signature(cls).parameters]
    assert having
    for cls in having:
        assert re.search(rf"^{parameter} : ", cls.__doc__, flags=re.MULTILINE)
        assert parameter in cls._parameter_constraints
        assert parameter in cls().get_params()


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row["name"])
def test_the_estimators_of_these_models_have_a_setting(row):
    if row["name"] in NOT_PARAMETERS:
        return
    parameter = OWN[row["name"]].name if row["name"] in OWN else row["name"]
    having = [kind for kind, cls in LEARNERS.items() if parameter in inspect.signature(cls).parameters]
    assert sorted(having) == sorted(row["models"])


@pytest.mark.parametrize("row", [row for row in SETTINGS if row["least"] is not None], ids=lambda row: row["name"])
def test_an_estimator_has_the_range_of_a_whole_number(row):
    parameter = OWN[row["name"]].name if row["name"] in OWN else row["name"]
    for cls in (cls for cls in ESTIMATORS if parameter in inspect.signature(cls).parameters):
        (interval,) = cls._parameter_constraints[parameter]
        assert (interval.left, interval.right) == (row["least"], None)


@needs_tool
@pytest.mark.parametrize("command", ["train", "cv", "tune", "stability"])
def test_every_command_that_trains_has_every_setting(command):
    text = subprocess.run([KERNMIX, command, "--help"], capture_output=True, text=True, check=True).stdout
    for row in SETTINGS:
        flag = f"-{row['key']}," if len(row["key"]) == 1 else f"--{row['key']}"
        assert flag in text


@needs_tool
def test_the_reference_has_every_setting():
    listed = subprocess.run([KERNMIX, "list", "settings"], capture_output=True, text=True, check=True).stdout
    page = REFERENCE.read_text() if REFERENCE.exists() else listed
    for name in NAMES:
        assert re.search(rf"^{name}$", listed, flags=re.MULTILINE)
        assert re.search(rf"^{name}$", page, flags=re.MULTILINE)


def test_an_unknown_parameter_names_the_estimator():
    with pytest.raises(TypeError, match=r"MKLClassifier\(\) got an unexpected keyword argument 'colour'"):
        kernmix.MKLClassifier(colour="red")
