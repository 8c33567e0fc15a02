"""What messages about CSV files name: a recipe of the page "Clean a table", which the test follows. The tool then reads
the new file, and the numbers are those that the cells mean.

KERNMIX names the tool.
"""

from __future__ import annotations

import json
import os
import subprocess

import pandas as pd
import pytest
from recipe_page import named_in, recipes

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")
R = recipes()

# A cell of each row, its recipe, its number, and what only the user knows.
CELLS = {
    "dates": (lambda i: f"2020-01-{i + 1:02d}", "dates", lambda i: 7305 + i, {}),
    "dates of databases": (lambda i: f"2020-01-{i + 1:02d}T12:00:00Z", "dates", lambda i: 7305.5 + i, {}),
    "German dates": (lambda i: f"{i + 1:02d}.06.2013", "dates", lambda i: 4900 + i, {}),
    "British dates": (lambda i: f"{i + 1:02d}/06/2013", "dates", lambda i: 4900 + i, {}),
    "American dates": (lambda i: f"06/{i + 1:02d}/2013", "dates", lambda i: 4900 + i, {}),
    "unclear dates": (
        lambda i: f"{i % 12 + 1:02d}/06/2013",
        "dates",
        lambda i: 4900 + i % 12,
        {"day_first": True},
    ),
    "times": (lambda i: f"12:{i + 10}", "times", lambda i: 43200 + 60 * (i + 10), {}),
    "times with points": (lambda i: f"{i:02d}.00.00", "times", lambda i: 3600 * i, {}),
    "percentages": (lambda i: f"{i}%", "units", lambda i: i, {}),
    "dollars": (
        lambda i: f'"${i},{i + 100}.50"' if i else "$7",
        "units",
        lambda i: 1000 * i + i + 100.5 if i else 7,
        {},
    ),
    "euros": (lambda i: f"{i}.50 \u20ac", "units", lambda i: i + 0.5, {}),
    "negative amounts": (lambda i: f"-${i}.25", "units", lambda i: -i - 0.25, {}),
    "units": (lambda i: f"{i}.5 kg", "units", lambda i: i + 0.5, {}),
    "parentheses": (lambda i: f"({i})" if i % 2 else f"{i}", "units", lambda i: -i if i % 2 else i, {}),
    "exponents": (lambda i: f"{i}.5D+02", "numbers", lambda i: 100 * i + 50, {}),
    "points and commas": (lambda i: f'"1.{i + 100},5"', "numbers", lambda i: 1100.5 + i, {}),
    "Swiss groups": (lambda i: f'"1\u2019{i + 100},5"', "numbers", lambda i: 1100.5 + i, {}),
    "narrow blanks": (lambda i: f'"1\u202f{i + 100},5"', "numbers", lambda i: 1100.5 + i, {}),
}


