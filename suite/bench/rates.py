"""What the rates of requests cost a read: the same server with and without them, in turn."""

import urllib.parse

import load
from product import DOMAIN

ROUNDS = 3
# More than it can answer, so that none is refused; a part of it is leased about as often as of the usual rate.
LIMITS = ("--limits", "requests=20000")


def measure(bench):
    """The part `rates`."""
    bench.accepted += load.Ingest(bench.inboxd.smtp, 10, False).run(2)[0]
    inbox = "one@" + DOMAIN
    names = load.sample(bench.inboxd.sql("select name from message where inbox_id = (select inbox_id from inbox where address = "
                                         f"'{inbox}') limit 1000").split("\n"), 40)
    base = f"/v0/inboxes/{urllib.parse.quote(inbox, safe='')}/messages/"
    paths = [f"{base}{urllib.parse.quote(name, safe='')}?include_unauthenticated=true" for name in names]
    figures = {(): [], LIMITS: []}
    for number in range(ROUNDS):
        for settings in ((), LIMITS) if number % 2 == 0 else (LIMITS, ()):
            bench.progress(f"reads {'with' if settings else 'without'} rates")
            bench.inboxd.stop()
            bench.inboxd.more = list(settings)
            bench.inboxd.start()
            load.wrk(bench.inboxd.url, bench.keys[0], paths, max(5, bench.seconds // 2), 12)  # warms up
            rate, p99, failed = load.wrk(bench.inboxd.url, bench.keys[0], paths, bench.seconds, 12)
            if failed:
                bench.problem(f"reads: {failed} failed")
            figures[settings].append((rate, p99))
    bench.inboxd.stop()
    bench.inboxd.more = []
    bench.inboxd.start()
    rows = []
    plain = sum(rate for rate, _ in figures[()])
    for settings, name in (((), "without"), (LIMITS, "with")):
        rates = [rate for rate, _ in figures[settings]]
        rows.append((name, " ".join(f"{rate:.0f}" for rate in rates), f"{sum(rates) / len(rates):.0f}",
                     f"{max(p99 for _, p99 in figures[settings]):.1f} ms", f"{sum(rates) / plain * 100:.1f} %"))
    bench.report.heading("GET one message with and without rates, 12 connections")
    bench.report.table(["Rates", "requests/s, by round", "mean", "highest p99", "of those without"], rows)
    bench.report.write()
