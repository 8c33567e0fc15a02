"""The page "Clean a table", which messages name: `python -m kernmix.recipes` prints it."""

from __future__ import annotations

from pathlib import Path


def page() -> str:
    """The text of the page in Markdown."""
    here = Path(__file__).resolve()
    installed = here.with_name("clean-a-table.txt")
    of_source = here.parents[2] / "docs" / "how-to" / "clean-a-table.md"
    return (installed if installed.exists() else of_source).read_text("utf-8")


def named(name: str) -> str:
    """A recipe in a message, with the way to the page."""
    return f"recipe '{name}' (python -m kernmix.recipes prints it)"


if __name__ == "__main__":
    print(page())
