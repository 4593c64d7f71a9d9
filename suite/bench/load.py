"""The load: smtp-source, wrk and pgbench."""

import os
import random
import re
import subprocess
import time

DOMAIN = "bench.test"
SIZE = 4096
INBOXES = 1000


class Ingest:
    """Messages answered 250 in a time. smtp-source counts messages, not seconds, so it is run until the time is over."""

    def __init__(self, port, sessions, many, reconnect=False):
        self.command = ["smtp-source", "-4", "-s", str(sessions), "-l", str(SIZE), "-f", "sender@client.test",
                        "-M", "client.test"]
        if not reconnect:
            self.command.append("-d")
        # -N numbers the recipients of one run from 1 on: "inbox" becomes "1inbox", "2inbox" and so on.
        self.command += ["-N", "-t", "inbox@" + DOMAIN] if many else ["-t", "one@" + DOMAIN]
        self.target = f"127.0.0.1:{port}"
        self.many = many
        self.sessions = sessions

    def run(self, seconds):
        """Returns (messages, seconds). smtp-source ends with an error at the first reply that is not the expected one, so
        every message counted was answered 250."""
        messages, begin = 0, time.monotonic()
        portion = INBOXES if self.many else max(100, 20 * self.sessions)
        while True:
            spent = time.monotonic() - begin
            if spent >= seconds:
                return messages, spent
            if not self.many and messages:
                left = seconds - spent
                portion = max(100, int(messages / spent * min(left, 10)))
            done = subprocess.run(self.command + ["-m", str(portion), self.target], capture_output=True, text=True,
                                  timeout=600)
            if done.returncode:
                raise RuntimeError(" ".join(self.command) + ": " + done.stderr)
            messages += portion


def wrk(url, key, paths, seconds, connections):
    """Requests/s, p99 in ms and failures of GETs on the paths in turn."""
    script = os.path.join(os.environ["BENCH_FOLDER"], "wrk.lua")
    with open(script, "w") as file:
        file.write("local paths = {\n" + "".join(f'  "{path}",\n' for path in paths) + "}\nlocal n = 0\n"
                   f'wrk.headers["Authorization"] = "Bearer {key}"\n'
                   "function request() n = n % #paths + 1; return wrk.format('GET', paths[n]) end\n")
    done = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, url],
                          capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode:
        raise RuntimeError(done.stderr + done.stdout)
    text = done.stdout
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
            float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], int(failed.group(1)) if failed else 0)


def pgbench(environment, scripts, seconds, connections):
    """Transactions/s and p99 in ms of scripts chosen at random; a script is a list of statements."""
    folder = os.environ["BENCH_FOLDER"]
    files = []
    for number, statements in enumerate(scripts):
        name = os.path.join(folder, f"pgbench-{number}.sql")
        with open(name, "w") as file:
            file.write("".join(statement + ";\n" for statement in statements))
        files += ["-f", name]
    prefix = os.path.join(folder, "pgbench-log")
    done = subprocess.run(["pgbench", "-n", "-M", "prepared", f"-c{connections}", "-j1", f"-T{seconds}", "-l",
                           "--log-prefix", prefix] + files, env=environment, capture_output=True, text=True,
                          timeout=seconds + 60)
    if done.returncode:
        raise RuntimeError(done.stderr)
    latencies = []
    for name in os.listdir(folder):
        if name.startswith("pgbench-log"):
            with open(os.path.join(folder, name)) as file:
                latencies += [int(line.split()[2]) for line in file]
            os.remove(os.path.join(folder, name))
    latencies.sort()
    rate = float(re.search(r"tps = ([\d.]+)", done.stdout).group(1))
    return rate, quantile(latencies, 0.99) / 1000


def quantile(ordered, part):
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def sample(values, count):
    return random.Random(1).sample(values, min(count, len(values)))
