"""Lists of threads in a large inbox, beside Cyrus JMAP with the same mail."""

import http.client
import json
import os
import queue
import random
import smtplib
import sys
import threading
import time
import urllib.parse

import search
from cyrus import Cyrus
from load import quantile
from product import DOMAIN
from report import times

LIMIT = 50
SESSIONS = 8
LAST = 1_000  # one after the other, so that both list them in one order
ROUNDS = 6
ONE_ROUND = 50
WARM_UP = 60
COMPILED = 2_000  # requests after which Java has compiled what they need
INBOX = "one@" + DOMAIN
# What an item of ours tells, as far as one Email has it; ours has the thread's count, people and size besides.
SHOWN = ["id", "threadId", "mailboxIds", "keywords", "messageId", "receivedAt", "from", "to", "subject", "size", "hasAttachment",
         "preview"]
WORDS = random.Random(2)
VOCABULARY = ["".join(WORDS.choices("abcdefghiklmnoprstuvwz", k=2 + number % 9)) for number in range(4_000)]
LINES = [" ".join(WORDS.choices(VOCABULARY, k=10)) for _ in range(20_000)]


def mail(count):
    """Messages of 4 KB, always the same: (number of the thread, bytes). A thread has four on the average, among others."""
    chance = random.Random(1)
    threads = []
    for number in range(count):
        opens = not threads or chance.random() < 0.25
        if opens:
            threads.append([len(threads), " ".join(chance.choices(VOCABULARY, k=6)), []])
        # The talk goes on in those of late.
        thread, subject, names = threads[-1] if opens else threads[-1 - chance.randrange(min(len(threads), 200))]
        name = f"<{number}.{thread}@elsewhere.test>"
        lines = [f"From: Sender {number % 97} <sender{number % 97}@elsewhere.test>", f"To: {INBOX}",
                 "Subject: " + ("Re: " if names else "") + subject, "Message-ID: " + name,
                 "Date: Fri, 20 Nov 2026 10:00:00 +0000", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"]
        if names:
            lines += ["In-Reply-To: " + names[-1], "References: " + " ".join(names[-10:])]
        names.append(name)
        lines += ["", *chance.choices(LINES, k=53)]
        yield thread, ("\r\n".join(lines) + "\r\n").encode()


class Ours:
    """A connection that asks inboxd for pages."""

    def __init__(self, inboxd, key):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(inboxd.url).netloc)
        self.headers = {"Authorization": "Bearer " + key}
        self.path = (f"/v0/inboxes/{urllib.parse.quote(INBOX, safe='')}/threads?limit={LIMIT}"
                     "&include_unauthenticated=true&include_spam=true")

    def get(self, path):
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"inboxd answered {answer.status} {text}")
        return text

    def paths(self, numbers):
        """The path of each page of these numbers, from 0 on."""
        paths, path = {}, self.path
        for number in range(max(numbers) + 1):
            paths[number] = path
            token = json.loads(self.get(path)).get("next_page_token")
            path = f"{self.path}&page_token={urllib.parse.quote(token or '', safe='')}"
        return {number: paths[number] for number in numbers}


def measure(bench, count):
    """The part `threads`."""
    bench.progress(f"{count} messages into inboxd")
    into_inboxd(bench.inboxd, count)
    search.Load(bench.inboxd, bench.java, bench.folder).wait()
    bench.inboxd.sql("vacuum analyze")
    bench.progress(f"{count} messages into Cyrus")
    cyrus = Cyrus(os.path.join(bench.folder, "cyrus"))
    begin = int(time.time()) - count  # a second each
    cyrus.load(((message, begin + number) for number, (_, message) in enumerate(mail(count))), progress(count))
    print(file=sys.stderr)
    cyrus.start()
    try:
        ours = Ours(bench.inboxd, bench.keys[0])
        for _ in range(COMPILED):
            ours.get(ours.path)
        rows = compare(bench, cyrus, ours)
        ours.connection.close()
    finally:
        cyrus.stop()
    bench.report.heading(f"Threads of an inbox of {count:,} messages, {LIMIT} a page, one connection, warm")
    bench.report.say("The same mail in both. Ours is `GET /v0/inboxes/{inbox}/threads`; Cyrus is asked for `Email/query` of the newest"
                     " message of each thread with `Email/get` of what our list shows, as far as one message has it, in one request;"
                     " in turn, fifty requests each, ours over TCP and theirs over a Unix socket. Cyrus is as Debian has it, or with both"
                     " of its caches of queries, which hold until the next message comes.")
    bench.report.say()
    bench.report.table(["Threads listed", "inboxd p50", "p95", "p99 (aim 10 ms)", "Cyrus", "p50", "p95", "p99",
                        "Cyrus / inboxd at p50 (at least 2, aim 5)"], rows)
    bench.report.write()


