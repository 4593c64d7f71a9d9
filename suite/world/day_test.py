"""The day of an agent that answers what it is asked, in Python's own library."""

import json
import os
import unittest
import urllib.parse
import urllib.request


def call(method, path, body=None):
    request = urllib.request.Request(
        os.environ["INBOXD_URL"] + path, json.dumps(body).encode() if body is not None else None,
        {"Authorization": f"Bearer {os.environ['INBOXD_KEY']}", "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.loads(answer.read() or b"{}")


class Day(unittest.TestCase):
    def setUp(self):
        call("POST", "/sandbox/reset", {})
        self.inbox = call("POST", "/v0/inboxes", {})["inbox_id"]
        self.path = f"/v0/inboxes/{urllib.parse.quote(self.inbox, safe='')}"

    def agent(self):
        """The program under test: one answer for each conversation that waits for one."""
        for thread in call("GET", f"{self.path}/threads?waiting=me")["threads"]:
            message = urllib.parse.quote(thread["last_message_id"], safe="")
            call("POST", f"{self.path}/messages/{message}/reply", {"text": "It is on its way.", "if_unanswered": True})

    def test_a_conversation_of_three_days(self):
        call("POST", "/sandbox/recipients", {"match": "*@shop.example", "script": [
            {"answer": "accept", "then": [{"do": "reply", "after": "P1D", "text": "Thank you. And the second parcel?"}]},
            {"answer": "accept", "then": [{"do": "reply", "after": "P2D", "text": "Both are here."}]}, {"answer": "accept"}]})
        call("POST", "/sandbox/messages", {
            "inbox_id": self.inbox, "from": "Jo <jo@shop.example>", "subject": "Order 4711", "text": "Where is my order?"})
        for days in (1, 1, 2):
            self.agent()
            call("POST", "/sandbox/clock", {"advance": f"P{days}DT1H"})
        threads = call("GET", f"{self.path}/threads")["threads"]
        self.assertEqual(len(threads), 1)
        transcript = call("GET", f"{self.path}/threads/{threads[0]['thread_id']}?format=markdown")["transcript"]
        self.assertEqual([each["direction"] for each in transcript], ["received", "sent", "received", "sent", "received"])

    def test_an_answer_that_comes_by_itself_is_not_answered(self):
        sent = call("POST", f"{self.path}/messages/send", {"to": "out-of-office@sandbox.test", "text": "Lunch?"})
        call("POST", "/sandbox/clock", {"advance": "PT5M"})
        self.agent()
        thread = call("GET", f"{self.path}/threads/{sent['thread_id']}")
        self.assertEqual(thread["message_count"], 2)


unittest.main()
