"""A customer table as spreadsheets and programs write it, and variants with one fault: each is read by the tool, or
refused with remedies of which one round is enough.

KERNMIX names the tool.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess

import numpy as np
import pandas as pd
import pytest
from recipe_page import named_in, recipes

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

N = 48
LABEL = "Gekündigt"


def customers() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    leaves = rng.random(N) < 0.4
    score = (rng.normal(size=N) + 1.5 * leaves).round(3)
    return pd.DataFrame(
        {
            "Kunde": [f"K{i:04d}" for i in range(N)],
            "Alter": rng.integers(20, 80, N),
            "Umsatz": (80 + 20 * rng.normal(size=N)).round(3),
            "Score A": score,
            LABEL: np.where(leaves, "yes", "no"),
        }
    )


def with_column(name, values):
    frame = customers()
    frame.insert(4, name, values)
    return frame


def with_cells(column, cells):
    frame = customers().astype({column: object})
    for row, cell in cells.items():
        frame.loc[row, column] = cell
    return frame


def whole() -> pd.DataFrame:
    """With empty cells, words, notes over two lines and dates."""
    frame = customers()
    frame.loc[::5, "Umsatz"] = np.nan
    frame.insert(4, "Region", [["Nord", "Süd", "Ost"][i % 3] for i in range(N)])
    frame.insert(5, "Bemerkung", ['sagt "ja"\nund; geht' if i % 4 == 0 else "ok" for i in range(N)])
    frame.insert(6, "Seit", [f"{i % 28 + 1:02d}.06.2013" for i in range(N)])
    return frame


def text(frame, **options):
    return frame.to_csv(**{"index": False, **options}).encode(options.get("encoding", "utf-8"))


GERMAN = {"sep": ";", "decimal": ","}
DIALECTS = {
    "plain": lambda frame: text(frame),
    "pandas": lambda frame: text(frame, index=True),
    "German": lambda frame: text(frame, **GERMAN),
    "German, index, BOM": lambda frame: b"\xef\xbb\xbf" + text(frame, index=True, **GERMAN),
    "Latin-1": lambda frame: text(frame, encoding="latin-1", **GERMAN),
    "UTF-16": lambda frame: frame.to_csv(index=False, sep="\t", decimal=",").encode("utf-16"),
    "CR LF": lambda frame: text(frame, lineterminator="\r\n"),
    "separator line": lambda frame: b"sep=;\r\n" + text(frame, **GERMAN),
    "R": lambda frame: text(frame.set_axis([f"r{i}" for i in range(N)]), index=True, quoting=2).replace(b'"",', b"", 1),
    "bars": lambda frame: text(frame, sep="|"),
    "blank rows": lambda frame: text(frame) + b",,,,,,,"[: len(frame.columns) - 1] + b"\n\n",
    "trailing commas": lambda frame: text(frame).replace(b"\n", b",\n"),
}
FAULTS = {
    "empty cell": with_cells("Score A", {3: None}),
    "NA": with_cells("Score A", {3: "NA"}),
    "nan": with_cells("Score A", {3: "nan"}),
    "a word among numbers": with_cells("Score A", {3: "unknown"}),
    "missing label": with_cells(LABEL, {3: None}),
    "truth values": with_column("flag", [i % 2 == 0 for i in range(N)]),
    "dates": with_column("Tag", [f"2020-01-{i % 28 + 1:02d}" for i in range(N)]),
    "percentages": with_column("p", [f"{i}%" for i in range(N)]),
    "amounts": with_column("preis", [f"1.{i + 100},50" for i in range(N)]),
    "money": with_column("preis", [f"{i}.50 €" for i in range(N)]),
    "words": with_column("Region", [["Nord", "Süd", "Ost"][i % 3] for i in range(N)]),
    "one word": with_column("Land", ["DE"] * N),
    "texts": with_column("Name", [f"Name {i}" for i in range(N)]),
    "ids that occur twice": with_cells("Kunde", {3: "K0001"}),
    "empty column": with_column("leer", [None] * N),
    "all": whole(),
}


def run(folder, *arguments):
    return subprocess.run([KERNMIX, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def train(folder, name, options, label=LABEL):
    return run(folder, "train", name, "--label", label, "-o", "m.kmx", "--threads", "1", *options)


def followed(folder, name, label=LABEL):
    """The options that remedies of `inspect` name first; removes samples where there is none."""
    done = run(folder, "inspect", name, "--label", label, "--json", "-")
    assert done.returncode == 0, done.stderr
    options, lines = [], []
    for problem in json.loads(done.stdout)["problems"]:
        named_in(problem["remedy"])
        kinds = (
            "missing|ignore|categorical|na" if any("--id" in option for option in options) else "missing|id|ignore|na"
        )
        first = re.search(rf"--({kinds}|categorical)( ('[^']*'|[^ ,;)]+))", problem["remedy"])
        if first is None:
            assert "remove the sample" in problem["remedy"], problem
            lines.append(problem["line"])
        elif first[0] not in options:
            options.append(first[0])
            if first[1] == "na":
                options.append("--missing mean")
    if lines:
        content = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(line for k, line in enumerate(content, 1) if k not in lines))
    return [word for option in dict.fromkeys(options) for word in shlex.split(option)]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_one_round_is_enough(tmp_path, fault):
    (tmp_path / "t.csv").write_bytes(text(fault))
    refused = train(tmp_path, "t.csv", [])
    assert refused.returncode == 3, refused.stderr
    assert refused.stderr.startswith("kernmix: t.csv")
    done = train(tmp_path, "t.csv", followed(tmp_path, "t.csv"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("frame", [customers(), whole()], ids=["numbers", "all"])
def test_dialects_give_the_same_model(tmp_path, frame):
    models = {}
    for name, write in DIALECTS.items():
        file = "t.tsv" if name == "UTF-16" else "t.csv"
        (tmp_path / file).write_bytes(write(frame))
        done = train(tmp_path, file, followed(tmp_path, file))
        assert done.returncode == 0, f"{name}: {done.stderr}"
        new = io.StringIO(run(tmp_path, "predict", "m.kmx", file).stdout)
        models[name] = pd.read_csv(new, float_precision="round_trip")["decision"].tolist()
    for name, decisions in models.items():
        assert decisions == models["plain"], name


def test_other_formats_are_converted_by_the_recipe_that_the_refusal_names(tmp_path):
    frame = customers()
    writers = {"t.parquet": "to_parquet", "t.feather": "to_feather", "t.xlsx": "to_excel"}
    written = 0
    for name, write in writers.items():
        try:
            getattr(frame, write)(tmp_path / name)
        except ImportError:
            continue
        written += 1
        refused = train(tmp_path, name, [])
        assert refused.returncode == 3, refused.stderr
        assert named_in(refused.stderr) == ["formats"]
        recipes().as_csv(tmp_path / name, tmp_path / "NEW.csv")
        assert train(tmp_path, "NEW.csv", followed(tmp_path, "NEW.csv")).returncode == 0
    if not written:
        pytest.skip("neither pyarrow nor openpyxl is installed")
