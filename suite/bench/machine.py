"""What the machine is, and what processes use of it."""

import datetime
import os
import platform
import subprocess
import threading

TICKS = os.sysconf("SC_CLK_TCK")


def output(*command):
    """The first line a program prints, or why there is none."""
    try:
        text = subprocess.run(command, capture_output=True, text=True, timeout=20).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as failure:
        return str(failure)
    return text.splitlines()[0] if text else ""


def described():
    """Lines of name and value."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) // 1024
    return [
        ("Date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("Processor", f"{os.cpu_count()} x {models[0] if models else platform.machine()}"),
        ("Memory", f"{memory} MB"),
        ("Kernel", platform.release()),
        ("Load before", " ".join(f"{load:.1f}" for load in os.getloadavg())),
    ]


def family(root):
    """A process and all that descend from it."""
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    found, todo = [], [root]
    while todo:
        process = todo.pop()
        found.append(process)
        todo += children.get(process, [])
    return found


def cpu_seconds(processes):
    """Processor time of living processes and of their children that ended, user and system."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / TICKS


def memory_mb(processes, kind):
    """Memory in MB; kind is Rss or Pss (shared pages divided among those who share them)."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/smaps_rollup") as file:
                total += next(int(line.split()[1]) for line in file if line.startswith(kind + ":"))
        except (OSError, StopIteration):
            continue
    return total / 1024


def rounds(seconds):
    """In how many parts a case is measured, its peers in turn with it."""
    return 4 if seconds >= 20 else 1


def means(rows):
    """Of each column."""
    return [sum(column) / len(column) for column in zip(*rows)]


class Regularly:
    """Does something every few seconds, and once at the end, beside what is measured: between two portions of the load it
    would be the server that waits for it."""

    SECONDS = 3

    def __init__(self, work):
        self.work = work
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.loop, daemon=True)

    def loop(self):
        while not self.over.wait(self.SECONDS):
            self.work()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.work()
