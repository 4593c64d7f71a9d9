"""A started server with what stands around it: mail clients, a relay, a name server, web servers."""

import http.server
import json
import os
import re
import smtplib
import socket
import socketserver
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).absolute().parents[2]
PATIENCE = 15


def quoted(text):
    return urllib.parse.quote(text, safe="")


def eventually(ask, patience=PATIENCE):
    """Asks until the answer is true; the last answer otherwise."""
    end = time.monotonic() + patience
    while True:
        answer = ask()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.05)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body or b"null")

    def __getitem__(self, name):
        return (self.json or {}).get(name)

    def __str__(self):
        return f"{self.status} {self.body.decode(errors='replace')}"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class World:
    """A server with a folder of its own, on free ports; its addresses are read where a newcomer reads them."""

    opener = urllib.request.build_opener(NoRedirect)

    def __init__(self, folder, *settings, names=None, relay=None):
        self.names, self.relay = names, relay
        folder.mkdir()
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("INBOXD_") or name == "INBOXD_JAVA_OPTS"}
        self.process = subprocess.Popen(
            [str(ROOT / "inboxd"), "serve", "--data-dir", str(folder / "data"), "--http-port", "0", "--smtp-port", "0",
             "--submission-port", "0", *settings],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.shown = ""
        for line in self.process.stdout:
            self.shown += line
            if "Try:" in line:
                break
        else:
            raise RuntimeError(f"the server ended:\n{self.shown}")
        self.url = re.search(r"^ +API +(\S+)/v0$", self.shown, re.M)[1]
        self.key = re.search(r"^ +Key +(\S+)", self.shown, re.M)[1]
        self.smtp = int(re.search(r"^ +SMTP +\S+:(\d+)", self.shown, re.M)[1])
        self.domain = re.search(r"mail for ([\w.-]+)", self.shown)[1]
        self.made = 0
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def stop(self):
        self.process.terminate()
        return self.process.wait(60)

    def http(self, method, path, body=None, headers=None, key=True):
        """A request; a body that is no bytes is sent as JSON."""
        given = {"Authorization": f"Bearer {self.key if key is True else key}"} if key else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            given["Content-Type"] = "application/json"
        elif body is not None and not headers:
            given["Content-Type"] = "application/json"
        url = path if path.startswith("http") else self.url + path
        request = urllib.request.Request(url, body, {**given, **(headers or {})}, method=method)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, refused.headers, refused.read())

    def raw_http(self, text):
        """Sends octets to the HTTP port and returns all that comes back."""
        address = urllib.parse.urlsplit(self.url)
        with socket.create_connection((address.hostname, address.port), 10) as connection:
            connection.sendall(text.encode("latin-1"))
            connection.settimeout(10)
            answer = b""
            try:
                while part := connection.recv(65536):
                    answer += part
            except TimeoutError:
                pass
            return answer.decode("latin-1")

    def inbox(self, **members):
        self.made += 1
        members.setdefault("username", f"case-{self.made}")
        answer = self.http("POST", "/v0/inboxes", members)
        assert answer.status == 200, answer
        return Inbox(self, answer["inbox_id"])

    def deliver(self, sender, recipients, mail):
        """Mail from outside; the last reply of the server."""
        octets = mail if isinstance(mail, bytes) else mail.encode()
        octets = octets.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        with smtplib.SMTP("127.0.0.1", self.smtp, "client.test", 30) as session:
            session.ehlo()
            session.mail(sender, ["BODY=8BITMIME", "SMTPUTF8"])
            for recipient in recipients:
                code, text = session.rcpt(recipient)
                if code != 250:
                    return code, text.decode()
            code, text = session.data(octets)
            return code, text.decode()


