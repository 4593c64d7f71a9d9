"""Mail on its way out: from a request, or a submission, to smtp-sink, beside Postfix with the same messages."""

import os
import re
import subprocess
import time
import urllib.parse

import machine
from milters import OpenDkim
from peers import Postfix
from report import times

LIMIT = 600
SIZE = 4096
SESSIONS = 10
WARM_UP = 90  # seconds of sending before any is measured: so long Java compiles what is hot


def measure(bench):
    """inboxd is asked over HTTP and has stored message, thread and events before it answers; Postfix gets the same number
    over SMTP and has synced its queue file, and so does one that signs. All hand over to one smtp-sink; the time ends when
    nothing is left to be sent."""
    postfix = Postfix(os.path.join(bench.folder, "postfix-out"), relay=bench.sink.smtp)
    signing = Postfix(os.path.join(bench.folder, "postfix-signs"), relay=bench.sink.smtp,
                      milter=OpenDkim(os.path.join(bench.folder, "opendkim")))
    try:
        postfix.start()
        signing.start()
        rows = []
        for organizations in (1, 100):
            bench.progress(f"outbound, organizations: {organizations}, warming up")
            ours(bench, organizations, WARM_UP if bench.seconds >= 20 else bench.seconds)
            rounds = rounds_of(bench, organizations, postfix, signing)
            sent = sum(each[0] for each in rounds)
            answered, spent, jvm, postgres, theirs, their_cpu, signed, signed_cpu = (sum(column) for column in list(zip(*rounds))[1:])
            rows.append((organizations, sent, f"{sent / answered:.0f}", f"{sent / spent:.0f}", f"{sent / theirs:.0f}",
                         f"{sent / signed:.0f}", times(sent / spent, sent / theirs), times(sent / spent, sent / signed),
                         f"{jvm * 1000 / sent:.2f}", f"{postgres * 1000 / sent:.2f}", f"{their_cpu * 1000 / sent:.2f}",
                         f"{signed_cpu * 1000 / sent:.2f}"))
            bench.progress("  " + ", ".join(map(str, rows[-1])))
    finally:
        postfix.stop()
        signing.stop()
    bench.report.heading("Outbound messages of 4 KB to smtp-sink, everything recorded")
    bench.report.say(f"Taken over {SESSIONS} connections and handed to one smtp-sink, until the last one is there. Behind an answer of"
                     " inboxd the message is stored, signed twice and queued; each delivery is recorded with its events."
                     " Postfix that signs has had OpenDKIM sign, with RSA-2048 alone, before its 250.")
    bench.report.say()
    bench.report.table(["Organizations", "Messages", "answered 200 a second", "inboxd, delivered a second",
                        "Postfix, delivered a second", "Postfix that signs, delivered a second",
                        "inboxd / Postfix (at least 1, aim 2)", "inboxd / Postfix that signs", "CPU ms a message: JVM",
                        "PostgreSQL", "Postfix", "Postfix and OpenDKIM"], rows)
    bench.report.write()


def rounds_of(bench, organizations, postfix, signing):
    """Each with the same messages in turn, several times, as what else the machine does comes and goes: for each round the
    messages, and then seconds and processor seconds of all."""
    count = machine.rounds(bench.seconds)
    rounds = []
    for number in range(1, count + 1):
        bench.progress(f"outbound, organizations: {organizations}, round {number} of {count}")
        sent, answered, spent, cpu = ours(bench, organizations, bench.seconds // count)
        rounds.append((sent, answered, spent, *cpu, *relayed(bench, postfix, sent), *relayed(bench, signing, sent)))
    return rounds


def ours(bench, organizations, seconds):
    """Messages, seconds of answers, seconds to the last delivery, processor seconds of Java and of PostgreSQL."""
    senders = []
    for key in bench.keys[:organizations]:
        inbox = next(iter(bench.inboxd.pages(key, "/v0/inboxes?limit=1", "inboxes")))["inbox_id"]
        senders.append((key, f"/v0/inboxes/{urllib.parse.quote(inbox, safe='')}/messages/send"))
    before, cpu, begin = settled(bench), bench.inboxd.cpu(), time.time()
    sent = posted(bench, senders, seconds)
    bench.accepted += sent  # they are stored and listed as those that arrive are
    while settled(bench) - before < sent:
        if time.time() - begin > LIMIT:
            bench.problem(f"outbound: {settled(bench) - before} of {sent} were delivered")
            break
        time.sleep(0.2)
    answered = last(bench, "created_at", "submission") - begin
    spent = last(bench, "settled_at", "submission_recipient") - begin
    if settled(bench) - before != sent:
        bench.problem(f"outbound: {sent} were answered 200, {settled(bench) - before} were delivered")
    return sent, answered, spent, [late - early for early, late in zip(cpu, bench.inboxd.cpu())]


def last(bench, column, table):
    """The time of the last, by the clock of this machine, however late we ask."""
    return float(bench.inboxd.sql(f"select extract(epoch from max({column})) from {table}"))


def settled(bench):
    return int(bench.inboxd.sql("select count(*) from submission_recipient where state = 'delivered'"))


def queued(bench):
    return int(bench.inboxd.sql("select count(*) from submission"))


def posted(bench, senders, seconds):
    """How many sends were answered 200; no two are equal, or the second would be taken for a repeat."""
    script = os.path.join(bench.folder, "send.lua")
    with open(script, "w") as file:
        file.write("local senders = {\n" + "".join(f'  {{"{key}", "{path}"}},\n' for key, path in senders) + "}\n"
                   f'local n, text = 0, string.rep("A line of text for somebody.\\\\n", {SIZE // 30})\n'
                   "function request()\n  n = n + 1\n  local sender = senders[n % #senders + 1]\n"
                   '  local body = string.format(\'{"to":"sink@out.test","subject":"%d.%d","text":"%s"}\', os.time(), n, text)\n'
                   '  return wrk.format("POST", sender[2], {["Authorization"] = "Bearer " .. sender[1],'
                   ' ["Content-Type"] = "application/json"}, body)\nend\n')
    before = queued(bench)
    done = subprocess.run(["wrk", "-t1", f"-c{SESSIONS}", f"-d{seconds}s", "--timeout", "30s", "-s", script,
                           bench.inboxd.url], capture_output=True, text=True, timeout=seconds + 120)
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", done.stdout)
    if done.returncode or failed:
        bench.problem("outbound: " + (failed.group(0) if failed else done.stderr))
    # Those under way when wrk stops are taken as well: what counts is what was committed.
    time.sleep(0.5)
    return queued(bench) - before


def relayed(bench, postfix, count):
    """Seconds until Postfix has handed over so many messages, and its processor seconds."""
    bench.inboxd.rest()
    cpu, begin = postfix.cpu(), time.monotonic()
    done = subprocess.run(["smtp-source", "-4", "-d", "-s", str(SESSIONS), "-l", str(SIZE), "-m", str(count), "-f",
                           "sender@client.test", "-M", "client.test", "-t", "sink@out.test", f"127.0.0.1:{postfix.smtp}"],
                          capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        raise RuntimeError(done.stderr)
    while postfix.queued():
        if time.monotonic() - begin > LIMIT:
            bench.problem(f"outbound: Postfix still holds {postfix.queued()}")
            break
        time.sleep(0.02)
    return time.monotonic() - begin, postfix.cpu() - cpu
