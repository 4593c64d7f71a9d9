"""Runs a script and counts what it sleeps: more than a second in all is a failure."""

import runpy
import sys
import time

slept = 0
real = time.sleep


def sleep(seconds):
    global slept
    slept += seconds
    real(seconds)


time.sleep = sleep
script = sys.argv[1]
sys.argv = sys.argv[1:]
status = 0
try:
    runpy.run_path(script, run_name="__main__")
except SystemExit as end:
    status = end.code or 0
if slept > 1:
    print(f"The script slept for {slept} s.", file=sys.stderr)
    status = 1
sys.exit(status)
