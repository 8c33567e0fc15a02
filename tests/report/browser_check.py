#!/usr/bin/env python3
"""Opens reports in a headless browser: on a desk and on a telephone, by day and by night, and on paper.

usage: browser_check.py KERNMIX EXAMPLES [BROWSER]
Prints every offence and exits 1; exits 77, which ctest counts as skipped, where there is no browser.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MOST_PAGES = {"two_classes": 12, "three_classes": 8}
DARK = "@media screen and (prefers-color-scheme: dark)"
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')

# Runs inside the page; the copy that is tested has no policy against scripts.
PROBE = r"""
<script>
const offences = [];
async function inkOf(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let black = 0, drawn = 0;
  for (let k = 0; k < pixels.length; k += 4) {
    const [r, g, b, a] = pixels.slice(k, k + 4);
    if (a < 255) offences.push(link.download + ' is transparent');
    if (a < 255) break;
    if (r < 250 || g < 250 || b < 250) ++drawn;
    if (r < 40 && g < 40 && b < 40) ++black;
  }
  const all = pixels.length / 4;
  if (black > 0.1 * all) offences.push(link.download + ' is black alone');
  if (drawn < 0.002 * all) offences.push(link.download + ' is empty alone');
}
function checkTexts(svg) {
  const frame = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1)
      offences.push(svg.querySelector('title').textContent + ': clipped "' + text.textContent + '"');
  }
}
function brightness(color) {
  const [r, g, b] = color.match(/[\d.]+/g).map(Number);
  return (0.3 * r + 0.59 * g + 0.11 * b) / 255;
}
function checkContrast() {
  const paper = brightness(getComputedStyle(document.body).backgroundColor);
  if ((paper < 0.5) !== NIGHT) offences.push('the page has the wrong brightness');
  for (const text of document.querySelectorAll('svg .tick, svg .name, svg .label, svg .strong, p, th, td'))  {
    const style = getComputedStyle(text);
    const ink = brightness(text.closest('svg') ? style.fill : style.color);
    if (Math.abs(ink - paper) < 0.3) offences.push('hard to read: ' + text.textContent.slice(0, 40));
  }
}
addEventListener('load', async () => {
  try {
    const room = document.scrollingElement;
    if (innerWidth !== WIDTH) offences.push('the browser did not take the width');
    if (room.scrollWidth > innerWidth) {
      const wide = [...document.querySelectorAll('body *')].filter(
          e => e.getBoundingClientRect().right > innerWidth && !e.closest('.charts'));
      offences.push(room.scrollWidth + ' pixels, for one of ' + wide.at(-1)?.outerHTML.slice(0, 90));
    }
    document.querySelectorAll('figure svg').forEach(checkTexts);
    checkContrast();
    for (const link of document.querySelectorAll('a[download$=".svg"]')) await inkOf(link);
    for (const link of document.querySelectorAll('a[download$=".csv"]'))
      if (!decodeURIComponent(link.href).includes('\n')) offences.push(link.download + ' has no line');
  } catch (error) { offences.push(String(error)); }
  parent.postMessage(JSON.stringify(offences), '*');
});
</script>
"""
# A browser's window has a least width; a frame in it has none.
FRAME = """<!DOCTYPE html><title>probe</title><body style="margin:0"><iframe src="%s" width="%d" height="1000"
style="border:0"></iframe><script>addEventListener('message', event => {
  const result = document.createElement('pre');
  result.id = 'result';
  result.textContent = event.data;
  document.body.append(result);
});</script></body>"""


def browser(program, *arguments):
    profile = tempfile.mkdtemp(prefix="browser-", dir=".")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={profile}", *arguments]
    return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout.decode()


def kernmix(program, *arguments):
    subprocess.run([program, *arguments, "--quiet"], check=True, stdout=subprocess.DEVNULL)


def make_reports(program, examples):
    """Two classes by two methods with probabilities, and three classes."""
    breast = ("breast_cancer", "diagnosis", ["--positive", "malignant", "--loss", "logistic"])
    wine = ("wine", "cultivar", [])
    for page, (data, label, options), methods in (("two_classes", breast, ["l1", "average"]),
                                                  ("three_classes", wine, ["l1"])):
        files = []
        for method in methods:
            kernmix(program, "train", f"{examples}/{data}_train.csv", "--label", label, "--id", "sample", *options,
                    "--kernel", "rbf(gamma=2^-6..2^-3) on all", "--kernel", "linear on all, each", "--regularizer",
                    method, "--threads", "1", "-o", f"{method}.kmx", "--json", f"{method}.json")
            kernmix(program, "evaluate", f"{method}.kmx", f"{examples}/{data}_test.csv", "--label", label, "--id", "sample",
                    "--json", f"{method}_test.json")
            files += [f"{method}.json", "--evaluation", f"{method}_test.json"]
        subprocess.run([program, "report", *files, "-o", f"{page}.html"], check=True)
        yield page


def probe(program, page, width, night):
    text = POLICY.sub("", pathlib.Path(f"{page}.html").read_text())
    assert DARK in text, "the style sheet has no rules for the night"
    if night:
        text = text.replace(DARK, "@media screen")
    script = PROBE.replace("NIGHT", json.dumps(night)).replace("WIDTH", str(width))
    copy = pathlib.Path(f"{page}-{width}.html")
    copy.write_text(text.replace("</body>", script + "</body>"))
    frame = pathlib.Path(f"frame-{copy}")
    frame.write_text(FRAME % (copy, width))
    dom = browser(program, "--window-size=1400,1000", "--virtual-time-budget=20000", "--dump-dom",
                  frame.resolve().as_uri())
    result = re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL)
    return json.loads(html.unescape(result[1])) if result else ["the page said nothing"]


def pages_on_paper(program, page):
    browser(program, "--no-pdf-header-footer", f"--print-to-pdf={page}.pdf", pathlib.Path(f"{page}.html").resolve().as_uri())
    return len(re.findall(rb"/Type\s*/Page\b", pathlib.Path(f"{page}.pdf").read_bytes()))


def offences(program, kernmix_program, examples):
    for page in make_reports(kernmix_program, examples):
        for width, night in ((1280, True), (390, False)):
            for offence in probe(program, page, width, night):
                yield f"{page}, {width} pixels: {offence}"
        pages = pages_on_paper(program, page)
        if not 1 <= pages <= MOST_PAGES[page]:
            yield f"{page}: {pages} pages on paper, at most {MOST_PAGES[page]} were expected"


def main(kernmix_program, examples, *given):
    found = [shutil.which(name) for name in (*given, "chromium", "chromium-browser", "google-chrome")]
    program = next((name for name in found if name), None)
    if program is None:
        print("skipped: no chromium to open reports in")
        return SKIPPED
    kernmix_program, examples = pathlib.Path(kernmix_program).resolve(), pathlib.Path(examples).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        all_offences = list(offences(program, kernmix_program, examples))
        os.chdir("/")
    print("\n".join(all_offences) or "reports look right")
    return 1 if all_offences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
