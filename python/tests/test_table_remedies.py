"""The statements of pandas in messages about CSV files: a test executes them, and the tool then reads the new file.

KERNMIX names the tool.
"""

from __future__ import annotations

import os
import re
import subprocess

import pytest

KERNMIX = os.environ.get("KERNMIX")
pytestmark = pytest.mark.skipif(not KERNMIX, reason="the environment variable KERNMIX does not name the tool")

CELLS = {
    "dates": lambda i: f"2020-01-{i + 1:02d}",
    "German dates": lambda i: f"{i + 1:02d}.06.2013",
    "times": lambda i: f"12:{i + 10}",
    "percentages": lambda i: f"{i}%",
    "dollars": lambda i: f'"${i},{i + 100}.50"' if i else "$7",
    "euros": lambda i: f"{i}.50 \u20ac",
    "negative amounts": lambda i: f"-${i}.25",
    "units": lambda i: f"{i}.5 kg",
    "parentheses": lambda i: f"({i})" if i % 2 else f"{i}",
    "exponents": lambda i: f"{i}.5D+02",
    "points and commas": lambda i: f'"1.{i + 100},5"',
    "Swiss groups": lambda i: f'"1\u2019{i + 100},5"',
    "narrow blanks": lambda i: f'"1\u202f{i + 100},5"',
}


def tool(folder, *line):
    return subprocess.run(
        [KERNMIX, *line, "--label", "y", "--threads", "1", "-o", "m.kmx", "-q"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


DIALECTS = {
    "plain": ("x,c,y\n", "{x},{c},{y}\n"),
    "row names": (",x,c,y\n", "r{i},{x},{c},{y}\n"),
    "comments": ("# of ours\n# too\nx,c,y\n", "{x},{c},{y}\n"),
    "bars": ("x|c|y\n", "{x}|{c}|{y}\n"),
    "separator line": ("sep=;\nx;c;y\n", "{x};{c};{y}\n"),
}


def follow(folder, monkeypatch, text):
    """The refusal of the file, and the run on the file that its statements write."""
    (folder / "t.csv").write_text(text, encoding="utf-8")
    refused = tool(folder, "train", "t.csv")
    assert refused.returncode == 3, refused.stderr
    statements = re.search(r"in Python: (.*)", refused.stderr)
    assert statements, refused.stderr
    monkeypatch.chdir(folder)
    exec(statements[1], {})  # noqa: S102 (a message of ours)
    return refused.stderr, tool(folder, "train", "NEW.csv")


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_the_new_file_is_read(tmp_path, monkeypatch, cell, dialect):
    header, line = dialect
    rows = (line.format(i=i, x=f"{i * 7 % 12}.25", c=cell(i), y="ab"[i % 2]) for i in range(20))
    _, trained = follow(tmp_path, monkeypatch, header + "".join(rows))
    assert trained.stderr == ""


SECOND_LINES = {
    "units": (",x,c,y\n,kg,m,\n", "r{i},{x},{c},{y}\n"),
    "units without row names": ("x,c,y\nkg,m,none\n", "{x},{c},{y}\n"),
    "levels of columns": (",a,a,y\n,x,c,\n", "r{i},{x},{c},{y}\n"),
    "levels with a name of rows": (",a,a,y\n,x,c,y\nrow,,,\n", "r{i},{x},{c},{y}\n"),
    "levels beside a separator line": ("sep=;\na;a;y\nx;c;y\n", "{x};{c};{y}\n"),
}


@pytest.mark.parametrize("table", SECOND_LINES.values(), ids=SECOND_LINES.keys())
def test_second_lines_of_names_or_units(tmp_path, monkeypatch, table):
    header, line = table
    rows = (line.format(i=i, x=f"{i * 7 % 12}.25", c=f"{i}.5", y="ab"[i % 2]) for i in range(20))
    refusal, trained = follow(tmp_path, monkeypatch, header + "".join(rows))
    assert "every column of numbers has a word" in refusal
    assert trained.returncode == 0, trained.stderr


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


ORDERS = {
    "all": list(range(12)),
    "reversed": list(range(12))[::-1],
    "some": [0, 1, 4, 5, 8, 9, 11],
    "repeated": [*range(12), 2, 5, 5],
    "resampled": [3, 3, 1, 8, 8, 11, 0, 2],
    "twice": [*range(12), *range(12)],
}


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS.keys())
def test_the_commands_for_kernels_of_libsvm_train(tmp_path, order, labelled):
    (tmp_path / "t 1.svm").write_text(kernel_lines(order, labelled=labelled))
    refused = train_on(tmp_path, "t 1.svm", *([] if labelled else ["--loss", "one-class:nu=0.5"]))
    assert refused.returncode == 3, refused.stderr
    command = re.search(r"`(.*)`", refused.stderr)
    assert command, refused.stderr
    (tmp_path / "kernmix").symlink_to(KERNMIX)
    task = "" if labelled else " --loss one-class:nu=0.5"
    subprocess.run(
        f"{command[1]} -o m.kmx --threads 1 -q{task}",
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        check=True,
    )
    gram = tmp_path / "gram.csv"
    if not gram.exists():
        assert order == sorted(set(order))
        return
    rows = [[float(number) for number in line.split(",")] for line in gram.read_text().splitlines()]
    whole = [line.split() for line in kernel_lines(range(12), labelled=False).splitlines()]
    assert rows == [[float(whole[i][j + 1].partition(":")[2]) for j in order] for i in order]


def train_on(folder, *files):
    line = [KERNMIX, "train", *files, "-o", "m.kmx", "-q"]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
