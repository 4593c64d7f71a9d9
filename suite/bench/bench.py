"""Measures inboxd beside its peers; suite/bench/run checks for the programs and starts this."""

import argparse
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse

import hooks
import load
import machine
import milters
import outbound
import push
import rates
import search
import threads
import timing
from peers import Postfix, Sink
from product import DOMAIN, Inboxd
from report import Report, times

PARTS = ("parse", "origin", "start", "latency", "ingest", "read", "memory")  # and those of ASKED, only when asked for
ASKED = ("push", "search", "threads", "outbound", "rates", "timing")
CONNECTIONS = 12
WARM_UP = 45  # seconds of mail into one inbox, and as many into 1,000, before any of either is measured


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.report = Report(options.out)
        self.seconds = options.seconds or (6 if options.quick else 60)
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")
        path = ":".join([os.path.join(options.root, "target", "bench")]
                        + glob.glob(os.path.join(options.root, "target", "lib", "*.jar")))
        self.java = [java, "-XX:+UseSerialGC", "-Xmx128m", "-cp", path]
        self.inboxd = Inboxd(options.root, folder)
        self.postfix = Postfix(os.path.join(folder, "postfix"))
        self.checking = Postfix(os.path.join(folder, "postfix-checks"),
                                milter=milters.Rspamd(os.path.join(folder, "rspamd"), self.inboxd.dns))
        self.sink = Sink()
        self.webhook = None
        self.keys = []
        self.accepted = 0
        self.problems = []

    def progress(self, text):
        print(f"bench: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

    def problem(self, text):
        self.problems.append(text)
        self.progress("PROBLEM " + text)

    def close(self):
        for part in (self.inboxd, self.postfix, self.checking, self.sink):
            part.stop()
        if self.webhook:
            self.webhook.kill()
            self.webhook.wait()

    # ---

    def run(self):
        parts = self.options.only.split(",") if self.options.only else PARTS
        self.head()
        if "parse" in parts:
            self.parse()
        if "origin" in parts:
            self.origin()
        if set(parts) - {"parse", "origin"}:
            self.served(parts)
        if self.problems:
            self.report.heading("Problems")
            for text in self.problems:
                self.report.say("- " + text)
        self.report.write()
        return not self.problems

    def served(self, parts):
        """What needs a server."""
        if "outbound" in parts:
            self.sink.start()
            self.inboxd.more = ["--relay", f"smtp://127.0.0.1:{self.sink.smtp}"]
        self.starts()
        if "latency" in parts:
            self.latency()
        if "push" in parts:
            push.measure(self)
            hooks.measure(self)
        if "outbound" in parts:
            outbound.measure(self)
        if "timing" in parts:
            timing.measure(self)
        if "rates" in parts:
            rates.measure(self)
        if "threads" in parts:
            threads.measure(self, self.options.messages or 100_000)
        self.subscribe()
        if "ingest" in parts:
            self.ingest()
        if "read" in parts:
            self.read()
        if "search" in parts:
            search.measure(self, self.options.messages or 1_000_000)

    def parse(self):
        """Reading a message and finding what its sender wrote anew, on one thread without a server."""
        self.progress("parsing")
        out = subprocess.run(self.java + ["dev.inboxd.mailbox.storage.Parse", str(min(10, self.seconds))], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.report.heading("Parsing and extracting a 4 KB multipart, one thread")
        self.report.table(["What", "Messages/s", "At least", "Aim"],
                          [(name, f"{int(rate):,}", *(("5,000", "15,000") if number == 0 else ("", "")))
                           for number, (name, rate) in enumerate(line.rsplit(" ", 1) for line in out.splitlines())])
        self.report.write()

    def origin(self):
        """Who a message is from, on one thread without a server, the DNS being in the cache."""
        self.progress("origins")
        out = subprocess.run(self.java + ["dev.inboxd.inbound.authentication.Origin", str(min(10, self.seconds))], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.report.heading("Checking where a message of 4 KB is from, cached DNS, one thread")
        self.report.table(["What", "ms", "ms of processor", "At most", "Aim"],
                          [(name, f"{int(wall) / 1000:.3f}", f"{int(cpu) / 1000:.3f}", *(("0.5", "0.2") if number == 0 else ("", "")))
                           for number, (name, wall, cpu) in enumerate(line.rsplit(" ", 2) for line in out.splitlines())])
        self.report.write()

    def head(self):
        self.report.say("# Figures")
        self.report.say()
        self.report.say("`" + " ".join(["suite/bench/run", *self.options.given]) + "` printed this. Everything ran on one"
                        " machine, load generators included; the ratios are what to look at.")
        self.report.say()
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java")
        self.report.table(["What", "Which"], machine.described() + [
            ("inboxd", machine.output(os.path.join(self.options.root, "inboxd"), "version")),
            ("Revision", machine.output("git", "-C", self.options.root, "describe", "--always", "--dirty")),
            ("Java", machine.output(java, "--version")),
            ("Postfix", machine.output("postconf", "-dh", "mail_version")),
            ("Rspamd", machine.output("dpkg-query", "-Wf", "${Version}", "rspamd")),
            ("OpenDKIM", machine.output("dpkg-query", "-Wf", "${Version}", "opendkim")),
            ("wrk", machine.output("dpkg-query", "-Wf", "${Version}", "wrk")),
            ("pgbench", machine.output("pgbench", "--version")),
            ("Disk", machine.output("stat", "-fc", "%T", self.folder)),
            ("Seconds per case", str(self.seconds)),
        ])

    def starts(self):
        """First and later starts, and what an idle server holds."""
        self.progress("first start")
        first = self.inboxd.start()
        self.keys = self.inboxd.prepare(self.java)
        self.inboxd.stop()
        self.progress("later starts")
        later = []
        for last in (False, False, True):
            later.append(self.inboxd.start())
            if not last:
                self.inboxd.stop()
        time.sleep(5)
        rss, pss, postgres = self.inboxd.memory()
        self.idle = (rss, pss, postgres)
        self.report.heading("Start and idle memory")
        self.report.table(["What", "Figure", "At least", "Aim"], [
            ("first start, empty data folder", f"{first:.2f} s", "", ""),
            ("second start to ready, median of 3", f"{sorted(later)[1]:.2f} s", "3 s", "1 s"),
            ("JVM resident, idle", f"{rss:.0f} MB", "200 MB", "120 MB"),
            ("PostgreSQL proportional, idle", f"{postgres:.0f} MB", "", ""),
        ])
        self.report.write()

    def latency(self):
        """From the 250 to the webhook at 20 messages a second."""
        self.progress("light load")
        rate = 20
        process = subprocess.Popen(
            self.java + ["Latency", str(self.inboxd.smtp), "one@" + DOMAIN, str(rate * self.seconds), str(rate)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hook = self.inboxd.subscribe(self.keys[0], int(process.stdout.readline()))
        out, _ = process.communicate("\n", timeout=self.seconds + 90)
        self.inboxd.call(self.keys[0], "DELETE", "/v0/webhooks/" + hook)
        self.accepted += rate * self.seconds
        figures = out.split()
        lost = figures.count("lost")
        if lost or process.returncode:
            self.problem(f"light load: {lost} of {rate * self.seconds} webhooks lost, status {process.returncode}")
        # The webhook may overtake the 250, which is sent after the commit too.
        ordered = sorted(max(0, int(figure)) / 1000 for figure in figures if figure != "lost")
        half = len(ordered) // 2
        self.report.heading(f"From the 250 to the webhook, {rate} messages/s for {self.seconds} s")
        self.report.table(["What", "Figure", "At least", "Aim"], [
            ("p50", f"{ordered[half]:.1f} ms" if ordered else "-", "10 ms", "3 ms"),
            ("p99", f"{load.quantile(ordered, 0.99):.1f} ms", "", ""),
            ("messages", len(ordered), "", ""),
        ])
        self.report.write()

    def subscribe(self):
        """One webhook that matches, for every organization."""
        self.webhook = subprocess.Popen(self.java + ["Webhook"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = int(self.webhook.stdout.readline())
        for key in self.keys:
            self.inboxd.subscribe(key, port)

    def webhooks(self):
        self.webhook.stdin.write("x")
        self.webhook.stdin.flush()
        return int(self.webhook.stdout.readline())

    # --- ingest

    def ingest(self):
        self.postfix.start()
        self.checking.start()
        if not self.sink.process:
            self.sink.start()
        rows, costs = [], []
        self.loaded, self.behind = [0, 0, 0], 0
        self.warm_up()
        for many in (False, True):
            for sessions in self.options.sessions or (1, 10, 50):
                self.case(rows, costs, many, sessions, False)
        if not self.options.sessions:
            self.case(rows, costs, False, 10, True)
        self.report.heading("Durable ingest of 4 KB messages, one matching webhook")
        self.report.say("Messages answered 250 in a second. Behind a 250 of inboxd everything is written and the event is"
                        " raised; behind one of Postfix the message is in its queue, and the Maildir column tells how"
                        " many a second had reached the inbox at the end of the same time. Postfix with the same checks has"
                        " asked Rspamd about SPF, DKIM, ARC, DMARC and spam before its 250, as inboxd has asked itself.")
        self.report.say()
        self.report.table(["Inboxes", "Sessions", "inboxd", "Postfix", "Postfix, in Maildir", "Postfix with the same checks",
                           "smtp-sink", "inboxd / Postfix", "inboxd / Maildir", "inboxd / with the same checks",
                           "inboxd / sink"], rows)
        self.report.say()
        self.report.table(["Inboxes", "Sessions", "CPU ms a message: JVM", "PostgreSQL", "Postfix",
                           "Postfix and Rspamd", "stored = answered 250", "webhooks at the end", "waited for the rest",
                           "search behind, at most"], costs)
        self.progress("counting through the API")
        listed = self.inboxd.listed(self.keys)
        if listed != self.accepted:
            self.problem(f"{self.accepted} messages were answered 250, and the API lists {listed}")
        self.report.say()
        self.report.say(f"In all {self.accepted} messages were answered 250, and the API lists {listed} distinct ones.")
        self.report.heading("Memory under load")
        self.report.table(["What", "Figure", "At least", "Aim"], [
            ("JVM resident, highest", f"{self.loaded[0]:.0f} MB", "400 MB", "256 MB"),
            ("PostgreSQL proportional, highest", f"{self.loaded[2]:.0f} MB", "", ""),
        ])
        self.report.write()

    def warm_up(self):
        """Lets Java compile what is hot and all servers start what they start on demand; not measured."""
        self.progress("warming up")
        for postfix in (self.postfix, self.checking):
            self.taken(postfix, 10, False, False, min(10, self.seconds))
        for many in (False, True):
            hooks = self.webhooks()
            count, _ = load.Ingest(self.inboxd.smtp, 10, many).run(WARM_UP if self.seconds >= 20 else self.seconds)
            self.accepted += count
            self.drain_webhooks(hooks, count)

    def case(self, rows, costs, many, sessions, reconnect):
        """All of them in turn, several times: what else the machine does meanwhile comes and goes by the minute."""
        name = "1,000 inboxes" if many else "1 inbox"
        label = f"{sessions}, one message each" if reconnect else str(sessions)
        rounds = machine.rounds(self.seconds)
        part = self.seconds / rounds
        plain, checked, own = [], [], []
        for number in range(1, rounds + 1):
            self.progress(f"{name}, {label} sessions, round {number} of {rounds}")
            plain.append(self.taken(self.postfix, sessions, many, reconnect, part))
            checked.append(self.taken(self.checking, sessions, many, reconnect, part))
            own.append(self.stored(sessions, many, reconnect, part))
        postfix, maildir, postfix_cpu = machine.means(plain)
        checking, _, checking_cpu = machine.means(checked)
        ours, jvm, postgres, at_once, waited = machine.means(own)
        stored = self.inboxd.count()
        if stored != self.accepted:
            self.problem(f"{name}, {label} sessions: {self.accepted} answered 250, {stored} stored")

        self.progress(f"{name}, {label} sessions: smtp-sink")
        count_sink, spent_sink = load.Ingest(self.sink.smtp, sessions, many, reconnect).run(min(10, self.seconds))
        limit = count_sink / spent_sink
        inboxes = "1,000 of 100 organizations" if many else "1"
        rows.append((inboxes, label, f"{ours:.0f}", f"{postfix:.0f}", f"{maildir:.0f}", f"{checking:.0f}", f"{limit:.0f}",
                     times(ours, postfix), times(ours, maildir), times(ours, checking), times(ours, limit)))
        costs.append((inboxes, label, f"{jvm:.2f}", f"{postgres:.2f}", f"{postfix_cpu:.2f}", f"{checking_cpu:.2f}",
                      "yes" if stored == self.accepted else "NO", f"{at_once:.0f} %", f"{waited:.1f} s", f"{self.behind:.1f} s"))
        self.behind = 0
        self.progress("  " + ", ".join(f"{cell}" for cell in rows[-1] + costs[-1][2:]))

    def stored(self, sessions, many, reconnect, seconds):
        """Messages a second that inboxd answered 250, processor ms of Java and of PostgreSQL for each, how many percent of the
        webhooks had come by then, and the seconds until the last one."""
        before, hooks = self.inboxd.cpu(), self.webhooks()
        with machine.Regularly(self.watch):
            count, spent = load.Ingest(self.inboxd.smtp, sessions, many, reconnect).run(seconds)
        self.accepted += count
        at_once = self.webhooks() - hooks
        waited = self.drain_webhooks(hooks, count)
        cpu = [(after - early) * 1000 / count for early, after in zip(before, self.inboxd.cpu())]
        return count / spent, *cpu, at_once * 100 / count, waited

    def taken(self, postfix, sessions, many, reconnect, seconds):
        """Messages a second that a Postfix answered 250, those it had in the Maildir by then, and its processor ms for each."""
        self.inboxd.rest()
        before = postfix.cpu()
        count, spent = load.Ingest(postfix.smtp, sessions, many, reconnect).run(seconds)
        delivered = postfix.delivered()
        self.drain_postfix(postfix, count)
        cpu = (postfix.cpu() - before) * 1000 / count
        postfix.empty()
        return count / spent, delivered / spent, cpu

    def drain_postfix(self, postfix, count):
        deadline = time.monotonic() + 300
        while postfix.delivered() < count:
            if time.monotonic() > deadline:
                self.problem(f"Postfix delivered {postfix.delivered()} of {count}")
                return
            time.sleep(0.5)

    def drain_webhooks(self, before, count):
        begin = time.monotonic()
        while self.webhooks() - before < count:
            if time.monotonic() - begin > 300:
                self.problem(f"{self.webhooks() - before} webhooks came for {count} messages")
                break
            time.sleep(0.1)
        return time.monotonic() - begin

    def watch(self):
        self.loaded = [max(pair) for pair in zip(self.loaded, self.inboxd.memory())]
        self.behind = max(self.behind, self.inboxd.behind())

    # --- reading

    def read(self):
        inbox = "one@" + DOMAIN
        base = f"/v0/inboxes/{urllib.parse.quote(inbox, safe='')}/messages"
        listing = base + "?include_unauthenticated=true&limit=20"
        if not self.accepted:
            self.accepted += load.Ingest(self.inboxd.smtp, 10, False).run(self.seconds)[0]
        names = load.sample(self.inboxd.sql(
            "select name from message where inbox_id = (select inbox_id from inbox where address = "
            f"'{inbox}') order by created_at desc limit 2000").split("\n"), 40)
        paths = [f"{base}/{urllib.parse.quote(name, safe='')}?include_unauthenticated=true" for name in names]
        rows = []
        for what, some in (("GET message", paths), ("GET messages, 20 a page", 3 * [listing])):
            self.progress(what)
            try:
                scripts = self.transactions(some)
                load.wrk(self.inboxd.url, self.keys[0], some, 5, CONNECTIONS)  # warms up
                rate, p99, failed = load.wrk(self.inboxd.url, self.keys[0], some, self.seconds, CONNECTIONS)
                rate_database, p99_database = load.pgbench(
                    {**self.inboxd.database(), "PGOPTIONS": self.inboxd.session}, scripts, self.seconds, CONNECTIONS)
            except urllib.error.HTTPError as refused:
                self.problem(f"{what}: {refused}")
                continue
            if failed:
                self.problem(f"{what}: {failed} requests failed")
            rows.append((what, f"{rate:.0f}", f"{p99:.1f} ms", f"{rate_database:.0f}", f"{p99_database:.1f} ms",
                         times(rate, rate_database), len(scripts[0])))
        self.report.heading(f"Reading over HTTP, {CONNECTIONS} connections, beside pgbench with the same statements")
        self.report.table(["What", "requests/s", "p99", "pgbench/s", "p99", "ratio (at least 0.4, aim 0.7)",
                           "statements each"], rows)
        self.report.write()

    def transactions(self, paths):
        """The statements of each request, as the running server sends them."""
        requests = [lambda path=path: self.inboxd.call(self.keys[0], "GET", path) for path in paths]
        requests[0]()
        return self.inboxd.statements(requests)


def main():
    options = argparse.ArgumentParser(prog="suite/bench/run")
    options.add_argument("--root", required=True, help=argparse.SUPPRESS)
    options.add_argument("--quick", action="store_true", help="a few seconds for each case")
    options.add_argument("--seconds", type=int, help="seconds for each case (60, quick 6)")
    options.add_argument("--only", help="some of: " + ",".join((*PARTS, *ASKED)))
    options.add_argument("--sessions", type=int, action="append", help="of ingest: only with so many sessions (may be repeated)")
    options.add_argument("--messages", type=int, help="of the search's organization (1,000,000), or of the inbox of threads (100,000)")
    options.add_argument("--dir", help="where the data lies while it runs; a real disk (default: target)")
    options.add_argument("--out", help="a file for the same text, which is Markdown")
    options = options.parse_args()
    options.given = [word for word in sys.argv[1:] if word not in ("--root", options.root)]
    folder = tempfile.mkdtemp(prefix="bench-", dir=options.dir or "/var/tmp")
    os.chmod(folder, 0o755)  # PostgreSQL and Postfix run under accounts of their own
    os.environ["BENCH_FOLDER"] = folder
    bench = Bench(options, folder)
    for stop in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(stop, lambda *_: sys.exit(1))
    try:
        good = bench.run()
    finally:
        bench.close()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if good else 1)


main()