class Inbox:
    def __init__(self, server, address):
        self.server, self.address = server, address
        self.path = f"/v0/inboxes/{quoted(address)}"

    def mail(self, fields="", body="Hello.\n", sender="ann@writer.test", to=None):
        """A message into this inbox. Fields that are not given are usual ones. Returns it as its GET shows it."""
        given = fields if isinstance(fields, bytes) else fields.replace("BOX", self.address).encode()
        lower = b"\n" + given.lower()
        head = b"" if b"\nfrom:" in lower else f"From: Ann <{sender}>\n".encode()
        head += b"" if b"\nto:" in lower else f"To: {self.address}\n".encode()
        text = body if isinstance(body, bytes) else body.encode()
        known = {message["message_id"] for message in self.list()}
        code, reply = self.server.deliver(sender, to or [self.address], head + given + b"\n" + text)
        assert code == 250, reply
        new = [message for message in self.list() if message["message_id"] not in known]
        assert len(new) == 1, f"{len(new)} new messages"
        return self.get(new[0]["message_id"])

    def list(self, query=""):
        flags = "include_unauthenticated=true&include_spam=true&include_blocked=true"
        answer = self.server.http("GET", f"{self.path}/messages?{flags}{query}")
        assert answer.status == 200, answer
        return answer["messages"]

    def get(self, name):
        answer = self.server.http("GET", self.message(name))
        assert answer.status == 200, answer
        return answer.json

    def message(self, name):
        return f"{self.path}/messages/{quoted(name)}"

    def post(self, path, body, **more):
        return self.server.http("POST", self.path + path, body, **more)

    def send(self, **members):
        members.setdefault("to", "jo@reader.test")
        members.setdefault("text", "Hello.")
        return self.post("/messages/send", members)

    def reply(self, name, call="reply", **members):
        return self.server.http("POST", f"{self.message(name)}/{call}", {"text": "Thanks.", **members})

    def raw(self, name):
        link = self.server.http("GET", f"{self.message(name)}/raw")["download_url"]
        return self.server.http("GET", link, key=None).body.decode(errors="replace")

    def finds(self, words):
        """Whether a search finds one message, soon."""
        path = f"{self.path}/messages/search?q={quoted(words)}"
        return bool(eventually(lambda: self.server.http("GET", path)["messages"]))


class Request:
    def __init__(self, path, headers, content):
        self.path, self.headers, self.content = path, headers, content


class Web:
    """A web server on loopback that notes what it is asked."""

    def __init__(self, answer=lambda request: (200, {}, b"")):
        self.requests = []
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self):
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                web.requests.append(Request(self.path, self.headers, content))
                status, headers, body = answer(web.requests[-1])
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Relay:
    """Takes all mail, and names each message by an id of its own, as some services do."""

    def __init__(self):
        relay = self
        relay.mails, relay.ids = [], []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                self.say("220 relay.test")
                while line := self.rfile.readline():
                    word = line.strip().upper()
                    if word == b"DATA":
                        self.say("354 go on")
                        mail = b"".join(iter(self.rfile.readline, b".\r\n"))
                        # Of the form that Amazon's relay answers with.
                        relay.ids.append(f"01000000deadbeef{len(relay.ids):02x}-11112222-3333-4444-5555-666677778888-000000")
                        relay.mails.append(mail.decode(errors="replace"))
                        self.say(f"250 Ok {relay.ids[-1]}")
                    elif word == b"QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 ok")

            def say(self, line):
                self.wfile.write(f"{line}\r\n".encode())

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.url = f"smtp://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Names:
    """A name server (RFC 1035) with the texts that it is given; nothing else exists."""

    def __init__(self):
        texts = self.texts = {}

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                query, connection = self.request
                end, labels = 12, []
                while query[end]:
                    labels.append(query[end + 1:end + 1 + query[end]].decode().lower())
                    end += 1 + query[end]
                end += 5
                known = texts.get(".".join(labels), [])
                found = known if query[end - 4:end - 2] == b"\0\x10" else []
                answer = query[:2] + struct.pack(">HHHHH", 0x8180 if known else 0x8183, 1, len(found), 0, 0) + query[12:end]
                for text in found:
                    data = bytes([len(text)]) + text.encode()
                    answer += struct.pack(">HHHIH", 0xC00C, 16, 1, 60, len(data)) + data
                connection.sendto(answer, self.client_address)

        self.listener = socketserver.ThreadingUDPServer(("127.0.0.1", 0), Handler)
        self.server = f"127.0.0.1:{self.listener.server_address[1]}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()