def tool(folder, *line):
    return subprocess.run(
        [KERNMIX, *line, "--label", "y", "--threads", "1", "-o", "m.kmx", "-q"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


# The lines of a table, and how pandas reads it as text.
DIALECTS = {
    "plain": ("x,c,y\n", "{x},{c},{y}\n", {}),
    "row names": (",x,c,y\n", "r{i},{x},{c},{y}\n", {"index_col": 0}),
    "comments": ("# of ours\n# too\nx,c,y\n", "{x},{c},{y}\n", {"skiprows": 2}),
    "bars": ("x|c|y\n", "{x}|{c}|{y}\n", {"sep": "|"}),
    "separator line": ("sep=;\nx;c;y\n", "{x};{c};{y}\n", {"sep": ";", "skiprows": 1}),
}


def refusal(folder, text):
    (folder / "t.csv").write_text(text, encoding="utf-8")
    refused = tool(folder, "train", "t.csv")
    assert refused.returncode == 3, refused.stderr
    return refused.stderr


def read(folder, **dialect):
    return pd.read_csv(folder / "t.csv", dtype=str, keep_default_na=False, **dialect)


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_the_recipe_that_is_named_makes_the_numbers(tmp_path, cell, dialect):
    text, recipe, number, known = cell
    header, line, options = dialect
    rows = (line.format(i=i, x=f"{i * 7 % 12}.25", c=text(i), y="ab"[i % 2]) for i in range(20))
    message = refusal(tmp_path, header + "".join(rows))
    assert named_in(message) == [recipe], message
    table = read(tmp_path, **options)
    table["c"] = getattr(R, recipe)(table["c"], **known)
    assert table["c"].tolist() == [number(i) for i in range(20)]
    table.to_csv(tmp_path / "NEW.csv", index="index_col" in options)
    trained = tool(tmp_path, "train", "NEW.csv")
    assert (trained.returncode, trained.stderr) == (0, "")


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_inspect_says_what_train_says(tmp_path, cell):
    text = cell[0]
    rows = (f"{i * 7 % 12}.25,{text(i)},{'ab'[i % 2]}\n" for i in range(20))
    message = refusal(tmp_path, "x,c,y\n" + "".join(rows))
    done = subprocess.run(
        [KERNMIX, "inspect", "t.csv", "--label", "y", "--json", "-"], cwd=tmp_path, capture_output=True, check=True
    )
    [problem] = json.loads(done.stdout)["problems"]
    assert f"column 'c': {problem['problem']}" in message
    assert problem["remedy"] in message


ORDERS = {
    "day first": ("10/03/2004 13/03/2004 14/03/2004", "is a date with the day first"),
    "month first": ("03/10/2004 03/13/2004 03/14/2004", "is a date with the month first"),
    "either": ("10/03/2004 11/03/2004 12/03/2004", "the order of day and month is not certain"),
    "both": ("13/03/2004 03/13/2004 14/03/2004", "the day comes first in some dates of the column"),
    "year first": ("2004/03/10 2004/03/13 2004/03/14", "is a date ("),
    "points": ("10.03.2004 11.03.2004 12.03.2004", "is a date ("),
    "time": ("18.00.00 19.00.00 20.00.00", "is a time ("),
    "date or time": ("10.11.12 11.11.12 12.11.12", "is a date or a time ("),
    "date in short": ("10.11.12 11.11.12 12.11.62", "is a date ("),
}


@pytest.mark.parametrize(("cells", "said"), ORDERS.values(), ids=ORDERS.keys())
@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_a_date_is_told_from_all_cells(tmp_path, cells, said, turned):
    days = cells.split()[:: -1 if turned else 1]
    rows = "".join(f"{days[i % 3]},{i},{'ab'[i % 2]}\n" for i in range(12))
    assert said in refusal(tmp_path, f"d,x,y\n{rows}")


@pytest.mark.parametrize("typed", ["12.5", "0.371", "-0.5"])
@pytest.mark.parametrize("options", [[], ["--decimal", ",", "--thousands", "."]])
def test_one_cell_with_a_point_among_decimal_commas(tmp_path, typed, options):
    """The recipe keeps the decimals of all cells, and not only those of the typed one."""
    cells = ["-1,397", "0,371", "-0,072", "1,250", typed, "0,441", "-0,514", "2,031"]
    rows = "".join(f"{i},5;{cell};{'np'[i % 2]}\n" for i, cell in enumerate(cells))
    (tmp_path / "t.csv").write_text(f"a;b;y\n{rows}")
    refused = tool(tmp_path, "train", "t.csv", *options)
    assert refused.returncode == 3 and named_in(refused.stderr) == ["numbers"], refused.stderr
    found = R.numbers(read(tmp_path, sep=";")["b"], decimal=",")
    assert found.tolist() == [float(cell.replace(",", ".")) for cell in cells]


SECOND_LINES = {
    "units": (",x,c,y\n,kg,m,\n", "r{i},{x},{c},{y}\n"),
    "units without row names": ("x,c,y\nkg,m,none\n", "{x},{c},{y}\n"),
    "levels of columns": (",a,a,y\n,x,c,\n", "r{i},{x},{c},{y}\n"),
    "levels with a name of rows": (",a,a,y\n,x,c,y\nrow,,,\n", "r{i},{x},{c},{y}\n"),
    "levels beside a separator line": ("sep=;\na;a;y\nx;c;y\n", "{x};{c};{y}\n"),
}


@pytest.mark.parametrize("table", SECOND_LINES.values(), ids=SECOND_LINES.keys())
def test_second_lines_of_names_or_units(tmp_path, table):
    header, line = table
    rows = (line.format(i=i, x=f"{i * 7 % 12}.25", c=f"{i}.5", y="ab"[i % 2]) for i in range(20))
    message = refusal(tmp_path, header + "".join(rows))
    assert "every column of numbers has a word" in message
    assert named_in(message) == ["header"]
    dialect = {"sep": ";", "skiprows": 1} if header.startswith("sep") else {}
    lines = read(tmp_path, header=None, **dialect)
    named = R.with_names(lines)
    if named.iloc[0, 0] == "row":
        named = named.drop(index=0)
    (tmp_path / "NEW.csv").write_text(named.to_csv(index=False))
    trained = tool(tmp_path, "train", "NEW.csv")
    assert trained.returncode == 0, trained.stderr
    wanted = {"x": [f"{i * 7 % 12}.25" for i in range(20)], "c": [f"{i}.5" for i in range(20)]}
    for name, cells in wanted.items():
        assert named[name if name in named else f"a {name}"].tolist() == cells


def test_a_line_with_a_number_is_no_second_line(tmp_path):
    rows = "".join(f"{i},{i * 7 % 12},{'' if i == 5 else i},{'ab'[i % 2]}\n" for i in range(20))
    (tmp_path / "t.csv").write_text(f"p,q,r,y\n1,2,3,a\nx,x,4,b\n{rows}", encoding="utf-8")
    refused = tool(tmp_path, "train", "t.csv")
    assert "every column" not in refused.stderr
    assert "--na x" in refused.stderr


@pytest.mark.parametrize("fault", ["x", "c"])
def test_one_word_is_no_second_line(tmp_path, fault):
    cells = {"x": "1.5", "c": "2.5", fault: "kg"}
    rows = "".join(f"{i * 7 % 12}.25,{i}.5,{'ab'[i % 2]}\n" for i in range(20))
    (tmp_path / "t.csv").write_text(f"x,c,y\n{cells['x']},{cells['c']},a\n{rows}", encoding="utf-8")
    refused = tool(tmp_path, "train", "t.csv")
    assert f"column '{fault}': 'kg' is not a finite number" in refused.stderr


def kernel_lines(order, *, labelled):
    points = [(i * 7 % 12 - 5.5, i % 5 - 2.25) for i in range(12)]
    K = [[a[0] * b[0] + a[1] * b[1] for b in points] for a in points]
    labels = ["+1 " if point[0] > 0 else "-1 " for point in points]
    return "".join(
        (labels[i] if labelled else "")
        + f"0:{i + 1} "
        + " ".join(f"{j + 1}:{value!r}" for j, value in enumerate(K[i]))
        + "\n"
        for i in order
    )


ORDERS_OF_LINES = {
    "all": list(range(12)),
    "reversed": list(range(12))[::-1],
    "some": [0, 1, 4, 5, 8, 9, 11],
    "repeated": [*range(12), 2, 5, 5],
    "resampled": [3, 3, 1, 8, 8, 11, 0, 2],
    "twice": [*range(12), *range(12)],
}


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("order", ORDERS_OF_LINES.values(), ids=ORDERS_OF_LINES.keys())
def test_the_recipe_for_kernels_of_libsvm(tmp_path, order, labelled):
    (tmp_path / "t 1.svm").write_text(kernel_lines(order, labelled=labelled))
    task = [] if labelled else ["--loss", "one-class:nu=0.5"]
    refused = train_on(tmp_path, "t 1.svm", *task)
    assert refused.returncode == 3, refused.stderr
    ordered = order == list(range(12))
    assert named_in(refused.stderr) == ["libsvm"] * (labelled or not ordered), refused.stderr
    gram, labels = tmp_path / "gram.csv", tmp_path / "labels.csv"
    R.split_kernel(tmp_path / "t 1.svm", gram, labels)
    rows = [[float(number) for number in line.split(",")] for line in gram.read_text().splitlines()]
    whole = [line.split() for line in kernel_lines(range(12), labelled=False).splitlines()]
    assert rows == [[float(whole[i][j + 1].partition(":")[2]) for j in order] for i in order]
    table = ["labels.csv", "--no-header", "--label", "1"] if labelled else []
    matrices = ["gram.csv", "t 1.svm"] if ordered else ["gram.csv"]
    for matrix in matrices:
        trained = train_on(tmp_path, *table, "--gram", matrix, *task)
        assert trained.returncode == 0, trained.stderr


def train_on(folder, *files):
    line = [KERNMIX, "train", *files, "-o", "m.kmx", "-q", "--threads", "1"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
