"""Latency of events at sockets and waits, and the cost of sockets and waits that are idle."""

import subprocess
import time

import load
from product import DOMAIN

RATE = 200
SOCKETS = 10_000
FAN = 1_000
WAITING = 20


def measure(bench):
    """The part `push`."""
    rows = []
    waiting = []
    for number in range(WAITING):
        waiting.append(bench.inboxd.call(bench.keys[0], "POST", "/v0/inboxes", {"username": f"wait{number}"})["inbox_id"])
    for what, name in (("frames", "a WebSocket frame"), ("waits", "a returning wait")):
        bench.progress(f"from the 250 to {name}")
        to = ",".join(waiting) if what == "waits" else "one@" + DOMAIN
        started(bench, what, 5 * RATE, RATE, to).communicate()  # warms up
        ordered = figures(bench, started(bench, what, bench.seconds * RATE, RATE, to), name)
        half = ordered[len(ordered) // 2] if ordered else 0
        rows.append((name, f"{half:.1f} ms", f"{load.quantile(ordered, 0.99):.1f} ms" if ordered else "-", "5 / 50 ms", "2 / 10 ms"))
    bench.report.heading(f"From the 250 to who listens, {RATE} messages/s for {bench.seconds} s")
    bench.report.say(f"One socket hears of all messages; {WAITING} requests wait, each for those of an inbox of its own.")
    bench.report.say()
    bench.report.table(["To", "p50", "p99", "At least", "Aim"], rows)

    bench.progress(f"one event to {FAN} sockets")
    ordered = figures(bench, started(bench, "fanout", FAN), "fan-out")
    bench.report.heading(f"One event to {FAN:,} sockets, from the 250 to the last of them")
    bench.report.table(["What", "Figure", "At least", "Aim"], [
        ("median of 20 rounds", f"{ordered[len(ordered) // 2]:.0f} ms" if ordered else "-", "100 ms", "20 ms"),
        ("slowest", f"{ordered[-1]:.0f} ms" if ordered else "-", "", "")])

    rows = []
    for what, name in (("sockets", "idle sockets"), ("parked", "parked waits")):
        bench.progress(f"{SOCKETS} {name}")
        before = settled(bench)
        process = started(bench, what, SOCKETS)
        if process.stdout.readline().strip() != "open":
            bench.problem(f"{SOCKETS} {name} were not opened")
        time.sleep(35)  # one round of pings
        after = settled(bench)
        out, _ = process.communicate("x")
        woken = f"{int(out) / 1000:.0f} ms" if out.strip().isdigit() else "-" if what == "sockets" else "NO"
        rows.append((f"{SOCKETS:,} {name}", f"{before:.0f} MB", f"{after:.0f} MB", f"{after - before:.0f} MB", "500 MB", woken))
    bench.report.heading("Memory of those who wait for nothing")
    bench.report.say("Resident memory of the JVM.")
    bench.report.say()
    bench.report.table(["What", "Before", "With them", "More", "At least", "All answered after one message"], rows)
    bench.report.write()


def settled(bench):
    time.sleep(3)
    return bench.inboxd.memory()[0]


def started(bench, what, count, rate=0, to="one@" + DOMAIN):
    port = bench.inboxd.url.rsplit(":", 1)[1]
    return subprocess.Popen(bench.java + ["Push", what, port, str(bench.inboxd.smtp), bench.keys[0], to,
                                          str(count), str(rate)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def figures(bench, process, name):
    """Milliseconds in order; an event that came before the 250 counts as none."""
    out, _ = process.communicate()
    lines = out.split()
    if lines.count("lost") or process.returncode:
        bench.problem(f"{name}: {lines.count('lost')} lost, status {process.returncode}")
    return sorted(max(0, int(line)) / 1000 for line in lines if line != "lost")
