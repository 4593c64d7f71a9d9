"""How long a key waits for what is nobody's, what is another's and what is hidden from it: it should learn nothing from that."""

import http.client
import json
import random
import statistics
import time
import urllib.parse

import load
from product import DOMAIN

FLAGS = ("inbox_read", "inbox_update", "inbox_delete", "message_read", "message_update", "message_delete", "draft_read",
         "webhook_read", "api_key_read", "pod_read", "domain_read")  # no label's: all mail here carries one
NOBODY = "01890000-0000-7000-8000-000000000000"
PER_SECOND = 200


def measure(bench):
    """The part `timing`."""
    bench.progress("absent, foreign and hidden")
    inboxd = bench.inboxd
    bench.accepted += load.Ingest(inboxd.smtp, 10, False).run(2)[0]
    bench.accepted += load.Ingest(inboxd.smtp, 10, True).run(2)[0]
    own, foreign = bench.keys[0], bench.keys[1]
    blind = inboxd.call(own, "POST", "/v0/api-keys", {"name": "blind", "permissions": {flag: True for flag in FLAGS}})["api_key"]
    hidden, other = mail(inboxd, own), mail(inboxd, foreign)
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(inboxd.url).netloc)
    rows = []
    for what, method, body, paths in cases(inboxd, foreign, hidden, other):
        times = timed(connection, blind, method, body, paths, max(200, bench.seconds * PER_SECOND // len(paths)))
        medians = {name: statistics.median(some) for name, some in times.items()}
        spread = statistics.quantiles(times["absent"], n=4)
        rows.append((what, *(f"{medians[name]:.3f}" if name in medians else "" for name in ("absent", "foreign", "hidden")),
                     f"{(max(medians.values()) / min(medians.values()) - 1) * 100:.1f} %",
                     f"{(spread[2] / spread[0] - 1) * 100:.0f} %"))
    bench.report.heading("Answering 404, median ms")
    bench.report.say("The same key asks in random order over one connection for what is nobody's, what is another organization's"
                     " and what is its own but hidden from it.")
    bench.report.say()
    bench.report.table(["Request", "absent", "foreign", "hidden", "medians apart", "quartiles of one case apart"], rows)
    bench.report.write()


def mail(inboxd, key):
    inbox = inboxd.call(key, "GET", "/v0/inboxes?limit=1")["inboxes"][0]["inbox_id"]
    message = inboxd.call(key, "GET", f"/v0/inboxes/{quoted(inbox)}/messages?include_unauthenticated=true&limit=1")["messages"][0]
    return inbox, message["message_id"], message["thread_id"]


def cases(inboxd, foreign, hidden, other):
    """What is asked, and for each case the path."""
    inbox, message, thread = hidden
    messages = f"/v0/inboxes/{quoted(inbox)}/messages/"
    by_message = {"absent": messages + quoted("<nobody@nowhere.test>"), "foreign": messages + quoted(other[1]),
                  "hidden": messages + quoted(message)}
    by_thread = {"absent": "/v0/threads/" + NOBODY, "foreign": "/v0/threads/" + other[2], "hidden": "/v0/threads/" + thread}
    by_inbox = {"absent": "/v0/inboxes/" + quoted("nobody@" + DOMAIN), "foreign": "/v0/inboxes/" + quoted(other[0])}
    key = inboxd.call(foreign, "GET", "/v0/api-keys?limit=1")["api_keys"][0]["api_key_id"]
    pod = inboxd.call(foreign, "GET", "/v0/pods?limit=1")["pods"][0]["pod_id"]
    label = {"add_labels": ["seen"]}
    return [("GET message", "GET", None, by_message), ("PATCH message", "PATCH", label, by_message),
            ("DELETE message", "DELETE", None, by_message), ("GET thread", "GET", None, by_thread),
            ("DELETE thread", "DELETE", None, by_thread), ("GET inbox", "GET", None, by_inbox),
            ("PATCH inbox", "PATCH", {"display_name": "New"}, by_inbox), ("DELETE inbox", "DELETE", None, by_inbox),
            ("GET key", "GET", None, {"absent": "/v0/api-keys/" + NOBODY, "foreign": "/v0/api-keys/" + key}),
            ("GET pod", "GET", None, {"absent": "/v0/pods/" + NOBODY, "foreign": "/v0/pods/" + pod})]


def timed(connection, key, method, body, paths, rounds):
    """Milliseconds of each case; the first tenth warms up."""
    text = None if body is None else json.dumps(body)
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
    times = {name: [] for name in paths}
    order = list(paths) * rounds
    random.Random(1).shuffle(order)
    for name in order:
        begin = time.perf_counter()
        connection.request(method, paths[name], text, headers)
        answer = connection.getresponse()
        answer.read()
        times[name].append((time.perf_counter() - begin) * 1000)
        if answer.status != 404:
            raise RuntimeError(f"{method} {paths[name]}: {answer.status}")
    return {name: some[len(some) // 10:] for name, some in times.items()}


def quoted(text):
    return urllib.parse.quote(text, safe="")
