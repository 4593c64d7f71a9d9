"""A server of the package that was started."""

import json
import re
import smtplib
import subprocess
import threading
import time
import urllib.request


class Started:
    """Its addresses are read where a newcomer reads them."""

    def __init__(self, command, data, environment):
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, "serve", "--data-dir", str(data), "--http-port", "0", "--smtp-port", "0", "--submission-port", "0"],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.shown = ""
        for line in self.process.stdout:
            self.shown += line
            if "Try" in line:
                break
        else:
            raise RuntimeError(f"the server ended:\n{self.shown}")
        self.seconds = time.monotonic() - began
        self.url = re.search(r"^ +API +(\S+)$", self.shown, re.M)[1]
        self.smtp = int(re.search(r"^ +SMTP +\S+:(\d+)", self.shown, re.M)[1])
        key = re.search(r"^ +Key +(\S+)", self.shown, re.M)
        self.key = key and key[1]
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self):
        self.process.terminate()
        return self.process.wait(90)

    def maps(self):
        """The files that its memory is mapped to."""
        with open(f"/proc/{self.process.pid}/maps") as lines:
            return lines.read()

    def call(self, path, body=None):
        request = urllib.request.Request(
            self.url + path, body and json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def first_mail(self):
        """Makes an inbox, sends a mail to it over SMTP, and returns the subjects that its list has then."""
        inbox = self.call("/inboxes", {"username": "first"})["inbox_id"]
        with smtplib.SMTP("127.0.0.1", self.smtp, "client.test", 60) as session:
            session.sendmail("me@client.test", [inbox],
                             f"From: Me <me@client.test>\r\nTo: {inbox}\r\nSubject: The first mail\r\n\r\nHello.\r\n")
        for _ in range(300):
            messages = self.call(f"/inboxes/{inbox}/messages?include_unauthenticated=true")["messages"]
            if messages:
                break
            time.sleep(0.02)
        return [each["subject"] for each in messages]
