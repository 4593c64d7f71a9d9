"""A running inboxd with its embedded PostgreSQL."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.parse
import urllib.request

from machine import cpu_seconds, family, memory_mb

DOMAIN = "bench.test"
RECEIVED = "message.received.unauthenticated"  # smtp-source proves nothing about itself
START_LIMIT = 120
REST_LIMIT = 60
RESTING = 0.05  # seconds of processor in a second: what the regular looks for something to do take


def no_names():
    """A DNS in which no name exists, so that no question leaves this machine; returns its port."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))

    def answer():
        while True:
            query, client = server.recvfrom(4096)
            end = 12
            while query[end]:
                end += query[end] + 1
            # Header and question, without what else was asked with; an answer: NXDOMAIN.
            server.sendto(query[:2] + b"\x81\x83" + query[4:6] + bytes(6) + query[12:end + 5], client)

    threading.Thread(target=answer, daemon=True).start()
    return server.getsockname()[1]


class Inboxd:
    """Started on a data folder; a second start on the same folder finds what the first one left."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.data = os.path.join(folder, "data")
        self.log = os.path.join(folder, "inboxd.log")
        self.process = None
        self.more = []  # flags of this run
        self.dns = no_names()

    def start(self):
        """Starts it and returns the seconds to ready."""
        command = [os.path.join(self.root, "inboxd"), "serve", "--data-dir", self.data, "--domain", DOMAIN,
                   "--http-port", "0", "--smtp-port", "0", "--submission-port", "0",
                   "--dns-servers", f"127.0.0.1:{self.dns}", *self.more]
        begin = time.monotonic()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        while True:
            with open(self.log) as log:
                text = log.read()
            if "inboxd is ready" in text and "SMTP" in text:
                break
            if self.process.poll() is not None or time.monotonic() - begin > START_LIMIT:
                raise RuntimeError("inboxd did not start:\n" + text)
            time.sleep(0.005)
        seconds = time.monotonic() - begin
        self.url = re.search(r"API +(http://\S+)/v0", text).group(1)
        self.smtp = int(re.search(r"SMTP +\S+:(\d+)", text).group(1))
        return seconds

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    # --- what it uses

    def java(self):
        return [self.process.pid]

    def postgres(self):
        return family(self.postmaster())

    def postmaster(self):
        with open(os.path.join(self.data, "postgres-18", "postmaster.pid")) as file:
            return int(file.readline())

    def cpu(self):
        """Processor seconds so far: of Java, of PostgreSQL."""
        return cpu_seconds(self.java()), cpu_seconds(self.postgres())

    def rest(self):
        """Waits until it has done what it left for later, as merging the index, which would take time from a peer."""
        begin, quiet = time.monotonic(), 0
        while quiet < 2 and time.monotonic() - begin < REST_LIMIT:
            before = sum(self.cpu())
            time.sleep(1)
            quiet = quiet + 1 if sum(self.cpu()) - before < RESTING else 0

    def memory(self):
        """MB: Java resident, Java proportional, PostgreSQL proportional."""
        return memory_mb(self.java(), "Rss"), memory_mb(self.java(), "Pss"), memory_mb(self.postgres(), "Pss")

    # --- its database and its API

    def database(self):
        """Environment of libpq programs that reaches the embedded database."""
        def read(name):
            with open(os.path.join(self.data, name)) as file:
                return file.read().strip()
        return {**os.environ, "PGHOST": "127.0.0.1", "PGPORT": read("postgres.port"), "PGUSER": "inboxd",
                "PGPASSWORD": read("postgres.password"), "PGDATABASE": "inboxd"}

    def sql(self, text):
        return subprocess.run(["psql", "-XAtqc", text], env=self.database(), capture_output=True, text=True,
                              check=True, timeout=300).stdout.strip()

    def prepare(self, java):
        """Makes the organizations and inboxes; returns their keys, the first being the owner of the single inbox. Learns
        on the way which settings the product gives its sessions."""
        environment = self.database()
        url = f"jdbc:postgresql://127.0.0.1:{environment['PGPORT']}/inboxd"
        done = subprocess.run(java + ["Prepare", url, "inboxd", environment["PGPASSWORD"], DOMAIN],
                              capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr)
        lines = done.stdout.splitlines()
        self.session = " ".join("-c " + line.removeprefix("setting ") for line in lines if line.startswith("setting "))
        return [line for line in lines if line.startswith("inb_")]

    def call(self, key, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method,
                                         data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", "Bearer " + key)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else {}

    def subscribe(self, key, port):
        """Makes a webhook for all mail of the key's organization and returns its id."""
        return self.call(key, "POST", "/v0/webhooks", {"url": f"http://127.0.0.1:{port}/hook",
                                                       "event_types": [RECEIVED]})["webhook_id"]

    def behind(self):
        """Seconds since the oldest arrival that a search does not find yet."""
        return float(self.sql("select coalesce(max(extract(epoch from statement_timestamp() - e.at)), 0) from search_progress p,"
                              " lateral (select e.at from event e where e.organization_id = p.organization_id and e.seq > p.seq"
                              f" and e.type = '{RECEIVED}' order by e.seq limit 1) e"))

    def count(self):
        """Stored messages, distinct by inbox and public id."""
        return int(self.sql("select count(distinct (inbox_id, name)) from message"))

    def listed(self, keys):
        """How many distinct messages the API lists in all inboxes of the keys' organizations."""
        distinct = set()
        for key in keys:
            for inbox in self.pages(key, "/v0/inboxes?limit=100", "inboxes"):
                address = inbox["inbox_id"]
                path = f"/v0/inboxes/{urllib.parse.quote(address, safe='')}/messages"
                for message in self.pages(key, path + "?include_unauthenticated=true&limit=100", "messages"):
                    distinct.add((address, message["message_id"]))
        return len(distinct)

    def pages(self, key, path, member):
        answer = self.call(key, "GET", path)
        while True:
            yield from answer[member]
            token = answer.get("next_page_token")
            if not token:
                return
            answer = self.call(key, "GET", path + "&page_token=" + urllib.parse.quote(token, safe=""))

    # --- the statements behind a request

    def statements(self, requests):
        """The statements that PostgreSQL gets while each request runs, in order, with the values filled in. A statement
        that is missing in one of the runs is none of the request, such as the search for due jobs."""
        own = os.path.join(self.data, "postgres.conf")
        with open(own, "w") as file:
            file.write("log_min_duration_statement = 0\nlog_parameter_max_length = -1\n"
                       "log_error_verbosity = default\n")
        os.kill(self.postmaster(), signal.SIGHUP)
        time.sleep(1)
        seen = [self.logged(request) for request in requests]
        os.remove(own)
        os.kill(self.postmaster(), signal.SIGHUP)
        common = set.intersection(*({text for text, _ in some} for some in seen))
        return [[filled for text, filled in some if text in common] for some in seen]

    def logged(self, request):
        log = os.path.join(self.data, "postgres.log")
        begin = os.path.getsize(log)
        request()
        time.sleep(0.1)
        with open(log) as file:
            file.seek(begin)
            return executed(file.read())


def executed(log):
    """Reads executed statements from PostgreSQL's log: their texts, and the same with their parameters filled in."""
    entries = re.split(r"(?m)^\d{4}-\d\d-\d\d [\d:.]+ UTC \[\d+\] ", log)
    statements = []
    for entry in entries:
        run = re.match(r"LOG:  duration: [\d.]+ ms  execute [^:]*: (.*)", entry, re.S)
        values = re.match(r"DETAIL:  Parameters: (.*)", entry, re.S)
        if run:
            text = " ".join(run.group(1).split())
            statements.append((text, text))
        elif values and statements:
            text, filled = statements[-1]
            for number, value in re.findall(r"\$(\d+) = ('(?:[^']|'')*'|NULL)", values.group(1)):
                filled = re.sub(r"\$%s(?!\d)" % number, lambda _, value=value: value, filled)
            statements[-1] = (text, filled)
    return statements
