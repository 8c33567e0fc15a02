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


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())
@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS.keys())
def test_the_new_file_is_read(tmp_path, monkeypatch, cell, dialect):
    header, line = dialect
    rows = (line.format(i=i, x=f"{i * 7 % 12}.25", c=cell(i), y="ab"[i % 2]) for i in range(20))
    (tmp_path / "t.csv").write_text(header + "".join(rows), encoding="utf-8")
    refused = tool(tmp_path, "train", "t.csv")
    assert refused.returncode == 3, refused.stderr
    statements = re.search(r"in Python: (.*)", refused.stderr)
    assert statements, refused.stderr
    monkeypatch.chdir(tmp_path)
    exec(statements[1], {})  # noqa: S102 (a message of ours)
    assert tool(tmp_path, "train", "NEW.csv").stderr == ""
