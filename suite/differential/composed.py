"""Composed mail: three parsers of others and our own read out of it what was put in, and it keeps to the line limits."""

import email
import email.header
import email.policy
import email.utils
import glob
import hashlib
import json
import os
import re
import subprocess

import trees

HERE = os.path.dirname(os.path.abspath(__file__))
WORD = re.compile(rb"=\?[^? ]+\?[bBqQ]\?[^? ]*\?=")


def check(folder, ours):
    """Checks every message of a folder; returns how many are right and how many are not."""
    paths = sorted(glob.glob(os.path.join(folder, "*.eml")))
    out = subprocess.run(["node", os.path.join(HERE, "parsers.js")], input="\n".join(paths).encode(), stdout=subprocess.PIPE, check=True).stdout
    npm = {found.pop("file"): found for found in map(json.loads, out.decode().splitlines())}
    own = ours(paths)
    failed = 0
    for path in paths:
        with open(path, "rb") as file:
            raw = file.read()
        with open(path.replace(".eml", ".json"), encoding="utf-8") as file:
            made = json.load(file)
        faults = [f"{name}: {fault}" for name, found in {**npm[path], "python": python(raw)}.items() for fault in differences(made, found)]
        faults += [f"python's leaves {trees.tree(raw)} and ours {own[path]['leaves']} differ"] if leaves(raw) != own[path]["leaves"] else []
        faults += lints(raw)
        for fault in faults:
            print(f"composed: {path}: {fault}")
        failed += bool(faults)
    print(f"composed: {len(paths) - failed} of {len(paths)} messages are read alike by Python, postal-mime, mailparser and inboxd, and keep to the limits")
    return len(paths) - failed, failed


def leaves(raw):
    """Python's leaves, with names decoded as RFC 2231 has them."""
    return trees.tree(raw)


def lines(text):
    return None if text is None else text.replace("\r\n", "\n").rstrip("\n")


def differences(made, found):
    for what in ("text", "html"):
        if (lines(made[what]) or None) != (lines(found.get(what)) or None):
            yield f"{what} is {found.get(what)!r:.200}, not {made[what]!r:.200}"
    for what in ("subject", "from", "to"):
        if made[what] != found[what]:
            yield f"{what} is {found[what]!r:.300}, not {made[what]!r:.300}"
    # mailparser tells the type of application/octet-stream by the name.
    kept = [[name, made_type if made_type == "application/octet-stream" else media, octets]
            for (name, media, octets), (_, made_type, _) in zip(found["files"], made["files"])]
    if made["files"] != kept or len(found["files"]) != len(kept):
        yield f"files are {found['files']!r:.500}, not {made['files']!r:.500}"


def python(raw):
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    found = {"subject": str(mail["subject"]), "text": None, "html": None, "files": []}
    # The policy's own addresses get a space between encoded words of one name.
    plain = email.message_from_bytes(raw, policy=email.policy.compat32)
    for what in ("from", "to"):
        found[what] = [[str(email.header.make_header(email.header.decode_header(name))), address]
                       for name, address in email.utils.getaddresses([plain[what].replace("\r\n", "")])]
    for part in mail.walk():
        if part.is_multipart():
            continue
        media, name, octets = part.get_content_type(), part.get_filename(), part.get_payload(decode=True)
        if name is None and media in ("text/plain", "text/html"):
            found["html" if media == "text/html" else "text"] = octets.decode(part.get_content_charset("ascii"))
        else:
            found["files"].append([name or "", media, f"{len(octets)} {hashlib.sha256(octets).hexdigest()[:16]}"])
    return found


def lints(raw):
    """RFC 5322 2.1.1, RFC 2047 2 and 5, RFC 2231, RFC 5321 4.5.3.1.6: what strict receivers count against a message."""
    if b"\n" in raw.replace(b"\r\n", b"") or b"\r" in raw.replace(b"\r\n", b""):
        yield "a bare CR or LF"
    if any(octet > 126 for octet in raw) or b"\0" in raw:
        yield "an octet that is not of seven bits"
    for line in raw.split(b"\r\n"):
        if len(line) > 998:
            yield f"a line of {len(line)}"
    for line in headers(raw):
        if len(line) > 78 and b" " in line.split(b":", 1)[-1].strip():
            yield f"a header line of {len(line)} that could be folded: {line[:60]!r}"
        if len(line) > 76 and WORD.search(line):
            yield f"a line of {len(line)} with an encoded word"
        if any(len(word) > 75 for word in WORD.findall(line)):
            yield "an encoded word of more than 75"
        if re.search(rb'"[^"]*=\?[^"]*\?="', line) and b"filename" in line + b"name":
            yield f"an encoded word within quotes: {line!r}"
        if not line.strip():
            yield "a folded line with nothing on it"


def headers(raw):
    """The lines of all header sections: of the message, and of its parts."""
    head, _, body = raw.partition(b"\r\n\r\n")
    yield from head.split(b"\r\n")
    for boundary in re.findall(rb'boundary="?([^";\r\n]+)', raw):
        for part in body.split(b"--" + boundary)[1:]:
            yield from part.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:] if b"\r\n\r\n" in part else ()
