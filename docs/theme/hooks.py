"""What mkdocs does beyond its plugins: formulas, their font, and pages that lie outside of docs/.

Formulas are TeX in the text and MathML in the site, made here at build time: browsers draw it
themselves, so that the site needs no script for it and asks nobody for anything.
"""

import html
import re
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
FONT = "STIXTwoMath-Regular.ttf"
RESULTS = "developers/results"
EXPERIMENTS = "explanation/experiments"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
CLOSING = {")", "]", "}", "\u2016", "|", "\u2032"}
FUNCTIONS = {"log", "ln"}
BELOW = {"max", "min", "sup", "inf", "argmin", "argmax", "lim"}


def results(folder="benchmarks"):
    return sorted((ROOT / folder / "results").glob("*.md"))


def title(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:]
    return path.stem


def on_config(config):
    """Puts every decision and every table of benchmarks and experiments into the navigation."""
    decisions = sorted(path.name for path in (ROOT / "docs/decisions").glob("0*.md"))
    experiments = [{path.stem: f"{EXPERIMENTS}/{path.name}"} for path in results("experiments")]
    for section in config.nav:
        if "Explanation" in section:
            section["Explanation"].append({"Experiments": experiments})
        if "Developers" in section:
            section["Developers"] += [
                {"Decisions": ["decisions/index.md", *(f"decisions/{name}" for name in decisions)]},
                {"Measured": [{path.stem: f"{RESULTS}/{path.name}"} for path in results()]},
            ]
    return config


def on_files(files, config):
    def add(name, **source):
        files.append(File.generated(config, name, **source))

    readme = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    add("developers/benchmarks.md", content=readme.replace("](../docs/", "](../"))
    for path in [*(ROOT / "experiments/results").glob("*.svg"), *results("experiments")]:
        add(f"{EXPERIMENTS}/{path.name}", abs_src_path=str(path))
    for path in results():
        text = path.read_text(encoding="utf-8")
        add(
            f"{RESULTS}/{path.name}",
            content=text if title(path) != path.stem else f"# {path.stem}\n\n{text}",
        )
    for path in (ROOT / "benchmarks/results").iterdir():
        if path.suffix in (".svg", ".txt"):
            add(f"{RESULTS}/{path.name}", abs_src_path=str(path))
    font = resources.files("ziamath.fonts") / FONT
    add(f"theme/{FONT}", content=font.read_bytes())
    return files


def space_signs(row):
    """Space on both sides of a sign between two terms, none of one before a term."""
    for place, node in reversed(list(enumerate(row))):
        if node.tag == "mi" and node.text in FUNCTIONS:
            row.insert(place + 1, ElementTree.Element("mspace", width="0.17em"))
    before = None
    for node in row:
        if node.tag == "mo" and node.text in ("\u2212", "+"):
            alone = (
                before is None
                or (before.tag == "mo" and before.text not in CLOSING)
                or before.get("width") == "1em"
            )
            node.set("form", "prefix" if alone else "infix")
            for side in ("lspace", "rspace"):
                node.set(side, "0" if alone else "0.22em")
        before = node


def mathml(tex, display):
    """MathML of a formula, with what latex2mathml lacks: brackets, limits, signs, primes."""
    tex = re.sub(
        r"\\[bB]ig([lr])(?![a-z])",
        lambda side: r"\left" if side[1] == "l" else r"\right",
        html.unescape(tex.strip()),
    )
    ElementTree.register_namespace("", MATHML[1:-1])
    text = convert(tex, display="block" if display else "inline").replace(
        "<mi>&</mi>", "<mi>&amp;</mi>"
    )
    root = ElementTree.fromstring(text)
    for node in root.iter():
        node.tag = node.tag.replace(MATHML, "")
    for node in root.iter():
        first = node[0].text if len(node) else None
        if display and node.tag == "msub" and first in BELOW:
            node.tag = "munder"
        if node.tag == "mo" and node.text == "\u2016":
            node.set("stretchy", "false")
        if node.tag == "mo" and node.text == "|":
            node.attrib.update(stretchy="false", lspace="0", rspace="0")
        if (
            node.tag == "msup" and node[1].text == "\u2032"
        ):  # the glyph of the font is raised already
            node.tag = "mrow"
            node[1].tag = "mo"
            node[1].attrib.update(lspace="0", rspace="0")
        if node.tag in ("mrow", "mtd", "math", "mstyle"):
            space_signs(node)
    root.set("xmlns", MATHML[1:-1])
    result = ElementTree.tostring(root, encoding="unicode")
    if "&amp;" in result or "\\" in result:
        raise ValueError(f"a formula that MathML has not: {tex}")
    return result


def on_page_content(text, page, config, files):
    def inline(match):
        return mathml(match.group(1), display=False)

    def block(match):
        return f'<div class="formula">{mathml(match.group(1), display=True)}</div>'

    text = re.sub(r'<span class="arithmatex">\\\((.*?)\\\)</span>', inline, text, flags=re.DOTALL)
    text = re.sub(
        r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', block, text, flags=re.DOTALL
    )
    return text
