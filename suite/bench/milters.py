"""What Postfix asks before it takes a message, so that it does the work inboxd does: Rspamd, which checks, and OpenDKIM,
which signs. Both are Debian's, each with a configuration of its own; those of the system are left alone. They listen on sockets
of the file system: over TCP, small packets of a milter wait for acknowledgements, and Postfix would wait 40 ms for each."""

import os
import shutil
import subprocess

from machine import cpu_seconds, family
from peers import wait_for

START_LIMIT = 60

# As light as it honestly can be: the four checks and Debian's rules over header and text. Nothing asks Redis or the internet:
# no lists, no fuzzy hashes, no statistics. The processes that take the mail judge it too. Rspamd passes over clients of its
# own machine, which all clients here are, unless it is configured otherwise.
CHECKS = """\
lua = "$RULESDIR/rspamd.lua"
.include "$CONFDIR/metrics.conf"
.include "$CONFDIR/actions.conf"
.include "$CONFDIR/groups.conf"
.include "$CONFDIR/composites.conf"
.include "$CONFDIR/modules.d/spf.conf"
.include "$CONFDIR/modules.d/dkim.conf"
.include "$CONFDIR/modules.d/arc.conf"
.include "$CONFDIR/modules.d/dmarc.conf"
.include "$CONFDIR/modules.d/regexp.conf"
milter_headers {{ use = ["authentication-results", "x-spamd-result"]; skip_local = false; }}
modules {{ path = "$PLUGINSDIR"; }}
options {{
    filters = "dkim,regexp";
    dns {{ nameserver = ["127.0.0.1:{dns}"]; }}
    local_addrs = [];
    check_local = true;
    check_authed = true;
    pidfile = "{folder}/rspamd.pid";
    tempdir = "{folder}";
    hs_cache_dir = "{folder}";
    control_socket = "{folder}/rspamd.sock";
    url_tld = "$SHAREDIR/effective_tld_names.dat";
}}
logging {{ type = "console"; level = "warning"; }}
worker "rspamd_proxy" {{
    bind_socket = "{folder}/milter mode=0666";
    count = {processors};
    milter = yes;
    timeout = 120s;
    upstream "local" {{ default = yes; self_scan = yes; }}
}}
"""

# Keys are called unsafe when everybody may write to a folder above theirs, as to /var/tmp.
SIGNS = """\
Mode s
Domain client.test
Selector bench
KeyFile {folder}/key.pem
Canonicalization relaxed/relaxed
Socket local:{folder}/milter
UMask 000
UserID opendkim
RequireSafeKeys no
Syslog no
"""


class Milter:
    """A program in a folder of its own, which listens on a socket in it."""

    def __init__(self, folder, account):
        self.folder, self.account = folder, account
        self.socket = os.path.join(folder, "milter")
        self.process = None

    def run(self, text, *command):
        """Starts the command on a configuration; Rspamd takes seconds to read its rules."""
        with open(os.path.join(self.folder, "conf"), "w") as file:
            file.write(text)
        with open(os.path.join(self.folder, "log"), "w") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for(self.socket, START_LIMIT)
        except RuntimeError as failure:
            with open(log.name) as file:
                raise RuntimeError(f"{command[0]}: {failure}\n{file.read()}") from None

    def own(self):
        """Gives the folder to the account that the program runs under."""
        os.makedirs(self.folder)
        shutil.chown(self.folder, self.account, self.account)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()

    def cpu(self):
        return cpu_seconds(family(self.process.pid))


class Rspamd(Milter):
    """Checks SPF, DKIM, ARC and DMARC, judges whether it is spam, and writes both into the message."""

    proof = ("R_SPF_NA", "R_DKIM_NA", "ARC_NA", "DMARC_NA", "Authentication-Results: ")

    def __init__(self, folder, dns):
        """It asks the DNS on a port of loopback."""
        super().__init__(folder, "_rspamd")
        self.dns = dns

    def start(self):
        self.own()
        own = [f"--var={name}={self.folder}" for name in ("DBDIR", "RUNDIR", "LOGDIR", "LOCAL_CONFDIR")]
        self.run(CHECKS.format(folder=self.folder, dns=self.dns, processors=os.cpu_count()),
                 "rspamd", "-f", "-u", self.account, "-g", self.account, *own, "-c", os.path.join(self.folder, "conf"))


class OpenDkim(Milter):
    """Signs with RSA-2048, as inboxd does, but not with Ed25519 beside it."""

    proof = ("DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=client.test",)

    def __init__(self, folder):
        super().__init__(folder, "opendkim")

    def start(self):
        self.own()
        key = os.path.join(self.folder, "key.pem")
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], capture_output=True, check=True)
        shutil.chown(key, self.account)
        self.run(SIGNS.format(folder=self.folder), "opendkim", "-f", "-x", os.path.join(self.folder, "conf"))
