"""Each kind of case against a started server; see run."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import authors
import checked
import conversations
import habits
import links
import reading
from report import Report
from world import Names, Relay, World

# One server as a newcomer starts it, and one with name servers and a relay, where mail is checked and leaves.
PLAIN = [reading, authors, conversations, habits, links]
CHECKED = [checked]


def run(report, sections, folder, *settings, **beside):
    server = World(folder, *settings, **beside)
    try:
        for section in sections:
            for case in section.CASES:
                report.run(section.__name__, case, server)
    finally:
        report.run("server", lambda report, server: report.check("ends with status 0", server.stop() == 0), server)


def main():
    report = Report(everything=bool(os.environ.get("TEST_EVERYTHING")))
    folder = Path(tempfile.mkdtemp(prefix="inboxd-cases-"))
    try:
        run(report, PLAIN, folder / "plain")
        with Names() as names, Relay() as relay:
            run(report, CHECKED, folder / "checked", "--dns-servers", names.server, "--relay", relay.url,
                names=names, relay=relay)
    except Exception as failure:
        report.check("the suite runs", False, repr(failure))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(0 if report.failed == 0 else 1)


main()
