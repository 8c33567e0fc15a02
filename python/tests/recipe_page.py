"""The recipes of the page "Clean a table", as its blocks define them."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kernmix.recipes import page

FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def recipes() -> SimpleNamespace:
    """The functions of the page; its blocks are run in an empty folder with the files of the page."""
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, _in(folder):
        for block in FENCE.finditer(page()):
            title = re.search(r'title="([^"]+)"', block["kind"])
            if title:
                Path(title[1]).write_text(block["body"], encoding="utf-8")
            elif block["kind"] == "python":
                exec(block["body"], names)  # noqa: S102 (a page of ours)
    names["MISSING"].difference_update({"unknown", "-9"})  # of an example
    return SimpleNamespace(**{name: value for name, value in names.items() if not name.startswith("_")})


@contextlib.contextmanager
def _in(folder: str):
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def headings() -> set[str]:
    """The names of the recipes."""
    listed = set(re.findall(r"^\| \[`(\w+)`\]", page(), re.MULTILINE))
    assert listed <= set(re.findall(r"^## (\w+)$", page(), re.MULTILINE))
    return listed


def named_in(message: str) -> list[str]:
    """The recipes that a message names; each is on the page, and the message has no program."""
    names = re.findall(r"recipe '(\w+)'", message)
    assert set(names) <= headings(), message
    for program in ("import ", "pandas", "polars", "pd.", "awk", "NEW", "lambda", "X = "):
        assert program not in message, message
    return names
