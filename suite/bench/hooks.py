"""How fast webhooks are called, and what a backlog does to those that have none."""

import os
import subprocess
import time

import load
from product import DOMAIN, RECEIVED
from report import times

RATE = 200
FAN = 50
AT_ONCE = 5  # of one endpoint, as contracted
DUE = 100_000


class Endpoint:
    """A fast endpoint in a process of its own."""

    def __init__(self, bench):
        self.process = subprocess.Popen(bench.java + ["Drain"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self):
        self.process.kill()
        self.process.wait()


def measure(bench):
    """The other half of the part `push`."""
    bench.progress("from the 250 to a webhook")
    latency(bench, 5)  # warms up
    ordered = latency(bench, bench.seconds)
    bench.report.heading(f"From the 250 to a webhook, {RATE} messages/s for {bench.seconds} s")
    bench.report.table(["p50", "p99", "At least", "Aim"], [(*shown(ordered), "10 / 100 ms", "3 / 20 ms")])
    bench.report.write()
    endpoint = Endpoint(bench)
    try:
        rate(bench, endpoint)
        backlog(bench, endpoint)
    finally:
        endpoint.close()


def latency(bench, seconds):
    """Milliseconds in order from the 250 to a webhook, of so many seconds."""
    count = RATE * seconds
    process = subprocess.Popen(bench.java + ["Latency", str(bench.inboxd.smtp), "one@" + DOMAIN, str(count), str(RATE)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    hook = bench.inboxd.subscribe(bench.keys[0], int(process.stdout.readline()))
    out, _ = process.communicate("\n", timeout=seconds + 120)
    bench.inboxd.call(bench.keys[0], "DELETE", "/v0/webhooks/" + hook)
    lost = out.split().count("lost")
    if lost or process.returncode:
        bench.problem(f"webhooks at {RATE}/s: {lost} of {count} lost, status {process.returncode}")
    return sorted(max(0, int(line)) / 1000 for line in out.split() if line != "lost")


def shown(ordered):
    return (f"{ordered[len(ordered) // 2]:.1f} ms", f"{load.quantile(ordered, 0.99):.1f} ms") if ordered else ("-", "-")


def rate(bench, endpoint):
    """Deliveries a second to one endpoint, while events come faster, beside a client that does nothing else."""
    bench.progress("deliveries to one endpoint")
    load.Ingest(bench.inboxd.smtp, 10, False).run(bench.seconds)
    stored = int(bench.inboxd.sql(f"select count(*) from event where type = '{RECEIVED}'"))
    for _ in range(2):  # the first time lets Java compile what is hot
        hook = bench.inboxd.subscribe(bench.keys[0], endpoint.port)
        endpoint.ask(f"rate {stored}")
        bench.inboxd.call(bench.keys[0], "POST", f"/v0/webhooks/{hook}/replay", {"after": "2000-01-01T00:00:00Z"})
        read = int(endpoint.ask("wait"))
        bench.inboxd.call(bench.keys[0], "DELETE", "/v0/webhooks/" + hook)
    if not read:
        bench.problem(f"not all of {stored} events were delivered again")
    body = os.path.join(bench.folder, "body.json")
    endpoint.ask("body " + body)
    fresh = fanned(bench, endpoint)
    bench.progress("a plain client")
    rows = []
    for loops in (1, AT_ONCE):
        out = subprocess.run(bench.java + ["Posting", f"http://127.0.0.1:{endpoint.port}/hook", body,
                                           str(min(10, bench.seconds)), str(loops)], capture_output=True, text=True, check=True)
        plain = int(out.stdout)
        rows.append((f"a plain client, {loops} at once", f"{plain:,}", times(fresh, plain), times(read, plain),
                     *(("0.5", "0.8") if loops == 1 else ("", ""))))
    bench.report.heading(f"Webhook deliveries a second to one fast endpoint, {stored:,} events of {os.path.getsize(body):,} bytes")
    bench.report.say(f"Those of inboxd are signed, logged and settled. Fresh ones are of mail that comes in meanwhile, each for {FAN}"
                     f" webhooks with this endpoint; those from the rows are a replay for one, at most {AT_ONCE} at once.")
    bench.report.say()
    bench.report.table(["What", "Posts/s", "fresh / it", "rows / it", "At least", "Aim"],
                       [("inboxd, fresh", f"{fresh:,}", "", "", "", ""), ("inboxd, from the rows", f"{read:,}", "", "", "", ""), *rows])
    bench.report.write()


def fanned(bench, endpoint):
    """Deliveries a second of fresh mail for many webhooks with one endpoint."""
    hooks = [bench.inboxd.subscribe(bench.keys[0], endpoint.port) for _ in range(FAN)]
    posts = 0
    for seconds in (3, bench.seconds):
        endpoint.ask("rate 0")
        begin = time.monotonic()
        count, _ = load.Ingest(bench.inboxd.smtp, 10, False).run(seconds)
        while int(endpoint.ask("count")) < count * FAN and time.monotonic() - begin < 300:
            time.sleep(0.02)
        posts = int(count * FAN / (time.monotonic() - begin))
        if int(endpoint.ask("count")) < count * FAN:
            bench.problem(f"{endpoint.ask('count')} webhooks came for {count * FAN} deliveries")
    for hook in hooks:
        bench.inboxd.call(bench.keys[0], "DELETE", "/v0/webhooks/" + hook)
    return posts


def backlog(bench, endpoint):
    """What is due after an outage of everybody, and a webhook of the same organization that was healthy all along."""
    bench.progress(f"a backlog of {DUE} deliveries")
    before = shown(latency(bench, max(5, bench.seconds // 2)))
    events = int(bench.inboxd.sql(f"select count(*) from event where type = '{RECEIVED}' and organization_id ="
                                  " (select organization_id from inbox where address = 'one@" + DOMAIN + "')"))
    hooks = []
    while len(hooks) * events < DUE:
        hooks.append(bench.inboxd.call(bench.keys[0], "POST", "/v0/webhooks", {
            "url": f"http://127.0.0.1:{endpoint.port}/back", "event_types": ["message.complained"]})["webhook_id"])
    endpoint.ask("rate 0")
    bench.inboxd.sql("insert into delivery (organization_id, seq, webhook_id, attempts, due_at, message_id, created_at)"
                     " select e.organization_id, e.seq, h.id, 1, statement_timestamp(), e.message_id, statement_timestamp()"
                     f" from unnest('{{{','.join(hooks)}}}'::text[]) as h (id), event e where e.type = '{RECEIVED}' and"
                     " e.organization_id = (select organization_id from inbox where address = 'one@" + DOMAIN + "')"
                     f" limit {DUE}")
    begin = time.monotonic()
    ordered = latency(bench, bench.seconds)
    done, spent = int(endpoint.ask("count")), time.monotonic() - begin
    bench.report.heading(f"{DUE:,} deliveries due at once for {len(hooks)} webhooks, and a healthy webhook beside them")
    bench.report.table(["From the 250 to the healthy webhook", "p50", "p99", "At least (p99)", "Aim"], [
        ("without a backlog", *before, "", ""), ("with it", *shown(ordered), "1 s", "200 ms")])
    bench.report.say()
    bench.report.say(f"{done:,} of the backlog were delivered in {spent:.0f} s meanwhile.")
    while int(endpoint.ask("count")) < DUE and time.monotonic() - begin < 600:
        time.sleep(1)
    whole = int(endpoint.ask("count"))
    bench.report.say(f"All {whole:,} were in {time.monotonic() - begin:.0f} s.")
    if whole < DUE:
        bench.problem(f"{DUE - whole} of the backlog were not delivered")
    for hook in hooks:
        bench.inboxd.call(bench.keys[0], "DELETE", "/v0/webhooks/" + hook)
    bench.report.write()
