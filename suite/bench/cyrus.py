"""Cyrus IMAP with JMAP, what lists of threads are measured beside; only while it is measured, in a folder of its own."""

import base64
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from peers import free_port, wait_for

PROGRAMS = "/usr/lib/cyrus/bin"
USER, PASSWORD, REALM = "one", "bench", "cyrus.bench.test"
TOGETHER = 200  # messages of one APPEND (RFC 3502), which Cyrus puts into its index together

# Conversations are what JMAP's threads are made of. All else is as installed.
IMAPD = """\
configdirectory: {folder}/conf
defaultpartition: default
partition-default: {folder}/spool
servername: {realm}
allowplaintext: yes
autocreate_quota: 0
conversations: yes
conversations_db: twoskip
httpmodules: jmap
sasl_mech_list: PLAIN
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: {folder}/conf/sasldb
{more}
"""

# Both remember the answer to a query: the one in the process, the other in a file.
CACHES = """\
jmap_querycache_max_age: 60m
jmap_emailsearch_db_path: {folder}/conf/emailsearch.db
"""

MASTER = """\
START {{
  recover cmd="{programs}/ctl_cyrusdb -C {conf} -r"
}}
SERVICES {{
  imap cmd="{programs}/imapd -C {conf}" listen="127.0.0.1:{imap}" prefork=0
  http cmd="{programs}/httpd -C {conf}" listen="{http}" prefork=1
}}
EVENTS {{
  checkpoint cmd="{programs}/ctl_cyrusdb -C {conf} -c" period=30
}}
"""


class Cyrus:
    """Debian's Cyrus with one user and the user's INBOX; the system's own is left alone."""

    def __init__(self, folder):
        self.folder = folder
        self.imap = free_port()
        self.http = os.path.join(folder, "conf", "socket", "http")
        self.process = None

    def start(self, caches=False):
        """Starts it, again perhaps on what it had."""
        if not os.path.exists(self.folder):
            self.make()
        conf = os.path.join(self.folder, "imapd.conf")
        more = CACHES.format(folder=self.folder) if caches else ""
        self.write("imapd.conf", IMAPD.format(folder=self.folder, realm=REALM, more=more))
        self.write("cyrus.conf", MASTER.format(programs=PROGRAMS, conf=conf, imap=self.imap, http=self.http))
        with open(os.path.join(self.folder, "log"), "a") as log:
            self.process = subprocess.Popen([PROGRAMS + "/master", "-C", conf, "-M", os.path.join(self.folder, "cyrus.conf"),
                                             "-p", os.path.join(self.folder, "pid")], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)
        wait_for(self.imap)

    def make(self):
        for name in ("conf/db", "conf/lock", "conf/log", "conf/proc", "conf/socket", "conf/user", "spool"):
            os.makedirs(os.path.join(self.folder, name))
        # A key is user, realm and property with zero bytes between them.
        subprocess.run(["db5.3_load", "-T", "-t", "hash", os.path.join(self.folder, "conf", "sasldb")], check=True, text=True,
                       input=f"{USER}\\00{REALM}\\00userPassword\n{PASSWORD}\n", timeout=60)
        for path, _, names in os.walk(self.folder):
            for name in (path, *(os.path.join(path, name) for name in names)):
                shutil.chown(name, "cyrus", "mail")

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    # --- its mail

    def load(self, messages, each):
        """Gives it messages, (bytes, time of arrival), before its start; each() gets the number that are there."""
        with tempfile.TemporaryDirectory(prefix="bench-", dir="/dev/shm") as memory:  # no sync of every file
            os.chmod(memory, 0o755)
            other = Cyrus(os.path.join(memory, "cyrus"))
            other.start()
            try:
                other.append(messages, each)
            finally:
                other.stop()
            subprocess.run(["cp", "-a", other.folder, self.folder], check=True, timeout=600)

    def append(self, messages, each):
        with socket.create_connection(("127.0.0.1", self.imap)) as connection, connection.makefile("rb") as replies:
            replies.readline()
            expect(connection, replies, f"a LOGIN {USER} {PASSWORD}\r\n".encode())
            some, count = [], 0
            for message, at in messages:
                date = time.strftime("%d-%b-%Y %H:%M:%S +0000", time.gmtime(at))
                some.append(f' "{date}" {{{len(message)}+}}\r\n'.encode() + message)
                count += 1
                if len(some) == TOGETHER:
                    expect(connection, replies, b"a APPEND INBOX" + b"".join(some) + b"\r\n")
                    some = []
                    each(count)
            if some:
                expect(connection, replies, b"a APPEND INBOX" + b"".join(some) + b"\r\n")
                each(count)
            expect(connection, replies, b"a LOGOUT\r\n")

    def client(self):
        return Jmap(self.http)


def expect(connection, replies, command):
    connection.sendall(command)
    line = replies.readline()
    while line and not line.startswith(b"a "):
        line = replies.readline()
    if not line.startswith(b"a OK"):
        raise RuntimeError(f"Cyrus answered {line}")


class Unix(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Jmap:
    """One connection of a JMAP client (RFC 8620). Over TCP, Cyrus sends the head of an answer and its body apart without
    TCP_NODELAY, and each waits 40 ms for the acknowledgement of a client that delays it (RFC 9293, section 3.7.4)."""

    def __init__(self, path):
        self.connection = Unix(path)
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        self.headers = {"Authorization": "Basic " + login, "Content-Type": "application/json"}

    def inbox(self):
        """The id of the INBOX."""
        answer = json.loads(self.post(json.dumps(self.request(["Mailbox/query", {"accountId": USER, "filter": {"role": "inbox"}}]))))
        return answer["methodResponses"][0][1]["ids"][0]

    @staticmethod
    def request(*calls):
        return {"using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
                "methodCalls": [[*call, str(number)] for number, call in enumerate(calls)]}

    def page(self, inbox, position, limit, properties):
        """The request for a page of the newest message of each thread, one round trip (RFC 8621, section 4.10)."""
        return json.dumps(self.request(
            ["Email/query", {"accountId": USER, "filter": {"inMailbox": inbox}, "collapseThreads": True, "position": position,
                             "limit": limit, "sort": [{"property": "receivedAt", "isAscending": False}]}],
            ["Email/get", {"accountId": USER, "properties": properties,
                           "#ids": {"resultOf": "0", "name": "Email/query", "path": "/ids"}}]))

    def total(self, inbox):
        """How many threads there are."""
        answer = json.loads(self.post(json.dumps(self.request(
            ["Email/query", {"accountId": USER, "filter": {"inMailbox": inbox}, "collapseThreads": True, "limit": 1,
                             "calculateTotal": True}]))))
        return answer["methodResponses"][0][1]["total"]

    def post(self, body):
        self.connection.request("POST", "/jmap/", body, self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"Cyrus answered {answer.status} {text}")
        return text

    def close(self):
        self.connection.close()
