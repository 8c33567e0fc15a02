"""Pages of the gallery: one for each file of examples/python, with what `docs/run-gallery` kept.

A page is the docstring of the example, its figures, its code and what it printed. Without results
in build/gallery (or in KERNMIX_GALLERY) a page has no figures, and a warning says so.
"""

import ast
import os
import re
from pathlib import Path

from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(os.environ.get("KERNMIX_GALLERY", ROOT / "build/gallery"))
log = get_plugin_logger("gallery")


def examples():
    return sorted((ROOT / "examples/python").glob("*.py"))


def figures(example):
    return sorted(RESULTS.glob(f"{example.stem}-*.png"))


def parts(example):
    """Title, text and code."""
    source = example.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = ast.get_docstring(tree).partition("\n")
    code = "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip()
    return title.rstrip("."), text.strip(), code


def page(example):
    title, text, code = parts(example)
    lines = [f"# {title}", text]
    lines += [f"![{title}, figure {k}]({path.name})" for k, path in enumerate(figures(example), 1)]
    lines += [f"```py\n{code}\n```"]
    printed = RESULTS / f"{example.stem}.txt"
    if printed.exists() and printed.stat().st_size:
        lines += [f"It prints\n\n```text\n{printed.read_text(encoding='utf-8').rstrip()}\n```"]
    lines += [f"*The whole file is `examples/python/{example.name}`.*"]
    return "\n\n".join(lines)


def card(example):
    title, text, _ = parts(example)
    link = f"{example.stem}.md"
    picture = [f"[![{title}]({path.name})]({link})" for path in figures(example)[:1]]
    first = re.split(r"(?<=\.) ", " ".join(text.split()))[0]
    return "\n\n".join(["<div markdown>", *picture, f"**[{title}]({link})**", first, "</div>"])


def index():
    head = "# Gallery\n\nEach example is complete, uses public data and runs within seconds."
    cards = [card(example) for example in examples()]
    return "\n\n".join([head, '<div class="gallery" markdown>', *cards, "</div>"])


def on_config(config):
    """Puts the examples below `Gallery` of the navigation."""
    for section in config.nav:
        for entry in section.get("Python", []):
            if isinstance(entry, dict) and "Gallery" in entry:
                pages = [{parts(path)[0]: f"gallery/{path.stem}.md"} for path in examples()]
                entry["Gallery"] = ["gallery/index.md", *pages]
    return config


def on_files(files, config):
    def add(name, **source):
        files.append(File.generated(config, f"gallery/{name}", **source))

    if missing := [path.stem for path in examples() if not (RESULTS / f"{path.stem}.txt").exists()]:
        log.warning("docs/run-gallery %s must run first: no %s", RESULTS, ", ".join(missing))
    add("index.md", content=index())
    for example in examples():
        add(f"{example.stem}.md", content=page(example))
        for path in figures(example):
            add(path.name, abs_src_path=str(path))
    return files
