"""A server with a real Rspamd and a real clamd beside it; see run."""

import base64
import json
import os
import pwd
import re
import shutil
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# In halves, so that no scanner minds this file.
EICAR = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD" + "-ANTIVIRUS-TEST-FILE!$H+H*"
# Rspamd's own form of the test for unsolicited mail, which asks for a header; ours begins with X.
TEST = "YJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"

passed = failed = 0


def check(claim, holds, shown=""):
    global passed, failed
    passed, failed = (passed + 1, failed) if holds else (passed, failed + 1)
    print(f"{'ok' if holds else 'FAILED'} {claim}{'' if holds else f': {shown}'}", flush=True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def wait_for(port, process):
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{process.args[0]} does not listen")


def clamd(folder, port):
    signatures = folder / "signatures"
    signatures.mkdir()
    (signatures / "test.ndb").write_text(f"Eicar-By-Hand:0:*:{EICAR.encode().hex()}\n")
    config = folder / "clamd.conf"
    config.write_text(f"Foreground yes\nTCPSocket {port}\nTCPAddr 127.0.0.1\nDatabaseDirectory {signatures}\n"
                      f"TemporaryDirectory {folder}\n")
    return start(folder / "clamd.log", "clamd", "--config-file", str(config))


def rspamd(folder, port):
    config = folder / "rspamd.conf"
    config.write_text(f"""
        options {{ pidfile = "{folder}/rspamd.pid"; temp_dir = "{folder}"; control_socket = "{folder}/rspamd.sock";
                   filters = ""; enable_test_patterns = true; dns {{ nameserver = ["127.0.0.1:{free_port()}"]; timeout = 0.1s; retransmits = 1; }} }}
        logging {{ type = "console"; level = "warning"; }}
        actions {{ reject = 15; add_header = 6; greylist = 4; }}
        worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
        """)
    account = []
    if os.getuid() == 0:
        user = pwd.getpwnam("_rspamd")
        os.chown(folder, user.pw_uid, user.pw_gid)
        account = ["-u", "_rspamd", "-g", "_rspamd"]
    return start(folder / "rspamd.log", "rspamd", "-f", *account, "-c", str(config))


def start(log, *command):
    return subprocess.Popen(command, stdout=open(log, "wb"), stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)


class Server:
    """The server as a newcomer starts it."""

    def __init__(self, folder, *settings):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("INBOXD_") or name == "INBOXD_JAVA_OPTS"}
        self.process = subprocess.Popen(
            [str(ROOT / "inboxd"), "serve", "--data-dir", str(folder / "data"), "--http-port", "0", "--smtp-port", "0",
             "--submission-port", "0", "--dns-servers", f"127.0.0.1:{free_port()}", *settings],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        shown = ""
        for line in self.process.stdout:
            shown += line
            if "Try:" in line:
                break
        else:
            raise RuntimeError(f"the server ended:\n{shown}")
        self.url = re.search(r"^ +API +(\S+)/v0$", shown, re.M)[1]
        self.key = re.search(r"^ +Key +(\S+)", shown, re.M)[1]
        self.smtp = int(re.search(r"^ +SMTP +\S+:(\d+)", shown, re.M)[1])
        self.inbox = self.ask("/v0/inboxes", {})["inbox_id"]

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(),
                                         {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def mail(self, subject, body, fields=""):
        """Sends a mail; returns the code of the reply after its final dot, and the reply."""
        message = (f"From: jo@friend.test\r\nTo: {self.inbox}\r\nDate: Sun, 22 Nov 2026 10:00:00 +0000\r\n"
                   f"Subject: {subject}\r\n{fields}\r\n{body}\r\n")
        with smtplib.SMTP("127.0.0.1", self.smtp, "client.test", 90) as session:
            session.ehlo()
            session.mail("jo@friend.test")
            session.rcpt(self.inbox)
            code, text = session.data(message)
            return code, text.decode()

    def labels(self, subject):
        listed = self.ask(f"/v0/inboxes/{self.inbox}/messages?include_spam=true&include_unauthenticated=true")["messages"]
        return next((message["labels"] for message in listed if message["subject"] == subject), None)

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=60)


def judged(server, scanner, filter_):
    code, text = server.mail("plain", "Hello")
    check("plain mail is taken", code == 250 and "spam" not in server.labels("plain"), text)
    code, text = server.mail("offer", TEST)
    check("what Rspamd wants marked is spam", code == 250 and "spam" in (server.labels("offer") or []), text)
    code, text = server.mail("virus", EICAR)
    check("a virus is refused", code == 550 and "Eicar-By-Hand" in text and server.labels("virus") is None, text)
    part = ('MIME-Version: 1.0\r\nContent-Type: application/octet-stream; name="x.bin"\r\n'
            'Content-Transfer-Encoding: base64\r\n')
    code, text = server.mail("hidden", base64.b64encode(EICAR.encode()).decode(), part)
    check("a virus in base64 is refused", code == 550 and server.labels("hidden") is None, text)
    code, text = server.mail("large", ("x" * 70 + "\r\n") * 420_000)
    check("mail of 30 MB is taken", code == 250 and server.labels("large") is not None, text)
    filter_.terminate()
    filter_.wait()
    code, text = server.mail("without", TEST)
    check("without Rspamd mail is judged by the service alone", code == 250 and "spam" not in server.labels("without"), text)
    scanner.terminate()
    scanner.wait()
    code, text = server.mail("later", "Hello")
    check("without ClamAV mail stays with its sender", code == 451 and server.labels("later") is None, text)


def main():
    folder = Path(tempfile.mkdtemp(prefix="inboxd-filters-"))
    beside = Path(tempfile.mkdtemp(prefix="inboxd-filters-"))
    running = []
    try:
        scanner_port, filter_port = free_port(), free_port()
        running.append(clamd(folder, scanner_port))
        running.append(rspamd(beside, filter_port))
        wait_for(scanner_port, running[0])
        wait_for(filter_port, running[1])
        server = Server(folder, "--clamav", f"127.0.0.1:{scanner_port}", "--spam-url", f"http://127.0.0.1:{filter_port}")
        try:
            judged(server, *running)
        finally:
            server.stop()
    except Exception as failure:
        check("the suite runs", False, repr(failure))
        for log in [*folder.glob("*.log"), *beside.glob("*.log")]:
            print(log.read_text(errors="replace")[-2000:])
    finally:
        for process in running:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(beside, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)


main()
