"""Search in a large organization: how long it takes, how it grows, what the mail takes on the disk, and the index's lag."""

import http.client
import json
import os
import subprocess
import sys
import time
import urllib.parse

WORDS = (("a rare word", "quokkarare"), ("a word in 1 %", "onepercentword"), ("a word in 30 %", "thirtypercentword"),
         ("a miss", "nosuchwordatall"))
REQUESTS = 200
WARM_UP = 40


class Load:
    """Mail put into a running inboxd, more and more of it; stopped and started again, it goes on where it was."""

    def __init__(self, inboxd, java, folder):
        self.inboxd, self.java, self.folder = inboxd, java, folder
        self.key = self.inbox = None

    def to(self, count):
        """Loads until there are so many messages; returns the messages a second."""
        environment = self.inboxd.database()
        url = f"jdbc:postgresql://127.0.0.1:{environment['PGPORT']}/inboxd"
        begin, first = time.monotonic(), None
        with subprocess.Popen(self.java + ["LoadMillion", url, "inboxd", environment["PGPASSWORD"], "bench.test",
                                           self.folder, str(count)], stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                word, _, rest = line.strip().partition(" ")
                if word == "key":
                    self.key = rest
                elif word == "inbox":
                    self.inbox = rest
                elif word == "progress":
                    first = first if first is not None else int(rest.split()[0])
                    print(f"\rbench: {rest}    ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        if process.returncode:
            raise RuntimeError("the load stopped")
        return (count - (first or 0)) / max(1, time.monotonic() - begin)

    def behind(self):
        """How many messages are not in the index yet."""
        return int(self.inboxd.sql("select count(*) from message m where not exists (select 1 from search_text t where"
                                   " t.organization_id = m.organization_id and t.message_id = m.message_id)"))

    def wait(self):
        """Until everything is in the index; returns the seconds."""
        begin = time.monotonic()
        while self.behind():
            time.sleep(0.5)
        return time.monotonic() - begin

    def times(self, path, word):
        """Milliseconds of p50 and p95, and how many were found on the first page."""
        address = urllib.parse.urlsplit(self.inboxd.url)
        connection = http.client.HTTPConnection(address.hostname, address.port)
        taken = []
        for _ in range(WARM_UP + REQUESTS):
            begin = time.perf_counter()
            connection.request("GET", f"{path}/search?q={word}&limit=20", headers={"Authorization": "Bearer " + self.key})
            answer = connection.getresponse()
            body = answer.read()
            taken.append((time.perf_counter() - begin) * 1000)
            if answer.status != 200:
                raise RuntimeError(f"{answer.status} {body}")
        connection.close()
        taken = sorted(taken[WARM_UP:])
        return taken[len(taken) // 2], taken[len(taken) * 95 // 100], json.loads(body)["count"]

    def storage(self):
        """Bytes of all, and of each table with its indexes."""
        names = self.inboxd.sql("select relname || ' ' || pg_total_relation_size(oid) from pg_class where relkind = 'r'"
                                " and relnamespace = 'public'::regnamespace and pg_total_relation_size(oid) > 1000000"
                                " order by pg_total_relation_size(oid) desc")
        tables = [line.split() for line in names.splitlines()]
        raw = int(self.inboxd.sql("select sum(size) from message"))
        return raw, [(name, int(size)) for name, size in tables]


def measure(bench, count):
    """The part of the benchmark; the smaller organization first."""
    load = Load(bench.inboxd, bench.java, os.path.join(bench.inboxd.data, "load"))
    rows = []
    for size in sorted({min(10_000, count), count}):
        bench.progress(f"loading {size} messages")
        rate = load.to(size)
        waited = load.wait()
        bench.progress(f"{rate:.0f} a second, the index was complete {waited:.1f} s later")
        bench.inboxd.sql("vacuum analyze")
        inbox = f"/v0/inboxes/{urllib.parse.quote(load.inbox, safe='')}"
        for level, path in (("messages of an inbox", inbox + "/messages"), ("threads of an inbox", inbox + "/threads"),
                            ("threads of all", "/v0/threads")):
            for what, word in WORDS:
                p50, p95, found = load.times(path, word)
                rows.append((f"{size:,}", level, what, f"{p50:.1f} ms", f"{p95:.1f} ms", found))
                bench.progress("  " + ", ".join(str(cell) for cell in rows[-1]))
    bench.report.heading("Search, one client, warm (at least 100 ms at p95, aim 20 ms)")
    bench.report.say("An inbox has every tenth message of its organization.")
    bench.report.say()
    bench.report.table(["Messages", "Searched", "Word", "p50", "p95", "on the first page"], rows)
    raw, tables = load.storage()
    whole = sum(size for _, size in tables)
    bench.report.heading(f"Storage of {count:,} messages of {raw // count} bytes (at least 3 times, aim 1.5 times)")
    bench.report.table(["Table with its indexes", "Bytes a message", "Of the raw size"],
                       [(name, size // count, f"{size / raw:.2f}") for name, size in tables]
                       + [("everything", whole // count, f"{whole / raw:.2f}")])
    bench.report.write()
