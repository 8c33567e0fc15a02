"""Processor time and memory of a command."""

import subprocess
import sys

# A process begins with the resident set of the one that starts it: a small one starts the command.
START = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
"""


def measured(command):
    """(exit code, processor seconds, bytes of the largest resident set)"""
    words = [sys.executable, "-S", "-c", START, *map(str, command)]
    output = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    code, seconds, peak = output.splitlines()[-1].split()
    return int(code), float(seconds), int(peak)
