"""Results that are measured once: experiments/results/NAME.jsonl has a line for each cell of an
experiment. A run that was killed goes on where it stopped, `--full` goes on from the default, and
`--page` writes the page again without measuring.

The first line names the build of the tool and the machine; lines with "data" have checksums of the
data files. Cells of another build, or of other data, are measured again.
"""

import hashlib
import json
import os
import pathlib
import platform
import shutil
import sys
import threading
import time

import common


class Journal:
    """The cells of an experiment. Safe to use from several threads."""

    def __init__(self, name, options):
        self.only_read = options.page
        self.file = options.results / f"{name}.jsonl"
        self.lock = threading.Lock()
        self.cells, self.data, self.seconds = {}, {}, 0.0
        lines = [json.loads(line) for line in self.complete_lines()]
        self.head = lines[0] if lines else None
        if self.only_read:
            if not lines:
                sys.exit(f"{self.file} has no results: run experiments/{name} first")
        elif self.head is None or self.head["tool"] != tool_mark():
            self.start_anew(lines)
            lines = []
        for line in lines[1:]:
            self.take(line)

    def complete_lines(self):
        """The lines of the file; a last line that a kill has cut is left out."""
        if not self.file.exists():
            return []
        text = self.file.read_text()
        kept = text[: text.rfind("\n") + 1]
        if kept != text and not self.only_read:
            self.file.write_text(kept)
        return kept.splitlines()

    def start_anew(self, lines):
        if lines:
            print(f"{self.file} is of another build of kernmix: all is measured again")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.head = {
            "tool": tool_mark(),
            "build": common.build(),
            "cores": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
        }
        self.file.write_text(json.dumps(self.head) + "\n")

    def take(self, line):
        if "data" in line:
            self.data[line["data"]] = line
        else:
            self.cells[json.dumps(line["cell"])] = line["value"]
            self.seconds += line["seconds"]

    def write(self, line):
        with self.lock:
            self.take(line)
            with open(self.file, "a") as out:
                out.write(json.dumps(line) + "\n")

    def cell(self, key, measure):
        """What `measure()` returned for this key, now or in an earlier run; JSON's types."""
        text = json.dumps(key)
        if text not in self.cells:
            if self.only_read:
                raise KeyError(f"{self.file} has no cell {text}")
            start = time.monotonic()
            value = measure()
            took = round(time.monotonic() - start, 3)
            self.write({"cell": key, "value": value, "seconds": took})
        return self.cells[text]

    def use_data(self, name, mark, **facts):
        """Records the checksum of a set. A set of another checksum ends the program."""
        known = self.data.get(name)
        if known and known["sha256"] != mark:
            sys.exit(
                f"{self.file} has results of other data of {name}: move it away, or name another folder by --results"
            )
        if not known:
            self.write({"data": name, "sha256": mark, **facts})

    def data_table(self):
        """Markdown: what the experiment ran on."""
        facts = [(name, line) for name, line in sorted(self.data.items())]
        lines = [
            (name, str(line.get("samples", "")), line.get("source", ""), f"`{line['sha256'][:16]}`")
            for name, line in facts
        ]
        return common.table(["set", "samples", "source", "sha256"], lines)


def tool_mark():
    """A name for the build of the tool: what another one measured is not gone on with."""
    path = pathlib.Path(shutil.which(common.tool()) or common.tool())
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