def progress(count):
    def tell(done):
        print(f"\rbench: {done} of {count}    ", end="", file=sys.stderr, flush=True)
    return tell


def into_inboxd(inboxd, count):
    """Over several sessions; each thread is one session's, so that nothing comes before what it answers."""
    queues = [queue.Queue(64) for _ in range(SESSIONS)]
    failures = []

    def session(mine):
        try:
            with smtplib.SMTP("127.0.0.1", inboxd.smtp, "client.test") as client:
                while (message := mine.get()) is not None:
                    client.sendmail("sender@elsewhere.test", INBOX, message)
        except Exception as failure:
            failures.append(failure)
            while mine.get() is not None:
                pass

    workers = []
    tell = progress(count)

    def started():
        for mine in queues:
            workers.append(threading.Thread(target=session, args=(mine,)))
            workers[-1].start()

    def ended():
        for mine in queues:
            mine.put(None)
        for worker in workers:
            worker.join()
        workers.clear()

    started()
    for number, (thread, message) in enumerate(mail(count)):
        if number == max(0, count - LAST):
            ended()
            started()
        queues[thread % SESSIONS if number < count - LAST else 0].put(message)
        if number % 500 == 0:
            tell(number)
    ended()
    tell(count)
    print(file=sys.stderr)
    if failures:
        raise RuntimeError(f"{len(failures)} sessions failed: {failures[0]}")


def compare(bench, cyrus, ours):
    threads = sum(1 for _ in pages(ours))
    rows = []
    half = threads // 2 // LIMIT
    first, tenth, middle = ("the newest 50", 0, SHOWN), ("the tenth page", 9, SHOWN), (f"from the {half * LIMIT:,}th on", half, SHOWN)
    for caches, cases in ((False, (first, tenth, middle, ("the newest 50, Cyrus without previews", 0, SHOWN[:-1]))),
                          (True, (first, middle))):
        if caches:
            cyrus.stop()
            cyrus.start(caches=True)
        client = cyrus.client()
        inbox = client.inbox()
        alike(bench, ours, client, inbox, threads)
        for what, number, shown in cases:
            path = ours.paths([number])[number]
            body = client.page(inbox, number * LIMIT, LIMIT, shown)
            mine, theirs = timed(lambda path=path: ours.get(path), lambda body=body: client.post(body))
            rows.append((what, *figures(mine), "with caches" if caches else "as installed", *figures(theirs),
                         times(quantile(theirs, 0.5), quantile(mine, 0.5))))
            bench.progress("  " + ", ".join(rows[-1]))
        client.close()
    return rows


def figures(taken):
    return tuple(f"{quantile(taken, part):.1f} ms" for part in (0.5, 0.95, 0.99))


def pages(ours):
    """Every thread of ours."""
    path = ours.path
    while path:
        page = json.loads(ours.get(path))
        yield from page["threads"]
        token = page.get("next_page_token")
        path = token and f"{ours.path}&page_token={urllib.parse.quote(token, safe='')}"


def alike(bench, ours, client, inbox, threads):
    """Both must have the same threads and list the same ones first."""
    mine = [thread["last_message_id"].strip("<>") for thread in json.loads(ours.get(ours.path))["threads"]]
    answer = json.loads(client.post(client.page(inbox, 0, LIMIT, SHOWN)))["methodResponses"][1][1]
    theirs = [email["messageId"][0] for email in answer["list"]]
    if mine != theirs:
        bench.problem(f"inboxd lists {mine[:3]}... first and Cyrus {theirs[:3]}...")
    if (total := client.total(inbox)) != threads:
        bench.problem(f"inboxd has {threads} threads and Cyrus {total}")


def timed(mine, theirs):
    """Sorted milliseconds of each, asked in turn."""
    taken = ([], [])
    for number in range(ROUNDS + 1):
        for ask, spent in zip((mine, theirs), taken):
            for _ in range(ONE_ROUND if number else WARM_UP):
                begin = time.perf_counter()
                ask()
                if number:
                    spent.append((time.perf_counter() - begin) * 1000)
    return tuple(map(sorted, taken))
