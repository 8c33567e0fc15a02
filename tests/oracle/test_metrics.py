"""The reference values of the metrics, which the C++ tests compare with, are still scikit-learn's."""

import importlib.util
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "metrics" / "reference"


def flat(value, path=""):
    """(path, leaf) of every leaf of nested dictionaries and lists."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [leaf for key, inner in items for leaf in flat(inner, f"{path}/{key}")]
    return [(path, value)]


def test_reference_values_are_those_of_scikit_learn():
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    committed = flat(json.loads((FOLDER / "metrics.json").read_text()))
    computed = flat(json.loads(json.dumps(generate.cases())))
    assert [path for path, _ in committed] == [path for path, _ in computed]
    for (path, ours), (_, theirs) in zip(committed, computed):
        assert ours == pytest.approx(theirs, abs=1e-12), path
