"""Links and quotations that a page has in the tree, turned into those of the site.

On a code host a page leads to files of the repository, which all exist there:

    [a figure](../../experiments/results/spicy.svg)
    [`hinge.hpp`](../../src/loss/classes/hinge.hpp)<!-- include -->
    [The steps](../../CONTRIBUTING.md)<!-- include loss -->

On the site the first leads to the page that mkdocs generates from the file. The second and the third
are replaced by the file, as code under its name, or by its section `loss`.
"""

import posixpath
import re

PAGES = (  # folders outside of docs/, and where the site has the pages made of their files
    (r"examples/python/?$", "gallery/index.md"),
    (r"examples/python/(\w+)\.py$", r"gallery/\1.md"),
    (r"experiments/results/(.+)$", r"explanation/experiments/\1"),
    (r"benchmarks/results/(.+)$", r"developers/results/\1"),
    (r"benchmarks/README\.md$", "developers/benchmarks.md"),
)
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".txt": "cmake"}
INCLUDE = re.compile(r"^\[[^\]\n]+\]\((\S+?)\)<!-- include(?: ([\w-]+))? -->$", re.MULTILINE)
LINK = re.compile(r"(\]\()(\.\./[^)\s#]+)(#[^)\s]*)?(?=\))")


def in_tree(page, target):
    """The path from the root of the repository of what a page of docs/ links to."""
    return posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))


def site_link(page, target):
    """The link on the site, or None where the target is a page of docs/ already."""
    path = in_tree(page, target)
    for pattern, replacement in PAGES:
        if re.match(pattern, path):
            name = re.sub(pattern, replacement, path)
            return posixpath.relpath(name, posixpath.dirname(page) or ".")
    return None


def quoted(page, match):
    """The snippet of pymdownx in place of a link to a file."""
    path, section = in_tree(page, match[1].partition("#")[0]), match[2]
    if section:
        return f'--8<-- "{path}:{section}"'
    language = LANGUAGES[posixpath.splitext(path)[1]]
    return f'`{path}`\n\n```{language}\n--8<-- "{path}"\n```'


def on_page_markdown(text, page, config, files):
    name = page.file.src_uri
    text = INCLUDE.sub(lambda match: quoted(name, match), text)
    return LINK.sub(
        lambda match: f"{match[1]}{site_link(name, match[2]) or match[2]}{match[3] or ''}", text
    )
