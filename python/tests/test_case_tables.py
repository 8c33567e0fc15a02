"""Every table of the folder of cases, as it is: the tool and Python read it, or refuse it with remedies that are then
followed until a model is trained, of the same samples in both.

KERNMIX names the tool; KERNMIX_CASES the folder of cases, if it is not shared/cases beside the checkout.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from recipe_page import named_in, recipes
from test_customer_tables import KERNMIX, followed, run, train

from kernmix import MKLClassifier

CASES = Path(os.environ.get("KERNMIX_CASES", Path(__file__).resolve().parents[3] / "shared" / "cases"))
FOLDER = CASES / "tables"
FILES = sorted(path.name for path in FOLDER.iterdir()) if FOLDER.is_dir() else []
pytestmark = [
    pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool"),
    pytest.mark.skipif(not FILES, reason=f"{FOLDER} is not here: set KERNMIX_CASES to the folder of cases"),
]
LABELS = {"allclass.csv": "y", "tiny.csv": "weekly"}
R = recipes()
READERS = {".parquet": pd.read_parquet, ".xlsx": pd.read_excel}
# How a user of pandas reads those whose text is not that of pandas.
DIALECTS = {
    "kunden.csv": {"sep": ";", "decimal": ","},
    "kunden_latin1.csv": {"sep": ";", "decimal": ",", "encoding": "latin-1"},
    "kunden_utf16.tsv": {"sep": "\t", "decimal": ",", "encoding": "utf-16"},
    "l1.csv": {"encoding": "latin-1"},
    "s5_dec.csv": {"sep": ";", "decimal": ","},
}
MOST_ROUNDS = 6


def label_of(name: str) -> str:
    return LABELS.get(name, "Gekündigt")


def read(name: str) -> pd.DataFrame:
    reader = READERS.get(Path(name).suffix, pd.read_csv)
    try:
        return reader(FOLDER / name, **DIALECTS.get(name, {}))
    except ImportError as error:
        pytest.skip(str(error).splitlines()[0])


def as_text(folder: Path, name: str) -> str:
    """The file that the tool reads: of another format, the one that the statement in the refusal writes."""
    shutil.copyfile(FOLDER / name, folder / name)
    if Path(name).suffix not in READERS:
        return name
    refused = train(folder, name, [], label_of(name))
    assert refused.returncode == 3, refused.stderr
    assert named_in(refused.stderr) == ["formats"]
    read(name)  # skips where pandas cannot
    R.as_csv(folder / name, folder / "NEW.csv")
    return "NEW.csv"


def trained_by_tool(folder: Path, name: str) -> int:
    """The number of samples."""
    file, label = as_text(folder, name), label_of(name)
    options = [*followed(folder, file, label), "--json", "-"]
    done = train(folder, file, options, label)
    choice = re.search(r"--multiclass [a-z-]+", done.stderr)
    if done.returncode and choice:
        done = train(folder, file, [*options, *choice[0].split()], label)
    assert done.returncode == 0, done.stderr
    predicted = run(folder, "predict", "m.kmx", file)
    assert predicted.returncode == 0, predicted.stderr
    samples = json.loads(done.stdout)["n_samples"]
    assert len(pd.read_csv(io.StringIO(predicted.stdout))) == samples
    return samples


def trained_in_python(name: str) -> int:
    """The number of samples."""
    frame = read(name)
    X, y = frame.drop(columns=label_of(name)), frame[label_of(name)]
    parameters: dict[str, object] = {}
    for _ in range(MOST_ROUNDS):
        try:
            model = MKLClassifier(**parameters).fit(X, y)
        except ValueError as error:
            X, y = follow(str(error), parameters, X, y)
        else:
            assert len(model.predict(X)) == len(X)
            return len(X)
    pytest.fail(f"{name}: {MOST_ROUNDS} rounds were not enough")


def follow(
    message: str, parameters: dict[str, object], X: pd.DataFrame, y: pd.Series
) -> tuple[pd.DataFrame, pd.Series]:
    """X and y by the remedies of the message: parameters, and of each line the first recipe or leaving the column out."""
    if 'missing="mean"' in message:
        parameters["missing"] = "mean"
    if "y contains" in message:
        assert named_in(message) == ["missing"]
        return X[y.notna()], y[y.notna()]
    for line in message.splitlines():
        column = re.search(r"column '([^']+)' of X", line)
        if words := re.search(r"categorical=\['([^']+)'\]", line):
            parameters["categorical"] = [*parameters.get("categorical", []), words[1]]
        elif column and (names := named_in(line)) and names[0] in ("numbers", "units", "dates", "times"):
            known = {"decimal": ","} if ", or with decimal commas" in line else {}  # the tables are German
            X = X.assign(**{column[1]: getattr(R, names[0])(X[column[1]], **known)})
        elif column:
            assert "leave the column out" in line, line
            X = X.drop(columns=column[1])
    return X, y


@pytest.mark.parametrize("name", FILES)
def test_a_model_is_trained_of_every_file(tmp_path, name):
    assert trained_by_tool(tmp_path, name) == trained_in_python(name)
