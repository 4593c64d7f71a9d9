"""What inboxd is measured beside: Postfix with Maildir delivery, and smtp-sink, which stores nothing."""

import os
import shutil
import socket
import subprocess
import time

from machine import cpu_seconds, family

DOMAIN = "bench.test"

# Durable as installed: queue files and Maildir files are synced. No name is looked up and nothing leaves the machine.
MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/state
maillog_file = {folder}/mail.log
maillog_file_prefixes = {folder}
myhostname = postfix.bench.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
disable_dns_lookups = yes
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
default_transport = {transport}
relayhost = {relayhost}
alias_maps =
virtual_transport = virtual
virtual_mailbox_domains = bench.test
virtual_mailbox_base = {folder}/mail
virtual_mailbox_maps = hash:{folder}/conf/inboxes
virtual_uid_maps = static:{user}
virtual_gid_maps = static:{group}
virtual_minimum_uid = 1
virtual_mailbox_limit = 0
virtual_alias_maps =
import_environment = MAIL_CONFIG={folder}/conf
smtpd_milters = {milters}
"""

# The services of Debian's master.cf that receiving and local delivery use, with their usual limits.
MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000? 0 flush
proxymap  unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
virtual   unix - n n - - virtual
smtp      unix - - n - - smtp
anvil     unix - - n - 1 anvil
postlog   unix-dgram n - n - 1 postlogd
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(where, seconds=10):
    """Until somebody listens on a port of loopback, or on a socket of the file system."""
    family, address = (socket.AF_UNIX, where) if isinstance(where, str) else (socket.AF_INET, ("127.0.0.1", where))
    for _ in range(20 * seconds):
        with socket.socket(family) as probe:
            if probe.connect_ex(address) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on {where}")


class Postfix:
    """Its own configuration, queue and log in one folder; the system's Postfix is left alone."""

    def __init__(self, folder, relay=None, milter=None):
        """With the port of a relay it hands to that what it does not hold itself; a milter sees each message first."""
        self.folder = folder
        self.relay = relay
        self.milter = milter
        self.conf = os.path.join(folder, "conf")
        self.mail = os.path.join(folder, "mail")
        self.smtp = free_port()

    def start(self):
        owner = subprocess.run(["id", "-u", "nobody"], capture_output=True, text=True, check=True).stdout.strip()
        group = subprocess.run(["id", "-g", "nobody"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("conf", "queue", "state", "mail"):
            os.makedirs(os.path.join(self.folder, name))
        shutil.chown(os.path.join(self.folder, "state"), "postfix")
        shutil.chown(self.mail, int(owner), int(group))
        self.write("main.cf", MAIN.format(folder=self.folder, user=owner, group=group,
                                            transport="smtp" if self.relay else "discard",
                                            relayhost=f"[127.0.0.1]:{self.relay}" if self.relay else "",
                                            milters=f"unix:{self.milter.socket}" if self.milter else ""))
        self.write("master.cf", MASTER.format(port=self.smtp))
        names = ["one"] + [f"{number}inbox" for number in range(1, 1001)]
        self.write("inboxes", "".join(f"{name}@{DOMAIN} {name}/\n" for name in names))
        self.run("postmap", "-c", self.conf, "hash:" + os.path.join(self.conf, "inboxes"))
        if self.milter:
            self.milter.start()
        self.run("postfix", "-c", self.conf, "start")
        wait_for(self.smtp)
        if self.milter:
            self.prove()

    def prove(self):
        """A milter that does nothing would be quick: what it leaves in a message has to be there."""
        self.run("smtp-source", "-4", "-f", "sender@client.test", "-M", "client.test", "-t", "one@" + DOMAIN,
                 f"127.0.0.1:{self.smtp}")
        deadline = time.monotonic() + 10
        while not self.delivered():
            if time.monotonic() > deadline:
                raise RuntimeError("Postfix does not deliver what its milter has seen")
            time.sleep(0.05)
        new = os.path.join(self.mail, "one", "new")
        with open(os.path.join(new, os.listdir(new)[0])) as file:
            text = file.read()
        missing = [word for word in self.milter.proof if word not in text]
        if missing:
            raise RuntimeError(f"the milter of Postfix left out {', '.join(missing)}:\n{text}")
        self.empty()

    def write(self, name, text):
        with open(os.path.join(self.conf, name), "w") as file:
            file.write(text)

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(" ".join(command) + ": " + done.stderr + done.stdout)

    def stop(self):
        if os.path.exists(os.path.join(self.conf, "main.cf")):
            subprocess.run(["postfix", "-c", self.conf, "stop"], capture_output=True, timeout=60)
        if self.milter:
            self.milter.stop()

    def master(self):
        with open(os.path.join(self.folder, "queue", "pid", "master.pid")) as file:
            return int(file.readline())

    def cpu(self):
        """Processor seconds so far, with those of its milter."""
        return cpu_seconds(family(self.master())) + (self.milter.cpu() if self.milter else 0)

    def delivered(self):
        """How many messages lie in the inboxes."""
        total = 0
        for inbox in os.scandir(self.mail):
            new = os.path.join(inbox.path, "new")
            if os.path.isdir(new):
                total += len(os.listdir(new))
        return total

    def queued(self):
        """How many messages are in its queue."""
        return sum(len(files) for name in ("maildrop", "incoming", "active", "deferred")
                   for _, _, files in os.walk(os.path.join(self.folder, "queue", name)))

    def empty(self):
        """Throws away what was delivered."""
        for inbox in list(os.scandir(self.mail)):
            shutil.rmtree(inbox.path)


class Sink:
    """Speaks SMTP and stores nothing: what the generator and the loopback allow at most."""

    def __init__(self):
        self.smtp = free_port()
        self.process = None

    def start(self):
        self.process = subprocess.Popen(["smtp-sink", "-u", "nobody", f"127.0.0.1:{self.smtp}", "1000"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.smtp)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def cpu(self):
        return cpu_seconds([self.process.pid])
